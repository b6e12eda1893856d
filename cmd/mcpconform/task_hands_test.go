package main

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// Undo, setup and reset that run as tasks only are asked as tasks, and awaited.
func TestHandsThatRunAsTasksAreAwaited(t *testing.T) {
	t.Parallel()
	undos := undoing
	undos.Tasks, undos.TaskHands, undos.Takes = fakebackend.TaskRequired, true, 5*time.Millisecond
	resets := fakebackend.Options{Tasks: fakebackend.TaskRequired, TaskHands: true, Takes: 5 * time.Millisecond}
	ignored := "\nignore:\n  - {tool: cancel_products_task, because: another matter}\n"
	undoFile := undoTarget(t, "version: 1\n", "version: 1\ntasks: true\n", "\nignore:\n", ignored)
	resetFile := write(t, "target.yaml", strings.NewReplacer("version: 1\n", "version: 1\ntasks: true\n", "\nignore:\n", ignored).Replace(read(t, "../../fixtures/targets/fakebackend.yaml")))
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		for name, c := range map[string]struct {
			options fakebackend.Options
			file    string
			role    conform.Role
		}{
			"undo and setup": {undos, undoFile, conform.RoleUndo},
			"reset":          {resets, resetFile, conform.RoleReset},
		} {
			t.Run(name+", "+protocol, func(t *testing.T) {
				t.Parallel()
				running := backend(t, c.options)
				recording := t.TempDir() + "/t.jsonl"
				r, _ := run(t, "--target", c.file, "--url", running.URL, "--seed", "4", "--protocol", protocol, "--operation", "cancel-products",
					"--scenario", "all-succeed,partial,all-fail,replay", "--transcript", recording)
				if len(failing(r)) > 0 || len(r.LeftBehind) > 0 {
					t.Errorf("failing %v, left behind %+v, notes %q", failing(r), r.LeftBehind, r.Notes)
				}
				if n := playedOf(r, "EFF-01"); n != conform.Pass {
					t.Errorf("EFF-01 is %s", n)
				}
				if now := left(t, running); len(now) > 0 && c.role == conform.RoleUndo {
					t.Errorf("not as it was: %v", now)
				}
				hands, awaited := 0, 0
				for _, call := range transcript(t, recording).Calls {
					if call.Planned.Role != c.role {
						continue
					}
					if hands++; len(call.Further) > 0 && call.Ending().Result != nil {
						awaited++
					}
				}
				if hands == 0 || awaited != hands {
					t.Errorf("%d of %d were awaited", awaited, hands)
				}
			})
		}
	}
}

// Without `tasks: true` what such a tool would have to put back is not written where
// the list of tools says so, and else told as left behind.
func TestHandsThatRunAsTasksAreNamed(t *testing.T) {
	t.Parallel()
	options := undoing
	options.Tasks, options.TaskHands, options.Takes = fakebackend.TaskRequired, true, time.Millisecond
	flags := []string{"--target", "builtin:fakebackend-undo", "--seed", "4", "--operation", "cancel-products", "--scenario", "all-succeed,partial"}
	running := backend(t, options)
	r, got := run(t, append(flags, "--url", running.URL, "--protocol", "2025-11-25")...)
	got.exits(t, reports.ExitIncomplete)
	told := false
	for _, f := range r.Findings {
		told = told || strings.Contains(f.Reason, `the tool "restore_products" must run as a task`) && strings.Contains(f.Hint, "operations.cancel-products.tasks")
	}
	if n := cancelled(running.Backend); !told || n > 0 {
		t.Errorf("the reason is told: %t; %d items were cancelled", told, n)
	}
}

// playedOf is the verdict of a check on the first operation that has one.
func playedOf(r reports.Report, check string) conform.Verdict {
	for _, f := range r.Findings {
		if f.ID == check {
			return f.Verdict
		}
	}
	return conform.NotRun
}
