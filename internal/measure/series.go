package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Series is one series of the server's own metrics, over all windows of a row and
// their warm-ups.
type Series struct {
	Name string `json:"name"` // the metric with its labels
	Kind string `json:"kind"` // KindCounter, KindGauge
	// Value is by how much a counter grew in all windows together, and what a gauge was
	// at the end of the last.
	Value   float64  `json:"value"`
	PerCall *float64 `json:"per_call,omitempty"` // of a counter: for each call that was made
}

// The kinds of series.
const (
	KindCounter = "counter"
	KindGauge   = "gauge"
)

// Reading is one series before and after a window.
type Reading struct {
	Name          string
	Counter       bool
	Before, After float64
}

// Readings are what was read around one window, and how many calls were made between.
type Readings struct {
	Calls int
	Each  []Reading
}

// Counted are the readings of a cell's windows, in their order. The zero value is ready.
type Counted struct{ windows []Readings }

// Add takes a window's readings.
func (c *Counted) Add(r Readings) { c.windows = append(c.windows, r) }

// Series sums the windows up, by name. A counter that became less began anew within a
// window, with the server: that window says nothing of it, and restarted names it.
func (c *Counted) Series() (all []Series, restarted []string) {
	at := map[string]int{}
	calls := map[string]int{}
	for _, w := range c.windows {
		for _, r := range w.Each {
			if !finite(r.After) || r.Counter && !finite(r.Before) {
				continue
			}
			if r.Counter && r.After < r.Before {
				restarted = append(restarted, r.Name)
				continue
			}
			i, known := at[r.Name]
			if !known {
				i = len(all)
				at[r.Name] = i
				all = append(all, Series{Name: r.Name, Kind: KindGauge})
			}
			if !r.Counter {
				all[i].Value = r.After
				continue
			}
			all[i].Kind = KindCounter
			all[i].Value += r.After - r.Before
			calls[r.Name] += w.Calls
		}
	}
	for i := range all {
		if n := calls[all[i].Name]; n > 0 {
			all[i].PerCall = significant(all[i].Value / float64(n))
		}
	}
	slices.SortFunc(all, func(a, b Series) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(restarted)
	return all, slices.Compact(restarted)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// String says what a series tells: "http_requests_total +1000, 1 a call".
func (s Series) String() string {
	if s.Kind == KindGauge {
		return fmt.Sprintf("%s %.6g", s.Name, s.Value)
	}
	if s.PerCall == nil {
		return fmt.Sprintf("%s +%.6g", s.Name, s.Value)
	}
	return fmt.Sprintf("%s +%.6g, %.3g a call", s.Name, s.Value, *s.PerCall)
}
