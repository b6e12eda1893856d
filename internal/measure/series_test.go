package measure

import (
	"math"
	"testing"
)

func TestSeriesOverTheWindows(t *testing.T) {
	var c Counted
	if all, restarted := c.Series(); len(all)+len(restarted) > 0 {
		t.Error("nothing was read, and something is told")
	}
	c.Add(Readings{Calls: 100, Each: []Reading{{"requests_total", true, 1000, 1100}, {"memory", false, 5, 7}, {"late_total", true, 0, 5}, {"bad", false, 0, math.NaN()}}})
	c.Add(Readings{Calls: 300, Each: []Reading{{"requests_total", true, 1100, 1500}, {"memory", false, 7, 6.5}, {"late_total", true, 9, 2}, {"worse_total", true, math.Inf(-1), 2}}})
	c.Add(Readings{Calls: 0, Each: []Reading{{"idle_total", true, 4, 4}}})
	all, restarted := c.Series()
	var told []string
	for _, s := range all {
		told = append(told, s.String())
	}
	want := []string{"idle_total +0", "late_total +5, 0.05 a call", "memory 6.5", "requests_total +500, 1.25 a call"}
	if len(told) != len(want) {
		t.Fatalf("%q", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("%q, want %q", told[i], want[i])
		}
	}
	if len(restarted) != 1 || restarted[0] != "late_total" {
		t.Errorf("restarted: %q", restarted)
	}
}
