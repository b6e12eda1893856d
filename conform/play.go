package conform

import "encoding/json"

// BoundPlay is one playing of a scenario on an operation with its items chosen:
// everything that will be asked, in order, with the ground truth. Two plays bound
// from the same seed and the same supply are equal to the byte.
type BoundPlay struct {
	Scenario  string
	Variant   string
	Operation string
	// Instance names this playing: "partial/bad-first/cancel-products#1". Every
	// call's id begins with it.
	Instance string
	// Checks are those that lose their evidence where the play stops early.
	Checks []string
	// Smaller says how the play was cut down, to the items at hand or to
	// limits.batch; empty: it was not.
	Smaller string
	// Needs are the good items that it asks for, in their canonical form: what a
	// setup puts in place.
	Needs []Item
	Steps []BoundStep
}

// Calls gives every tool call of the play, in the order planned; probes and
// resets are the host's and not among them.
func (p BoundPlay) Calls() []BoundCall {
	var calls []BoundCall
	for _, s := range p.Steps {
		calls = append(calls, s.Calls...)
	}
	return calls
}

// Act says what a step of a play does.
type Act string

// The acts.
const (
	ActCalls Act = "calls" // the calls one after another
	ActBurst Act = "burst" // the calls all in flight together
	ActProbe Act = "probe" // eyes look at the state of Items
	ActReset Act = "reset" // the state is put back

	// ActRestart ends the server that the run started, and starts it again.
	ActRestart Act = "restart"
)

// BoundStep is one step of a play.
type BoundStep struct {
	Act   Act
	Name  string // the scenario's word for it, unique in the play
	Phase Phase  // of a probe
	Items []Item // of a probe: whose state is read
	Calls []BoundCall
}

// BoundCall is one tool call of a play.
type BoundCall struct {
	ID      string // "<instance>/<step>[.<k>]"
	Session string // the harness's name for the session it goes out on: s1, s2, …
	// Write is set where a reply that did not come leaves the effect unknown: such
	// a call is never sent a second time.
	Write   bool
	Planned Planned
	// Follows is the validator call whose resolved_arguments are merged over
	// Planned.Arguments before this call goes out (contract 3.4); empty: the
	// arguments are sent as planned.
	Follows string
	// Keep are arguments, a JSON object, that nothing merged over them takes the
	// place of; nil: there are none.
	Keep json.RawMessage
}

// Played is what became of a bound play.
type Played struct {
	// Reset tells that a reset within the play was acknowledged.
	Reset bool
	// Sent are the ids of the calls that went out since the last such reset, or
	// since the beginning: also those that failed or got no answer.
	Sent []string
	// Stopped is why the play ended before its last step: "the server process
	// ended"; empty: it was played to its end.
	Stopped string
}
