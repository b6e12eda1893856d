package load

import (
	"time"

	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Outcome says what came of a call.
type Outcome uint8

// The outcomes. Unjudged is an answer of a shape that neither the contract nor the
// target file knows: it has a latency, and nobody can say whether it is right.
const (
	Failed   Outcome = iota // no result came, or the whole call was refused
	OK                      // the checks find no failed MUST
	Wrong                   // a failed MUST names it
	Unjudged                //
)

var outcomes = [...]string{"failed", "ok", "wrong", "unjudged"}

func (o Outcome) String() string { return outcomes[o] }

// How says how an outcome was found.
type How uint8

// The ways.
const (
	ByTransport How = iota // there was no answer to judge
	ByMemory               // the same bytes as before
	ByPass                 // the forward pass
	Strictly               // the checks, on a recording of the call
	BySample               // only its envelope was looked at (Mode.Every)
)

var hows = [...]string{"transport", "memory", "pass", "strict", "envelope"}

func (h How) String() string { return hows[h] }

// Mode says how much is verified.
type Mode struct {
	// Full has every answer go through the forward pass, also one that is the same
	// as before.
	Full bool
	// Every is set to have only every n-th answer of a user verified, and the
	// others' envelopes looked at: status, id, isError. 0 and 1: all are.
	Every int
}

// Call is one call and what came of it. Times are on the run's clock.
type Call struct {
	Template *Template
	Intended time.Duration // when the plan wanted it sent
	Begun    time.Duration // when the user turned to it
	Sent     time.Duration // when its first byte was about to be written; 0: it was not
	First    time.Duration // when the answer's first byte came; 0: none did
	Done     time.Duration
	Served   time.Duration // the server's own time, as it tells it; only where Timed
	Timed    bool
	Out, In  int // bytes
	Message  int // bytes of the answer's message
	Outcome  Outcome
	How      How
	Class    lean.Class // of a call that failed without an answer, what the transport saw; else Answered
	Form     lean.Form
	// Verdict is what the checks said; nil where they were not asked.
	Verdict *Verdict
	Opened  bool // a connection was opened for it
	UsedUp  bool // there were no numbers left: nothing was sent
}
