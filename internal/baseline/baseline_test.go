package baseline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/baseline"
	"github.com/mcpconform/mcpconform/reports"
)

var today = time.Date(2026, 12, 1, 15, 0, 0, 0, time.UTC)

func known(id string) (bool, string) {
	return strings.HasPrefix(id, "RES-") || strings.HasPrefix(id, "CON-"), map[string]string{"res-01": "RES-01"}[id]
}

func read(t *testing.T, entries string) *baseline.File {
	t.Helper()
	f, err := baseline.Read("b.yaml", []byte("version: 1\n"+entries), known)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// found is a report of a whole run: RES-02 holds, and what is given besides.
func found(findings ...conform.Finding) *reports.Report {
	r := &reports.Report{Verdict: reports.Nonconformant, VerdictLine: "nonconformant"}
	r.Run.Ended = conform.EndDone
	r.Findings = append([]conform.Finding{{ID: "RES-02", Operation: "cancel", Level: conform.Must, Verdict: conform.Pass, Count: 3, Of: 3}}, findings...)
	r.Summary = reports.Summarise(r.Findings)
	return r
}

func failed(id string, change ...func(*conform.Finding)) conform.Finding {
	f := conform.Finding{ID: id, Operation: "cancel", Level: conform.Must, Verdict: conform.Fail, Scenario: "partial/bad-first", Count: 4, Of: 4, Got: "a row is missing"}
	for _, c := range change {
		c(&f)
	}
	return f
}

func TestWhatABaselineDecides(t *testing.T) {
	const one = "failures:\n  - {check: RES-01, operation: cancel, because: old}\n"
	notRun := conform.Finding{ID: "CON-01", Operation: "cancel", Level: conform.Must, Verdict: conform.NotRun, Reason: "there is no probe"}
	should := func(f *conform.Finding) { f.Level = conform.Should }
	several := func(f *conform.Finding) { f.Scenarios = []string{"concurrent/one-session", "partial/bad-first"} }
	often := func(count, of int) func(*conform.Finding) {
		return func(f *conform.Finding) { f.Count, f.Of = count, of }
	}
	for name, c := range map[string]struct {
		entries string
		report  *reports.Report
		exit    int
		says    string // of what the report says of it
	}{
		"the greater of two rates": {"failures:\n  - {check: RES-01, operation: cancel, scenarios: [partial/*], because: old, rate: 0.01, until: 2027-01-31}\n" +
			"  - {check: RES-01, operation: cancel, scenarios: [concurrent/*], because: old, rate: 0.9, until: 2027-01-31}\n", found(failed("RES-01", several, often(8, 20))), 0, "all as b.yaml says"},
		"more often than both": {"failures:\n  - {check: RES-01, operation: cancel, scenarios: [partial/*], because: old, rate: 0.01, until: 2027-01-31}\n" +
			"  - {check: RES-01, operation: cancel, scenarios: [concurrent/*], because: old, rate: 0.1, until: 2027-01-31}\n", found(failed("RES-01", several, often(8, 20))), 1, "more often than the 10 % of line 4"},
		"one of two may fail every time": {"failures:\n  - {check: RES-01, operation: cancel, scenarios: [partial/*], because: old, rate: 0.01, until: 2027-01-31}\n" +
			"  - {check: RES-01, operation: cancel, scenarios: [concurrent/*], because: old}\n", found(failed("RES-01", several, often(8, 20))), 0, "all as b.yaml says"},
		"known":                             {one, found(failed("RES-01")), 0, "all as b.yaml says"},
		"known, of any operation":           {"failures: [{check: RES-01, because: old}]", found(failed("RES-01")), 0, ""},
		"new":                               {one, found(failed("RES-01"), failed("RES-04")), 1, "RES-04 on cancel: a row is missing"},
		"new on another operation":          {one, found(failed("RES-01"), failed("RES-01", func(f *conform.Finding) { f.Operation = "query" })), 1, "RES-01 on query"},
		"mended":                            {one, found(conform.Finding{ID: "RES-01", Operation: "cancel", Level: conform.Must, Verdict: conform.Pass}), 1, "no longer fails: delete the entry in line 3 of b.yaml"},
		"mended, and the rest new":          {one, found(failed("RES-04"), conform.Finding{ID: "RES-01", Operation: "cancel", Level: conform.Must, Verdict: conform.Pass}), 1, "RES-04"},
		"perhaps mended, in a narrowed run": {one, func() *reports.Report { r := found(); r.Run.Narrowed = []string{"scenarios partial"}; return r }(), 0, ""},
		"could not be seen":                 {one + "not_run:\n  - {check: CON-01, because: x}\n", found(notRun, conform.Finding{ID: "RES-01", Operation: "cancel", Level: conform.Should, Verdict: conform.NotRun, Reason: "nothing to read"}), 0, "could not be seen: nothing to read"},
		"no such operation":                 {"failures: [{check: RES-01, operation: cancle, because: old}]", found(failed("RES-01")), 1, "no operation cancle"},
		"does not apply": {one, func() *reports.Report {
			r := found()
			r.NotApplicable = []conform.NotApplicable{{ID: "RES-01", Operation: "cancel"}}
			return r
		}(), 1, "does not apply to this target"},
		"newer than the catalogue set":         {one, found(failed("RES-01", func(f *conform.Finding) { f.Pending = true })), 0, "b.yaml:3: RES-01 is newer than the catalogue set in use"},
		"expired":                              {"failures: [{check: RES-01, because: old, until: 2026-11-30}]", found(failed("RES-01")), 1, "ended on 2026-11-30"},
		"on its last day":                      {"failures: [{check: RES-01, because: old, until: 2026-12-01}]", found(failed("RES-01")), 0, ""},
		"a SHOULD":                             {"", found(failed("RES-01", should)), 0, ""},
		"a SHOULD under --strict":              {"", func() *reports.Report { r := found(failed("RES-01", should)); r.Run.Strict = true; return r }(), 1, "RES-01"},
		"in the scenario listed":               {"failures: [{check: RES-01, because: old, scenarios: partial}]", found(failed("RES-01")), 0, ""},
		"in another scenario too":              {"failures: [{check: RES-01, because: old, scenarios: [partial/*]}]", found(failed("RES-01", several)), 1, "fails in concurrent/one-session too"},
		"each scenario by an entry of its own": {"failures:\n  - {check: RES-01, because: a, scenarios: partial}\n  - {check: RES-01, because: b, scenarios: concurrent/*}\n", found(failed("RES-01", several)), 0, ""},
		"now and then":                         {"failures: [{check: RES-01, because: old, until: 2027-01-01, rate: 0.2}]", found(failed("RES-01", often(1, 10))), 0, ""},
		"now and then, and not today":          {"failures: [{check: RES-01, because: old, until: 2027-01-01, rate: 0.2}]", found(conform.Finding{ID: "RES-01", Operation: "cancel", Level: conform.Must, Verdict: conform.Pass}), 0, ""},
		"too often":                            {"failures: [{check: RES-01, because: old, until: 2027-01-01, rate: 0.2}]", found(failed("RES-01", often(9, 10))), 1, "more often than the 20 % of line 2"},
		"a consequence of what is known":       {one, found(failed("RES-01"), failed("CON-02", func(f *conform.Finding) { f.ConsequenceOf = "RES-01" })), 0, ""},
		"a consequence of what is new":         {"", found(failed("RES-01"), failed("CON-02", func(f *conform.Finding) { f.ConsequenceOf = "RES-01" })), 1, "CON-02"},
		"not verified":                         {"", found(notRun), 3, "there is no probe"},
		"known not to be verified":             {"not_run: [{check: CON-01, because: nothing shows it}]", found(notRun), 0, ""},
		"verified now":                         {"not_run: [{check: RES-02, because: nothing shows it}]", found(), 1, "can be verified now: delete"},
		"it did not end":                       {one, func() *reports.Report { r := found(failed("RES-01")); r.Run.Ended = conform.EndGone; return r }(), 3, "did not come to its end"},
		"incomplete, and no finding says why": {"", func() *reports.Report {
			r := found()
			r.Verdict, r.VerdictLine = reports.Incomplete, "incomplete: operations were guessed"
			return r
		}(), 3, "operations were guessed"},
		"never there": {one, func() *reports.Report { r := found(); r.Run.Ended = conform.EndUnreachable; return r }(), 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := c.report.Verdict
			read(t, c.entries).Apply(c.report, today)
			said := fmt.Sprintf("%s %+v", c.report.VerdictLine, *c.report.Baseline)
			if code := c.report.ExitCode(); code != c.exit || !strings.Contains(said, c.says) {
				t.Errorf("exit %d, wanted %d: %s", code, c.exit, said)
			}
			if c.report.Verdict != verdict {
				t.Error("the verdict is another")
			}
		})
	}
}

