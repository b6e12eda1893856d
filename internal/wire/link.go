package wire

import (
	"context"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// link is the pipe of one session.
type link interface {
	// exchange sends one message and waits for what answers it. It records both,
	// and returns with every end recorded.
	exchange(ctx context.Context, out outgoing) *Reply
	// close gives up what is still in flight and ends the pipe. Nothing is
	// recorded after it has returned.
	close(ctx context.Context) error
}

// outgoing is one message on its way.
type outgoing struct {
	call   string
	what   string // for problems: "tools/call echo"
	key    string // frame.Key of the id; empty: no response is due
	body   []byte
	header []conform.HeaderField // of HTTP, besides the configured ones
	// timeout is how long the answer is waited for, late how long an HTTP request
	// stays open after it was given up.
	timeout, late time.Duration
	overtime      time.Duration // that the answer is waited for after its timeout
	most          time.Duration // in all, where progress is told; 0: progress changes nothing
	stateless     bool          // 2026-07-28: no server requests in a stream, no taking up again
	verb          string        // HTTP method; empty: POST
	asked         Asked         // answers what the server asks meanwhile
	gate          Gate          // of this message, before the client's; nil: none
	withdrawal    *withdrawal   // cancels the call while it is out; nil: it is not cancelled
}

// awaited words what a call waits for.
func (o *outgoing) awaited() string {
	if o.key == "" {
		return "the acceptance of " + o.what
	}
	return "an answer to " + o.what
}

// enough holds why a call that was cancelled is waited for no longer; nil: it is not
// cancelled.
func (o *outgoing) enough() <-chan string {
	if o.withdrawal == nil {
		return nil
	}
	return o.withdrawal.enough
}
