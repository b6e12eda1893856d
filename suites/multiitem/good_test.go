package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// seldom are rules that no lawful answer of the play speaks of.
var seldom = map[string]string{
	"VAL-15": "no validator answer says NEEDS_PARAMETER",
	"AGG-05": "no answer publishes totals beside its rows",
	"ENV-04": "legacy REST only",
}

func TestAServerThatKeepsEveryRulePassesEveryRule(t *testing.T) {
	rec := perform(operations, play(), serve)
	passed := map[string]bool{}
	judged := suites.Judge(rec, multiitem.Checks())
	for _, f := range judged.Findings {
		switch {
		case !ours(f.ID):
		case f.Verdict == conform.Fail:
			t.Errorf("%s@%s %s fails: want %s, got %s", f.ID, f.Operation, f.Scenario, f.Want, f.Got)
		case f.Verdict == conform.Pass:
			passed[f.ID] = true
		case f.Verdict == conform.Inconclusive:
			t.Errorf("%s@%s is inconclusive: %s", f.ID, f.Operation, f.Reason)
		}
	}
	for _, c := range multiitem.Checks() {
		if ours(c.ID) && !passed[c.ID] && seldom[c.ID] == "" {
			t.Errorf("%s passes on no operation", c.ID)
			for _, f := range judged.Findings {
				if f.ID == c.ID {
					t.Logf("  %s: %s %s", f.Operation, f.Verdict, f.Reason)
				}
			}
		}
	}
}

func TestNothingPassesWithoutEvidence(t *testing.T) {
	everything := map[string]*conform.Recording{
		"nothing was called": perform(operations, nil, serve),
		"no answer came":     perform(operations, play(), func(s script) *answer { return &answer{silent: true, result: object{}} }),
		"the credentials were refused": perform(operations, play(), func(s script) *answer {
			return &answer{status: 401, media: "application/json", body: `{"error":"unauthorized"}`, result: object{}}
		}),
		"a proxy answered": perform(operations, play()[:1], func(s script) *answer {
			return &answer{status: 502, media: "text/html", body: `<html>bad gateway</html>`, result: object{}}
		}),
		"the tool asked back": perform(operations, play(), func(s script) *answer {
			return &answer{asks: "elicitation/create", silent: true, result: object{}}
		}),
		"the server was busy": perform(operations, play(), func(s script) *answer {
			return &answer{status: 429, media: "application/json", body: `{}`, result: object{}}
		}),
	}
	for name, rec := range everything {
		t.Run(name, func(t *testing.T) {
			for _, f := range suites.Judge(rec, multiitem.Checks()).Findings {
				if !ours(f.ID) {
					continue
				}
				if f.Verdict == conform.Pass || f.Verdict == conform.Fail {
					t.Errorf("%s@%s is %s: got %s", f.ID, f.Operation, f.Verdict, f.Got)
				}
				if f.Verdict != conform.Pass && f.Reason == "" {
					t.Errorf("%s@%s is %s without a reason", f.ID, f.Operation, f.Verdict)
				}
			}
		})
	}
}
