package house

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/baseline"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/platforms"
	"github.com/mcpconform/mcpconform/target"
)

// .ci/readme runs the two commands to the letter.
func TestTheReadmeSetsUpWithTwoCommands(t *testing.T) {
	_, after, found := strings.Cut(named(t, "README.md").text, "\n## Set up\n")
	if !found {
		t.Fatal("README.md has no section `Set up`")
	}
	m := fence.FindStringSubmatch(after)
	if want := "go run ./cmd/mcpconform run\ngo test -race -timeout 20m ./...\n"; m == nil || m[2] != want {
		t.Errorf("the first block under `Set up` is %q, want %q", m, want)
	}
}

func TestTargetFilesInTheDocumentsAreRead(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks("yaml") {
			if !strings.Contains("\n"+b.body, "\nversion: 1\n") {
				continue
			}
			everything := func(name string) (string, bool) { return "value-of-" + name, true }
			if strings.Contains(b.body, "\nworkload:\n") && !strings.Contains(b.body, "\noperations:\n") {
				if _, err := target.ParseWorkload(b.String(), []byte(b.body), everything); err != nil {
					t.Error(err)
				}
				continue
			}
			if strings.Contains(b.body, "\nplatform: ") {
				built, err := platforms.Builtin()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := built.With(b.String(), []byte(b.body)); err != nil {
					t.Error(err)
				}
				continue
			}
			if strings.Contains(b.body, "\nfailures:\n") {
				exists := func(id string) (bool, string) { _, err := suites.Find(id); return err == nil, "" }
				if _, err := baseline.Read(b.String(), []byte(b.body), exists); err != nil {
					t.Error(err)
				}
				continue
			}
			found++
			file, err := target.Parse(b.String(), []byte(b.body), everything)
			if err != nil {
				t.Error(err)
			} else if len(file.Operations) == 0 {
				t.Errorf("%s shows no operation", b)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d target files are shown", found)
	}
}

func TestScenarioFilesInTheDocumentsAreRead(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks("yaml") {
			if strings.HasPrefix(b.body, "name: ") && strings.Contains(b.body, "\nvariants:\n") {
				found++
				if _, err := scenarios.Parse(b.String(), []byte(b.body)); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no scenario file is shown")
	}
}

// An answer in contract.md is followed by the verdict that the tool gives it.
func TestAnswersInTheDocumentsAreJudgedAsTheySay(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks("json") {
			if !strings.Contains(b.body, `"tool_result"`) {
				continue
			}
			found++
			judged, err := runner.JudgeFile(strings.NewReader(b.body), b.String(), "")
			if err != nil {
				t.Errorf("%s: %v", b, err)
				continue
			}
			got := spoken(judged.Case)
			if d.name == "docs/contract.md" && !strings.HasPrefix(b.after, "\n\n"+got+"\n") {
				t.Errorf("%s: the tool says %q, the line below the example something else", b, got)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d answers are shown", found)
	}
}

func TestFindingsInTheDocumentsHaveTheMembersOfAReport(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks("json") {
			if !strings.Contains(b.body, `"reproduce"`) {
				continue
			}
			found++
			var f conform.Finding
			strict := json.NewDecoder(strings.NewReader(b.body))
			strict.DisallowUnknownFields()
			if err := strict.Decode(&f); err != nil {
				t.Errorf("%s: %v", b, err)
				continue
			}
			check, err := suites.Find(f.ID)
			if err != nil || check.Level != f.Level || check.Basis != f.Basis || check.Group != f.Group || check.Title != f.Title || check.Mend != f.Hint {
				t.Errorf("%s shows a finding of %s that the check would not write (%v)", b, f.ID, err)
			}
		}
	}
	if found == 0 {
		t.Error("no finding is shown")
	}
}

// spoken is a verdict in the words of contract.md; advice is left out.
func spoken(c *runner.CaseVerdict) string {
	status := "no status"
	if c.Status != nil {
		status = *c.Status
	}
	var broken []string
	for _, f := range c.Findings {
		if reports.ClassOf(f) != reports.ClassAdvice {
			broken = append(broken, f.ID)
		}
	}
	line := "Judged: " + c.Verdict + ", " + status
	if len(broken) > 0 {
		line += "; " + strings.Join(broken, ", ")
	}
	return line + "."
}

func TestProgramsInTheDocumentsCompile(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks("go") {
			if !strings.HasPrefix(b.body, "package main\n") {
				continue
			}
			found++
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(b.body), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "vet", file)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", b, err, out)
			}
		}
	}
	if found == 0 {
		t.Error("no program is shown")
	}
}

var (
	ruleID = regexp.MustCompile(`\b(?:ENV|RES|AGG|VAL|INP|WF|IDM|RO|LD|CON|EFF|PRO|SCOPE)-\d\d\b`)
	flagOf = regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]*)`)
)

func TestRulesNamedInTheDocumentsExist(t *testing.T) {
	known := map[string]bool{}
	for _, c := range suites.All() {
		known[c.ID] = true
	}
	for _, d := range documents(t) {
		for _, id := range ruleID.FindAllString(d.text, -1) {
			if !known[id] {
				t.Errorf("%s names %s, and there is no such rule", d.name, id)
			}
		}
	}
}

// Every command line in a block of the documents must be one that the program
// takes: its command and its flags are looked up in the program's own help.
func TestCommandLinesInTheDocumentsExist(t *testing.T) {
	program := filepath.Join(t.TempDir(), "mcpconform")
	build := exec.Command("go", "build", "-o", program, "./cmd/mcpconform")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	helps := map[string]string{}
	help := func(command string) string {
		if _, asked := helps[command]; !asked {
			out, err := exec.Command(program, command, "--help").Output()
			if err != nil || !strings.Contains(string(out), "mcpconform "+command) {
				out = nil
			}
			helps[command] = string(out)
		}
		return helps[command]
	}
	for _, d := range documents(t) {
		for _, b := range append(d.blocks("sh"), d.blocks("console")...) {
			for _, line := range strings.Split(b.body, "\n") {
				if b.language == "console" && !strings.HasPrefix(line, "$ ") || strings.HasPrefix(strings.TrimSpace(line), "#") {
					continue
				}
				for _, call := range strings.Split(line, "mcpconform ")[1:] {
					command, rest, _ := strings.Cut(strings.TrimSpace(call), " ")
					if !regexp.MustCompile(`^[a-z]+$`).MatchString(command) {
						continue
					}
					text := help(command)
					if text == "" {
						t.Errorf("%s: there is no command %q", b, command)
						continue
					}
					ours, _, _ := strings.Cut(rest+" ", " -- ")
					for _, m := range flagOf.FindAllStringSubmatch(ours, -1) {
						if !regexp.MustCompile(regexp.QuoteMeta(m[1]) + `\b`).MatchString(text) {
							t.Errorf("%s: %s has no flag %s", b, command, m[1])
						}
					}
				}
			}
		}
	}
}
