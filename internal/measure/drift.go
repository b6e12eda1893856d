package measure

import (
	"math"
	"slices"
	"time"
)

// Parts is into how many parts of equal length a soak's window is divided.
const Parts = 10

// Soak is how the figures of one long window moved. A member is nil where too few parts
// have it.
type Soak struct {
	P50MS    *Trend `json:"p50_ms,omitempty"`
	P99MS    *Trend `json:"p99_ms,omitempty"`
	Resident *Trend `json:"resident,omitempty"` // bytes of the server's processes
	// ResidentPer1000 is by how much their memory grew for each thousand calls, in bytes,
	// along the line; below 0: it fell.
	ResidentPer1000 *float64 `json:"resident_per_1000_calls,omitempty"`
}

// Drifts tells that any of the figures drifted.
func (s *Soak) Drifts() bool {
	return slices.ContainsFunc([]*Trend{s.P50MS, s.P99MS, s.Resident}, func(t *Trend) bool { return t != nil && t.Drifts })
}

// Trend is how a figure moved over the parts of a window.
type Trend struct {
	Each []*float64 `json:"each"` // by part; nil where a part has too little for it
	From float64    `json:"from"` // at the first of the parts that have it, along the fitted line
	To   float64    `json:"to"`   // at the last
	// Growth is from From to To, as a share of From, and Interval that of the line's slope
	// at the confidence 0.99.
	Growth   float64    `json:"growth"`
	Interval [2]float64 `json:"interval"`
	// Drifts is set where the interval is all on one side, and the growth is more than a
	// tenth: what moves less, or to and fro, is told by no word.
	Drifts bool `json:"drifts"`
}

const (
	leastDrift = 0.1
	z99        = 2.5758 // of the normal distribution, both tails together 0.01
)

// TrendOf fits a line through the figures of parts (Theil-Sen), with the interval of
// its slope by the order of the pairs' slopes (Sen 1968): a few parts that are far off
// do not move it. Nil where fewer than seven have one, which has no interval, or where it
// does not begin above 0.
func TrendOf(each []*float64) *Trend {
	var points []Point
	for i, value := range each {
		if value != nil {
			points = append(points, Point{X: float64(i), Y: *value})
		}
	}
	line, ok := TheilSen(points)
	if !ok {
		return nil
	}
	n := float64(len(points))
	slopes := pairSlopes(points)
	spread := z99 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	lowest := int((float64(len(slopes))-spread)/2) - 1
	first, last := points[0].X, points[len(points)-1].X
	from := line.A + line.B*first
	if lowest < 0 || from <= 0 {
		return nil
	}
	growth := func(slope float64) float64 { return slope * (last - first) / from }
	t := &Trend{
		From: *significant(from), To: *significant(line.A + line.B*last), Growth: growth(line.B),
		Interval: [2]float64{growth(slopes[lowest]), growth(slopes[len(slopes)-1-lowest])},
	}
	for _, value := range each {
		if value != nil {
			value = significant(*value)
		}
		t.Each = append(t.Each, value)
	}
	t.Drifts = t.Growth > leastDrift && t.Interval[0] > 0 || t.Growth < -leastDrift && t.Interval[1] < 0
	return t
}

// span gives over how many parts a trend's line goes.
func (t *Trend) span() int {
	first, last := -1, 0
	for i, value := range t.Each {
		if value == nil {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	return last - first + 1
}

// Soak gives how latency moved over the parts of the last window, and the memory of the
// server's processes, by part; nil: the window has no parts.
func (r *Rounds) Soak(resident [][]float64) *Soak {
	if len(r.each) == 0 || r.each[len(r.each)-1].Window.Parts == 0 {
		return nil
	}
	t := r.each[len(r.each)-1]
	quantile := func(share float64, least int) *Trend {
		each := make([]*float64, t.Window.Parts)
		for i := range t.parts {
			if t.parts[i].count >= least {
				ms := float64(t.parts[i].Quantile(share)) / float64(time.Millisecond)
				each[i] = &ms
			}
		}
		return TrendOf(each)
	}
	s := &Soak{P50MS: quantile(0.5, Loaded.P50), P99MS: quantile(0.99, Loaded.P99)}
	memory := make([]*float64, len(resident))
	for i, values := range resident {
		if len(values) > 0 {
			middle := Median(values)
			memory[i] = &middle
		}
	}
	if s.Resident = TrendOf(memory); s.Resident != nil {
		ok, failed, wrong, unjudged := t.Calls()
		if calls := ok + failed + wrong + unjudged; calls > 0 {
			// The line goes from the middle of the first part to that of the last.
			parts := s.Resident.span()
			grown := (s.Resident.To - s.Resident.From) * float64(parts) / float64(parts-1)
			s.ResidentPer1000 = significant(grown * 1000 / float64(calls))
		}
	}
	return s
}
