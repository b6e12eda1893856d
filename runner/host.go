package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// Record takes an observation of the driver's and times it. It makes a run a
// drive.Host, with Session, Probe and Reset.
func (r *run) Record(o conform.Observation) {
	o.At = r.record.Now()
	r.record.Record(o)
}

// Session gives a session by name. Over stdio there is one: a second child would
// be a second server, with a state of its own.
func (r *run) Session(ctx context.Context, name string) (drive.Session, error) {
	if r.client.Transport() == wire.Stdio {
		name = main
	}
	s, err := r.open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, r.fell())
	}
	return &channel{run: r, session: s}, nil
}

// channel is a session as the driver sees it.
type channel struct {
	run     *run
	session *wire.Session
}

// NextID gives ids beyond those that the session gives itself, so that the bytes
// of parallel calls do not depend on which goroutine runs first.
func (c *channel) NextID() int {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	if c.run.ids[c.session.Name] == 0 {
		c.run.ids[c.session.Name] = wire.FirstGivenID
	}
	c.run.ids[c.session.Name]++
	return c.run.ids[c.session.Name] - 1
}

// Do sends one tools/call.
func (c *channel) Do(ctx context.Context, call conform.BoundCall, id int) drive.Outcome {
	if why := c.run.overBound(call); why != "" {
		c.run.skip(conform.Skipped{Scenario: call.Planned.Scenario, Variant: call.Planned.Variant, Operation: call.Planned.Operation,
			Reason: why, Key: "safety.max_write_items", Wrong: true, Checks: c.run.feeds})
		return drive.Outcome{Unsent: true}
	}
	request := wire.Request{
		Call: call.ID, Method: call.Planned.Method, ID: id, Timeout: c.run.file.Timeouts.For(len(call.Planned.Items)),
		Most:   c.run.file.Timeouts.Most(len(call.Planned.Items)),
		Params: conform.CallParams(call.Planned.Tool, call.Planned.Arguments), Asked: c.run.asked(call.Planned),
		Gate: c.run.lane(call.Planned.Operation), Progress: call.Planned.Progress,
	}
	request.Params = c.run.asTask(c.session, call.Planned, request.Params)
	request.Withdraw = c.run.withdrawal(call.Planned)
	if call.Write && request.Withdraw == nil {
		request.Late = c.run.overtime(call.Planned.Tool)
	}
	session, reply := c.run.exchange(ctx, c.session, request)
	c.run.lasted(call.Planned.Tool, reply)
	if call.Write && request.Withdraw == nil {
		c.run.overdue(call.Planned.Tool, request, reply)
	}
	c.run.orphan(ctx, call, reply)
	unsent := reply.Sent == 0
	session, reply = c.run.carryOn(ctx, session, call, request, reply)
	session, reply = c.run.follow(ctx, session, call, request, reply)
	session, reply = c.run.gather(ctx, session, call, request, reply)
	out := drive.Outcome{Unsent: unsent, End: reply.End, Page: page(reply), Gone: c.run.departed(ctx, session, call.Planned.Tool, reply)}
	if call.Write && reply.End == conform.TimedOut {
		out.Unended = reply.Problem
	}
	if out.Page && out.Gone == "" && (call.Write || call.Planned.DryRun || call.Planned.Repeats != "") {
		// A read is made once more first: that shows as much, and asks for less.
		out.Gone = c.run.behind(ctx, call.Planned.Tool, reply)
	}
	if result := resultOf(reply); result != nil {
		out.Result = json.RawMessage(result.Raw)
	}
	return out
}

// departed says why no further call can be made after a reply; empty: one can. A
// session that the server no longer knows is opened again, as the protocol has
// clients do.
func (r *run) departed(ctx context.Context, s *wire.Session, tool string, reply *wire.Reply) string {
	if tool != "" && reply.Class != wire.Unauthorized && reply.Sent > 0 {
		r.barred.note(tool, reply)
	}
	switch {
	case reply.Class == wire.Unauthorized:
		return r.refused(ctx, s, tool, reply)
	case reply.Class == wire.SessionLost:
		r.forget(s)
		return ""
	case busy(reply) && r.shut() != "":
		return r.shut()
	case r.absent(reply):
		r.mu.Lock()
		known := r.stop.cause
		r.mu.Unlock()
		if known != "" {
			return known // a look at the state had found that out
		}
		return "the target is gone: " + reply.Problem + r.fell()
	case reply.End == conform.Cut:
		r.mu.Lock()
		r.lost = max(r.lost, reply.Done)
		r.mu.Unlock()
		return r.silence.note(tool, reply)
	case r.record.full():
		return noRoom
	case reply.Response != nil:
		r.mu.Lock()
		r.heard = max(r.heard, reply.Done)
		r.mu.Unlock()
	}
	return r.silence.note(tool, reply)
}

