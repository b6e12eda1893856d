package reports

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		verdict Verdict
		ended   conform.EndClass
		want    int
	}{
		"everything holds":                        {Conformant, conform.EndDone, 0},
		"a rule is broken":                        {Nonconformant, conform.EndDone, 1},
		"something could not be verified":         {Incomplete, conform.EndDone, 3},
		"a closed port":                           {Incomplete, conform.EndUnreachable, 4},
		"died before its first answer":            {Nonconformant, conform.EndUnreachable, 4},
		"never answered, whatever the verdict":    {Conformant, conform.EndUnreachable, 4},
		"credentials refused":                     {Incomplete, conform.EndUnauthorized, 4},
		"credentials ended after a rule broke":    {Nonconformant, conform.EndUnauthorized, 1},
		"gone after it answered":                  {Incomplete, conform.EndGone, 3},
		"died while a lawful call was out":        {Nonconformant, conform.EndGone, 1},
		"interrupted, and nothing had failed yet": {Incomplete, conform.EndInterrupted, 3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (Report{Verdict: c.verdict, Run: Run{Ended: c.ended}}).ExitCode(); got != c.want {
				t.Errorf("exit %d, want %d", got, c.want)
			}
		})
	}
	if got := (Report{}).ExitCode(); got != 3 {
		t.Errorf("the zero report exits %d: silence is never a pass", got)
	}
}

func TestVerdictWords(t *testing.T) {
	for _, v := range []Verdict{Incomplete, Conformant, Nonconformant} {
		text, err := json.Marshal(v)
		var back Verdict
		if err != nil || json.Unmarshal(text, &back) != nil || back != v {
			t.Errorf("%s reads back as %s (%v)", text, back, err)
		}
	}
}

func found(id string, l conform.Level, b conform.Basis, v conform.Verdict) conform.Finding {
	return conform.Finding{ID: id, Level: l, Basis: b, Verdict: v, Operation: "cancel", Title: "title of " + id}
}

func following(root string, f conform.Finding) conform.Finding {
	f.ConsequenceOf = root
	return f
}

func pendingOne(f conform.Finding) conform.Finding {
	f.Pending = true
	return f
}

