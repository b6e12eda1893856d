package campaign

import (
	"slices"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

func TestSpikesOfTheRate(t *testing.T) {
	const s = time.Second
	at := func(from, to float64, length time.Duration) Stage { return Stage{From: from, To: to, For: length} }
	for name, c := range map[string]struct {
		stages   []Stage
		from, to time.Duration
		ok       bool
	}{
		"a spike":                    {[]Stage{at(100, 100, 10*s), at(1000, 1000, 5*s), at(100, 100, 10*s)}, 10 * s, 15 * s, true},
		"up and down in ramps":       {[]Stage{at(100, 100, 10*s), at(100, 900, 2*s), at(900, 900, 5*s), at(900, 100, 2*s), at(120, 120, 10*s)}, 10 * s, 19 * s, true},
		"a second one is not looked": {[]Stage{at(100, 100, s), at(900, 900, s), at(100, 100, s), at(900, 900, s), at(100, 100, s)}, s, 2 * s, true},
		"after a lull":               {[]Stage{at(100, 100, 3*s), at(50, 50, 3*s), at(200, 200, s), at(100, 100, 3*s)}, 6 * s, 7 * s, true},
		"it stays up":                {[]Stage{at(100, 100, s), at(200, 200, s), at(900, 900, s)}, 0, 0, false},
		"a little more":              {[]Stage{at(100, 100, s), at(150, 150, s), at(100, 100, s)}, 0, 0, false},
		"from nothing":               {[]Stage{at(0, 0, s), at(150, 150, s), at(0, 0, s)}, 0, 0, false},
		"one rate":                   {[]Stage{at(100, 100, 0)}, 0, 0, false},
		"a closed loop":              {nil, 0, 0, false},
	} {
		from, to, ok := Arrivals{Stages: c.stages}.Spike()
		if from != c.from || to != c.to || ok != c.ok {
			t.Errorf("%s: %s to %s, %t", name, from, to, ok)
		}
	}
}

// What is seen in a window's course is kept by its parts, a bounded number of figures
// however long it is.
func TestFiguresAreKeptByPart(t *testing.T) {
	c := newCourse(measure.Window{From: time.Second, To: 2 * time.Second, Parts: 4})
	for i := range 8 {
		c.add(time.Second+time.Duration(i)*125*time.Millisecond, float64(i))
	}
	c.add(1875500*time.Microsecond, 77) // too soon after the last
	c.add(2500*time.Millisecond, 99)    // while the last calls were waited for
	for i, want := range [][]float64{{0, 1}, {2, 3}, {4, 5}, {6, 7, 99}} {
		if !slices.Equal(c.parts[i], want) {
			t.Errorf("part %d: %v", i, c.parts[i])
		}
	}
	long := newCourse(measure.Window{To: time.Hour, Parts: 1})
	for i := range 36000 {
		long.add(time.Duration(i)*100*time.Millisecond, 1)
	}
	if n := len(long.parts[0]); n > mostKept {
		t.Errorf("%d figures are kept", n)
	}
	none := newCourse(measure.Window{To: time.Hour})
	none.add(0, 1)
	if len(none.parts) > 0 {
		t.Errorf("%v", none.parts)
	}
}
