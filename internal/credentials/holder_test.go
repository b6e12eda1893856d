package credentials

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serial gives t1, t2, … and counts how often it was asked.
type serial struct {
	asked atomic.Int64
	life  time.Duration
	fails int64 // from this question on; 0: never
	gate  chan struct{}
}

func (s *serial) get(ctx context.Context, _ string) (token, error) {
	n := s.asked.Add(1)
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return token{}, context.Cause(ctx)
		}
	}
	if s.fails > 0 && n >= s.fails {
		return token{}, errors.New("the door is shut for secret-number-one")
	}
	return newToken(fmt.Sprintf("t%d", n), s.life, time.Unix(1000, 0)), nil
}

func holding(s source) *Holder {
	return &Holder{source: s, secrets: &secrets{}, name: "access token", now: func() time.Time { return time.Unix(1000, 0) }, turn: make(chan struct{}, 1)}
}

func value(t *testing.T, h *Holder) string {
	t.Helper()
	v, err := h.Authorization(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Of many that were refused with one token, the first asks for another, and all get it.
func TestOneRefreshServesAll(t *testing.T) {
	s := &serial{}
	h := holding(s)
	first := value(t, h)
	h.Accepted(first)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, err := h.Renew(t.Context(), first); err != nil || got != "Bearer t2" {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
	all.Wait()
	if n := s.asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
	if got := value(t, h); got != "Bearer t2" {
		t.Errorf("in force: %q", got)
	}
}

// When there is no other, everybody is told the same, and nobody asks again.
func TestARefreshThatFailsIsTheLast(t *testing.T) {
	s := &serial{fails: 2}
	h := holding(s)
	h.secrets.add("client secret", "secret-number-one")
	first := value(t, h)
	h.Accepted(first)
	for range 3 {
		_, err := h.Renew(t.Context(), first)
		if err == nil || err.Error() != "the door is shut for [redacted client secret]" {
			t.Errorf("%v", err)
		}
	}
	if _, err := h.Authorization(t.Context()); err == nil {
		t.Error("there is still one in force")
	}
	if n := s.asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// A server that refuses what was got just before would refuse the next one as well; one
// that has taken it once, and then does not, gets another.
func TestATokenThatWasNeverAcceptedIsNotReplaced(t *testing.T) {
	s := &serial{}
	h := holding(s)
	first := value(t, h)
	if _, err := h.Renew(t.Context(), first); err == nil || s.asked.Load() != 1 {
		t.Errorf("asked %d times: %v", s.asked.Load(), err)
	}
	s = &serial{}
	h = holding(s)
	for n := 1; n <= 3; n++ {
		now := value(t, h)
		h.Accepted(now)
		if next, err := h.Renew(t.Context(), now); err != nil || next == now {
			t.Errorf("%q: %v", next, err)
		}
	}
}

// A token is replaced before it ends, without a refusal.
func TestATokenAtItsEndIsReplaced(t *testing.T) {
	now := time.Unix(1000, 0)
	s := &serial{life: 100 * time.Second}
	h := holding(s)
	h.now = func() time.Time { return now }
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{0, "Bearer t1"}, {89 * time.Second, "Bearer t1"}, {90 * time.Second, "Bearer t2"}} {
		now = time.Unix(1000, 0).Add(c.after)
		if got := value(t, h); got != c.want {
			t.Errorf("after %s: %q", c.after, got)
		}
	}
}

// While a token lasts, it does not matter that the next one cannot be had yet.
func TestATokenIsUsedToItsEnd(t *testing.T) {
	now := time.Unix(1000, 0)
	s := &serial{life: 100 * time.Second, fails: 2}
	h := holding(s)
	h.now = func() time.Time { return now }
	for _, after := range []time.Duration{0, 95 * time.Second, 99 * time.Second} {
		now = time.Unix(1000, 0).Add(after)
		if got := value(t, h); got != "Bearer t1" {
			t.Errorf("after %s: %q", after, got)
		}
	}
	now = time.Unix(1000, 0).Add(100 * time.Second)
	if got, err := h.Authorization(t.Context()); err == nil {
		t.Errorf("%q", got)
	}
}

// Whoever stops waiting ends nothing for the others.
func TestACallerThatLeavesSpoilsNothing(t *testing.T) {
	s := &serial{gate: make(chan struct{})}
	h := holding(s)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() { _, err := h.Authorization(ctx); left <- err }()
	leave()
	if err := <-left; err == nil {
		t.Error("it was served")
	}
	close(s.gate)
	if got := value(t, h); !strings.HasPrefix(got, "Bearer t") {
		t.Errorf("%q", got)
	}
}
