package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/pace"
)

// Plan says how long, and how often.
type Plan struct {
	Rounds int
	Window time.Duration // measured, of each cell in each round
	Warm   time.Duration // before it, not measured
	Seed   uint64        // of the cells' order in each round
	Limits Limits
	// Step is told before each window; nil: nobody is told.
	Step func(Step)
}

// Step is a window that is about to begin.
type Step struct {
	Cell          *Cell
	Round, Rounds int
	Done, Total   int    // windows; of a search, cells
	Note          string // of a search: what is tried
}

// Play plays all cells in all rounds. cause is why the campaign ended before its
// plan did; empty: it did not, or by the context.
func Play(ctx context.Context, b *Bench, cells []*Cell, p Plan) (cause string, err error) {
	var live []*Cell
	for _, c := range cells {
		if c.Skipped == "" {
			live = append(live, c)
		}
	}
	var calls *atomic.Int64
	if p.Limits.Calls > 0 {
		calls = new(atomic.Int64)
		calls.Store(int64(p.Limits.Calls))
	}
	random := rand.New(rand.NewPCG(p.Seed, 0x6c6f6164))
	done := 0
	for round := range p.Rounds {
		order := random.Perm(len(live))
		for _, at := range order {
			c := live[at]
			if ctx.Err() != nil || calls != nil && calls.Load() <= 0 {
				return "", nil
			}
			if p.Step != nil {
				p.Step(Step{Cell: c, Round: round + 1, Rounds: p.Rounds, Done: done, Total: p.Rounds * len(live)})
			}
			cause, err = b.play(ctx, c, round, p, calls)
			if cause != "" || err != nil {
				return cause, err
			}
			done++
		}
	}
	return "", nil
}

func (b *Bench) play(ctx context.Context, c *Cell, round int, p Plan, calls *atomic.Int64) (cause string, err error) {
	w, err := b.through(ctx, c, passing{number: round + 1, length: p.Window, warm: p.Warm, seed: p.Seed + uint64(round), limits: p.Limits}, calls, &c.Health)
	if err != nil {
		return "", err
	}
	c.unguarded = b.Unguarded
	b.settle(c, w)
	return w.cause, nil
}

// passing says how one window of a cell is gone through.
type passing struct {
	number       int // from 1, for who looks on
	length, warm time.Duration
	seed         uint64 // of arrivals
	limits       Limits
}

// through goes through one window of a cell, from the restocking to the last answer, and
// adds to a health how the harness kept up.
func (b *Bench) through(ctx context.Context, c *Cell, p passing, calls *atomic.Int64, health *Health) (*window, error) {
	c.restock(ctx)
	var schedule pace.Schedule
	if c.Arrivals.Open() {
		var err error
		if schedule, err = c.Arrivals.schedule(p.warm+p.length, p.seed); err != nil {
			return nil, err
		}
	}
	after := b.around(ctx, c, p.number)
	w, err := b.newWindow(ctx, c, p.length, p.warm, p.limits, calls)
	if err != nil {
		after(nil)
		return nil, err
	}
	before := b.pulse()
	if schedule != nil {
		w.open(ctx, schedule)
	} else {
		w.closed(ctx)
	}
	b.Live.end(w)
	b.silence.end(w.heard())
	health.add(before, b.pulse(), w)
	after(w)
	return w, nil
}

// restock makes the items good again that the cell's calls use up.
func (c *Cell) restock(ctx context.Context) {
	for _, kind := range c.kinds() {
		if !kind.Supply.Spends() {
			continue
		}
		if err := kind.Supply.Restock(ctx); err != nil {
			c.doubt(err.Error())
		}
	}
}

// settle takes a window's figures into its cell.
func (b *Bench) settle(c *Cell, w *window) {
	t := w.whole()
	if len(c.Mix) > 0 {
		for i := range w.kinds {
			if one := w.tally(&w.kinds[i]); one.Window.To > one.Window.From {
				w.kinds[i].cell.Rounds.Add(one)
			}
		}
	}
	c.Rounds.Dropped += w.dropped
	if c.Arrivals.Open() {
		c.Rounds.Offered = c.Arrivals.Rate(w.to - w.from)
	}
	if t.Window.To > t.Window.From {
		c.Rounds.Add(t)
	}
	if w.use != nil {
		w.use.Calls, w.use.Items = w.asked()
		c.Uses.Add(*w.use)
	}
	if len(w.read.Each) > 0 {
		c.Counted.Add(w.read)
	}
	planned := w.to - w.from
	switch measured := t.Window.To - t.Window.From; {
	case !w.spent:
	case measured <= 0:
		c.doubt("the items, or the calls that the run may make, were used up within the warm-up")
	case measured < planned:
		c.doubt(fmt.Sprintf("a round ended after %s of %s: the items, or the calls that the run may make, were used up", measured.Round(time.Millisecond), planned))
	}
}

// Answered gives how many of the cell's calls were answered, also those that are in no
// figure.
func (c *Cell) Answered() (n int) {
	for _, u := range append(append([]*load.User{}, c.ahead...), c.crew...) {
		n += u.Answered()
	}
	return n
}

// Limit says why a cell's figures are the harness's own and not the server's; empty:
// they are the server's.
func (c *Cell) Limit() string {
	if c.unguarded {
		return ""
	}
	return c.Health.limit(c.Rounds.Whole().Latency().Quantile(0.5))
}

// Row gives a cell's row, as far as the campaign knows it.
func (c *Cell) Row() measure.Performance {
	row := c.Rounds.Row(c.Batch)
	row.Operation, row.Concurrency, row.Mode = c.Operation, c.Concurrency, measure.ModeClosed
	if c.Arrivals.Open() {
		row.Mode = measure.ModeOpen
	}
	row.Loaded.Mix = c.In
	if c.Supply != nil {
		row.Loaded.Choice = c.Supply.Choice()
	}
	row.Loaded.Soak = c.Rounds.Soak(c.Uses.Resident())
	if from, to, ok := c.Arrivals.Spike(); ok {
		row.Loaded.Recovery = c.Rounds.Recovery(from, to)
	}
	if process := c.Uses.Process(); process != nil {
		row.Loaded.Seen().Process = process
	}
	if series, restarted := c.Counted.Series(); len(series)+len(restarted) > 0 {
		row.Loaded.Seen().Series = series
		for _, name := range restarted {
			row.Doubt("%s became less within a round: the server began to count anew", name)
		}
	}
	limit := c.Limit()
	late := c.Health.Late.Quantile(0.99)
	row.Generator = &measure.Generator{LagP99MS: late.Seconds() * 1000, CPUShare: c.Health.Share(), Connections: c.Health.Connections, Valid: limit == ""}
	if limit != "" {
		row.Doubt("%s", limit)
	}
	for _, d := range c.Doubts {
		row.Doubt("%s", d)
	}
	return row
}
