package campaign

import (
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Live is what a campaign does at the moment, for whoever looks on. Users count in
// pulses of their own and wait for nobody; only Look, and the beginning and end of a
// window, share a lock. The zero value is ready; with a nil one
// nothing is counted.
type Live struct {
	mu    sync.Mutex
	order []*Cell
	past  map[*Cell]*CellSight // of windows that are over
	now   *window              // being played; nil: none
	clock func() time.Duration
}

// Sight is what was seen at one moment.
type Sight struct {
	At       time.Duration // on the run's clock
	Cell     *Cell         // whose window is played; nil: none is
	Began    time.Duration // its warm-up
	From, To time.Duration // what is measured of it
	Cells    []CellSight   // in the order first played
	InFlight int           // calls that are out
}

// CellSight is what was seen of one kind of call: a cell alone, or one in a mix.
type CellSight struct {
	Cell *Cell // not to be changed
	Of   *Cell // whose windows they are: Cell itself, or the mix
	measure.Pulses
	Dropped  int           // calls that were planned and never sent, once their window is over
	Measured time.Duration // how long calls were measured so far
}

// Look tells what the campaign does now. It may be called at any time, by anybody.
func (l *Live) Look() Sight {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s Sight
	if l.clock != nil {
		s.At = l.clock()
	}
	w := l.now
	if w != nil {
		s.Cell, s.Began, s.From, s.To = w.cell, w.began, w.from, w.to
	}
	for _, c := range l.order {
		seen := *l.past[c]
		if w != nil && w.cell == seen.Of {
			for i := range w.kinds {
				if w.kinds[i].cell == c {
					w.kinds[i].seen(&seen.Pulses)
				}
			}
			seen.Measured += min(max(0, s.At-w.from), w.to-w.from)
		}
		s.InFlight += seen.InFlight
		s.Cells = append(s.Cells, seen)
	}
	return s
}

// seen adds what the users of a kind have counted so far.
func (k *kind) seen(r *measure.Pulses) {
	for i := range k.pulses {
		r.Take(&k.pulses[i])
	}
}

// begin takes a window up, whose users then count.
func (l *Live) begin(w *window) {
	if l == nil {
		return
	}
	for i := range w.kinds {
		w.kinds[i].pulses = make([]measure.Pulse, len(w.conns))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.past == nil {
		l.past = map[*Cell]*CellSight{}
	}
	for _, k := range w.kinds {
		if l.past[k.cell] == nil {
			l.past[k.cell] = &CellSight{Cell: k.cell, Of: w.cell}
			l.order = append(l.order, k.cell)
		}
	}
	l.now, l.clock = w, w.bench.now
}

// end takes what a window's users have counted, once they are done.
func (l *Live) end(w *window) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range w.kinds {
		seen := l.past[w.kinds[i].cell]
		w.kinds[i].seen(&seen.Pulses)
		seen.InFlight = 0
		seen.Measured += min(max(0, w.bench.now()-w.from), w.to-w.from)
	}
	l.past[w.kinds[0].cell].Dropped += w.dropped // of a mix it is not known whose they were
	l.now = nil
}

// pulse is a user's own; nil: nobody looks.
func (k *kind) pulse(i int) *measure.Pulse {
	if k.pulses == nil {
		return nil
	}
	return &k.pulses[i]
}
