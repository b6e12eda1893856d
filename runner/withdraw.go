package runner

import (
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// How a call is cancelled in the middle.
const (
	// atOnce is below what time a call is cancelled as soon as it is written: half of
	// it would be no middle that anybody could meet.
	atOnce = 40 * time.Millisecond
	// quiet is the least that an answer is waited for all the same.
	quiet = time.Second
)

// withdrawal says when a call is cancelled that the scenario has cancelled: in the
// middle of the time that the tool's calls took so far. Nil: it is not, or it may
// become a task, which is cancelled as one.
func (r *run) withdrawal(p conform.Planned) *wire.Withdrawal {
	op := r.file.Operation(p.Operation)
	if !p.Cancels || op == nil || op.Tasks {
		return nil
	}
	r.mu.Lock()
	usual := r.usual[p.Tool]
	r.mu.Unlock()
	w := &wire.Withdrawal{Quiet: min(quiet+2*usual, r.file.Timeouts.For(len(p.Items)))}
	if usual >= atOnce {
		w.After = usual / 2
	}
	return w
}

// lasted notes how long a call of a tool took that was answered with a result.
func (r *run) lasted(tool string, reply *wire.Reply) {
	if reply.Result == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usual[tool] = reply.Done - reply.Sent
}
