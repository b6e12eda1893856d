package fakebackend

import (
	"sync"
	"time"
)

// crowd tells calls that are in flight together of each other.
type crowd struct {
	mu    sync.Mutex
	in    map[*call]resolved // with an item of each
	joint chan struct{}      // closed when a second call comes in
}

// enter waits, as long as the backend's window, for another call to be in flight.
func (w *crowd) enter(b *Backend, c *call, item resolved) {
	w.mu.Lock()
	if w.in == nil {
		w.in = map[*call]resolved{}
	}
	if len(w.in) == 0 {
		w.joint = make(chan struct{})
	}
	w.in[c] = item
	if len(w.in) == 2 {
		close(w.joint)
	}
	joint := w.joint
	w.mu.Unlock()
	t := time.NewTimer(b.window)
	defer t.Stop()
	select {
	case <-joint:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// other gives the item of another call that is in flight with this one.
func (w *crowd) other(c *call) (resolved, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for call, item := range w.in {
		if call != c {
			return item, true
		}
	}
	return resolved{}, false
}

func (w *crowd) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.in)
}

func (w *crowd) leave(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.in, c)
}
