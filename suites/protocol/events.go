package protocol

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

const eventStream = "text/event-stream"

func eventFraming() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-11", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Event streams are framed as the standard asks",
			Text:   "An answer that is an event stream has the type text/event-stream, ends each event with a blank line, and carries one JSON-RPC message as each event's data.",
			Impact: "Clients never see the event: the answer is on the wire, and the user waits until the call times out.",
			Source: "MCP 2025-11-25, basic/transports, Streamable HTTP; WHATWG HTML, server-sent events, 9.2.5 and 9.2.6",
			Needs:  response,
			Good:   "event: message\\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\\n\\n",
			Bad:    "event: message\\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\\n (and the stream ends)",
			Mend:   "End every event with an empty line, begin every line of its data with \"data:\", leave the event type at message, and send Content-Type: text/event-stream.",
			Since:  set,
			If:     "the server answers with an event stream",
		},
		PerServer: true,
		Applies:   eventsApply,
		Judge: func(s *conform.Subject) []conform.Look {
			var looks []conform.Look
			for _, r := range receptions(s.Recording) {
				if f := misframed(r); f != nil {
					looks = append(looks, r.failed(*f))
				} else if r.stream != nil && r.good() {
					looks = append(looks, r.passed())
				}
			}
			return looks
		},
		Missing: "nothing was answered",
	}
}

func eventsApply(s *conform.Subject) string {
	switch t := transport(s.Recording); t {
	case stdio, rest:
		return "the transport " + t + " has no event streams"
	}
	all := receptions(s.Recording)
	if slices.ContainsFunc(all, func(r *reception) bool { return r.stream != nil || misframed(r) != nil }) {
		return ""
	}
	if slices.ContainsFunc(all, func(r *reception) bool { return len(r.messages) > 0 }) {
		return "no answer was an event stream"
	}
	return ""
}

// misframed finds the first fault in how a stream is framed; nil also for an
// answer that is none.
func misframed(r *reception) *fault {
	in := r.in.Received
	if !r.good() || r.toNotification() {
		return nil
	}
	if r.stream == nil {
		return mislabelled(r)
	}
	for i := range r.stream.Events {
		if f := badEvent(&r.stream.Events[i]); f != nil {
			return f
		}
	}
	// From the response on it may be the reader who leaves a stream, in the middle
	// of whatever is on its way.
	if len(r.stream.Rest) > 0 && in.End == conform.Complete && !slices.ContainsFunc(r.messages, isResponse) {
		return &fault{
			want: "a blank line after the last event", got: "the stream ends inside an event, which is then never dispatched",
			text: r.stream.Rest, offset: len(in.Body) - len(r.stream.Rest),
		}
	}
	return nil
}

// badEvent judges one event. Empty data is lawful: it primes a client to resume.
func badEvent(e *frame.Event) *fault {
	if len(e.Data) == 0 {
		return nil
	}
	messages := frame.ReadMessages(e.Data)
	if e.Type != "message" {
		// Other types are for others; clients leave them out.
		if !slices.ContainsFunc(messages, func(m frame.Message) bool { return isResponse(m) && m.Root.Has("jsonrpc") }) {
			return nil
		}
		return &fault{
			want: "a message in an event of type message", got: "a response in an event of type " + quoted(e.Type),
			text: e.Data, offset: e.Offset,
		}
	}
	if at := slices.IndexFunc(messages, broken); at >= 0 {
		return &fault{want: "a JSON-RPC message as the event's data", got: "data that is none: " + messages[at].Problem, text: e.Data, offset: e.Offset}
	}
	return nil
}

// mislabelled finds an event stream that says it is something else.
func mislabelled(r *reception) *fault {
	in := r.in.Received
	if !slices.ContainsFunc(frame.ReadStream(in.Body).Events, holdsMessage) {
		return nil
	}
	return &fault{
		want: "Content-Type: " + eventStream, got: fmt.Sprintf("an event stream of type %s", quoted(conform.MediaType(in.Header))),
		text: in.Body,
	}
}

func holdsMessage(e frame.Event) bool { return !broken(frame.ReadMessages(e.Data)[0]) }
