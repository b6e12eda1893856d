package suites

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// said is a check that says these looks, whatever it is asked about.
func said(looks ...conform.Look) conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{ID: "RES-02", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore, Mend: "mend it"},
		Judge:       func(*conform.Subject) []conform.Look { return looks },
		Missing:     "nothing was asked",
	}
}

func asking(id string, items ...conform.Truth) *conform.Call {
	c := &conform.Call{ID: id, Planned: conform.Planned{Operation: "cancel", Scenario: "partial", Variant: id}}
	for _, truth := range items {
		c.Planned.Items = append(c.Planned.Items, conform.Item{Truth: truth})
	}
	return c
}

func failed(c *conform.Call, got string) conform.Look {
	return conform.Look{Verdict: conform.Fail, Call: c, Want: "wanted", Got: got, Evidence: []conform.Evidence{{Excerpt: "first of " + got}, {Excerpt: "second of " + got}}}
}

// on is a recording of a target with one operation.
func on(header conform.Header, observations ...conform.Observation) *conform.Recording {
	if header.Target.Operations == nil {
		header.Target.Operations = []conform.Operation{{Name: "cancel", Tool: "cancel"}}
	}
	return conform.NewRecording(header, observations)
}

func finding(t *testing.T, rec *conform.Recording, check conform.Check) conform.Finding {
	t.Helper()
	j := Judge(rec, []conform.Check{check})
	if len(j.Findings) != 1 || len(j.NotApplicable) != 0 {
		t.Fatalf("%+v", j)
	}
	return j.Findings[0]
}

// One finding comes of many looks: one failure is enough, and silence is never a
// pass.
func TestTheVerdictOfManyLooks(t *testing.T) {
	pass, unclear := conform.Look{Verdict: conform.Pass}, conform.Look{Reason: "no reply", Hint: "look again", Evidence: []conform.Evidence{{Excerpt: "…"}}, Call: asking("late")}
	blind := conform.Look{Verdict: conform.NotRun, Reason: "no eyes", Hint: "add a probe"}
	keyed := conform.Look{Verdict: conform.NotRun, Reason: "the tool asks back", Key: "operations.cancel.answers", Evidence: []conform.Evidence{{Excerpt: "?"}}}
	hinted := keyed
	hinted.Hint = "answer the question"
	other := func(l conform.Look) conform.Look { l.Reason, l.Hint = "something else", "otherwise"; return l }
	for name, c := range map[string]struct {
		looks   []conform.Look
		whole   bool
		verdict conform.Verdict
		count   int
		of      int
		reason  string
		hint    string
	}{
		"all pass":                              {[]conform.Look{pass, pass}, false, conform.Pass, 2, 2, "", ""},
		"one fails":                             {[]conform.Look{pass, failed(nil, "x"), pass, unclear, blind}, true, conform.Fail, 1, 3, "", "mend it"},
		"one is unclear":                        {[]conform.Look{pass, unclear}, false, conform.Pass, 1, 1, "1 more could not be observed: no reply", ""},
		"one is unclear, and must not be":       {[]conform.Look{pass, unclear}, true, conform.Inconclusive, 1, 2, "no reply", "look again"},
		"all are unclear":                       {[]conform.Look{unclear, unclear}, false, conform.Inconclusive, 2, 2, "no reply", "look again"},
		"some pass, and some cannot be judged":  {[]conform.Look{blind, pass}, false, conform.Pass, 1, 1, "", ""},
		"none can be judged":                    {[]conform.Look{blind, blind}, false, conform.NotRun, 0, 0, "no eyes", "add a probe"},
		"unclear, and some that cannot be told": {[]conform.Look{blind, unclear}, false, conform.Inconclusive, 1, 1, "no reply", "look again"},
		"a key would show it":                   {[]conform.Look{pass, keyed, other(keyed), unclear}, false, conform.NotRun, 0, 0, "the tool asks back", "add `operations.cancel.answers` to the target file"},
		"a key would, as the hint says":         {[]conform.Look{blind, hinted, other(keyed)}, false, conform.NotRun, 0, 0, "the tool asks back", "answer the question"},
		"a key would, and one fails":            {[]conform.Look{keyed, failed(nil, "x")}, false, conform.Fail, 1, 1, "", "mend it"},
		"two that cannot be judged":             {[]conform.Look{blind, other(blind)}, false, conform.NotRun, 0, 0, "no eyes", "add a probe"},
		"two that are unclear":                  {[]conform.Look{unclear, other(unclear)}, false, conform.Inconclusive, 2, 2, "no reply", "look again"},
		"one passes, two are unclear":           {[]conform.Look{pass, unclear, other(unclear)}, false, conform.Pass, 1, 1, "2 more could not be observed: no reply", ""},
		"no looks at all":                       {nil, false, conform.NotRun, 0, 0, "nothing was asked", ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := said(c.looks...)
			check.Whole = c.whole
			f := finding(t, on(conform.Header{}, conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}}), check)
			if f.Verdict != c.verdict || f.Count != c.count || f.Of != c.of || f.Reason != c.reason || f.Hint != c.hint {
				t.Errorf("%s, %d of %d, because %q, hint %q", f.Verdict, f.Count, f.Of, f.Reason, f.Hint)
			}
			if f.Verdict == conform.Inconclusive && (len(f.Evidence) != 1 || f.Scenario != "partial/late") {
				t.Errorf("what could not be told: %+v", f)
			}
			if f.Verdict == conform.NotRun && strings.Contains(name, "a key would") && len(f.Evidence) != 1 {
				t.Errorf("nothing is shown: %+v", f)
			}
			if f.Operation != "cancel" || f.Level != conform.Must || f.Basis != conform.Seed || f.Group != conform.GroupCore {
				t.Errorf("the rule is not told: %+v", f)
			}
		})
	}
}

