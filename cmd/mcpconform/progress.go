package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/mcpconform/mcpconform/runner"
)

// progress tells on stderr how far a run is: a bar on a real terminal, a plain
// line every few seconds elsewhere (mpb prints nothing there, and loses text
// that goes through it).
type progress struct {
	w       world
	quiet   bool
	verbose bool
	bars    *mpb.Progress
	bar     *mpb.Bar

	mu   sync.Mutex
	now  string
	told time.Time
}

// tellEvery spaces the plain lines.
const tellEvery = 5 * time.Second

func newProgress(w world, quiet, verbose bool) *progress {
	p := &progress{w: w, quiet: quiet, verbose: verbose, told: time.Now()}
	if !quiet && !verbose && plainTerminal(w, w.err) {
		p.bars = mpb.New(mpb.WithOutput(w.err), mpb.WithWidth(40), mpb.WithAutoRefresh())
	}
	return p
}

// show takes one step of progress. It is called from the run's own goroutine.
func (p *progress) show(at runner.Progress) {
	p.mu.Lock()
	p.now = at.Now
	p.mu.Unlock()
	switch {
	case p.quiet:
	case p.bars != nil:
		if p.bar == nil {
			p.bar = p.bars.AddBar(int64(at.Total), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.CountersNoUnit("%d of %d scenarios ")),
				mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
					p.mu.Lock()
					defer p.mu.Unlock()
					return " " + p.now
				})))
		}
		p.bar.SetCurrent(int64(at.Done))
	case p.verbose:
		fmt.Fprintf(p.w.err, "%d/%d %s\n", at.Done, at.Total, at.Now)
	case time.Since(p.told) >= tellEvery:
		p.told = time.Now()
		fmt.Fprintf(p.w.err, "%d of %d scenarios played, now %s\n", at.Done, at.Total, at.Now)
	}
}

// end takes the bar away. It may be called twice.
func (p *progress) end() {
	if p.bars == nil {
		return
	}
	if p.bar != nil {
		p.bar.Abort(true)
	}
	p.bars.Wait()
	p.bars = nil
	p.quiet = true
}
