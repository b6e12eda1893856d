package campaign

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

func TestAServerIsGoneAfterSilenceAndCalls(t *testing.T) {
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	var s silence
	var heard time.Duration
	after := func(class lean.Class, done time.Duration) string {
		if lost(class) {
			return s.another(class, done, heard)
		}
		heard = done
		s.broken()
		return ""
	}
	begin := func(now time.Duration) {
		s.end(heard)
		s.begin(now)
		heard = 0
	}
	s.begin(at(0))
	for i := range 20 {
		if gone := after(lean.Cut, at(10*i)); gone != "" {
			t.Fatalf("after %d ms: %s", 10*i, gone)
		}
	}
	after(lean.TimedOut, at(1000))
	if gone := after(lean.Cut, at(1999)); gone != "" {
		t.Error(gone)
	}
	begin(at(1999)) // another window: the silence goes on
	if gone := after(lean.Cut, at(2001)); !strings.Contains(gone, "the connection was lost, 23 calls in a row") {
		t.Errorf("%q", gone)
	}
	// Whatever comes over HTTP comes from a server that is there.
	if gone := after(lean.Busy, at(3000)); gone != "" {
		t.Error(gone)
	}
	for i := range 9 {
		if gone := after(lean.Unconnected, at(9000+i)); gone != "" {
			t.Errorf("after %d calls: %s", i+1, gone)
		}
	}
	if gone := after(lean.Unconnected, at(9010)); !strings.Contains(gone, "no connection, 10 calls") {
		t.Errorf("%q", gone)
	}
	// Where nothing was lost, the time between windows is no silence.
	after(lean.Answered, at(9020))
	begin(at(60_000))
	for range 10 {
		if gone := after(lean.Cut, at(60_001)); gone != "" {
			t.Error(gone)
		}
	}
}

// A closed loop that judges for a good part of its time says so.
func TestJudgingIsPartOfTheHealth(t *testing.T) {
	h := Health{Seconds: 100, Users: 80, Own: 15, CPU: 10}
	if limit := h.limit(time.Millisecond); limit != "" {
		t.Error(limit)
	}
	h.Own, h.CPU = 25, 15
	if limit := h.limit(time.Millisecond); !strings.Contains(limit, "judged for 31 % of the time") {
		t.Errorf("%q", limit)
	}
	h.CPU = 2 // it waited for a processor, and did not judge
	if limit := h.limit(time.Millisecond); limit != "" {
		t.Error(limit)
	}
}