// A finding begins with the call that shows most: one that asked for good and bad
// items together.
func TestAFindingBeginsWithTheMostTellingCall(t *testing.T) {
	good, bad, mixed := asking("good", conform.Good), asking("bad", conform.Bad), asking("mixed", conform.Good, conform.Bad)
	mixedToo := asking("mixed-too", conform.Bad, conform.Good)
	for name, c := range map[string]struct {
		looks []conform.Look
		want  string
	}{
		"a mixed one behind others": {[]conform.Look{failed(nil, "server"), failed(good, "good"), failed(bad, "bad"), failed(mixed, "mixed"), failed(mixedToo, "too")}, "mixed"},
		"bad first, then good":      {[]conform.Look{failed(good, "good"), failed(mixedToo, "too")}, "too"},
		"none is mixed":             {[]conform.Look{failed(good, "good"), failed(bad, "bad")}, "good"},
		"no call at all":            {[]conform.Look{failed(nil, "server"), failed(good, "good")}, "server"},
	} {
		t.Run(name, func(t *testing.T) {
			if f := finding(t, on(conform.Header{}), said(c.looks...)); f.Got != c.want || f.Want != "wanted" {
				t.Errorf("it begins with %q", f.Got)
			}
		})
	}
	f := finding(t, on(conform.Header{}), said(failed(nil, "server")))
	if f.Scenario != "" || len(f.Evidence) != 2 {
		t.Errorf("a rule about the server: %+v", f)
	}
	nowhere := asking("v", conform.Good)
	nowhere.Planned.Scenario = ""
	if f := finding(t, on(conform.Header{}), said(failed(nowhere, "x"))); f.Scenario != "" {
		t.Errorf("a call of no scenario is of %q", f.Scenario)
	}
	hinted := failed(good, "x")
	hinted.Hint = "closer"
	if f := finding(t, on(conform.Header{}), said(hinted)); f.Hint != "closer" {
		t.Errorf("hint %q", f.Hint)
	}
	bare := asking("", conform.Good)
	bare.Planned.Scenario, bare.Planned.Variant = "all-fail", ""
	if f := finding(t, on(conform.Header{}), said(failed(bare, "x"))); f.Scenario != "all-fail" {
		t.Errorf("scenario %q", f.Scenario)
	}
}

func TestAFindingQuotesAFewThatDiffer(t *testing.T) {
	of := func(scenario, id string) *conform.Call {
		c := asking(id, conform.Good)
		c.Planned.Scenario = scenario
		return c
	}
	a, b := of("partial", "a"), of("partial", "b")
	excerpts := func(looks ...conform.Look) (quoted []string, notes []string) {
		for _, e := range finding(t, on(conform.Header{}), said(looks...)).Evidence {
			quoted, notes = append(quoted, e.Excerpt), append(notes, e.Note)
		}
		return quoted, notes
	}
	quoted, notes := excerpts(failed(a, "one"), failed(a, "one"), failed(b, "one"), failed(of("one-item", "c"), "two"), failed(of("all-fail", "d"), "three"))
	if want := []string{"first of one", "second of one", "first of two", "second of two", "first of three", "second of three"}; !reflect.DeepEqual(quoted, want) {
		t.Errorf("quoted %q", quoted)
	}
	if want := []string{"", "", "two", "", "three", ""}; !reflect.DeepEqual(notes, want) {
		t.Errorf("notes %q", notes)
	}
	if quoted, _ := excerpts(failed(a, "one"), failed(a, "one"), failed(b, "one")); len(quoted) != 4 {
		t.Errorf("the same call twice, and another: %q", quoted)
	}
	mixed := asking("mixed", conform.Good, conform.Bad)
	if quoted, _ := excerpts(failed(a, "one"), failed(mixed, "two")); !reflect.DeepEqual(quoted, []string{"first of two", "second of two", "first of one", "second of one"}) {
		t.Errorf("the most telling call comes first: %q", quoted)
	}
	if quoted, _ := excerpts(failed(a, "one"), failed(a, "other")); len(quoted) != 4 {
		t.Errorf("one call that fails in two ways: %q", quoted)
	}
}

