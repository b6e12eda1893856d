package selftest

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
)

// TestSelftest makes a whole selftest. Afterwards it takes away the judgement of
// one check after another, from the same recordings, and each time the selftest
// must say that the check's faults are missed.
func TestSelftest(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts some two hundred servers")
	}
	glob := ""
	if underRace {
		// The race detector slows a whole selftest beyond use; races are found by
		// a part of it as well.
		glob = "RES-02*"
	}
	kept := map[string]keptRun{} // by check
	var mu sync.Mutex
	report, err := Run(t.Context(), Options{Self: self(), Glob: glob, Masked: true, recorded: func(p play, r recorded) {
		mu.Lock()
		defer mu.Unlock()
		// One run of each check will do, the smallest for the memory's sake.
		if k, any := kept[p.fault.Check]; !any || len(r.transcript) < len(k.transcript) {
			kept[p.fault.Check] = keptRun{p, r.transcript}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteText(&text, report); err != nil {
		t.Fatal(err)
	}
	if !report.Holds() {
		t.Errorf("the selftest does not hold:\n%s", text.String())
	}
	for _, c := range suites.All() {
		excused := slices.ContainsFunc(exempt, func(e Exempt) bool { return e.ID == c.ID })
		k, played := kept[c.ID]
		if !played {
			if !excused && glob == "" {
				t.Errorf("%s: no fault was played", c.ID)
			}
			continue
		}
		takenAway(t, c.ID, k)
	}
}

// keptRun is what a fault's run wrote down.
type keptRun struct {
	play       play
	transcript []byte
}

// takenAway judges the run of a fault with and without the judgement of its
// check.
func takenAway(t *testing.T, id string, k keptRun) {
	t.Helper()
	header, observations, err := conform.ReadTranscript(bytes.NewReader(k.transcript))
	if err != nil {
		t.Fatal(err)
	}
	rec := conform.NewRecording(header, observations)
	checks := suites.All()
	for i := range checks {
		if checks[i].ID == id {
			checks[i].Judge = func(s *conform.Subject) []conform.Look { return []conform.Look{{Verdict: conform.Pass}} }
		}
	}
	b := assign(k.play.fault, suites.Judge(rec, checks).Findings, nil)
	report := Report{Faults: []Faulty{tell(k.play, b)}}
	report.sum()
	var text bytes.Buffer
	if err := WriteText(&text, report); err != nil {
		t.Fatal(err)
	}
	if b.word != Missed || report.Holds() || !strings.Contains(text.String(), id) {
		t.Errorf("%s always passes, and %s is %s", id, k.play.fault.ID, b.word)
	}
}
