package specs

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

func finding(l conform.Level, v conform.Verdict) conform.Finding {
	f := conform.Finding{ID: "RES-02", Level: l, Basis: conform.Documented, Group: conform.GroupCore, Verdict: v, Operation: "cancel-products",
		Title: "one row for each item", Impact: "a customer is told nothing of an item", Source: "guide, step 3"}
	switch v {
	case conform.Fail:
		f.Count, f.Of, f.Want, f.Got, f.Hint = 1, 2, "3 rows", "2 rows", "build the rows from the request"
		f.Evidence = []conform.Evidence{{Call: "c1", Pointer: "/structuredContent/results", Excerpt: `[{"id":"1"}]`}}
		f.Reproduce = "mcpconform run --checks RES-02 --seed 7"
	case conform.Inconclusive, conform.NotRun:
		f.Reason = "no answer came before the deadline"
	}
	return f
}

func TestOutcomes(t *testing.T) {
	pending := finding(conform.Must, conform.Fail)
	pending.Pending = true
	hinted := finding(conform.Must, conform.NotRun)
	hinted.Hint = "add `operations.x.probe` to the target file"
	for _, tc := range []struct {
		name            string
		word            word
		strict, excused bool
		want            state
		text            []string // in the failure's message or the reason
		entry           string
		shown           bool
	}{
		{name: "a MUST that passed", word: word{finding: ptr(finding(conform.Must, conform.Pass))}, want: passed},
		{name: "a MUST that failed", word: word{finding: ptr(finding(conform.Must, conform.Fail))}, excused: true, want: failed,
			text: []string{"RES-02 MUST: 2 rows\n", "guide, step 3", "a customer is told nothing", "3 rows", `[{"id":"1"}]`, "/structuredContent/results",
				"build the rows from the request", "mcpconform run --checks RES-02 --seed 7"}},
		{name: "a SHOULD that failed is a warning", word: word{finding: ptr(finding(conform.Should, conform.Fail))}, want: passed, entry: "warning", shown: true},
		{name: "a SHOULD that failed, under strict", word: word{finding: ptr(finding(conform.Should, conform.Fail))}, strict: true, want: failed, text: []string{"RES-02 SHOULD"}},
		{name: "a MAY that failed is advice, under strict too", word: word{finding: ptr(finding(conform.May, conform.Fail))}, strict: true, want: passed, entry: "advice"},
		{name: "a MUST that could not be verified is not green", word: word{finding: ptr(finding(conform.Must, conform.Inconclusive))}, excused: true, want: failed,
			text: []string{"could not be verified: no answer came"}},
		{name: "a rule of the scope that was not kept", word: word{finding: ptr(finding(conform.None, conform.Fail))}, excused: true, want: failed,
			text: []string{"could not be verified: 2 rows"}},
		{name: "a SHOULD that could not be verified", word: word{finding: ptr(finding(conform.Should, conform.Inconclusive))}, strict: true, want: skipped,
			text: []string{"could not be verified: no answer came"}},
		{name: "a MUST that was not run, where the verdict is red for it", word: word{finding: &hinted}, excused: true, want: skipped,
			text: []string{"not run: no answer came", "operations.x.probe"}},
		{name: "a MUST that was not run, where the verdict is filtered out", word: word{finding: &hinted}, want: failed,
			text: []string{"could not be verified: not run:", "operations.x.probe"}},
		{name: "a SHOULD that was not run", word: word{finding: ptr(finding(conform.Should, conform.NotRun))}, want: skipped, text: []string{"not run: no answer"}},
		{name: "a rule newer than the catalogue", word: word{finding: &pending}, want: skipped, text: []string{"pending"}},
		{name: "a rule without a meaning here", word: word{absent: &conform.NotApplicable{Reason: "`workflow: none`"}}, want: skipped,
			text: []string{"not applicable: `workflow: none`"}},
		{name: "silence", excused: true, want: failed, text: []string{"says nothing"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := outcomeOf(tc.word, tc.strict, tc.excused)
			if got.state != tc.want {
				t.Fatalf("state %d, want %d: %+v", got.state, tc.want, got)
			}
			if got.entry != tc.entry || got.shown != tc.shown {
				t.Errorf("entry %q shown %v, want %q %v", got.entry, got.shown, tc.entry, tc.shown)
			}
			if tc.entry != "" && !strings.Contains(got.body, "build the rows from the request") {
				t.Errorf("the entry does not tell the finding: %q", got.body)
			}
			for _, want := range tc.text {
				if !strings.Contains(got.text, want) {
					t.Errorf("%q is not in %q", want, got.text)
				}
			}
		})
	}
}

