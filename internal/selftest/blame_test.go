package selftest

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/suites"
)

func finding(id, operation string, verdict conform.Verdict, consequenceOf string) conform.Finding {
	return conform.Finding{ID: id, Operation: operation, Verdict: verdict, Level: conform.Must, ConsequenceOf: consequenceOf}
}

func TestAssign(t *testing.T) {
	fault := fakebackend.Fault{ID: "RES-02/drops-failed", Check: "RES-02", Consequences: []string{"AGG-02"}}
	usual := []Accused{{ID: "ENV-05", Operation: "query"}}
	const pass, fail = conform.Pass, conform.Fail
	for name, c := range map[string]struct {
		findings []conform.Finding
		word     Word
		others   string
	}{
		"its own check alone fails":             {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("RES-01", "a", pass, "")}, Caught, ""},
		"it fails on one operation of two":      {[]conform.Finding{finding("RES-02", "a", pass, ""), finding("RES-02", "b", fail, "")}, Caught, ""},
		"nothing fails":                         {[]conform.Finding{finding("RES-02", "a", pass, "")}, Missed, ""},
		"not run is not caught":                 {[]conform.Finding{finding("RES-02", "a", conform.NotRun, "")}, Missed, ""},
		"not knowing is not caught":             {[]conform.Finding{finding("RES-02", "a", conform.Inconclusive, "")}, Missed, ""},
		"another rule fails in its place":       {[]conform.Finding{finding("RES-02", "a", pass, ""), finding("RES-12", "a", fail, "")}, Missed, "RES-12"},
		"another rule fails besides":            {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("RES-12", "a", fail, "")}, Misattributed, "RES-12"},
		"a rule that is folded under it":        {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("RES-12", "a", fail, "RES-02")}, Caught, ""},
		"a rule that the fault says breaks too": {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("AGG-02", "a", fail, "")}, Caught, ""},
		"its own check folded under another":    {[]conform.Finding{finding("RES-02", "a", fail, "AGG-02"), finding("AGG-02", "a", fail, "")}, Missed, ""},
		"what the good server is told as well":  {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("ENV-05", "query", fail, "")}, Caught, ""},
		"the same rule on another operation":    {[]conform.Finding{finding("RES-02", "a", fail, ""), finding("ENV-05", "a", fail, "")}, Misattributed, "ENV-05"},
		"no findings at all":                    {nil, Missed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := assign(fault, c.findings, usual)
			if b.word != c.word || ids(b.others) != c.others {
				t.Errorf("%s, blamed %q; want %s, %q", b.word, ids(b.others), c.word, c.others)
			}
		})
	}
}

func TestAFaultThatTheGoodServerHasIsMissed(t *testing.T) {
	b := assign(fakebackend.Fault{Check: "ENV-05"}, []conform.Finding{finding("ENV-05", "a", conform.Fail, "")}, []Accused{{ID: "ENV-05", Operation: "a"}})
	if b.word != Missed {
		t.Errorf("%s", b.word)
	}
}

func TestEveryCheckHasAFaultOrAReason(t *testing.T) {
	without, stale := unproven(suites.All(), fakebackend.Faults(), exempt)
	if len(without) > 0 || len(stale) > 0 {
		t.Errorf("without a fault: %v; exempt for no reason: %v", without, stale)
	}
	for _, e := range exempt {
		if e.Why == "" {
			t.Errorf("%s is exempt without a reason", e.ID)
		}
	}
	if without, _ := unproven(suites.All(), nil, exempt); len(without) != len(suites.All())-len(exempt) {
		t.Errorf("without any fault %d of %d checks are unproven", len(without), len(suites.All()))
	}
	if _, stale := unproven(suites.All(), fakebackend.Faults(), []Exempt{{"RES-02", "no reason"}, {"XXX-01", "no such check"}}); len(stale) != 2 {
		t.Errorf("stale: %v", stale)
	}
}

