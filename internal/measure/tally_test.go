package measure

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// ok is a call of 10 items that was meant at an instant, sent late, and took so long.
func ok(at, late, took time.Duration) *Sample {
	return &Sample{Intended: at, Sent: at + late, First: at + late + took/2, Done: at + late + took, Outcome: OK, Items: 10, Out: 100, In: 400, Verified: Pass}
}

// A window of one second: what was meant before it is not measured, what was meant in
// it is, however late it came, and rates count what came.
func TestAWindowCutsNothingShort(t *testing.T) {
	var tally Tally
	tally.Window = Window{From: time.Second, To: 2 * time.Second}
	tally.Add(ok(900*ms, 0, 50*ms))  // over before
	tally.Add(ok(900*ms, 0, 200*ms)) // came in it
	tally.Add(ok(1100*ms, 5*ms, 100*ms))
	tally.Add(ok(1900*ms, 0, 300*ms)) // came after it
	tally.Add(ok(2000*ms, 0, 10*ms))  // meant after it
	if good, failed, wrong, unjudged := tally.Calls(); good != 2 || failed+wrong+unjudged != 0 {
		t.Errorf("%d calls were meant in the window", good)
	}
	if tally.Rate() != 2 || tally.ItemRate() != 20 {
		t.Errorf("%v answers and %v items a second", tally.Rate(), tally.ItemRate())
	}
	l := tally.Latency().Quantiles(Loaded)
	if *l.Min != 105 || *l.Max != 300 {
		t.Errorf("latency from %v to %v ms: it counts from the plan", *l.Min, *l.Max)
	}
	if s := tally.Service().Quantiles(Loaded); *s.Min != 100 {
		t.Errorf("service from %v ms", *s.Min)
	}
	if lag := tally.Lag().Quantiles(Loaded); *lag.Max != 5 {
		t.Errorf("lag up to %v ms", *lag.Max)
	}
}

// What failed, or was wrong, is in no figure of what was right.
func TestWrongAnswersImproveNothing(t *testing.T) {
	var tally Tally
	tally.Window = Window{To: time.Second}
	tally.Add(ok(0, 0, 100*ms))
	for _, s := range []Sample{
		{Outcome: Wrong, Verified: Strict},
		{Outcome: Failed, Failure: "429 or 503"},
		{Outcome: Failed, Failure: "429 or 503"},
		{Outcome: Unjudged, Verified: Envelope},
	} {
		s.Intended, s.Sent, s.First, s.Done, s.Items = 10*ms, 10*ms, 11*ms, 11*ms, 10
		tally.Add(&s)
	}
	tally.Add(&Sample{Intended: 20 * ms, Done: 500 * ms, Outcome: Failed, Failure: "no connection"})
	var rounds Rounds
	rounds.Add(&tally)
	p := rounds.Row(10)
	if *p.Latency.Min != 100 || *p.CallsPerSecond != 1 || *p.ItemsPerSecond != 10 || p.Items != 10 {
		t.Errorf("%+v", p)
	}
	if p.Calls != 6 || p.OK != 1 || p.Wrong != 1 || p.Failed != 3 || p.Loaded.Unjudged != 1 {
		t.Errorf("%d calls: %d, %d wrong, %d failed, %d unjudged", p.Calls, p.OK, p.Wrong, p.Failed, p.Loaded.Unjudged)
	}
	if *p.FailedMS.Max != 1 || *p.Loaded.UnjudgedMS.Max != 1 {
		t.Errorf("failed up to %v, unjudged up to %v ms: only what was answered has a time", *p.FailedMS.Max, *p.Loaded.UnjudgedMS.Max)
	}
	if f := p.Loaded.Failures; len(f) != 2 || f[0] != (Failure{"429 or 503", 2}) || f[1] != (Failure{"no connection", 1}) {
		t.Errorf("%v", f)
	}
	if v := p.Loaded.Verified; v != (Verified{Pass: 1, Strict: 1, Envelope: 1}) {
		t.Errorf("%+v", v)
	}
	if len(p.Loaded.Timeline) != 1 || p.Loaded.Timeline[0] != (Second{OK: 1, Failed: 3, Wrong: 1, Items: 10, MeanMS: 100, MaxMS: 100}) {
		t.Errorf("%+v", p.Loaded.Timeline)
	}
}

