package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/tools/mutate/switches"
)

// suite is the tests of one package, compiled with the mutants of all.
type suite struct {
	path, dir, binary string
	flags             []string
	tests             []*test
}

// test is one test function, and what it could notice.
type test struct {
	name string
	took time.Duration
	// differs are the mutants that change something the test computes. No other
	// can make it fail.
	differs map[int]bool
}

// budget is how many switches a program may pass before it counts as one that
// never ends. No test comes near it.
const budget = 300_000_000

// ready compiles the tests of a package and finds out which mutants each of them
// could notice.
func ready(w *workshop, p pkg) (*suite, error) {
	s := &suite{path: p.path, dir: p.dir}
	if p.rapid {
		s.flags = append(s.flags, "-rapid.seed=20261201", "-rapid.nofailfile")
	}
	var err error
	if s.binary, err = w.compile(p.path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.binary); errors.Is(err, os.ErrNotExist) {
		return s, nil // it has no tests
	}
	out, err := s.command(context.Background(), "-test.list", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests of %s: %w", s.path, err)
	}
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); regexp.MustCompile(`^(Test|Fuzz|Example)\w*$`).MatchString(name) {
			t := &test{name: name}
			if err := s.watch(t, filepath.Join(w.dir, "met")); err != nil {
				return nil, err
			}
			s.tests = append(s.tests, t)
		}
	}
	slices.SortStableFunc(s.tests, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	return s, nil
}

func (s *suite) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), switches.EnvBudget+"="+strconv.Itoa(budget))
	return cmd
}

// watch plays a test with no mutant on and writes down which it meets.
func (s *suite) watch(t *test, into string) error {
	if err := os.RemoveAll(into); err != nil {
		return fmt.Errorf("clearing the list of mutants: %w", err)
	}
	cmd := s.command(context.Background(), append(s.flags, "-test.run", exactly(t))...)
	cmd.Env = append(cmd.Env, switches.EnvRecord+"="+into)
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s of %s fails without any mutant: %w\n%s", t.name, s.path, err, out)
	}
	t.took = time.Since(begun)
	met, err := os.ReadFile(into)
	if err != nil {
		return fmt.Errorf("reading which mutants %s met: %w", t.name, err)
	}
	t.differs = map[int]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(met)); lines.Scan(); {
		id, err := strconv.Atoi(lines.Text())
		if err != nil {
			return fmt.Errorf("reading which mutants %s met: %w", t.name, err)
		}
		t.differs[id] = true
	}
	return nil
}

func exactly(tests ...*test) string {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.name
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// notices plays the tests that could notice a mutant, the quick ones first, and
// tells whether one fails. met tells whether there was any such test.
func (s *suite) notices(ctx context.Context, id int) (noticed, met bool, err error) {
	const quick = 200 * time.Millisecond
	var parts [2][]*test
	var sum time.Duration
	for _, t := range s.tests {
		if !t.differs[id] {
			continue
		}
		part := 0
		if sum += t.took; sum > quick && len(parts[0]) > 0 {
			part = 1
		}
		parts[part] = append(parts[part], t)
	}
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		met = true
		if noticed, err = s.fails(ctx, id, part); noticed || err != nil {
			return noticed, met, err
		}
	}
	return false, met, nil
}

// fails plays tests with a mutant on.
func (s *suite) fails(ctx context.Context, id int, tests []*test) (bool, error) {
	patience := 10 * time.Second
	for _, t := range tests {
		patience += 20 * t.took
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := s.command(limited, append(s.flags, "-test.failfast", "-test.run", exactly(tests...))...)
	cmd.Env = append(cmd.Env, switches.EnvOn+"="+strconv.Itoa(id))
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		return false, nil
	case limited.Err() != nil, errors.As(err, &exit):
		return true, nil
	}
	return false, fmt.Errorf("playing tests of %s: %w", s.path, err)
}
