package runner

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
)

const (
	// mostTries is how often a call is made that the server refuses to take, and
	// mostBlindly how often where it was busy for the call before, too, and does not
	// say for how long: that is for two minutes, the longest that a server can ask for.
	mostTries   = 4
	mostBlindly = 28
	// mostBusy is for how many calls in a row a server may be busy, however often they
	// are made, before nothing more is asked of it.
	mostBusy = 3
	// longestWait bounds what a server may ask for in Retry-After, and mostWaiting
	// what one run waits for a busy server in all.
	longestWait = 2 * time.Minute
	mostWaiting = 30 * time.Minute
)

// waiting is what a run has waited for a busy server.
type waiting struct {
	times int
	sum   time.Duration
	off   time.Duration // by how much the server's clock is ahead, where that mattered
	// row counts the calls in a row that were refused to the last try, those in flight
	// together as one; until is when the last of them was given up.
	row   int
	until time.Duration
	// shut is why nothing more is asked of the server; empty: it may be asked.
	shut string
}

func (w waiting) notes() []string {
	var notes []string
	if w.times > 0 {
		did := "repeated the calls that were refused, without a wait"
		if waited := w.sum.Round(time.Millisecond); waited > 0 {
			did = fmt.Sprintf("waited %s in all, and repeated the calls that were refused", waited)
		}
		notes = append(notes, fmt.Sprintf("the server was busy (HTTP 429 or 503) %s: the run %s", reports.Amount(w.times, "time", "times"), did))
	}
	switch {
	case w.off > 0:
		notes = append(notes, fmt.Sprintf("the server's clock is %s ahead of this machine's: the dates of its Retry-After were read by its own Date", humanely(w.off)))
	case w.off < 0:
		notes = append(notes, fmt.Sprintf("the server's clock is %s behind this machine's: the dates of its Retry-After were read by its own Date", humanely(-max(w.off, -math.MaxInt64))))
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
		if ctx.Err() != nil {
			return s, reply
		}
		switch {
		case reply.Class == wire.SessionLost:
			if try >= mostTries {
				return s, reply
			}
			fresh, err := r.reopen(ctx, s)
			if err != nil {
				return s, reply
			}
			s = fresh
			r.mu.Lock()
			r.forgotten++
			r.mu.Unlock()
		case busy(reply):
			if !r.patience(reply, try) {
				return s, reply
			}
		default:
			r.taken(reply)
			return s, reply
		}
	}
}

// forgetful says that the server did not know sessions any more; none where it did.
func (r *run) forgetful() []string {
	if r.forgotten == 0 {
		return nil
	}
	return []string{reports.Amount(r.forgotten, "call was", "calls were") + " answered with 404, for their session was over: a new one was opened, and what had not been begun was asked for again"}
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

// busy tells a call that the server refused to take for the time being.
func busy(reply *wire.Reply) bool {
	return reply.Response == nil && (reply.Status == http.StatusTooManyRequests || reply.Status == http.StatusServiceUnavailable)
}

// taken notes that a server answered a call in one way or another.
func (r *run) taken(reply *wire.Reply) {
	if reply.Response == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waited.row = 0
}

// patience lets the whole run wait for a busy server; false: it has waited enough,
// or the server asks for more than anybody would wait. Whoever is sent away for so
// long does not come back with the next call: nothing more is asked then.
func (r *run) patience(reply *wire.Reply, try int) bool {
	wait := min(250*time.Millisecond<<min(try, 5), 5*time.Second)
	told, off, ok := retryAfter(reply.RetryAfter, reply.Date, r.pace.now())
	if ok {
		wait = told
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if off >= clocksDiffer || off <= -clocksDiffer {
		r.waited.off = off
	}
	most := mostTries
	if !ok && r.waited.row > 0 {
		most = mostBlindly
	}
	left := r.timeLeft()
	switch {
	case wait > longestWait:
		r.shutOff("a busy server (HTTP %d) asked to be left alone for %s (Retry-After), and a run waits at most %s at once", reply.Status, humanely(wait), humanely(longestWait))
		return false
	case r.waited.sum+wait > mostWaiting:
		r.shutOff("the server was busy (HTTP %d) again when the run had waited %s for it, and a run waits at most %s in all", reply.Status, humanely(r.waited.sum), humanely(mostWaiting))
		return false
	case wait > left:
		r.shutOff("a busy server (HTTP %d) asked to be left alone for %s, which is longer than --max-time leaves", reply.Status, humanely(wait))
		return false
	case try >= most:
		if reply.Sent >= r.waited.until {
			r.waited.row, r.waited.until = r.waited.row+1, reply.Done
		}
		if r.waited.row >= mostBusy {
			r.shutOff("the server was busy (HTTP %d) for %d calls in a row, each of which was made at least %d times", reply.Status, mostBusy, mostTries)
		}
		return false
	}
	r.waited.times++
	r.waited.sum += r.pace.pause(wait)
	return true
}

// shutOff notes why nothing more is asked of a busy server; the first cause counts.
// The caller holds the lock.
func (r *run) shutOff(why string, args ...any) {
	if r.waited.shut == "" {
		r.waited.shut = fmt.Sprintf(why, args...)
	}
}

// shut is why nothing more is asked of a busy server; empty: it may be asked.
func (r *run) shut() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waited.shut
}

// humanely tells a time as one would say it. What a server asks for may be any
// number: beyond a year nobody counts.
func humanely(d time.Duration) string {
	const day = 24 * time.Hour
	of := func(unit time.Duration, one, many string) string {
		return reports.Amount(int((d+unit/2)/unit), one, many)
	}
	switch {
	case d > 365*day:
		return "more than a year"
	case d >= 2*day:
		return of(day, "day", "days")
	case d >= 2*time.Hour:
		return of(time.Hour, "hour", "hours")
	case d >= 2*time.Minute:
		return of(time.Minute, "minute", "minutes")
	}
	return of(time.Second, "second", "seconds")
}

// clocksDiffer is from when on a server's clock is told to differ from ours. A
// date has whole seconds, and takes a while to get here.
const clocksDiffer = 5 * time.Second

// retryAfter reads the header field of that name: seconds, or a date, which
// counts from the server's own Date, since its clock may be another than ours;
// off is by how much. A date that is over says nothing of how long to wait.
func retryAfter(text, date string, now time.Time) (wait, off time.Duration, ok bool) {
	if text != "" && strings.Trim(text, "0123456789") == "" {
		const most = math.MaxInt64 / int64(time.Second)
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds > most {
			seconds = most // more than can be counted
		}
		return time.Duration(seconds) * time.Second, 0, true
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
