package main

import (
	"errors"
	"fmt"
	"io"
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
		Use:   "cleanup TRANSCRIPT --target FILE [--url URL | -- CMD ARG...]",
		Short: "Put back what a run left behind that was killed",
		Long: `cleanup reads the transcript of a run and puts back what it wrote and did not
put back itself, because it was killed or the server was away: by the reset of
each operation of which a write went out after its last acknowledged reset, or
by its undo, for the items that the transcript names. What a setup made is taken
away. The transcript may be cut off.

Name the target as the run did; a local server that was started again may have
another port, and one that keeps its data in files may be started by -- CMD.
Exit 0: everything is back, or nothing was left; 1: something is left; 2: the
wrong target, or no consent to write there; 4: the server could not be reached.`,
		Example: `  mcpconform run --target accounts.yaml --transcript run.jsonl
  mcpconform cleanup run.jsonl --target accounts.yaml
  mcpconform cleanup run.jsonl --target accounts.yaml --url http://127.0.0.1:8081/mcp
  mcpconform cleanup run.jsonl --target accounts.yaml -- node dist/server.js`,
		RunE: func(cmd *cobra.Command, args []string) error { return cleanup(cmd, args, &at, allowCommands, w) },
	}
	at.declare(cmd)
	cmd.Flags().BoolVar(&allowCommands, "allow-commands", false, "run the commands of a target file although they are not of the working tree")
	return cmd
}

func cleanup(cmd *cobra.Command, args []string, at *targetFlags, allowCommands bool, w world) error {
	files, command := args, []string(nil)
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		files, command = args[:dash], args[dash:]
	}
	if len(files) != 1 {
		return usage(fmt.Errorf("cleanup takes one transcript, and %d were given", len(files)), "for example: mcpconform cleanup run.jsonl --target accounts.yaml")
	}
	in, err := os.Open(files[0])
	if err != nil {
		return usage(fmt.Errorf("opening the transcript: %w", err), "`mcpconform run --transcript FILE` writes one")
	}
	defer in.Close()
	header, observations, err := conform.ReadTranscript(in)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", files[0], err), "`mcpconform run --transcript FILE` writes one")
	}
	if at.file == "" {
		return usage(errors.New("no target file says how to put things back"), "name the target as the run did: "+header.Target.Selector)
	}
	reach, err := at.reachBy(cmd, command, w, false)
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
		how := ""
		switch n := done.Items[name]; {
		case n == 1:
			how = " (1 item that was or may have been changed)"
		case n > 1:
			how = fmt.Sprintf(" (%d items that were or may have been changed)", n)
		}
		fmt.Fprintf(w.out, "%s: put back%s\n", reports.Shown(name), how)
	}
	tellLeft(w.out, done.Left)
	if done.Note != "" {
		fmt.Fprintf(w.err, "note: %s\n", reports.Shown(done.Note))
	}
	switch {
	case done.Unreached != "":
		return &exitError{code: reports.ExitUnreachable, cause: errors.New(reports.Shown(done.Unreached)), hint: reach.hint(conform.EndUnreachable, done.Unreached)}
	case len(done.Left) > 0:
		return &exitError{code: 1}
	case len(done.Back) == 0:
		fmt.Fprintln(w.out, "nothing was left to be put back")
	}
	return nil
}

// tellLeft tells what was left behind, a line for each operation and reason.
func tellLeft(out io.Writer, left []reports.LeftBehind) {
	for _, l := range reports.LeftLines(left) {
		fmt.Fprintf(out, "%s: left behind: %s\n", reports.Shown(l.Operation), reports.Shown(l.What))
	}
}