func TestHowOftenAndWhatTheyShare(t *testing.T) {
	call := func(id, session string, inFlight, items int) *conform.Call {
		c := asking(id, make([]conform.Truth, items)...)
		c.Session, c.Planned.InFlight = session, inFlight
		return c
	}
	dry := func(id string) *conform.Call {
		c := call(id, "", 0, 0)
		c.Planned.DryRun = true
		return c
	}
	passed := func(c *conform.Call) conform.Look { return conform.Look{Verdict: conform.Pass, Call: c} }
	for name, c := range map[string]struct {
		looks []conform.Look
		want  string
	}{
		"their size":                      {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), passed(call("c", "", 0, 2))}, "3 items asked for"},
		"one item":                        {[]conform.Look{failed(call("a", "", 0, 1), "x"), passed(call("b", "", 0, 2))}, "1 item asked for; scenario partial/a"},
		"their size, but all have it":     {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), passed(call("c", "", 0, 3))}, ""},
		"some that pass have it":          {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), passed(call("c", "", 0, 3)), passed(call("d", "", 0, 2))}, "3 items asked for"},
		"two sizes":                       {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 2), "x"), passed(call("c", "", 0, 1))}, ""},
		"calls in flight":                 {[]conform.Look{failed(call("a", "", 8, 0), "x"), failed(call("b", "", 8, 0), "x"), passed(call("c", "", 1, 0))}, "8 calls in flight"},
		"one call in flight says nothing": {[]conform.Look{failed(call("a", "", 1, 0), "x"), failed(call("b", "", 1, 0), "x"), passed(call("c", "", 8, 0))}, ""},
		"a session":                       {[]conform.Look{failed(call("a", "s2", 0, 0), "x"), failed(call("b", "s2", 0, 0), "x"), passed(call("c", "s1", 0, 0))}, "session s2"},
		"not all have a session":          {[]conform.Look{failed(call("a", "s2", 0, 0), "x"), failed(call("b", "", 0, 0), "x"), passed(call("c", "s1", 0, 0))}, ""},
		"a rule about the server":         {[]conform.Look{failed(nil, "x"), passed(call("c", "s1", 0, 0))}, ""},
		"no items were asked for":         {[]conform.Look{failed(call("a", "", 0, 0), "x"), failed(call("b", "", 0, 0), "x"), passed(call("c", "", 0, 2))}, ""},
		"a size, another, and the first":  {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 2), "x"), failed(call("c", "", 0, 3), "x"), passed(call("d", "", 0, 1))}, ""},
		"their size, and no session":      {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), passed(call("c", "s1", 0, 2))}, "3 items asked for"},
		"a dry run":                       {[]conform.Look{failed(dry("a"), "x"), failed(dry("b"), "x"), passed(call("c", "", 0, 0))}, "a dry run"},
		"a lost call of another size":     {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), passed(call("c", "", 0, 3)), {Call: call("d", "", 0, 2)}}, ""},
		"a scenario without variants":     {[]conform.Look{failed(call("", "", 0, 0), "x"), failed(call("", "", 0, 0), "x"), passed(call("c", "", 0, 0))}, ""},
		"a server that passed":            {[]conform.Look{failed(call("a", "", 0, 3), "x"), failed(call("b", "", 0, 3), "x"), {Verdict: conform.Pass}, passed(call("c", "", 0, 2))}, "3 items asked for"},
	} {
		t.Run(name, func(t *testing.T) {
			f := finding(t, on(conform.Header{}), said(c.looks...))
			if f.Common != c.want || len(f.Interval) != 2 {
				t.Errorf("they share %q, interval %v", f.Common, f.Interval)
			}
		})
	}
	if f := finding(t, on(conform.Header{}), said(failed(call("a", "s", 8, 3), "x"))); f.Common != "" || f.Interval != nil {
		t.Errorf("where all fail there is nothing to compare: %q, %v", f.Common, f.Interval)
	}
}

