package fakebackend

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
)

// fast is the hand-written front of a backend, for load. It answers calls of
// tools by itself, from the same tools over the same store, and hands all that it
// does not recognise to the ordinary handler: whatever it does is what the
// ordinary handler would have done.
//
// It judges no header by itself. What the ordinary handler has taken once, in a
// session or without one, the front takes from then on.
type fast struct {
	b        *Backend
	tools    map[string]*tool
	ordinary http.Handler
	vetted   *vetted
	answered atomic.Int64 // calls that the front answered itself
}

// newFast makes the front for the tools that need nothing from the client while
// they run.
func newFast(b *Backend, ordinary http.Handler) *fast {
	f := &fast{b: b, ordinary: ordinary, tools: map[string]*tool{}, vetted: newVetted(b.options.IdleSessions)}
	for _, t := range toolList(b.options) {
		if t.name != cancelConfirmed && t.name != cancelAsTask {
			f.tools[t.name] = &t
		}
	}
	return f
}

// answer runs a call and appends the JSON-RPC message that answers it.
func (f *fast) answer(ctx context.Context, out []byte, r *fastCall) []byte {
	f.answered.Add(1)
	a, err := f.run(&call{ctx: ctx, tool: r.tool.name, args: r.arguments, asker: &asker{}}, r.tool)
	if err != nil {
		return appendFailure(out, r, err)
	}
	return appendAnswer(out, r, a)
}

// run does what a call asks for. A panic is an error, as on the ordinary road.
func (f *fast) run(c *call, t *tool) (a *answer, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			a, err = nil, fmt.Errorf("%v", broken)
		}
	}()
	if err := f.b.called(); err != nil {
		return nil, err
	}
	return f.b.perform(c, *t)
}
