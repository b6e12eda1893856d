package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// The first command that a newcomer types; a report in JSON is written beside it.
func TestTheFirstCommandOfANewcomer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report.json")
	got := mcpconform(t, "run", "--output", "json="+file).exits(t, 0)

	first, _, _ := strings.Cut(got.out, "\n")
	if want := "✓ conformant: the built-in demonstration backend, not your server"; first != want {
		t.Errorf("the first line is %q, wanted %q", first, want)
	}
	says(t, "the last line", lastLine(got.out), "Yours: mcpconform run", "--url", "-- CMD", "--target FILE")
	silent(t, "stderr", got.err, "conformant", "verdict", "MUST", "✓", "PASSED")

	r := report(t, read(t, file))
	if r.Verdict != reports.Conformant || !r.Target.Builtin || r.Run.Partial || len(r.Run.Narrowed) > 0 {
		t.Errorf("verdict %s, builtin %v, partial %v, narrowed %v", r.Verdict, r.Target.Builtin, r.Run.Partial, r.Run.Narrowed)
	}
	if s := r.Summary; s.Pass == 0 || s.Fail+s.Warning+s.Inconclusive+s.NotRun+s.Pending != 0 {
		t.Errorf("not everything passed: %+v", s)
	}
	for _, f := range r.Findings {
		if f.Level == conform.Must && f.Verdict != conform.Pass {
			t.Errorf("%s on %q is %s: %s%s", f.ID, f.Operation, f.Verdict, f.Got, f.Reason)
		}
	}
	for _, operation := range []string{"cancel-products", "cancel-subscriptions", "cancel-products-workflow", "query-orders"} {
		for _, id := range []string{"ENV-01", "RES-01", "RES-02", "RES-06", "AGG-02", "LD-01"} {
			if len(findings(r, id, operation)) != 1 {
				t.Errorf("%s was not judged on %s", id, operation)
			}
		}
		sizes := map[int]bool{}
		for _, row := range r.Performance {
			if row.Operation == operation {
				sizes[row.BatchSize] = row.Calls > 0 && row.OK == row.Calls && row.Wrong == 0
			}
		}
		if !sizes[1] || !sizes[10] || !sizes[100] {
			t.Errorf("the sweep of %s: %v, wanted 1, 10 and 100 items, every call right", operation, sizes)
		}
	}
	if len(r.LeftBehind) > 0 || len(r.Notes) > 0 {
		t.Errorf("left behind %v, notes %v", r.LeftBehind, r.Notes)
	}
}
