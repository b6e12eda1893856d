package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// rehearsing are the flags of a run on the tool that knows dry runs.
func rehearsing(url string, more ...string) []string {
	return append([]string{"--target", "builtin:fakebackend-dry-run", "--url", url, "--seed", "4"}, more...)
}

func TestDryRunsAreJudgedAndDoNothing(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{DryRuns: true})
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	flags := rehearsing(server.URL, "--scenario", "all-fail,one-item,input-forms")
	p := plan(t, flags...)
	r, _ := run(t, append(flags, "--transcript", recording)...)
	for _, f := range r.Findings {
		if class := reports.ClassOf(f); class == reports.ClassFail || class == reports.ClassWarning {
			t.Errorf("%s: %s", f.ID, f.Got)
		}
	}
	if got := findings(r, "EFF-04", "cancel-products-rehearsed"); len(got) != 1 || got[0].Verdict != conform.Pass || got[0].Of != 8 {
		t.Errorf("EFF-04: %+v", got)
	}
	if effects := server.Backend.Effects(); len(effects) != 0 {
		t.Errorf("dry runs did %v", effects)
	}
	asked := 0
	for _, c := range transcript(t, recording).Calls {
		switch {
		case c.Planned.DryRun && !strings.Contains(string(c.Planned.Arguments), `"dry_run":true`):
			t.Errorf("%s is sent as %s", c.ID, c.Planned.Arguments)
		case c.Planned.DryRun:
			asked++
		case c.Planned.Role == conform.RoleReset || c.Planned.Role == conform.RolePrimary:
			t.Errorf("%s is no dry run", c.ID)
		}
	}
	operation := p.Operations[len(p.Operations)-1]
	if asked != 8 || operation.DryRuns != asked || p.Written != 0 {
		t.Errorf("%d dry runs, %d planned, %d items written", asked, operation.DryRuns, p.Written)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, `8 calls of cancel-products-rehearsed were dry runs ({"dry_run":true}): the answers were judged, and they used nothing up`) {
		t.Error(notes)
	}
}

// A dry run that does something is told, not repeated, and put back.
func TestADryRunThatDoesSomething(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{DryRuns: true}, "EFF-04/dry-run-does-it")
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, got := run(t, rehearsing(server.URL, "--scenario", "one-item,input-forms", "--transcript", recording)...)
	got.exits(t, reports.ExitNonconformant)
	if ids := failing(r)["cancel-products-rehearsed"]; strings.Join(ids, " ") != "EFF-04" {
		t.Errorf("failing: %v", ids)
	}
	dry, reset := 0, 0
	for _, c := range transcript(t, recording).Calls {
		switch {
		case c.Planned.DryRun:
			dry++
		case c.Planned.Role == conform.RoleReset:
			reset++
		}
	}
	notes := strings.Join(r.Notes, "\n")
	says(t, "the notes", notes, "something changed meanwhile (see EFF-04)")
	silent(t, "the notes", notes, "used nothing up")
	// The first was of a bad item, or the second is.
	if dry < 1 || dry > 2 || reset != 1 {
		t.Errorf("%d dry runs and %d resets", dry, reset)
	}
	said := false
	for _, f := range r.Findings {
		said = said || strings.Contains(f.Reason, "something changed during a dry run of cancel_products_rehearsed: no further one is played (see EFF-04)")
	}
	if !said {
		t.Error("nothing says why the rest was not played")
	}
	if len(r.LeftBehind) != 0 {
		t.Errorf("left behind: %v", r.LeftBehind)
	}
}

// A dry run is no way around consent.
func TestADryRunNeedsConsent(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{DryRuns: true})
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, rehearsing(server.URL, "--read-only", "--scenario", "one-item", "--transcript", recording)...)
	for _, c := range transcript(t, recording).Calls {
		if c.Planned.Role == conform.RolePrimary {
			t.Errorf("%s was sent", c.ID)
		}
	}
	said := false
	for _, f := range r.Findings {
		said = said || f.ID == "EFF-04" && strings.Contains(f.Reason, "no write is played: --read-only")
	}
	if !said {
		t.Error("nothing says why no dry run was played")
	}
}
