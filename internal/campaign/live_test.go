package campaign

import (
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// clockAt is the clock of a bench without a server.
type clockAt struct{ at time.Duration }

// liveWindow is a window with users that are not called.
func liveWindow(b *Bench, c *Cell, at time.Duration) *window {
	w := &window{bench: b, cell: c, conns: make([]lean.Conn, 2), began: at, from: at + time.Second, to: at + 5*time.Second}
	for _, k := range c.kinds() {
		k.crew = []*load.User{{}, {}}
	}
	w.mix()
	b.Live.begin(w)
	return w
}

// What is seen grows call by call, stays when a window is over, and goes on in the next.
func TestLiveIsWhatTheUsersCount(t *testing.T) {
	clock := &clockAt{}
	b := &Bench{Tape: load.NewTape(clock), Live: &Live{}}
	if s := b.Live.Look(); s.Cell != nil || len(s.Cells) > 0 {
		t.Errorf("%+v", s)
	}
	one, two := &Cell{Operation: "a", Batch: 3, In: "mix", Weight: 1}, &Cell{Operation: "b", Batch: 1, In: "mix", Weight: 1}
	mix := &Cell{Operation: "mix", Mix: []*Cell{one, two}}
	right := measure.Sample{Outcome: measure.OK, Items: 3}
	w := liveWindow(b, mix, 0)
	w.kinds[0].pulse(0).End(&right, true, true)
	w.kinds[0].pulse(1).Begin()
	w.kinds[1].pulse(1).End(&right, true, false)
	clock.at = 3 * time.Second
	s := b.Live.Look()
	if s.Cell != mix || s.At != clock.at || s.From != time.Second || s.InFlight != 1 || len(s.Cells) != 2 {
		t.Fatalf("%+v", s)
	}
	if a := s.Cells[0]; a.Cell != one || a.Of != mix || a.Calls[measure.OK] != 1 || a.Items != 3 || a.InFlight != 1 || a.Measured != 2*time.Second {
		t.Errorf("%+v", a)
	}
	if a := s.Cells[1]; a.Cell != two || a.All() != 0 || a.Warm[measure.OK] != 1 {
		t.Errorf("%+v", a)
	}
	clock.at, w.dropped = 7*time.Second, 2
	b.Live.end(w)
	alone := &Cell{Operation: "c", Batch: 1}
	b.Live.end(liveWindow(b, alone, 7*time.Second))
	again := liveWindow(b, mix, 20*time.Second)
	again.kinds[0].pulse(1).End(&right, true, true)
	clock.at = 22 * time.Second
	s = b.Live.Look()
	if len(s.Cells) != 3 || s.InFlight != 0 {
		t.Fatalf("%+v", s)
	}
	if a := s.Cells[0]; a.Calls[measure.OK] != 2 || a.Dropped != 2 || a.Measured != 5*time.Second {
		t.Errorf("%+v", a)
	}
	if a := s.Cells[2]; a.Cell != alone || a.Measured != 0 {
		t.Errorf("%+v", a)
	}
}

// Where nobody looks on, nothing is counted twice.
func TestNobodyLooksOn(t *testing.T) {
	b := &Bench{Tape: load.NewTape(&clockAt{})}
	w := liveWindow(b, &Cell{Operation: "a", Batch: 1}, 0)
	b.Live.end(w)
	if w.kinds[0].pulse(0) != nil {
		t.Error("there is a pulse")
	}
}

func (s *clockAt) Now() time.Duration         { return s.at }
func (s *clockAt) Record(conform.Observation) {}
