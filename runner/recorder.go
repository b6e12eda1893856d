package runner

import (
	"bufio"
	"crypto/sha256"
	"hash"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// recorder numbers observations, redacts them, keeps them for judging and
// writes each as one whole line of the transcript. It is safe for concurrent
// use.
//
// Where values are masked, the run goes on with what it keeps, and what is written
// and judged is the masked form of it. A value may be learnt after it stood in a
// line already: finish writes such a transcript anew.
type recorder struct {
	began  time.Time // read from the monotonic clock, which nobody sets
	before time.Duration
	redact *redactor
	mask   *masker   // nil: nothing is masked
	sum    hash.Hash // of what was written
	ended  bool      // finish was called

	mu       sync.Mutex
	kept     []conform.Observation
	fresh    []conform.Observation // not redacted: what the journal has not read yet
	further  bool                  // what is put back after an interruption follows KindEnded
	out      io.Writer             // nil: no transcript file
	writeErr error                 // the first that failed; the run goes on, and says so
	room     room
}

// newRecorder begins the run's clock: it counts from when the run was started,
// and is not moved by a wall clock that is set meanwhile.
func newRecorder(header conform.Header, out io.Writer, redact *redactor, mask *masker, started time.Time) *recorder {
	now := time.Now()
	r := &recorder{began: now, before: max(0, now.Sub(started)), redact: redact, mask: mask, out: out, sum: sha256.New()}
	if mask != nil {
		header = rewriteHeader(header, mask)
	}
	r.write(header)
	return r
}

// write writes a line, as long as all could be written.
func (r *recorder) write(line any) {
	if r.out == nil || r.writeErr != nil || r.held() {
		return
	}
	if r.mask == nil {
		r.writeErr = conform.WriteLine(r.out, line)
		return
	}
	r.writeErr = conform.WriteLine(io.MultiWriter(r.out, r.sum), line)
}

// file gives the transcript where it can be written again from its beginning; nil
// where what was written stays, as in a pipe.
func (r *recorder) file() *os.File {
	file, ok := r.out.(*os.File)
	if !ok {
		return nil
	}
	if about, err := file.Stat(); err != nil || !about.Mode().IsRegular() {
		return nil
	}
	return file
}

// held tells that no line is written before the end: what is masked may have to
// be written again.
func (r *recorder) held() bool { return r.mask != nil && !r.ended && r.file() == nil }

// finish gives what is judged, and sees to it that the transcript says the same.
// Lines that follow are written as they come.
func (r *recorder) finish(header conform.Header) (conform.Header, []conform.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return header, append([]conform.Observation(nil), r.kept...)
	}
	header, observations := r.mask.all(header, r.kept)
	r.ended = true
	if r.out == nil || r.writeErr != nil {
		return header, observations
	}
	whole := func(out io.Writer) error {
		err := conform.WriteLine(out, header)
		for i := range observations {
			if err == nil {
				err = conform.WriteLine(out, observations[i])
			}
		}
		return err
	}
	file := r.file()
	if file == nil {
		r.writeErr = whole(r.out)
		return header, observations
	}
	sum := sha256.New()
	if r.writeErr = whole(sum); r.writeErr != nil || string(sum.Sum(nil)) == string(r.sum.Sum(nil)) {
		return header, observations
	}
	// A pseudonym is as long as its value, so that lines stay where they are, and
	// the file is whole at any moment.
	at := io.NewOffsetWriter(file, 0)
	out := bufio.NewWriterSize(at, 1<<20)
	r.writeErr = whole(out)
	if r.writeErr == nil {
		r.writeErr = out.Flush()
	}
	if end, err := at.Seek(0, io.SeekCurrent); r.writeErr == nil && err == nil {
		if r.writeErr = file.Truncate(end); r.writeErr == nil {
			_, r.writeErr = file.Seek(end, io.SeekStart)
		}
	}
	return header, observations
}

// Now is the run's clock.
func (r *recorder) Now() time.Duration { return r.before + time.Since(r.began) }

// Record takes one observation. What happens to be recorded after the run has
// ended (a late line of a child) is dropped: KindEnded is the last word.
func (r *recorder) Record(o conform.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.kept); n > 0 && r.kept[n-1].Kind == conform.KindEnded && !r.further {
		return
	}
	o.Seq = int64(len(r.kept) + 1)
	r.room.give(&o)
	if o.Received != nil {
		o.Received = r.room.take(o.Received)
	}
	r.fresh = append(r.fresh, o)
	rewrite(&o, r.redact)
	r.kept = append(r.kept, o)
	if r.mask != nil {
		r.mask.observation(&o)
	}
	r.write(o)
}

// learnSecret has a secret redacted that came to be known within the run.
func (r *recorder) learnSecret(s Secret) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.redact.learn(s)
}

// broken says why the transcript could not be written; nil: it could so far.
func (r *recorder) broken() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.writeErr
}

// learn takes the values of calls that will be made, so that they are masked
// already where others speak of them first.
func (r *recorder) learn(calls []conform.BoundCall) {
	if r.mask == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range calls {
		r.mask.learn(&calls[i].Planned)
	}
}

// told gives what is left behind as others may read it.
func (r *recorder) told(list []conform.Left) []conform.Left {
	r.mu.Lock()
	defer r.mu.Unlock()
	list = left(r.redact, list)
	if r.mask != nil {
		list = left(r.mask, list)
	}
	return list
}

// unmet gives the masks that led to nothing so far.
func (r *recorder) unmet() []conform.Unmet {
	if r.mask == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mask.unmet()
}

// learnFrom takes the values of a payload that is not recorded: what eyes saw that
// are no tool of the server.
func (r *recorder) learnFrom(payload *rawjson.Node) {
	if r.mask == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mask.mask.Learn(payload)
}

// both gives what was recorded as it is and as it is judged, each with an end.
func (r *recorder) both(header conform.Header, end conform.Observation) (conform.Header, [2][]conform.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := append(append([]conform.Observation(nil), r.kept...), end)
	masked, observations := r.mask.all(header, kept)
	return masked, [2][]conform.Observation{kept, observations}
}

// goOn lets observations follow the end of the run.
func (r *recorder) goOn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.further = true
}

// read gives what was recorded since it was asked last, as it came: what is to be
// put back needs names that the recording must not hold.
func (r *recorder) read() []conform.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := r.fresh
	r.fresh = nil
	return fresh
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
