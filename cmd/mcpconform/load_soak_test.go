package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// A soak is one long window of each cell, whose figures are told by tenths, with the
// memory of the server's processes; and what it may have left with the server is said.
func TestASoakTellsWhatMoves(t *testing.T) {
	t.Parallel()
	got := mcpconform(t, "load", "--soak", "2s", "--batch", "2", "--concurrency", "2", "--operation", "query-orders", "--format", "json", "-q", "--floor=false")
	r := report(t, got.out)
	row := r.Performance[0]
	if row.Loaded.Rounds != 1 || row.Seconds < 1.9 || row.Loaded.Soak == nil {
		t.Fatalf("%d rounds, %v s, %+v", row.Loaded.Rounds, row.Seconds, row.Loaded.Soak)
	}
	s := row.Loaded.Soak
	if s.P50MS == nil || len(s.P50MS.Each) != measure.Parts || s.P50MS.From <= 0 {
		t.Errorf("%+v", s.P50MS)
	}
	if runtime.GOOS == "linux" && (s.Resident == nil || s.Resident.From < 1<<20 || s.ResidentPer1000 == nil) {
		t.Errorf("%+v", s.Resident)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "connections while it was measured") || !strings.Contains(notes, "what the server keeps of them it does not say") {
		t.Error(notes)
	}
}

// How latency came back after a spike of the rate is told by the seconds around it.
func TestASpikeIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	r := report(t, mcpconform(t, "load", "--rate", "3s@20,1s@120,2s@20", "--batch", "1", "--operation", "query-orders", "--format", "json", "-q", "--floor=false").out)
	s := r.Performance[0].Loaded.Recovery
	if s == nil || s.From != 3 || s.To != 4 || s.Watched != 2 || s.BeforeMS <= 0 || s.WorstMS <= 0 {
		t.Errorf("%+v", s)
	}
}
