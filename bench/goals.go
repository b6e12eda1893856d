package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// goal is one line of the table of what load must reach.
type goal struct {
	what   string
	bound  float64
	least  bool // the figure must be at least the bound; else at most
	strict bool // and not the bound itself
	format func(float64) string
	values []float64 // one a round

}

func (g *goal) met() bool {
	if len(g.values) == 0 {
		return false
	}
	m := measure.Median(g.values)
	switch {
	case g.least && g.strict:
		return m > g.bound
	case g.least:
		return m >= g.bound
	}
	return m <= g.bound
}

// sure tells that the whole interval is on the median's side of the bound.
func (g *goal) sure() bool {
	low, high, _, ok := measure.MedianInterval(g.values)
	if !ok {
		return false
	}
	a, b := *g, *g
	a.values, b.values = []float64{low}, []float64{high}
	return a.met() == b.met()
}

func (g *goal) want() string {
	sign := "≤ "
	switch {
	case g.least && g.strict:
		sign = "> "
	case g.least:
		sign = "≥ "
	}
	return sign + g.format(g.bound)
}

// How figures are written.
func times(v float64) string        { return fmt.Sprintf("%.2f", v) }
func percent(v float64) string      { return fmt.Sprintf("%.1f %%", 100*v) }
func milliseconds(v float64) string { return fmt.Sprintf("%.2f ms", v) }
func microseconds(v float64) string { return fmt.Sprintf("%.2f µs", v) }
func kilobytes(v float64) string    { return fmt.Sprintf("%.0f KB", v/1024) }
func number(v float64) string       { return fmt.Sprintf("%.2f", v) }

// goals are what load must reach, with what was measured.
func (b *bench) goals() []goal {
	var all []goal
	all = append(all, b.besideWrk()...)
	all = append(all, b.besideOthers()...)
	all = append(all, b.ownCost()...)
	all = append(all, b.trueTimes()...)
	return append(all, goal{what: "calls/s, live view and recording on ÷ off", bound: 0.98, least: true, format: times,
		values: b.between(viewOn, viewOff, byRate)})
}

func (b *bench) besideWrk() []goal {
	var all []goal
	for _, c := range b.cells {
		g := goal{what: "calls/s ÷ wrk, " + c.String(), least: true, format: times, values: b.between(c.by(ours), c.by(wrk), byRate)}
		switch {
		case !c.differs:
			g.bound = map[int]float64{1: 0.75, 10: 0.75, 100: 0.80, 1000: 0.75, 10_000: 0.85}[c.batch]
		case c.batch >= 100:
			g.bound = map[int]float64{100: 0.65, 1000: 0.40, 10_000: 0.45}[c.batch]
		default:
			continue // no goal of its own
		}
		all = append(all, g)
	}
	for _, n := range []int{1, 100} {
		c := cell{n, 8, false}
		all = append(all, goal{what: "CPU per call ÷ wrk's, " + c.String(), bound: map[int]float64{1: 1.6, 100: 1.5}[n], format: times,
			values: b.between(c.by(ours), c.by(wrk), byCPU)})
	}
	return all
}

func (b *bench) besideOthers() []goal {
	var all []goal
	for _, n := range b.sdk {
		c := cell{n, 8, false}
		own := c.by(ours)
		if n != first.batch {
			own = c.by(ours + " again")
		}
		all = append(all, goal{what: fmt.Sprintf("calls/s ÷ the go-sdk client, tuned pool, batch %d", n), bound: map[int]float64{1: 4, 100: 8, 1000: 12}[n], least: true, format: times,
			values: b.between(own, c.by(sdk), byRate)})
	}
	all = append(all, goal{what: "calls/s ÷ the go-sdk client, stdio, batch 1", bound: 1.5, least: true, format: times, values: b.between(stdioOurs, stdioSDK, byRate)})
	for _, who := range []string{vegeta, bombardier, hey} {
		all = append(all, goal{what: "calls/s ÷ " + who + ", batch 1, 8 connections", bound: 1, least: true, strict: true, format: times, values: b.between(first.by(ours), first.by(who), byRate)})
	}
	return all
}

