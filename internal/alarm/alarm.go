// Package alarm wakes those who wait at a point in time, as precisely as the
// system can: to some tens of microseconds, where the runtime's own timers are
// late by up to a millisecond or more. It knows nothing of what is waited for.
package alarm

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// Until waits for a point in time; one that is over is not waited for. It gives
// the context's error, if that ends first.
func Until(ctx context.Context, at time.Time) error { return theClock().until(ctx, at) }

func (c *clock) until(ctx context.Context, at time.Time) error {
	if err := ctx.Err(); err != nil || !at.After(time.Now()) {
		return err
	}
	s := &sleeper{at: at, woken: make(chan struct{})}
	c.add(s)
	select {
	case <-s.woken:
		return nil
	case <-ctx.Done():
		c.remove(s)
		return ctx.Err()
	}
}

// sleeper is one who waits.
type sleeper struct {
	at    time.Time
	woken chan struct{}
	place int // in the queue; -1: woken
}

// queue has those who are to be woken first in front.
type queue []*sleeper

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }

// Swap keeps the places.
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push and Pop are for package heap.
func (q *queue) Push(x any) {
	s := x.(*sleeper)
	s.place = len(*q)
	*q = append(*q, s)
}

// Pop takes the last one out.
func (q *queue) Pop() any {
	last := len(*q) - 1
	s := (*q)[last]
	*q, s.place = (*q)[:last], -1
	return s
}

// clock wakes sleepers by one timer of the system.
type clock struct {
	timer timer
	mu    sync.Mutex
	queue queue
}

// timer is a timer of the system that rings once.
type timer interface {
	// set has it ring after a time, instead of when it was set for before.
	set(d time.Duration)
	// wait waits until it has rung, or longer.
	wait()
}

// theClock is started by the first who waits, and serves them all.
var theClock = sync.OnceValue(func() *clock {
	c := &clock{timer: newTimer()}
	go c.run()
	return c
})

func (c *clock) add(s *sleeper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(&c.queue, s)
	if s.place == 0 {
		c.timer.set(time.Until(s.at))
	}
}

func (c *clock) remove(s *sleeper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.place >= 0 {
		heap.Remove(&c.queue, s.place)
	}
}

func (c *clock) run() {
	for {
		c.timer.wait()
		c.wake()
	}
}

// wake wakes all whose time has come, and sets the timer for the next.
func (c *clock) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for len(c.queue) > 0 && !c.queue[0].at.After(now) {
		close(heap.Pop(&c.queue).(*sleeper).woken)
	}
	if len(c.queue) > 0 {
		c.timer.set(time.Until(c.queue[0].at))
	}
}
