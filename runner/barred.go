package runner

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// mostBarred is how many calls of one tool in a row the server may refuse by
// status 401 or 403 before no more are made.
const mostBarred = 3

// barred knows the tools that the server refuses to us while it answers other
// requests: a scope or a role that the credentials lack is no end of the session.
type barred struct {
	mu    sync.Mutex
	tools map[string]*bar
	other bool // some call of a tool came to another end
}

type bar struct{ calls, status int }

// note takes in what became of a call to a tool, and gives how many of its calls in
// a row were refused.
func (b *barred) note(tool string, reply *wire.Reply) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tools == nil {
		b.tools = map[string]*bar{}
	}
	if reply.Class != wire.Unauthorized {
		b.other = true
		delete(b.tools, tool)
		return 0
	}
	if b.tools[tool] == nil {
		b.tools[tool] = &bar{}
	}
	b.tools[tool].calls, b.tools[tool].status = b.tools[tool].calls+1, reply.Status
	return b.tools[tool].calls
}

// of says why a tool is not called any more; empty: it may be.
func (b *barred) of(tool string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bar := b.tools[tool]; bar != nil && bar.calls >= mostBarred {
		return fmt.Sprintf("the server refused %d calls of the tool %s in a row (HTTP %d) and answered other requests: these credentials do not reach the tool, and it was not called again", bar.calls, tool, bar.status)
	}
	return ""
}

// all says that every call of every tool was refused; empty: some was not, or none
// was made.
func (b *barred) all() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.other || len(b.tools) == 0 {
		return ""
	}
	status := http.StatusForbidden
	for _, bar := range b.tools {
		if bar.status == http.StatusUnauthorized {
			status = bar.status
		}
	}
	return fmt.Sprintf("the server lists its tools and refused the credentials of every call (HTTP %d)", status)
}

// refused tells one tool's refusal from the session's: after status 401 or 403 to
// a call it asks for the list of tools, which the credentials reached before. Where
// that is refused too, gone says so, and no further call is made.
func (r *run) refused(ctx context.Context, s *wire.Session, tool string, got *wire.Reply) (gone string) {
	ended := func() string {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.shutOut = true
		if got.Status == http.StatusForbidden {
			return "the server stopped accepting the credentials: " + got.Problem
		}
		return expired(r.record.Now(), got)
	}
	if tool == "" {
		return ended()
	}
	r.peering.Lock()
	defer r.peering.Unlock()
	if r.barred.note(tool, got) > mostBarred || ctx.Err() != nil {
		return ""
	}
	r.peered++
	call := fmt.Sprintf("behind/%d", r.peered)
	r.Record(conform.Observation{Kind: conform.KindPlanned, Call: call, Session: s.Name, Planned: &conform.Planned{
		Role: conform.RoleList, Step: "after refused credentials", Method: "tools/list",
	}})
	reply := s.Do(ctx, wire.Request{Call: call, Method: "tools/list", Params: []byte(`{}`)})
	if reply.Class == wire.Unauthorized {
		return ended()
	}
	return r.departed(ctx, s, "", reply)
}

// expired words that the server refused credentials that it took before.
func expired(after time.Duration, got *wire.Reply) string {
	return fmt.Sprintf("credentials expired after %s: %s", rounded(after), got.Problem)
}

// rounded is a time as a person says it.
func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond)
	}
	return d.Round(time.Second)
}

// shutOutOfAll ends a run in which the server answered no call of any tool, and
// refused the credentials of each: nothing can be judged with them.
func (r *run) shutOutOfAll() {
	if why := r.barred.all(); why != "" && r.stop.cause == "" {
		r.stop = stopped{conform.EndUnauthorized, why}
	}
}
