package fakebackend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWorkStandsStillWhileEverythingIsFrozen(t *testing.T) {
	start := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	s := newStalls(Stall{For: 400 * time.Millisecond, Every: 2 * time.Second}, start)
	for _, c := range []struct{ begins, work, done time.Duration }{
		{0, 0, 0},
		{100 * time.Millisecond, 10 * time.Millisecond, 110 * time.Millisecond},
		{1590 * time.Millisecond, 20 * time.Millisecond, 2010 * time.Millisecond}, // ten before, ten after
		{1700 * time.Millisecond, 0, 2 * time.Second},
		{1700 * time.Millisecond, 10 * time.Millisecond, 2010 * time.Millisecond},
		{5 * time.Second, 4 * time.Second, 10*time.Second + 200*time.Millisecond},
	} {
		if got := s.after(start.Add(c.begins), c.work).Sub(start); got != c.done {
			t.Errorf("work of %v that begins at %v is done at %v, want %v", c.work, c.begins, got, c.done)
		}
	}
	if got := (stalls{}).after(start, time.Second); got != start.Add(time.Second) {
		t.Errorf("without a stall %v", got)
	}
}

// TestACrewServesWhoCameFirst holds that the capacity is exact: a worker's next
// call begins when the last one should have ended, however late that was noticed.
func TestACrewServesWhoCameFirst(t *testing.T) {
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	c := newCrew(2)
	for range 2 {
		if begins, err := c.take(t.Context(), at(0)); err != nil || begins != at(0) {
			t.Fatalf("an idle worker begins at %v, %v", begins.Sub(start), err)
		}
	}
	type turn struct {
		call   int
		begins time.Time
		err    error
	}
	turns := make(chan turn, 4)
	waiting := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.queue)
	}
	gaveUp, giveUp := context.WithCancel(t.Context())
	for i := range 4 {
		ctx := t.Context()
		if i == 1 {
			ctx = gaveUp
		}
		go func() {
			begins, err := c.take(ctx, at(i+1))
			turns <- turn{i, begins, err}
		}()
		for waiting() <= i { // each in its turn
			time.Sleep(time.Millisecond)
		}
	}
	giveUp()
	if got := <-turns; got.call != 1 || !errors.Is(got.err, context.Canceled) {
		t.Errorf("who gave up gets %+v", got)
	}
	for i, free := range []int{10, 10, 20} {
		c.give(at(free))
		if got, call := <-turns, []int{0, 2, 3}[i]; got.call != call || got.begins != at(free) || got.err != nil {
			t.Errorf("turn %d is call %d's, from %v, %v", i, got.call, got.begins.Sub(start), got.err)
		}
	}
	c.give(at(20))
	c.give(at(30))
	if begins, _ := c.take(t.Context(), at(50)); begins != at(50) {
		t.Errorf("a worker that was idle begins at %v", begins.Sub(start))
	}
}

func TestJitterIsWhatItsNameSays(t *testing.T) {
	for _, c := range []struct {
		j         Jitter
		mean, p90 float64 // in scales
	}{
		{Jitter{Uniform, time.Millisecond}, 0.5, 0.9},
		{Jitter{Exponential, time.Millisecond}, 1, math.Log(10)},
		{Jitter{Normal, time.Millisecond}, 0, 1.2815515655},
	} {
		const draws = 50_000
		a, b := newJitters(c.j, 7), newJitters(c.j, 7)
		var all []time.Duration
		sum := 0.0
		for range draws {
			d := a.next()
			if again := b.next(); again != d {
				t.Fatalf("%s: the same seed draws %v and %v", c.j.Shape, d, again)
			}
			all = append(all, d)
			sum += float64(d)
		}
		slices.Sort(all)
		scale := float64(c.j.Scale)
		if mean := sum / draws / scale; math.Abs(mean-c.mean) > 0.03 {
			t.Errorf("%s: the mean is %.3f scales, want %.3f", c.j.Shape, mean, c.mean)
		}
		if p90 := float64(all[draws*9/10]) / scale; math.Abs(p90-c.p90) > 0.05 {
			t.Errorf("%s: the 90th percentile is %.3f scales, want %.3f", c.j.Shape, p90, c.p90)
		}
		if told := float64(c.j.Quantile(0.9)) / scale; math.Abs(told-c.p90) > 1e-5 {
			t.Errorf("%s: Quantile(0.9) is %.6f scales, want %.6f", c.j.Shape, told, c.p90)
		}
		if other := newJitters(c.j, 8).next(); other == newJitters(c.j, 7).next() {
			t.Errorf("%s: another seed draws the same", c.j.Shape)
		}
	}
	if got := newJitters(Jitter{}, 1).next(); got != 0 {
		t.Errorf("no jitter is %v", got)
	}
}

