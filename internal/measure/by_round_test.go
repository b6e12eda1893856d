package measure

import (
	"testing"
	"time"
)

// Each round has its own figures, in order; what too few calls support is left out, and
// a round that took no time has no rate.
func TestRoundsHaveTheirOwnFigures(t *testing.T) {
	var r Rounds
	for n, c := range []struct {
		calls  int
		length time.Duration
	}{{100, 2 * time.Second}, {4, time.Second}, {0, 0}} {
		one := &Tally{Window: Window{From: 0, To: c.length}}
		for i := range c.calls {
			s := Sample{Intended: 1, Sent: 2, First: 3, Done: time.Duration(n+1)*time.Millisecond + 1, Outcome: OK, Items: 5}
			if i == 0 {
				s.Outcome = Wrong
			}
			one.Add(&s)
		}
		r.Add(one)
	}
	got := r.Row(5).Loaded.ByRound
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	first := got[0]
	if first.Seconds != 2 || first.Calls != 100 || first.OK != 99 || *first.CallsPerSecond != 49.5 || *first.ItemsPerSecond != 248 || *first.P50 != 1 || *first.P95 != 1 || first.P99 != nil {
		t.Errorf("%+v", first)
	}
	if second := got[1]; second.OK != 3 || second.P50 != nil || *second.CallsPerSecond != 3 {
		t.Errorf("%+v", second)
	}
	if third := got[2]; third != (Round{}) {
		t.Errorf("%+v", third)
	}
}
