package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fixtures/calibration"
)

func heard(kind Kind, theirs, ours map[string]Verdict) Heard {
	return Heard{Server: Server{Name: "shop", Revision: handshake, Kind: kind, Breaks: "PRO-10"}, Theirs: theirs, Ours: ours, messages: map[string]string{}}
}

var (
	theyPass = map[string]Verdict{"ping/ping": Pass, "lifecycle/gone": Pass, "lifecycle/ascii": Pass, "lifecycle/extra": Pass}
	wePass   = map[string]Verdict{"PRO-04": Pass, "PRO-05": Pass, "PRO-10": Pass, "PRO-12": Inapplicable}
)

func but(all map[string]Verdict, name string, v Verdict) map[string]Verdict {
	changed := map[string]Verdict{name: v}
	for k, old := range all {
		if k != name {
			changed[k] = old
		}
	}
	return changed
}

func TestWhatNoTriageCanSettle(t *testing.T) {
	for name, c := range map[string]struct {
		h    Heard
		says string // of the one problem; empty: none
	}{
		"a good server that both pass":            {heard(Good, theyPass, wePass), ""},
		"a good server that we accuse":            {heard(Good, theyPass, but(wePass, "PRO-12", Fail)), "we accuse it of PRO-12"},
		"a good server that the suite skipped":    {heard(Good, but(theyPass, "ping/ping", Unverified), wePass), "not verified on a good server"},
		"a good server that we did not ask":       {heard(Good, theyPass, but(wePass, "PRO-05", Unverified)), "not verified on a good server"},
		"a faulty server that we accuse":          {heard(Faulty, theyPass, but(wePass, "PRO-10", Fail)), ""},
		"a faulty server that we miss":            {heard(Faulty, theyPass, wePass), "it breaks PRO-10, and we say pass"},
		"a faulty server that we did not ask":     {heard(Faulty, theyPass, but(wePass, "PRO-10", Unverified)), "and we say not verified"},
		"a foreign server may be anything":        {heard(Foreign, but(theyPass, "ping/ping", Fail), wePass), ""},
		"a closed port that the suite accuses":    {heard(Closed, map[string]Verdict{"ping/ping": Fail}, map[string]Verdict{}), ""},
		"a closed port of which nothing is said":  {heard(Closed, nil, nil), ""},
		"a closed port that passes with them":     {heard(Closed, map[string]Verdict{"ping/ping": Pass}, nil), "nobody listens there"},
		"a closed port that passes with us":       {heard(Closed, nil, map[string]Verdict{"PRO-10": Pass}), "nobody listens there"},
		"a check of theirs that the table lacks":  {Heard{Server: Server{Name: "shop", Revision: handshake, Kind: Foreign}, Theirs: theyPass, Ours: wePass, unknown: []string{"ping/pong"}}, "ping/pong, which rules.yaml does not know"},
		"a good server with one of their extras":  {heard(Good, but(theyPass, "lifecycle/extra", Unverified), wePass), ""},
		"a faulty one where only ours has a rule": {Heard{Server: Server{Name: "shop", Revision: handshake, Kind: Faulty, Breaks: "PRO-12", unasked: true}, Ours: but(wePass, "PRO-12", Fail)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := compare(c.h, sample(t))
			if c.says == "" && len(problems) > 0 || c.says != "" && (len(problems) != 1 || !strings.Contains(problems[0], c.says)) {
				t.Errorf("%q, wanted one that says %q", problems, c.says)
			}
		})
	}
}

func TestWhatIsADifference(t *testing.T) {
	verdicts := []Verdict{Pass, Fail, Unverified, Inapplicable, NoRule}
	for _, theirs := range verdicts {
		for _, ours := range verdicts {
			c := Comparison{Theirs: theirs, Ours: ours}
			if c.Differs() != ((theirs == Fail) != (ours == Fail)) {
				t.Errorf("theirs %s, ours %s: %v", theirs, ours, c.Differs())
			}
		}
	}
	both, none := Comparison{Theirs: Pass, Ours: Pass}, Comparison{Theirs: Pass, Ours: Unverified}
	if both.word() != agreed || none.word() != silent {
		t.Errorf("%s, %s", both.word(), none.word())
	}
}

func TestOneOfTheirExtrasFailingOnAGoodServerIsADifference(t *testing.T) {
	all, _ := compare(heard(Good, but(theyPass, "lifecycle/extra", Fail), wePass), sample(t))
	if !slices.ContainsFunc(all, func(c Comparison) bool { return c.Rule == "lifecycle/extra" && c.Differs() && c.Ours == NoRule }) {
		t.Errorf("%+v", all)
	}
}

func entry() Entry {
	return Entry{
		Rule: "gone", Servers: []string{"shop"}, Revisions: []string{handshake}, Theirs: Pass, Ours: Fail,
		Triage: TheirsIsWrong, Reason: "it does not look", Source: "somewhere",
	}
}

