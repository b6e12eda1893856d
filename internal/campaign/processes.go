package campaign

import (
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/proctree"
)

// How often the server's processes are looked at while they are under load, and every
// how many looks it is looked for what they have started meanwhile, which reads a file
// for each process of the machine.
const (
	betweenLooks = 100 * time.Millisecond
	looksOfOne   = 10
)

// look is what was used up to one instant.
type look struct {
	at     time.Duration
	own    time.Duration
	server proctree.Usage
}

func (b *Bench) look(usage func() (proctree.Usage, error)) (look, bool) {
	server, err := usage()
	return look{at: b.now(), own: processorTime(), server: server}, err == nil
}

// lookOn looks at the server's processes from when a window's measuring begins. end is
// called once, after the last call; then the window knows what they used.
func (w *window) lookOn() (end func()) {
	b := w.bench
	if b.Processes == nil {
		return func() {}
	}
	var from look
	var seen measure.Use
	begun := false
	resident := newCourse(w.measured())
	see := func(now look) {
		of := now.server
		resident.add(now.at, float64(of.Resident))
		seen.Peak = max(seen.Peak, of.Resident)
		seen.Threads, seen.Processes = max(seen.Threads, of.Threads), max(seen.Processes, of.Processes)
	}
	over := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		timer := time.NewTimer(max(0, w.from-b.now()))
		defer timer.Stop()
		select {
		case <-over:
			return
		case <-timer.C:
		}
		if from, begun = b.look(b.Processes.Usage); !begun {
			return
		}
		ticker := time.NewTicker(betweenLooks)
		defer ticker.Stop()
		for n := 1; ; n++ {
			select {
			case <-over:
				return
			case <-ticker.C:
			}
			usage := b.Processes.Glance
			if n%looksOfOne == 0 {
				usage = b.Processes.Usage
			}
			if now, ok := b.look(usage); ok {
				see(now)
			}
		}
	})
	return func() {
		close(over)
		looking.Wait()
		to, ok := b.look(b.Processes.Usage)
		if !begun || !ok {
			return
		}
		see(from)
		see(to)
		seen.Took, seen.Server, seen.Own = to.at-from.at, to.server.CPU-from.server.CPU, to.own-from.own
		seen.Resident = resident.parts
		seen.Start, seen.End = from.server.Resident, to.server.Resident
		w.use = &seen
	}
}

// asked gives how many calls were meant to be sent in the window, and with how many
// items.
func (w *window) asked() (calls, items int) {
	for i := range w.kinds {
		k := &w.kinds[i]
		for u := range k.tallies {
			ok, failed, wrong, unjudged := k.tallies[u].Calls()
			n := ok + failed + wrong + unjudged
			calls, items = calls+n, items+n*k.cell.Batch
		}
	}
	return calls, items
}

// course keeps a figure by the parts of a window, of a long one not each that is seen.
type course struct {
	window measure.Window
	parts  [][]float64
	last   time.Duration
}

// mostKept is how many figures of a window are kept.
const mostKept = 1000

func newCourse(window measure.Window) *course {
	return &course{window: window, parts: make([][]float64, window.Parts), last: window.From - window.To}
}

func (c *course) add(at time.Duration, figure float64) {
	if len(c.parts) == 0 || at-c.last < (c.window.To-c.window.From)/mostKept {
		return
	}
	c.last = at
	part := c.window.Part(at)
	c.parts[part] = append(c.parts[part], figure)
}
