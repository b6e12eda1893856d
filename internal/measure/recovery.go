package measure

import (
	"slices"
	"time"
)

// Recovery is how latency came back after a spike of the rate; of several rounds, that of
// the slowest. Latencies are the means of seconds, from when calls were due.
type Recovery struct {
	From     float64 `json:"from_seconds"` // of the spike, from the window's beginning
	To       float64 `json:"to_seconds"`
	BeforeMS float64 `json:"before_ms"` // the median of the seconds before it
	WorstMS  float64 `json:"worst_ms"`  // the slowest second from its beginning on
	// Seconds is after how long, from the spike's end, latency was as before, to a whole
	// second above; nil: it was not by the end of the window.
	Seconds *int `json:"seconds"`
	Watched int  `json:"watched_seconds"` // from the spike's end to that of the window
}

const (
	// leastSeconds are needed before a spike to know what latency is like without it.
	leastSeconds = 3
	// staying is for how many seconds in a row latency must be as before.
	staying = 3
	// asBefore is what passes for the latency before, as a multiple of its median, where
	// that did not vary as much by itself.
	asBefore = 1.2
)

// Recovery tells how latency came back after a spike that lasted from one time to
// another, counted from each window's beginning; nil where it cannot be told: nothing was
// measured before or behind it, or windows are longer than an hour.
func (r *Rounds) Recovery(from, to time.Duration) *Recovery {
	var slowest *Recovery
	for _, t := range r.each {
		one := t.recovery(from, to)
		if one == nil {
			return nil
		}
		if slowest == nil || slowest.Seconds != nil && (one.Seconds == nil || *one.Seconds > *slowest.Seconds) {
			slowest = one
		}
	}
	return slowest
}

func (t *Tally) recovery(from, to time.Duration) *Recovery {
	if t.tick > time.Second {
		return nil
	}
	first := int(from / time.Second)
	end := int((to + time.Second - 1) / time.Second)
	last := min(len(t.seconds), int((t.Window.To-t.Window.From)/time.Second)) // whole ones
	if first < leastSeconds || end >= last {
		return nil
	}
	var means []float64
	bad := 0
	for _, s := range t.seconds[:first] {
		if s.came[OK] > 0 {
			means = append(means, s.mean())
		}
		bad = max(bad, s.came[Failed]+s.came[Wrong])
	}
	if len(means) < leastSeconds {
		return nil
	}
	median := Median(means)
	bound := max(slices.Max(means), asBefore*median)
	rec := &Recovery{From: from.Seconds(), To: to.Seconds(), BeforeMS: *significant(median), Watched: last - end}
	for _, s := range t.seconds[first:last] {
		if s.came[OK] > 0 {
			rec.WorstMS = max(rec.WorstMS, s.mean())
		}
	}
	well, answered := 0, false
	for i := end; i < last; i++ {
		s := t.seconds[i]
		answered = answered || s.came[OK] > 0
		if s.came[OK] == 0 || s.mean() > bound || s.came[Failed]+s.came[Wrong] > bad {
			well = 0
			continue
		}
		if well++; well == staying || i == last-1 {
			// When the first of them was over, counted from when the spike was.
			after := int((time.Duration(i-well+2)*time.Second - to + time.Second - 1) / time.Second)
			rec.Seconds = &after
			break
		}
	}
	if !answered {
		return nil
	}
	rec.WorstMS = *significant(rec.WorstMS)
	return rec
}

// mean is the mean latency of a second's OK answers, in milliseconds.
func (s second) mean() float64 {
	return float64(s.sum) / float64(s.came[OK]) / float64(time.Millisecond)
}
