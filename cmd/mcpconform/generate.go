package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/generate"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// generateFlags say which batches are played that no scenario has.
type generateFlags struct {
	calls  int
	writes bool
	replay []string
	cases  string

	known []string // the cases that the file has
	found []runner.Smallest
}

func (f *generateFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.calls, "generate", 0, "make about `N` calls besides with batches that are made up, of operations that only read")
	flags.BoolVar(&f.writes, "generate-writes", false, "and of operations that write")
	flags.StringArrayVar(&f.replay, "replay", nil, "play only this generated batch, `CASE`, as a report has it (repeatable)")
	flags.StringVar(&f.cases, "cases", "", "play the generated batches in `FILE` first, and add to it those that --generate finds to fail")
}

// apply reads the file of cases, and says in the options what is played.
func (f *generateFlags) apply(o *runner.Options) error {
	switch {
	case f.calls < 0:
		return usage(fmt.Errorf("--generate %d: give how many calls are made", f.calls), "")
	case f.writes && f.calls == 0:
		return usage(errors.New("--generate-writes is given without --generate"), "say how many calls are made: --generate 1000 --generate-writes")
	case len(f.replay) > 0 && (f.calls > 0 || f.cases != ""):
		return usage(errors.New("--replay plays the cases that it names and no others"), "leave out --generate and --cases")
	}
	o.Generating = runner.Generating{Calls: f.calls, Writes: f.writes, Cases: f.replay, Only: len(f.replay) > 0}
	if f.cases == "" {
		return nil
	}
	text, err := os.ReadFile(f.cases)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || f.calls == 0) {
		return usage(fmt.Errorf("--cases: %w", err), "with --generate the file is made where there is none")
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) == "" {
			continue
		}
		c, err := generate.Parse(line)
		if err != nil {
			return usage(fmt.Errorf("%s:%d: %w", f.cases, i+1, err), "put each case on a line of its own, and remarks behind #")
		}
		f.known = append(f.known, c.String())
	}
	o.Generating.Cases = f.known
	o.Generating.Smallest = func(s runner.Smallest) { f.found = append(f.found, s) }
	return nil
}

// keep adds to the file what was found and is not there.
func (f *generateFlags) keep(w world) error {
	var lines strings.Builder
	added := 0
	for _, s := range f.found {
		if slices.Contains(f.known, s.Case) {
			continue
		}
		f.known = append(f.known, s.Case)
		fmt.Fprintf(&lines, "%s # %s\n", s.Case, s.Check)
		added++
	}
	if added == 0 {
		return nil
	}
	file, err := os.OpenFile(f.cases, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("adding to --cases: %w", err)
	}
	_, err = file.WriteString(lines.String())
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("adding to --cases: %w", err)
	}
	fmt.Fprintf(w.err, "%s added to %s\n", reports.Amount(added, "case was", "cases were"), f.cases)
	return nil
}
