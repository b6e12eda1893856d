package runner

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

func found(id string, level conform.Level, verdict conform.Verdict) conform.Finding {
	check, err := suites.Find(id)
	if err != nil {
		panic(err) // a test that names no check proves nothing
	}
	return conform.Finding{ID: id, Group: check.Group, Level: level, Verdict: verdict, Basis: conform.Seed, Operation: "cancel"}
}

// pending makes a finding one of a check newer than the set in use.
func pending(f conform.Finding) conform.Finding {
	f.Pending = true
	return f
}

func TestVerdictsAndTheirExitCodes(t *testing.T) {
	must := func(v conform.Verdict) conform.Finding { return found("RES-02", conform.Must, v) }
	should := func(v conform.Verdict) conform.Finding { return found("RES-11", conform.Should, v) }
	passed := found("RES-01", conform.Must, conform.Pass)
	for name, c := range map[string]struct {
		findings []conform.Finding
		change   func(*reports.Report)
		want     reports.Verdict
		exit     int
		says     string
	}{
		"every MUST passed":                             {findings: []conform.Finding{passed, must(conform.Pass)}, want: reports.Conformant, exit: 0, says: "conformant"},
		"a MUST failed":                                 {findings: []conform.Finding{passed, must(conform.Fail)}, want: reports.Nonconformant, exit: 1, says: "RES-02"},
		"a MUST failed, and another was not run":        {findings: []conform.Finding{found("RES-03", conform.Must, conform.NotRun), must(conform.Fail)}, want: reports.Nonconformant, exit: 1},
		"a MUST was not run":                            {findings: []conform.Finding{passed, must(conform.NotRun)}, want: reports.Incomplete, exit: 3, says: "RES-02"},
		"a MUST is unclear":                             {findings: []conform.Finding{passed, must(conform.Inconclusive)}, want: reports.Incomplete, exit: 3, says: "RES-02"},
		"a SHOULD failed":                               {findings: []conform.Finding{passed, should(conform.Fail)}, want: reports.Conformant, exit: 0},
		"a SHOULD failed under --strict":                {findings: []conform.Finding{passed, should(conform.Fail)}, change: func(r *reports.Report) { r.Run.Strict = true }, want: reports.Nonconformant, exit: 1, says: "RES-11"},
		"a SHOULD was not run under --strict":           {findings: []conform.Finding{passed, should(conform.NotRun)}, change: func(r *reports.Report) { r.Run.Strict = true }, want: reports.Conformant, exit: 0},
		"a MAY failed under --strict":                   {findings: []conform.Finding{passed, found("RES-10", conform.May, conform.Fail)}, change: func(r *reports.Report) { r.Run.Strict = true }, want: reports.Conformant, exit: 0},
		"no check applied":                              {want: reports.Incomplete, exit: 3, says: "no check applied"},
		"only a SHOULD was judged":                      {findings: []conform.Finding{should(conform.Pass)}, want: reports.Incomplete, exit: 3},
		"a tool that looks multi-item is not spoken of": {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Scope.Tools = []reports.ScopeTool{{Name: "tag_all", Unlisted: true}} }, want: reports.Incomplete, exit: 3, says: "tag_all"},
		"the same tool is ignored":                      {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Scope.Tools = []reports.ScopeTool{{Name: "tag_all", Ignored: true}} }, want: reports.Conformant, exit: 0},
		"SCOPE-01 says the same":                        {findings: []conform.Finding{passed, found("SCOPE-01", conform.None, conform.Fail)}, want: reports.Incomplete, exit: 3},
		"a pending MUST failed":                         {findings: []conform.Finding{passed, {ID: "NEW-01", Level: conform.Must, Verdict: conform.Fail, Pending: true}}, want: reports.Conformant, exit: 0},
		"the target went away":                          {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Run.Ended, r.Run.Cause = conform.EndGone, "the target is gone" }, want: reports.Incomplete, exit: 3, says: "the target is gone"},
		"the target went away after a MUST failed":      {findings: []conform.Finding{must(conform.Fail)}, change: func(r *reports.Report) { r.Run.Ended, r.Run.Cause = conform.EndGone, "the target is gone" }, want: reports.Nonconformant, exit: 1},
		"the target never answered":                     {findings: []conform.Finding{must(conform.NotRun)}, change: func(r *reports.Report) { r.Run.Ended, r.Run.Cause = conform.EndUnreachable, "refused" }, want: reports.Incomplete, exit: 4, says: "could not be reached"},
		"the credentials were refused":                  {findings: []conform.Finding{must(conform.NotRun)}, change: func(r *reports.Report) { r.Run.Ended, r.Run.Cause = conform.EndUnauthorized, "401" }, want: reports.Incomplete, exit: 4, says: "credentials"},
		"interrupted with everything passed so far":     {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Run.Partial, r.Run.Ended = true, conform.EndInterrupted }, want: reports.Incomplete, exit: 3},
		"the demonstration backend":                     {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Target.Builtin = true }, want: reports.Conformant, exit: 0, says: "the built-in demonstration backend, not your server"},
		"a narrowed run":                                {findings: []conform.Finding{passed}, change: func(r *reports.Report) { r.Run.Narrowed = []string{"checks RES-*"} }, want: reports.Conformant, exit: 0, says: "narrowed run: checks RES-*"},
		"a failed MUST that is pending":                 {findings: []conform.Finding{passed, pending(must(conform.Fail))}, want: reports.Conformant, exit: 0, says: "conformant"},
		"nothing but what is pending":                   {findings: []conform.Finding{pending(passed)}, want: reports.Incomplete, exit: 3},
		"a failed MUST that follows from another":       {findings: []conform.Finding{must(conform.Fail), {ID: "AGG-02", Level: conform.Must, Verdict: conform.Fail, Operation: "cancel", ConsequenceOf: "RES-02"}}, want: reports.Nonconformant, exit: 1, says: "1 that follows"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reports.Report{Findings: c.findings}
			if c.change != nil {
				c.change(&r)
			}
			decide(&r, 1, false)
			if r.Verdict != c.want || r.ExitCode() != c.exit {
				t.Errorf("%s, exit %d; wanted %s, exit %d: %s", r.Verdict, r.ExitCode(), c.want, c.exit, r.VerdictLine)
			}
			if !strings.Contains(r.VerdictLine, c.says) {
				t.Errorf("the line %q does not say %q", r.VerdictLine, c.says)
			}
		})
	}
}

func TestAGroupIsEarnedWhereEveryMustPassed(t *testing.T) {
	got := earned([]conform.Finding{
		found("RES-01", conform.Must, conform.Pass), found("RES-02", conform.Must, conform.NotRun), // core: not all
		found("VAL-01", conform.Must, conform.Pass), found("VAL-04", conform.Should, conform.Fail), // validator: SHOULDs do not count
		found("IDM-02", conform.Should, conform.Pass),        // idempotency: no MUST was judged
		pending(found("VAL-02", conform.Must, conform.Fail)), // pending: neither spoils nor earns
		pending(found("RO-01", conform.Must, conform.Pass)),
		found("EFF-01", conform.Must, conform.Fail),
	})
	if len(got) != 1 || got[0] != conform.GroupValidator {
		t.Errorf("earned %v, wanted the validator alone", got)
	}
}
