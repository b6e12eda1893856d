package campaign

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/pace"
)

// mostWaiting bounds the calls that are due and for which no user is free; one more
// is dropped, and counted.
const mostWaiting = 1 << 16

// open has calls made at the instants of a schedule, by as many users as it takes, up
// to the cell's concurrency. A call for which no user is free waits, and its latency
// counts from when it was due. What still waits when the window has been over for as
// long as it lasted is dropped.
func (w *window) open(ctx context.Context, schedule pace.Schedule) {
	defer w.lookOn()()
	defer w.interruptible(ctx)()
	tickets := make(chan pace.Ticket, mostWaiting)
	var feeding, calling sync.WaitGroup
	feeding.Go(func() {
		pacer := pace.NewPacer(w.bench.now)
		defer pacer.Release()
		stop := context.AfterFunc(ctx, pacer.Stop)
		defer stop()
		_, w.dropped = pace.Feed(w.bounded(schedule), w.began, pacer, tickets)
	})
	latest := w.to + max(w.to-w.from, time.Second)
	var left, idle, begun atomic.Int64
	var work func(i int)
	hire := func() {
		if begun.Load() < int64(len(w.conns)) {
			if i := int(begun.Add(1)) - 1; i < len(w.conns) {
				calling.Go(func() { work(i) })
			}
		}
	}
	work = func(i int) {
		for {
			idle.Add(1)
			t, ok := <-tickets
			free := idle.Add(-1)
			if !ok {
				return
			}
			if free == 0 {
				hire()
			}
			if t.At >= w.from {
				w.late[i].Add(t.Late)
			}
			if w.over.Load() || w.bench.now() > latest || !w.call(i, t.At) {
				left.Add(1)
			}
		}
	}
	hire()
	feeding.Wait()
	calling.Wait()
	w.dropped += int(left.Load())
}

// bounded has a schedule end with the window. Both count from when the window began, and
// not from the first look at the clock after that: on a busy machine that look comes
// late, and the last calls would be behind the window's end and never be missed.
func (w *window) bounded(schedule pace.Schedule) pace.Schedule {
	return &bounded{schedule, w.to - w.began, w}
}

// bounded is a schedule that ends with its window.
type bounded struct {
	pace.Schedule
	length time.Duration
	w      *window
}

// At gives the instant of the n-th call, from the beginning of the warm-up.
func (s *bounded) At(n int) (time.Duration, bool) {
	at, ok := s.Schedule.At(n)
	return at, ok && at < s.length && !s.w.over.Load()
}
