package runner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

func TestAJobIsJudgedByWhatItCameTo(t *testing.T) {
	r := special(t, fakebackend.Options{Jobs: true, Takes: 20 * time.Millisecond}, "cancel_products_job", "2025-11-25",
		func(*target.Operation) {}, "all-succeed/three", "partial/bad-first", "all-fail", "one-item", "concurrent/one-session", "large-batches/25")
	if f := found(t, r, "RES-01"); f.Verdict != conform.Fail || f.Got != "a job to poll (job_id, status); the rows came by polling get_job" || f.Count != f.Of || r.ExitCode() != 1 {
		t.Errorf("RES-01 is %s: %s; exit %d", f.Verdict, f.Got, r.ExitCode())
	}
	for _, id := range []string{"RES-02", "RES-12", "RES-13", "AGG-01", "AGG-02", "AGG-03"} {
		if f := found(t, r, id); f.Verdict != conform.NotRun || !strings.HasPrefix(f.Reason, "the answer came as a job that was polled (see RES-01)") {
			t.Errorf("%s is %s: %s %s", id, f.Verdict, f.Got, f.Reason)
		}
	}
	for _, id := range []string{"LD-01", "LD-02", "EFF-01", "EFF-02", "CON-01", "CON-03"} {
		if f := found(t, r, id); f.Verdict != conform.Pass {
			t.Errorf("%s is %s: %s %s", id, f.Verdict, f.Got, f.Reason)
		}
	}
}

func TestPagesAreJudgedTogether(t *testing.T) {
	r := special(t, fakebackend.Options{PageRows: 10}, "cancel_products_paged", "2025-11-25",
		func(*target.Operation) {}, "all-succeed/three", "partial/bad-first", "concurrent/one-session", "large-batches/25")
	if f := found(t, r, "RES-02"); f.Verdict != conform.Fail || f.Got != "10 rows on the first page; the others came on 2 further pages" || f.Count != 1 || r.ExitCode() != 1 {
		t.Errorf("RES-02 is %s: %s, %d times; exit %d", f.Verdict, f.Got, f.Count, r.ExitCode())
	}
	for _, id := range []string{"RES-01", "RES-12", "AGG-01", "AGG-02", "LD-01", "LD-02", "EFF-01", "EFF-02", "CON-01", "CON-03"} {
		if f := found(t, r, id); f.Verdict != conform.Pass {
			t.Errorf("%s is %s: %s %s", id, f.Verdict, f.Got, f.Reason)
		}
	}
}

func TestWithoutTheKeysPiecesAreNotAskedFor(t *testing.T) {
	for tool, key := range map[string]string{"cancel_products_job": "async", "cancel_products_paged": "next"} {
		r := special(t, fakebackend.Options{Jobs: true, PageRows: 2, Takes: 20 * time.Millisecond}, tool, "2025-11-25",
			func(op *target.Operation) { op.Results = conform.Results{} }, "all-succeed/three", "partial/bad-first")
		f := found(t, r, "RES-02")
		if want := "add `operations." + strings.ReplaceAll(tool, "_", "-") + ".results." + key + "` to the target file"; f.Verdict != conform.NotRun || f.Hint != want || r.ExitCode() != 3 {
			t.Errorf("%s: RES-02 is %s: %s; %s; exit %d", tool, f.Verdict, f.Reason, f.Hint, r.ExitCode())
		}
	}
}

func TestAKeyThatDoesNotFitIsToBeCorrected(t *testing.T) {
	for tool, results := range map[string]conform.Results{
		"cancel_products_job":   {Async: &conform.Async{Tool: "get_job", ID: "$.job"}},
		"cancel_products_paged": {Next: &conform.Next{Cursor: "more"}},
	} {
		r := special(t, fakebackend.Options{Jobs: true, PageRows: 2, Takes: 20 * time.Millisecond}, tool, "2025-11-25",
			func(op *target.Operation) { op.Results = results }, "all-succeed/three")
		if f := found(t, r, "RES-02"); f.Verdict != conform.NotRun || !strings.HasPrefix(f.Hint, "correct `operations.") || r.ExitCode() != 3 {
			t.Errorf("%s: RES-02 is %s: %s; %s; exit %d", tool, f.Verdict, f.Reason, f.Hint, r.ExitCode())
		}
	}
}

func TestAJobThatDoesNotEndIsGivenUp(t *testing.T) {
	r := special(t, fakebackend.Options{Jobs: true, Takes: time.Hour}, "cancel_products_job", "2025-11-25", func(op *target.Operation) {}, "large-batches/25")
	if f := found(t, r, "RES-01"); f.Verdict != conform.Fail || !strings.Contains(f.Got, "it had not ended when get_job was asked last") {
		t.Errorf("RES-01 is %s: %s %s", f.Verdict, f.Got, f.Reason)
	}
	for _, id := range []string{"RES-02", "LD-02"} {
		if f := found(t, r, id); f.Verdict != conform.Inconclusive || !strings.HasPrefix(f.Reason, "the job had not ended after ") {
			t.Errorf("%s is %s: %s %s", id, f.Verdict, f.Got, f.Reason)
		}
	}
}

// A job whose beginning was lost does its work all the same, a while later.
func TestAJobThatNobodyCouldBeToldOfAccusesNobody(t *testing.T) {
	lost := 0
	// How often a job is looked at is a matter of time, and with it whether it is a
	// job's beginning that is lost: of so many runs, one will lose one.
	for _, every := range []int{2, 3, 5, 7} {
		r := special(t, fakebackend.Options{Jobs: true, Takes: 100 * time.Millisecond, Weather: fakebackend.Weather{LoseEvery: every}}, "cancel_products_job", "2025-11-25",
			func(*target.Operation) {}, "all-succeed/*", "partial/*")
		for _, f := range r.Findings {
			if f.Verdict == conform.Fail && f.Level > conform.May && f.ID != "RES-01" {
				t.Errorf("%s is accused where every %dth call is lost: %s", f.ID, every, f.Got)
			}
		}
		for _, note := range r.Notes {
			if strings.Contains(note, " got no answer") {
				lost++
			}
		}
	}
	if lost == 0 {
		t.Error("no call was lost")
	}
}
