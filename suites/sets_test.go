package suites

import (
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpconform/mcpconform/conform"
)

// shelf is a folder of released sets.
func shelf(t *testing.T, sets ...Set) fstest.MapFS {
	t.Helper()
	index := "# name digest\n\n"
	folder := fstest.MapFS{}
	for _, s := range sets {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		folder[s.Name+".json"] = &fstest.MapFile{Data: text}
		index += s.Name + " " + s.Digest() + "\n"
	}
	folder["released.txt"] = &fstest.MapFile{Data: []byte(index)}
	return folder
}

// old is the draft as it might have been released: without the first rule, the
// second one weaker and on another word, the third one with another meaning, and
// with one rule that is gone.
func old() Set {
	set := OpenSet()
	set.Name = "2020-01"
	set.Rules = slices.Clone(set.Rules[1:])
	set.Rules[0].Level, set.Rules[0].Basis = conform.May, conform.ThirdParty
	set.Rules[1].Text = "Something else."
	set.Rules = append(set.Rules, Rule{ID: "OLD-01", Level: conform.Must, Text: "What was asked once.", Since: "2020-01"})
	return set
}

func TestTheEmbeddedSetsRead(t *testing.T) {
	sets := Sets()
	last := sets[len(sets)-1]
	if last.Name != Open || !last.Draft() || len(last.Rules) != len(All()) {
		t.Errorf("the last set is %s with %d rules", last.Name, len(last.Rules))
	}
	for _, s := range sets[:len(sets)-1] {
		if s.Draft() {
			t.Errorf("%s is among the released sets", s.Name)
		}
		// Ids are never used again: who is in a released set is judged, or has a
		// tombstone.
		for _, rule := range s.Rules {
			_, err := Find(rule.ID)
			if _, gone := tombstone(withdrawn, rule.ID); (err == nil) == gone {
				t.Errorf("%s of %s: judged %v, withdrawn %v", rule.ID, s.Name, err == nil, gone)
			}
		}
	}
	for _, c := range All() {
		if _, gone := tombstone(withdrawn, c.ID); gone {
			t.Errorf("%s is judged, and was withdrawn", c.ID)
		}
		if !slices.ContainsFunc(sets, func(s Set) bool { return s.Name == c.Since || s.Name+draft == c.Since }) {
			t.Errorf("%s is said to be of %s, which is no set", c.ID, c.Since)
		}
	}
}

func TestReleasedSetsDoNotChange(t *testing.T) {
	set := old()
	sets, err := Released(shelf(t, set))
	if err != nil || len(sets) != 1 || !reflect.DeepEqual(sets[0], set) {
		t.Fatalf("%+v, %v", sets, err)
	}
	changed := shelf(t, set)
	text := string(changed["2020-01.json"].Data)
	for what, c := range map[string]struct{ old, new, says string }{
		"a level":   {`"level":"SHOULD"`, `"level":"MUST"`, "is not changed"},
		"a text":    {"What was asked once.", "What is asked now.", "is not changed"},
		"a basis":   {"third-party", "documented", "is not changed"},
		"the name":  {`"set":"2020-01"`, `"set":"2021-01"`, `it is "2021-01"`},
		"the JSON":  {`{`, `[`, "invalid character"},
		"a level's": {`"level":"SHOULD"`, `"level":"OUGHT"`, "none of MUST"},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: no %s in the set", what, c.old)
		}
		changed["2020-01.json"] = &fstest.MapFile{Data: []byte(strings.Replace(text, c.old, c.new, 1))}
		if _, err := Released(changed); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "2020-01") {
			t.Errorf("%s: %v", what, err)
		}
	}
	delete(changed, "2020-01.json")
	if _, err := Released(changed); err == nil {
		t.Error("a set without a file was read")
	}
	open := OpenSet()
	if _, err := Released(shelf(t, open)); err == nil || !strings.Contains(err.Error(), "a draft is not released") {
		t.Errorf("a draft among the released: %v", err)
	}
	if _, err := Released(fstest.MapFS{}); err == nil {
		t.Error("a folder without an index was read")
	}
}

func TestTheNewestReleasedSetJudges(t *testing.T) {
	a, b := Set{Name: "2020-01"}, Set{Name: "2021-01"}
	if got := defaultOf([]Set{a, b, OpenSet()}); got.Name != b.Name {
		t.Errorf("with released sets: %s", got.Name)
	}
	if got := defaultOf([]Set{OpenSet()}); got.Name != Open {
		t.Errorf("before the first release: %s", got.Name)
	}
	if got, err := FindSet(""); err != nil || got.Name != Default().Name {
		t.Errorf("no name: %s, %v", got.Name, err)
	}
	if got, err := FindSet(Open); err != nil || got.Name != Open {
		t.Errorf("the draft: %s, %v", got.Name, err)
	}
	if got, err := find([]Set{a, b, OpenSet()}, "2021-01-draft"); err != nil || got.Name != b.Name {
		t.Errorf("a draft that was released: %s, %v", got.Name, err)
	}
	if _, err := FindSet("1999-01"); err == nil || !strings.Contains(err.Error(), Open) {
		t.Errorf("an unknown set: %v", err)
	}
}

