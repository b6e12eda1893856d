package main

import (
	"os"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// The fast front is as good a server as the ordinary one.
func TestTheFastFakeBackendIsConformant(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]func(t *testing.T) []string{
		"http": func(t *testing.T) []string { return []string{"--url", served(t, quiet(), "--fast") + "/mcp"} },
		"http with JSON answers": func(t *testing.T) []string {
			return []string{"--url", served(t, quiet(), "--fast", "--json") + "/mcp"}
		},
		"stdio": func(*testing.T) []string { return []string{"--", os.Args[0], "fakebackend", "--stdio", "--fast"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			words := append([]string{"--target", "builtin:fakebackend", "--seed", "3"}, server(t)...)
			r, got := run(t, words...)
			got.exits(t, 0)
			if s := r.Summary; r.Verdict != reports.Conformant || s.Pass == 0 || s.Fail+s.Warning+s.Inconclusive != 0 {
				t.Errorf("the verdict is %s: %+v", r.Verdict, s)
			}
		})
	}
}
