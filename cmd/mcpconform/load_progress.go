package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/mcpconform/mcpconform/runner"
)

// loadProgress tells on stderr how far a load is, and what comes of it: on a real
// terminal a bar for each cell and one for the whole, elsewhere a plain line every few
// seconds.
type loadProgress struct {
	w       world
	quiet   bool
	verbose bool
	live    *runner.LoadLive
	stop    chan struct{}
	looking sync.WaitGroup
	once    sync.Once

	bars  *mpb.Progress // nil: plain lines
	whole *liveBar
	most  int // bars of cells that find room
	cells []*liveBar
	view  liveView

	mu   sync.Mutex
	step runner.LoadStep
}

// liveBar is one bar, with a text that the bars' own goroutine reads at any time: it
// must not wait for the one that brings them up to date, which waits for it.
type liveBar struct {
	*mpb.Bar
	cell runner.LoadCell // nil: of the whole
	text atomic.Pointer[string]
}

// lookEvery is how often the load is looked at.
const lookEvery = 250 * time.Millisecond

func newLoadProgress(w world, quiet, verbose bool, live *runner.LoadLive) *loadProgress {
	p := &loadProgress{w: w, quiet: quiet, verbose: verbose, live: live, stop: make(chan struct{})}
	if quiet {
		return p
	}
	if !verbose && plainTerminal(w, w.err) {
		p.bars = mpb.New(mpb.WithOutput(w.err), mpb.WithWidth(wholeWidth), mpb.WithAutoRefresh(), mpb.WithRefreshRate(lookEvery))
		p.most = max(1, rows(w)-3)
	}
	p.looking.Go(p.look)
	return p
}

// rows is how many lines the terminal has.
func rows(w world) int {
	if file, ok := w.err.(*os.File); ok {
		if _, n, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 24
}

// look takes a sight of the load again and again, until the end.
func (p *loadProgress) look() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	told := time.Now()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		sight := p.live.Look()
		p.mu.Lock()
		step := p.step
		p.mu.Unlock()
		p.view.take(sight, step)
		if p.bars != nil {
			p.draw()
		} else if line := p.view.line(); line != "" && time.Since(told) >= tellEvery {
			told = time.Now()
			fmt.Fprintln(p.w.err, line)
		}
	}
}

// show takes one step.
func (p *loadProgress) show(s runner.LoadStep) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = s
	if p.verbose && !p.quiet {
		fmt.Fprintf(p.w.err, "%d/%d %s\n", s.Done, s.Total, stepName(s))
	}
}

const (
	wholeWidth = 20
	cellWidth  = 12
)

// draw brings the bars up to date: one for the whole, and beneath it those of the cells
// that were played last, as many as find room.
func (p *loadProgress) draw() {
	v := &p.view
	if v.sight.Cell == nil {
		return
	}
	if p.whole == nil {
		p.whole = p.add(nil, wholeWidth, "")
	}
	p.whole.at(v.done, v.parts, v.whole())
	if p.barOf(v.sight.Cell) < 0 {
		for len(p.cells) >= p.most {
			p.cells[0].Abort(true)
			p.cells = p.cells[1:]
		}
		p.cells = append(p.cells, p.add(v.sight.Cell, cellWidth, v.name(v.sight.Cell)+" "))
	}
	for _, b := range p.cells {
		total, done := v.of(b.cell)
		b.at(done, total, v.figures(b.cell))
	}
}

// add adds a bar with a name before it and its text behind.
func (p *loadProgress) add(cell runner.LoadCell, wide int, name string) *liveBar {
	b := &liveBar{cell: cell}
	b.text.Store(new(string))
	b.Bar = p.bars.AddBar(0, mpb.BarRemoveOnComplete(), mpb.BarWidth(wide), mpb.PrependDecorators(decor.Name(name)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + *b.text.Load() })))
	return b
}

// at brings a bar up to date. A bar that began without a total is complete only when it
// is told so.
func (b *liveBar) at(done, total int64, text string) {
	b.text.Store(&text)
	b.SetTotal(total, false)
	b.SetCurrent(min(done, total))
}

func (p *loadProgress) barOf(c runner.LoadCell) int {
	for i, b := range p.cells {
		if b.cell == c {
			return i
		}
	}
	return -1
}

// end takes the bars away. It may be called twice.
func (p *loadProgress) end() {
	p.once.Do(func() {
		close(p.stop)
		p.looking.Wait()
		if p.bars == nil {
			return
		}
		for _, b := range p.cells {
			b.Abort(true)
		}
		if p.whole != nil {
			p.whole.Abort(true)
		}
		p.bars.Wait()
	})
}