// TestNothingIsAnsweredBeforeItsTime holds on both roads that a call costs what the
// options say, and that calls beyond the workers wait for each other.
func TestNothingIsAnsweredBeforeItsTime(t *testing.T) {
	const calls = 6
	for _, fast := range []bool{false, true} {
		for _, c := range []struct {
			name, tool, arguments string
			o                     Options
			least                 time.Duration
		}{
			{"a call and its items", cancelProducts, `{"items":["B1","B2","B3"]}`, Options{PerCallDelay: 10 * time.Millisecond, PerItemDelay: 5 * time.Millisecond}, 25 * time.Millisecond},
			{"a validator", validateProducts, `{"items":["B1","B2","B3"]}`, Options{PerCallDelay: 10 * time.Millisecond, PerItemDelay: 5 * time.Millisecond}, 25 * time.Millisecond},
			{"one product", cancelProduct, `{"id":"B1"}`, Options{PerCallDelay: 15 * time.Millisecond}, 15 * time.Millisecond},
			{"two workers", queryOrders, `{"order_ids":["O-1001"]}`, Options{PerCallDelay: 10 * time.Millisecond, Workers: 2}, calls / 2 * 10 * time.Millisecond},
			{"two workers, an item at a time", queryOrders, `{"order_ids":["O-1001","O-1002"]}`, Options{PerItemDelay: 5 * time.Millisecond, Workers: 2, Downstream: Unit, FanOut: 2}, calls * 2 / 2 * 5 * time.Millisecond},
		} {
			t.Run(fmt.Sprintf("%s/fast=%v", c.name, fast), func(t *testing.T) {
				t.Parallel()
				c.o.Fast, c.o.Sessions, c.o.JSONAnswers = fast, Stateless, true
				running := started(t, c.o)
				dial(t, running.URL).post(toolCall(1, c.tool, c.arguments)) // from now on the front knows it
				n := 1
				if c.o.Workers > 0 {
					n = calls
				}
				clients := make([]*plainClient, n)
				for i := range clients {
					clients[i] = dial(t, running.URL)
				}
				begun := time.Now()
				var wg sync.WaitGroup
				for _, client := range clients {
					wg.Go(func() {
						if _, err := client.conn.Write(client.request(toolCall(2, c.tool, c.arguments), plainHead...)); err != nil {
							t.Error(err)
						}
						if line, err := client.in.ReadString('\n'); err != nil || !strings.Contains(line, "200") {
							t.Errorf("%q, %v", line, err)
						}
					})
				}
				wg.Wait()
				if took := time.Since(begun); took < c.least {
					t.Errorf("answered after %v, want at least %v", took, c.least)
				}
				if fast && running.Backend.fast.answered.Load() != int64(n) {
					t.Errorf("the front answered %d calls, want %d", running.Backend.fast.answered.Load(), n)
				}
			})
		}
	}
}

// TestAFrozenBackendAnswersNothing holds that a call that comes while everything is
// frozen is answered when it is over, a look at the state as well.
func TestAFrozenBackendAnswersNothing(t *testing.T) {
	for _, fast := range []bool{false, true} {
		for tool, arguments := range map[string]string{queryOrders: `{"order_ids":["O-1001"]}`, getProducts: `{"ids":["B1"]}`} {
			t.Run(fmt.Sprintf("%s/fast=%v", tool, fast), func(t *testing.T) {
				t.Parallel()
				running := started(t, Options{Fast: fast, Sessions: Stateless, Stall: Stall{For: 60 * time.Millisecond, Every: 100 * time.Millisecond}})
				client := dial(t, running.URL)
				s := running.Backend.load.stall
				for i := range 8 {
					came := time.Now()
					client.post(toolCall(i, tool, arguments))
					answered, thawed := time.Now(), s.after(came, 0)
					if answered.Before(thawed) {
						t.Errorf("call %d came %v after the start and was answered %v before the end of the stall", i, came.Sub(s.start), thawed.Sub(answered))
					}
				}
			})
		}
	}
}
