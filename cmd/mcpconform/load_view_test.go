package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/runner"
)

// seen is what is seen of a cell that had so many right calls of 10 ms.
func seen(c, of *campaign.Cell, right int, measured time.Duration) campaign.CellSight {
	var p measure.Pulse
	for range right {
		p.End(&measure.Sample{Done: 10 * time.Millisecond, Outcome: measure.OK, Items: c.Batch}, true, true)
	}
	p.End(&measure.Sample{Outcome: measure.Wrong}, true, true)
	p.End(&measure.Sample{Outcome: measure.Failed}, true, false)
	s := campaign.CellSight{Cell: c, Of: of, Measured: measured}
	s.Take(&p)
	return s
}

func TestTheLiveViewSaysWhatIsSeen(t *testing.T) {
	t.Parallel()
	played := &campaign.Cell{Operation: "query-orders", Batch: 100, Concurrency: 8}
	over := &campaign.Cell{Operation: "an-operation-of-a-long-name", Batch: 1, Concurrency: 64}
	step := runner.LoadStep{Cell: played, Round: 2, Rounds: 5, Done: 3, Total: 10}
	var v liveView
	if v.take(runner.LoadSight{}, step); v.line() != "" {
		t.Errorf("nothing is played, and it says %q", v.line())
	}
	sight := func(at time.Duration, right int) runner.LoadSight {
		return runner.LoadSight{
			At: at, Cell: played, Began: 10 * time.Second, From: 12 * time.Second, To: 20 * time.Second,
			Cells: []campaign.CellSight{seen(over, over, 400, 4*time.Second), seen(played, played, right, at-12*time.Second)},
		}
	}
	v.take(sight(11*time.Second, 0), step)
	if got, want := v.line(), "round 2 of 5, window 4 of 10, warming up, about 1 min left: query-orders 100 × 8: 0/s, p99 -, 1 wrong, 0 failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range 30 {
		v.take(sight(14*time.Second+time.Duration(i)*100*time.Millisecond, 100+i*20), step)
	}
	if got, want := v.line(), "round 2 of 5, window 4 of 10, about 1 min left: query-orders 100 × 8: 200/s, p99 10 ms, 1 wrong, 0 failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := v.name(over)+"|"+v.figures(over), "an-operation-of-a…     1 × 64  |     100/s   p99 10 ms 1 wrong 0 failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if total, done := v.of(played); total != 40_000 || done != 4900 {
		t.Errorf("%d of %d ms", done, total)
	}
	if v.parts != 1000 || v.done != 369 {
		t.Errorf("%d of %d parts", v.done, v.parts)
	}
	step.Note = "trying 200 calls a second"
	v.take(sight(17*time.Second, 700), step)
	if got := v.line(); strings.Contains(got, "left") || !strings.Contains(got, "cell 4 of 10, trying 200 calls a second: query-orders") {
		t.Errorf("%q", got)
	}
}

// The kinds of a mix are one bar together.
func TestAMixIsOneBar(t *testing.T) {
	t.Parallel()
	mix := &campaign.Cell{Operation: "evening", Concurrency: 4}
	one, two := &campaign.Cell{Operation: "a", Batch: 1, In: "evening"}, &campaign.Cell{Operation: "b", Batch: 5, In: "evening"}
	var v liveView
	for _, at := range []time.Duration{time.Second, 2 * time.Second} {
		right := int(100 * at.Seconds())
		v.take(runner.LoadSight{At: at, Cell: mix, To: 4 * time.Second, Cells: []campaign.CellSight{seen(one, mix, right, at), seen(two, mix, 2*right, at)}},
			runner.LoadStep{Cell: mix, Round: 1, Rounds: 1, Total: 1})
	}
	if got, want := v.line(), "round 1 of 1, window 1 of 1, about 2 s left: evening mix × 4: 300/s, p99 10 ms, 2 wrong, 0 failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is quiet says nothing, and what is verbose tells each window.
func TestTheLiveViewOnAStreamThatIsNoTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		quiet, verbose bool
		want           string
	}{"quiet": {true, false, ""}, "quiet and verbose": {true, true, ""}, "plain": {false, false, ""}, "verbose": {false, true, "3/10 find, 5 items, 2 users, round 1 of 2\n"}} {
		var err bytes.Buffer
		p := newLoadProgress(world{err: &err, getenv: func(string) (string, bool) { return "", false }}, c.quiet, c.verbose, &runner.LoadLive{})
		p.show(runner.LoadStep{Cell: &campaign.Cell{Operation: "find", Batch: 5, Concurrency: 2}, Round: 1, Rounds: 2, Done: 3, Total: 10})
		p.end()
		p.end()
		if err.String() != c.want {
			t.Errorf("%s: %q, want %q", name, err.String(), c.want)
		}
	}
}
