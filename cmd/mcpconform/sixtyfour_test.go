package main

import (
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// With sixty-four calls in flight nothing is found wrong with a good server, however
// it is spoken to. docs/proof.md has the same with ten thousand calls.
func TestSixtyFourInFlightAccuseNobody(t *testing.T) {
	t.Parallel()
	spread := []string{"--scenario", "concurrent/several-sessions", "--sessions", "8", "--in-flight", "8"}
	web := func(o fakebackend.Options, revision string) []string {
		return append(onBackend(backend(t, o).URL, "--protocol", revision), spread...)
	}
	for name, args := range map[string][]string{
		"streams and sessions":    web(fakebackend.Options{Sessions: fakebackend.Stateful}, "2025-11-25"),
		"JSON and sessions":       web(fakebackend.Options{Sessions: fakebackend.Stateful, JSONAnswers: true}, "2025-11-25"),
		"streams without session": web(fakebackend.Options{}, "2026-07-28"),
		"JSON without session":    web(fakebackend.Options{Sessions: fakebackend.Stateless, JSONAnswers: true}, "2026-07-28"),
		"a pipe": {"--scenario", "concurrent/one-session", "--in-flight", "64",
			"--target", "builtin:fakebackend", "--", os.Args[0], "fakebackend", "--stdio"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/t.jsonl"
			r, got := run(t, append([]string{"--seed", "7", "--transcript", path}, args...)...)
			got.exits(t, reports.ExitConformant)
			for _, f := range r.Findings {
				if f.Verdict == conform.Fail && reports.ClassOf(f) != reports.ClassAdvice || f.Verdict == conform.Inconclusive {
					t.Errorf("%s on %s: %s%s", f.ID, f.Operation, f.Got, f.Reason)
				}
			}
			together := 0
			for _, c := range transcript(t, path).Calls {
				if strings.Contains(c.ID, "cancel-products#1/") && c.Planned.Burst != "" {
					together++
				}
			}
			if together != 64 {
				t.Errorf("%d calls were in flight together", together)
			}
		})
	}
}
