package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

const writesOf = "all-succeed,partial,all-fail,one-item,duplicates,large-batches/25"

func TestARefusedResetIsToldOnceAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	server := front(t, func(tool string, _ int) string {
		if tool == "reset" {
			return `{"content":[{"type":"text","text":"only on Mondays"}],"isError":true}`
		}
		return ""
	})
	file := filepath.Join(t.TempDir(), "t.jsonl")
	r, got := run(t, onBackend(server.URL, "--operation", "cancel-products", "--scenario", writesOf, "--seed", "4", "--protocol", "2025-11-25", "--transcript", file)...)
	if len(failing(r)) > 0 {
		t.Errorf("failing %v: a refused reset breaks no rule", failing(r))
	}
	told := 0
	for _, note := range r.Notes {
		if strings.Contains(note, "only on Mondays") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the refusal is told %d times: %q", told, r.Notes)
	}
	if n := server.count("reset"); n < 1 || n > 3 {
		t.Errorf("reset was asked %d times", n)
	}
	if len(r.LeftBehind) == 0 {
		t.Error("nothing is told of what was left behind")
	}
	if writes := usedOnce(t, file); writes < 10 {
		t.Errorf("only %d writes: the run did not go on", writes)
	}
	if again := mcpconform(t, "judge", "--format", "json", file); again.out != got.out {
		t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
	}
}

func TestItemsComeAgainOnlyAfterAnAcknowledgedReset(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(string, int) string{
		"every reset is acknowledged": func(string, int) string { return "" },
		"the second is refused": func(tool string, nth int) string {
			if tool == "reset" && nth == 2 {
				return `{"content":[],"isError":true}`
			}
			return ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := front(t, answer)
			file := filepath.Join(t.TempDir(), "t.jsonl")
			run(t, onBackend(server.URL, "--operation", "cancel-*", "--scenario", writesOf, "--seed", "4", "--protocol", "2025-11-25", "--transcript", file)...)
			if writes := usedOnce(t, file); writes < 30 {
				t.Errorf("only %d writes were looked at", writes)
			}
			if server.last() != "reset" {
				t.Errorf("the last call was %s: what was changed was to be put back", server.last())
			}
		})
	}
}

func TestReadOnlySendsNoWrite(t *testing.T) {
	t.Parallel()
	server := front(t, func(string, int) string { return "" })
	file := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, onBackend(server.URL, "--read-only", "--effort", "quick", "--transcript", file)...)
	for _, tool := range []string{"cancel_products", "cancel_subscriptions", "cancel_products_workflow", "cancel_product", "reset"} {
		if n := server.count(tool); n > 0 {
			t.Errorf("%s was called %d times", tool, n)
		}
	}
	if server.count("query_orders") == 0 {
		t.Error("the read was not played")
	}
	if r.Verdict != reports.Incomplete || len(failing(r)) > 0 {
		t.Errorf("verdict %s, failing %v; what was not written was not verified", r.Verdict, failing(r))
	}
	said := false
	for _, f := range r.Findings {
		said = said || f.Operation == "cancel-products" && f.Verdict == conform.NotRun && strings.Contains(f.Reason, "--read-only")
	}
	if !said {
		t.Error("nothing says that --read-only left the writes out")
	}
	says(t, "the verdict line", r.VerdictLine, "read-only")
}