func TestAFailureMayComeOutLower(t *testing.T) {
	as := func(l conform.Level) conform.Look { x := failed(nil, "x"); x.As = l; return x }
	for name, c := range map[string]struct {
		looks []conform.Look
		want  conform.Level
	}{
		"as the rule says":          {[]conform.Look{failed(nil, "x")}, conform.Must},
		"lower":                     {[]conform.Look{as(conform.Should), as(conform.May)}, conform.Should},
		"lower, and one as it says": {[]conform.Look{as(conform.May), failed(nil, "x")}, conform.Must},
	} {
		if f := finding(t, on(conform.Header{}), said(c.looks...)); f.Level != c.want {
			t.Errorf("%s: %s", name, f.Level)
		}
	}
	should := said(as(conform.Must))
	should.Level = conform.Should
	if f := finding(t, on(conform.Header{}), should); f.Level != conform.Should {
		t.Errorf("a look raises the level to %s", f.Level)
	}
}

func TestTheLevelOfACheck(t *testing.T) {
	check := conform.Check{Requirement: conform.Requirement{Level: conform.Should, Basis: conform.Inferred, Raise: map[string]conform.Level{"rest": conform.Must, "keys-declared": conform.Must}}}
	must := conform.Check{Requirement: conform.Requirement{Level: conform.Must, Basis: conform.Inferred, Raise: map[string]conform.Level{"rest": conform.May}}}
	declared, absent := &conform.Operation{Idempotency: conform.Present}, &conform.Operation{Idempotency: conform.Absent}
	header := func(transport string, bases ...conform.Basis) conform.Header {
		return conform.Header{Target: conform.Target{Transport: transport}, Run: conform.Run{Bases: bases}}
	}
	for name, c := range map[string]struct {
		check conform.Check
		h     conform.Header
		op    *conform.Operation
		want  conform.Level
	}{
		"as it is":                    {check, header("stdio"), absent, conform.Should},
		"over REST":                   {check, header("rest"), nil, conform.Must},
		"keys are declared":           {check, header("stdio"), declared, conform.Must},
		"a condition that is not met": {conform.Check{Requirement: conform.Requirement{Level: conform.Should, Raise: map[string]conform.Level{"gateway": conform.Must}}}, header("stdio"), declared, conform.Should},
		"no operation":                {check, header("stdio"), nil, conform.Should},
		"a raise never lowers":        {must, header("rest"), nil, conform.Must},
		"its basis is left out":       {must, header("stdio", conform.Seed), nil, conform.Should},
		"its basis is among them":     {must, header("stdio", conform.Seed, conform.Inferred), nil, conform.Must},
		"raised, and basis left out":  {check, header("rest", conform.Seed), nil, conform.Should},
		"a SHOULD with its basis out": {check, header("stdio", conform.Seed), absent, conform.Should},
	} {
		if got := LevelOn(c.check, c.h, c.op); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	may := conform.Check{Requirement: conform.Requirement{Level: conform.May, Basis: conform.Inferred}}
	if got := LevelOn(may, header("stdio", conform.Seed), nil); got != conform.May {
		t.Errorf("a MAY becomes %s", got)
	}
}

// What a check is asked about: each operation that was chosen, or the server.
func TestWhatACheckIsAskedAbout(t *testing.T) {
	two := conform.Header{Target: conform.Target{Operations: []conform.Operation{{Name: "cancel", Tool: "c"}, {Name: "query", Tool: "q"}}}}
	asked := func(h conform.Header, check conform.Check) (names []string) {
		rec := conform.NewRecording(h, []conform.Observation{
			{Seq: 1, Kind: conform.KindPlanned, Call: "c1", Planned: &conform.Planned{Operation: "cancel"}},
			{Seq: 2, Kind: conform.KindPlanned, Call: "c2", Planned: &conform.Planned{Operation: "query"}},
		})
		check.Judge = func(s *conform.Subject) []conform.Look {
			name := "the server"
			if s.Operation != nil {
				name = s.Operation.Name
			}
			for _, c := range s.Calls {
				name += " " + c.ID
			}
			names = append(names, name)
			return nil
		}
		Judge(rec, []conform.Check{check})
		return names
	}
	server := said()
	server.PerServer = true
	narrowed := two
	narrowed.Run.Operations = []string{"QU*"}
	for name, c := range map[string]struct {
		h     conform.Header
		check conform.Check
		want  []string
	}{
		"every operation":          {two, said(), []string{"cancel c1", "query c2"}},
		"those that were chosen":   {narrowed, said(), []string{"query c2"}},
		"the server":               {two, server, []string{"the server c1 c2"}},
		"the server, narrowed":     {narrowed, server, []string{"the server c1 c2"}},
		"the server, without any":  {conform.Header{}, server, []string{"the server c1 c2"}},
		"an operation, where none": {conform.Header{}, said(), nil},
	} {
		if got := asked(c.h, c.check); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	f := Judge(conform.NewRecording(conform.Header{}, nil), []conform.Check{said(conform.Look{Verdict: conform.Pass})}).Findings[0]
	if f.Verdict != conform.NotRun || f.Reason != NoOperations || f.Operation != "" {
		t.Errorf("a rule about operations, where none is named: %+v", f)
	}
}

func TestARuleWithoutMeaningIsToldApart(t *testing.T) {
	never := said(conform.Look{Verdict: conform.Pass})
	never.Applies = func(s *conform.Subject) string { return "not on " + name(s) }
	j := Judge(on(conform.Header{}), []conform.Check{never})
	if len(j.Findings) != 0 || !reflect.DeepEqual(j.NotApplicable, []conform.NotApplicable{{ID: "RES-02", Operation: "cancel", Reason: "not on cancel"}}) {
		t.Errorf("%+v", j)
	}
	// Without an operation, a rule about operations is not run, whatever it says.
	j = Judge(conform.NewRecording(conform.Header{}, nil), []conform.Check{never})
	if len(j.NotApplicable) != 0 || j.Findings[0].Verdict != conform.NotRun {
		t.Errorf("%+v", j)
	}
	// Of two operations one has a meaning for it, of two checks one.
	two := conform.Header{Target: conform.Target{Operations: []conform.Operation{{Name: "cancel"}, {Name: "query"}}}}
	never.Applies = func(s *conform.Subject) string { return map[string]string{"cancel": "not here"}[name(s)] }
	also := said(conform.Look{Verdict: conform.Pass})
	also.ID = "RES-03"
	j = Judge(on(two), []conform.Check{never, also})
	if len(j.NotApplicable) != 1 || len(j.Findings) != 3 || j.Findings[0].Operation != "query" || j.Findings[2].ID != "RES-03" {
		t.Errorf("%+v", j)
	}
	// What was skipped because it has no meaning is told so too, operation by operation.
	skipped := conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Operation: "cancel", Reason: "no validator", NotApplicable: true, Checks: []string{"RES-02"}}}
	j = Judge(on(two, skipped), []conform.Check{said()})
	if len(j.NotApplicable) != 1 || j.NotApplicable[0].Reason != "no validator" || len(j.Findings) != 1 || j.Findings[0].Operation != "query" {
		t.Errorf("%+v", j)
	}
	never.Applies = func(*conform.Subject) string { return "not at all" }
	never.PerServer = true
	if j = Judge(conform.NewRecording(conform.Header{}, nil), []conform.Check{never}); len(j.NotApplicable) != 1 || len(j.Findings) != 0 {
		t.Errorf("a rule about the server: %+v", j)
	}
}

