package wire

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Credentials give the field Authorization of HTTP requests. Its methods are safe for
// concurrent use. What they give goes to the configured host and port alone.
type Credentials interface {
	// Authorization gives the value in force; it may have to be asked for first. An error
	// that has a method Unreachable, and answers true, says that the server is not there.
	Authorization(ctx context.Context) (string, error)
	// Renew is told that a request with a value was answered with status 401, and gives
	// another value. An error says why there is none.
	Renew(ctx context.Context, refused string) (string, error)
	// Accepted is told that a request with a value was answered otherwise.
	Accepted(value string)
}

const fieldAuthorization = "Authorization"

// authorized puts a value of Authorization in the place of what there is.
func authorized(header []conform.HeaderField, value string) []conform.HeaderField {
	if value == "" {
		return header
	}
	bare := slices.DeleteFunc(slices.Clone(header), func(f conform.HeaderField) bool { return strings.EqualFold(f.Name, fieldAuthorization) })
	return merge([]conform.HeaderField{{Name: fieldAuthorization, Value: value}}, bare)
}

// shutOut is the reply to a message that was not sent, since there are no credentials
// to send it with.
func shutOut(ctx context.Context, out *outgoing, err error) *Reply {
	if ctx.Err() != nil {
		return notSent(Interrupted, conform.Stopped, stoppedBy(ctx, out.awaited()))
	}
	class := Unauthorized
	if away, ok := errors.AsType[interface {
		error
		Unreachable() bool
	}](err); ok && away.Unreachable() {
		class = Unreachable
	}
	reply := notSent(class, conform.Refused, out.what+" was not sent: "+err.Error())
	reply.Lapsed = err.Error()
	return reply
}

// authorize gives what a message is sent with.
func (l *httpLink) authorize(ctx context.Context) (string, error) {
	c := l.client.config.Credentials
	if c == nil {
		return "", nil
	}
	return c.Authorization(ctx)
}

// readmitted tells whether a message is to be sent again after an answer, because the
// server refused its credentials, and there are others now. A refused message was not
// acted upon, so that one that writes may be sent again too.
func (x *exchange) readmitted(ctx context.Context, in *reception, sentTo bool) bool {
	c := x.link.client.config.Credentials
	switch {
	case c == nil || !sentTo:
		return false
	case in.status != http.StatusUnauthorized:
		c.Accepted(x.authorization)
		return false
	case x.isGivenUp():
		return false
	case x.renewed:
		x.mu.Lock()
		defer x.mu.Unlock()
		x.reply.Lapsed = "those that were got in the place of the first ones were refused, too"
		return false
	}
	x.renewed = true
	value, err := c.Renew(ctx, x.authorization)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.reply.Lapsed = err.Error()
		return false
	}
	if x.givenUp {
		return false // nobody waits for what would come, and a write must not go out late
	}
	x.authorization, x.reply.Sent = value, 0
	return true
}

// Credentials gives the client's, for whoever sends by himself; nil: there are none.
func (s *Session) Credentials() Credentials { return s.client.config.Credentials }

// asksScope finds the scope that a challenge asks for (RFC 6750, section 3).
var asksScope = regexp.MustCompile(`(?i)\berror="?insufficient_scope\b.*\bscope="([\x21\x23-\x5b\x5d-\x7e ]{1,200})"|\bscope="([\x21\x23-\x5b\x5d-\x7e ]{1,200})".*\berror="?insufficient_scope\b`)

// wanted says which scope the credentials lack, where the server tells it; else nothing.
func wanted(in *reception) string {
	if in.status != http.StatusForbidden {
		return ""
	}
	found := asksScope.FindStringSubmatch(conform.Field(in.header, "Www-Authenticate"))
	if found == nil {
		return ""
	}
	return ": the server asks for the scope " + found[1] + found[2]
}
