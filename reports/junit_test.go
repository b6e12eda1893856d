package reports

import (
	"encoding/xml"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func readJUnit(t *testing.T, r Report) junitSuites {
	t.Helper()
	var suites junitSuites
	if err := xml.Unmarshal(written(t, JUnit, r), &suites); err != nil {
		t.Fatal(err)
	}
	return suites
}

func TestJUnitColours(t *testing.T) {
	for name, c := range map[string]struct {
		level   conform.Level
		verdict conform.Verdict
		strict  bool
		pending bool
		want    string
	}{
		"a pass":                        {level: conform.Must, verdict: conform.Pass, want: "green"},
		"a failed MUST":                 {level: conform.Must, verdict: conform.Fail, want: "failure"},
		"a failed SHOULD":               {level: conform.Should, verdict: conform.Fail, want: "green, told"},
		"a failed SHOULD under strict":  {level: conform.Should, verdict: conform.Fail, strict: true, want: "failure"},
		"a failed MAY under strict":     {level: conform.May, verdict: conform.Fail, strict: true, want: "green, told"},
		"inconclusive":                  {level: conform.Must, verdict: conform.Inconclusive, want: "error"},
		"a scope rule that is not kept": {level: conform.None, verdict: conform.Fail, want: "error"},
		"not run":                       {level: conform.Must, verdict: conform.NotRun, want: "skipped"},
		"pending":                       {level: conform.Must, verdict: conform.Fail, pending: true, want: "skipped"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Report{Run: Run{Strict: c.strict}, Findings: []conform.Finding{{
				ID: "RES-02", Title: "title", Level: c.level, Verdict: c.verdict, Pending: c.pending, Reason: "a reason", Group: conform.GroupCore,
			}}}
			suites := readJUnit(t, r).Suites
			if len(suites) != 2 || suites[1].Name != "core" || len(suites[1].Cases) != 1 {
				t.Fatalf("%+v", suites)
			}
			one := suites[1].Cases[0]
			got := "green"
			switch {
			case one.Failure != nil:
				got = "failure"
			case one.Error != nil:
				got = "error"
			case one.Skipped != nil:
				got = "skipped"
			case one.Out != nil:
				got = "green, told"
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if one.Classname != "server" || one.Name != "RES-02 title" {
				t.Errorf("case %q of %q", one.Name, one.Classname)
			}
		})
	}
}

func TestJUnitVerdictIsRedUnlessTheExitCodeIsZero(t *testing.T) {
	for _, v := range []Verdict{Incomplete, Conformant, Nonconformant} {
		for _, ended := range []conform.EndClass{conform.EndDone, conform.EndUnreachable, conform.EndUnauthorized, conform.EndGone, conform.EndInterrupted} {
			r := Report{Verdict: v, Run: Run{Ended: ended}}
			one := readJUnit(t, r).Suites[0].Cases[0]
			red := one.Failure != nil || one.Error != nil
			if one.Name != "verdict" || red != (r.ExitCode() != 0) {
				t.Errorf("%s, ended %q: exit %d, red %v", v, ended, r.ExitCode(), red)
			}
		}
	}
}

func TestJUnitCountsSum(t *testing.T) {
	for _, r := range []Report{sample(), hostile(), clean(), {}} {
		suites := readJUnit(t, r)
		var sum junitCounts
		for _, s := range suites.Suites {
			cases := s
			cases.junitCounts = junitCounts{}
			cases.count()
			if cases.junitCounts != s.junitCounts {
				t.Errorf("suite %s says %+v, its cases are %+v", s.Name, s.junitCounts, cases.junitCounts)
			}
			sum.Tests += s.Tests
			sum.Failures += s.Failures
			sum.Errors += s.Errors
			sum.Skipped += s.Skipped
		}
		if sum != suites.junitCounts || sum.Tests != len(r.Findings)+1 {
			t.Errorf("%+v, the suites sum to %+v, findings %d", suites.junitCounts, sum, len(r.Findings))
		}
	}
}
