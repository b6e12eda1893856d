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

// Answers to calls that began in the warm-up make a rate, and no latency: that is said,
// and not that none succeeded.
func TestCallsThatAreLongerThanTheWindow(t *testing.T) {
	of := func(outcome Outcome, done time.Duration) Performance {
		var r Rounds
		one := &Tally{Window: Window{From: time.Second, To: 2 * time.Second}}
		one.Add(&Sample{Intended: time.Millisecond, Sent: 2 * time.Millisecond, First: done, Done: done, Outcome: outcome, Items: 5})
		r.Add(one)
		return r.Row(5)
	}
	if row := of(OK, 1500*time.Millisecond); row.Calls != 0 || *row.CallsPerSecond != 1 || len(row.Warnings) != 1 || row.Warnings[0] != NoneBegan {
		t.Errorf("%d calls, %v", row.Calls, row.Warnings)
	}
	if row := of(OK, 500*time.Millisecond); len(row.Warnings) != 1 || row.Warnings[0] == NoneBegan {
		t.Errorf("before the window: %v", row.Warnings)
	}
}