func TestASetDecidesLevelsAndWhatIsPending(t *testing.T) {
	all := All()
	checks := old().Of(all)
	if !checks[0].Pending {
		t.Errorf("%s is newer than the set, and not pending", checks[0].ID)
	}
	if c := checks[1]; c.Pending || c.Level != conform.May || c.Basis != conform.ThirdParty {
		t.Errorf("%s: pending %v, %s, %s", c.ID, c.Pending, c.Level, c.Basis)
	}
	if !checks[2].Pending {
		t.Errorf("%s asks something else than in the set, and is not pending", checks[2].ID)
	}
	for i, c := range checks[3:] {
		if c.Pending || c.Level != all[i+3].Level || !reflect.DeepEqual(c.Raise, all[i+3].Raise) {
			t.Errorf("%s: pending %v, %s", c.ID, c.Pending, c.Level)
		}
	}
	if all[1].Level == conform.May || all[0].Pending {
		t.Error("the catalogue itself was changed")
	}
	for _, c := range OpenSet().Of(all) {
		if c.Pending {
			t.Errorf("%s is pending in the draft", c.ID)
		}
	}
	if level := old().Level(all[1].ID); level != conform.May {
		t.Errorf("Level of %s: %s", all[1].ID, level)
	}
	if level := old().Level(all[0].ID); level != conform.None {
		t.Errorf("Level of a rule that the set does not have: %s", level)
	}
}

func TestWhatIsPendingDecidesNothing(t *testing.T) {
	broken := conform.Check{
		Requirement: conform.Requirement{ID: "RES-02", Level: conform.Must}, PerServer: true,
		Judge: func(s *conform.Subject) []conform.Look {
			return []conform.Look{{Verdict: conform.Fail, Call: s.Calls[0]}}
		},
	}
	follows := broken
	follows.ID = "AGG-02" // follows from RES-02
	rec := conform.NewRecording(conform.Header{}, []conform.Observation{{Kind: conform.KindPlanned, Call: "c1", Planned: &conform.Planned{}}})
	if len(rec.Calls) != 1 {
		t.Fatalf("%d calls", len(rec.Calls))
	}
	both := Judge(rec, []conform.Check{broken, follows})
	if !both.Wrong["c1"] || both.Findings[1].ConsequenceOf != "RES-02" {
		t.Fatalf("not pending: %+v", both)
	}
	broken.Pending = true
	one := Judge(rec, []conform.Check{broken})
	if one.Wrong["c1"] || !one.Findings[0].Pending || one.Findings[0].Verdict != conform.Fail {
		t.Errorf("pending: %+v", one)
	}
	if counted := Judge(rec, []conform.Check{broken, follows}).Findings[1]; counted.ConsequenceOf != "" {
		t.Errorf("a failure that counts was folded under one that does not: %+v", counted)
	}
	follows.Pending = true
	if told := Judge(rec, []conform.Check{broken, follows}).Findings[1]; told.ConsequenceOf != "RES-02" {
		t.Errorf("both pending: %+v", told)
	}
}

func TestTombstones(t *testing.T) {
	withdrawn = []Withdrawn{{ID: "OLD-01", In: "2021-01", Because: "nobody reads it", Instead: "RES-01"}}
	defer func() { withdrawn = nil }()
	gone := old().Gone(All())
	if want := []conform.NotApplicable{{ID: "OLD-01", Reason: "withdrawn in 2021-01: nobody reads it; see RES-01"}}; !reflect.DeepEqual(gone, want) {
		t.Errorf("%+v", gone)
	}
	for _, ask := range []func() error{
		func() error { _, err := Find("old-01"); return err },
		func() error { _, err := Select(All(), []string{"OLD-01"}, nil); return err },
	} {
		if err := ask(); err == nil || !strings.HasSuffix(err.Error(), "OLD-01 was withdrawn in 2021-01: nobody reads it; see RES-01") {
			t.Errorf("asked for: %v", err)
		}
	}
	withdrawn = nil
	if gone := old().Gone(All()); len(gone) != 1 || gone[0].Reason != "this version does not judge it" {
		t.Errorf("without a tombstone: %+v", gone)
	}
	if gone := OpenSet().Gone(All()); gone != nil {
		t.Errorf("of the draft: %+v", gone)
	}
}