func TestWhichCallsAreWrong(t *testing.T) {
	call := asking("c1", conform.Good)
	mapped := conform.Header{Target: conform.Target{Operations: []conform.Operation{{Name: "cancel", Results: conform.Results{Path: "$.rows"}}}}}
	should, effects, read := said(failed(call, "x")), said(failed(call, "x")), said(failed(call, "x"))
	should.Level, effects.Group, read.Group = conform.Should, conform.GroupEffects, conform.GroupReadOnly
	for name, c := range map[string]struct {
		h     conform.Header
		check conform.Check
		wrong bool
	}{
		"a failed MUST":   {conform.Header{}, said(failed(call, "x")), true},
		"a failed SHOULD": {conform.Header{}, should, false},
		"a failed MUST about a shape that is read":    {conform.Header{}, said(conform.Look{Verdict: conform.Fail, Call: call, Want: "x", Got: "x", Shape: true}), false},
		"a failed MUST about the server":              {conform.Header{}, said(failed(nil, "x")), false},
		"two failures, the second with a call":        {conform.Header{}, said(failed(nil, "x"), failed(call, "x")), true},
		"a mapped shape breaks a rule about shape":    {mapped, said(failed(call, "x")), false},
		"a mapped shape breaks a rule about reads":    {mapped, read, false},
		"a mapped shape breaks a rule about effects":  {mapped, effects, true},
		"a rule about effects, and nothing is mapped": {conform.Header{}, effects, true},
	} {
		if j := Judge(on(c.h), []conform.Check{c.check}); j.Wrong["c1"] != c.wrong {
			t.Errorf("%s: %v", name, j.Wrong)
		}
	}
}

