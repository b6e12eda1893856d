package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// The fast front is as good a server as the ordinary one.
func TestTheFastFakeBackendIsConformant(t *testing.T) {
	t.Parallel()
	for name, more := range map[string][]string{
		"http":                               {},
		"http with JSON answers":             {"--json"},
		"http with a fault that never shows": {"--fault", "RES-02/drops-failed@1e-300"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := served(t, quiet(), append([]string{"--fast", "--server-timing"}, more...)...)
			endsConformant(t, "--url", at+"/mcp")
			var told struct {
				Answered int `json:"answered_by_the_front"`
			}
			_, _, body, err := ask(t, http.MethodGet, at+"/timing", "", "")
			if err != nil || json.Unmarshal([]byte(body), &told) != nil || told.Answered < 100 {
				t.Errorf("the front answered %d calls; /timing says %.200s, %v", told.Answered, body, err)
			}
		})
	}
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		endsConformant(t, "--", os.Args[0], "fakebackend", "--stdio", "--fast")
	})
}

// endsConformant holds that a server passes with the fake backend's target file.
func endsConformant(t *testing.T, server ...string) {
	t.Helper()
	r, got := run(t, append([]string{"--target", "builtin:fakebackend", "--seed", "3"}, server...)...)
	got.exits(t, 0)
	if s := r.Summary; r.Verdict != reports.Conformant || s.Pass == 0 || s.Fail+s.Warning+s.Inconclusive != 0 {
		t.Errorf("the verdict is %s: %+v", r.Verdict, s)
	}
}
