package specs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

func load(t *testing.T, name string) *target.File {
	t.Helper()
	file, err := target.Load(target.BuiltinPrefix+name, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The specs are registered before anything is asked, so their list must be the
// list of what a run will speak of.
func TestASpecForWhateverARunSpeaksOf(t *testing.T) {
	bare, err := target.FromURL("http://127.0.0.1:1/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		Options
		want int // at least
	}{
		{"the fake backend", Options{Target: load(t, "fakebackend")}, 200},
		{"a server on stdio", Options{Target: load(t, "server-memory")}, 200},
		{"no target file", Options{Target: bare}, 50},
		{"some operations", Options{Target: load(t, "fakebackend"), Run: runner.Options{Operations: []string{"Query-*"}}}, 50},
		{"some checks", Options{Target: load(t, "fakebackend"), Run: runner.Options{Checks: []string{"res-*", "pro-*"}, Skip: []string{"RES-02"}}}, 20},
		{"some bases", Options{Target: load(t, "fakebackend"), Run: runner.Options{Bases: []conform.Basis{conform.Seed}}}, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			subjects, err := tc.subjects()
			if err != nil {
				t.Fatal(err)
			}
			if len(subjects) < tc.want {
				t.Errorf("%d specs, want %d at least", len(subjects), tc.want)
			}
			o := tc.Run
			header := conform.Header{Target: tc.Target.Conform(), Run: conform.Run{Checks: o.Checks, Skip: o.Skip, Operations: o.Operations, Bases: o.Bases}}
			report, err := runner.Judge(header, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := &play{options: tc.Options, subjects: subjects}
			if err := p.take(report); err != nil {
				t.Error(err)
			}
			for _, s := range subjects {
				w := p.told[key{s.ID, s.operation}]
				if w == (word{}) {
					t.Errorf("the run says nothing of %s on %q", s.ID, s.operation)
				}
				if w.finding != nil && w.finding.Level != s.level {
					t.Errorf("%s on %q is labelled %s and judged %s", s.ID, s.operation, s.level, w.finding.Level)
				}
			}
			if len(subjects) != len(p.told) {
				t.Errorf("%d specs for %d things the run speaks of", len(subjects), len(p.told))
			}
		})
	}
}

func TestAFindingWithoutASpecIsAnError(t *testing.T) {
	report, err := runner.Judge(conform.Header{Target: load(t, "fakebackend").Conform()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&play{}).take(report); err == nil {
		t.Error("findings were lost")
	}
}

func TestLabels(t *testing.T) {
	subjects, err := Options{Target: load(t, "fakebackend")}.subjects()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		filter string
		is     func(subject) bool
	}{
		{"must", func(s subject) bool { return s.level == conform.Must }},
		{"must && !inferred", func(s subject) bool { return s.level == conform.Must && s.Basis != conform.Inferred }},
		{"validator", func(s subject) bool { return s.Group == conform.GroupValidator }},
		{"read-only || third-party", func(s subject) bool { return s.Group == conform.GroupReadOnly || s.Basis == conform.ThirdParty }},
		{"RES-02", func(s subject) bool { return s.ID == "RES-02" }},
	} {
		filter, err := types.ParseLabelFilter(tc.filter)
		if err != nil {
			t.Fatal(err)
		}
		taken := 0
		for _, s := range subjects {
			if filter(s.labels()) != tc.is(s) {
				t.Errorf("%s: %s with %v is sorted wrongly", tc.filter, s.ID, s.labels())
			}
			if filter(s.labels()) {
				taken++
			}
		}
		if taken == 0 || taken == len(subjects) {
			t.Errorf("%s takes %d of %d specs", tc.filter, taken, len(subjects))
		}
		for _, s := range subjects {
			for _, l := range s.labels() {
				if _, err := types.ValidateAndCleanupLabel(l, types.CodeLocation{}); err != nil {
					t.Errorf("label %q: %v", l, err)
				}
			}
		}
	}
}

// A declared key makes IDM-01 a MUST: the label must say what the finding will.
func TestALevelRaisedByTheTarget(t *testing.T) {
	i := slices.IndexFunc(suites.All(), func(c conform.Check) bool { return c.Raise["keys-declared"] == conform.Must && c.Level < conform.Must })
	if i < 0 {
		t.Fatal("no check is raised by a declared key")
	}
	id := suites.All()[i].ID
	subjects, err := Options{Target: load(t, "fakebackend")}.subjects()
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]conform.Level{}
	for _, s := range subjects {
		if s.ID == id {
			levels[s.operation] = s.level
		}
	}
	if levels["cancel-products"] != conform.Must || levels["query-orders"] == conform.Must {
		t.Errorf("%s: %v", id, levels)
	}
}

func TestASpecStandsWhereItsScenarioDoes(t *testing.T) {
	subjects, err := Options{Target: load(t, "fakebackend")}.subjects()
	if err != nil {
		t.Fatal(err)
	}
	placed := 0
	for _, s := range subjects {
		if s.place == (place{}) {
			continue
		}
		placed++
		if !strings.HasPrefix(s.place.file, "scenarios/builtin/") {
			t.Errorf("%s: %v", s.ID, s.place)
			continue
		}
		text, err := os.ReadFile("../../" + s.place.file)
		if err != nil {
			t.Error(err)
			continue
		}
		if lines := strings.Split(string(text), "\n"); s.place.line < 1 || s.place.line > len(lines) || strings.TrimSpace(lines[s.place.line-1]) == "" {
			t.Errorf("%s: %s has nothing in line %d", s.ID, s.place.file, s.place.line)
		}
	}
	if placed < len(subjects)/2 {
		t.Errorf("only %d of %d specs have a place", placed, len(subjects))
	}
	all, err := findPlaces("")
	if err != nil {
		t.Fatal(err)
	}
	if got := all.of("RES-02", &conform.Operation{Write: true, Style: conform.StyleArray}); got.file == "" {
		t.Error("no scenario feeds RES-02")
	}
	if got := all.of("NO-01", nil); got != (place{}) {
		t.Errorf("a check that nobody feeds stands at %v", got)
	}
}