func TestMistakesInABaseline(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "b.yaml: the file has",
		"version: 2":                     "b.yaml:1:10: `version` is 2",
		"failures: []":                   "the file has no `version`",
		"version: 1\nfailure: []":        `b.yaml:2:1: the file has the key "failure", which is none of version, failures, not_run`,
		"version: 1\nfailures: {}":       "`failures` is no list",
		"version: 1\nfailures: [RES-01]": "an entry of `failures` is no mapping",
		"version: 1\nfailures: [{}]":     "an entry has no `check`",
		"version: 1\nfailures: [{check: RES-01}]":                                                 "b.yaml:2:12: an entry has no `because`",
		"version: 1\nfailures: [{because: x}]":                                                    "an entry has no `check`",
		"version: 1\nfailures: [{check: res-01, because: x}]":                                     `b.yaml:2:20: there is no check "res-01"; did you mean RES-01?`,
		"version: 1\nfailures: [{check: XYZ-9, because: x}]":                                      `there is no check "XYZ-9"; ` + "`mcpconform list checks`",
		"version: 1\nfailures: [{check: RES-01, because: x, until: tomorrow}]":                    "`until` is \"tomorrow\", and must be a day; write it like 2027-03-01",
		"version: 1\nfailures: [{check: RES-01, because: x, rate: 2, until: 2027-01-01}]":         "`rate` is \"2\", and must be above 0 and below 1",
		"version: 1\nfailures: [{check: RES-01, because: x, rate: 0.1}]":                          "`rate` has no `until` beside it",
		"version: 1\nfailures: [{check: RES-01, because: x, scenarios: '['}]":                     `"[" is no glob of scenarios`,
		"version: 1\nnot_run: [{check: RES-01, because: x, rate: 0.1, until: 2027-01-01}]":        `the key "rate"`,
		"version: 1\nfailures:\n  - {check: RES-01, because: x}\n  - {check: RES-01, because: y}": "b.yaml:4:5: the entry stands in line 3 already",
		"version: 1\nfailures: [{":                                                                "this is not YAML",
	} {
		f, err := baseline.Read("b.yaml", []byte(text), known)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, f, err, want)
		}
	}
}

