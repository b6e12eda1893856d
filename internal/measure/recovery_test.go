package measure

import (
	"testing"
	"time"
)

// spiked is a window of which each second has ten calls of one latency; below 0: they
// failed, and 0: there were none.
func spiked(latencies ...int) *Tally {
	t := &Tally{Window: Window{To: time.Duration(len(latencies)) * time.Second}}
	for second, latency := range latencies {
		for i := range 10 {
			at := time.Duration(second)*time.Second + time.Duration(i)*10*ms
			switch {
			case latency > 0:
				t.Add(&Sample{Intended: at - time.Duration(latency)*ms, Sent: at - time.Duration(latency)*ms, First: at, Done: at, Outcome: OK})
			case latency < 0:
				t.Add(&Sample{Intended: at, Sent: at, First: at, Done: at, Outcome: Failed, Failure: "429 or 503"})
			}
		}
	}
	return t
}

func TestRecoveryFromASpike(t *testing.T) {
	const never, untold = -1, -2
	for name, c := range map[string]struct {
		from, to int // seconds
		each     []int
		want     int // seconds
	}{
		"at once":                    {4, 6, []int{10, 11, 10, 10, 90, 90, 10, 10, 10, 10}, 1},
		"after two seconds":          {4, 6, []int{10, 11, 10, 10, 90, 95, 60, 30, 10, 10, 10}, 3},
		"as slow as it was before":   {4, 6, []int{10, 20, 10, 10, 90, 90, 19, 20, 18, 20}, 1},
		"a little slower":            {4, 6, []int{10, 10, 10, 10, 90, 90, 12, 12, 12}, 1},
		"slower for good":            {4, 6, []int{10, 10, 10, 10, 90, 90, 15, 15, 15, 15}, never},
		"well for a moment":          {4, 6, []int{10, 10, 10, 10, 90, 90, 10, 80, 80, 10, 10, 10}, 4},
		"well at the very end":       {4, 6, []int{10, 10, 10, 10, 90, 90, 80, 80, 10}, 3},
		"it fails afterwards":        {4, 6, []int{10, 10, 10, 10, 90, 90, -1, -1, 10, 10, 10}, 3},
		"it fails to the end":        {4, 6, []int{10, 10, 10, 10, 90, 90, 10, -1, -1}, never},
		"nothing comes for a second": {4, 6, []int{10, 10, 10, 10, 90, 90, 0, 10, 10, 10}, 2},
		"nothing comes at all":       {4, 6, []int{10, 10, 10, 10, 90, 90, 0, 0, 0}, untold},
		"no time before":             {2, 4, []int{10, 10, 90, 90, 10, 10, 10}, untold},
		"nothing before":             {4, 6, []int{0, 0, 0, 10, 90, 90, 10, 10, 10}, untold},
		"no time behind":             {4, 6, []int{10, 10, 10, 10, 90, 90}, untold},
		"no worse for it":            {4, 6, []int{10, 10, 10, 10, 10, 10, 10, 10, 10}, 1},
	} {
		var rounds Rounds
		rounds.Add(spiked(c.each...))
		got := rounds.Recovery(time.Duration(c.from)*time.Second, time.Duration(c.to)*time.Second)
		seconds := untold
		if got != nil {
			if seconds = never; got.Seconds != nil {
				seconds = *got.Seconds
			}
		}
		if seconds != c.want {
			t.Errorf("%s: %d, want %d: %+v", name, seconds, c.want, got)
		}
	}
}

// The figures are those of the slowest round; a spike that ends within a second counts
// from its end.
func TestTheSlowestRecoveryIsTold(t *testing.T) {
	var rounds Rounds
	rounds.Add(spiked(10, 10, 10, 10, 90, 90, 10, 10, 10, 10))
	rounds.Add(spiked(12, 12, 14, 12, 90, 99, 50, 50, 12, 12))
	got := rounds.Recovery(4*time.Second, 5500*ms)
	if got == nil || got.Seconds == nil || *got.Seconds != 4 || got.BeforeMS != 12 || got.WorstMS != 99 || got.From != 4 || got.To != 5.5 || got.Watched != 4 {
		t.Errorf("%+v", got)
	}
	if rounds.Recovery(time.Second, 2*time.Second) != nil {
		t.Error("what was before is not known, and a recovery is told")
	}
}
