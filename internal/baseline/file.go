package baseline

import (
	"cmp"
	"path"
	"slices"
	"time"
)

// File is a baseline as it was read.
type File struct {
	Path     string // as given
	Failures []Entry
	NotRun   []Entry
}

// Entry is one thing that is known.
type Entry struct {
	Check     string
	Operation string   // empty: any
	Scenarios []string // globs of scenario/variant, or of the scenario's name alone; empty: any
	Because   string
	Until     time.Time // the last day on which it counts, at midnight UTC; zero: it always does
	// Rate is the greatest share of what is looked at that may fail, of a failure that
	// comes and goes; 0: it does not.
	Rate float64
	Line int // in the file
}

// expired tells whether an entry counts no more on a day.
func (e *Entry) expired(today time.Time) bool {
	return !e.Until.IsZero() && today.UTC().Truncate(24*time.Hour).After(e.Until)
}

// speaksOf tells whether an entry is for a check on an operation.
func (e *Entry) speaksOf(check, operation string) bool {
	return e.Check == check && (e.Operation == "" || e.Operation == operation)
}

// covers tells whether an entry is for a scenario, given as scenario/variant.
func (e *Entry) covers(scenario string) bool {
	if len(e.Scenarios) == 0 {
		return true
	}
	name := path.Dir(scenario)
	return slices.ContainsFunc(e.Scenarios, func(glob string) bool {
		whole, _ := path.Match(glob, scenario)
		short, _ := path.Match(glob, name)
		return whole || short
	})
}

// order is how entries stand in a file: by check, operation and scenarios.
func order(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(a.Operation, b.Operation), slices.Compare(a.Scenarios, b.Scenarios))
}

// day is how a date is written.
const day = time.DateOnly
