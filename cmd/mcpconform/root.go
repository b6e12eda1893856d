package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
)

// world is what the process touches, handed in so that the whole command can be
// run inside a test.
type world struct {
	args     []string
	in       io.Reader
	out, err io.Writer
	getenv   func(string) (string, bool)
	signals  func(context.Context) (ctx context.Context, stop func())
	today    func() time.Time // by which the age of facts is told
}

func system() world {
	return world{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.LookupEnv, signals: catchSignals, today: time.Now}
}

// exitError ends the command with a status. A nil cause prints nothing.
type exitError struct {
	code  int
	cause error
	hint  string
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// The exit codes that are the command's own; those of a report are in package
// reports.
const (
	exitUsage    = 2
	exitInternal = 5
)

func usage(cause error, hint string) error {
	return &exitError{code: exitUsage, cause: cause, hint: hint}
}

// execute runs one command line and gives the exit status. A panic is our own
// fault and is told as that, in one line: a stack trace could hold a secret.
func execute(args []string, w world) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(w.err, "mcpconform: a fault of ours: %s\n", reports.Shown(fmt.Sprint(r)))
			if _, ok := w.getenv("MCPCONFORM_DEBUG"); ok {
				fmt.Fprintf(w.err, "%s\n", debug.Stack())
			} else {
				fmt.Fprintln(w.err, "please report it with the command line; MCPCONFORM_DEBUG=1 shows where it happened")
			}
			code = exitInternal
		}
	}()
	w.args = args
	root := newRoot(w)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return 0
	}
	exit := &exitError{code: exitUsage, cause: err}
	errors.As(err, &exit)
	if exit.cause != nil {
		fmt.Fprintf(w.err, "mcpconform: %s\n", shown(err))
		if exit.hint != "" {
			fmt.Fprintf(w.err, "hint: %s\n", reports.Shown(exit.hint))
		}
	}
	return exit.code
}

// shown gives an error to be read, line by line: it may quote a server.
func shown(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		lines[i] = reports.Shown(line)
	}
	return strings.Join(lines, "\n")
}

// The groups of --help, by what a person came for.
const (
	groupTry     = "try"
	groupCertify = "certify"
	groupTune    = "tune"
	groupLearn   = "learn"
)

func newRoot(w world) *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpconform",
		Short: "Does this MCP server tell the truth about batches?",
		Long: `mcpconform connects to any MCP server, plays scripted multi-item scenarios,
judges every answer by the results[] contract, and records latency and
throughput per batch size.

Type "mcpconform run" to see the whole thing work on a built-in demonstration
backend. "mcpconform init --url URL" or "init -- CMD" looks at a server of your
own and writes a target file to begin with; run --target FILE plays it.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("version") {
				tellVersion(w.out)
				return nil
			}
			return cmd.Help()
		},
	}
	root.Flags().Bool("version", false, "the same as the command version")
	root.SetIn(w.in)
	root.SetOut(w.out)
	root.SetErr(w.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := "`" + cmd.CommandPath() + " --help` lists the flags"
		switch {
		case strings.Contains(err.Error(), "time: "):
			err, hint = fmt.Errorf("%s", strings.SplitN(err.Error(), ": time: ", 2)[0]), "a duration has a unit: 500ms, 5s, 2m"
		case strings.Contains(err.Error(), "strconv."):
			err, hint = fmt.Errorf("%s", strings.SplitN(err.Error(), ": strconv.", 2)[0]), "it takes a whole number"
		}
		return usage(err, hint)
	})
	root.SuggestionsMinimumDistance = 2 // letters that may be wrong
	root.AddGroup(
		&cobra.Group{ID: groupTry, Title: "Try:"},
		&cobra.Group{ID: groupCertify, Title: "Certify:"},
		&cobra.Group{ID: groupTune, Title: "Tune:"},
		&cobra.Group{ID: groupLearn, Title: "Learn:"},
	)
	for _, c := range []struct {
		group string
		cmd   *cobra.Command
	}{
		{groupTry, newRun(w)}, {groupTry, newInit(w)}, {groupTry, newPlan(w)}, {groupTry, newLint(w)}, {groupTry, newLogin(w)}, {groupTry, newLogout(w)}, {groupTry, newFakebackend(w)},
		{groupCertify, newProfile(w)}, {groupCertify, newJudge(w)}, {groupCertify, newReport(w)}, {groupCertify, newSelftest(w)}, {groupCertify, newCleanup(w)}, {groupCertify, newBaseline(w)},
		{groupTune, newLoad(w)},
		{groupLearn, newList(w)}, {groupLearn, newExplain(w)}, {groupLearn, newCatalogue(w)}, {groupLearn, newSchema(w)}, {groupLearn, newVersion(w)},
	} {
		c.cmd.GroupID = c.group
		root.AddCommand(c.cmd)
	}
	return root
}

// noArgs refuses words that no command takes, and says what was probably meant.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "`mcpconform --help` lists the commands"
	if near := cmd.Root().SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean `mcpconform %s`?", near[0])
	}
	return usage(fmt.Errorf("%q is not a command of %s", args[0], cmd.CommandPath()), hint)
}
