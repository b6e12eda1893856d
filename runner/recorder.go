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
	started time.Time
	redact  *redactor

	mu       sync.Mutex
	kept     []conform.Observation
	out      io.Writer // nil: no transcript file
	writeErr error     // the first that failed; the run goes on, and says so
	watch    func(conform.Observation)
}

func newRecorder(header conform.Header, out io.Writer, redact *redactor, started time.Time) *recorder {
	r := &recorder{started: started, redact: redact, out: out}
	if out != nil {
		r.writeErr = conform.WriteLine(out, header)
	}
	return r
}

// Now is the run's clock.
func (r *recorder) Now() time.Duration { return time.Since(r.started) }

// Record takes one observation. What happens to be recorded after the run has
// ended (a late line of a child) is dropped: KindEnded is the last word.
func (r *recorder) Record(o conform.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.kept); n > 0 && r.kept[n-1].Kind == conform.KindEnded {
		return
	}
	o.Seq = int64(len(r.kept) + 1)
	r.redact.observation(&o)
	r.kept = append(r.kept, o)
	if r.out != nil && r.writeErr == nil {
		r.writeErr = conform.WriteLine(r.out, o)
	}
	if r.watch != nil {
		r.watch(o)
	}
}

// observations gives what was recorded so far.
func (r *recorder) observations() []conform.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]conform.Observation(nil), r.kept...)
}

// instance gives what was recorded for one playing of a scenario.
func (r *recorder) instance(name string) []conform.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	var some []conform.Observation
	calls := map[string]bool{}
	for i := len(r.kept) - 1; i >= 0; i-- {
		if p := r.kept[i].Planned; p != nil && p.Instance != name && p.Instance != "" {
			// Playings follow one another: what was planned before is another's.
			for k := i + 1; k < len(r.kept); k++ {
				if p := r.kept[k].Planned; p != nil && p.Instance == name {
					calls[r.kept[k].Call] = true
				}
				if calls[r.kept[k].Call] {
					some = append(some, r.kept[k])
				}
			}
			break
		}
	}
	return some
}
