package runner

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
)

const (
	// mostTries is how often a call is made that the server refuses to take.
	mostTries = 4
	// longestWait bounds what a server may ask for in Retry-After, and mostWaiting
	// what one run waits for busy servers in all.
	longestWait = 5 * time.Second
	mostWaiting = time.Minute
)

// waiting is what a run has waited for a busy server.
type waiting struct {
	times int
	sum   time.Duration
}

func (w waiting) note() string {
	return fmt.Sprintf("the server was busy (HTTP 429 or 503) %d times: the run waited %s in all, and repeated the calls that were refused", w.times, w.sum)
}

// exchange makes a call, and makes it again where the server refused to take it:
// it was busy, or no longer knew the session, which is opened again as the
// protocol has clients do. Such a call was not begun, so that a write may be
// repeated too. All tries are recorded under the one call.
func (r *run) exchange(ctx context.Context, s *wire.Session, q wire.Request) (*wire.Session, *wire.Reply) {
	for try := 1; ; try++ {
		reply := s.Do(ctx, q)
		if try == mostTries || ctx.Err() != nil {
			return s, reply
		}
		switch {
		case reply.Class == wire.SessionLost:
			fresh, err := r.reopen(ctx, s)
			if err != nil {
				return s, reply
			}
			s = fresh
		case reply.Response == nil && (reply.Status == http.StatusTooManyRequests || reply.Status == http.StatusServiceUnavailable):
			wait, ok := r.patience(reply.RetryAfter, try)
			if !ok {
				return s, reply
			}
			select {
			case <-ctx.Done():
				return s, reply
			case <-time.After(wait):
			}
		default:
			return s, reply
		}
	}
}

// reopen opens a session again that the server has forgotten. Calls in flight
// together may all learn of it: the first one opens it.
func (r *run) reopen(ctx context.Context, lost *wire.Session) (*wire.Session, error) {
	r.reopening.Lock()
	defer r.reopening.Unlock()
	r.forget(lost)
	return r.open(ctx, lost.Name)
}

// forget drops a session, unless another one has taken its place.
func (r *run) forget(s *wire.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session[s.Name] == s {
		delete(r.session, s.Name)
	}
}

// patience says how long to wait for a busy server; ok is false if the run has
// waited enough.
func (r *run) patience(asked string, try int) (wait time.Duration, ok bool) {
	wait = 250 * time.Millisecond << try
	if seconds, err := strconv.Atoi(asked); err == nil && seconds >= 0 {
		wait = time.Duration(min(seconds, 3600)) * time.Second
	}
	wait = min(wait, longestWait)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waited.sum+wait > mostWaiting {
		return 0, false
	}
	r.waited.times++
	r.waited.sum += wait
	return wait, true
}
