package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/fixtures/targets"
	"github.com/mcpconform/mcpconform/reports"
)

var productProbe = regexp.MustCompile(`probe: \{tool: get_(product|subscription)s, .*\}`)

// seenBy writes the fake backend's target file with other eyes: probe is the
// value of `probe`, in which KIND stands for what is looked at.
func seenBy(t *testing.T, probe string) string {
	t.Helper()
	text, err := targets.Read("fakebackend")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "target.yaml")
	changed := productProbe.ReplaceAllString(string(text), "probe: "+strings.ReplaceAll(probe, "KIND", "${1}s"))
	if strings.Contains(changed, "count: cancellations") {
		t.Fatal("a probe is still a tool")
	}
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// effectWords are the findings on effects, without the words on whose eyes saw
// them.
func effectWords(r reports.Report) string {
	eyes := regexp.MustCompile(`by the eyes of .*? \(up`)
	var list []string
	for _, f := range r.Findings {
		if f.Group == conform.GroupEffects || f.Group == conform.GroupConcurrency || f.ID == "VAL-05" || f.ID == "RO-01" {
			if f.ID == "CON-01" || f.ID == "CON-05" { // which of the calls is the last to store is luck
				list = append(list, fmt.Sprintf("%s %s %s", f.ID, f.Operation, f.Verdict))
				continue
			}
			list = append(list, fmt.Sprintf("%s %s %s %d/%d %s", f.ID, f.Operation, f.Verdict, f.Count, f.Of, strings.ReplaceAll(eyes.ReplaceAllString(f.Got, "by eyes (up"), " (counted 0)", "")))
		}
	}
	return strings.Join(list, "\n")
}

const (
	byHTTP    = `{http: {url: "/state?ids={ids}"}, path: "$.KIND[*]", id: id, state: status, done: [CANCELLED], settle: 100ms}`
	byTool    = `{tool: get_KIND, argument: ids, path: "$.KIND[*]", id: id, state: status, done: [CANCELLED], settle: 100ms}`
	byCommand = `{command: COMMAND, done: [CANCELLED], settle: 100ms}`
	// The same command's output as a text that nobody takes for JSON.
	byText = `{command: COMMAND, rows: {split: '[}],', id: '"id":"([^"]+)"', state: '"state":"([^"]+)"'}, id: id, done: [CANCELLED], settle: 100ms}`
)

// lateBy is how late the fake backend of --eventual shows what was done.
const lateBy = 1500 * time.Millisecond

// What must be seen: the fake backend without get_products, probed by a command
// and by HTTP, gives the same effect findings as its tools do.
func TestTheSameIsSeenByAllEyes(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "EFF-01/never-shows", "EFF-01/only-says-so", "CON-01/lost-update", "VAL-05/reserves"} {
		t.Run("fault "+fault, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state.json")
			program, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			command, err := json.Marshal([]string{program, "fakebackend", "--read-state", state})
			if err != nil {
				t.Fatal(err)
			}
			words := map[string]string{}
			for name, probe := range map[string]string{"tool": byTool, "http": byHTTP, "command": strings.Replace(byCommand, "COMMAND", string(command), 1),
				"text": strings.Replace(byText, "COMMAND", string(command), 1)} {
				o := fakebackend.Options{NoProbe: name != "tool", StateFile: state}
				var faults []string
				if fault != "" {
					faults = append(faults, fault)
				}
				running := backend(t, o, faults...)
				file := filepath.Join(t.TempDir(), "t.jsonl")
				args := []string{"--target", seenBy(t, probe), "--url", running.URL, "--allow-commands",
					"--seed", "4", "--operation", "cancel-products", "--scenario", "all-succeed/three,partial/bad-first,one-item,full-eligibility,concurrent/one-session,large-batches/25", "--transcript", file}
				r, got := run(t, args...)
				words[name] = effectWords(r)
				if whole := strings.Join(r.Notes, "\n"); (name == "tool") == strings.Contains(whole, "was read by") {
					t.Errorf("%s: the notes say of the eyes: %q", name, whole)
				}
				if again := mcpconform(t, "judge", "--format", "json", file); again.out != got.out {
					t.Errorf("%s: judge differs: %s", name, firstDifference(got.out, again.out))
				}
				if fault == "" && len(failing(r)) > 0 {
					t.Errorf("%s accuses the good server: %v", name, failing(r))
				}
			}
			for name, told := range words {
				if told != words["tool"] {
					t.Errorf("by %s:\n%s\nby the tool:\n%s", name, told, words["tool"])
				}
			}
			if id, _, _ := strings.Cut(fault, "/"); fault != "" && !regexp.MustCompile(`(?m)^`+id+` \S+ fail`).MatchString(words["http"]) {
				t.Errorf("the fault is not seen:\n%s", words["http"])
			}
		})
	}
}

