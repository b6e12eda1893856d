package fakebackend

import (
	"sync"
	"time"
)

// clock is the time that the backend goes by, for all that happens later or
// counts in minutes. What work costs (Options.PerItemDelay and the like) is
// waited for on the machine's own clock.
type clock interface {
	Now() time.Time
	// AfterFunc calls f once d has passed, unless stop was called before: then
	// stop gives true, and f is never called.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}

// timers are what the backend still has to do; Close ends them all.
type timers struct {
	mu     sync.Mutex
	closed bool
	last   int
	stops  map[int]func() bool
}

func (t *timers) forget(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.stops, id)
}

// later calls f after a time, unless stop is called or the backend is closed
// before.
func (b *Backend) later(d time.Duration, f func()) (stop func() bool) {
	t := &b.timers
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return func() bool { return false }
	}
	t.last++
	id := t.last
	halt := b.clock.AfterFunc(d, func() {
		t.forget(id)
		f()
	})
	t.stops[id] = halt
	return func() bool {
		t.forget(id)
		return halt()
	}
}

// Close ends what the backend does by itself: tasks and jobs whose time has not
// come are never done, and the second writer stays away. It may be called more
// than once.
func (b *Backend) Close() {
	t := &b.timers
	t.mu.Lock()
	stops := t.stops
	t.closed, t.stops = true, nil
	t.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
}
