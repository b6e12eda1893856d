package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/runner"
)

// arrival reads --rate and --arrivals: when the calls of an open loop come.
func (f *loadFlags) arrival(o *runner.LoadOptions) error {
	how, size, _ := strings.Cut(f.arrivals, ":")
	if strings.HasSuffix(f.arrivals, ".csv") {
		return f.replay(o)
	}
	if f.rate == "" {
		if f.arrivals != "constant" {
			return usage(fmt.Errorf("--arrivals %s is given without --rate", f.arrivals), "say how many calls a second: --rate 100")
		}
		return nil
	}
	if f.think > 0 {
		return usage(fmt.Errorf("--think is given beside --rate"), "in an open loop nobody waits for an answer before the next call")
	}
	a := runner.Arrivals{How: how}
	switch how {
	case "constant", "poisson":
		if size != "" {
			return usage(fmt.Errorf("--arrivals %q: %s takes no number", f.arrivals, how), "")
		}
	case "bursts":
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > mostUsers {
			return usage(fmt.Errorf("--arrivals %q does not say how large a burst is", f.arrivals), "for example --arrivals bursts:8")
		}
		a.Burst = n
	default:
		return usage(fmt.Errorf("--arrivals %q is none of constant, poisson, bursts:N, FILE.csv", f.arrivals), "")
	}
	var err error
	if a.Stages, err = stagesOf(f.rate); err != nil {
		return usage(fmt.Errorf("--rate %q: %w", f.rate, err), "for example --rate 100, --rate 100..1000, or --rate 10s@100,20s@100..500")
	}
	if a.Length() > 0 && f.duration > 0 {
		return usage(fmt.Errorf("--duration is given beside --rate %s, which says itself how long it takes", f.rate), "leave one out")
	}
	if a.Varies() && f.rounds == 0 {
		o.Rounds = 1
	}
	o.Arrivals = a
	if len(o.Concurrency) == 0 {
		o.Concurrency = []int{64}
	}
	return nil
}

// replay reads the arrivals of a log.
func (f *loadFlags) replay(o *runner.LoadOptions) error {
	if f.rate != "" || f.think > 0 || f.duration > 0 {
		return usage(fmt.Errorf("--arrivals %s says itself when calls are made: leave out --rate, --think and --duration", f.arrivals), "")
	}
	file, err := os.Open(f.arrivals)
	if err != nil {
		return usage(fmt.Errorf("--arrivals: %w", err), "")
	}
	defer file.Close()
	if o.Arrivals.Replay, err = runner.ReadArrivals(file); err != nil {
		return usage(fmt.Errorf("--arrivals %s: %w", f.arrivals, err), "")
	}
	if f.rounds == 0 {
		o.Rounds = 1
	}
	if len(o.Concurrency) == 0 {
		o.Concurrency = []int{64}
	}
	return nil
}

// stagesOf reads a rate, a ramp, or stages.
func stagesOf(text string) ([]runner.Stage, error) {
	var stages []runner.Stage
	for part := range strings.SplitSeq(text, ",") {
		length, rates, timed := strings.Cut(part, "@")
		var s runner.Stage
		if !timed {
			rates = length
		} else {
			d, err := time.ParseDuration(length)
			if err != nil || d <= 0 || d > 24*time.Hour {
				return nil, fmt.Errorf("%q is no time", length)
			}
			s.For = d
		}
		from, to, ramp := strings.Cut(rates, "..")
		if !ramp {
			to = from
		}
		var err error
		if s.From, err = rateOf(from); err != nil {
			return nil, err
		}
		if s.To, err = rateOf(to); err != nil {
			return nil, err
		}
		stages = append(stages, s)
	}
	if len(stages) > 1 {
		for _, s := range stages {
			if s.For == 0 {
				return nil, errors.New("each of several stages says how long it takes")
			}
		}
	}
	if !slices.ContainsFunc(stages, func(s runner.Stage) bool { return s.From > 0 || s.To > 0 }) {
		return nil, errors.New("no call is ever made")
	}
	return stages, nil
}

func rateOf(text string) (float64, error) {
	rate, err := strconv.ParseFloat(strings.TrimSuffix(text, "/s"), 64)
	if err != nil || !(rate >= 0 && rate <= mostRate) {
		return 0, fmt.Errorf("%q is no number of calls a second up to %g", text, float64(mostRate))
	}
	return rate, nil
}
