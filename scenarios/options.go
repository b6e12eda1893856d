package scenarios

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/filter"
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
	// Again is what an earlier run left open: nothing else is played. Nil: everything is.
	Again *conform.Rerun
	// Sessions is over how many sessions a scenario is spread that names several, and
	// InFlight how many calls each session has out at once in a scenario that does not
	// say how many; 0: the defaults.
	Sessions, InFlight int
	// CanRestart tells that the run started the server, and can start it again.
	CanRestart bool
	// Scenarios are those to play; nil: the built-in ones.
	Scenarios []*Scenario
}

// Chosen tells whether the options take an operation.
func (o Options) Chosen(operation string) bool { return filter.Takes(o.OperationGlobs, operation) }
