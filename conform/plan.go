package conform

import "encoding/json"

// Truth is what is known of an item before it is asked for.
type Truth string

// The truths. Unknown (empty) is said of items of recorded answers and of a
// second duplicate, whose fate the server decides.
const (
	Unknown Truth = ""
	Good    Truth = "good" // the operation must succeed on it
	Bad     Truth = "bad"  // the operation must refuse it
)

// Item is one requested item.
type Item struct {
	Given json.RawMessage `json:"given"`           // exactly as sent: a JSON string, number or object; for scalar input the piece of text, as a JSON string
	Means json.RawMessage `json:"means,omitempty"` // the canonical item, where it differs from Given
	Truth Truth           `json:"truth,omitempty"`
	// Because is the refusal expected of a bad item, as the target file says it.
	Because string `json:"because,omitempty"`
	// Equals is one more than the position of an earlier item of the same call
	// that is equal after canonicalization; 0 where there is none.
	Equals int `json:"equals,omitempty"`
}

// Role is what a call is for.
type Role string

// The roles of calls.
const (
	RoleLifecycle Role = "lifecycle" // initialize, notifications/initialized, server/discover, DELETE
	RoleList      Role = "list"      // tools/list
	RolePing      Role = "ping"
	RolePrimary   Role = "primary" // the operation's own tool
	RoleValidator Role = "validator"
	RoleProbe     Role = "probe" // reads the state
	RoleReset     Role = "reset"
	RoleItems     Role = "items" // reads the items that the run asks for
	RoleUndo      Role = "undo"  // takes back what was done to some items, or takes away what a setup made
	RoleSetup     Role = "setup" // puts items in place
	// RoleContinue carries on a call that one exchange does not end: Planned.Continues.
	RoleContinue Role = "continue"
	RoleUnit     Role = "unit" // the one-item tool, to compare with
	// RoleConflict is a call of the operation's own tool under an idempotency key that
	// stands for other arguments: Planned.KeyOf.
	RoleConflict Role = "conflict"
)

// UserAction is what a user does with a question (MCP, elicitation).
type UserAction string

// The actions.
const (
	Accept  UserAction = "accept"
	Decline UserAction = "decline" // says no
	Cancel  UserAction = "cancel"  // goes away without an answer
)

// MostRounds bounds how often one call is made again with answers to what its
// tool asks (MCP 2026-07-28, multi round-trip requests).
const MostRounds = 8

// Style is how items are handed over (contract 4.2).
type Style string

// The styles.
const (
	StyleArray  Style = "array"
	StyleScalar Style = "scalar"
)

// Form is the JSON shape in which a collection argument is sent. The zero value
// is a list of items as the target file writes them.
type Form string

// The forms that INP-03 and INP-04 play besides the ordinary list.
const (
	FormList       Form = ""
	FormStrings    Form = "strings"     // a list of strings
	FormObjects    Form = "objects"     // a list of canonical objects
	FormBareObject Form = "bare-object" // one object, not in a list
	FormBareString Form = "bare-string" // one string, not in a list
	FormEmpty      Form = "empty"       // an empty list (or text)
	FormMissing    Form = "missing"     // the argument left out
)

