package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// document is the result that the repository keeps, from its root.
const document = "docs/calibration.md"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	folder := flags.String("install", "", "install into `DIR` and leave it there for the next time (default: a folder that is removed again)")
	output := flags.String("o", "", "write the report to `FILE`, Markdown or, where it ends in .json, JSON (default: Markdown to standard output)")
	current := flags.Bool("check", false, "write nothing; fail where "+document+" is not what the comparison gives")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		if err == nil {
			fmt.Fprintf(stderr, "calibrate: %q: no arguments are taken besides the flags\n", flags.Args())
		}
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report, err := made(ctx, *folder, stderr)
	if err == nil {
		err = put(report, *output, *current, stdout)
	}
	var outdated *outdated
	if err != nil && !errors.As(err, &outdated) {
		fmt.Fprintln(stderr, "calibrate:", err)
		var missing *missing
		if errors.As(err, &missing) {
			return 3
		}
		return 2
	}
	if outdated != nil {
		report.Problems = append(report.Problems, outdated.Error())
	}
	for _, problem := range report.Problems {
		fmt.Fprintln(stderr, "✗", problem)
	}
	fmt.Fprintln(stderr, report.summary())
	if len(report.Problems) > 0 {
		return 1
	}
	return 0
}

// made makes the comparison, in a folder of its own that it removes again.
func made(ctx context.Context, folder string, stderr io.Writer) (*Report, error) {
	scratch, err := os.MkdirTemp("", "mcpconform-calibrate-*")
	if err != nil {
		return nil, fmt.Errorf("making a folder to work in: %w", err)
	}
	defer os.RemoveAll(scratch)
	if folder == "" {
		folder = filepath.Join(scratch, "npm")
	}
	folder, err = filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder to install into: %w", err)
	}
	t, err := install(ctx, folder, scratch)
	if err != nil {
		return nil, err
	}
	return calibrate(ctx, t, func(done, total int, now string) { fmt.Fprintf(stderr, "%d/%d %s\n", done, total, now) })
}

// outdated says that the kept document is not the comparison's.
type outdated struct{ path string }

func (o *outdated) Error() string {
	return o.path + " is out of date: go run ./internal/tools/calibrate -o " + o.path
}

func put(r *Report, path string, current bool, stdout io.Writer) error {
	text := r.markdown()
	if current {
		kept, err := os.ReadFile(document)
		if err != nil {
			return fmt.Errorf("reading what is kept (run it from the root of the repository): %w", err)
		}
		if !bytes.Equal(kept, text) {
			return &outdated{document}
		}
		return nil
	}
	if filepath.Ext(path) == ".json" {
		var err error
		if text, err = json.MarshalIndent(r, "", "  "); err != nil {
			return fmt.Errorf("writing the report as JSON: %w", err)
		}
		text = append(text, '\n')
	}
	if path == "" {
		_, err := stdout.Write(text)
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
