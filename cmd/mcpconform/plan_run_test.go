package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/runner"
)

// counted is what was planned for a scenario on an operation, or made of it.
type counted struct{ plays, calls, written int }

// plannedPlays and playedPlays give both, by "partial on cancel-products".
func plannedPlays(p runner.Plan) map[string]counted {
	all := map[string]counted{}
	for _, s := range p.Scenarios {
		all[s.Scenario+" on "+s.Operation] = counted{s.Plays, s.Calls, s.Written}
	}
	return all
}

func playedPlays(rec *conform.Recording) map[string]counted {
	all, of := map[string]counted{}, map[string]string{} // whose play it is
	for _, p := range rec.Plays {
		at := p.Scenario + " on " + p.Operation
		c := all[at]
		c.plays++
		all[at], of[p.Instance] = c, p.Operation
	}
	for _, call := range rec.Calls {
		p := call.Planned
		if p.Role != conform.RolePrimary && p.Role != conform.RoleValidator && p.Role != conform.RoleConflict {
			continue
		}
		at := p.Scenario + " on " + of[p.Instance]
		c := all[at]
		c.calls++
		if op := rec.Operation(p.Operation); p.Role != conform.RoleValidator && op.Write && !p.DryRun {
			c.written += len(p.Items)
		}
		all[at] = c
	}
	return all
}

// What a plan says is played, written and left out is what a run plays, writes and
// leaves out: on every target file that is built in for the fake backend, and where
// little may be written or nothing is put back.
func TestAPlanAndARunAgree(t *testing.T) {
	t.Parallel()
	bounded := func(most int) string {
		return strings.Replace(scarceTarget, "operations:", fmt.Sprintf("safety: {max_write_items: %d}\noperations:", most), 1)
	}
	for name, c := range map[string]struct {
		options fakebackend.Options
		builtin string
		text    string
		flags   []string
	}{
		"fakebackend":           {options: fakebackend.Options{}, builtin: "fakebackend"},
		"fakebackend, repeated": {options: fakebackend.Options{}, builtin: "fakebackend", flags: []string{"--scenario", "partial,all-fail,replay", "--repeat", "2"}},
		"fakebackend, by gain":  {options: fakebackend.Options{}, builtin: "fakebackend", flags: []string{"--max-time", "10m", "--scenario", "partial,all-fail,one-item"}},
		"undo":                  {options: undoing, builtin: "fakebackend-undo"},
		"dry runs":              {options: fakebackend.Options{DryRuns: true}, builtin: "fakebackend-dry-run"},
		"tools that ask":        {options: fakebackend.Options{ConfirmRounds: 1, Tasks: fakebackend.TaskRequired, Takes: time.Millisecond}, builtin: "fakebackend-asking"},
		"answers in pieces":     {options: fakebackend.Options{Jobs: true, PageRows: 2, Takes: time.Millisecond}, builtin: "fakebackend-pieces"},
		"nothing is put back":   {options: fakebackend.Options{NoReset: true}, text: scarceTarget},
		"a bound of 20":         {options: fakebackend.Options{NoReset: true}, text: bounded(20)},
		"a bound of 161":        {options: fakebackend.Options{NoReset: true}, text: bounded(161)},
		"a bound, and a reset":  {options: fakebackend.Options{}, text: strings.Replace(bounded(50), "items:\n", "reset: {tool: reset}\n    items:\n", 1)},
		"a bound, and a setup":  {options: undoing, text: undoText(t, "version: 1\n", "version: 1\nsafety: {max_write_items: 60}\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := backend(t, c.options)
			file := "builtin:" + c.builtin
			if c.text != "" {
				file = write(t, "target.yaml", c.text)
			}
			flags := append([]string{"--target", file, "--url", server.URL, "--seed", "11"}, c.flags...)
			p := plan(t, flags...)
			recording := t.TempDir() + "/t.jsonl"
			run(t, append(flags, "--transcript", recording)...)
			rec := transcript(t, recording)
			want, got := plannedPlays(p), playedPlays(rec)
			for _, at := range slices.Sorted(maps.Keys(maps.Collect(both(want, got)))) {
				if want[at] != got[at] {
					t.Errorf("%s: planned %+v, played %+v", at, want[at], got[at])
				}
			}
			left := map[string]bool{}
			for _, l := range p.LeftOut {
				for _, s := range l.Scenarios {
					left[s+": "+l.Reason] = true
				}
			}
			told := map[string]bool{}
			for _, s := range rec.Skips {
				if at := s.Scenario + " on " + s.Operation + ": " + s.Reason; !s.NotApplicable {
					if s.Variant != "" {
						at = s.Scenario + "/" + s.Variant + " on " + s.Operation + ": " + s.Reason
					}
					told[at] = true
				}
			}
			for _, what := range slices.Sorted(maps.Keys(maps.Collect(both(left, told)))) {
				if left[what] != told[what] {
					t.Errorf("left out by plan %t, by run %t: %s", left[what], told[what], what)
				}
			}
		})
	}
}

// both gives the keys of two maps.
func both[V any](a, b map[string]V) func(func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		for _, m := range []map[string]V{a, b} {
			for at := range m {
				if !yield(at, true) {
					return
				}
			}
		}
	}
}

const scarceTarget = `version: 1
operations:
  cancel-products:
    tool: cancel_products
    effect: write
    input: {argument: items}
    validator: {tool: validate_products_for_cancellation}
    workflow: none
    idempotency: {argument: idempotency_key}
    probe: {tool: get_products, argument: ids, path: "$.products[*]", id: id, state: status, done: [CANCELLED]}
    items:
      good: {template: {name: "Bulk {n}", id: "B{n}"}, count: 40}
      bad: [{name: Product X, id: "9999"}, {name: No, id: "9998"}, {name: Nothing, id: "9997"}]
`
