package wire

import (
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Reply is how an exchange ended. Times are on the recorder's clock.
type Reply struct {
	End    conform.End
	Status int // HTTP status; 0 on stdio, and when no response head came
	// Response is the first message that answers the request's id; nil if none
	// did. It may be there although End is not Complete (a last line without a
	// line feed).
	Response *frame.Message
	Result   *rawjson.Node // of the response; nil for an error
	// Problem says what was waited for and what happened; empty if the answer
	// is what was waited for.
	Problem string
	Class   Class
	// Sent is when the first byte was about to be written, FirstByte when the
	// answer's first byte came (0: none came), Done when the answer was complete
	// or given up. Sent is 0 for what was never sent.
	Sent, FirstByte, Done time.Duration
	// SessionID is the Mcp-Session-Id of the HTTP response; empty if there was none.
	SessionID string
	// Media is the media type of the HTTP response; empty: it has none.
	Media string
	// RetryAfter and Date are the fields of those names of the HTTP response, as
	// sent.
	RetryAfter, Date string
	// Lapsed says why there are no credentials in the place of those that were refused, or
	// none at all; empty: nobody had to look for others.
	Lapsed string

	cause error // of a problem, where there is one
}

// answered takes the response out of the messages that came for an id.
func (r *Reply) answered(m *frame.Message) {
	r.Response = m
	if m != nil {
		r.Result = m.Result
	}
}

// err gives the problem as an error that keeps its cause.
func (r *Reply) err() error {
	if r.cause != nil {
		return &problem{r.Problem, r.cause}
	}
	return fmt.Errorf("%s", r.Problem)
}

type problem struct {
	text  string
	cause error
}

func (p *problem) Error() string { return p.text }
func (p *problem) Unwrap() error { return p.cause }

// notSent is the reply to a request that never went out.
func notSent(class Class, end conform.End, text string) *Reply {
	return &Reply{End: end, Class: class, Problem: text}
}

// classOf gives the class of an end without an answer.
func classOf(end conform.End) Class {
	switch end {
	case conform.Refused:
		return Unreachable
	case conform.Stopped:
		return Interrupted
	case conform.Complete:
		return Protocol
	default:
		return Unanswered
	}
}
