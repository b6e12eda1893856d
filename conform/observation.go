package conform

import (
	"encoding/json"
	"fmt"
	"time"
)

// Kind is the sort of an observation.
type Kind string

// The kinds. Everything that can decide a check is an observation of one of them.
const (
	KindPlay     Kind = "play" // a scenario's variant begins on an operation
	KindPlanned  Kind = "planned"
	KindSkipped  Kind = "skipped"
	KindSent     Kind = "sent"
	KindReceived Kind = "received"
	KindEffect   Kind = "effect"
	KindPutBack  Kind = "put-back" // what was put back or in place
	KindFault    Kind = "fault"    // something that the harness itself did to the connection or the server
	// KindEnded is the last one that is judged. After an interruption it is followed
	// by what was put back.
	KindEnded Kind = "ended"
)

// Observation is one line of a transcript. Exactly one of the pointers is set,
// as Kind says.
type Observation struct {
	Seq     int64         `json:"seq"` // 1, 2, 3, … in the order written
	At      time.Duration `json:"at_ns"`
	Kind    Kind          `json:"kind"`
	Call    string        `json:"call,omitempty"`    // id of the planned call it belongs to
	Session string        `json:"session,omitempty"` // the harness's name for the session: s1, s2, …

	Play     *Play     `json:"play,omitempty"`
	Planned  *Planned  `json:"planned,omitempty"`
	Skipped  *Skipped  `json:"skipped,omitempty"`
	Sent     *Sent     `json:"sent,omitempty"`
	Received *Received `json:"received,omitempty"`
	Effect   *Effect   `json:"effect,omitempty"`
	PutBack  *PutBack  `json:"put_back,omitempty"`
	Fault    *Fault    `json:"fault,omitempty"`
	Ended    *Ended    `json:"ended,omitempty"`
}

// Channel is the pipe that bytes went through.
type Channel string

// The channels.
const (
	ChannelHTTP   Channel = "http"
	ChannelStdin  Channel = "stdin"
	ChannelStdout Channel = "stdout"
	ChannelStderr Channel = "stderr"
	ChannelExit   Channel = "exit" // the child process ended
)

// Sent is what went out, to the byte.
type Sent struct {
	Channel Channel       `json:"channel"`
	Method  string        `json:"method,omitempty"` // HTTP method
	URL     string        `json:"url,omitempty"`
	Header  []HeaderField `json:"header,omitempty"`
	Body    Bytes         `json:"body,omitempty"` // the HTTP body, or the line without its line feed
}

// Received is what came back, to the byte: one HTTP response, one line of
// stdout, a piece of stderr, or the end of the child.
type Received struct {
	Channel Channel       `json:"channel"`
	Status  int           `json:"status,omitempty"` // HTTP status; 0 when no response head came
	Proto   string        `json:"proto,omitempty"`  // "HTTP/1.1"
	Header  []HeaderField `json:"header,omitempty"`
	Body    Bytes         `json:"body,omitempty"`
	// Coded is the body as it came where Body is what a content coding (gzip) held;
	// empty where none was undone, and where a part of Body was redacted or masked.
	Coded Bytes `json:"coded,omitempty"`
	// FirstByte is when the answer's first byte came, on the run's clock.
	FirstByte time.Duration `json:"first_byte_ns,omitempty"`
	// Onwards marks a redirect that was followed, and refused credentials in whose place
	// others were got: the call is sent again, and what answers it comes later.
	Onwards bool   `json:"onwards,omitempty"`
	End     End    `json:"end"`
	Problem string `json:"problem,omitempty"` // for every End but Complete: what was waited for, what happened
	Exit    *int   `json:"exit,omitempty"`    // exit code; -1 for a signal
	Signal  string `json:"signal,omitempty"`  // that ended it, in the system's words: "killed"
}

// HeaderField is one HTTP field line, in the order sent, name as sent.
type HeaderField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// End says how a reception ended.
type End string

// The ends.
const (
	Complete End = "complete"
	TimedOut End = "timeout"   // the call's deadline passed
	Cut      End = "cut"       // the connection was lost after the request went out
	Refused  End = "refused"   // no connection could be made
	TooLarge End = "too-large" // our own bound was reached
	Stopped  End = "stopped"   // the run was interrupted
	// Withdrawn: we had cancelled the call, and nothing came of it in the time that we
	// waited on. Silence is what the protocol asks for then (MCP 2025-11-25,
	// basic/utilities/cancellation).
	Withdrawn End = "cancelled"
)

// GivenUp tells an end at which we had stopped waiting.
func (e End) GivenUp() bool { return e == TimedOut || e == Stopped || e == Withdrawn }

// Effect is what eyes saw of the state of items.
type Effect struct {
	Instance  string  `json:"instance,omitempty"`
	Operation string  `json:"operation"`
	Phase     Phase   `json:"phase"`
	Eyes      string  `json:"eyes"` // whose: "tool get_products", "the fake backend's log"
	States    []State `json:"states,omitempty"`
	Problem   string  `json:"problem,omitempty"` // why nothing could be read
	// Canaries are the states of items that the run never asks for.
	Canaries []State `json:"canaries,omitempty"`
	// Bystanders are the states of items that the play before this one asked for, once,
	// and changed as it was told, and that this play does not ask for.
	Bystanders []State `json:"bystanders,omitempty"`
	// Waited is how long was waited, since the first look of the phase, for what
	// did not show.
	Waited time.Duration `json:"waited_ns,omitempty"`
}

