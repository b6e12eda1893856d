package suites

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
)

// A check is a whole page or none: whoever reads a finding must learn the rule,
// the harm, the source and the mend.
func TestEveryCheckIsWritten(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		for what, text := range map[string]string{
			"title": c.Title, "text": c.Text, "impact": c.Impact, "source": c.Source, "good example": c.Good, "bad example": c.Bad,
			"mend": c.Mend, "since": c.Since, "basis": string(c.Basis), "group": string(c.Group), "missing": c.Missing,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", c.ID, what)
			}
		}
		if len(c.Needs) == 0 {
			t.Errorf("%s does not say what it needs", c.ID)
		}
		if c.Judge == nil {
			t.Errorf("%s judges nothing", c.ID)
		}
		if seen[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		seen[c.ID] = true
	}
}

func TestNothingPassesWithoutEvidence(t *testing.T) {
	header := conform.Header{Target: conform.Target{Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{{
		Name: "cancel", Tool: "cancel", Write: true, Argument: "items", Style: conform.StyleArray, Validator: conform.Present,
		Workflow: conform.Present, Idempotency: conform.Present, Probe: conform.Present,
	}}}}
	ended := []conform.Observation{{Seq: 1, Kind: conform.KindEnded, Ended: &conform.Ended{}}}
	for name, observations := range map[string][]conform.Observation{"an empty recording": nil, "a run that asked nothing": ended} {
		for _, f := range Judge(conform.NewRecording(header, observations), All()).Findings {
			if f.Verdict == conform.Pass || f.Verdict == conform.Fail {
				t.Errorf("%s: %s is %s", name, f.ID, f.Verdict)
			}
			if f.Reason == "" {
				t.Errorf("%s: %s does not say why it was not run", name, f.ID)
			}
		}
	}
}

func TestScenariosNameChecksThatExist(t *testing.T) {
	known := map[string]bool{}
	for _, c := range All() {
		known[c.ID] = true
	}
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, id := range s.AllChecks() {
			if !known[id] {
				t.Errorf("%s:%d feeds %s, which is no check", s.File, s.Line, id)
			}
		}
	}
}

func TestConsequencesHaveARoot(t *testing.T) {
	known := map[string]bool{}
	for _, c := range All() {
		known[c.ID] = true
	}
	table := Consequences()
	for root, follow := range table {
		for _, id := range append([]string{root}, follow...) {
			if !known[id] {
				t.Errorf("%s: %s is no check", root, id)
			}
		}
		below := map[string]bool{}
		var walk func(string)
		walk = func(id string) {
			for _, next := range table[id] {
				if next == root {
					t.Errorf("%s follows from itself, by way of %s", root, id)
				} else if !below[next] {
					below[next] = true
					walk(next)
				}
			}
		}
		walk(root)
	}
}

func TestSelect(t *testing.T) {
	for name, c := range map[string]struct {
		keep, drop []string
		want       int
		problem    string
	}{
		"everything":         {nil, nil, len(All()), ""},
		"one, whatever case": {[]string{"res-01"}, nil, 1, ""},
		"a glob and one out": {[]string{"RES-*"}, []string{"RES-01"}, 16, ""},
		"two of them":        {[]string{"RES-01", "RES-02"}, nil, 2, ""},
		"the second is none": {[]string{"RES-*", "RSE-*"}, nil, 0, "matches nothing"},
		"matches nothing":    {[]string{"RSE-*"}, nil, 0, "matches nothing"},
		"drops nothing":      {nil, []string{"XXX"}, 0, "matches nothing"},
		"leaves nothing":     {[]string{"RES-01"}, []string{"RES-*"}, 0, "no check over"},
		"not a pattern":      {[]string{"[a"}, nil, 0, "not a pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Select(All(), c.keep, c.drop)
			if c.problem != "" {
				if err == nil || !strings.Contains(err.Error(), c.problem) {
					t.Fatalf("wanted an error with %q, got %v", c.problem, err)
				}
				return
			}
			if err != nil || len(got) != c.want {
				t.Errorf("%d checks, wanted %d: %v", len(got), c.want, err)
			}
		})
	}
}

func TestWilson(t *testing.T) {
	// Agresti and Coull (1998), table for the score interval.
	low, high := Wilson(2, 20)[0], Wilson(2, 20)[1]
	if low < 0.027 || low > 0.029 || high < 0.300 || high > 0.302 {
		t.Errorf("2 of 20: %v to %v", low, high)
	}
	if w := Wilson(1, 1); w[1] != 1 {
		t.Errorf("1 of 1: %v", w)
	}
}
