package fakebackend

import (
	"context"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/alarm"
)

// Downstream says how the store behind the tools takes work.
type Downstream string

// The downstreams.
const (
	// Batch: the store takes the whole set in one request. One worker is held
	// for PerCallDelay and then for PerItemDelay times the number of items.
	Batch Downstream = "batch"
	// Unit: the store takes one item a request. A worker is held for
	// PerCallDelay; then each item holds a worker of its own for PerItemDelay,
	// FanOut of them at once.
	Unit Downstream = "unit"
)

// load is the cost of work: delays, workers, fan-out.
type load struct {
	perCall, perItem time.Duration
	jitter           *jitters // nil: none
	stall            stalls
	downstream       Downstream
	fanOut           int
	crew             *crew // nil: as many work as are asked for
}

// free tells whether work costs nothing.
func (l *load) free() bool {
	return l.perCall == 0 && l.perItem == 0 && l.jitter == nil && l.stall.every == 0 && l.crew == nil
}

// each does the work for n items. Where ctx ends first, the items that are left
// are not done: do is not called for them.
func (l *load) each(ctx context.Context, n int, do func(i int)) {
	tell := tellerOf(ctx).of(n)
	perCall := max(0, l.perCall+l.jitter.next())
	if l.downstream != Unit {
		_ = l.hold(ctx, perCall+time.Duration(n)*l.perItem, func() {
			for i := range n {
				do(i)
				tell()
			}
		})
		return
	}
	if l.hold(ctx, perCall, func() {}) != nil {
		return
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(l.fanOut, n) {
		wg.Go(func() {
			for i := range next {
				_ = l.hold(ctx, l.perItem, func() {
					do(i)
					tell()
				})
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// hold waits for a worker, keeps it busy for d, and then does the work with it.
// Its time is counted from when it should have begun, not from when this came to
// run: lateness of the machine does not add up.
func (l *load) hold(ctx context.Context, d time.Duration, work func()) error {
	if l.free() {
		if err := ctx.Err(); err != nil {
			return err
		}
		work()
		return nil
	}
	begun := time.Now()
	if l.crew != nil {
		at, err := l.crew.take(ctx, begun)
		if err != nil {
			return err
		}
		begun = at
	}
	end := l.stall.after(begun, d)
	if err := alarm.Until(ctx, end); err != nil {
		l.crew.give(time.Now())
		return err
	}
	work()
	l.crew.give(end)
	return nil
}

// thaw waits as long as everything is frozen.
func (l *load) thaw(ctx context.Context) {
	if l.stall.every > 0 {
		_ = alarm.Until(ctx, l.stall.after(time.Now(), 0)) // whoever gave up is answered anyway
	}
}

// wait waits for a time, and no longer than ctx.
func wait(ctx context.Context, d time.Duration) error {
	return alarm.Until(ctx, time.Now().Add(d))
}