// PutBack is what hands were asked to put back, or in place: of a reset, where an
// HTTP request or a command was asked; of an undo and a setup always, besides the
// calls that are planned, sent and received where a tool of the server was asked.
// Of an undo and a setup there are two: one before anybody is asked, with Begun,
// so that a run that is killed leaves word of what it was about, and one behind it.
type PutBack struct {
	Operation string `json:"operation"`
	What      What   `json:"what"`
	Hands     string `json:"hands"` // whose: "POST http://127.0.0.1:8080/reset", "the command ./reset.sh"
	Begun     bool   `json:"begun,omitempty"`
	Done      bool   `json:"done"`
	Problem   string `json:"problem,omitempty"` // why it was not done
	// Items are canonical. With Begun: those that are asked for. Without, of an undo
	// those that are as they were before, of a setup those that it made or may have
	// made. A reset has none: it is for all of them.
	Items []json.RawMessage `json:"items,omitempty"`
}

// What says what hands are asked for.
type What string

// What there is to be asked for.
const (
	DoReset     What = "reset"      // every item back
	DoUndo      What = "undo"       // some items back
	DoSetup     What = "setup"      // some items in place
	DoSetupUndo What = "undo-setup" // what a setup made away again
)

// Phase says when the eyes looked.
type Phase string

// The phases.
const (
	Before Phase = "before" // before the instance's first write
	Middle Phase = "middle" // between two writes of one instance
	After  Phase = "after"
	Quiet  Phase = "quiet" // one of two looks with nothing of ours between them
	// Keeping looks tell what there is to put back or in place, and whether it is.
	Keeping Phase = "keeping"
)

// State is one item's state as the probe shows it. Absent is a state too.
type State struct {
	ID      string `json:"id"` // exact text of the probe's id value
	Present bool   `json:"present"`
	State   string `json:"state,omitempty"` // exact JSON text of the state value
	Count   *int64 `json:"count,omitempty"` // how often it was done, where the probe can tell
	// Done is whether the target file's done: says this state means "done";
	// nil where it has none.
	Done *bool `json:"done,omitempty"`
	// Torn says that the probe has several rows for the item, and that they do not
	// agree on whether it was done, or on the state that is compared.
	Torn bool `json:"torn,omitempty"`
}

// Changed tells whether two readings of one item's state differ. Counts decide
// only where both readings have one.
func (s State) Changed(from State) bool {
	if s.Present != from.Present || s.State != from.State {
		return true
	}
	return s.Count != nil && from.Count != nil && *s.Count != *from.Count
}

// Fault is something the harness itself did to the connection or the server.
type Fault struct {
	What string `json:"what"` // "restart": the server was ended and started again
}

// Ended closes a transcript.
type Ended struct {
	Partial bool          `json:"partial,omitempty"`
	Cause   string        `json:"cause,omitempty"` // one sentence: "the server process ended", "interrupted"
	Class   EndClass      `json:"class,omitempty"`
	Elapsed time.Duration `json:"elapsed_ns"`
	// Notes are what the run has to tell besides its findings, and Left what it
	// changed and could not put back: neither can be read off the other lines.
	Notes []string `json:"notes,omitempty"`
	Left  []Left   `json:"left,omitempty"`
	// Unmet are the masks that led to nothing.
	Unmet []Unmet `json:"unmet,omitempty"`
}

// Left is a change that a run could not take back.
type Left struct {
	Operation string `json:"operation"`
	Item      string `json:"item,omitempty"`  // its id, or all of it as JSON; empty: the operation as a whole
	State     string `json:"state,omitempty"` // as the probe shows it: "CANCELLED", "absent"; empty: nobody could look
	What      string `json:"what"`
}

// Unmet is a mask of the target file that led to nothing in a run: no value was
// masked because of it.
type Unmet struct {
	Mask string `json:"mask"`           // as the file writes it
	Else string `json:"else,omitempty"` // what may have been meant
}

// String says it in a sentence.
func (u Unmet) String() string {
	text := fmt.Sprintf("the mask %s of `privacy` led to no value in this run, so nothing is masked by it", u.Mask)
	if u.Else != "" {
		text += fmt.Sprintf(": it is the name of a header, and no header had it; did you mean `%s`?", u.Else)
	}
	return text
}

// EndClass sorts the causes that decide an exit code.
type EndClass string

// The classes.
const (
	EndDone         EndClass = ""
	EndUnreachable  EndClass = "unreachable"  // never answered, or never in the protocol
	EndUnauthorized EndClass = "unauthorized" // never let in
	EndExpired      EndClass = "expired"      // let in, and then no longer
	EndGone         EndClass = "gone"         // answered, then was not there any more
	EndInterrupted  EndClass = "interrupted"
	EndTerminated   EndClass = "terminated"
)
