package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/mcpconform/mcpconform/runner"
)

// loadProgress tells on stderr how far a load is.
type loadProgress struct {
	w       world
	quiet   bool
	verbose bool
	bars    *mpb.Progress
	bar     *mpb.Bar

	mu   sync.Mutex
	now  string
	told time.Time
}

func newLoadProgress(w world, quiet, verbose bool) *loadProgress {
	p := &loadProgress{w: w, quiet: quiet, verbose: verbose, told: time.Now()}
	if !quiet && !verbose && plainTerminal(w, w.err) {
		p.bars = mpb.New(mpb.WithOutput(w.err), mpb.WithWidth(40), mpb.WithAutoRefresh())
	}
	return p
}

// show takes one step.
func (p *loadProgress) show(s runner.LoadStep) {
	now := fmt.Sprintf("%s, %d items, %d users, round %d of %d", s.Cell.Operation, s.Cell.Batch, s.Cell.Concurrency, s.Round, s.Rounds)
	if s.Note != "" {
		now = fmt.Sprintf("%s, %d items, %s", s.Cell.Operation, s.Cell.Batch, s.Note)
	}
	p.mu.Lock()
	p.now = now
	p.mu.Unlock()
	switch {
	case p.quiet:
	case p.bars != nil:
		if p.bar == nil {
			p.bar = p.bars.AddBar(int64(s.Total), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.CountersNoUnit("%d of %d windows ")),
				mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
					p.mu.Lock()
					defer p.mu.Unlock()
					return " " + p.now
				})))
		}
		p.bar.SetCurrent(int64(s.Done))
	case p.verbose:
		fmt.Fprintf(p.w.err, "%d/%d %s\n", s.Done, s.Total, now)
	case time.Since(p.told) >= tellEvery:
		p.told = time.Now()
		fmt.Fprintf(p.w.err, "%d of %d windows played, now %s\n", s.Done, s.Total, now)
	}
}

// end takes the bar away. It may be called twice.
func (p *loadProgress) end() {
	if p.bars == nil {
		return
	}
	if p.bar != nil {
		p.bar.Abort(true)
	}
	p.bars.Wait()
	p.bars, p.quiet = nil, true
}
