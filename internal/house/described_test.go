package house

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
)

var update = flag.Bool("update", false, "rewrite docs/checks.md")

// TestTheListOfChecksIsCurrent rewrites docs/checks.md with -update.
func TestTheListOfChecksIsCurrent(t *testing.T) {
	want := listOfChecks(suites.All())
	path := filepath.Join(root, "docs", "checks.md")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := readText(t, path); got != want {
		t.Error("docs/checks.md is not current: go test ./internal/house -run ListOfChecks -update")
	}
}

func listOfChecks(all []conform.Check) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The checks\n\nThe catalogue `%s`, %d checks. This list is made from the code; `mcpconform explain ID` tells more of each:\n"+
		"the harm, the source, a good and a bad answer, and the mend.\n", suites.Open, len(all))
	for _, group := range conform.Groups() {
		begun := false
		for _, c := range all {
			if c.Group != group {
				continue
			}
			if !begun {
				begun = true
				fmt.Fprintf(&b, "\n## %s\n\n| id | level | basis | rule |\n|---|---|---|---|\n", group)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.ID, levelOf(c), c.Basis, strings.ReplaceAll(c.Text, "|", `\|`))
		}
	}
	return b.String()
}

func levelOf(c conform.Check) string {
	level := c.Level.String()
	if c.Level == conform.None {
		level = "none"
	}
	if c.If != "" {
		level += " (" + strings.TrimPrefix(c.If, "where ") + ")"
	}
	conditions := make([]string, 0, len(c.Raise))
	for condition, raised := range c.Raise {
		conditions = append(conditions, fmt.Sprintf("; %s with %s", raised, condition))
	}
	slices.Sort(conditions)
	return level + strings.Join(conditions, "")
}

func TestEveryScenarioIsDescribed(t *testing.T) {
	text := named(t, "docs/scenarios.md").text
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if !strings.Contains(text, "\n| `"+s.Name+"` |") {
			t.Errorf("docs/scenarios.md has no row for %s", s.Name)
		}
	}
}

func TestEveryMemberOfAReportIsDescribed(t *testing.T) {
	text := named(t, "docs/report.md").text
	var walk func(any)
	names := map[string]bool{}
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				for name := range properties {
					names[name] = true
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	var whole any
	if err := json.Unmarshal(reports.Schema(), &whole); err != nil {
		t.Fatal(err)
	}
	walk(whole)
	if len(names) < 50 {
		t.Fatalf("the schema names %d members", len(names))
	}
	for name := range names {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/report.md does not speak of `%s`", name)
		}
	}
}

// whole.yaml holds every key of a target file that is served.
func TestEveryKeyOfATargetFileIsDescribed(t *testing.T) {
	text := named(t, "docs/target-file.md").text
	whole := readText(t, filepath.Join(root, "target", "testdata", "whole.yaml"))
	// What the example sends and names, and so no keys of ours.
	free := []string{"customer_id", "channel", "limit", "verbose", "all", "fail_notification", "preview", "deep", "x"}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)(?:^ *|[{,] *)([a-z_]+):`).FindAllStringSubmatch(whole, -1) {
		if slices.Contains(free, m[1]) {
			continue
		}
		found++
		if !regexp.MustCompile("`(?:[a-z_]+\\.)*" + m[1] + "`").MatchString(text) {
			t.Errorf("docs/target-file.md does not speak of `%s`", m[1])
		}
	}
	if found < 40 {
		t.Errorf("whole.yaml shows %d keys", found)
	}
}

func TestEveryDirectDependencyIsExplained(t *testing.T) {
	text := named(t, "docs/dependencies.md").text
	direct := 0
	for _, line := range strings.Split(readText(t, filepath.Join(root, "go.mod")), "\n") {
		path, version, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found || !strings.HasPrefix(version, "v") || strings.Contains(version, "// indirect") {
			continue
		}
		direct++
		if !strings.Contains(text, "| `"+path+"` |") {
			t.Errorf("docs/dependencies.md has no row for %s", path)
		}
	}
	if direct == 0 {
		t.Error("go.mod names no dependency")
	}
}

// A document that shows a report shows one of this catalogue.
func TestDigestsInTheDocumentsAreCurrent(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, shown := range regexp.MustCompile(`sha256:[0-9a-f]{16}`).FindAllString(d.text, -1) {
			found++
			if digest := suites.Default().Digest(); shown != digest {
				t.Errorf("%s shows the catalogue as %s, and it is %s", d.name, shown, digest)
			}
		}
	}
	if found == 0 {
		t.Error("no document shows the catalogue's digest")
	}
}
