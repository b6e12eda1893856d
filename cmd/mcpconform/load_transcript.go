package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// recordFlags say what of a load is recorded.
type recordFlags struct {
	file string
	most string
}

func (f *recordFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "transcript", "", "write a sample of the calls to `FILE`: those that were wrong or failed, and one in a thousand others (for `mcpconform judge`)")
	flags.StringVar(&f.most, "transcript-max", "", "how much of requests and answers it holds at most, `SIZE` (default 64MiB)")
}

// open opens the transcript, before anything is sent; close ends it.
func (f *recordFlags) open(o *runner.LoadOptions) (close func(), err error) {
	if f.most != "" {
		n, ok := target.Size(f.most)
		switch {
		case f.file == "":
			return nil, usage(fmt.Errorf("--transcript-max is given without --transcript"), "say where it is written: --transcript load.jsonl")
		case !ok || n > runner.MaxSample:
			return nil, usage(fmt.Errorf("--transcript-max %s is no size up to %d MiB", reports.Safe(f.most), runner.MaxSample>>20), "write it like 16MiB")
		}
		o.TranscriptMax = int64(n)
	}
	if f.file == "" {
		return func() {}, nil
	}
	file, err := openTranscript(f.file)
	if err != nil {
		return nil, err
	}
	o.Transcript = file
	return func() { _ = file.Close() }, nil // what could not be written is told already
}

// openTranscript makes the file of a transcript, for its owner alone.
func openTranscript(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usage(fmt.Errorf("opening the transcript: %w", err), "name a file in a folder that exists")
	}
	return file, nil
}
