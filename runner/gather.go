package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pieces"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// gather asks for the pieces that an answer leaves for later, as the target file
// says: it looks at a job until it has ended, and turns pages until the last. It
// gives the reply that holds the last piece. All of them together have the time of
// one call.
func (r *run) gather(ctx context.Context, s *wire.Session, call conform.BoundCall, first wire.Request, reply *wire.Reply) (*wire.Session, *wire.Reply) {
	op := r.file.Operation(call.Planned.Operation)
	if op == nil {
		return s, reply
	}
	g := pieces.Begin(&op.Operation, call.Planned)
	if g == nil {
		return s, reply
	}
	begun := time.Now()
	if after(reply) != "" && call.Write && op.Results.Async != nil {
		r.orphan(ctx, op)
	}
	deadline := begun.Add(first.Timeout)
	on := &continuing{run: r, session: s, call: call, first: first}
	ask := g.Take(resultOf(reply))
	for k, last := 1, false; ask != nil; k++ {
		pause(ctx, min(time.Until(deadline), ask.Wait))
		over := time.Until(deadline) <= 0
		if ctx.Err() != nil || over && (last || ask.Step != conform.StepPoll) {
			// To whoever counts the calls that nothing answers, this is one.
			late := *reply
			late.End, late.Result = conform.TimedOut, nil
			late.Problem = fmt.Sprintf("the whole answer of %s had not come within %s", call.Planned.Tool, first.Timeout)
			return on.session, &late
		}
		last = over // a last look says whether the job has ended by then
		name := fmt.Sprintf("%s.%d", ask.Step, k)
		look := conform.Planned{Step: ask.Step, Method: "tools/call", Tool: ask.Tool, Arguments: ask.Arguments}
		params, left := toolParams(ask.Tool, ask.Arguments), max(time.Until(deadline), afterCancel)
		if reply = on.ask(ctx, name, look, params, left); after(reply) != "" && ctx.Err() == nil {
			// It only reads, and is made once more, marked.
			look.Repeats = call.ID + "/" + name
			reply = on.ask(ctx, name+".again", look, params, left)
		}
		if ask = g.Take(resultOf(reply)); ask == nil && look.Step == conform.StepPoll {
			r.took(op, time.Since(begun))
		}
	}
	return on.session, reply
}

// took keeps the longest time that a job of an operation was polled for.
func (r *run) took(op *target.Operation, long time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs[op.Name] = max(r.jobs[op.Name], long)
}

// orphan waits for the job of a call whose answer was lost: it may have begun, and
// nobody can ask for it. Twice the time of the longest job should be enough for it to
// be seen by the eyes, and not to be taken for what a later call does.
func (r *run) orphan(ctx context.Context, op *target.Operation) {
	wait := settleElsewhere
	if op.Probe != nil {
		wait = r.settle(op)
	}
	r.mu.Lock()
	if longest := r.jobs[op.Name]; longest > 0 {
		wait = min(wait, 2*longest)
	}
	r.mu.Unlock()
	pause(ctx, wait)
}