// A row's rate is the median of its rounds', and its interval is theirs; its quantiles
// are those of all calls together.
func TestTheRoundIsTheUnit(t *testing.T) {
	var rounds Rounds
	for round, calls := range []int{100, 300, 110, 90, 105} {
		t := &Tally{Window: Window{From: time.Duration(round) * time.Minute, To: time.Duration(round)*time.Minute + time.Second}}
		other := &Tally{Window: t.Window}
		for i := range calls {
			to := t
			if i%2 == 1 {
				to = other
			}
			to.Add(ok(t.Window.From+time.Duration(i)*ms, 0, time.Duration(round+1)*ms))
		}
		t.Merge(other)
		rounds.Add(t)
	}
	p := rounds.Row(10)
	if *p.CallsPerSecond != 105 || *p.ItemsPerSecond != 1050 || p.Seconds != 5 || p.Loaded.Rounds != 5 || p.Calls != 705 {
		t.Errorf("%+v", p)
	}
	i := p.Loaded.Intervals
	if *i.CallsPerSecond != [2]float64{90, 300} || i.Confidence != 0.9375 || *i.P50 != [2]float64{1, 5} {
		t.Errorf("%+v, %v, %v", i, *i.CallsPerSecond, *i.P50)
	}
	if i.P99 != nil {
		t.Errorf("a round with 300 calls has a p99, the others have none: %v", *i.P99)
	}
	if *p.Latency.P50 != 2 || *p.Latency.P99 != 5 || p.Latency.P999 != nil {
		t.Errorf("%+v", p.Latency)
	}
	if len(p.Loaded.Timeline) != 5 {
		t.Errorf("%d seconds", len(p.Loaded.Timeline))
	}
	if *p.Loaded.PerItemUS != 200 || *p.Loaded.BytesIn != 400 {
		t.Errorf("%v µs an item, %v bytes an answer", *p.Loaded.PerItemUS, *p.Loaded.BytesIn)
	}
}

func TestALongTimelineIsBounded(t *testing.T) {
	tally := &Tally{Window: Window{To: 3 * time.Hour}}
	for i := range 3 * 3600 {
		tally.Add(ok(time.Duration(i)*time.Second, 0, ms))
	}
	line := tally.timeline()
	sum := 0
	for _, s := range line {
		sum += s.OK
	}
	if len(line) > mostSeconds || sum != 3*3600 {
		t.Errorf("%d entries with %d calls", len(line), sum)
	}
}

// Two calls that belong together are one: the time of both without the pause, and the
// worse outcome.
func TestTwoCallsAreJoined(t *testing.T) {
	first, second := *ok(0, 1*ms, 20*ms), *ok(521*ms, 0, 30*ms)
	s := Joined(first, second, 500*ms)
	if s.Done-s.Intended != 51*ms || s.Items != 10 || s.Out != 200 || s.In != 800 || s.Outcome != OK || s.Sent-s.Intended != 1*ms {
		t.Errorf("%+v", s)
	}
	first.Outcome = Wrong
	if s := Joined(first, second, 0); s.Outcome != Wrong {
		t.Errorf("%+v", s)
	}
	second.Outcome, second.Failure = Failed, "no answer in time"
	if s := Joined(first, second, 0); s.Outcome != Failed || s.Failure == "" {
		t.Errorf("%+v", s)
	}
}

// However long a window is, its time line has no more than so many entries.
func TestTheTimeLineOfALongWindowIsBounded(t *testing.T) {
	for length, want := range map[time.Duration]int{time.Second: 1, time.Hour: 3600, time.Hour + time.Second: 1801, 24 * time.Hour: 3600, 25 * time.Hour: 3600} {
		tally := Tally{Window: Window{From: time.Minute, To: time.Minute + length}}
		tally.Add(ok(tally.Window.To-20*ms, 0, 10*ms))
		if got := len(tally.seconds); got != want {
			t.Errorf("%s: %d entries, want %d", length, got, want)
		}
	}
}
