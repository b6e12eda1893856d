package lean

import "time"

// Class says what came of a call, as far as the transport can tell.
type Class string

// The classes. Answered is the only one whose message may be a good answer.
const (
	Answered     Class = "answered"
	Refused      Class = "refused"      // an HTTP status of 400 or more without a class of its own
	Busy         Class = "busy"         // 429 or 503
	Unauthorized Class = "unauthorized" // 401 or 403
	SessionLost  Class = "session-lost" // 404 to a request with a session id
	Redirected   Class = "redirected"   // 3xx; redirects are not followed
	Intermediary Class = "intermediary" // 502, 504, or a page for a browser
	Silent       Class = "silent"       // a whole answer without a message for the call
	Malformed    Class = "malformed"    // not HTTP
	Unconnected  Class = "unconnected"  // no connection could be made
	Cut          Class = "cut"          // the connection was lost, or the process ended, under the call
	TimedOut     Class = "timeout"
	TooLarge     Class = "too-large" // our own bound was reached
	Stopped      Class = "stopped"   // Interrupt or Close
)

// Form is how a message came.
type Form string

// The forms.
const (
	JSON  Form = "json"
	SSE   Form = "sse"
	Stdio Form = "stdio"
)

// Answer is what came back for a call. Its bytes belong to the connection, and
// stay as they are until the next Do.
type Answer struct {
	Class   Class
	Problem string // of every class but Answered: what happened
	Form    Form   // of the message; empty where there is none
	Status  int    // HTTP status; 0 where no head came, and over stdio
	// Message is the JSON-RPC message: the body, the data of the event that answers
	// the call's id, or the line without its line feed. Nil: none came.
	Message []byte
	Head    []byte // the response head, to its empty line
	Body    []byte // all that came for the call, transfer coding undone; over stdio whole lines
	// Odd says what was strange about the framing; empty: nothing. An answer may be
	// good all the same: who judges it has to look at all of the body.
	Odd string
	// Asked counts requests of the server's in the call's stream. A ping over stdio
	// is answered, everything else is refused there; over HTTP they stay unanswered.
	Asked int

	// Times, on the clock of Options.Now. Begun is when Do was called, Sent when a
	// connection was there and the first byte was about to be written, FirstByte when
	// the first byte came (0: none did), Done when the answer was complete or given up.
	Begun, Sent, FirstByte, Done time.Duration
	// Served is the server's own time, as its Server-Timing tells it; only where Timed.
	Served  time.Duration
	Timed   bool
	In, Out int  // bytes read and written
	Opened  bool // a connection was opened for the call
}

// fail settles an answer that is none.
func (a *Answer) fail(class Class, problem string, now time.Duration) {
	a.Class, a.Problem, a.Message = class, problem, nil
	if a.Done == 0 {
		a.Done = now
	}
}
