package suites

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestReproduceNamesAnotherSet(t *testing.T) {
	h := conform.Header{Run: conform.Run{Seed: 7}, Catalogue: conform.Catalogue{Set: "2020-01"}}
	f := conform.Finding{ID: "RES-02", Verdict: conform.Fail, Scenario: "partial/bad-first"}
	if got, want := reproduce(h, f), "mcpconform run --scenario partial/bad-first --catalogue 2020-01 --checks RES-02 --seed 7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestReproduceNamesTheSameTarget(t *testing.T) {
	for selector, want := range map[string]string{
		"":                                       "mcpconform run --scenario partial/bad-first --operation cancel --checks RES-02 --seed 7",
		"--target a.yaml":                        "mcpconform run --target a.yaml --scenario partial/bad-first --operation cancel --checks RES-02 --seed 7",
		"-- node server.js":                      "mcpconform run --scenario partial/bad-first --operation cancel --checks RES-02 --seed 7 -- node server.js",
		"--target a.yaml -- node server.js -- x": "mcpconform run --target a.yaml --scenario partial/bad-first --operation cancel --checks RES-02 --seed 7 -- node server.js -- x",
		"judge answer.json":                      "mcpconform judge answer.json",
	} {
		h := conform.Header{Run: conform.Run{Seed: 7}, Target: conform.Target{Selector: selector}}
		f := conform.Finding{ID: "RES-02", Verdict: conform.Fail, Scenario: "partial/bad-first", Operation: "cancel"}
		if got := reproduce(h, f); got != want {
			t.Errorf("%q\n got %s\nwant %s", selector, got, want)
		}
		h.Catalogue.Set = Default().Name
		if got := reproduce(h, f); got != want {
			t.Errorf("the default set: %s", got)
		}
		f.Verdict = conform.Pass
		if got := reproduce(h, f); got != "" {
			t.Errorf("a pass is reproduced: %s", got)
		}
	}
}
