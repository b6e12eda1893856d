package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// probe is one measurement, made once in every round.
type probe struct {
	name string
	make func(context.Context) (figures, error)
}

// results are what all probes gave, by name and round. A round in which a probe failed
// has a zero.
type results struct {
	each    map[string][]figures
	failed  map[string]error // the last failure of a probe
	missing map[string]string
	told    io.Writer
}

func newResults(told io.Writer) *results {
	return &results{each: map[string][]figures{}, failed: map[string]error{}, missing: map[string]string{}, told: told}
}

// play makes all probes in every round, in order: what is to be compared stands side by
// side.
func (r *results) play(ctx context.Context, part string, rounds int, probes []probe) error {
	for round := range rounds {
		begun := time.Now()
		for _, p := range probes {
			f, err := p.make(ctx)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				r.failed[p.name] = err
				fmt.Fprintf(r.told, "%s: %v\n", p.name, err)
			}
			r.each[p.name] = append(r.each[p.name], f)
		}
		fmt.Fprintf(r.told, "%s: round %d of %d took %s\n", part, round+1, rounds, time.Since(begun).Round(time.Second))
	}
	return nil
}

// of gives a figure of a probe for each round that has it.
func (r *results) of(name string, figure func(figures) float64) []float64 {
	var all []float64
	for _, f := range r.each[name] {
		if v := figure(f); f.Calls > 0 && !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	return all
}

// between gives, for each round that has both, what two probes say together.
func (r *results) between(a, b string, of func(a, b figures) float64) []float64 {
	var all []float64
	for i := range min(len(r.each[a]), len(r.each[b])) {
		x, y := r.each[a][i], r.each[b][i]
		if v := of(x, y); x.Calls > 0 && y.Calls > 0 && !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	return all
}

// The figures that are compared.
func byRate(a, b figures) float64 { return a.Rate / b.Rate }
func byCPU(a, b figures) float64  { return a.CPU / b.CPU }
func rateOnly(f figures) float64  { return f.Rate }
func cpuOnly(f figures) float64   { return f.CPU }

// middle is a median with its interval, as text.
func middle(values []float64, format func(float64) string) string {
	if len(values) == 0 {
		return "-"
	}
	text := format(measure.Median(values))
	if low, high, _, ok := measure.MedianInterval(values); ok {
		text += fmt.Sprintf(" (%s to %s)", format(low), format(high))
	}
	return text
}