func (b *bench) ownCost() []goal {
	var all []goal
	for _, form := range shareForms {
		for _, n := range b.share {
			g := goal{what: fmt.Sprintf("our share of all CPU, go-sdk server, %s, batch %d", form, n), bound: 0.10, format: percent,
				values: b.of(share(form, n), func(f figures) float64 { return f.Share })}
			if form == measure.FormJSON {
				g.bound = 0.08
			}
			all = append(all, g)
		}
	}
	for _, form := range inForms {
		g := goal{what: "allocations per call in steady state, " + form, bound: 1, format: number, values: b.of(inside(form), func(f figures) float64 { return f.Allocations })}
		if form == measure.FormJSON {
			// What a window allocates once is in it, shared among its calls.
			g.bound, g.format = 0.05, func(v float64) string { return fmt.Sprintf("%.3f", v) }
		}
		all = append(all, g)
	}
	small, large, largest := cell{10, 8, true}, cell{1000, 8, true}, cell{10_000, 8, true}
	return append(all,
		goal{what: "memory of a tally, latencies from 50 µs to 10 s", bound: 256 << 10, format: kilobytes, values: b.of(oneTally, func(f figures) float64 { return f.Held })},
		goal{what: "growth of a tally from 1 M to 10 M calls", bound: 2 << 20, format: kilobytes, values: b.of(oneTally, func(f figures) float64 { return f.Growth })},
		goal{what: "CPU of each item beyond the 10th, full pass, to batch 10,000", bound: 0.35, format: microseconds,
			values: b.between(largest.by(ours), small.by(ours), func(x, y figures) float64 { return (x.CPU - y.CPU) / float64(largest.batch-small.batch) })},
		goal{what: "its growth: CPU per item at batch 10,000 ÷ 1,000", bound: 1.15, format: times,
			values: b.between(largest.by(ours), large.by(ours), func(x, y figures) float64 {
				return x.CPU / float64(largest.batch) / (y.CPU / float64(large.batch))
			})},
	)
}

// quantile is one of a report; NaN where too few calls support it.
func quantile(of measure.Quantiles, name string) float64 {
	var at *float64
	switch name {
	case "p50":
		at = of.P50
	case "p90":
		at = of.P90
	case "p95":
		at = of.P95
	case "p99":
		at = of.P99
	}
	if at == nil {
		return math.NaN()
	}
	return *at
}

func (b *bench) trueTimes() []goal {
	all := []goal{{what: "dispatch lag at 500/s, p99", bound: 0.3, format: milliseconds, values: b.of(openLoop, func(f figures) float64 { return f.Lag })}}
	for _, q := range []string{"p50", "p99"} {
		beyond := b.between(openLoop, openTruth, func(x, y figures) float64 { return quantile(x.Latency, q) - quantile(y.Latency, q) })
		all = append(all,
			goal{what: "latency beyond the server's own figure, 10 ms, 500/s, " + q, bound: map[string]float64{"p50": 0.5, "p99": 0.8}[q], format: milliseconds, values: beyond},
			goal{what: "the same, never below it, " + q, bound: 0, least: true, format: milliseconds, values: lowest(beyond)},
		)
	}
	for _, q := range []string{"p90", "p95", "p99"} {
		want := stallTruth(map[string]float64{"p90": 0.90, "p95": 0.95, "p99": 0.99}[q]).Seconds() * 1000
		all = append(all, goal{what: fmt.Sprintf("stalls of 400 ms in every 2 s, 500/s: error of %s, which is %.0f ms", q, want), bound: 0.05, format: percent,
			values: b.of(stalled, func(f figures) float64 { return math.Abs(quantile(f.Latency, q)-want) / want })})
	}
	return all
}

// lowest is the least of some values.
func lowest(values []float64) []float64 {
	if len(values) == 0 {
		return nil
	}
	return []float64{slices.Min(values)}
}

// stallTruth is a quantile of the latencies of calls that come at any time to a server
// that works stallDelay on each, and stands still for stallFor at the end of every
// stallEvery, its work included.
func stallTruth(share float64) time.Duration {
	const steps = 20_000
	open := stallEvery - stallFor
	all := make([]time.Duration, steps)
	for i := range all {
		switch at := stallEvery * time.Duration(i) / steps; {
		case at+stallDelay <= open:
			all[i] = stallDelay
		case at <= open:
			all[i] = stallDelay + stallFor
		default:
			all[i] = stallEvery - at + stallDelay
		}
	}
	slices.Sort(all)
	return all[int(math.Ceil(share*steps))-1]
}
