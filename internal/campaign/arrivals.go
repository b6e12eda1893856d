package campaign

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/pace"
)

// Stage is a time in which the rate goes from one value to another, in calls a
// second. One that takes no time takes the whole window.
type Stage = pace.Stage

// Arrivals are when the calls of an open loop come; the zero value is a closed loop.
type Arrivals struct {
	Stages []Stage
	// Replay are the instants of a log, from the beginning of the window; with them there
	// are no stages.
	Replay []time.Duration
	How    string // ArriveConstant (and empty), ArrivePoisson or ArriveInBursts
	Burst  int    // calls of a burst
}

// ReadArrivals reads the instants of a log's calls; see pace.ReadArrivals.
func ReadArrivals(in io.Reader) ([]time.Duration, error) { return pace.ReadArrivals(in) }

// How calls come.
const (
	ArriveConstant = "constant" // evenly spaced
	ArrivePoisson  = "poisson"  // independent of one another, as those of many users are
	ArriveInBursts = "bursts"   // several at one instant, as an agent makes them that fans out
)

// Open tells an open loop.
func (a Arrivals) Open() bool { return len(a.Stages)+len(a.Replay) > 0 }

// Varies tells that the rate changes in the course of a window.
func (a Arrivals) Varies() bool {
	return len(a.Replay) > 0 || len(a.Stages) > 1 || len(a.Stages) == 1 && a.Stages[0].From != a.Stages[0].To
}

// Length is how long the stages take by themselves; 0: as long as the window.
func (a Arrivals) Length() (all time.Duration) {
	if n := len(a.Replay); n > 0 {
		return a.Replay[n-1] + time.Millisecond // the last is in it
	}
	for _, s := range a.Stages {
		all += s.For
	}
	return all
}

// spikes is how many times the first stage's rate makes a spike.
const spikes = 1.5

// Spike gives when a spike of the rate begins and ends: the stages after the first that
// go beyond one and a half times its rate, and behind which one comes that does not.
func (a Arrivals) Spike() (from, to time.Duration, ok bool) {
	if len(a.Stages) < 3 || peak(a.Stages[0]) == 0 {
		return 0, 0, false
	}
	bound := spikes * peak(a.Stages[0])
	at, in := time.Duration(0), false
	for _, s := range a.Stages {
		switch high := peak(s) > bound; {
		case high && !in && at > 0:
			from, in = at, true
		case !high && in:
			return from, at, true
		}
		at += s.For
	}
	return 0, 0, false
}

// stages gives the stages of a window.
func (a Arrivals) stages(window time.Duration) []Stage {
	stages := make([]Stage, len(a.Stages))
	for i, s := range a.Stages {
		if s.For == 0 {
			s.For = window
		}
		stages[i] = s
	}
	return stages
}

// Rate is the mean rate over a window, in calls a second.
func (a Arrivals) Rate(window time.Duration) float64 {
	calls, all := float64(len(a.Replay)), a.Length().Seconds()
	if len(a.Replay) == 0 {
		all = 0
	}
	for _, s := range a.stages(window) {
		calls += (s.From + s.To) / 2 * s.For.Seconds()
		all += s.For.Seconds()
	}
	if all == 0 {
		return 0
	}
	return calls / all
}

// Peak is the highest rate, in calls a second.
func (a Arrivals) Peak() (rate float64) {
	if len(a.Replay) > 0 {
		rate = a.Rate(0)
	}
	for _, s := range a.Stages {
		rate = max(rate, peak(s))
	}
	return rate
}

func peak(s Stage) float64 { return max(s.From, s.To) }

// schedule gives the instants of a window's calls; Poisson arrivals are drawn by the
// seed.
func (a Arrivals) schedule(window time.Duration, seed uint64) (pace.Schedule, error) {
	if len(a.Replay) > 0 {
		return pace.Recorded(a.Replay)
	}
	stages := a.stages(window)
	if a.How == ArriveInBursts {
		for i := range stages {
			stages[i].From, stages[i].To = stages[i].From/float64(a.Burst), stages[i].To/float64(a.Burst)
		}
	}
	even, err := pace.Staged(stages...)
	if err != nil {
		return nil, err
	}
	switch a.How {
	case "", ArriveConstant:
		return even, nil
	case ArrivePoisson:
		return pace.Poisson(even, seed), nil
	case ArriveInBursts:
		return pace.Bursts(even, a.Burst)
	}
	return nil, fmt.Errorf("arrivals are %s, %s or %s, not %q", ArriveConstant, ArrivePoisson, ArriveInBursts, a.How)
}

// String says how calls come: "500/s, poisson", "100/s in 10s, 100/s to 500/s in 30s, constant".
func (a Arrivals) String() string {
	if n := len(a.Replay); n > 0 {
		return fmt.Sprintf("%d arrivals of a log in %s", n, a.Length().Round(time.Millisecond))
	}
	var parts []string
	for _, s := range a.Stages {
		part := fmt.Sprintf("%g/s", s.From)
		if s.To != s.From {
			part += fmt.Sprintf(" to %g/s", s.To)
		}
		if s.For > 0 {
			part += fmt.Sprintf(" in %s", s.For)
		}
		parts = append(parts, part)
	}
	how := cmp.Or(a.How, ArriveConstant)
	if a.How == ArriveInBursts {
		how = fmt.Sprintf("in bursts of %d", a.Burst)
	}
	return strings.Join(append(parts, how), ", ")
}
