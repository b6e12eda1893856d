package fakebackend

import (
	"slices"
	"time"
)

// Feature is something that a backend has only if it was asked for, by the name
// of its flag.
type Feature string

// The features that faults need.
const (
	Confirming Feature = "confirm" // Options.ConfirmRounds
	Tasking    Feature = "tasks"   // Options.Tasks
	Jobbing    Feature = "jobs"    // Options.Jobs
	Paging     Feature = "pages"   // Options.PageRows
	DryRunning Feature = "dry-run" // Options.DryRuns
)

// DefaultTakes is how long a task or job takes where nothing else is said, and
// DefaultPage how many rows a page has.
const (
	DefaultTakes = time.Second
	DefaultPage  = 10
)

// With gives the options with features switched on, each in its simplest form;
// what is on already stays as it is.
func (o Options) With(features ...Feature) Options {
	on := func(f Feature) bool { return slices.Contains(features, f) }
	if on(Confirming) && o.ConfirmRounds == 0 {
		o.ConfirmRounds = 1
	}
	if on(Tasking) && o.Tasks == "" {
		o.Tasks = TaskRequired
	}
	if on(Jobbing) {
		o.Jobs = true
	}
	if on(Paging) && o.PageRows == 0 {
		o.PageRows = DefaultPage
	}
	if on(DryRunning) {
		o.DryRuns = true
	}
	return o
}

func (o Options) has(f Feature) bool {
	switch f {
	case Confirming:
		return o.ConfirmRounds > 0
	case Tasking:
		return o.Tasks != ""
	case Jobbing:
		return o.Jobs
	case Paging:
		return o.PageRows > 0
	case DryRunning:
		return o.DryRuns
	}
	return false
}
