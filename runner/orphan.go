package runner

import (
	"context"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// took keeps the longest time that a task or job of an operation was polled for.
func (r *run) took(op *target.Operation, long time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs[op.Name] = max(r.jobs[op.Name], long)
}

// orphan waits for the task or job of a write whose answer was lost: it may have
// begun, and nobody can ask for it. Twice the time of the longest should be enough
// for its work to be seen, and not to be taken for what a later call does.
func (r *run) orphan(ctx context.Context, call conform.BoundCall, reply *wire.Reply) {
	op := r.file.Operation(call.Planned.Operation)
	if op == nil || op.Results.Async == nil && !op.Tasks || !call.Write || after(reply) == "" {
		return
	}
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
