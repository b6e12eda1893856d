package runner

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
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
	times   int
	sum     time.Duration
	refused time.Duration // the longest that it was asked to wait and did not
	off     time.Duration // by how much the server's clock is ahead, where that mattered
}

func (w waiting) notes() []string {
	var notes []string
	if w.times > 0 {
		notes = append(notes, fmt.Sprintf("the server was busy (HTTP 429 or 503) %s: the run waited %s in all, and repeated the calls that were refused", reports.Amount(w.times, "time", "times"), w.sum.Round(time.Millisecond)))
	}
	if w.refused > 0 {
		notes = append(notes, fmt.Sprintf("a busy server asked to be left alone for %s (Retry-After); a run waits at most %s at once, so the calls that it refused then were not made again", w.refused.Round(time.Second), longestWait))
	}
	switch {
	case w.off > 0:
		notes = append(notes, fmt.Sprintf("the server's clock is %s ahead of this machine's: the dates of its Retry-After were read by its own Date", w.off.Round(time.Second)))
	case w.off < 0:
		notes = append(notes, fmt.Sprintf("the server's clock is %s behind this machine's: the dates of its Retry-After were read by its own Date", (-w.off).Round(time.Second)))
	}
	return notes
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
			if !r.patience(reply, try) {
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
func (r *run) patience(reply *wire.Reply, try int) bool {
	wait := min(250*time.Millisecond<<try, 5*time.Second)
	told, off, ok := retryAfter(reply.RetryAfter, reply.Date, r.pace.now())
	if ok {
		wait = told
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if off >= clocksDiffer || off <= -clocksDiffer {
		r.waited.off = off
	}
	if wait > longestWait {
		r.waited.refused = max(r.waited.refused, wait)
		return false
	}
	if r.waited.sum+wait > mostWaiting || wait > r.timeLeft() {
		return false
	}
	r.waited.times++
	r.waited.sum += r.pace.pause(wait)
	return true
}

// clocksDiffer is from when on a server's clock is told to differ from ours. A
// date has whole seconds, and takes a while to get here.
const clocksDiffer = 5 * time.Second

// retryAfter reads the header field of that name: seconds, or a date, which
// counts from the server's own Date, since its clock may be another than ours;
// off is by how much. A date that is over says nothing of how long to wait.
func retryAfter(text, date string, now time.Time) (wait, off time.Duration, ok bool) {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second, 0, true
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0, 0, false
	}
	if server, err := http.ParseTime(date); err == nil {
		now, off = server, server.Sub(now)
	}
	wait = until.Sub(now)
	return max(0, wait), off, wait > 0
}
