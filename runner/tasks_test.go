package runner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

func TestATaskIsJudgedByItsResult(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		for _, support := range []fakebackend.TaskSupport{fakebackend.TaskRequired, fakebackend.TaskOptional} {
			r := special(t, fakebackend.Options{Tasks: support, Takes: 20 * time.Millisecond}, "cancel_products_task", protocol,
				func(*target.Operation) {}, "all-succeed/three", "partial/bad-first", "all-fail", "concurrent/one-session")
			for _, id := range []string{"ENV-01", "RES-01", "RES-02", "RES-12", "AGG-01", "AGG-02", "AGG-03", "EFF-01", "EFF-02", "CON-01", "CON-03"} {
				if f := found(t, r, id); f.Verdict != conform.Pass {
					t.Errorf("%s, %s: %s is %s: %s %s", protocol, support, id, f.Verdict, f.Got, f.Reason)
				}
			}
		}
	}
}

func TestWithoutTasksTheKeyIsNamed(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		r := special(t, fakebackend.Options{Tasks: fakebackend.TaskRequired}, "cancel_products_task", protocol,
			func(op *target.Operation) { op.Tasks = false }, "all-succeed/three")
		f := found(t, r, "RES-02")
		if f.Verdict != conform.NotRun || f.Hint != "add `operations.cancel-products-task.tasks` to the target file" || r.ExitCode() != 3 {
			t.Errorf("%s: RES-02 is %s: %s; %s; exit %d", protocol, f.Verdict, f.Reason, f.Hint, r.ExitCode())
		}
	}
}

func TestATaskThatDoesNotEndIsCancelled(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		r := special(t, fakebackend.Options{Tasks: fakebackend.TaskRequired, Takes: time.Hour}, "cancel_products_task", protocol,
			func(*target.Operation) {}, "all-succeed/three")
		f := found(t, r, "RES-01")
		if f.Verdict != conform.Inconclusive || !strings.HasPrefix(f.Reason, "the task had not ended after ") || r.ExitCode() != 3 {
			t.Errorf("%s: RES-01 is %s: %s; exit %d", protocol, f.Verdict, f.Reason, r.ExitCode())
		}
	}
}

// What becomes of a cancelled task is the server's to say, and what it says is held
// against what happened.
func TestATaskIsCancelledByTheScenario(t *testing.T) {
	for protocol, want := range map[string]conform.Verdict{"2025-11-25": conform.Pass, "2026-07-28": conform.NotRun} {
		r := special(t, fakebackend.Options{Tasks: fakebackend.TaskRequired, Takes: time.Hour}, "cancel_products_task", protocol,
			func(*target.Operation) {}, "cancelled")
		if f := found(t, r, "EFF-02"); f.Verdict != want {
			t.Errorf("%s: EFF-02 is %s: %s %s", protocol, f.Verdict, f.Got, f.Reason)
		}
		for _, f := range r.Findings {
			if f.Verdict == conform.Fail && f.Level > conform.May || f.Verdict == conform.Inconclusive {
				t.Errorf("%s: %s is %s: %s %s", protocol, f.ID, f.Verdict, f.Got, f.Reason)
			}
		}
	}
	// One that has done its work by then is judged by it, too.
	r := special(t, fakebackend.Options{Tasks: fakebackend.TaskOptional, Takes: time.Nanosecond}, "cancel_products_task", "2025-11-25", func(*target.Operation) {}, "cancelled")
	if f := found(t, r, "EFF-01"); f.Verdict != conform.Pass {
		t.Errorf("EFF-01 is %s: %s %s", f.Verdict, f.Got, f.Reason)
	}
}