func TestAServersFailureMakesItsCallsWrong(t *testing.T) {
	check := said(failed(asking("c1"), "x"))
	check.PerServer = true
	if j := Judge(on(conform.Header{}), []conform.Check{check}); !j.Wrong["c1"] {
		t.Errorf("%v", j.Wrong)
	}
}

func TestJudgingFolds(t *testing.T) {
	call := asking("c1", conform.Good)
	follower := said(failed(call, "x"))
	follower.ID = "AGG-02"
	j := Judge(on(conform.Header{}), []conform.Check{said(failed(call, "x")), follower})
	if len(j.Findings) != 2 || j.Findings[0].ConsequenceOf != "" || j.Findings[1].ConsequenceOf != "RES-02" {
		t.Errorf("%+v", j.Findings)
	}
}

// One cause, one finding: what follows from another failure on the same call and
// item is folded under it.
func TestWhatFollowsIsFolded(t *testing.T) {
	a, b := asking("a", conform.Good), asking("b", conform.Good)
	executing := asking("e", conform.Good)
	executing.Planned.Follows = "a"
	look := func(c *conform.Call, item int) conform.Look {
		return conform.Look{Verdict: conform.Fail, Call: c, Item: item}
	}
	of := func(id, operation string, looks ...conform.Look) judged {
		return judged{Finding: conform.Finding{ID: id, Operation: operation, Verdict: conform.Fail}, looks: looks}
	}
	passing := of("RES-02", "cancel", look(a, 0))
	passing.Verdict = conform.Pass
	for name, c := range map[string]struct {
		root, follower judged
		folded         bool
	}{
		"the same call":                     {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "cancel", look(a, 0)), true},
		"another call":                      {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "cancel", look(b, 0)), false},
		"the same call and another":         {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "cancel", look(a, 0), look(b, 0)), false},
		"two calls that the root has":       {of("RES-02", "cancel", look(a, 0), look(b, 0)), of("AGG-02", "cancel", look(b, 0)), true},
		"the same item":                     {of("RES-02", "cancel", look(a, 2)), of("AGG-02", "cancel", look(a, 2)), true},
		"another item":                      {of("RES-02", "cancel", look(a, 2)), of("AGG-02", "cancel", look(a, 1)), false},
		"the root concerns the whole":       {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "cancel", look(a, 1)), true},
		"the follower concerns the whole":   {of("RES-02", "cancel", look(a, 1)), of("AGG-02", "cancel", look(a, 0)), true},
		"another operation":                 {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "query", look(a, 0)), false},
		"a root about the server":           {of("PRO-05", "", look(a, 0)), of("RES-01", "query", look(a, 0)), true},
		"a follower about the server":       {of("RES-01", "cancel", look(a, 0)), of("PRO-01", "", look(a, 0)), true},
		"the root passes":                   {passing, of("AGG-02", "cancel", look(a, 0)), false},
		"the table does not say so":         {of("RES-02", "cancel", look(a, 0)), of("RES-17", "cancel", look(a, 0)), false},
		"a follower that shows nothing":     {of("RES-02", "cancel", look(a, 0)), of("AGG-02", "cancel"), false},
		"what executes the validator's":     {of("VAL-07", "cancel", look(a, 0)), of("VAL-10", "cancel", look(executing, 0)), true},
		"what executes another validator's": {of("VAL-07", "cancel", look(b, 0)), of("VAL-10", "cancel", look(executing, 0)), false},
		"a root about no call":              {of("VAL-07", "cancel", look(nil, 0)), of("VAL-10", "cancel", look(executing, 0)), false},
		"a root of a shape that is read":    {of("RES-02", "cancel", conform.Look{Verdict: conform.Fail, Call: a, Shape: true}), of("AGG-02", "cancel", look(a, 0)), false},
		"a follower about no call":          {of("VAL-07", "cancel", look(a, 0)), of("VAL-10", "cancel", look(nil, 0)), false},
	} {
		t.Run(name, func(t *testing.T) {
			all := []judged{c.follower, c.root}
			fold(all)
			want := map[bool]string{true: c.root.ID}[c.folded]
			if all[0].ConsequenceOf != want || all[1].ConsequenceOf != "" {
				t.Errorf("folded under %q, the root under %q", all[0].ConsequenceOf, all[1].ConsequenceOf)
			}
			passes := c.root
			passes.Verdict = conform.Pass
			all = []judged{passes, c.root, c.follower}
			fold(all)
			if all[2].ConsequenceOf != want || all[1].ConsequenceOf != "" {
				t.Errorf("in another order, folded under %q, the root under %q", all[2].ConsequenceOf, all[1].ConsequenceOf)
			}
		})
	}
	inconclusive := of("AGG-02", "cancel", look(a, 0))
	inconclusive.Verdict = conform.Inconclusive
	all := []judged{inconclusive, of("RES-02", "cancel", look(a, 0))}
	if fold(all); all[0].ConsequenceOf != "" {
		t.Error("what did not fail follows from nothing")
	}
	all = []judged{of("AGG-02", "cancel", look(a, 0)), of("RES-03", "query", look(a, 0)), of("RES-03", "cancel", look(b, 0)), of("RES-02", "cancel", look(a, 0)), of("WF-02", "cancel", look(a, 0))}
	if fold(all); all[0].ConsequenceOf != "RES-02" {
		t.Errorf("the first root that covers it: %q", all[0].ConsequenceOf)
	}
}