func TestCountsSumAndGoByLevel(t *testing.T) {
	fail := conform.Fail
	for name, c := range map[string]struct {
		f    conform.Finding
		want Summary
	}{
		"a pass":                    {found("A-1", conform.Must, "", conform.Pass), Summary{Pass: 1}},
		"a failed MUST":             {found("A-1", conform.Must, "", fail), Summary{Fail: 1}},
		"a failed SHOULD":           {found("A-1", conform.Should, "", fail), Summary{Warning: 1}},
		"a failed MAY":              {found("A-1", conform.May, "", fail), Summary{Advice: 1}},
		"a failed scope rule":       {found("SCOPE-01", conform.None, "", fail), Summary{Inconclusive: 1}},
		"a consequence":             {following("A-0", found("A-1", conform.Must, "", fail)), Summary{Fail: 1}},
		"nothing said":              {conform.Finding{}, Summary{Inconclusive: 1}},
		"not run":                   {found("A-1", conform.Must, "", conform.NotRun), Summary{NotRun: 1}},
		"a pending failure":         {pendingOne(found("A-1", conform.Must, "", fail)), Summary{Pending: 1}},
		"a verdict that is unknown": {conform.Finding{Verdict: 77}, Summary{Inconclusive: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Summarise([]conform.Finding{c.f}); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	for _, r := range []Report{sample(), hostile(), clean()} {
		s := r.Summary
		if sum := s.Pass + s.Fail + s.Warning + s.Advice + s.Inconclusive + s.NotRun + s.Pending; sum != len(r.Findings) {
			t.Errorf("%+v sums to %d, there are %d findings", s, sum, len(r.Findings))
		}
	}
}

func TestVerdictLine(t *testing.T) {
	var (
		must, should = conform.Must, conform.Should
		fail         = conform.Fail
		three        = Scope{Tools: []ScopeTool{{Name: "a", Operation: "a"}, {Name: "b", Operation: "b"}, {Name: "c", Operation: "c"}}, Absent: []conform.Group{conform.GroupWorkflow}}
		many         []conform.Finding
	)
	for _, id := range strings.Fields("A B C D E F G H I J") {
		many = append(many, found(id, must, conform.Documented, fail))
	}
	for name, c := range map[string]struct {
		in   VerdictInput
		want string
	}{
		"what was earned": {
			VerdictInput{Verdict: Conformant, Scope: three, Earned: []conform.Group{"core", "validator", "idempotency", "effects"}},
			"conformant: core, validator, idempotency, effects on 3 of 3 multi-item tools; workflow declared absent",
		},
		"one tool of two, the other ignored": {
			VerdictInput{Verdict: Conformant, Earned: []conform.Group{"core"}, Scope: Scope{Tools: []ScopeTool{{Name: "a", Operation: "a"}, {Name: "b", Ignored: true}}}},
			"conformant: core on 1 of 2 multi-item tools",
		},
		"two operations on one tool": {
			VerdictInput{Verdict: Conformant, Earned: []conform.Group{"core"}, Scope: Scope{Tools: []ScopeTool{{Name: "a", Operation: "x"}, {Name: "a", Operation: "y"}}}},
			"conformant: core on 1 of 1 multi-item tool",
		},
		"the demonstration": {VerdictInput{Verdict: Conformant, Builtin: true}, "conformant: the built-in demonstration backend, not your server"},
		"the demonstration, narrowed": {
			VerdictInput{Verdict: Conformant, Builtin: true, Narrowed: []string{"checks RES-*", "effort quick"}},
			"conformant: the built-in demonstration backend, not your server (of a narrowed run: checks RES-*; effort quick)",
		},
		"a demonstration that failed": {
			VerdictInput{Verdict: Nonconformant, Builtin: true, Findings: []conform.Finding{found("RES-01", must, conform.Seed, fail)}},
			"nonconformant: 1 MUST rule failed (1 seed): RES-01 (the built-in demonstration backend, not your server)",
		},
		"failures by basis": {
			VerdictInput{Verdict: Nonconformant, Findings: []conform.Finding{
				found("RES-01", must, conform.Documented, fail), found("RES-07", must, conform.Inferred, fail), found("RES-02", must, conform.Documented, fail),
				found("RES-01", must, conform.Documented, fail), found("RES-11", should, conform.Documented, fail), found("ENV-01", must, conform.Code, conform.Pass),
				pendingOne(found("NEW-01", must, conform.Code, fail)),
			}},
			"nonconformant: 3 MUST rules failed (2 documented, 1 inferred): RES-01, RES-07, RES-02",
		},
		"one cause and what follows": {
			VerdictInput{Verdict: Nonconformant, Findings: []conform.Finding{
				following("RES-02", found("AGG-02", must, conform.Tested, fail)), found("RES-02", must, conform.Documented, fail), following("AGG-02", found("AGG-01", must, conform.Tested, fail)),
			}},
			"nonconformant: 1 MUST rule failed (1 documented): RES-02, and 2 that follow from them",
		},
		"many failures": {VerdictInput{Verdict: Nonconformant, Findings: many}, "nonconformant: 10 MUST rules failed (10 documented): A, B, C, D, E, F, G, H and 2 more"},
		"strict": {
			VerdictInput{Verdict: Nonconformant, Strict: true, Findings: []conform.Finding{found("RES-11", should, conform.Documented, fail)}},
			"nonconformant: 1 SHOULD rule failed, which --strict counts: RES-11",
		},
		"not verified": {
			VerdictInput{Verdict: Incomplete, Findings: []conform.Finding{found("EFF-01", must, "", conform.NotRun), found("EFF-02", must, "", conform.Inconclusive), found("RES-11", should, "", conform.NotRun)}},
			"incomplete: nothing failed, but 2 MUST rules could not be verified: EFF-01, EFF-02",
		},
		"a tool that nobody listed": {
			VerdictInput{Verdict: Incomplete, Scope: Scope{Tools: []ScopeTool{{Name: "bulk", Unlisted: true}}}, Findings: []conform.Finding{found("RES-01", must, "", conform.Pass)}},
			"incomplete: nothing failed, but bulk looks multi-item and is neither listed nor ignored",
		},
		"nothing to judge": {VerdictInput{}, "incomplete: nothing failed, but no check applied"},
		"a target gone":    {VerdictInput{Ended: conform.EndGone, Cause: "the target was gone after call c9"}, "incomplete: nothing failed, but the target was gone after call c9"},
		"a closed port":    {VerdictInput{Ended: conform.EndUnreachable, Cause: "connecting to 127.0.0.1:1: connection refused"}, "incomplete: the target could not be reached: connecting to 127.0.0.1:1: connection refused"},
		"a 401":            {VerdictInput{Ended: conform.EndUnauthorized, Cause: "HTTP status 401"}, "incomplete: the target refused the credentials: HTTP status 401"},
		"a hostile tool name": {
			VerdictInput{Verdict: Incomplete, Scope: Scope{Tools: []ScopeTool{{Name: "x\n\x1b[2J", Unlisted: true}}}, Findings: []conform.Finding{found("RES-01", must, "", conform.Pass)}},
			`incomplete: nothing failed, but x\n\u001b[2J looks multi-item and is neither listed nor ignored`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := VerdictLine(c.in); got != c.want {
				t.Errorf("\n%s, want\n%s", got, c.want)
			}
		})
	}
}

func TestConsequencesFoldBeneathTheirRoot(t *testing.T) {
	server := found("PRO-15", conform.Must, "", conform.Fail)
	server.Operation = ""
	other := found("RES-02", conform.Must, "", conform.Fail)
	other.Operation = "query"
	for name, c := range map[string]struct {
		findings []conform.Finding
		want     []int
	}{
		"of the same operation":      {[]conform.Finding{found("RES-02", 3, "", conform.Fail), following("RES-02", found("AGG-02", 3, "", conform.Fail))}, []int{alone, 0}},
		"in two steps":               {[]conform.Finding{following("B", found("C", 3, "", conform.Fail)), following("A", found("B", 3, "", conform.Fail)), found("A", 3, "", conform.Fail)}, []int{2, 2, alone}},
		"of the server":              {[]conform.Finding{following("PRO-15", found("RES-02", 3, "", conform.Fail)), server}, []int{1, alone}},
		"not of another operation":   {[]conform.Finding{other, following("RES-02", found("AGG-02", 3, "", conform.Fail))}, []int{alone, alone}},
		"not of a root that passed":  {[]conform.Finding{found("RES-02", 3, "", conform.Pass), following("RES-02", found("AGG-02", 3, "", conform.Fail))}, []int{alone, alone}},
		"not of a root not there":    {[]conform.Finding{following("RES-02", found("AGG-02", 3, "", conform.Fail))}, []int{alone}},
		"not of itself":              {[]conform.Finding{following("A", found("A", 3, "", conform.Fail))}, []int{alone}},
		"not in a circle":            {[]conform.Finding{following("B", found("A", 3, "", conform.Fail)), following("A", found("B", 3, "", conform.Fail))}, []int{alone, alone}},
		"not what could not be told": {[]conform.Finding{found("A", 3, "", conform.Fail), following("A", found("B", 3, "", conform.NotRun))}, []int{alone, alone}},
	} {
		t.Run(name, func(t *testing.T) {
			got := roots(c.findings)
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("roots %v, want %v", got, c.want)
					break
				}
			}
		})
	}
}

func TestNarrowingNamesEveryFilter(t *testing.T) {
	got := strings.Join(Narrowing(conform.Run{
		Checks: []string{"RES-*", "AGG-*"}, Skip: []string{"LD-02"}, Scenarios: []string{"partial"}, Operations: []string{"cancel"}, Effort: "quick",
		ReadOnly: true, Bases: []conform.Basis{conform.Seed, conform.Documented},
	}), "; ")
	want := "checks RES-*, AGG-*; all but checks LD-02; scenarios partial; operations cancel; effort quick; read-only; basis seed, documented"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := Narrowing(conform.Run{Effort: "standard"}); n != nil {
		t.Errorf("a whole run is narrowed to %q", n)
	}
}
