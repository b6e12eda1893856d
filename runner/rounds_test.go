package runner_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// special runs against the fake backend by its target file of tools that ask or
// take long, or by that of tools that answer in pieces, and judges the transcript a second time.
func special(t *testing.T, o fakebackend.Options, tool string, protocol string, bend func(*target.Operation), plays ...string) reports.Report {
	t.Helper()
	server, err := fakebackend.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	name := "builtin:fakebackend-asking"
	if o.Jobs || o.PageRows > 0 {
		name = "builtin:fakebackend-pieces"
	}
	file, err := target.Load(name, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	at, err := target.ServerAt(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	file = file.WithServer(at)
	file.Server.Protocol, file.Timeouts.Call = protocol, 2*time.Second
	var only []*target.Operation
	for _, op := range file.Operations {
		if op.Tool == tool {
			only = append(only, op)
			bend(op)
		}
	}
	file.Operations = only
	var transcript bytes.Buffer
	report, err := runner.Run(context.Background(), file, runner.Options{Seed: 1, Scenarios: plays, Transcript: &transcript})
	if err != nil {
		t.Fatal(err)
	}
	again, err := runner.JudgeFile(&transcript, "t.jsonl", "")
	if err != nil {
		t.Fatal(err)
	}
	var one, other bytes.Buffer
	if err := reports.JSON(&one, report); err != nil {
		t.Fatal(err)
	}
	if err := reports.JSON(&other, *again.Report); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), other.Bytes()) {
		t.Error("the transcript alone is judged otherwise than the run")
	}
	return report
}

func found(t *testing.T, r reports.Report, id string) conform.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.ID == id && f.Operation != "" {
			return f
		}
	}
	t.Fatalf("no finding of %s", id)
	return conform.Finding{}
}

func TestAToolThatAsksIsJudgedByTheAnswerItEndsWith(t *testing.T) {
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, rounds := range []int{1, 2} {
			r := special(t, fakebackend.Options{ConfirmRounds: rounds}, "cancel_products_confirmed", protocol, func(*target.Operation) {}, "all-succeed", "partial/bad-first", "declined")
			for _, id := range []string{"RES-01", "RES-02", "RES-12", "AGG-01", "AGG-02", "AGG-03", "EFF-01", "EFF-02"} {
				if f := found(t, r, id); f.Verdict != conform.Pass {
					t.Errorf("%s, %d rounds: %s is %s: %s %s", protocol, rounds, id, f.Verdict, f.Got, f.Reason)
				}
			}
		}
	}
}

func TestWithoutAnAnswerTheKeyIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		replies      target.Answers
		reason, hint string
	}{
		"no key":            {nil, "the tool has to ask back", "add `operations.cancel-products-confirmed.answers` to the target file"},
		"nothing that fits": {target.Answers{{Match: regexp.MustCompile("^Why"), Action: conform.Decline}}, "no entry of `answers` fits what the tool asked: \"Cancel 3 products: ", "add an answer that fits to `operations.cancel-products-confirmed.answers` in the target file"},
	} {
		for _, protocol := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(name+" at "+protocol, func(t *testing.T) {
				r := special(t, fakebackend.Options{ConfirmRounds: 1}, "cancel_products_confirmed", protocol, func(op *target.Operation) {
					op.Replies, op.Answers = c.replies, c.replies != nil
				}, "all-succeed/three")
				f := found(t, r, "RES-02")
				if f.Verdict != conform.NotRun || !strings.HasPrefix(f.Reason, c.reason) || f.Hint != c.hint {
					t.Errorf("RES-02 is %s: %s; %s", f.Verdict, f.Reason, f.Hint)
				}
				if code := r.ExitCode(); code != 3 {
					t.Errorf("exit %d: %s", code, r.VerdictLine)
				}
			})
		}
	}
}
