package platforms

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
)

// fixture is what a file of tools can say, and what only the command's further flags can.
func fixture(t *testing.T, text []byte) *Subject {
	t.Helper()
	// Long texts do not stand in the file.
	text = regexp.MustCompile(`@x (\d+)@`).ReplaceAllFunc(text, func(m []byte) []byte {
		n, _ := strconv.Atoi(strings.Trim(string(m), "@x "))
		return bytes.Repeat([]byte("x"), n)
	})
	s, err := ReadTools("fixture", text)
	if err != nil {
		t.Fatal(err)
	}
	var more struct {
		Allowed  json.RawMessage     `json:"allowed"`
		Snapshot json.RawMessage     `json:"snapshot"`
		Beside   map[string][]string `json:"beside"`
		Many     int                 `json:"many"`
		Config   *struct{ Tools, Policies string }
	}
	if err := json.Unmarshal(text, &more); err != nil {
		t.Fatal(err)
	}
	s.Beside = more.Beside
	for i := len(s.Tools); i < more.Many; i++ {
		like := s.Tools[0]
		like.Name += strconv.Itoa(i)
		s.Tools = append(s.Tools, like)
	}
	if more.Allowed != nil {
		if s.Allowed, err = ReadAllowList("fixture", more.Allowed); err != nil {
			t.Fatal(err)
		}
	}
	if more.Config != nil {
		var policies []byte
		if more.Config.Policies != "" {
			policies = []byte(more.Config.Policies)
		}
		if s.Config, err = agentplatform.Read("tools.yaml", []byte(more.Config.Tools), "tool_policies.yaml", policies); err != nil {
			t.Fatal(err)
		}
	}
	if more.Snapshot != nil {
		before, err := ReadTools("fixture", more.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		s.Snapshot = before.Tools
	}
	return s
}

func fixtures(t *testing.T) map[string]struct{ Violating, Clean json.RawMessage } {
	t.Helper()
	text, err := os.ReadFile("testdata/fixtures.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct{ Violating, Clean json.RawMessage }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every rule fails on what was made to break it, by its own level, and passes on what
// was made to keep it: with evidence, not for want of it.
func TestEveryRuleHasAViolatingAndACleanExample(t *testing.T) {
	d, all := builtinData(t), fixtures(t)
	rules := 0
	for _, p := range d.Platforms {
		for _, r := range p.Rules {
			rules++
			t.Run(r.ID, func(t *testing.T) {
				f, ok := all[r.ID]
				if !ok {
					t.Fatal("the rule has no fixtures")
				}
				o := Options{Now: r.Verified, Unproven: true}
				bad := judge(r, fixture(t, f.Violating), o)
				found := false
				for _, b := range bad {
					found = found || b.Verdict == conform.Fail && b.Severity == r.Level && b.Got != ""
				}
				if !found {
					t.Errorf("on the violating example: %+v", bad)
				}
				for _, g := range judge(r, fixture(t, f.Clean), o) {
					if g.Verdict != conform.Pass || g.Of == 0 {
						t.Errorf("on the clean example: %s: %s%s", g.Verdict, g.Got, g.Reason)
					}
				}
				// And without anything to look at it does not pass.
				if nothing := judge(r, &Subject{NamesOnly: true}, o); nothing[0].Verdict == conform.Pass && !strings.Contains("CS-TOOLS VS-128 CU-40 PO-COUNT", r.ID) {
					t.Errorf("on a server of which nothing is known: %s", nothing[0].Verdict)
				}
			})
		}
	}
	if rules != len(all) {
		t.Errorf("%d rules, and fixtures for %d", rules, len(all))
	}
}
