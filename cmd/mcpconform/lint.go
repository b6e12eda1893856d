package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

func newLint(w world) *cobra.Command {
	var f targetFlags
	live := false
	cmd := &cobra.Command{
		Use:   "lint FILE [--live [--url URL | -- CMD ARG...]]",
		Short: "Read a target file, and say what is wrong with it and what it lacks",
		Long: `lint reads a target file as run does, with its includes and the chosen environment,
and says what is wrong with it, by file and line, and what a run would leave out for
want of a key. Nothing is connected to.

With --live it connects, and holds the file against what the server lists: tools that
are gone, arguments that do not exist, items that a tool's schema forbids, multi-item
tools that the file does not know. It calls nothing but list methods.`,
		Example: `  mcpconform lint accounts.yaml
  mcpconform lint accounts.yaml --env staging --live
  mcpconform lint accounts.yaml --live -- node dist/server.js`,
		RunE: func(cmd *cobra.Command, args []string) error { return lint(cmd, args, f, live, w) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.env, "env", "", "one of the file's environments, by `NAME`")
	flags.BoolVar(&live, "live", false, "connect, and hold the file against what the server lists")
	flags.StringVar(&f.url, "url", "", "the server's `URL`; it replaces the file's server")
	f.declareWays(cmd)
	return cmd
}

func lint(cmd *cobra.Command, args []string, f targetFlags, live bool, w world) error {
	files, command := args, []string(nil)
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		files, command = args[:dash], args[dash:]
	}
	if len(files) != 1 {
		return usage(errors.New("lint needs one target file"), "mcpconform lint accounts.yaml")
	}
	path := files[0]
	f.file = path
	if !live {
		if f.url != "" || cmd.ArgsLenAtDash() >= 0 {
			return usage(errors.New("a server is named, and without --live none is asked"), "add --live")
		}
		file, err := target.LoadIn(path, f.env, w.getenv)
		if err != nil {
			return usage(err, "")
		}
		found, err := runner.Lint(cmd.Context(), file, runner.Options{Version: version()}, false)
		if err != nil {
			return runError(err)
		}
		return writeLint(w, path, file, found, false)
	}
	reach, err := f.reachBy(cmd, command, w, false)
	if err != nil {
		return err
	}
	defer reach.close()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	found, err := runner.Lint(ctx, reach.file, runner.Options{Version: version(), Secrets: reach.secrets, SecretHeaders: reach.secretHeaders}, true)
	if err != nil {
		return planError(ctx, err, reach)
	}
	return writeLint(w, path, reach.file, found, true)
}

// writeLint writes what was found, and gives the exit status: 2 where the file is wrong.
func writeLint(w world, path string, file *target.File, found runner.Linted, live bool) error {
	writes := 0
	for _, op := range file.Operations {
		if op.Write {
			writes++
		}
	}
	about := fmt.Sprintf("%s (%s)", reports.Amount(len(file.Operations), "operation", "operations"), reports.Amount(writes, "that writes", "that write"))
	if len(file.Environments) > 0 {
		about += "; environments " + strings.Join(file.Environments, ", ")
	}
	against := "it reads well; --live holds it against the server"
	switch {
	case live:
		against = "held against what the server lists"
	case len(found.Wrong) > 0:
		against = "it can be read, and cannot be played as it stands"
	}
	fmt.Fprintf(w.out, "%s: %s; %s\n", reports.Shown(path), reports.Shown(about), against)
	section := func(title string, list []runner.Remark) {
		if len(list) == 0 {
			return
		}
		fmt.Fprintf(w.out, "\n%s\n", title)
		for _, r := range list {
			where := r.File
			if r.Line > 0 {
				where = fmt.Sprintf("%s:%d", r.File, r.Line)
			}
			if r.Key != "" {
				where += ": " + r.Key
			}
			fmt.Fprintf(w.out, "  %s: %s\n", reports.Shown(where), reports.Shown(r.What))
			if r.Plays > 0 {
				more := fmt.Sprintf("leaves out %s on %s", reports.Amount(r.Plays, "play", "plays"), r.Operation)
				if len(r.Musts) > 0 {
					more += ", and evidence for " + strings.Join(r.Musts, ", ")
				}
				fmt.Fprintf(w.out, "    %s\n", reports.Shown(more))
			}
		}
	}
	section("wrong", found.Wrong)
	section("gaps", found.Gaps)
	if len(found.Wrong) > 0 {
		return &exitError{code: exitUsage}
	}
	return nil
}
