package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// perScenario is how long the suite waits for one scenario.
	perScenario = 20 * time.Second
	// perSuite bounds one run of the suite; what it has not written by then is not
	// verified.
	perSuite = 2 * time.Minute
)

// official runs the suite against a server and reads what it wrote. Where the
// server names scenarios, only these are run, one by one; else the whole
// requirement set of the revision, which is one process and so much faster, and of
// which the scenarios of the table are read.
func (t *tools) official(ctx context.Context, s Server, url string, rules *Rules, h *Heard) error {
	out, err := os.MkdirTemp(t.scratch, "suite-*")
	if err != nil {
		return fmt.Errorf("making a folder for the suite's results: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, perSuite)
	defer cancel()
	args := []string{t.suite, "server", "--url", url, "--timeout", fmt.Sprint(cmp.Or(s.patience, perScenario).Milliseconds()), "-o", out}
	if len(s.scenarios) == 0 {
		err = t.run(ctx, append(args, "--requirements", s.Revision))
	}
	for _, name := range s.scenarios {
		err = errors.Join(err, t.run(ctx, append(args, "--spec-version", s.Revision, "--scenario", name)))
	}
	if err != nil {
		return fmt.Errorf("running the suite against %s: %w", s.Name, err)
	}
	return readResults(out, s.Revision, rules, h)
}

// run runs the suite once. Its exit code is 1 for anything at all, so only what it
// wrote counts.
func (t *tools) run(ctx context.Context, args []string) error {
	cmd := exec.CommandContext(ctx, t.node, args...)
	cmd.Env = t.env
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.As(err, &exit) && (exit.ExitCode() == 1 || ctx.Err() != nil):
		return nil
	}
	return err
}

// resultFolder is how the suite names the folder of one scenario's results.
var resultFolder = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z$`)

// readResults reads the results of the scenarios of the table into h.
func readResults(folder, revision string, rules *Rules, h *Heard) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("reading the suite's results: %w", err)
	}
	read := map[string]bool{}
	for _, e := range entries {
		m := resultFolder.FindStringSubmatch(e.Name())
		if m == nil || !slices.Contains(rules.Scenarios[revision], m[1]) {
			continue
		}
		if read[m[1]] {
			return fmt.Errorf("the suite's results hold scenario %s twice", m[1])
		}
		read[m[1]] = true
		if err := readScenario(filepath.Join(folder, e.Name(), "checks.json"), m[1], revision, rules, h); err != nil {
			return fmt.Errorf("scenario %s: %w", m[1], err)
		}
	}
	return nil
}

func readScenario(path, scenario, revision string, rules *Rules, h *Heard) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it ended before it wrote anything: its checks are absent
	}
	if err != nil {
		return err
	}
	defer file.Close()
	checks, err := readChecks(file)
	if err != nil {
		return err
	}
	h.hear(scenario, revision, checks, rules)
	return nil
}

// hear puts the results of one scenario into h. A check may be told several times
// under one id, once for each thing that was asked.
func (h *Heard) hear(scenario, revision string, checks []check, rules *Rules) {
	parts := map[string][]Verdict{}
	for _, c := range checks {
		name := scenario + "/" + c.ID
		if slices.Contains(rules.NoEvidence, c.ID) || slices.Contains(rules.Instead, c.ID) {
			continue
		}
		if !rules.knows(revision, scenario, c.ID) {
			if !slices.Contains(h.unknown, name) {
				h.unknown = append(h.unknown, name)
			}
			continue
		}
		v, _ := c.verdict() // readChecks has seen the status
		parts[name] = append(parts[name], v)
		if v == Fail && h.messages[name] == "" {
			h.messages[name] = oneLine(c.Message)
		}
	}
	for name, list := range parts {
		h.Theirs[name] = whole(list)
	}
}

// oneLine makes a message fit for a line of a report.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200]) + "…"
	}
	return text
}
