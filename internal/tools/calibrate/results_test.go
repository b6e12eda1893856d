package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sampleRules = `
version: 1
suite: the-suite@1
scenarios: {"2025-11-25": [ping, lifecycle]}
no_evidence: [wire-schema-valid]
instead: [lifecycle-error]
rules:
  - rule: answered
    sentence: A request is answered.
    source: somewhere
    ours: [PRO-04, PRO-05]
    theirs: {"2025-11-25": [ping/ping]}
  - rule: gone
    sentence: What was deleted is gone.
    source: somewhere
    ours: [PRO-10]
    theirs: {"2025-11-25": [lifecycle/gone, lifecycle/ascii]}
only_theirs:
  - {checks: [lifecycle/extra], because: we have none}
only_ours:
  - {ids: [PRO-12], because: it has none}
`

var sampleIDs = []string{"PRO-04", "PRO-05", "PRO-10", "PRO-12"}

func sample(t *testing.T) *Rules {
	t.Helper()
	rules, err := readRules([]byte(sampleRules), sampleIDs)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// recorded reads results as the suite leaves them: a folder for each scenario.
func recorded(t *testing.T, scenarios map[string]string) Heard {
	t.Helper()
	folder := t.TempDir()
	for name, text := range scenarios {
		inner := filepath.Join(folder, name)
		if err := os.Mkdir(inner, 0o755); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(inner, "checks.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := Heard{Theirs: map[string]Verdict{}, Ours: map[string]Verdict{}, messages: map[string]string{}}
	if err := readResults(folder, handshake, sample(t), &h); err != nil {
		t.Fatal(err)
	}
	return h
}

const when = "-2026-11-30T15-40-18-608Z"

func TestWhatTheSuiteLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		folders map[string]string
		want    map[string]Verdict // over the checks of the rules
		unknown []string
	}{
		"a scenario that passed": {
			map[string]string{"server-ping" + when: `[{"id":"ping","status":"SUCCESS"}]`},
			map[string]Verdict{"answered": Pass, "gone": Unverified}, nil,
		},
		"no evidence is none": {
			map[string]string{"server-ping" + when: `[{"id":"wire-schema-valid","status":"SUCCESS"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"an empty file": {
			map[string]string{"server-ping" + when: `[]`},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"no file": {
			map[string]string{"server-ping" + when: ""},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"nothing": {nil, map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil},
		"one check of two is absent": {
			map[string]string{"server-lifecycle" + when: `[{"id":"gone","status":"SUCCESS"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"one check told three times, once badly": {
			map[string]string{"server-lifecycle" + when: `[{"id":"gone","status":"SUCCESS"},{"id":"gone","status":"FAILURE"},{"id":"gone","status":"SUCCESS"},{"id":"ascii","status":"SUCCESS"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Fail}, nil,
		},
		"one check without meaning": {
			map[string]string{"server-lifecycle" + when: `[{"id":"gone","status":"SUCCESS"},{"id":"ascii","status":"INFO"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Pass}, nil,
		},
		"an error instead of checks": {
			map[string]string{"server-lifecycle" + when: `[{"id":"lifecycle-error","status":"FAILURE"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"a scenario of the fixture is not read": {
			map[string]string{"server-tools-call-image" + when: `[{"id":"tools-call-image","status":"FAILURE"}]`},
			map[string]Verdict{"answered": Unverified, "gone": Unverified}, nil,
		},
		"a check that nobody knows": {
			map[string]string{"server-ping" + when: `[{"id":"ping","status":"SUCCESS"},{"id":"pong","status":"SUCCESS"}]`},
			map[string]Verdict{"answered": Pass, "gone": Unverified}, []string{"ping/pong"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := recorded(t, c.folders)
			for _, rule := range sample(t).Rules {
				if got := h.theirs(rule.Theirs[handshake]); got != c.want[rule.Name] {
					t.Errorf("%s: %s, wanted %s", rule.Name, got, c.want[rule.Name])
				}
			}
			if !slices.Equal(h.unknown, c.unknown) {
				t.Errorf("unknown %v, wanted %v", h.unknown, c.unknown)
			}
		})
	}
}

func TestOneScenarioTwiceIsNotRead(t *testing.T) {
	folder := t.TempDir()
	for _, at := range []string{when, "-2026-11-30T15-40-19-000Z"} {
		if err := os.Mkdir(filepath.Join(folder, "server-ping"+at), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := Heard{}
	if err := readResults(folder, handshake, sample(t), &h); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("%v", err)
	}
}

func TestAMessageIsOneLine(t *testing.T) {
	if got := oneLine("a\n b\t c"); got != "a b c" {
		t.Errorf("%q", got)
	}
	if got := oneLine(strings.Repeat("é", 300)); got != strings.Repeat("é", 200)+"…" {
		t.Errorf("%q", got)
	}
}

func TestRulesThatDoNotHoldTogether(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"a key that there is not":            {"suite:", "suit:", "suit"},
		"another version":                    {"version: 1", "version: 2", "version 2"},
		"a check of ours that there is not":  {"PRO-10", "PRO-99", "PRO-99"},
		"a check of ours left out":           {"ids: [PRO-12]", "ids: [PRO-04]", "PRO-12 stands nowhere"},
		"a check of ours on both sides":      {"ids: [PRO-12]", "ids: [PRO-12, PRO-04]", "PRO-04 stands in rule answered and in only_ours"},
		"a scenario that is not run":         {"[ping/ping]", "[pong/ping]", "pong/ping"},
		"a check twice":                      {"[lifecycle/extra]", "[ping/ping]", "ping/ping stands twice"},
		"a scenario without checks":          {"[ping, lifecycle]", "[ping, lifecycle, quiet]", "no check of quiet"},
		"no sentence":                        {"sentence: A request is answered.", `sentence: ""`, "lacks its sentence"},
		"no reason":                          {"because: we have none", `because: ""`, "reason"},
		"two rules of one name":              {"rule: gone", "rule: answered", "taken"},
		"a rule that reads like their check": {"rule: gone", "rule: ping/ping", "slash"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(sampleRules, c.old) {
				t.Fatalf("the sample does not hold %q", c.old)
			}
			if _, err := readRules([]byte(strings.Replace(sampleRules, c.old, c.new, 1)), sampleIDs); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; wanted an error that says %q", err, c.says)
			}
		})
	}
}

func TestWhichChecksAreExpected(t *testing.T) {
	rules := sample(t)
	want := []string{"lifecycle/ascii", "lifecycle/extra", "lifecycle/gone", "ping/ping"}
	if got := rules.expected(handshake); !slices.Equal(got, want) {
		t.Errorf("%v, wanted %v", got, want)
	}
	rules.OnlyTheirs[0].Revisions = []string{newest}
	if got := rules.onlyTheirs(handshake); len(got) > 0 {
		t.Errorf("%v is of another revision", got)
	}
}
