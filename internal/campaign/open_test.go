package campaign

import (
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/pace"
)

// TestALateBeginningLosesNoCall has a window whose users begin long after it did: every
// instant of its schedule is still a call, the one at its very end too.
func TestALateBeginningLosesNoCall(t *testing.T) {
	instants := []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond}
	schedule, err := pace.Recorded(instants)
	if err != nil {
		t.Fatal(err)
	}
	length := Arrivals{Replay: instants}.Length()
	began := 5 * time.Second
	w := &window{began: began, from: began, to: began + length}
	late := began + 350*time.Millisecond // the clock when the first user looks at it
	pacer := pace.NewPacer(func() time.Duration { late += 100 * time.Millisecond; return late })
	defer pacer.Release()
	tickets := make(chan pace.Ticket, len(instants))
	fed, dropped := pace.Feed(w.bounded(schedule), w.began, pacer, tickets)
	if fed != len(instants) || dropped != 0 {
		t.Errorf("%d calls were due, and %d dropped, of %d", fed, dropped, len(instants))
	}
	for ticket := range tickets {
		if at := ticket.At; at < w.from || at >= w.to {
			t.Errorf("call %d is at %s, outside of the window from %s to %s", ticket.N, at, w.from, w.to)
		}
	}
}
