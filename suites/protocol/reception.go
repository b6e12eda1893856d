package protocol

import (
	"sort"

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
	call     *conform.Call // nil: tied to no call
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
	return in.Channel == conform.ChannelStdout || in.Status >= 200 && in.Status < 300
}

// spoken tells whether a message of the reception is one to judge. What comes in
// the HTTP answer to a notification should not be there at all: PRO-09 says so,
// and no other rule.
func (r *reception) spoken(m frame.Message) bool {
	return m.Kind != frame.Broken && (r.good() || m.Root.Has("jsonrpc")) && !r.toNotification()
}

func (r *reception) toNotification() bool {
	if r.call == nil || r.in.Received.Channel != conform.ChannelHTTP {
		return false
	}
	m, ok := asked(r.call)
	return ok && m.Kind == frame.Notification
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
		sort.SliceStable(all, func(i, j int) bool { return all[i].in.Seq < all[j].in.Seq })
		return all
	}).([]*reception)
}

// ofCall shares what the recording has already read of the call's bytes.
func ofCall(c *conform.Call) []*reception {
	var all []*reception
	message, stream := 0, 0
	for _, o := range c.Received {
		in := o.Received
		if in == nil || in.Channel != conform.ChannelHTTP && in.Channel != conform.ChannelStdout {
			continue
		}
		r := &reception{call: c, session: c.Session, in: o}
		if len(in.Body) > 0 && in.Channel == conform.ChannelHTTP && conform.MediaType(in.Header) == eventStream && stream < len(c.Streams) {
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

// stray reads what was tied to no call; nil for stderr and the child's end.
func stray(o *conform.Observation) *reception {
	in := o.Received
	r := &reception{session: o.Session, in: o}
	switch {
	case in.Channel == conform.ChannelStdout && len(in.Body) > 0:
		r.messages = frame.ReadMessages(in.Body)
	case in.Channel == conform.ChannelHTTP && conform.MediaType(in.Header) == eventStream:
		stream := frame.ReadStream(in.Body)
		r.stream = &stream
		for _, e := range stream.Events {
			if e.Type == "message" && len(e.Data) > 0 {
				r.messages = append(r.messages, frame.ReadMessages(e.Data)...)
			}
		}
	case in.Channel == conform.ChannelHTTP && conform.MediaType(in.Header) == "application/json" && len(in.Body) > 0:
		r.messages = frame.ReadMessages(in.Body)
	case in.Channel != conform.ChannelHTTP && in.Channel != conform.ChannelStdout:
		return nil
	}
	return r
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