func TestNoFaultIsLeftOutSilently(t *testing.T) {
	plays, err := choose(fakebackend.Faults(), "")
	if err != nil {
		t.Fatal(err)
	}
	played := map[string]bool{}
	for _, p := range plays {
		played[p.fault.ID] = true
	}
	for _, f := range fakebackend.Faults() {
		// Those that need another option wait for a runner that plays its tools.
		if _, err := suites.Find(f.Check); played[f.ID] != (err == nil && Judged(f)) {
			t.Errorf("%s: played %v, its check: %v, needs %v", f.ID, played[f.ID], err, f.Needs)
		}
	}
}

func TestChoose(t *testing.T) {
	all, err := choose(fakebackend.Faults(), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < len(suites.All()) {
		t.Errorf("%d plays", len(all))
	}
	some, err := choose(fakebackend.Faults(), "res-02*")
	if err != nil || len(some) == 0 {
		t.Fatalf("%d, %v", len(some), err)
	}
	for _, p := range some {
		if p.fault.Check != "RES-02" {
			t.Errorf("%s is chosen", p.fault.ID)
		}
	}
	var wrong *GlobError
	for _, glob := range []string{"XYZ-*", "[", "RES-02/nothing"} {
		if _, err := choose(fakebackend.Faults(), glob); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", glob, err)
		}
	}
}

func TestReportHolds(t *testing.T) {
	right := Report{Faults: []Faulty{{Check: "RES-02", Word: Caught}}, Good: []Lawful{{}}, Oddities: []Lawful{{}}}
	for name, c := range map[string]struct {
		change func(*Report)
		line   string
	}{
		"a miss":                            {func(r *Report) { r.Faults[0].Word = Missed }, "1 missed"},
		"no word at all":                    {func(r *Report) { r.Faults[0].Word = "" }, "1 missed"},
		"a wrong blame":                     {func(r *Report) { r.Faults[0].Word = Misattributed }, "1 misattributed"},
		"a good server accused":             {func(r *Report) { r.Good[0].Alarms = []Accused{{ID: "RES-01"}} }, "1 false alarms"},
		"an odd one not conformant":         {func(r *Report) { r.Oddities[0].Trouble = "incomplete" }, "1 false alarms"},
		"a check without a fault":           {func(r *Report) { r.Unproven = []string{"RES-03"} }, "0 missed"},
		"a stale reason":                    {func(r *Report) { r.Stale = []string{"RES-03"} }, "0 missed"},
		"another judgement the second time": {func(r *Report) { r.Faults[0].Rejudged = "other" }, "0 missed, 1 misattributed"},
		"nothing played":                    {func(r *Report) { r.Faults = nil }, "0 faults"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Report{Faults: append([]Faulty{}, right.Faults...), Good: append([]Lawful{}, right.Good...), Oddities: append([]Lawful{}, right.Oddities...)}
			r.sum()
			if !r.Holds() || r.Line() != "1 checks, 1 faults, 1 caught, 0 missed, 0 misattributed, 0 false alarms" {
				t.Fatalf("the right one does not hold: %s", r.Line())
			}
			c.change(&r)
			r.sum()
			if r.Holds() || !strings.Contains(r.Line(), c.line) {
				t.Errorf("holds %v: %s", r.Holds(), r.Line())
			}
		})
	}
}

func TestACheckThatNothingLawfulPassesIsNamed(t *testing.T) {
	checks := []conform.Check{
		{Requirement: conform.Requirement{ID: "RES-01"}}, {Requirement: conform.Requirement{ID: "RES-02"}}, {Requirement: conform.Requirement{ID: "ENV-04"}},
	}
	got := unshown(checks, exempt, []Lawful{{passed: []string{"RES-02"}}}, nil)
	if len(got) != 1 || got[0] != "RES-01" {
		t.Errorf("%v", got)
	}
	r := Report{Summary: Summary{Faults: 1}, Unshown: got}
	var text strings.Builder
	if err := WriteText(&text, r); err != nil || r.Holds() || !strings.Contains(text.String(), "RES-01: no good or odd server passes it") {
		t.Errorf("%v, holds %v:\n%s", err, r.Holds(), text.String())
	}
}
