package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite docs/calibration.md")

// The whole comparison, as a command of its own: with the race detector in it the
// test would take minutes more and see nothing more. On a laptop without npm or
// without a registry the test is skipped; in CI that is a failure, for nobody would
// see it.
func TestTheKeptResultIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes minutes")
	}
	program := filepath.Join(t.TempDir(), "calibrate")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"-check"}
	if *update {
		args = []string{"-o", document}
	}
	if folder := os.Getenv("MCPCONFORM_CALIBRATION"); folder != "" {
		args = append(args, "-install", folder)
	}
	ctx := t.Context()
	if end, limited := t.Deadline(); limited {
		// Ended before the test is, it still removes what it made.
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-30*time.Second))
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Dir = filepath.Join("..", "..", "..")
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI is set, and the comparison with the official suite cannot be made:\n%s", said.String())
		}
		t.Skipf("skipped: needs npm and a registry that answers:\n%s", said.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	t.Log(lastLine(said.String()))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func TestWrongFlagsAreTold(t *testing.T) {
	for _, args := range [][]string{{"-no-such-flag"}, {"docs/calibration.md"}} {
		var out, said bytes.Buffer
		if code := run(args, &out, &said); code != 2 || said.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q", args, code, said.String())
		}
	}
}

func TestAServerThatEndsIsNotWaitedFor(t *testing.T) {
	tool := &tools{env: os.Environ()}
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.startProcess(t.Context(), address, nil, os.Args[0], "-test.run=^$"); err == nil || !strings.Contains(err.Error(), "ended before it was ready") {
		t.Errorf("%v", err)
	}
	if _, err := tool.startProcess(t.Context(), address, nil, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a program that there is not was started")
	}
}

func TestVersionsOfNode(t *testing.T) {
	for text, want := range map[string]int{"v22.23.5\n": 22, "v8.0.0": 8, "24.1.0": 24} {
		if got, err := majorOf(text); got != want || err != nil {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	if _, err := majorOf("next"); err == nil {
		t.Error("next is no version")
	}
}

func TestTheEnvironmentLeadsNoTrafficAway(t *testing.T) {
	got := quiet([]string{"PATH=/bin", "http_proxy=http://a", "HTTPS_PROXY=b", "NODE_OPTIONS=-r x", "PORT=1"})
	if strings.Join(got, " ") != "PATH=/bin PORT=1" {
		t.Errorf("%v", got)
	}
}

func TestTheDocumentSaysEachDifference(t *testing.T) {
	rules := sample(t)
	settled := Comparison{Server: "shop", Revision: handshake, Rule: "gone", Theirs: Pass, Ours: Fail, Triage: TheirsIsWrong, Reason: "it does | not look", Source: "somewhere"}
	open := Comparison{Server: "shed", Revision: handshake, Rule: "answered", Theirs: Fail, Ours: Pass}
	r := &Report{Suite: rules.Suite, rules: rules, Comparisons: []Comparison{settled, open}, Problems: []string{"one"}, Heard: []Heard{
		heard(Good, but(theyPass, "lifecycle/extra", Unverified), but(wePass, "PRO-12", Fail)), heard(Closed, nil, nil),
	}}
	text := string(r.markdown())
	for _, want := range []string{
		"2 servers, 2 comparisons: 0 agree, 0 not comparable, 2 differ (theirs 1, ambiguous 0, untriaged 1); 1 problem",
		`| gone | shop at 2025-11-25 | pass | fail | theirs | it does \| not look | somewhere |`,
		"| answered | shed at 2025-11-25 | fail | pass | untriaged |",
		"| shop | 2025-11-25 | | ✓✗ theirs |",
		"| `lifecycle/extra` | shop at 2025-11-25: not verified | we have none |",
		"| PRO-12 | shop | it has none |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document does not say %q:\n%s", want, text)
		}
	}
	if again := string(r.markdown()); again != text {
		t.Error("the document is another one the second time")
	}
}

func TestTheReportGoesWhereItIsAskedFor(t *testing.T) {
	r := &Report{Suite: "s", rules: sample(t), Comparisons: []Comparison{}, Problems: []string{}}
	folder := t.TempDir()
	for name, begins := range map[string]string{"r.md": "# Calibration", "r.json": "{"} {
		path := filepath.Join(folder, name)
		if err := put(r, path, false, nil); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s begins %.20q, %v", name, text, err)
		}
	}
	var out bytes.Buffer
	if err := put(r, "", false, &out); err != nil || !strings.HasPrefix(out.String(), "# Calibration") {
		t.Errorf("%q, %v", out.String(), err)
	}
	t.Chdir(folder)
	if err := os.MkdirAll("docs", 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{out.String(): "", "old": "out of date"} {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := put(r, "", true, nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, wanted %q", err, want)
		}
	}
}
