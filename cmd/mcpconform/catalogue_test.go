package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
)

func TestTheSetsOfTheCatalogue(t *testing.T) {
	t.Parallel()
	open := suites.OpenSet()
	t.Run("as text", func(t *testing.T) {
		says(t, "catalogue list", mcpconform(t, "catalogue", "list").exits(t, 0).out, open.Name, open.Digest(), "open", "used where no set is named")
	})
	t.Run("as JSON", func(t *testing.T) {
		var lines []setLine
		if err := json.Unmarshal([]byte(mcpconform(t, "catalogue", "list", "--format", "json").exits(t, 0).out), &lines); err != nil {
			t.Fatal(err)
		}
		last := lines[len(lines)-1]
		if last != (setLine{open.Name, open.Digest(), len(suites.All()), true, suites.Default().Name == open.Name}) {
			t.Errorf("%+v", last)
		}
	})
	t.Run("between two", func(t *testing.T) {
		says(t, "catalogue diff", mcpconform(t, "catalogue", "diff", open.Name, open.Name).exits(t, 0).out, "from "+open.Name, "0 of ")
		if got := strings.TrimSpace(mcpconform(t, "catalogue", "diff", open.Name, open.Name, "--format", "json").exits(t, 0).out); got != "[]" {
			t.Errorf("%s", got)
		}
	})
	for _, wrong := range [][]string{
		{"catalogue", "diff", open.Name}, {"catalogue", "diff", open.Name, "1999-01"}, {"catalogue", "list", "--format", "yaml"},
		{"catalogue", "diff", open.Name, open.Name, "--format", "yaml"}, {"catalogue", "freeze"},
	} {
		mcpconform(t, wrong...).exits(t, 2)
	}
}

func TestChangesBetweenSetsAreTold(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	from, to := suites.OpenSet(), suites.OpenSet()
	from.Name, to.Rules = "2020-01", append([]suites.Rule{}, to.Rules...)
	to.Rules[0].Level = conform.May
	to.Rules[1].Text = strings.Repeat("another meaning ", 10)
	if err := writeChanges(world{out: &out}, from, to, suites.Diff(from, to)); err != nil {
		t.Fatal(err)
	}
	says(t, "changes", out.String(), "from 2020-01 (sha256:", to.Rules[0].ID+"  level\n  was  MUST\n  is   MAY\n", to.Rules[1].ID+"  meaning\n  was  ", "\n       ", "2 of ")
}

func TestASetIsChosen(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "t.jsonl")
	args := []string{"run", "--effort", "quick", "--operation", "query-orders", "--scenario", "all-succeed/*", "--format", "json"}
	mcpconform(t, append(args, "--catalogue", suites.Open, "--transcript", record)...).exits(t, 0)
	mcpconform(t, "judge", record, "--catalogue", suites.Open).exits(t, 0)
	says(t, "list", mcpconform(t, "list", "checks", "--catalogue", suites.Open).exits(t, 0).out, "checks in the set "+suites.Open)

	answer := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(answer, []byte(`{"request_items":["a"],"tool_result":{"content":[],"structuredContent":{"results":[{"id":"a","success":true}]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, unknown := range [][]string{
		append(args, "--catalogue", "1999-01"), {"judge", record, "--catalogue", "1999-01"}, {"judge", answer, "--catalogue", "1999-01"},
		{"plan", "--catalogue", "1999-01"}, {"list", "--catalogue", "1999-01"},
	} {
		says(t, strings.Join(unknown, " "), mcpconform(t, unknown...).exits(t, 2).err, `called "1999-01"`, suites.Open, "catalogue list")
	}

	// A recording of a set that this version does not have is not judged by another
	// one unasked.
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "foreign.jsonl")
	if err := os.WriteFile(foreign, []byte(strings.Replace(string(text), suites.Open, "1999-01", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, "judge", mcpconform(t, "judge", foreign).exits(t, 2).err, `called "1999-01"`)
	mcpconform(t, "judge", foreign, "--catalogue", suites.Open).exits(t, 0)
}
