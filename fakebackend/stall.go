package fakebackend

import (
	"errors"
	"time"
)

// Stall freezes the backend again and again: at the end of every period, counted
// from the backend's start, nothing goes on for a while, and no call of a tool is
// answered. The zero value is none.
type Stall struct {
	For   time.Duration // how long nothing goes on
	Every time.Duration // the period, the frozen time included
}

func (s Stall) check() error {
	if s != (Stall{}) && !(0 < s.For && s.For < s.Every) {
		return errors.New("a stall lasts longer than nothing, and shorter than its period")
	}
	return nil
}

// stalls are the stalls of a backend since its start.
type stalls struct {
	start       time.Time
	every, open time.Duration // a period, and what of it is not frozen
}

func newStalls(s Stall, start time.Time) stalls {
	return stalls{start: start, every: s.Every, open: s.Every - s.For}
}

// after gives when work of a length is done that begins at a time: work stands
// still while everything is frozen.
func (s stalls) after(begins time.Time, work time.Duration) time.Time {
	if s.every == 0 {
		return begins.Add(work)
	}
	since := begins.Sub(s.start)
	whole, part := since/s.every, since%s.every
	done := whole*s.open + min(part, s.open) + work // without the frozen times
	return s.start.Add(done/s.open*s.every + done%s.open)
}
