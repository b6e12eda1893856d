package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// bringUpToDate adds operations to a target file for tools that it does not know, and
// tells of those whose tools are gone. The server is the one that is named, or else the
// file's own.
func (f initFlags) bringUpToDate(cmd *cobra.Command, command []string, w world) error {
	if f.file != "" || f.force {
		return usage(errors.New("--update changes the file that it names"), "leave -o and --force out")
	}
	text, err := os.ReadFile(f.update)
	if err != nil {
		return usage(fmt.Errorf("--update: %w", err), "mcpconform init -o FILE makes one")
	}
	t := f.target
	if t.url == "" && len(command) == 0 {
		t.file = f.update
	}
	reach, err := t.reachBy(cmd, command, w, false)
	if err != nil {
		var wrong *exitError
		if errors.As(err, &wrong) && t.file != "" && wrong.hint == "" {
			wrong.hint = "a file that cannot be read yet is brought up to date with the server named: --url URL or -- CMD"
		}
		return err
	}
	defer reach.close()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	found, err := runner.Look(ctx, reach.file, runner.Options{Version: version(), Effort: "standard", Wait: f.wait, Started: time.Now(), Selector: reach.selector,
		Secrets: reach.secrets, SecretHeaders: reach.secretHeaders}, f.call)
	if err != nil {
		return planError(ctx, err, reach)
	}
	if unknown := found.Narrow(f.operations); unknown != "" {
		return usage(fmt.Errorf("--operations %q is none of the operations that were found", reports.Shown(unknown)), "found: "+operationsOf(found))
	}
	after, done, err := found.Update(text)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", f.update, err), "nothing was written")
	}
	if len(done.Added) > 0 {
		about, err := os.Stat(f.update)
		if err == nil {
			err = writeWhole(f.update, after)
		}
		if err == nil {
			err = os.Chmod(f.update, about.Mode().Perm())
		}
		if err != nil {
			return &exitError{code: exitInternal, cause: fmt.Errorf("writing %s: %w", f.update, err)}
		}
		fmt.Fprintf(w.err, "%s: %s: %s; search for %s\n", f.update, reports.Amount(len(done.Added), "operation was added", "operations were added"), strings.Join(done.Added, ", "), conform.Placeholder)
	} else {
		fmt.Fprintf(w.err, "%s: every multi-item tool that the server lists is known there; nothing was written\n", f.update)
	}
	for _, gone := range done.Gone {
		fmt.Fprintf(w.err, "%s: the server does not list %s any more, which the operation %s calls; it stays as it is written\n", f.update, reports.Shown(gone.Tool), reports.Shown(gone.Operation))
	}
	return nil
}
