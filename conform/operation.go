package conform

import (
	"encoding/json"
	"time"
)

// Target is what judging must know of the target file: it travels in the
// transcript's header, so that a recording can be judged without the file.
type Target struct {
	Name      string `json:"name"`
	File      string `json:"file,omitempty"`     // as given on the command line
	Host      string `json:"host,omitempty"`     // of an HTTP server
	Transport string `json:"transport"`          // streamable-http | sse | stdio | rest
	Protocol  string `json:"protocol,omitempty"` // the revision asked for; empty: the newest both speak
	Builtin   bool   `json:"builtin,omitempty"`  // the demonstration backend
	HasFile   bool   `json:"has_file,omitempty"` // a target file describes the server
	// Guessed tells that nobody described the operations: they were guessed from what
	// the server lists, and a run on them is never conformant.
	Guessed    bool        `json:"guessed,omitempty"`
	Operations []Operation `json:"operations,omitempty"`
	Ignore     []Ignored   `json:"ignore,omitempty"`
	// Selector is how a command line names this target: "--target FILE",
	// "--url URL", "-- CMD ARG…", or "judge FILE" for a recorded answer.
	Selector string `json:"selector,omitempty"`
}

// Ignored is a tool that the target file leaves out, with the reason.
type Ignored struct {
	Tool    string `json:"tool"`
	Because string `json:"because"`
}

// Presence tells a thing that the target file describes from one that it
// declares absent and from one that it does not speak of.
type Presence string

// The presences. Unsaid leads to not-run, Absent to not applicable.
const (
	Unsaid  Presence = ""
	Present Presence = "present"
	Absent  Presence = "absent" // declared: `validator: none`
)

// Operation is one multi-item operation of the server under test.
type Operation struct {
	Name     string          `json:"name"`
	Tool     string          `json:"tool"`
	Write    bool            `json:"write,omitempty"` // effect: write
	Argument string          `json:"argument"`
	Style    Style           `json:"style"`
	Fixed    json.RawMessage `json:"fixed,omitempty"` // arguments sent with every call, a JSON object

	Validator     Presence `json:"validator,omitempty"`
	ValidatorTool string   `json:"validator_tool,omitempty"`
	Workflow      Presence `json:"workflow,omitempty"`
	// AuxiliaryFailure are the arguments that make the workflow's auxiliary step fail.
	AuxiliaryFailure json.RawMessage `json:"auxiliary_failure,omitempty"`
	Idempotency      Presence        `json:"idempotency,omitempty"`
	KeyArgument      string          `json:"key_argument,omitempty"`
	Probe            Presence        `json:"probe,omitempty"`
	ProbeTool        string          `json:"probe_tool,omitempty"`
	// ProbeID is the member by which the probe names an item, of its rows and, where
	// items have one of that name, of items.
	ProbeID   string   `json:"probe_id,omitempty"`
	Reset     Presence `json:"reset,omitempty"`
	ResetTool string   `json:"reset_tool,omitempty"`
	// UnitTool does the same for one item a call.
	UnitTool string `json:"unit_tool,omitempty"`
	// ItemTools are tools that only read, and that items are taken from.
	ItemTools []string `json:"item_tools,omitempty"`
	Undo      Presence `json:"undo,omitempty"`
	UndoTool  string   `json:"undo_tool,omitempty"`
	Setup     Presence `json:"setup,omitempty"`
	SetupTool string   `json:"setup_tool,omitempty"`
	// SetupUndoTool takes away what the setup made.
	SetupUndoTool string `json:"setup_undo_tool,omitempty"`

	// DryRun are the arguments with which the tool answers as ever and does
	// nothing, a JSON object; nil: none are known.
	DryRun json.RawMessage `json:"dry_run,omitempty"`

	Eventual  bool   `json:"eventual,omitempty"`  // consistency: eventual
	Strong    bool   `json:"strong,omitempty"`    // consistency: strong, where the target file says it
	Semantics string `json:"semantics,omitempty"` // once | idempotent | append
	Atomic    bool   `json:"atomic,omitempty"`    // one bad item rolls the whole batch back
	// FoldCase says the server takes letter case for equal.
	FoldCase bool `json:"fold_case,omitempty"`
	// Operations whose answers are known to carry protocol or operation ids.
	ProtocolIDs bool `json:"protocol_ids,omitempty"`
	// Answers says that the target file answers what the operation's tools ask.
	Answers bool `json:"answers,omitempty"`
	// Tasks says that calls which run as tasks are polled to their end.
	Tasks   bool    `json:"tasks,omitempty"`
	Results Results `json:"results,omitzero"`
}

// StaysGood tells whether a good item that was done already is still good: the
// target file says that doing it once more is lawful.
func (o *Operation) StaysGood() bool { return o.Semantics == "idempotent" || o.Semantics == "append" }

// Results is the target file's mapping for a server of another shape. It feeds
// effect, concurrency and load checks only; the contract's shape checks look at
// the answer as the contract has it.
type Results struct {
	Path    string   `json:"path,omitempty"`    // JSONPath to the rows, from the payload; empty: the contract's places
	Success []string `json:"success,omitempty"` // flag names; or "present" or "call"
	ID      []string `json:"id,omitempty"`      // further identity members
	// Split, RowID and RowFailed are regular expressions that read rows from flat text.
	Split     string `json:"split,omitempty"`
	RowID     string `json:"row_id,omitempty"`
	RowFailed string `json:"row_failed,omitempty"`
	// Add and Remove change AGG-05's closed list of aggregate names.
	Add    []string `json:"add,omitempty"`
	Remove []string `json:"remove,omitempty"`
	// Async says how a job is polled that a call begins, and Next how further pages
	// of rows are asked for; nil: that is not done.
	Async *Async `json:"async,omitempty"`
	Next  *Next  `json:"next,omitempty"`
}

// Async says how the outcome of a job is asked for. What is left empty is what
// servers usually do.
type Async struct {
	Tool      string          `json:"tool"`
	Argument  string          `json:"argument,omitempty"`  // of the tool, takes the job's id; empty: called like the member that gives it
	Arguments json.RawMessage `json:"arguments,omitempty"` // further ones, a JSON object
	ID        string          `json:"id,omitempty"`        // member of the payload, or JSONPath into it, that names the job
	State     string          `json:"state,omitempty"`     // likewise, how far the job is
	Done      []string        `json:"done,omitempty"`      // states of a job that has ended well
	Failed    []string        `json:"failed,omitempty"`    // and of one that has not
	// Result is the member or JSONPath of the answer in the payload of the tool's;
	// empty: the payload itself.
	Result string        `json:"result,omitempty"`
	Every  time.Duration `json:"every_ns,omitempty"` // how often the job is looked at; 0: 250ms
}

// Next says how the rows after the first page are asked for.
type Next struct {
	Tool      string          `json:"tool,omitempty"`      // empty: the operation's own
	Cursor    string          `json:"cursor,omitempty"`    // member beside the rows or of the payload, or JSONPath, that holds the cursor
	Argument  string          `json:"argument,omitempty"`  // of the tool, takes the cursor
	Arguments json.RawMessage `json:"arguments,omitempty"` // further ones, a JSON object
	// Repeat sends the call's own arguments again beside the cursor.
	Repeat bool `json:"repeat,omitempty"`
}

// Mapped tells whether the file maps another shape onto rows.
func (r Results) Mapped() bool {
	return r.Path != "" || r.Split != "" || len(r.Success) == 1 && (r.Success[0] == "present" || r.Success[0] == "call")
}