func TestTheTableOfConsequencesIsACopy(t *testing.T) {
	Consequences()["RES-02"][0] = "changed"
	if Consequences()["RES-02"][0] == "changed" {
		t.Error("a caller can change the table")
	}
}

// Why a check was not run: what the target file lacks comes before what the run
// left out, and that before what has no meaning here.
func TestWhyACheckWasNotRun(t *testing.T) {
	for1 := func(s conform.Skipped) conform.Skipped { s.Checks = []string{"RES-02"}; return s }
	lacking := for1(conform.Skipped{Reason: "needs 2 bad items", Scenario: "partial", Key: "operations.cancel.items.bad"})
	narrowed := for1(conform.Skipped{Reason: "left out by --scenario", Scenario: "one-item", Narrowed: true})
	absent := for1(conform.Skipped{Reason: "no validator", NotApplicable: true})
	otherwise := func(s conform.Skipped, reason string) conform.Skipped { s.Reason = reason; return s }
	elsewhere := for1(conform.Skipped{Reason: "on another operation", Operation: "query"})
	here := for1(conform.Skipped{Reason: "on this operation", Operation: "cancel"})
	like := for1(conform.Skipped{Reason: "4 calls in place of 9: played as sweep/10", As: "sweep/10", Key: "operations.cancel.items.many"})
	late := for1(conform.Skipped{Reason: "time budget", Planned: true})
	foreign := conform.Skipped{Reason: "for another check", Checks: []string{"RES-01"}}
	ended := &conform.Ended{}
	for name, c := range map[string]struct {
		skips    []conform.Skipped
		ended    *conform.Ended
		played   []conform.Play
		reason   string
		hint     string
		narrowed bool
		absent   bool
	}{
		"something is lacking":                         {[]conform.Skipped{absent, narrowed, lacking, otherwise(lacking, "later")}, ended, nil, "needs 2 bad items", "add `operations.cancel.items.bad` to the target file", false, false},
		"the run was narrowed":                         {[]conform.Skipped{absent, narrowed, otherwise(narrowed, "later")}, ended, nil, "left out by --scenario", "", true, false},
		"it has no meaning":                            {[]conform.Skipped{absent, otherwise(absent, "later")}, ended, nil, "no validator", "", false, true},
		"it has one in another scenario":               {[]conform.Skipped{absent}, ended, []conform.Play{{Operation: "cancel", Checks: []string{"RES-02"}}}, "nothing was asked", "", false, false},
		"another operation was played":                 {[]conform.Skipped{absent}, ended, []conform.Play{{Operation: "query", Checks: []string{"RES-02"}}}, "no validator", "", false, true},
		"played for another check":                     {[]conform.Skipped{absent}, ended, []conform.Play{{Operation: "cancel", Checks: []string{"RES-01"}}}, "no validator", "", false, true},
		"lacking on another operation":                 {[]conform.Skipped{elsewhere}, ended, nil, "nothing was asked", "", false, false},
		"lacking on this operation":                    {[]conform.Skipped{elsewhere, here}, ended, nil, "on this operation", "", false, false},
		"like another one, which time was lacking for": {[]conform.Skipped{like, lacking, late, otherwise(late, "later")}, ended, nil, "time budget", "", false, false},
		"like another one, which lacked something":     {[]conform.Skipped{like, lacking}, ended, nil, "needs 2 bad items", "add `operations.cancel.items.bad` to the target file", false, false},
		"like another one":                             {[]conform.Skipped{like}, ended, nil, "4 calls in place of 9: played as sweep/10", "add `operations.cancel.items.many` to the target file", false, false},
		"lacking for another check":                    {[]conform.Skipped{foreign, lacking}, ended, nil, "needs 2 bad items", "add `operations.cancel.items.bad` to the target file", false, false},
		"the recording was cut off":                    {nil, nil, nil, "the recording was cut off before this was asked", "", false, false},
		"the run ended early":                          {nil, &conform.Ended{Cause: "the server process ended"}, nil, "the server process ended", "", false, false},
		"nothing explains it":                          {nil, ended, nil, "nothing was asked", "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &conform.Subject{Operation: &conform.Operation{Name: "cancel"}, Recording: &conform.Recording{Skips: c.skips, Ended: c.ended, Plays: c.played}}
			j, na := unasked(judged{Finding: conform.Finding{Operation: "cancel"}}, said(), s)
			if c.absent {
				if na == nil || na.Reason != c.reason || na.ID != "RES-02" || na.Operation != "cancel" {
					t.Fatalf("%+v", na)
				}
				return
			}
			if na != nil || j.Verdict != conform.NotRun || j.Reason != c.reason || j.Hint != c.hint || j.Narrowed != c.narrowed {
				t.Errorf("%+v, %+v", j.Finding, na)
			}
		})
	}
	s := &conform.Subject{Operation: &conform.Operation{Name: "cancel"}, Recording: &conform.Recording{Ended: ended, Skips: []conform.Skipped{absent},
		Plays: []conform.Play{{Operation: "query", Checks: []string{"RES-02"}}, {Operation: "cancel", Checks: []string{"RES-02"}}}}}
	if _, na := unasked(judged{}, said(), s); na != nil {
		t.Errorf("the second play is not seen: %+v", na)
	}
	// A rule about the server was played by whatever fed it.
	s = &conform.Subject{Recording: &conform.Recording{Ended: ended, Skips: []conform.Skipped{absent}, Plays: []conform.Play{{Operation: "query", Checks: []string{"RES-02"}}}}}
	if _, na := unasked(judged{}, said(), s); na != nil {
		t.Errorf("%+v", na)
	}
}

