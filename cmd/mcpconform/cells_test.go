package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// cell is one way of seeing the same server.
type cell struct {
	name     string
	revision string
	options  fakebackend.Options
	stdio    bool
}

// cells gives every transport, answer form, way of keeping sessions and revision
// that go together. Revision 2026-07-28 has no sessions.
func cells() []cell {
	var all []cell
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		all = append(all, cell{name: "stdio " + revision, revision: revision, stdio: true})
		for _, sessions := range []fakebackend.Sessions{fakebackend.Stateful, fakebackend.Stateless} {
			if sessions == fakebackend.Stateful && revision == "2026-07-28" {
				continue
			}
			for form, json := range map[string]bool{"json": true, "sse": false} {
				all = append(all, cell{
					name: fmt.Sprintf("http %s %s %s", form, sessions, revision), revision: revision,
					options: fakebackend.Options{Sessions: sessions, JSONAnswers: json},
				})
			}
		}
	}
	return all
}

// server gives the words that name the cell's server, wrong in these ways.
func (c cell) server(t *testing.T, faults []string) []string {
	if !c.stdio {
		return []string{"--url", backend(t, c.options, faults...).URL}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := []string{"--", self, "fakebackend", "--stdio"}
	for _, f := range faults {
		command = append(command, "--fault", f)
	}
	return command
}

// contractWords is what a finding says, without where it was seen.
func contractWords(r reports.Report) []string {
	var all []string
	for _, f := range r.Findings {
		if f.Group == conform.GroupProtocol {
			continue
		}
		all = append(all, fmt.Sprintf("%s on %q: %s in %s, %d of %d, got %s", f.ID, f.Operation, f.Verdict, f.Scenario, f.Count, f.Of, f.Got))
	}
	for _, n := range r.NotApplicable {
		if !strings.HasPrefix(n.ID, "PRO-") && n.ID != "ENV-04" { // ENV-04 names the transport
			all = append(all, fmt.Sprintf("%s on %q: not applicable, %s", n.ID, n.Operation, n.Reason))
		}
	}
	slices.Sort(all)
	return all
}

func TestTheSameServerGetsTheSameFindingsInEveryCell(t *testing.T) {
	t.Parallel()
	// The selftest plays good servers in every cell; this one is wrong, so that
	// there is something to find.
	faults := []string{"RES-02/drops-failed", "VAL-01/text", "IDM-01/executes-again"}
	var first cell
	var want []string
	for _, c := range cells() {
		words := append([]string{"--target", "builtin:fakebackend", "--seed", "11", "--scenario", "partial/bad-first,one-item/bad,partial-eligibility,replay/all-succeed,replay/partial,workflow,concurrent/one-session",
			"--protocol", c.revision}, c.server(t, faults)...)
		r, _ := run(t, words...)
		if r.Target.Protocol != c.revision {
			t.Errorf("%s: revision %q was spoken", c.name, r.Target.Protocol)
		}
		for _, f := range r.Findings {
			if f.Group == conform.GroupProtocol && f.Verdict != conform.Pass && !strings.HasPrefix(f.Reason, "left out by --scenario") {
				t.Errorf("%s: %s on %q is %s: %s%s", c.name, f.ID, f.Operation, f.Verdict, f.Got, f.Reason)
			}
		}
		got := contractWords(r)
		if want == nil {
			first, want = c, got
			for _, id := range faults {
				check, _, _ := strings.Cut(id, "/")
				if !strings.Contains(fmt.Sprint(failing(r)), check) {
					t.Errorf("%s: %s does not fail: %v", c.name, check, failing(r))
				}
			}
			continue
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("only %s: %s", c.name, line)
			}
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("%s, and not %s: %s", first.name, c.name, line)
			}
		}
	}
}
