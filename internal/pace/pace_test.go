package pace

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

func must(t *testing.T) func(Schedule, error) Schedule {
	return func(s Schedule, err error) Schedule {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// first gives the first instants of a schedule, in milliseconds.
func first(s Schedule, n int) []float64 {
	var all []float64
	for i := range n {
		at, ok := s.At(i)
		if !ok {
			break
		}
		all = append(all, math.Round(at.Seconds()*1e6)/1e3)
	}
	return all
}

func TestSchedules(t *testing.T) {
	ok := must(t)
	for name, c := range map[string]struct {
		schedule Schedule
		want     []float64
	}{
		"constant":           {ok(Constant(100)), []float64{0, 10, 20, 30, 40, 50}},
		"one stage":          {ok(Staged(Stage{100, 100, 40 * time.Millisecond})), []float64{0, 10, 20, 30}},
		"a step up":          {ok(Staged(Stage{100, 100, 20 * time.Millisecond}, Stage{200, 200, 15 * time.Millisecond})), []float64{0, 10, 20, 25, 30}},
		"a ramp from 0":      {ok(Staged(Stage{0, 200, 100 * time.Millisecond})), []float64{0, 31.623, 44.721, 54.772, 63.246, 70.711, 77.46, 83.666, 89.443, 94.868}},
		"a ramp to 0":        {ok(Staged(Stage{200, 0, 100 * time.Millisecond})), []float64{0, 5.132, 10.557, 16.334, 22.54, 29.289}},
		"a pause":            {ok(Staged(Stage{100, 100, 20 * time.Millisecond}, Stage{0, 0, time.Second}, Stage{100, 100, 20 * time.Millisecond})), []float64{0, 10, 1020, 1030}},
		"a pause at first":   {ok(Staged(Stage{0, 0, time.Second}, Stage{100, 100, 20 * time.Millisecond})), []float64{1000, 1010}},
		"bursts of three":    {ok(Bursts(ok(Constant(10)), 3)), []float64{0, 0, 0, 100, 100, 100}},
		"as they were":       {ok(Recorded([]time.Duration{5e6, 5e6, 9e6})), []float64{5, 5, 9}},
		"none":               {ok(Recorded(nil)), nil},
		"a very small rate":  {ok(Constant(1e-300)), []float64{0, 9223372036854.775}},
		"a rate below 1/min": {ok(Constant(0.01)), []float64{0, 100000}},
	} {
		n := len(c.want)
		if name == "one stage" || name == "a step up" || name == "a pause" || name == "a pause at first" || name == "as they were" || name == "none" {
			n += 3 // it ends
		}
		if name == "a ramp from 0" {
			n++
		}
		if got := first(c.schedule, n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, wanted %v", name, got, c.want)
		}
	}
}

func TestSchedulesThatMakeNoSense(t *testing.T) {
	for name, err := range map[string]error{
		"no rate":              second(Constant(0)),
		"a rate below 0":       second(Constant(-1)),
		"no number":            second(Constant(math.NaN())),
		"without end":          second(Constant(math.Inf(1))),
		"no stages":            second(Staged()),
		"a stage without time": second(Staged(Stage{1, 1, 0})),
		"a stage below 0":      second(Staged(Stage{1, -1, 1})),
		"a stage of no number": second(Staged(Stage{math.NaN(), 1, 1})),
		"bursts of none":       second(Bursts(nil, 0)),
		"a log out of order":   second(Recorded([]time.Duration{2, 1})),
	} {
		if err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func second(_ Schedule, err error) error { return err }

// Poisson arrivals have the schedule's rate, exponential gaps, and one course for
// one seed.
func TestPoisson(t *testing.T) {
	ok := must(t)
	one, again, other := Poisson(ok(Constant(1000)), 7), Poisson(ok(Constant(1000)), 7), Poisson(ok(Constant(1000)), 8)
	if a, b, c := first(one, 50), first(again, 50), first(other, 50); !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) || !slices.IsSorted(a) {
		t.Errorf("%v\n%v\n%v", a, b, c)
	}
	const n = 20_000
	last, long := time.Duration(0), 0
	s := Poisson(ok(Constant(1000)), 1)
	for i := range n {
		at, _ := s.At(i)
		if at < last {
			t.Fatalf("call %d goes back in time", i)
		}
		if at-last > 2*time.Millisecond {
			long++
		}
		last = at
	}
	if rate := n / last.Seconds(); math.Abs(rate-1000) > 30 {
		t.Errorf("%v calls a second", rate)
	}
	if share := float64(long) / n; math.Abs(share-math.Exp(-2)) > 0.01 {
		t.Errorf("%v of the gaps are longer than two means, wanted %v", share, math.Exp(-2))
	}
	ends := Poisson(ok(Staged(Stage{1000, 1000, time.Second})), 3)
	count := 0
	for {
		at, ok := ends.At(count)
		if !ok {
			break
		}
		if at > time.Second {
			t.Errorf("a call at %v", at)
		}
		count++
	}
	if count < 880 || count > 1120 {
		t.Errorf("%d calls in a second of 1,000", count)
	}
}

// N senders that take every N-th number send the stream of one.
func TestNumbersMayBeSkipped(t *testing.T) {
	ok := must(t)
	of := func() []Schedule {
		ramp := ok(Staged(Stage{10, 100, 2 * time.Second}))
		return []Schedule{ramp, Poisson(ok(Staged(Stage{10, 100, 2 * time.Second})), 5), ok(Bursts(ok(Constant(7)), 4))}
	}
	for i, whole := range of() {
		all := first(whole, 90)
		for part := range 3 {
			s := of()[i]
			for n := part; n < len(all); n += 3 {
				if at, _ := s.At(n); math.Round(at.Seconds()*1e6)/1e3 != all[n] {
					t.Fatalf("schedule %d, call %d by itself: %v, in the whole: %v", i, n, at, all[n])
				}
			}
		}
	}
}

// timeless is a clock that moves when somebody sleeps, and a little too far.
type timeless struct {
	at   time.Duration
	late time.Duration
	naps []time.Duration
}

func (c *timeless) pacer() *Pacer {
	return &Pacer{now: func() time.Duration { return c.at }, sleep: func(d time.Duration) {
		c.naps = append(c.naps, d)
		c.at += d + c.late
	}, free: func() {}}
}

func TestThePacerTellsHowLateItIs(t *testing.T) {
	c := &timeless{late: 3}
	p := c.pacer()
	if late, ok := p.Until(100); late != 3 || !ok {
		t.Errorf("%v late", late)
	}
	c.at = 1000
	if late, ok := p.Until(400); late != 600 || !ok {
		t.Errorf("%v late", late)
	}
	c.naps = nil
	if late, ok := p.Until(1000 + 120*time.Millisecond); !ok || late != 3 || len(c.naps) != 3 || slices.Max(c.naps) != step {
		t.Errorf("%v late after %v", late, c.naps)
	}
	p.Stop()
	if _, ok := p.Until(0); ok {
		t.Error("it was stopped")
	}
}

func TestTicketsAreHandedOutOrDropped(t *testing.T) {
	ok := must(t)
	c := &timeless{late: 1, at: 50}
	to := make(chan Ticket, 3)
	fed, dropped := Feed(ok(Staged(Stage{1e9, 1e9, 5})), 100, c.pacer(), to)
	if fed != 3 || dropped != 2 {
		t.Errorf("%d handed out, %d dropped", fed, dropped)
	}
	var got []Ticket
	for ticket := range to {
		got = append(got, ticket)
	}
	if want := []Ticket{{0, 100, 1}, {1, 101, 0}, {2, 102, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	c = &timeless{}
	p := c.pacer()
	p.Stop()
	to = make(chan Ticket, 1)
	if fed, dropped := Feed(ok(Constant(1)), 0, p, to); fed+dropped != 0 {
		t.Errorf("%d handed out after the end", fed)
	}
	if _, open := <-to; open {
		t.Error("the channel is open")
	}
}

// The real one is never early.
func TestARealPacerIsNotEarly(t *testing.T) {
	began := time.Now()
	now := func() time.Duration { return time.Since(began) }
	p := NewPacer(now)
	defer p.Release()
	for at := time.Duration(0); at < 5*time.Millisecond; at += time.Millisecond {
		if late, ok := p.Until(at); !ok || late < 0 || now() < at {
			t.Errorf("%v at %v", late, at)
		}
	}
}
