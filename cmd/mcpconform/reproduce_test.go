package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// shellWords splits a line as a shell would, as far as the tool's own lines need it.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	var word strings.Builder
	quoted, open := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, open = !quoted, true
		case c == '\\' && !quoted && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			open = true
		case c == ' ' && !quoted:
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		case strings.IndexByte("\"$`&|;<>(){}[]*?#~!", c) >= 0 && !quoted:
			t.Fatalf("a shell would do something with the %q of %s", c, line)
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quoted {
		t.Fatalf("a quote is left open in %s", line)
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// reproduced takes the reproduce line of each failed rule, advice left aside, and
// types it. It gives the rules' ids. Of a server that is wrong when calls are in flight
// together it is the order of the calls that says what follows from its fault, so that
// only the rule that it breaks is shown again each time.
func reproduced(t *testing.T, only string, args ...string) (ids []string) {
	t.Helper()
	r, _ := run(t, args...)
	for _, f := range r.Findings {
		if f.Verdict != conform.Fail || f.Level < conform.Should || only != "" && f.ID != only {
			continue
		}
		words := shellWords(t, f.Reproduce)
		if len(words) < 3 || words[0] != "mcpconform" || words[1] != "run" {
			t.Errorf("%s on %q: the line is %q", f.ID, f.Operation, f.Reproduce)
			continue
		}
		ids = append(ids, f.ID)
		again, _ := run(t, words[2:]...)
		found := findings(again, f.ID, f.Operation)
		if len(found) != 1 || found[0].Verdict != conform.Fail {
			t.Errorf("%s on %q failed in %s (%s); %s\ngives %v", f.ID, f.Operation, f.Scenario, f.Got, f.Reproduce, found)
			continue
		}
		if again.Summary.Fail+again.Summary.Warning+again.Summary.Advice == 0 {
			t.Errorf("%s: the summary counts nothing: %+v", f.ID, again.Summary)
		}
	}
	return ids
}

func TestReproduceLinesShowTheSameFailureAgain(t *testing.T) {
	t.Parallel()
	for fault, scenarios := range map[string]string{
		"ENV-01/bare-array":        "partial/bad-first",
		"RES-02/drops-failed":      "partial/bad-first",
		"RES-13/no-row":            "one-item",
		"AGG-02/all-or-nothing":    "partial/bad-first",
		"VAL-03/one-bad-sinks-all": "partial-eligibility",
		"INP-05/ok-for-nothing":    "empty-collection",
		"WF-02/flips":              "workflow",
		"IDM-01/executes-again":    "replay",
		"EFF-01/only-says-so":      "all-succeed",
		"RO-01/fails-as-a-whole":   "read-only-bulk",
		"CON-01/lost-update":       "concurrent",
		"LD-01/shared-buffer":      "concurrent",
		"PRO-07/version-1":         "partial/bad-first",
		"PRO-13/name-twice":        "partial/bad-first",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			server := backend(t, noOptions, fault)
			check, _, _ := strings.Cut(fault, "/")
			only := ""
			if scenarios == "concurrent" {
				only = check
			}
			ids := reproduced(t, only, onBackend(server.URL, "--seed", "9", "--scenario", scenarios, "--protocol", "2025-11-25")...)
			if !slices.Contains(ids, check) {
				t.Errorf("%s does not fail: %v", check, ids)
			}
		})
	}
	t.Run("over stdio", func(t *testing.T) {
		t.Parallel()
		words := cell{stdio: true}.server(t, []string{"AGG-02/all-or-nothing"})
		ids := reproduced(t, "", append([]string{"--target", "builtin:fakebackend", "--scenario", "partial/bad-first", "--operation", "cancel-products"}, words...)...)
		if !slices.Contains(ids, "AGG-02") {
			t.Errorf("AGG-02 does not fail: %v", ids)
		}
	})
}

func TestWordsSurviveAShell(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"plain", "two words", "it's", `back\slash`, "$HOME", "*", "", "a;b", "~", "#x", "\"q\"", "a\tb"} {
		if got := shellWords(t, "x "+conform.ShellWord(word)); len(got) != 2 || got[1] != word {
			t.Errorf("%q is written %s, and read as %q", word, conform.ShellWord(word), got)
		}
	}
}