// The effect log of the fake backend counts what no state shows: that a thing was done
// twice, by one call or by several at once.
func TestTheLogSeesWhatIsDoneTwice(t *testing.T) {
	t.Parallel()
	const byLog = `{http: {url: "/effects?ids={ids}"}, path: "$.items[*]", id: id, state: done, count: times, done: [true], settle: 100ms}`
	for fault, wanted := range map[string]string{"": "", "EFF-03/twice": "EFF-03", "CON-02/check-then-act": "CON-02", "CON-04/once-more": "CON-04", "IDM-05/race": "IDM-05"} {
		t.Run("fault "+fault, func(t *testing.T) {
			var faults []string
			if fault != "" {
				faults = append(faults, fault)
			}
			running := backend(t, fakebackend.Options{NoProbe: true}, faults...)
			r, _ := run(t, "--target", seenBy(t, byLog), "--url", running.URL, "--seed", "4", "--operation", "cancel-products",
				"--scenario", "all-succeed/three,concurrent/one-session,concurrent-same,concurrent-key")
			seen := failing(r)
			for _, f := range findings(r, wanted, "cancel-products") {
				if f.Verdict != conform.Fail {
					t.Errorf("%s: %s %s", wanted, f.Verdict, f.Reason)
				}
			}
			if wanted == "" && len(seen) > 0 || wanted != "" && len(findings(r, wanted, "cancel-products")) != 1 {
				t.Errorf("failing: %v, and %q is due", seen, wanted)
			}
			if f := findings(r, "EFF-03", "cancel-products"); wanted == "" && (len(f) != 1 || f[0].Verdict != conform.Pass) {
				t.Errorf("EFF-03: %+v", f)
			}
		})
	}
}

func TestALateEffectIsNoFault(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{VisibleAfter: lateBy})
	r, _ := run(t, onBackend(running.URL, "--operation", "cancel-products", "--scenario", "all-succeed/three,partial/bad-first,concurrent/one-session", "--seed", "4")...)
	if len(failing(r)) > 0 {
		t.Errorf("failing %v at the default settle time", failing(r))
	}
	for _, f := range findings(r, "EFF-01", "cancel-products") {
		if f.Verdict != conform.Pass {
			t.Errorf("EFF-01: %s %s %s", f.Verdict, f.Got, f.Reason)
		}
	}
}

func TestAnEffectThatNeverShowsIsOne(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{VisibleAfter: fakebackend.Never})
	r, _ := run(t, onBackend(running.URL, "--operation", "cancel-products", "--scenario", "all-succeed/three", "--seed", "4")...)
	for _, f := range findings(r, "EFF-01", "cancel-products") {
		if f.Verdict != conform.Fail || !strings.Contains(f.Got, "up to 2s were waited") {
			t.Errorf("EFF-01: %s %q %s", f.Verdict, f.Got, f.Reason)
		}
	}
}

func TestASharedTargetIsAccusedOfNothing(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]fakebackend.SecondWriter{"every third call": {EveryCalls: 3}, "every tenth call": {EveryCalls: 10}} {
		t.Run(name, func(t *testing.T) {
			running := backend(t, fakebackend.Options{SecondWriter: second})
			file := filepath.Join(t.TempDir(), "t.jsonl")
			r, got := run(t, "--target", seenBy(t, byTool), "--url", running.URL, "--seed", "4", "--transcript", file,
				"--scenario", "all-succeed,partial,all-fail,one-item,full-eligibility,retry,duplicates,concurrent")
			if len(failing(r)) > 0 {
				t.Errorf("failing %v", failing(r))
			}
			told := 0
			for _, f := range r.Findings {
				if strings.HasPrefix(f.Reason, "shared target: ") {
					told++
					if f.Verdict != conform.Inconclusive {
						t.Errorf("%s: %s", f.ID, f.Verdict)
					}
				}
			}
			if told < 3 || r.Verdict != reports.Incomplete || got.code != 3 {
				t.Errorf("%d findings tell of the shared target; verdict %s, exit %d", told, r.Verdict, got.code)
			}
			if again := mcpconform(t, "judge", "--format", "json", file); again.out != got.out {
				t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
			}
		})
	}
}

func TestCommandsFromElsewhereAreNotRun(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	file := seenBy(t, `{command: [/bin/echo, "[]"]}`)
	got := mcpconform(t, "run", "--target", file, "--url", running.URL).exits(t, 2)
	says(t, "stderr", got.err, file+":", "not in the working tree", "--allow-commands")
}
