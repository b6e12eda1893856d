package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
)

func newReport(w world) *cobra.Command {
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Write a stored report in another format",
		Long: `report reads a report that was stored (--format json, or --output json=FILE) and
writes it in another format. Nothing is judged again, and nothing is sent; the
exit status is 0 whatever the report says.

  mcpconform load --output json=load.json
  mcpconform report load.json --format hgrm > load.hgrm`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("report needs one file"), "a report that was stored with --output json=FILE")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			to, err := out.open(w)
			if err != nil {
				return err
			}
			r, err := storedReport(args[0])
			if err != nil {
				return err
			}
			return to.write(r)
		},
	}
	out.declareFormats(cmd)
	return cmd
}

func storedReport(path string) (reports.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return reports.Report{}, usage(fmt.Errorf("reading the report: %w", err), "")
	}
	defer file.Close()
	r, err := reports.Read(file)
	if err != nil {
		return reports.Report{}, usage(fmt.Errorf("%s: %w", path, err), "report reads what --format json wrote; a transcript is read by `mcpconform judge`")
	}
	return r, nil
}
