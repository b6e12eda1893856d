package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/selftest"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

// row is what became of one fault over one transport.
type row struct {
	play
	level        conform.Level // of the heaviest rule that it breaks
	exit, strict int           // strict is -1 where it was not played
	finding      conform.Finding
	problems     []string
}

// row plays a fault: once, and once more with --strict where that must change
// the exit code or must not.
func (p play) row(ctx context.Context, binary string, scenarios []string) row {
	r := row{play: p, strict: -1}
	check, err := suites.Find(p.fault.Check)
	if err != nil {
		r.problems = append(r.problems, err.Error())
		return r
	}
	report, exit, err := p.run(ctx, binary, scenarios, false)
	if err != nil {
		r.problems = append(r.problems, err.Error())
		return r
	}
	r.exit = exit
	found := false
	for _, f := range report.Findings {
		if f.Verdict != conform.Fail {
			continue
		}
		// What follows from the fault counts as well: it breaks the heaviest rule
		// of all that it breaks. That nothing else is accused is selftest's part.
		if f.ID == check.ID || f.ConsequenceOf != "" || slices.Contains(p.fault.Consequences, f.ID) {
			r.level = max(r.level, f.Level)
		}
		// Where it fails on several operations, the first speaks for all.
		if f.ID == check.ID && f.ConsequenceOf == "" && !found {
			r.finding, found = f, true
		}
	}
	if !found {
		r.problems = append(r.problems, "its check does not fail")
	}
	if r.level != conform.Must {
		if _, r.strict, err = p.run(ctx, binary, scenarios, true); err != nil {
			r.problems = append(r.problems, err.Error())
		}
	}
	r.judge(found)
	return r
}

// unseen are the faults that hide what other MUSTs are about: nothing failed,
// and something that matters could not be verified. Each with the reason.
var unseen = map[string]string{
	"RES-09/neighbours-id":     "whether the right items succeeded cannot be told from rows that name two items each",
	"LD-02/task-never-ends":    "what an answer says that nobody waited for is not known",
	"EFF-03/twice":             "what calls in flight together do cannot be told from what each of them does alone (CON-04, CON-05)",
	"IDM-03/redoes-all":        "what calls in flight together do cannot be told from what each of them does alone (CON-02, CON-05)",
	"SCOPE-03/has-a-validator": "the validator that the file does not speak of is a tool left out, too (SCOPE-01)",
}

// judge compares with what the level asks for.
func (r *row) judge(found bool) {
	want, strict := 0, -1
	switch r.level {
	case conform.Must:
		want = 1
	case conform.Should:
		strict = 1
	default:
		strict = 0
	}
	if unseen[r.fault.ID] != "" {
		want = 3
	}
	if r.exit != want {
		r.problems = append(r.problems, fmt.Sprintf("a %s: exit %d, and %d is due", r.level, r.exit, want))
	}
	if r.strict != strict {
		r.problems = append(r.problems, fmt.Sprintf("a %s: exit %d with --strict, and %d is due", r.level, r.strict, strict))
	}
	if !found {
		return
	}
	f := r.finding
	for what, missing := range map[string]bool{
		"what was wanted": f.Want == "", "what came": f.Got == "", "how to mend it": f.Hint == "",
		"where the rule stands": f.Source == "", "why it matters": f.Impact == "",
		"the bytes": len(f.Evidence) == 0, "how to see it again": f.Reproduce == "",
	} {
		if missing {
			r.problems = append(r.problems, "the finding does not say "+what)
		}
	}
}

// run plays a fault with the program's own `run`.
func (p play) run(ctx context.Context, binary string, scenarios []string, strict bool) (reports.Report, int, error) {
	setup := selftest.SetupOf(p.fault)
	serve := append([]string{"fakebackend", "--fault", p.fault.ID}, setup.Flags...)
	if setup.Shape != "" {
		serve = append(serve, "--shape", string(setup.Shape))
	}
	args := []string{"run", "--quiet", "--format", "json", "--seed", "1", "--timeout", setup.Patience.String(), "--catalogue", suites.Open, "--target", setup.Target}
	if setup.Scenarios != nil {
		scenarios = setup.Scenarios
	}
	for _, s := range scenarios {
		args = append(args, "--scenario", s)
	}
	for _, o := range setup.Operations {
		args = append(args, "--operation", o)
	}
	if setup.Protocol != "" {
		args = append(args, "--protocol", setup.Protocol)
	}
	if strict {
		args = append(args, "--strict")
	}
	if p.over == fakebackend.Stdio {
		args = append(append(append(args, "--", binary), serve...), "--stdio")
	} else {
		url, stop, err := listen(ctx, binary, append(serve, "--http", "127.0.0.1:0"))
		if err != nil {
			return reports.Report{}, 0, err
		}
		defer stop()
		args = append(args, "--url", url)
	}
	var report reports.Report
	var said, trouble bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &said, &trouble
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return report, 0, err
	}
	if err := json.Unmarshal(said.Bytes(), &report); err != nil {
		return report, 0, fmt.Errorf("its report does not read (%w): %s", err, trouble.String())
	}
	return report, cmd.ProcessState.ExitCode(), nil
}

// listen starts the backend as a child and waits for the line with its URL.
func listen(ctx context.Context, binary string, args []string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended of itself
		_ = cmd.Wait()         // it was killed, so this is an error
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("the backend did not say where it listens: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}

func code(exit int) string {
	if exit < 0 {
		return "-"
	}
	return strconv.Itoa(exit)
}
