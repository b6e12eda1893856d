package scenarios

import (
	"fmt"
	"path"
	"strings"
)

// Options narrow and bound a plan. The zero value plays everything of effort
// standard once.
type Options struct {
	Seed uint64
	// Run is the run's short id: it goes into idempotency keys and items, so that
	// two runs on one server do not meet. The same id and seed give the same bytes.
	Run    string
	Effort Effort
	Repeat int // how often each play is played; 0: once
	// NoWrites is why no write is played: "--read-only"; empty: writes are played.
	NoWrites string
	// NoWritesKey is the target file's key that would allow them, if one would.
	NoWritesKey string
	// MaxWriteItems bounds the items of all writes of the run; 0: no bound.
	MaxWriteItems  int
	ScenarioGlobs  []string // "partial", "partial/*"; empty: all
	OperationGlobs []string
	// Sessions is over how many sessions a scenario is spread that names several, and
	// InFlight how many calls each session has out at once in a scenario that does not
	// say how many; 0: the defaults.
	Sessions, InFlight int
	// CanRestart tells that the run started the server, and can start it again.
	CanRestart bool
	// Scenarios are those to play; nil: the built-in ones.
	Scenarios []*Scenario
}

// FilterError is a filter that matches nothing, or cannot be read.
type FilterError struct {
	Flag, Glob string
	Problem    string // empty: it matches nothing
	Known      []string
}

func (e *FilterError) Error() string {
	if e.Problem != "" {
		return fmt.Sprintf("%s %q: %s", e.Flag, e.Glob, e.Problem)
	}
	mend := suggestion(e.Glob, e.Known)
	if mend == "" {
		mend = "there are " + strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("%s %q matches nothing: %s", e.Flag, e.Glob, mend)
}

// matches tells whether a glob takes one of the names.
func matches(glob string, names ...string) bool {
	for _, name := range names {
		if ok, _ := path.Match(glob, name); ok {
			return true
		}
	}
	return false
}

// Chosen tells whether the options take an operation.
func (o Options) Chosen(operation string) bool { return chosen(o.OperationGlobs, operation) }

func chosen(globs []string, names ...string) bool {
	for _, glob := range globs {
		if matches(glob, names...) {
			return true
		}
	}
	return len(globs) == 0
}

// checkFilter finds a glob that is none or takes nothing.
func checkFilter(flag string, globs, known, further []string) error {
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return &FilterError{Flag: flag, Glob: glob, Problem: "not a pattern: * and ? stand for letters, [ab] for one of them"}
		}
		if !matches(glob, known...) && !matches(glob, further...) {
			return &FilterError{Flag: flag, Glob: glob, Known: known}
		}
	}
	return nil
}
