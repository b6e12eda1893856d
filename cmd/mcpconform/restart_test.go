package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// restartScenario asks, restarts, and asks again. What the first call did is not
// there any more if the server kept it in memory.
const restartScenario = `
name: restarted
title: A batch before and after a restart
why: |
  Whether what was acknowledged outlives the process.
for: {effect: write}
checks: [RES-01]
state_checks: [EFF-01]
steps:
  - probe: before
  - execute: batch
    as: first
  - restart: true
  - probe: middle
  - execute: batch
    as: second
  - probe: after
variants:
  two: {batch: [good x 2]}
`

func restartFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "restarted.yaml"), []byte(restartScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestAScenarioRestartsTheServer(t *testing.T) {
	t.Parallel()
	folder := restartFolder(t)
	for name, args := range map[string][]string{
		"that server.start starts": {"--target", startFile(t, fmt.Sprintf("{command: [%q, fakebackend, --http, \"127.0.0.1:${PORT}\"]}", os.Args[0]))},
		"that is a command":        {"--target", "builtin:fakebackend", "--", os.Args[0], "fakebackend", "--stdio"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			record := filepath.Join(t.TempDir(), "t.jsonl")
			r, got := run(t, append([]string{"--scenarios", folder, "--scenario", "restarted", "--operation", "cancel-products", "--checks", "RES-01,EFF-01,PRO-*", "--transcript", record}, args...)...)
			// The demonstration backend keeps its state in memory: the first batch is
			// acknowledged and gone.
			got.exits(t, 1)
			if ids := failing(r)["cancel-products"]; len(ids) != 1 || ids[0] != "EFF-01" {
				t.Errorf("%v", failing(r))
			}
			file, err := os.Open(record)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			_, observations, err := conform.ReadTranscript(file)
			if err != nil {
				t.Fatal(err)
			}
			restarts, answered := 0, 0
			for _, o := range observations {
				if o.Fault != nil && o.Fault.What == "restart" {
					restarts++
				}
				if o.Received != nil && (strings.HasSuffix(o.Call, "/first") || strings.HasSuffix(o.Call, "/second")) && len(o.Received.Body) > 0 {
					answered++
				}
			}
			if restarts != 1 || answered != 2 {
				t.Errorf("%d restarts, %d answers", restarts, answered)
			}
		})
	}
}

func TestAServerThatIsNotOursIsNotRestarted(t *testing.T) {
	t.Parallel()
	_, got := run(t, "--scenarios", restartFolder(t), "--scenario", "restarted", "--operation", "cancel-products", "--format", "json")
	got.exits(t, 3)
	says(t, "run", got.out, "the scenario restarts the server, and this run did not start it", "server.start")
}

// betweenScenario restarts the server when the validator has answered, as a
// deployment does between a user's question and their yes.
const betweenScenario = `
name: between
title: A restart between the validator and the tool
why: |
  Whether what the validator resolved can be executed by a process that has not
  judged it.
for: {effect: write}
needs: [validator]
checks: [VAL-08]
state_checks: [EFF-01]
steps:
  - probe: before
  - {validate: batch, as: judged}
  - restart: true
  - probe: middle
  - resolved: judged
    as: executed
  - probe: after
variants:
  three: {batch: [good, bad, good]}
`

func TestARestartBetweenTheValidatorAndTheTool(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "between.yaml"), []byte(betweenScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"that server.start starts": {"--target", startFile(t, fmt.Sprintf("{command: [%q, fakebackend, --http, \"127.0.0.1:${PORT}\"]}", os.Args[0]))},
		"that is a command":        {"--target", "builtin:fakebackend", "--", os.Args[0], "fakebackend", "--stdio"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			record := filepath.Join(t.TempDir(), "t.jsonl")
			r, got := run(t, append([]string{"--scenarios", folder, "--scenario", "between", "--operation", "cancel-products", "--checks", "VAL-08,EFF-01,PRO-*", "--transcript", record}, args...)...)
			got.exits(t, 0)
			for _, id := range []string{"VAL-08", "EFF-01"} {
				if list := findings(r, id, "cancel-products"); len(list) != 1 || list[0].Verdict != conform.Pass {
					t.Errorf("%s: %+v", id, list)
				}
			}
			rec := transcript(t, record)
			judged, executed := rec.Call("between/three/cancel-products#1/judged"), rec.Call("between/three/cancel-products#1/executed")
			if judged == nil || executed == nil || executed.Response == nil || executed.Planned.Follows != judged.ID {
				t.Errorf("asked %+v, executed %+v", judged, executed)
			}
		})
	}
}