// Planned is what a call was meant to ask, and the ground truth that goes with
// it. It is recorded before the call is sent.
type Planned struct {
	Scenario  string `json:"scenario,omitempty"` // "partial"
	Variant   string `json:"variant,omitempty"`  // "bad-first"
	Instance  string `json:"instance,omitempty"` // one playing of it: "partial/bad-first/cancel-products#1"; effects are bracketed by instance
	Step      string `json:"step,omitempty"`     // the scenario's word: "execute", "repeat", …
	Operation string `json:"operation,omitempty"`
	Role      Role   `json:"role"`
	Method    string `json:"method,omitempty"` // JSON-RPC method; empty for DELETE
	Tool      string `json:"tool,omitempty"`

	Items     []Item          `json:"items,omitempty"`
	Form      Form            `json:"form,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // of tools/call, exactly as sent
	// Extra names arguments that the tool's schema does not know (INP-02).
	Extra []string `json:"extra,omitempty"`
	// Follows is the validator call whose resolved_arguments these Arguments are.
	Follows string `json:"follows,omitempty"`
	// Repeats is the call that this one repeats to the byte.
	Repeats string `json:"repeats,omitempty"`
	// Retries is the call whose items this one asks for again under a new key.
	Retries string `json:"retries,omitempty"`
	// Regroups is the call some of whose items this one asks for once more, in other
	// company: Places are where they stood there, from 1, in the order of Items.
	Regroups string `json:"regroups,omitempty"`
	Places   []int  `json:"places,omitempty"`
	Key      string `json:"key,omitempty"` // idempotency key sent
	// KeyOf is the call that Key was made for, where this one has other arguments.
	KeyOf string `json:"key_of,omitempty"`
	// Continues is the call that this one carries on: a further round with the
	// user's answers, a look at a task. It is no call of its own to the contract.
	Continues string `json:"continues,omitempty"`
	// Answer is how the user answers every question of the call's, where the
	// scenario says so, and not the target file.
	Answer UserAction `json:"answer,omitempty"`
	// Progress is set where the call asks to be told how far it is.
	Progress bool `json:"progress,omitempty"`
	// Cancels is set where the call is cancelled in its middle, or the task that it becomes at once: what
	// becomes of its items is the server's to say.
	Cancels bool `json:"cancels,omitempty"`
	// AuxiliaryFails is set where the call asks a workflow's auxiliary step to fail.
	AuxiliaryFails bool `json:"auxiliary_fails,omitempty"`
	// DryRun is set where the call asks for a dry run: it is to do nothing,
	// whatever its answer says.
	DryRun bool `json:"dry_run,omitempty"`
	// Burst names the calls that are in flight together with this one.
	Burst    string `json:"burst,omitempty"`
	InFlight int    `json:"in_flight,omitempty"` // size of the burst
	// After names the burst that this call follows, to see whether the server
	// still works.
	After string `json:"after,omitempty"`
	Sweep bool   `json:"sweep,omitempty"` // measured in the short sweep of batch sizes
}

// Generated is the scenario that batches are played as which were made up. Their variants
// are named by the words of the batch.
const Generated = "generated"

// Play is one playing of a scenario's variant on an operation.
type Play struct {
	Scenario  string   `json:"scenario"`
	Variant   string   `json:"variant"`
	Operation string   `json:"operation"`
	Instance  string   `json:"instance"`
	Checks    []string `json:"checks"` // that its evidence feeds
	// Smaller says how it was cut down, to the items at hand or to limits.batch;
	// empty: it was not.
	Smaller string `json:"smaller,omitempty"`
	// Mixed are the tools, besides the operation's own, that calls in flight with it
	// were made to.
	Mixed []string `json:"mixed,omitempty"`
}

// Skipped is a scenario, or one call of it, that was not played.
type Skipped struct {
	Scenario  string   `json:"scenario"`
	Variant   string   `json:"variant,omitempty"`
	Operation string   `json:"operation,omitempty"`
	Reason    string   `json:"reason"`           // "needs 2 bad items, the target file has 1"
	Key       string   `json:"key,omitempty"`    // the target file's key that would make it run
	Checks    []string `json:"checks,omitempty"` // the checks that lose their evidence
	// Wrong says that the key is there and wrong, rather than missing.
	Wrong bool `json:"wrong,omitempty"`
	// NotApplicable says the scenario has no meaning here, rather than that
	// something is missing (the tool's own input schema forbids the call; the
	// target file declares the thing absent).
	NotApplicable bool `json:"not_applicable,omitempty"`
	// Narrowed says that the run's own options left the scenario out.
	Narrowed bool `json:"narrowed,omitempty"`
	// As is the scenario and variant, "sweep/10", that it would have been no other
	// than, cut down as it was: whether that was played is told there.
	As string `json:"as,omitempty"`
	// Planned says that the run had planned to play it, and could not when its turn came.
	Planned bool `json:"planned,omitempty"`
}

// CallParams are the params of tools/call, the arguments to the byte; nil: there
// are none.
func CallParams(tool string, arguments json.RawMessage) json.RawMessage {
	name, _ := json.Marshal(tool) // a text always encodes
	params := append([]byte(`{"name":`), name...)
	if arguments != nil {
		params = append(append(params, `,"arguments":`...), arguments...)
	}
	return append(params, '}')
}
