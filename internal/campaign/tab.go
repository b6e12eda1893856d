package campaign

import (
	"sync/atomic"
	"time"
)

// tab is what one user notes with every call. Each has memory of its own that nobody
// else writes: a counter that all users share would go from core to core with every
// call, and cost more than the counting.
type tab struct {
	calls atomic.Int64  // that came back
	heard atomic.Int64  // when the server answered last, in nanoseconds
	last  time.Duration // when the last call came back
	own   time.Duration // what passed from an answer to its verdict
	_     [2*cacheLine - 32]byte
}

// cacheLine is what memory is shared out by, in bytes; two lie side by side where the
// processor fetches them in pairs.
const cacheLine = 64

// came gives how many calls came back so far.
func (w *window) came() (calls int64) {
	for i := range w.tabs {
		calls += w.tabs[i].calls.Load()
	}
	return calls
}

// heard gives when the server answered last; 0: not in this window.
func (w *window) heard() (at time.Duration) {
	for i := range w.tabs {
		at = max(at, time.Duration(w.tabs[i].heard.Load()))
	}
	return at
}

// last gives when the last call came back, once the users are done.
func (w *window) last() (at time.Duration) {
	for i := range w.tabs {
		at = max(at, w.tabs[i].last)
	}
	return at
}
