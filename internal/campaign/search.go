package campaign

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
)

// Search looks for the highest rate at which conditions hold.
type Search struct {
	Conditions []objective.Condition
	Window     time.Duration // of each step, measured; the confirming ones are twice as long
	Warm       time.Duration
	Limits     Limits
	// Step is told of each rate before it is tried; nil: nobody is told.
	Step func(c *Cell, rate float64, confirming bool)
}

// Found is what a search found.
type Found struct {
	Rate  float64 // calls a second; 0: not even the lowest held
	Limit string  // what sets it: ByServer, ByHarness, ByBound
	Steps []SearchStep
}

// What sets the rate that was found.
const (
	ByServer  = "server"
	ByHarness = "harness" // this machine could not make more calls
	ByBound   = "bound"   // no condition broke up to the highest rate that was tried
)

// SearchStep is one rate that was tried.
type SearchStep struct {
	Rate       float64
	Held       bool
	Confirming bool
	Why        string // it did not hold
}

const (
	precision  = 1.05 // the ratio of the rate that breaks to the one that holds, at the end
	confirming = 3    // windows at the rate that was found
	lowestRate = 1.0
	mostRate   = 1e6
	mostSteps  = 40
	// kept is the share of the calls that were due that must be answered in time: else
	// they queue somewhere, and the rate is not one that lasts.
	kept = 0.99
	// slack is how many calls may be short by where a window begins and ends.
	slack = 2
)

// Find searches a cell's rate, and plays its confirming windows, whose figures are the
// cell's.
func (b *Bench) Find(ctx context.Context, c *Cell, s Search) (found Found, cause string, err error) {
	f := &finder{bench: b, cell: c, search: s}
	low, high := climb(f.guess(ctx), func(rate float64, sure bool) bool { return f.try(ctx, rate, sure) }, func() bool { return f.going(ctx) })
	found = Found{Rate: low, Limit: ByServer, Steps: f.steps}
	switch {
	case f.harness:
		found.Limit = ByHarness
	case high == 0:
		found.Limit = ByBound
	}
	return found, f.cause, f.err
}

// climb finds the highest rate at which a try holds: from a first rate it doubles until
// one breaks, then goes between until the two are within 5 %, then confirms what holds,
// and goes 5 % down where that breaks after all. low is what was confirmed, 0: nothing
// was; high is the lowest rate that broke, 0: none did.
func climb(first float64, try func(rate float64, sure bool) bool, going func() bool) (low, high float64) {
	for rate := first; going(); rate = min(rate*2, mostRate) {
		if !try(rate, false) {
			high = rate
			break
		}
		if low = rate; rate == mostRate {
			break
		}
	}
	for going() && high > 0 && (low == 0 && high > lowestRate || low > 0 && high/low > precision) {
		rate := max(lowestRate, high/4)
		if low > 0 {
			rate = math.Sqrt(low * high)
		}
		if try(rate, false) {
			low = rate
		} else {
			high = rate
		}
	}
	for low > 0 {
		sure := 0
		for sure < confirming && going() && try(low, true) {
			sure++
		}
		if sure == confirming {
			return low, high
		}
		if !going() {
			return 0, high
		}
		high, low = low, low/precision
		if low < lowestRate {
			low = 0
		}
	}
	return 0, high
}

// finder is a search under way.
type finder struct {
	bench   *Bench
	cell    *Cell
	search  Search
	steps   []SearchStep
	sure    float64 // the rate that is being confirmed
	harness bool    // the step that broke last was the harness's own
	cause   string
	err     error
}

func (f *finder) going(ctx context.Context) bool {
	return ctx.Err() == nil && f.cause == "" && f.err == nil && len(f.steps) < mostSteps
}

// guess gives the rate to begin with: a quarter of what the cell's users make in a
// closed loop, so that the first step is sure to be light.
func (f *finder) guess(ctx context.Context) float64 {
	t, _ := f.window(ctx, 0, f.search.Window/2)
	if t == nil {
		return lowestRate
	}
	return max(lowestRate, t.Rate()/4)
}

// window plays one window at a rate; 0: a closed loop.
func (f *finder) window(ctx context.Context, rate float64, length time.Duration) (*measure.Tally, *window) {
	if rate > 0 {
		f.cell.Arrivals = Arrivals{Stages: []Stage{{From: rate, To: rate}}}
	}
	var health Health
	w, err := f.bench.through(ctx, f.cell, passing{number: len(f.steps) + 1, length: length, warm: f.search.Warm, limits: f.search.Limits}, nil, &health)
	if err != nil {
		f.err = err
		return nil, nil
	}
	t := w.whole()
	if rate > 0 {
		f.harness = !f.bench.Unguarded && health.limit(t.Latency().Quantile(0.5)) != ""
	}
	f.cause = w.cause
	return t, w
}

// try plays one window at a rate, and tells whether all conditions held.
func (f *finder) try(ctx context.Context, rate float64, sure bool) bool {
	if f.search.Step != nil {
		f.search.Step(f.cell, rate, sure)
	}
	length := f.search.Window
	if sure {
		length *= 2
		if rate != f.sure {
			f.sure, f.cell.Rounds, f.cell.Uses, f.cell.Counted = rate, measure.Rounds{}, measure.Uses{}, measure.Counted{}
		}
	}
	t, w := f.window(ctx, rate, length)
	if t == nil {
		return false
	}
	why := f.broken(t, w, rate)
	f.steps = append(f.steps, SearchStep{Rate: rate, Held: why == "", Confirming: sure, Why: why})
	if sure && why == "" {
		f.bench.settle(f.cell, w)
	}
	if why == "" {
		f.harness = false
	}
	return why == ""
}

// broken says which condition a window broke; empty: none.
func (f *finder) broken(t *measure.Tally, w *window, rate float64) string {
	ok, failed, wrong, unjudged := t.Calls()
	due := ok + failed + wrong + unjudged + w.dropped
	switch {
	case w.spent:
		return "the items were used up before the window's end"
	case due == 0:
		return "no call was made"
	}
	if came := t.Came(); float64(came) < kept*float64(due)-slack {
		return fmt.Sprintf("%d calls were due, and %d answers came in their time: the rest queued", due, came)
	}
	for _, c := range f.search.Conditions {
		if why := c.Broken(t); why != "" {
			return why
		}
	}
	return ""
}
