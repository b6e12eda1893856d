package alarm

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"
)

// Both timers must do: the system's and, where there is none, the runtime's.
func clocks() map[string]*clock {
	all := map[string]*clock{"the machine's": {timer: newTimer()}, "the runtime's": {timer: newPlainTimer()}}
	for _, c := range all {
		go c.run()
	}
	return all
}

func TestNobodyIsWokenEarlyAndNobodyForgotten(t *testing.T) {
	t.Parallel()
	for name, c := range clocks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			var wg sync.WaitGroup
			for i := range 200 {
				wg.Go(func() {
					// Falling for some, so that the timer is set for an earlier time too.
					at := start.Add(time.Duration(i*7919%200) * 100 * time.Microsecond)
					if err := c.until(t.Context(), at); err != nil || time.Now().Before(at) {
						t.Errorf("sleeper %d is awake %v early, %v", i, time.Until(at), err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestWhoGivesUpIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	gaveUp := make(chan error)
	go func() { gaveUp <- Until(ctx, time.Now().Add(time.Hour)) }()
	cancel(nil)
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := Until(ctx, time.Time{}); !errors.Is(err, context.Canceled) {
		t.Errorf("afterwards: error %v", err)
	}
	if err := Until(t.Context(), time.Now().Add(time.Millisecond)); err != nil {
		t.Errorf("another: error %v", err)
	}
	c := theClock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if far := slices.IndexFunc(c.queue, func(s *sleeper) bool { return time.Until(s.at) > time.Minute }); far >= 0 {
		t.Error("who gave up is still in the queue")
	}
}

// BenchmarkLateness tells how late a wait of ten milliseconds ends.
func BenchmarkLateness(b *testing.B) {
	for name, wait := range map[string]func(at time.Time){
		"alarm":   func(at time.Time) { _ = Until(b.Context(), at) },
		"runtime": func(at time.Time) { time.Sleep(time.Until(at)) },
	} {
		b.Run(name, func(b *testing.B) {
			var late []time.Duration
			for b.Loop() {
				at := time.Now().Add(10 * time.Millisecond)
				wait(at)
				late = append(late, time.Since(at))
			}
			slices.Sort(late)
			b.ReportMetric(float64(late[len(late)/2].Microseconds()), "µs-late-p50")
			b.ReportMetric(float64(late[len(late)*99/100].Microseconds()), "µs-late-p99")
		})
	}
}