func TestWhatChangedBetweenSets(t *testing.T) {
	withdrawn = []Withdrawn{{ID: "OLD-01", In: "2026-12", Because: "nobody reads it"}}
	defer func() { withdrawn = nil }()
	from, to := old(), OpenSet()
	var got []string
	for _, c := range Diff(from, to) {
		got = append(got, c.ID+" "+c.What)
	}
	ids := []string{to.Rules[0].ID, to.Rules[1].ID, to.Rules[2].ID}
	want := []string{ids[0] + " added", ids[1] + " level", ids[1] + " basis", ids[2] + " meaning", "OLD-01 withdrawn"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	last := Diff(from, to)[len(want)-1]
	if last.Old != "MUST: What was asked once." || last.New != "withdrawn in 2026-12: nobody reads it" {
		t.Errorf("%+v", last)
	}
	if same := Diff(to, to); len(same) != 0 {
		t.Errorf("between a set and itself: %+v", same)
	}
	narrowed := OpenSet()
	narrowed.Rules = slices.Clone(narrowed.Rules)
	narrowed.Rules[0].If = "it rains"
	plain := OpenSet()
	plain.Rules[0].If, plain.Rules[0].Text, narrowed.Rules[0].Text = "", "Some text.", "Some text."
	if c := Diff(plain, narrowed); len(c) != 1 || c[0].What != "meaning" || !strings.Contains(c[0].New, "(it rains)") || strings.Contains(c[0].Old, "(") {
		t.Errorf("a condition: %+v", c)
	}
	raised := OpenSet()
	raised.Rules = slices.Clone(raised.Rules)
	raised.Rules[0].Raise = map[string]conform.Level{"rest": conform.Must, "gateway": conform.Should}
	if c := Diff(to, raised); len(c) != 1 || c[0].What != "level" || c[0].New != "MUST, SHOULD where gateway, MUST where rest" {
		t.Errorf("a raise: %+v", c)
	}
}

func TestTheDigestIsOverWhatVerdictsHangOn(t *testing.T) {
	for what, change := range map[string]func(*Rule){
		"level": func(r *Rule) { r.Level = conform.May }, "text": func(r *Rule) { r.Text += "!" }, "basis": func(r *Rule) { r.Basis = "rumour" },
		"group": func(r *Rule) { r.Group = "none" }, "condition": func(r *Rule) { r.If = "it rains" },
		"raise": func(r *Rule) { r.Raise = map[string]conform.Level{"rest": conform.Must} }, "id": func(r *Rule) { r.ID += "0" },
	} {
		set := OpenSet()
		before := set.Digest()
		set.Rules = slices.Clone(set.Rules)
		change(&set.Rules[0])
		if set.Digest() == before {
			t.Errorf("another %s gives the same digest", what)
		}
	}
	if c := OpenSet().Catalogue(); c.Set != Open || c.Digest != OpenSet().Digest() || len(c.Digest) != len("sha256:")+16 {
		t.Errorf("%+v", c)
	}
}

func TestSeveralRulesMayBeGone(t *testing.T) {
	withdrawn = []Withdrawn{{ID: "OLD-09", In: "2021-01", Because: "another"}, {ID: "OLD-02", In: "2021-01", Because: "nobody reads it"}}
	defer func() { withdrawn = nil }()
	from := OpenSet()
	from.Rules = append(slices.Clone(from.Rules), Rule{ID: "OLD-01", Text: "One."}, Rule{ID: "OLD-02", Text: "Two."})
	var told []string
	for _, c := range Diff(from, OpenSet()) {
		told = append(told, c.ID+" "+c.What+": "+c.New)
	}
	if want := []string{"OLD-01 withdrawn: ", "OLD-02 withdrawn: withdrawn in 2021-01: nobody reads it"}; !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
	var gone []string
	for _, n := range from.Gone(All()) {
		gone = append(gone, n.ID)
	}
	if !slices.Equal(gone, []string{"OLD-01", "OLD-02"}) {
		t.Errorf("%q", gone)
	}
}

func TestARuleOfAnotherMeaningIsPending(t *testing.T) {
	for name, change := range map[string]func(*Rule){
		"another text":      func(r *Rule) { r.Text = "Something else." },
		"another group":     func(r *Rule) { r.Group = "another" },
		"another condition": func(r *Rule) { r.If = "it rains" },
		"another level":     func(r *Rule) { r.Level = conform.May },
	} {
		set := OpenSet()
		set.Rules = slices.Clone(set.Rules)
		change(&set.Rules[0])
		if got := set.Of(All())[0].Pending; got != (name != "another level") {
			t.Errorf("%s: pending %v", name, got)
		}
	}
}

func TestTheDefaultSetIsOneOfThem(t *testing.T) {
	if d := Default(); !slices.ContainsFunc(Sets(), func(s Set) bool { return s.Name == d.Name && s.Digest() == d.Digest() }) {
		t.Errorf("%q", d.Name)
	}
}

func TestAShelfThatDoesNotRead(t *testing.T) {
	missing := shelf(t, Set{Name: "2020-01"})
	delete(missing, "2020-01.json")
	if _, err := Released(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	long := shelf(t)
	long["released.txt"].Data = []byte("#" + strings.Repeat("x", 1<<17))
	if _, err := Released(long); err == nil {
		t.Error("a line without an end was read")
	}
}
