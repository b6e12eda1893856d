package fakebackend

import (
	"context"
	"sync"
	"time"
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
	downstream       Downstream
	fanOut           int
	workers          chan struct{} // one token a worker; nil: as many as asked for
}

// free tells whether work costs nothing.
func (l *load) free() bool { return l.perCall == 0 && l.perItem == 0 && l.workers == nil }

// each does the work for n items. Where ctx ends first, the items that are left
// are not done: do is not called for them.
func (l *load) each(ctx context.Context, n int, do func(i int)) {
	if l.downstream != Unit {
		_ = l.hold(ctx, l.perCall+time.Duration(n)*l.perItem, func() {
			for i := range n {
				do(i)
			}
		})
		return
	}
	if l.hold(ctx, l.perCall, func() {}) != nil {
		return
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(l.fanOut, n) {
		wg.Go(func() {
			for i := range next {
				_ = l.hold(ctx, l.perItem, func() { do(i) })
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
func (l *load) hold(ctx context.Context, d time.Duration, work func()) error {
	if l.workers != nil {
		select {
		case l.workers <- struct{}{}:
			defer func() { <-l.workers }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := wait(ctx, d); err != nil {
		return err
	}
	work()
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
