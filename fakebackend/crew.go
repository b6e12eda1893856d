package fakebackend

import (
	"context"
	"slices"
	"sync"
	"time"
)

// crew is a number of workers. Who finds them all busy waits in a queue, and the
// first who came is the first who is served.
type crew struct {
	mu    sync.Mutex
	idle  []time.Time // since when, for each idle worker
	queue []*waiter
}

type waiter struct {
	came   time.Time
	begins chan time.Time
}

func newCrew(workers int) *crew { return &crew{idle: make([]time.Time, workers)} }

// take gives a worker, and when it begins: when the call came, or when the worker
// was free, whatever the machine's lateness. The worker is held until it is given
// back.
func (c *crew) take(ctx context.Context, came time.Time) (begins time.Time, err error) {
	c.mu.Lock()
	if last := len(c.idle) - 1; last >= 0 && len(c.queue) == 0 {
		since := c.idle[last]
		c.idle = c.idle[:last]
		c.mu.Unlock()
		return later(since, came), nil
	}
	w := &waiter{came: came, begins: make(chan time.Time, 1)}
	c.queue = append(c.queue, w)
	c.mu.Unlock()
	select {
	case begins = <-w.begins:
		return begins, nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.queue, w); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
		return begins, ctx.Err()
	}
	c.pass(<-w.begins) // it was served meanwhile
	return begins, ctx.Err()
}

// give gives a worker back that was free from a time on. No crew has none to give.
func (c *crew) give(free time.Time) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pass(free)
}

// pass gives a worker to the first who waits.
func (c *crew) pass(free time.Time) {
	if len(c.queue) == 0 {
		c.idle = append(c.idle, free)
		return
	}
	first := c.queue[0]
	c.queue = slices.Delete(c.queue, 0, 1)
	first.begins <- later(free, first.came)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
