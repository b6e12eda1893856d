package runner

import (
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
)

// lateness is what a run knows of calls that may change something and that were
// not answered in the time of a call. The server may still be at work on them, so
// they are waited for a while longer: what is looked at, put back or asked for
// again before the server has ended would be held against it without cause.
type lateness struct {
	calls   int           // that were answered in the time that they were given on top
	longest time.Duration // that one of them took
	first   string        // the id of the first
	// vain are calls in a row that nothing answered in that time either, by tool:
	// what has not ended several times will not end by waiting.
	vain map[string]*hush
}

// overtime gives how much longer than its time a call of a tool is waited for.
func (r *run) overtime(tool string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h := r.late.vain[tool]; h != nil && h.calls >= mostSettles {
		return 0
	}
	return r.file.Timeouts.Late
}

// overdue takes in how a call ended that was given time on top of a call's.
func (r *run) overdue(tool string, q wire.Request, reply *wire.Reply) {
	if reply.Sent == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late.vain == nil {
		r.late.vain = map[string]*hush{}
	}
	if r.late.vain[tool] == nil {
		r.late.vain[tool] = &hush{}
	}
	r.late.vain[tool].note(reply)
	if took := reply.Done - reply.Sent; reply.Response != nil && took > q.Timeout && q.Most == 0 {
		if r.late.calls++; r.late.calls == 1 {
			r.late.first = q.Call
		}
		r.late.longest = max(r.late.longest, took)
	}
}

// notes says how many were late; none where none were.
func (l *lateness) notes(call time.Duration) []string {
	if l.calls == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s that may change something took longer than the time of a call (%s; the first one %s, the longest %s): the run waited for the answers, so as not to look or put back while the server was at work (`timeouts.late`)",
		reports.Amount(l.calls, "call", "calls"), call, l.first, l.longest.Round(time.Millisecond))}
}
