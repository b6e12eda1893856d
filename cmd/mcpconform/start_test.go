package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// startFile writes a target file whose server the run starts by a command.
func startFile(t *testing.T, start string) string {
	t.Helper()
	return startFileOf(t, "fakebackend", start)
}

// startFileOf does so with the operations of a target file of ours.
func startFileOf(t *testing.T, target, start string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "targets", target+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "t.yaml")
	src = append(src, "\nserver:\n  url: http://127.0.0.1:${PORT}/mcp\n  start: "+start+"\n"...)
	if err := os.WriteFile(file, src, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestARunStartsItsServerAndEndsIt(t *testing.T) {
	t.Parallel()
	file := startFile(t, fmt.Sprintf("{command: [%q, fakebackend, --http, \"127.0.0.1:${PORT}\", --fault, RES-02/drops-failed]}", os.Args[0]))
	r, got := run(t, "--target", file, "--scenario", "partial")
	got.exits(t, 1)
	if ids := failing(r)["cancel-products"]; len(ids) != 1 || ids[0] != "RES-02" {
		t.Errorf("%v", failing(r))
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "the run started the server itself") {
		t.Errorf("notes: %v", r.Notes)
	}
	again, got := run(t, "--target", "builtin:fakebackend", "--url", "http://"+r.Target.Host+"/mcp", "--scenario", "one-item")
	got.exits(t, reports.ExitUnreachable)
	if again.Run.Cause == "" {
		t.Error("the server is still there")
	}
}

func TestAServerThatDoesNotComeUpIsATargetOutOfReach(t *testing.T) {
	t.Parallel()
	file := startFile(t, fmt.Sprintf("{command: [%q, fakebackend, --http, no-address]}", os.Args[0]))
	_, got := run(t, "--target", file, "--scenario", "one-item")
	got.exits(t, reports.ExitUnreachable)
	if !strings.Contains(got.err, "the server ended before it was ready (exit status 2); it wrote: ") {
		t.Errorf("stderr: %s", got.err)
	}
}
