package conform

import (
	"strings"
	"sync"

	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Recording is a transcript, joined: every call with what was planned, sent and
// received for it. Checks read it and nothing else.
type Recording struct {
	Header       Header
	Observations []Observation
	Calls        []*Call // in the order planned
	Plays        []Play
	Skips        []Skipped
	Effects      []*Observation // of KindEffect, in order
	Stray        []*Observation // received, tied to no call: stdout lines, stderr, the child's end
	Ended        *Ended         // nil: the transcript was cut off
	Tools        []Tooling      // what tools/list said, all pages of the first session that listed
	Listed       bool           // tools/list was answered
	PutBacks     []*Observation // of KindPutBack, in order
	byID         map[string]*Call
	resets       []asking // in order, whoever was asked for them
	memo         memo
}

// Call is one planned call and all that belongs to it.
type Call struct {
	ID        string
	Session   string
	Planned   Planned
	PlannedAt *Observation
	Sent      *Observation   // nil: never sent
	Received  []*Observation // in the order received
	// Messages are the JSON-RPC messages received for the call, in order. From
	// an HTTP body, an event stream or a line of stdout.
	Messages []Arrived
	// Streams holds, per received HTTP answer of type text/event-stream, how it
	// was framed.
	Streams []frame.Stream
	// Response is the first message that answers the call's own id; nil if none did.
	Response *Arrived
	// Result is the exact JSON of the response's result; nil if there is none.
	Result *rawjson.Node
	// Further are the calls that carry this one on, in the order planned.
	Further []*Call
	asked   []frame.Message
	replies []frame.Message // of ours, to what the server asked during the call
	memo    memo
}

// Asked gives the messages that were sent for the call: one, or none for what
// has no body (a DELETE).
func (c *Call) Asked() []frame.Message { return c.asked }

// Arrived is a message and the observation it came in.
type Arrived struct {
	frame.Message
	In *Observation
}

// Tooling is one tool as tools/list describes it.
type Tooling struct {
	Name         string
	Node         *rawjson.Node
	InputSchema  *rawjson.Node
	OutputSchema *rawjson.Node // nil: none declared
	ReadOnlyHint *bool
	Call         *Call
}

// memo keeps views that are derived from bytes once and read by many checks.
type memo struct {
	mu   sync.Mutex
	held map[any]*view
}

// view is made once. While it is being made nothing else is locked, so one view may be
// derived from others of the same recording.
type view struct {
	once  sync.Once
	value any
}

func (m *memo) get(key any, derive func() any) any {
	m.mu.Lock()
	v, known := m.held[key]
	if !known {
		if m.held == nil {
			m.held = map[any]*view{}
		}
		v = &view{}
		m.held[key] = v
	}
	m.mu.Unlock()
	v.once.Do(func() { v.value = derive() })
	return v.value
}

// Memo keeps a view derived from the call's bytes under a key of the caller's
// own type, so that many checks share one reading of an answer.
func (c *Call) Memo(key any, derive func() any) any { return c.memo.get(key, derive) }

// Memo is Call.Memo for views of the whole recording.
func (r *Recording) Memo(key any, derive func() any) any { return r.memo.get(key, derive) }

// Call gives a call by its id; nil if the recording has none of that id.
func (r *Recording) Call(id string) *Call { return r.byID[id] }

// Again marks the id of a call that only reads and is made once more, because the
// first was lost on the way or answered by an intermediary.
const Again = ".again"

// CancelledSuffix marks the id of the notification that cancels a call.
const CancelledSuffix = "/cancelled"

// MadeAgain tells a call without an answer that was made once more, and answered
// then: what became of it on the way is the weather's doing.
func (r *Recording) MadeAgain(c *Call) bool {
	second := r.byID[c.ID+Again]
	return c.Response == nil && second != nil && second.Planned.Repeats == c.ID && second.Response != nil
}

// Repeated gives the call that a scenario has c repeat, by its answer: where one of
// them was lost and made once more, what was made once more stands for it. Nil where
// c repeats nothing, or nothing but itself.
func (r *Recording) Repeated(c *Call) *Call {
	asked := c
	if lost := r.byID[strings.TrimSuffix(c.ID, Again)]; lost != c && lost != nil && c.Planned.Repeats == lost.ID {
		asked = lost
	}
	earlier := r.byID[asked.Planned.Repeats]
	if earlier != nil && r.MadeAgain(earlier) {
		return r.byID[earlier.ID+Again]
	}
	return earlier
}

// Tool gives a listed tool by name; nil if the server did not list it.
func (r *Recording) Tool(name string) *Tooling {
	for i := range r.Tools {
		if r.Tools[i].Name == name {
			return &r.Tools[i]
		}
	}
	return nil
}

// Operation gives an operation of the target by name; nil if there is none.
func (r *Recording) Operation(name string) *Operation {
	for i := range r.Header.Target.Operations {
		if r.Header.Target.Operations[i].Name == name {
			return &r.Header.Target.Operations[i]
		}
	}
	return nil
}

// Of gives the calls of an operation, in order; of "" those of no operation.
func (r *Recording) Of(operation string) []*Call {
	var calls []*Call
	for _, c := range r.Calls {
		if c.Planned.Operation == operation {
			calls = append(calls, c)
		}
	}
	return calls
}

// Last gives how the call ended: its last reception, or the one at which we
// stopped waiting. Nil if nothing came.
func (c *Call) Last() *Received {
	for _, o := range c.Received {
		if o.Received.End.GivenUp() {
			return o.Received
		}
	}
	if len(c.Received) == 0 {
		return nil
	}
	return c.Received[len(c.Received)-1].Received
}

// NewRecording joins a transcript.
func NewRecording(header Header, observations []Observation) *Recording {
	r := &Recording{Header: header, Observations: observations, byID: map[string]*Call{}}
	for i := range observations {
		o := &r.Observations[i]
		switch o.Kind {
		case KindPlay:
			if o.Play != nil {
				r.Plays = append(r.Plays, *o.Play)
			}
		case KindPlanned:
			if o.Planned == nil || r.byID[o.Call] != nil {
				continue
			}
			c := &Call{ID: o.Call, Session: o.Session, Planned: *o.Planned, PlannedAt: o}
			r.Calls = append(r.Calls, c)
			if c.Planned.Role == RoleReset {
				r.resets = append(r.resets, asking{seq: o.Seq, call: c})
			}
			r.byID[c.ID] = c
			if whole := r.byID[o.Planned.Continues]; whole != nil && whole != c {
				whole.Further = append(whole.Further, c)
			}
		case KindSkipped:
			if o.Skipped != nil {
				r.Skips = append(r.Skips, *o.Skipped)
			}
		case KindSent:
			c := r.byID[o.Call]
			switch {
			case c == nil || o.Sent == nil:
			case c.Sent == nil:
				c.Sent = o
				if o.Session != "" {
					c.Session = o.Session
				}
			default:
				c.replied(o.Sent.Body)
			}
		case KindReceived:
			if o.Received == nil || o.Received.Onwards {
				continue
			}
			if c := r.byID[o.Call]; c != nil {
				c.take(o)
			} else {
				r.Stray = append(r.Stray, o)
			}
		case KindEffect:
			if o.Effect != nil {
				r.Effects = append(r.Effects, o)
			}
		case KindPutBack:
			if o.PutBack != nil {
				r.PutBacks = append(r.PutBacks, o)
				if o.PutBack.What == DoReset {
					r.resets = append(r.resets, asking{seq: o.Seq, put: o.PutBack})
				}
			}
		case KindEnded:
			r.Ended = o.Ended
			r.Observations = observations[:i+1]
		}
		if r.Ended != nil {
			break // what follows was put back after an interruption, and is not judged
		}
	}
	for _, c := range r.Calls {
		c.answer()
	}
	r.list()
	return r
}

// take adds what one reception holds.
func (c *Call) take(o *Observation) {
	c.Received = append(c.Received, o)
	in := o.Received
	if len(in.Body) == 0 {
		return
	}
	if in.Channel == ChannelHTTP && MediaType(in.Header) == "text/event-stream" {
		stream := frame.ReadStream(in.Body)
		c.Streams = append(c.Streams, stream)
		for _, event := range stream.Events {
			if event.Type != "message" || len(event.Data) == 0 {
				continue
			}
			for _, m := range frame.ReadMessages(event.Data) {
				c.Messages = append(c.Messages, Arrived{m, o})
			}
		}
		return
	}
	if in.Channel == ChannelHTTP && MediaType(in.Header) != "application/json" {
		return
	}
	for _, m := range frame.ReadMessages(in.Body) {
		c.Messages = append(c.Messages, Arrived{m, o})
	}
}

// answer finds the response: the first message in time whose id is the one sent.
func (c *Call) answer() {
	if c.Sent == nil || c.Sent.Sent == nil {
		return
	}
	if len(c.Sent.Sent.Body) == 0 {
		return
	}
	c.asked = frame.ReadMessages(c.Sent.Sent.Body)
	asked := c.asked[0]
	if asked.ID == nil {
		return
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		if c.givenUp(m.In) {
			return
		}
		if m.Kind == frame.Response && frame.Key(m.ID) == frame.Key(asked.ID) {
			c.Response, c.Result = m, m.Result
			return
		}
	}
}

// givenUp tells whether a reception came after we had stopped waiting, and told
// the server so: what it then says of the call is no answer to what was asked.
func (c *Call) givenUp(in *Observation) bool {
	for _, o := range c.Received {
		if o.Seq < in.Seq && o.Received.End.GivenUp() {
			return true
		}
	}
	return false
}

// list reads the tools from the pages of the first session that listed them.
func (r *Recording) list() {
	session, seen := "", false
	for _, c := range r.Calls {
		// A list that a step asks for once more is none of the pages.
		if c.Planned.Method != "tools/list" || c.Planned.Step != "" || seen && c.Session != session {
			continue
		}
		tools := c.Result.Get("tools")
		if !tools.Is(rawjson.Array) {
			continue
		}
		session, seen, r.Listed = c.Session, true, true
		for _, t := range tools.Items {
			name, ok := t.Get("name").Str()
			if !ok {
				continue
			}
			tool := Tooling{Name: name, Node: t, InputSchema: t.Get("inputSchema"), OutputSchema: t.Get("outputSchema"), Call: c}
			if hint, ok := t.At("annotations", "readOnlyHint").Bool(); ok {
				tool.ReadOnlyHint = &hint
			}
			r.Tools = append(r.Tools, tool)
		}
	}
}
