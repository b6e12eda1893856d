package main

import (
	"net"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

func TestWithoutTimeNothingIsPlayedAndNothingPasses(t *testing.T) {
	t.Parallel()
	r, got := run(t, onBackend(backend(t, noOptions).URL, "--max-time", "1ns")...)
	got.exits(t, reports.ExitIncomplete)
	if r.Summary.Fail > 0 {
		t.Errorf("%d fail", r.Summary.Fail)
	}
	said := 0
	for _, f := range r.Findings {
		if f.ID == "RES-02" && f.Verdict != conform.NotRun {
			t.Errorf("%s on %s: %s", f.ID, f.Operation, f.Verdict)
		}
		if strings.Contains(f.Reason, "time budget: --max-time 1ns was over") {
			said++
		}
	}
	noted := 0
	for _, note := range r.Notes {
		if strings.HasPrefix(note, "time budget: --max-time 1ns was over after 0 of ") {
			noted++
		}
	}
	if noted != 1 {
		t.Errorf("the notes tell of it %d times: %q", noted, r.Notes)
	}
	for _, f := range r.Findings {
		if strings.Contains(f.Reason, "played as ") {
			t.Errorf("%s on %s: nothing was played, and it says: %s", f.ID, f.Operation, f.Reason)
		}
	}
	if said < 100 {
		t.Errorf("%d findings name the time budget", said)
	}
}

// Whoever has little time learns most of it first: the scenario that begins the
// usual order is not the one that feeds the most rules.
func TestWithLittleTimeWhatTellsMostComesFirst(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/t.jsonl"
	_, got := run(t, onBackend(backend(t, noOptions).URL, "--max-time", "10m", "--scenario", "all-succeed,partial,one-item", "--transcript", file)...)
	got.exits(t, 0)
	first := ""
	for _, c := range transcript(t, file).Calls {
		if c.Planned.Scenario != "" && first == "" {
			first = c.Planned.Scenario
		}
	}
	if first != "partial" {
		t.Errorf("%q came first", first)
	}
}

func TestAServerThatIsLateIsWaitedFor(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	url := "http://" + address + "/mcp"
	r, got := run(t, onBackend(url, "--scenario", "one-item", "--wait", "250ms")...)
	got.exits(t, reports.ExitUnreachable)
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "the run waited") {
		t.Errorf("notes: %v", r.Notes)
	}

	up := make(chan *fakebackend.Running, 1)
	go func() {
		backend, err := fakebackend.Listen(address, noOptions)
		if err != nil {
			t.Errorf("serving at %s: %v", address, err)
		}
		up <- backend
	}()
	_, got = run(t, onBackend(url, "--scenario", "one-item", "--wait", "1m")...)
	got.exits(t, 0)
	if backend := <-up; backend != nil {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	}
}
