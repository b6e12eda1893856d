package measure

import (
	"math/rand/v2"
	"testing"
	"time"
)

func parts(values ...float64) []*float64 {
	each := make([]*float64, len(values))
	for i := range values {
		if values[i] >= 0 {
			each[i] = &values[i]
		}
	}
	return each
}

// A trend is told where it is one: not where the figure goes to and fro, grows by less
// than a tenth, jumps once, or has too few parts.
func TestTrends(t *testing.T) {
	for name, c := range map[string]struct {
		each   []*float64
		known  bool
		drifts bool
		growth float64
	}{
		"steady":                    {parts(10, 10, 10, 10, 10, 10, 10, 10, 10, 10), true, false, 0},
		"it grows by half":          {parts(10, 10.5, 11.2, 11.6, 12.2, 12.8, 13.4, 13.8, 14.5, 15), true, true, 0.5},
		"it falls by half":          {parts(20, 19, 18, 17, 16, 15, 14, 13, 12, 11), true, true, -0.45},
		"it grows by a twentieth":   {parts(10, 10.05, 10.1, 10.16, 10.22, 10.27, 10.33, 10.38, 10.44, 10.5), true, false, 0.05},
		"to and fro":                {parts(10, 14, 9, 13, 11, 14, 9, 12, 13, 11), true, false, 0},
		"one part far off":          {parts(10, 10, 10, 90, 10, 10, 10, 10, 10, 10), true, false, 0},
		"slower at the end alone":   {parts(10, 10, 10, 10, 10, 10, 10, 10, 10, 40), true, false, 0},
		"parts without a figure":    {parts(10, -1, 12, 13, -1, 15, 16, 17, 18, 19), true, true, 0.9},
		"seven parts that all grow": {parts(10, 12, 14, 16, 18, 20, 22), true, true, 1.2},
		"six parts":                 {parts(10, 12, 14, 16, 18, 20), false, false, 0},
		"none":                      {parts(-1, -1, -1), false, false, 0},
		"it begins with nothing":    {parts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), false, false, 0},
	} {
		got := TrendOf(c.each)
		if (got != nil) != c.known {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		if got == nil {
			continue
		}
		if got.Drifts != c.drifts || got.Growth < c.growth-0.06 || got.Growth > c.growth+0.06 || got.Interval[0] > got.Growth || got.Interval[1] < got.Growth || len(got.Each) != len(c.each) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Figures that only scatter are rarely taken for a drift: at the confidence 0.99 in one
// of a hundred.
func TestScatterIsRarelyADrift(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	told := 0
	const soaks = 4000
	for range soaks {
		var values []float64
		for range Parts {
			values = append(values, 10+5*random.Float64())
		}
		if TrendOf(parts(values...)).Drifts {
			told++
		}
	}
	if told > soaks/100 {
		t.Errorf("%d of %d", told, soaks)
	}
}

// A soak's figures are those of the tenths in which calls were meant, of all users
// together; memory is told for the calls that were made.
func TestASoakIsToldByTenths(t *testing.T) {
	window := Window{From: time.Second, To: 11 * time.Second, Parts: Parts}
	var users [2]Tally
	for u := range users {
		users[u].Window = window
		for tenth := range Parts {
			for i := range 5 {
				at := window.From + time.Duration(tenth)*time.Second + time.Duration(i)*150*ms
				users[u].Add(ok(at, 0, time.Duration(100+20*tenth+u)*ms))
			}
		}
	}
	whole := Tally{Window: window}
	for u := range users {
		whole.Merge(&users[u])
	}
	var rounds Rounds
	rounds.Add(&whole)
	var resident [][]float64
	for tenth := range Parts {
		resident = append(resident, []float64{float64(50e6 + tenth*1e6), float64(50e6 + tenth*1e6), 90e6})
	}
	s := rounds.Soak(resident)
	if s == nil || s.P50MS == nil || s.P99MS != nil || s.Resident == nil {
		t.Fatalf("%+v", s)
	}
	if *s.P50MS.Each[0] != 100 || s.P50MS.From != 100 || s.P50MS.To != 280 || !s.P50MS.Drifts || !s.Drifts() {
		t.Errorf("%v; %+v", *s.P50MS.Each[0], s.P50MS)
	}
	// Ten million bytes in the window, and a hundred calls.
	if s.Resident.From != 50e6 || s.Resident.To != 59e6 || s.ResidentPer1000 == nil || *s.ResidentPer1000 != 100e6 {
		t.Errorf("%+v, %v", s.Resident, *s.ResidentPer1000)
	}
	// One that ended in its eighth tenth grew by eight million in a hundred calls.
	if ended := rounds.Soak(append(resident[:8:8], nil, nil)); *ended.ResidentPer1000 != 80e6 {
		t.Errorf("%v", *ended.ResidentPer1000)
	}
	var none Rounds
	none.Add(&Tally{Window: Window{To: time.Second}})
	if s := none.Soak(nil); s != nil {
		t.Errorf("no soak, and %+v", s)
	}
	var short Rounds
	short.Add(&Tally{Window: window})
	if s := short.Soak(nil); s == nil || s.P50MS != nil || s.Resident != nil || s.Drifts() {
		t.Errorf("a soak without a call: %+v", s)
	}
}
