package protocol

import (
	"cmp"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// The transports, as a recording's header names them.
const (
	streamable = "streamable-http"
	stdio      = "stdio"
	rest       = "rest"
)

// transport is the recording's transport: the header's word, else what the
// bytes went through.
func transport(rec *conform.Recording) string {
	if t := rec.Header.Target.Transport; t != "" {
		return t
	}
	for i := range rec.Observations {
		if sent := rec.Observations[i].Sent; sent != nil {
			switch sent.Channel {
			case conform.ChannelStdin:
				return stdio
			case conform.ChannelHTTP:
				return streamable
			}
		}
	}
	return ""
}

// notREST says why no rule about messages applies to the legacy REST form.
func notREST(s *conform.Subject) string {
	if transport(s.Recording) == rest {
		return "the legacy REST form carries no MCP messages"
	}
	return ""
}

// reception is one HTTP answer or one line of stdout, with the messages in it.
type reception struct {
	call     *conform.Call // nil: a line of stdout, tied to no call
	session  string
	in       *conform.Observation
	messages []frame.Message
	stream   *frame.Stream // of an answer of type text/event-stream
}

// good tells whether the reception speaks MCP: a line of stdout, or an HTTP
// answer of success. What a server or something before it writes beside an HTTP
// error is a message only if it says so itself.
func (r *reception) good() bool {
	in := r.in.Received
	return in.Channel == conform.ChannelStdout || accepted(in.Status)
}

func accepted(status int) bool { return status/100 == 2 }

// spoken tells whether a message of the reception is one to judge. What comes in
// the HTTP answer to a notification should not be there at all: PRO-09 says so,
// and no other rule.
func (r *reception) spoken(m frame.Message) bool {
	return m.Kind != frame.Broken && (r.good() || m.Root.Has("jsonrpc")) && !r.toNotification()
}

func (r *reception) toNotification() bool {
	return r.call != nil && asked(r.call).Kind == frame.Notification
}

type receptionsKey struct{}

// receptions gives everything received that can hold messages, in order.
func receptions(rec *conform.Recording) []*reception {
	return rec.Memo(receptionsKey{}, func() any {
		var all []*reception
		for _, c := range rec.Calls {
			all = append(all, ofCall(c)...)
		}
		for _, o := range rec.Stray {
			if r := stray(o); r != nil {
				all = append(all, r)
			}
		}
		slices.SortStableFunc(all, func(a, b *reception) int { return cmp.Compare(a.in.Seq, b.in.Seq) })
		return all
	}).([]*reception)
}

// ofCall shares what the recording has already read of the call's bytes.
func ofCall(c *conform.Call) []*reception {
	var all []*reception
	message, stream := 0, 0
	for _, o := range c.Received {
		r := &reception{call: c, session: c.Session, in: o}
		if len(o.Received.Body) > 0 && conform.MediaType(o.Received.Header) == eventStream {
			r.stream = &c.Streams[stream]
			stream++
		}
		for message < len(c.Messages) && c.Messages[message].In == o {
			r.messages = append(r.messages, c.Messages[message].Message)
			message++
		}
		all = append(all, r)
	}
	return all
}

// stray reads a line of stdout that was tied to no call; nil for stderr and the
// child's end. Every HTTP answer is some call's.
func stray(o *conform.Observation) *reception {
	if o.Received.Channel != conform.ChannelStdout {
		return nil
	}
	return &reception{session: o.Session, in: o, messages: frame.ReadMessages(o.Received.Body)}
}

// each judges every reception that holds a message to judge: one look for each,
// of its first fault.
func each(rec *conform.Recording, wrong func(*reception, frame.Message) *fault, of func(frame.Message) bool) []conform.Look {
	var looks []conform.Look
	for _, r := range receptions(rec) {
		var found *fault
		seen := false
		for _, m := range r.messages {
			if !r.spoken(m) || !of(m) {
				continue
			}
			seen = true
			if found = wrong(r, m); found != nil {
				break
			}
		}
		switch {
		case found != nil:
			looks = append(looks, r.failed(*found))
		case seen:
			looks = append(looks, r.passed())
		}
	}
	return looks
}

func isResponse(m frame.Message) bool { return m.Kind == frame.Response }
func isMessage(frame.Message) bool    { return true }
