package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

func newJudge(w world) *cobra.Command {
	var out outputFlags
	var catalogue, known string
	cmd := &cobra.Command{
		Use:   "judge FILE...",
		Short: "Judge recorded transcripts or answers, without a server",
		Long: `judge reads a transcript (run --transcript FILE) and gives the findings of the
run that wrote it; or answer cases, each one JSON file:

  {"request_items": [...], "tool_result": {...}, "output_schema": {...},
   "protocol_version": "2025-11-25", "tool": "cancel_products"}

For answer cases --format json prints one line a case. Several files must be
all transcripts or all answer cases.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("judge needs a file"), "a transcript (run --transcript FILE) or an answer case")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return judgeFiles(args, catalogue, known, out, w) },
	}
	out.declare(cmd)
	cmd.Flags().StringVar(&catalogue, "catalogue", "", "judge by the catalogue `SET` (default: the set of the run that was recorded)")
	cmd.Flags().StringVar(&known, "baseline", "", "known failures: exit 1 for what is not in `FILE`, or no longer so (see mcpconform baseline)")
	return cmd
}

func judgeFiles(paths []string, catalogue, baseline string, flags outputFlags, w world) error {
	evidence, err := flags.evidence()
	if err != nil {
		return err
	}
	known, err := readBaseline(baseline)
	if err != nil {
		return err
	}
	var judged []*runner.Judged
	for _, path := range paths {
		j, err := judgeFile(path, catalogue)
		if err != nil {
			return err
		}
		j.Quote(evidence)
		judged = append(judged, j)
	}
	cases := 0
	for _, j := range judged {
		if j.Case != nil {
			cases++
		}
	}
	switch {
	case cases == 0 && len(judged) == 1:
		out, err := flags.open(w)
		if err != nil {
			return err
		}
		if known != nil {
			known.Apply(judged[0].Report, time.Now())
		}
		if err := out.write(*judged[0].Report); err != nil {
			return err
		}
		if code := judged[0].Report.ExitCode(); code != 0 {
			return &exitError{code: code}
		}
		return nil
	case cases < len(judged):
		return usage(errors.New("judge takes one transcript, or several answer cases"), "judge transcripts one at a time")
	}
	if known != nil {
		return usage(errors.New("--baseline is for a transcript"), "leave it out for answer cases")
	}
	var lines []runner.CaseVerdict
	bad := false
	for _, j := range judged {
		lines = append(lines, *j.Case)
		bad = bad || j.Case.Verdict == "nonconformant"
	}
	if err := writeCases(w, lines, flags.format); err != nil {
		return err
	}
	if bad {
		return &exitError{code: reports.ExitNonconformant}
	}
	return nil
}

func judgeFile(path, catalogue string) (*runner.Judged, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usage(fmt.Errorf("reading what to judge: %w", err), "")
	}
	defer file.Close()
	j, err := runner.JudgeFile(file, path, catalogue)
	if err != nil {
		var wrong *runner.UsageError
		hint := "judge reads transcripts and answer cases; `mcpconform judge --help` shows both"
		if errors.As(err, &wrong) && wrong.Hint != "" {
			hint = wrong.Hint
		}
		return nil, usage(fmt.Errorf("%s: %w", path, err), hint)
	}
	return j, nil
}

func writeCases(w world, lines []runner.CaseVerdict, format string) error {
	switch format {
	case "json":
		for _, line := range lines {
			if err := writeLine(w.out, line); err != nil {
				return err
			}
		}
		return nil
	case "text":
		for _, line := range lines {
			status := "unknown"
			if line.Status != nil {
				status = *line.Status
			}
			fmt.Fprintf(w.out, "%s: %s, status %s\n", reports.Shown(line.File), line.Verdict, status)
			for _, f := range line.Findings {
				fmt.Fprintf(w.out, "  %s %s  %s\n", f.Level, f.ID, f.Title)
				if f.Want != "" || f.Got != "" {
					fmt.Fprintf(w.out, "    wanted  %s\n    got     %s\n", reports.Shown(f.Want), reports.Shown(f.Got))
				}
				if f.Reason != "" {
					fmt.Fprintf(w.out, "    not run %s\n", reports.Shown(f.Reason))
				}
				if f.Hint != "" {
					fmt.Fprintf(w.out, "    mend    %s\n", reports.Shown(f.Hint))
				}
			}
		}
		return nil
	}
	return usage(fmt.Errorf("--format %s: answer cases are written as text or json", format), "")
}
