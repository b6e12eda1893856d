package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

func newCleanup(w world) *cobra.Command {
	var at targetFlags
	var allowCommands bool
	cmd := &cobra.Command{
		Use:   "cleanup TRANSCRIPT --target FILE [--url URL]",
		Short: "Put back what a run left behind that was killed",
		Long: `cleanup reads the transcript of a run and resets every operation of which a write
went out after its last acknowledged reset: what a run does at its end by itself,
unless it was killed or the server was away. The transcript may be cut off.

Name the target as the run did. Exit 0: everything is back, or nothing was left;
1: something is left; 2: the wrong target, or no consent to write there; 4: the
server could not be reached.`,
		Example: `  mcpconform run --target accounts.yaml --transcript run.jsonl
  mcpconform cleanup run.jsonl --target accounts.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return cleanup(cmd, args, &at, allowCommands, w) },
	}
	at.declare(cmd)
	cmd.Flags().BoolVar(&allowCommands, "allow-commands", false, "run the commands of a target file although they are not of the working tree")
	return cmd
}

func cleanup(cmd *cobra.Command, args []string, at *targetFlags, allowCommands bool, w world) error {
	switch {
	case cmd.ArgsLenAtDash() >= 0:
		return usage(errors.New("a server that was started as a command has ended with its run"), "leave -- and the command out; what it stored elsewhere only its own reset reaches")
	case len(args) != 1:
		return usage(fmt.Errorf("cleanup takes one transcript, and %d were given", len(args)), "for example: mcpconform cleanup run.jsonl --target accounts.yaml")
	}
	in, err := os.Open(args[0])
	if err != nil {
		return usage(fmt.Errorf("opening the transcript: %w", err), "`mcpconform run --transcript FILE` writes one")
	}
	defer in.Close()
	header, observations, err := conform.ReadTranscript(in)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", args[0], err), "`mcpconform run --transcript FILE` writes one")
	}
	if at.file == "" {
		return usage(errors.New("no target file says how to put things back"), "name the target as the run did: "+header.Target.Selector)
	}
	reach, err := at.reach(cmd, nil, w, false)
	if err != nil {
		return err
	}
	defer reach.close()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	done, err := runner.Cleanup(ctx, reach.file, header, observations, runner.Options{
		Version: version(), Started: time.Now(), Secrets: reach.secrets, SecretHeaders: reach.secretHeaders, AllowCommands: allowCommands,
	})
	if err != nil {
		return runError(err)
	}
	for _, name := range done.Back {
		fmt.Fprintf(w.out, "%s: put back\n", reports.Safe(name))
	}
	for _, left := range done.Left {
		fmt.Fprintf(w.out, "%s: left behind: %s\n", reports.Safe(left.Operation), reports.Safe(left.What))
	}
	switch {
	case done.Unreached != "":
		return &exitError{code: reports.ExitUnreachable, cause: errors.New(done.Unreached), hint: reach.hint(conform.EndUnreachable)}
	case len(done.Left) > 0:
		return &exitError{code: 1}
	case len(done.Back) == 0:
		fmt.Fprintln(w.out, "nothing was left to be put back")
	}
	return nil
}
