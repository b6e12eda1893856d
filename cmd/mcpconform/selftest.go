package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/selftest"
	"github.com/mcpconform/mcpconform/reports"
)

type selftestFlags struct {
	glob   string
	format string
	atOnce int
	quiet  bool
	masked bool
	oddity string
}

// selftestWriters are the formats of a selftest's report.
var selftestWriters = map[string]func(io.Writer, selftest.Report) error{
	"text": selftest.WriteText, "json": selftest.WriteJSON, "markdown": selftest.WriteMarkdown,
}

func newSelftest(w world) *cobra.Command {
	var f selftestFlags
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Play the built-in faulty servers, and show that each check catches its own fault and only that",
		Long: `selftest proves this tool on your own machine. It starts one faulty server for
every way in which a rule can be broken, runs against each over real sockets
and pipes, and prints what became of it: caught, missed, or blamed on another
rule. Good servers of every transport and revision, and lawful ones that look
odd, must be accused of nothing.

Exit status 1: a fault was missed, a rule was accused without cause, or a
check has no fault that proves it.`,
		Example: `  mcpconform selftest
  mcpconform selftest --fault 'RES-*'
  mcpconform selftest --format markdown > matrix.md`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return selftestMain(cmd, f, w) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.glob, "fault", "", "play only the faults whose id or check matches `GLOB`")
	flags.StringVar(&f.format, "format", "text", "text, json or markdown")
	flags.IntVar(&f.atOnce, "at-once", 8, "how many servers are played at once")
	flags.BoolVar(&f.masked, "masked", false, "judge each recording once more with all its data masked, as a target file's privacy has it")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing while it goes on")
	flags.StringVar(&f.oddity, "serve-oddity", "", "serve a lawful oddity on standard input and output")
	// It is what selftest starts its own children with, not a thing to type.
	_ = flags.MarkHidden("serve-oddity") // fails only for a flag that there is not
	return cmd
}

func selftestMain(cmd *cobra.Command, f selftestFlags, w world) error {
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	if f.oddity != "" {
		if err := selftest.ServeOddity(ctx, f.oddity, w.in, w.out); err != nil && ctx.Err() == nil {
			return usage(err, "")
		}
		return nil
	}
	write, known := selftestWriters[f.format]
	if !known {
		return usage(fmt.Errorf("--format %q is none of text, json, markdown", f.format), "")
	}
	if cmd.Flags().Changed("fault") && f.glob == "" {
		return usage(errors.New("--fault is empty"), "is the variable behind it set?")
	}
	if f.atOnce < 1 || f.atOnce > 64 {
		return usage(fmt.Errorf("--at-once %d is not between 1 and 64", f.atOnce), "")
	}
	self, err := os.Executable()
	if err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("finding the program itself, to start it as a server: %w", err)}
	}
	// Two hundred recordings of a megabyte or two come and go: memory is cheaper
	// here than collecting it.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	if _, said := os.LookupEnv("GOGC"); !said {
		// So it is for the servers that are started.
		if err := os.Setenv("GOGC", "400"); err != nil {
			return &exitError{code: exitInternal, cause: err}
		}
	}
	o := selftest.Options{Self: []string{self}, Glob: f.glob, AtOnce: f.atOnce, Masked: f.masked}
	if !f.quiet {
		o.Progress = func(done, total int, _ string) {
			if done%25 == 0 && done < total {
				fmt.Fprintf(w.err, "%d of %d servers played\n", done, total)
			}
		}
	}
	report, err := selftest.Run(ctx, o)
	if err != nil {
		return selftestError(ctx, err)
	}
	if err := write(w.out, report); err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("writing the report: %w", err)}
	}
	if !report.Holds() {
		return &exitError{code: reports.ExitNonconformant}
	}
	return nil
}

// selftestError sorts why a selftest came to no end.
func selftestError(ctx context.Context, err error) error {
	var by signalled
	if errors.As(context.Cause(ctx), &by) {
		return &exitError{code: by.code(), cause: errors.New("interrupted: nothing is proved")}
	}
	var glob *selftest.GlobError
	if errors.As(err, &glob) {
		return usage(fmt.Errorf("--fault: %w", err), "`mcpconform fakebackend --list-faults` names them all")
	}
	return &exitError{code: exitInternal, cause: err}
}
