package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// costFlags make a fake backend that is fast, or slow in a way that is known.
type costFlags struct {
	fast    bool
	perCall time.Duration
	perItem time.Duration
	jitter  string
	stall   string
	workers int
	unit    bool
	fanOut  int
	timing  bool
}

func (f *costFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.fast, "fast", false, "answer calls of tools by a hand-written front, for load; also those without a session")
	flags.DurationVar(&f.perCall, "delay", 0, "what one call costs besides its items")
	flags.DurationVar(&f.perItem, "delay-per-item", 0, "what one item costs")
	flags.StringVar(&f.jitter, "jitter", "", "what a call costs besides that, drawn by --seed: `SHAPE:SCALE`, uniform:5ms, exponential:5ms (its mean), normal:1ms (its deviation)")
	flags.StringVar(&f.stall, "stall", "", "freeze for a time at the end of every period, `TIME/PERIOD`: 500ms/10s")
	flags.IntVar(&f.workers, "workers", 0, "how many calls are worked on at once, first come first served: with --delay, workers/delay calls a second (0: no bound)")
	flags.BoolVar(&f.unit, "unit", false, "a downstream that takes one item at a time")
	flags.BoolVar(&f.timing, "server-timing", false, "tell with each answer over HTTP how long it took, and at /timing how long all did")
	flags.IntVar(&f.fanOut, "fan-out", 0, "items in flight for one call with --unit")
}

// into puts the flags into options.
func (f *costFlags) into(o *fakebackend.Options) (err error) {
	o.Fast, o.PerCallDelay, o.PerItemDelay, o.Workers, o.FanOut = f.fast, f.perCall, f.perItem, f.workers, f.fanOut
	o.ServerTiming = f.timing
	if f.unit {
		o.Downstream = fakebackend.Unit
	}
	if o.Jitter, err = jitter(f.jitter); err != nil {
		return usage(err, "for example --jitter uniform:5ms, --jitter exponential:5ms or --jitter normal:1ms")
	}
	if o.Stall, err = stall(f.stall); err != nil {
		return usage(err, "for example --stall 500ms/10s")
	}
	return nil
}

// jitter reads "uniform:5ms".
func jitter(text string) (fakebackend.Jitter, error) {
	if text == "" {
		return fakebackend.Jitter{}, nil
	}
	shape, scale, ok := strings.Cut(text, ":")
	d, err := time.ParseDuration(scale)
	if !ok || err != nil || d <= 0 || shape == "" {
		return fakebackend.Jitter{}, fmt.Errorf("--jitter %s is no distribution with a time", text)
	}
	return fakebackend.Jitter{Shape: fakebackend.JitterShape(shape), Scale: d}, nil
}

// stall reads "500ms/10s".
func stall(text string) (fakebackend.Stall, error) {
	if text == "" {
		return fakebackend.Stall{}, nil
	}
	frozen, period, ok := strings.Cut(text, "/")
	d, err := time.ParseDuration(frozen)
	every, bad := time.ParseDuration(period)
	if !ok || err != nil || bad != nil || !(0 < d && d < every) {
		return fakebackend.Stall{}, fmt.Errorf("--stall %s is no time in a longer period", text)
	}
	return fakebackend.Stall{For: d, Every: every}, nil
}
