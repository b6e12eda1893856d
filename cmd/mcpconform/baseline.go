package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/baseline"
	"github.com/mcpconform/mcpconform/internal/near"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

// usualBaseline is the file that `baseline write` writes unless another is named.
const usualBaseline = "mcpconform-baseline.yaml"

func newBaseline(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Keep what a server is known to break",
		Long: `A baseline lists the failures that a server is known to have, each with a reason.
With run --baseline FILE a CI job is red for what is new, and for what is mended
and still listed, and for nothing else.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage(errors.New("baseline needs a word: write"), "mcpconform baseline write report.json")
		},
	}
	cmd.AddCommand(newBaselineWrite(w))
	return cmd
}

func newBaselineWrite(w world) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "write REPORT",
		Short: "Write the baseline of a report",
		Long: `write makes a baseline of what failed in a report (run --output json=REPORT). Entries
of an older file that still hold stay as they are written, with their comments;
what is mended goes; what is new is added, for you to say why.`,
		Example: `  mcpconform run --target accounts.yaml --output json=report.json
  mcpconform baseline write report.json
  mcpconform run --target accounts.yaml --baseline mcpconform-baseline.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("baseline write needs one report"), "make it with mcpconform run --output json=report.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return writeBaseline(args[0], to, w) },
	}
	cmd.Flags().StringVar(&to, "file", usualBaseline, "the baseline, which is made or brought up to date: `FILE`")
	return cmd
}

func writeBaseline(from, to string, w world) error {
	report, err := os.Open(from)
	if err != nil {
		return usage(err, "make a report with mcpconform run --output json=report.json")
	}
	defer report.Close()
	r, err := reports.Read(report)
	if err != nil {
		return usage(fmt.Errorf("%s is no report: %w", from, err), "make one with mcpconform run --output json=report.json")
	}
	var old *baseline.File
	before, err := os.ReadFile(to)
	switch {
	case err == nil:
		if old, err = baseline.Read(to, before, knownCheck); err != nil {
			return usage(err, "")
		}
	case !errors.Is(err, fs.ErrNotExist):
		return usage(err, "")
	}
	after, changes, err := baseline.Write(&r, old, before, time.Now())
	if err != nil {
		return usage(err, "")
	}
	if err := writeWhole(to, after); err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("writing %s: %w", to, err)}
	}
	fmt.Fprintf(w.out, "%s: %s kept, %d added, %d removed\n", to, reports.Amount(len(changes.Kept), "entry", "entries"), len(changes.Added), len(changes.Removed))
	for _, list := range []struct {
		sign  string
		names []string
	}{{"+", changes.Added}, {"-", changes.Removed}} {
		for _, name := range list.names {
			fmt.Fprintln(w.out, "  "+list.sign+" "+reports.Shown(name))
		}
	}
	for _, ended := range changes.Ended {
		fmt.Fprintln(w.out, "  ! "+reports.Shown(ended))
	}
	return nil
}

// readBaseline reads --baseline; nil where there is none.
func readBaseline(path string) (*baseline.File, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage(fmt.Errorf("--baseline: %w", err), "mcpconform baseline write makes one of a report")
	}
	f, err := baseline.Read(path, text, knownCheck)
	if err != nil {
		return nil, usage(err, "")
	}
	return f, nil
}

// knownCheck tells whether there is a check, and which one is near if there is none.
func knownCheck(id string) (bool, string) {
	if _, err := suites.Find(id); err == nil {
		return true, ""
	}
	if _, err := suites.Find(strings.ToUpper(id)); err == nil {
		return false, strings.ToUpper(id)
	}
	var ids []string
	for _, c := range suites.All() {
		ids = append(ids, c.ID)
	}
	return false, near.Word(strings.ToUpper(id), ids)
}
