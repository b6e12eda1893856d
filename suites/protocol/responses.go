package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func oneResponse() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-04", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "One response per request",
			Text:   "Every request is answered by exactly one response with its id.",
			Impact: "A client waits for ever for an answer that never comes, or takes a second one for the answer to something else.",
			Source: "MCP 2025-11-25, basic, Responses; JSON-RPC 2.0, section 5",
			Needs:  response,
			Good:   `→ {"jsonrpc":"2.0","id":7,"method":"tools/call",…}  ← {"jsonrpc":"2.0","id":7,"result":{…}}`,
			Bad:    `→ {"jsonrpc":"2.0","id":7,"method":"tools/call",…}  ← HTTP 200 {"results":[…]} (no JSON-RPC response at all)`,
			Mend:   "Answer each request once, with a JSON-RPC response that carries the request's id; send anything else as a notification.",
			Since:  set,
		},
		PerServer: true, Whole: true,
		Applies: notREST,
		Judge:   judgeResponses,
		Missing: "no request was sent",
	}
}

func judgeResponses(s *conform.Subject) []conform.Look {
	x := exchanges(s.Recording)
	var looks []conform.Look
	for _, c := range s.Calls {
		m := asked(c)
		if m.Kind != frame.Request {
			continue
		}
		at := spot{c.Session, frame.Key(m.ID)}
		came := x.answers[at]
		switch {
		case len(came) > max(1, x.sends[at]):
			second := came[1]
			looks = append(looks, of(c, second.in.failed(fault{
				want: "one response with id " + rawjson.Cut(at.id, 40),
				got:  fmt.Sprintf("%d responses", len(came)), message: second.message,
			})))
		case len(came) > 0:
			looks = append(looks, of(c, came[0].in.passed()))
		case x.afterDelete(c):
		case x.cancelled[at] && (c.Last() == nil || c.Last().End == conform.Complete), c.Last() != nil && c.Last().End == conform.Withdrawn:
			// Answered or not, both are lawful. A call that we cancelled because it
			// timed out is told as that.
		default:
			look, ok := unanswered(c)
			if ok && look.Verdict == conform.Fail && endedUnder(s.Calls, c) {
				look = lost(c, "the server ended the session while the call was out, as it may at any time")
			}
			if ok {
				looks = append(looks, look)
			}
		}
	}
	return looks
}

// endedUnder tells a call that was out while another one of its session was told by
// HTTP 404 that the session is over (MCP 2025-11-25, basic/transports, Session
// Management).
func endedUnder(calls []*conform.Call, c *conform.Call) bool {
	if conform.Field(c.Sent.Sent.Header, sessionField) == "" {
		return false
	}
	came := c.Received[len(c.Received)-1].Seq
	return slices.ContainsFunc(calls, func(other *conform.Call) bool {
		return other.Session == c.Session && other.Sent != nil && other.Sent.Seq < came && slices.ContainsFunc(other.Received, func(o *conform.Observation) bool {
			return o.Received.Status == 404 && o.Seq > c.Sent.Seq
		})
	})
}

// of says which call a look is about, where its response may have come among those
// of another, or on a line that was tied to none.
func of(c *conform.Call, look conform.Look) conform.Look {
	look.Call = c
	return look
}

// unanswered judges a request that no response came to; false where
// another rule tells of it, or none asks for one.
func unanswered(c *conform.Call) (conform.Look, bool) {
	in := c.Last()
	switch {
	case c.Planned.Method == "server/discover", c.Planned.Method == "ping" && strings.HasPrefix(c.ID, "connect/"):
		// An older server may refuse the question in any way, silence included
		// (MCP 2026-07-28, basic/versioning, compatibility matrix). The ping only
		// told whether it was worth waiting.
		return conform.Look{}, false
	case in == nil:
		return lost(c, "no reply was recorded"), true
	case in.End != conform.Complete:
		return lost(c, told(in)), true
	case in.Channel != conform.ChannelHTTP:
		return lost(c, "no response was recorded"), true
	}
	all := ofCall(c)
	r := all[len(all)-1]
	for _, earlier := range all {
		if misframed(earlier) != nil {
			return conform.Look{}, false // PRO-11
		}
		if earlier.stream != nil && resumable(earlier.stream) {
			return r.unclear("the server closed a stream that can be resumed, before the response"), true
		}
		for _, m := range earlier.messages {
			if earlier.namesItsRequest(m) {
				return conform.Look{}, false // an id that was not sent: PRO-06
			}
		}
	}
	return r.withoutResponse(c.Planned.Role == conform.RoleLifecycle)
}

// withoutResponse judges a whole HTTP answer that holds no response.
func (r *reception) withoutResponse(lifecycle bool) (conform.Look, bool) {
	in := r.in.Received
	media := conform.MediaType(in.Header)
	status := fmt.Sprintf("HTTP %d", in.Status)
	switch {
	case !r.good() && lifecycle:
		return conform.Look{}, false // refusing a revision or a session is lawful
	case refusal(in.Status):
		return r.unclear(status + " came instead of an answer"), true
	case slices.ContainsFunc(r.messages, anonymousError):
		return r.unclear(status + " with an error that names no request"), true
	case media == "text/html":
		return r.unclear(status + " with a page of HTML: not this server's answer"), true
	case !r.good() && media != "application/json" && r.stream == nil:
		return r.unclear(status + " without a JSON-RPC message"), true
	}
	got := status + " without a response"
	switch {
	case len(in.Body) == 0:
		got = status + " without a body"
	case media != "application/json" && media != eventStream:
		got = fmt.Sprintf("%s of type %s, which no client reads", status, quoted(media))
	case len(r.messages) == 1 && r.messages[0].Kind == frame.Broken:
		got = status + " whose body is no JSON-RPC message: " + r.messages[0].Problem
	}
	return r.failed(fault{want: "a JSON-RPC response with the request's id", got: got, text: in.Body}), true
}

// refusal tells the statuses that say nothing of the server's JSON-RPC: access,
// limits, sessions that ended, and something standing before the server.
func refusal(status int) bool {
	switch status {
	case 401, 403, 404, 407, 408, 413, 429, 502, 503, 504:
		return true
	}
	return false
}

// anonymousError tells an error response without an id, as may stand beside an
// HTTP error (MCP 2025-11-25, basic/transports, Sending Messages to the Server).
func anonymousError(m frame.Message) bool {
	return m.Root.Has("jsonrpc") && m.Error != nil && anonymous(m)
}

func anonymous(m frame.Message) bool { return m.ID == nil || m.ID.Is(rawjson.Null) }

// resumable tells a stream whose connection the server may close early (MCP
// 2025-11-25, basic/transports): one of its events has an id.
func resumable(s *frame.Stream) bool {
	return slices.ContainsFunc(s.Events, func(e frame.Event) bool { return e.ID != "" })
}
