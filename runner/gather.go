package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pieces"
	"github.com/mcpconform/mcpconform/internal/wire"
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
		reply = on.read(ctx, fmt.Sprintf("%s.%d", ask.Step, k), conform.Planned{Step: ask.Step, Method: "tools/call", Tool: ask.Tool, Arguments: ask.Arguments},
			conform.CallParams(ask.Tool, ask.Arguments), max(time.Until(deadline), afterCancel))
		polled := ask.Step == conform.StepPoll
		if ask = g.Take(resultOf(reply)); ask == nil && polled {
			r.took(op, time.Since(begun))
		}
	}
	return on.session, reply
}
