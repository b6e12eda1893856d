package runner

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// clock is a clock that goes on only when somebody sleeps by it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now.IsZero() {
		c.now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	}
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.time()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.advance(d)
	return ctx.Err()
}

func (c *clock) pace(l target.Limits) *pace {
	p := newPace(l)
	p.now, p.sleep = c.time, c.sleep
	return p
}

func TestPaceKeepsToTheRate(t *testing.T) {
	c := &clock{}
	p := c.pace(target.Limits{Rate: 2})
	begun := c.time()
	for range 11 {
		leave, err := p.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	if took := c.time().Sub(begun); took != 5*time.Second {
		t.Errorf("11 messages at 2 a second took %s", took)
	}
	if got := p.note("limits.rate", target.Limits{Rate: 2}); got != "calls were held back to limits.rate (2 a second) for 5s in all" {
		t.Error(got)
	}
}

func TestPaceKeepsToWhatMayBeInFlight(t *testing.T) {
	p := newPace(target.Limits{InFlight: 3})
	var mu sync.Mutex
	flying, most := 0, 0
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			leave, err := p.Enter(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			flying++
			most = max(most, flying)
			mu.Unlock()
			mu.Lock()
			flying--
			mu.Unlock()
			leave()
		})
	}
	all.Wait()
	if most > 3 {
		t.Errorf("%d in flight", most)
	}
	if p.flying != 0 || p.note("limits.rate", target.Limits{}) != "" {
		t.Errorf("%d are left, %q", p.flying, p.note("limits.rate", target.Limits{}))
	}
}

// A server with a bucket that gives one call a second refuses most of a burst.
// Each call is refused at most twice then: the pause is everybody's, and after
// it they go out one at a time.
func TestABurstAtABucketEndsWithFewRefusals(t *testing.T) {
	c := &clock{}
	r := &run{pace: c.pace(target.Limits{})}
	next := c.time()
	asks := func() bool { // whether the bucket has a drop
		if c.time().Before(next) {
			return false
		}
		next = c.time().Add(time.Second)
		return true
	}
	var mu sync.Mutex
	refused := make([]int, 8)
	var all sync.WaitGroup
	for i := range refused {
		all.Go(func() {
			for try := 1; ; try++ {
				leave, err := r.pace.Enter(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				ok := asks()
				mu.Unlock()
				if !ok {
					refused[i]++
					r.patience(&wire.Reply{RetryAfter: "1"}, try)
				}
				leave()
				if ok {
					return
				}
			}
		})
	}
	all.Wait()
	for i, n := range refused {
		if n >= mostTries {
			t.Errorf("call %d was refused %d times", i, n)
		}
	}
}

func TestPaceEndsWithTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := newPace(target.Limits{Rate: 1e-3, InFlight: 1})
	if _, err := p.Enter(ctx); err != nil { // its answer never comes
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { _, err := p.Enter(ctx); done <- err }()
	cancel()
	// Whoever waits for a place is woken by the context, or by the next leave.
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
