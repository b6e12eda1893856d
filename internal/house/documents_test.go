package house

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

var update = flag.Bool("update", false, "rewrite docs/checks.md")

const root = "../.."

// document is a Markdown file of the repository, and its name from the root.
type document struct{ name, text string }

func documents(t *testing.T) []document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("docs holds no documents: %v", err)
	}
	var all []document
	for _, path := range append([]string{filepath.Join(root, "README.md")}, paths...) {
		all = append(all, document{strings.TrimPrefix(filepath.ToSlash(path), root+"/"), readText(t, path)})
	}
	return all
}

func named(t *testing.T, name string) document {
	t.Helper()
	return document{name, readText(t, filepath.Join(root, name))}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// block is one fenced block: its language, what it holds, and what follows it.
type block struct {
	document
	line           int
	language, body string
	after          string
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func (d document) blocks(language string) []block {
	var all []block
	for _, m := range fence.FindAllStringSubmatchIndex(d.text, -1) {
		b := block{document: d, line: strings.Count(d.text[:m[0]], "\n") + 1, language: d.text[m[2]:m[3]], body: d.text[m[4]:m[5]], after: d.text[m[1]:]}
		if b.language == language {
			all = append(all, b)
		}
	}
	return all
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.name, b.line) }

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksOfTheDocumentsResolve(t *testing.T) {
	for _, d := range documents(t) {
		prose := fence.ReplaceAllString(d.text, "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := d
			if path != "" {
				to.name = filepath.ToSlash(filepath.Join(filepath.Dir(d.name), path))
				if _, err := os.Stat(filepath.Join(root, to.name)); err != nil {
					t.Errorf("%s links to %s: %v", d.name, m[1], err)
					continue
				}
			}
			if anchor == "" {
				continue
			}
			if path != "" {
				to = named(t, to.name)
			}
			if !slices.Contains(anchors(to.text), anchor) {
				t.Errorf("%s links to %s, and there is no such heading", d.name, m[1])
			}
		}
	}
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names that Markdown hosts give to headings.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return all
}

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
			found++
			everything := func(name string) (string, bool) { return "value-of-" + name, true }
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

// unwanted are texts that belong to somebody's machine or to unfinished work.
// They are put together here, so that this file does not hold them.
var unwanted = func() []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, parts := range [][]string{
		{`\.\./sha`, `red\b`}, {`/wo`, `rk/`}, {`/tm`, `p/`}, {`/home/[a-z]`, `+/`}, {`/Use`, `rs/[a-z]+/`},
		{`\bTO`, `DO\b`}, {`\bFIX`, `ME\b`}, {`(?i)\bst`, `ubs?\b`}, {`(?i)\bfor n`, `ow\b`},
		{`(?i)placeholder imple`, `mentation`}, {`(?i)\bthis bri`, `ef\b`}, {`(?i)\bcoming so`, `on\b`}, {`(?i)\bnot yet imple`, `mented`},
		{`(?i)session hel`, `per`}, {`(?i)\bsuba`, `gent`}, {`(?i)\bwork t`, `ree\b`},
		{`(?i)registry\.npm`, `js`}, {`(?i)proxy\.go`, `lang`},
	} {
		all = append(all, regexp.MustCompile(strings.Join(parts, "")))
	}
	return all
}()

func TestNothingForeignStandsInTheRepository(t *testing.T) {
	looked := 0
	for _, name := range tracked(t) {
		if name == "LICENSE" || strings.HasSuffix(name, ".sum") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		looked++
		for number, line := range bytes.Split(text, []byte("\n")) {
			for _, pattern := range unwanted {
				if found := pattern.Find(line); found != nil {
					t.Errorf("%s:%d holds %q", name, number+1, found)
				}
			}
		}
	}
	if looked < 100 {
		t.Errorf("%d files were looked at", looked)
	}
}

// tracked gives the files of the repository: those that git knows, or, where the
// sources came without git, all that are there.
func tracked(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		list := exec.Command("git", "ls-files", "-z")
		list.Dir = root
		out, err := list.Output()
		if err != nil {
			t.Fatalf("git ls-files: %v", err)
		}
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
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