func TestServersWordsAreMadeSafe(t *testing.T) {
	const hostile = "two\x1b[2J\nrows"
	f := finding(conform.Must, conform.Fail)
	f.Got = hostile
	unclear := finding(conform.Must, conform.Inconclusive)
	unclear.Reason = hostile
	told := []string{outcomeOf(word{finding: &f}, false, true).text, outcomeOf(word{finding: &unclear}, false, true).text,
		outcomeOf(word{absent: &conform.NotApplicable{Reason: hostile}}, false, true).text,
		verdictOf(reports.Report{VerdictLine: "incomplete", Findings: []conform.Finding{f, unclear}, Notes: []string{hostile},
			Run: reports.Run{Cause: hostile}, Scope: reports.Scope{Tools: []reports.ScopeTool{{Name: hostile, Unlisted: true, Because: hostile}}}}).text,
		unreached(reports.Report{VerdictLine: hostile, Run: reports.Run{Cause: hostile}})}
	for i, text := range told {
		if strings.ContainsRune(text, 0x1b) {
			t.Errorf("text %d holds a control character: %q", i, text)
		}
	}
}

func TestVerdictIsGreenForAConformantRunOnly(t *testing.T) {
	failing, unrun := finding(conform.Must, conform.Fail), finding(conform.Must, conform.NotRun)
	unrun.ID, unrun.Hint = "EFF-01", "add `operations.x.probe` to the target file"
	elsewhere := unrun
	elsewhere.Operation = "query-orders"
	another, andThere := unrun, elsewhere
	another.ID, andThere.ID = "EFF-02", "EFF-02"
	for _, tc := range []struct {
		name   string
		report reports.Report
		want   state
		text   []string
	}{
		{name: "conformant", report: reports.Report{Verdict: reports.Conformant, VerdictLine: "conformant: core"}, want: passed},
		{name: "nonconformant", report: reports.Report{Verdict: reports.Nonconformant, VerdictLine: "nonconformant: 1 MUST", Findings: []conform.Finding{failing}},
			text: []string{"nonconformant: 1 MUST\n", "failed: RES-02 on cancel-products: 2 rows"}},
		{name: "incomplete for rules that were not run", report: reports.Report{VerdictLine: "incomplete", Findings: []conform.Finding{unrun, elsewhere, another, andThere}},
			text: []string{"not verified: EFF-01, EFF-02 on cancel-products, query-orders: no answer came before the deadline; add `operations.x.probe`"}},
		{name: "incomplete for a tool nobody speaks of", report: reports.Report{VerdictLine: "incomplete",
			Scope: reports.Scope{Tools: []reports.ScopeTool{{Name: "bulk_delete", Unlisted: true, Because: "takes a list"}}}},
			text: []string{"not tested: the tool bulk_delete looks multi-item (takes a list)"}},
		{name: "ended early", report: reports.Report{VerdictLine: "incomplete", Run: reports.Run{Cause: "the target is gone"}},
			text: []string{"ended early: the target is gone"}},
		{name: "nothing said at all", text: []string{"incomplete"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := verdictOf(tc.report)
			if got.state != tc.want {
				t.Fatalf("state %d, want %d", got.state, tc.want)
			}
			for _, want := range tc.text {
				if !strings.Contains(got.text, want) {
					t.Errorf("%q is not in %q", want, got.text)
				}
			}
			if tc.want == passed && !(got.shown && strings.Contains(got.body, tc.report.VerdictLine)) {
				t.Errorf("the verdict line is not shown: %+v", got)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }
