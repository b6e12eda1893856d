package runner

import (
	"io"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// recorder numbers observations, redacts them, keeps them for judging and
// writes each as one whole line of the transcript. It is safe for concurrent
// use.
type recorder struct {
	began  time.Time // read from the monotonic clock, which nobody sets
	before time.Duration
	redact *redactor

	mu       sync.Mutex
	kept     []conform.Observation
	out      io.Writer // nil: no transcript file
	writeErr error     // the first that failed; the run goes on, and says so
	room     room
	watch    func(conform.Observation)
}

// newRecorder begins the run's clock: it counts from when the run was started,
// and is not moved by a wall clock that is set meanwhile.
func newRecorder(header conform.Header, out io.Writer, redact *redactor, started time.Time) *recorder {
	now := time.Now()
	r := &recorder{began: now, before: max(0, now.Sub(started)), redact: redact, out: out}
	if out != nil {
		r.writeErr = conform.WriteLine(out, header)
	}
	return r
}

// Now is the run's clock.
func (r *recorder) Now() time.Duration { return r.before + time.Since(r.began) }

// Record takes one observation. What happens to be recorded after the run has
// ended (a late line of a child) is dropped: KindEnded is the last word.
func (r *recorder) Record(o conform.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.kept); n > 0 && r.kept[n-1].Kind == conform.KindEnded {
		return
	}
	o.Seq = int64(len(r.kept) + 1)
	if o.Received != nil {
		o.Received = r.room.take(o.Received)
	}
	r.redact.observation(&o)
	r.kept = append(r.kept, o)
	if r.out != nil && r.writeErr == nil {
		r.writeErr = conform.WriteLine(r.out, o)
	}
	if r.watch != nil {
		r.watch(o)
	}
}

// full tells whether the room for what a server sends is used up.
func (r *recorder) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.room.full()
}

// observations gives what was recorded so far.
func (r *recorder) observations() []conform.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]conform.Observation(nil), r.kept...)
}

// mark gives the place that since reads from.
func (r *recorder) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.kept)
}

// since gives what was recorded after a mark.
func (r *recorder) since(mark int) []conform.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]conform.Observation(nil), r.kept[mark:]...)
}
