package load

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Tape is the recorder of a client whose templates are primed: it keeps what is
// recorded of one call at a time, and hands everything on.
type Tape struct {
	next wire.Recorder

	mu     sync.Mutex
	call   string // that is kept
	primed int
	kept   []conform.Observation
}

// NewTape makes a tape that hands on to another recorder, whose clock it uses.
func NewTape(next wire.Recorder) *Tape { return &Tape{next: next} }

// Now is the run's clock.
func (t *Tape) Now() time.Duration { return t.next.Now() }

// Record takes one observation.
func (t *Tape) Record(o conform.Observation) {
	t.mu.Lock()
	if o.Call == t.call && o.Call != "" {
		own := o
		own.Call = theCall
		t.kept = append(t.kept, own)
	}
	t.mu.Unlock()
	t.next.Record(o)
}

// begin gives the next call a name, and keeps what is recorded of it from now on.
func (t *Tape) begin() (call string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.primed++
	t.call, t.kept = fmt.Sprintf("prime/%d", t.primed), nil
	return t.call
}

// take gives what was kept.
func (t *Tape) take() []conform.Observation {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	t.call, t.kept = "", nil
	return kept
}

// Prime sends a template's call once through the conformance client, and compares
// what the checks say of the transcript with what the lean road says of the same
// answer: first of its bytes, and, where again is set (a second call asks for other
// items, or only reads), of an answer that the user's own connection got. A
// difference is a fault of ours, and told in words; empty: there is none. The
// template has learned the answer afterwards.
//
// The verdict is the one on the conformance client's answer; nil, with the reply's
// problem as the error, where none came.
func (u *User) Prime(ctx context.Context, session *wire.Session, tape *Tape, t *Template, again bool) (v *Verdict, difference string, err error) {
	if !t.renew() {
		return nil, "", fmt.Errorf("there are no items left to ask for")
	}
	planned := t.asks()
	id := u.nextID()
	t.setID(id)
	call := tape.begin()
	tape.Record(conform.Observation{At: tape.Now(), Kind: conform.KindPlanned, Call: call, Session: session.Name, Planned: &planned})
	reply := session.Do(ctx, wire.Request{Call: call, Method: "tools/call", Params: conform.CallParams(planned.Tool, planned.Arguments), ID: int(id), Timeout: t.source.Timeout})
	recorded := tape.take()
	if reply.Response == nil || reply.Status/100 > 2 {
		return nil, "", fmt.Errorf("calling %s: %s", planned.Tool, reply.Problem)
	}
	v = u.Judge.recorded(t.op, recorded)
	own := u.replay(t, reply, recorded)
	if !v.agrees(own) {
		return v, differ("the bytes of one answer", v, own), nil
	}
	if !again {
		return v, "", nil
	}
	c := u.Do(t, tape.Now())
	switch {
	case c.UsedUp:
		return v, "", nil
	case c.Class != lean.Answered:
		return v, fmt.Sprintf("the conformance client got an answer, the lean connection none (%s: %s)", c.Class, u.answer.Problem), nil
	case v.agrees(c.Verdict):
		return v, "", nil
	}
	return v, differ("two answers", v, c.Verdict), nil
}

// replay gives the lean road's verdict on the answer that the conformance client
// got, and learns it.
func (u *User) replay(t *Template, reply *wire.Reply, recorded []conform.Observation) *Verdict {
	a := lean.Answer{Class: lean.Answered, Status: reply.Status, Message: slices.Clone(reply.Response.Raw)}
	for _, o := range recorded {
		if o.Received == nil {
			continue
		}
		in := o.Received
		switch {
		case in.Channel != conform.ChannelHTTP:
			a.Form, a.Body = lean.Stdio, append(append(a.Body, in.Body...), '\n')
			continue
		case conform.MediaType(in.Header) == "text/event-stream":
			a.Form = lean.SSE
		default:
			a.Form = lean.JSON
		}
		a.Body, a.Head = in.Body, headOf(in)
	}
	a.Sent, a.FirstByte, a.Done = reply.Sent, reply.FirstByte, reply.Done
	v, _ := u.judge(t, &a)
	return v
}

// headOf writes a recorded head as it came, as far as that is known.
func headOf(in *conform.Received) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d\r\n", in.Proto, in.Status)
	for _, f := range in.Header {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

func differ(of string, conformance, own *Verdict) string {
	say := func(v *Verdict) string {
		if v == nil {
			return OK.String()
		}
		return strings.TrimSpace(v.Outcome.String() + " " + strings.Join(append(slices.Clone(v.Rules), v.Warnings...), " "))
	}
	return fmt.Sprintf("the checks and the lean road judge %s differently: %s, and %s", of, say(conformance), say(own))
}