// absent tells a reply that says that nobody is there any more to be asked.
func (r *run) absent(reply *wire.Reply) bool {
	return reply.Class == wire.Unreachable || reply.End == conform.Refused ||
		reply.End == conform.Cut && r.client.Transport() == wire.Stdio
}

// tool plans and makes one call to a tool of the server on the main session, for
// a probe, or to put something back or in place; items is how many it is about.
func (r *run) tool(ctx context.Context, call string, p conform.Planned, items int) *wire.Reply {
	s, err := r.Session(ctx, main)
	if err != nil {
		return &wire.Reply{End: conform.Refused, Class: wire.Unreachable, Problem: err.Error()}
	}
	p.Method = "tools/call"
	r.Record(conform.Observation{Kind: conform.KindPlanned, Call: call, Session: main, Planned: &p})
	session := s.(*channel).session
	request := wire.Request{
		Call: call, Method: p.Method, ID: s.NextID(), Timeout: r.file.Timeouts.For(items),
		Params: conform.CallParams(p.Tool, p.Arguments),
	}
	if r.taskSupport(p.Tool) == "required" {
		request.Params = r.asTask(session, p, request.Params)
	}
	changes := p.Role == conform.RoleReset || p.Role == conform.RoleUndo || p.Role == conform.RoleSetup
	if changes {
		request.Late = r.overtime(p.Tool)
	}
	session, reply := r.exchange(ctx, session, request)
	if changes {
		r.overdue(p.Tool, request, reply)
	}
	session, reply = r.follow(ctx, session, conform.BoundCall{ID: call, Session: main, Planned: p}, request, reply)
	if gone := r.departed(ctx, session, p.Tool, reply); gone != "" && ctx.Err() == nil {
		r.gone(gone)
	}
	return reply
}

// Reset puts the state back within a play.
func (r *run) Reset(ctx context.Context, q drive.Resetting) bool {
	op := r.file.Operation(q.Operation)
	if op == nil || !r.undoes(op) {
		return r.reset(ctx, q.Operation, q.Call, q.Instance)
	}
	_, whole := r.undo(ctx, op)
	return whole
}

// mostRefusals is how often in a row a reset, an undo or a setup may be asked in
// vain before it is no longer asked within the run.
const mostRefusals = 2

func (r *run) reset(ctx context.Context, operation, call, instance string) bool {
	op := r.file.Operation(operation)
	if op == nil || op.Reset == nil || r.refusals[op.Reset.Key()] >= mostRefusals {
		return false
	}
	done, _ := r.askReset(ctx, op, call, instance)
	return done
}

// askReset asks for a reset, however often it was refused; lost: no answer came.
func (r *run) askReset(ctx context.Context, op *target.Operation, call, instance string) (done, lost bool) {
	if op.Reset.Tool == "" {
		done = r.resetAside(ctx, op.Name, &op.Reset.Means)
	} else {
		reply := r.tool(ctx, call, conform.Planned{
			Instance: instance, Operation: op.Name, Role: conform.RoleReset, Step: "reset", Tool: op.Reset.Tool, Arguments: whole(op.Reset.Arguments),
		}, 0)
		done, lost = acknowledged(resultOf(reply)), reply.Result == nil
		if reply.End == conform.TimedOut {
			r.adrift[op.Reset.Key()] = fmt.Sprintf("the server may still be at work on the reset by %s, and would put items back in the middle of a scenario: %s", op.Reset.Whose(), reply.Problem)
		}
	}
	if !done {
		r.refusals[op.Reset.Key()]++
		return false, lost
	}
	r.refusals[op.Reset.Key()] = 0
	clear(r.inPlace) // what a setup made may be gone
	return true, false
}

// acknowledged tells a tool's result that does not say isError. Nil, where no
// result came, acknowledges nothing.
func acknowledged(result *rawjson.Node) bool {
	if result == nil {
		return false
	}
	isError, _ := result.Get("isError").Bool()
	return !isError
}

// whole gives arguments, or the empty object where there are none.
func whole(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage(`{}`)
	}
	return arguments
}

// guarded is what calls in flight together share.
type guarded struct {
	mu  sync.Mutex
	ids map[string]int // the last id given, by session
	// waited is what the run has waited for a busy server; shutOut is set once
	// the server has refused the credentials.
	waited  waiting
	shutOut bool
	// written counts the items of writes that went out.
	written int
	late    lateness
	// forgotten counts the calls whose session was over.
	forgotten int
	// heard is when the server answered last, and lost when a connection was lost last.
	heard, lost time.Duration
}
