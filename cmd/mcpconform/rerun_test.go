package main

import (
	"path/filepath"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

func TestARerunPlaysWhatWasLeftOpen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	report, again, transcript := filepath.Join(folder, "report.json"), filepath.Join(folder, "again.json"), filepath.Join(folder, "again.jsonl")
	broken, good := backend(t, fakebackend.Options{}, "RES-04/null-rows"), backend(t, fakebackend.Options{})
	on := func(url string, more ...string) []string {
		return append([]string{"run", "-q"}, onBackend(url, more...)...)
	}
	mcpconform(t, on(broken.URL, "--scenario", "partial/*", "--operation", "cancel-products", "--output", "json="+report)...).exits(t, 1)
	before := reportOf(t, report)
	open := reports.Opened(before)
	if len(open.Open) == 0 {
		t.Fatal("nothing is open")
	}

	t.Run("what is mended is told, and is not called conformant", func(t *testing.T) {
		got := mcpconform(t, on(good.URL, "--rerun", report, "--output", "json="+again, "--transcript", transcript)...).exits(t, 3)
		says(t, "the report", got.out, "incomplete:", "not asked again", "ASKED AGAIN, OF RUN "+before.Run.ID, "+ RES-04  mended", "what run "+before.Run.ID+" left open")
		silent(t, "the report", got.out, "✓ conformant", "incomplete: nothing failed, but no check")
		r := reportOf(t, again)
		if r.Rerun == nil || r.Rerun.Open != len(open.Open) || r.Rerun.Mended != r.Rerun.Open || r.Run.Seed != before.Run.Seed {
			t.Errorf("%+v, seed %d", r.Rerun, r.Run.Seed)
		}
		for _, p := range r.Findings {
			if p.Operation == "query-orders" && p.ID != "SCOPE-03" && (p.Verdict == conform.Pass || p.Verdict == conform.Fail) {
				t.Errorf("%s on query-orders was asked in %s", p.ID, p.Scenario)
			}
		}
		says(t, "judge", mcpconform(t, "judge", transcript).exits(t, 3).out, "ASKED AGAIN, OF RUN "+before.Run.ID, "+ RES-04  mended")
		// Nothing is left open then.
		says(t, "stderr", mcpconform(t, on(good.URL, "--rerun", again)...).exits(t, 2).err, "left nothing open")
	})
	t.Run("what fails still is told, with what is new", func(t *testing.T) {
		got := mcpconform(t, on(broken.URL, "--rerun", report)...).exits(t, 1)
		says(t, "the report", got.out, "nonconformant:", "✗ RES-04  fails still", "not mended")
		other := backend(t, fakebackend.Options{}, "RES-02/drops-failed")
		got = mcpconform(t, on(other.URL, "--rerun", report)...).exits(t, 1)
		says(t, "the report", got.out, "✗ RES-02  fails, and did not before", "that did not before")
	})
	t.Run("what cannot be asked again is not mended", func(t *testing.T) {
		unasked := filepath.Join(folder, "unasked.json")
		got := mcpconform(t, on(good.URL, "--rerun", report, "--scenario", "empty*", "--output", "json="+unasked)...).exits(t, 3)
		says(t, "the report", got.out, "? RES-04  could not be asked again", "not mended")
		// And it is open still, for the next one.
		next := reports.Opened(reportOf(t, unasked))
		if len(next.Open) != len(open.Open) || next.Open[0].Verdict != conform.Fail {
			t.Errorf("of %+v there is open %+v", open.Open, next.Open)
		}
	})
	t.Run("a report that is none, or of something else, is a mistake", func(t *testing.T) {
		says(t, "stderr", mcpconform(t, on(good.URL, "--rerun", filepath.Join(folder, "none.json"))...).exits(t, 2).err, "--rerun", "none.json", "--output json=")
		says(t, "stderr", mcpconform(t, on(good.URL, "--rerun", transcript)...).exits(t, 2).err, "is no report")
		says(t, "stderr", mcpconform(t, "run", "-q", "--rerun", report).exits(t, 2).err, "without a target", "--url")
		elsewhere := write(t, "elsewhere.yaml", "version: 1\nname: Another\nserver: {url: "+good.URL+"}\noperations:\n  count-orders:\n    tool: query_orders\n    effect: read\n    input: {argument: order_ids, style: array}\n    items: {good: [{id: \"1\"}]}\n")
		says(t, "stderr", mcpconform(t, "run", "-q", "--target", elsewhere, "--rerun", report).exits(t, 2).err, "left something open on cancel-products", "no such operation")
	})
	t.Run("what a baseline knows fails still, and is not called unbroken", func(t *testing.T) {
		known := filepath.Join(folder, "known.yaml")
		mcpconform(t, "baseline", "write", report, "--file", known).exits(t, 0)
		got := mcpconform(t, on(broken.URL, "--rerun", report, "--baseline", known)...).exits(t, 3)
		says(t, "the report", got.out, "nonconformant, exit 3:", "baseline")
		silent(t, "the report", got.out, "no MUST rule that was asked again is broken", "nothing failed, but")
	})
	t.Run("a report of a run that never began says so", func(t *testing.T) {
		none := filepath.Join(folder, "none-reached.json")
		mcpconform(t, on("http://127.0.0.1:1/mcp", "--output", "json="+none)...).exits(t, 4)
		says(t, "stderr", mcpconform(t, on(good.URL, "--rerun", none)...).exits(t, 2).err, "did not come to its end")
	})
	t.Run("plan says what it would play", func(t *testing.T) {
		got := mcpconform(t, append([]string{"plan"}, onBackend(good.URL, "--rerun", report)...)...).exits(t, 0)
		says(t, "the plan", got.out, "\n  partial ")
		silent(t, "the plan", got.out, "\n  sweep ")
	})
}
