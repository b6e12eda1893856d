package wire

import (
	"context"
	"fmt"
)

// Class sorts what went wrong by what a caller does about it.
type Class string

// The classes. Fine is the zero value.
const (
	Fine Class = ""
	// Misconfigured: the configuration cannot be used; nothing was sent.
	Misconfigured Class = "misconfigured"
	// Unreachable: no connection, no such program, the child died before its
	// first answer, or no first answer came in time.
	Unreachable Class = "unreachable"
	// Unauthorized: status 401 or 403.
	Unauthorized Class = "unauthorized"
	// Protocol: something came, but not what the protocol has: of Open, no
	// handshake could be agreed; of a Reply, no response to our id.
	Protocol Class = "protocol"
	// SessionLost: status 404 to a request that carried a session id. The
	// session is not opened again silently.
	SessionLost Class = "session-lost"
	// Unanswered: the call timed out, or the connection was lost after it was
	// sent, or the answer was larger than our bound. It may have been executed.
	Unanswered Class = "unanswered"
	// Interrupted: the caller's context ended.
	Interrupted Class = "interrupted"
)

// Error is the error of Dial and Open.
type Error struct {
	Class  Class
	Doing  string // what was being done, to what: "connecting to http://…"
	Status int    // HTTP status of the answer that decided it; 0 if none
	Reply  *Reply // the exchange that decided it; nil if nothing was sent
	Err    error
}

// Error says what was being done, to what, and what happened.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Doing, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// stoppedBy says how a caller's context ended a wait for something.
func stoppedBy(ctx context.Context, what string) string {
	return fmt.Sprintf("stopped while waiting for %s: %v", what, context.Cause(ctx))
}