func TestReproduceWithWhatIsKnown(t *testing.T) {
	h := conform.Header{Run: conform.Run{Seed: 7}}
	got := reproduce(h, conform.Finding{ID: "PRO-02", Verdict: conform.Inconclusive})
	if want := "mcpconform run --effort quick --checks PRO-02 --seed 7"; got != want {
		t.Errorf("%q", got)
	}
	if got := reproduce(h, conform.Finding{ID: "PRO-02", Verdict: conform.NotRun}); got != "" {
		t.Errorf("what was not run: %q", got)
	}
	f := Judge(on(h), []conform.Check{said(failed(asking("c", conform.Good), "x"))}).Findings[0]
	if !strings.Contains(f.Reproduce, "--operation cancel") || !strings.Contains(f.Reproduce, "--scenario partial/c") {
		t.Errorf("%q", f.Reproduce)
	}
}

func TestFindIgnoresLetterCase(t *testing.T) {
	if c, err := Find("res-02"); err != nil || c.ID != "RES-02" {
		t.Errorf("%s, %v", c.ID, err)
	}
	if _, err := Find("RES-99"); err == nil || !strings.Contains(err.Error(), "RES-99") {
		t.Errorf("%v", err)
	}
}

func TestWilsonIsRoundedAndBounded(t *testing.T) {
	for _, c := range []struct {
		count, of int
		want      []float64
	}{{7, 8, []float64{0.5291, 0.9776}}, {1, 1, []float64{0.2065, 1}}, {0, 10, []float64{0, 0.2775}}, {50, 100, []float64{0.4038, 0.5962}}} {
		if got := Wilson(c.count, c.of); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d of %d: %v", c.count, c.of, got)
		}
	}
}

// On a target that others write to, what is refused is no longer held to be good.
func TestJudgingDoubtsWhatOthersMayHaveChanged(t *testing.T) {
	quiet := func(state string) conform.Observation {
		return conform.Observation{Kind: conform.KindEffect, Effect: &conform.Effect{Phase: conform.Quiet, Eyes: "e", States: []conform.State{{ID: "z", Present: true, State: state}}}}
	}
	planned := conform.Planned{Role: conform.RolePrimary, Operation: "cancel", Tool: "t", Items: []conform.Item{{Given: []byte(`"a"`), Truth: conform.Good}, {Given: []byte(`"b"`), Truth: conform.Good}}}
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{{Name: "cancel", Tool: "t"}}}}, []conform.Observation{
		quiet("1"), quiet("2"),
		{Kind: conform.KindPlanned, Call: "c", Planned: &planned},
	})
	Judge(rec, nil)
	if got := rec.Calls[0].Planned.Items[0].Truth; got != conform.Unknown {
		t.Errorf("the item is still held to be %v", got)
	}
}
