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
	// what one run waits for a busy server in all.
	longestWait = 2 * time.Minute
	mostWaiting = 30 * time.Minute
)

// waiting is what a run has waited for a busy server.
type waiting struct {
	times int
	sum   time.Duration
}

func (w waiting) note() string {
	return fmt.Sprintf("the server was busy (HTTP 429 or 503) %d times: the run waited %s in all, and repeated the calls that were refused", w.times, w.sum.Round(time.Millisecond))
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
			if !r.patience(reply.RetryAfter, try) {
				return s, reply
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

// patience lets the whole run wait for a busy server; false: it has waited
// enough, or the server asks for more than anybody would wait.
func (r *run) patience(asked string, try int) bool {
	wait := min(250*time.Millisecond<<try, 5*time.Second)
	if told, ok := retryAfter(asked, r.pace.now()); ok {
		wait = told
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if wait > longestWait || r.waited.sum+wait > mostWaiting || wait > r.timeLeft() {
		return false
	}
	r.waited.times++
	r.waited.sum += r.pace.pause(wait)
	return true
}

// retryAfter reads the header field of that name: seconds, or a date.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}