func TestEveryDifferenceHasItsEntryAndEveryEntryItsDifference(t *testing.T) {
	different := Comparison{Server: "shop", Revision: handshake, Rule: "gone", Theirs: Pass, Ours: Fail}
	same := Comparison{Server: "shop", Revision: handshake, Rule: "gone", Theirs: Fail, Ours: Fail}
	change := func(f func(*Entry)) []Entry {
		e := entry()
		f(&e)
		return []Entry{e}
	}
	for name, c := range map[string]struct {
		found   Comparison
		entries []Entry
		says    []string
	}{
		"settled":                 {different, []Entry{entry()}, nil},
		"no difference, no entry": {same, nil, nil},
		"no entry":                {different, nil, []string{"not in triage.yaml"}},
		"no difference any more":  {same, []Entry{entry()}, []string{"stale"}},
		"of another server":       {different, change(func(e *Entry) { e.Servers = []string{"shed"} }), []string{"not in triage.yaml", "stale"}},
		"of another revision":     {different, change(func(e *Entry) { e.Revisions = []string{newest} }), []string{"not in triage.yaml", "stale"}},
		"of another rule":         {different, change(func(e *Entry) { e.Rule = "answered" }), []string{"not in triage.yaml", "stale"}},
		"with another verdict":    {different, change(func(e *Entry) { e.Theirs = Unverified }), []string{"not in triage.yaml", "stale"}},
		"one of two is stale":     {different, change(func(e *Entry) { e.Servers = []string{"shop", "shed"} }), []string{"stale in triage.yaml: shed"}},
	} {
		t.Run(name, func(t *testing.T) {
			all := []Comparison{c.found}
			problems := settle(all, c.entries)
			if len(problems) != len(c.says) {
				t.Fatalf("%q, wanted %q", problems, c.says)
			}
			for i, says := range c.says {
				if !strings.Contains(problems[i], says) {
					t.Errorf("%q, wanted %q", problems[i], says)
				}
			}
			if settled := all[0].Triage != ""; settled != (name == "settled" || name == "one of two is stale") {
				t.Errorf("triage %q", all[0].Triage)
			}
		})
	}
}

func TestEntriesThatDoNotHoldTogether(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Entry)
		says   string
	}{
		"our bug":         {func(e *Entry) { e.Triage = OursIsWrong }, "mended, not listed"},
		"no triage":       {func(e *Entry) { e.Triage = "" }, "none of theirs and ambiguous"},
		"no difference":   {func(e *Entry) { e.Ours = Pass }, "no difference"},
		"both accuse":     {func(e *Entry) { e.Theirs = Fail }, "no difference"},
		"no reason":       {func(e *Entry) { e.Reason = "" }, "reason"},
		"no source":       {func(e *Entry) { e.Source = "" }, "source"},
		"on no server":    {func(e *Entry) { e.Servers = nil }, "needed"},
		"at no revision":  {func(e *Entry) { e.Revisions = nil }, "needed"},
		"that is allowed": {func(e *Entry) { e.Triage = Ambiguous }, ""},
	} {
		e := entry()
		c.change(&e)
		if err := e.sound(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, wanted %q", name, err, c.says)
		}
	}
}

func TestOurFindingsOverAllOperations(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts []conform.Verdict
		want     Verdict
	}{
		"all pass":           {[]conform.Verdict{conform.Pass, conform.Pass}, Pass},
		"one fails":          {[]conform.Verdict{conform.Pass, conform.Fail}, Fail},
		"one is not settled": {[]conform.Verdict{conform.Pass, conform.Inconclusive}, Unverified},
		"one was not asked":  {[]conform.Verdict{conform.Pass, conform.NotRun}, Unverified},
		"none":               {nil, Unverified},
	} {
		h := Heard{Ours: map[string]Verdict{}, messages: map[string]string{}}
		var findings []conform.Finding
		for _, v := range c.verdicts {
			findings = append(findings, conform.Finding{ID: "PRO-04", Verdict: v})
		}
		h.find(findings, []conform.NotApplicable{{ID: "PRO-12"}})
		if got := h.ours([]string{"PRO-04"}); got != c.want {
			t.Errorf("%s: %s, wanted %s", name, got, c.want)
		}
		if got := h.ours([]string{"PRO-12"}); got != Inapplicable {
			t.Errorf("PRO-12 is %s", got)
		}
	}
}

// The tables that the repository keeps must read, and speak of servers that are
// played.
func TestTheKeptTables(t *testing.T) {
	rules, err := readRules(calibration.Rules, protocolIDs())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := readTriage(calibration.Triage)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(calibration.Package), strings.Replace(rules.Suite, "conformance@", `conformance": "`, 1)+`"`) {
		t.Errorf("package.json does not install %s", rules.Suite)
	}
	played := map[string]bool{}
	kinds := map[Kind]int{}
	for _, s := range servers(rules) {
		if at := s.Name + " at " + s.Revision; played[at] {
			t.Errorf("%s is played twice", at)
		}
		played[s.Name+" at "+s.Revision] = true
		kinds[s.Kind]++
	}
	if kinds[Good] != 2 || kinds[Closed] != 2 || kinds[Foreign] < 6 || kinds[Faulty] < 40 {
		t.Errorf("%v", kinds)
	}
	for _, e := range entries {
		for _, server := range e.Servers {
			for _, revision := range e.Revisions {
				if !played[server+" at "+revision] {
					t.Errorf("triage.yaml: %s at %s is not played", server, revision)
				}
			}
		}
	}
}
