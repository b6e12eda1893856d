package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// readRerun reads the report of --rerun; nil where there is none.
func readRerun(path string) (*reports.Report, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, usage(fmt.Errorf("--rerun: %w", err), "make a report with mcpconform run --output json=report.json")
	}
	defer file.Close()
	r, err := reports.Read(file)
	if err != nil {
		return nil, usage(fmt.Errorf("--rerun: %s is no report: %w", path, err), "make one with mcpconform run --output json=report.json")
	}
	if r.Load != nil {
		return nil, usage(fmt.Errorf("--rerun: %s is the report of a load", path), "give the report of a run")
	}
	return &r, nil
}

// sameTarget refuses a rerun of a server's report on the demonstration backend, which
// is what a forgotten --target would be, and the other way round.
func sameTarget(before *reports.Report, demonstration bool) error {
	switch {
	case before == nil || before.Target.Builtin == demonstration:
		return nil
	case demonstration:
		return usage(errors.New("--rerun is given without a target, and the report is not of the built-in demonstration backend"), "name the target as that run did: "+reports.Shown(before.Run.Command))
	}
	return usage(errors.New("--rerun: the report is of the built-in demonstration backend, not of this target"), "give a report of this target")
}

// again narrows a run to what the report of --rerun left open, and gives that report; nil
// where there is none. Seed and effort are that run's unless they are given: else other
// items would be asked for, or what failed would not be played.
func (f runFlags) again(cmd *cobra.Command, o *runner.Options) (*reports.Report, error) {
	before, err := readRerun(f.rerun)
	if before == nil {
		return nil, err
	}
	open := reports.Opened(*before)
	if len(open.Open) == 0 && (before.Run.Ended != conform.EndDone || before.Run.Partial) {
		return nil, usage(fmt.Errorf("--rerun: run %s did not come to its end, and what it judged left nothing open", reports.Shown(before.Run.ID)), "leave --rerun out to play everything")
	}
	o.Rerun = &open
	if !cmd.Flags().Changed("seed") {
		o.Seed = before.Run.Seed
	}
	if !cmd.Flags().Changed("effort") {
		o.Effort = before.Run.Effort
	}
	return before, nil
}
