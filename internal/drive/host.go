package drive

import (
	"context"
	"encoding/json"

	"github.com/mcpconform/mcpconform/conform"
)

// Session is a session with the server under test. Do may be called from several
// goroutines at once.
type Session interface {
	// NextID gives a JSON-RPC id that no other call of the session has. It is asked
	// for in the order planned, before the call is sent.
	NextID() int
	// Do sends one tools/call and waits for its answer, within the host's bounds on
	// time and size. It records what was sent and received.
	Do(ctx context.Context, call conform.BoundCall, id int) Outcome
}

// Outcome is what became of a call, as far as the next call must know.
type Outcome struct {
	// Unsent is set where not a byte of the call went out.
	Unsent bool
	End    conform.End
	// Result is the exact JSON of the response's result; nil: none came.
	Result json.RawMessage
	// Unended is why the server may still be at work on a write; empty: it is not.
	Unended string
	// Page is set where an intermediary answered in the server's place.
	Page bool
	// Gone is why no further call can be made: "the server process ended"; empty:
	// the target is there.
	Gone string
}

// Probing is what the eyes are asked for.
type Probing struct {
	Call      string // id for the probe's own call
	Instance  string
	Operation string
	Phase     conform.Phase
	Items     []conform.Item
}

// Resetting is what a reset is asked for.
type Resetting struct {
	Call      string
	Instance  string
	Operation string
}

// Host is what a play is driven on.
type Host interface {
	// Session gives the session of a name (s1, s2, …), opened if it is not open. An
	// error means that none can be had: the target is gone.
	Session(ctx context.Context, name string) (Session, error)
	// Probe looks at the state of items and records an effect, also where nothing
	// could be read.
	Probe(ctx context.Context, p Probing)
	// Reset puts the state back, and tells whether the target acknowledged it.
	Reset(ctx context.Context, r Resetting) bool
	// Restart ends the server and starts it again; every session ends with it. An
	// error means that it did not come back.
	Restart(ctx context.Context) error
	// Record adds an observation to the transcript; the host numbers and times it.
	// It may be called from one goroutine at a time.
	Record(o conform.Observation)
}