func write(t *testing.T, r *reports.Report, old *baseline.File, text []byte) ([]byte, baseline.Changes) {
	t.Helper()
	after, changes, err := baseline.Write(r, old, text, today)
	if err != nil {
		t.Fatal(err)
	}
	return after, changes
}

func TestWritingABaseline(t *testing.T) {
	report := found(failed("RES-04"), failed("RES-01"), conform.Finding{ID: "CON-01", Operation: "cancel", Level: conform.Must, Verdict: conform.NotRun, Reason: "there's no probe"})
	first, changes := write(t, report, nil, nil)
	const want = `# What this server is known to break: mcpconform run --baseline.
# An entry may have ` + "`until: YYYY-MM-DD`, `scenarios: [GLOB]`" + ` and, where it comes and
# goes, ` + "`rate: 0.05`" + `.
version: 1
failures:
  - check: RES-01
    operation: 'cancel'
    because: 'known since 2026-12-01; say why it is not mended'
  - check: RES-04
    operation: 'cancel'
    because: 'known since 2026-12-01; say why it is not mended'
not_run:
  - check: CON-01
    operation: 'cancel'
    because: 'since 2026-12-01: there''s no probe'
`
	if string(first) != want || len(changes.Added) != 3 {
		t.Errorf("%+v\n%s", changes, first)
	}
	if report.Baseline != nil || report.Findings[1].Known != nil {
		t.Error("the report was changed")
	}
	read := func(text []byte) *baseline.File {
		f, err := baseline.Read("b.yaml", text, known)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	again, changes := write(t, report, read(first), first)
	if string(again) != want || len(changes.Kept) != 3 || len(changes.Added)+len(changes.Removed) != 0 {
		t.Errorf("an untouched file is written otherwise: %+v\n%s", changes, again)
	}

	const edited = `# ours

version: 1
failures:
  # The archive, ticket 12.
  - check: RES-04
    because: |
      two lines

      of reasons
    # and a word after it
    operation: cancel
  - {check: RES-01, because: mended soon} # soon
`
	mended := found(failed("RES-04"), conform.Finding{ID: "RES-01", Operation: "cancel", Level: conform.Must, Verdict: conform.Pass}, failed("CON-02"))
	after, changes := write(t, mended, read([]byte(edited)), []byte(edited))
	const wanted = `# ours

version: 1
failures:
  - check: CON-02
    operation: 'cancel'
    because: 'known since 2026-12-01; say why it is not mended'
  # The archive, ticket 12.
  - check: RES-04
    because: |
      two lines

      of reasons
    # and a word after it
    operation: cancel
`
	if string(after) != wanted || fmt.Sprint(changes.Removed) != "[RES-01]" {
		t.Errorf("%+v\n%s", changes, after)
	}
	mended.Run.Narrowed = []string{"scenarios partial"}
	if kept, changes := write(t, mended, read([]byte(edited)), []byte(edited)); len(changes.Removed) != 0 || !strings.Contains(string(kept), "mended soon") {
		t.Errorf("a narrowed run takes entries away: %+v\n%s", changes, kept)
	}
}
