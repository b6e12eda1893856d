package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mcpconform/mcpconform/reports"
)

// outputFlags say where results go. Results go to stdout, everything else to
// stderr; the format is named, never guessed.
type outputFlags struct {
	format  string
	files   []string
	quiet   bool
	verbose bool
	noColor bool
	quoted  string
}

func (f *outputFlags) declare(cmd *cobra.Command) {
	f.declareFormats(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.quoted, "evidence", string(reports.EvidenceRows), "how much of the server's answers the report quotes: full, rows (what a finding needs) or none")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress on stderr")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell every scenario on stderr as it is played")
}

// declareFormats declares what says where a report goes, and how it is written.
func (f *outputFlags) declareFormats(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "text", "what stdout gets: "+formats())
	flags.StringArrayVar(&f.files, "output", nil, "also write the report to a file, `FORMAT=FILE` (repeatable)")
	flags.BoolVar(&f.noColor, "no-color", false, "no colour (NO_COLOR is respected too)")
}

// evidence reads --evidence.
func (f *outputFlags) evidence() (reports.Evidence, error) {
	e, err := reports.ParseEvidence(f.quoted)
	if err != nil {
		return "", usage(fmt.Errorf("--evidence %w", err), "")
	}
	return e, nil
}

// formats names what a report can be written as.
func formats() string {
	var names []string
	for _, f := range reports.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// output writes a report to stdout and to the files.
type output struct {
	stdout io.Writer
	first  reports.Writer
	files  []fileOutput
}

type fileOutput struct {
	path  string
	write reports.Writer
}

// open checks formats and folders before anything is sent to a server.
func (f *outputFlags) open(w world) (*output, error) {
	o := &output{stdout: w.out}
	if f.format == "text" {
		o.first = reports.TextWriter(reports.TextOptions{Colour: f.colour(w), Width: width(w.out)})
	} else {
		format, err := reports.FormatNamed(f.format)
		if err != nil {
			return nil, usage(fmt.Errorf("--format: %w", err), "")
		}
		o.first = format.Write
	}
	for _, word := range f.files {
		name, path, found := strings.Cut(word, "=")
		if !found || path == "" {
			return nil, usage(fmt.Errorf("--output %q is not of the form FORMAT=FILE", word), "for example --output junit=report.xml")
		}
		format, err := reports.FormatNamed(name)
		if err != nil {
			return nil, usage(fmt.Errorf("--output %s: %w", word, err), "")
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return nil, usage(fmt.Errorf("--output %s: there is no folder %s", word, filepath.Dir(path)), "make it first")
		}
		o.files = append(o.files, fileOutput{path, format.Write})
	}
	return o, nil
}

func (o *output) write(r reports.Report) error {
	if err := o.first(o.stdout, r); err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("writing the report: %w", err)}
	}
	for _, f := range o.files {
		var b bytes.Buffer
		err := f.write(&b, r)
		if err == nil {
			err = writeWhole(f.path, b.Bytes())
		}
		if err != nil {
			return &exitError{code: exitInternal, cause: fmt.Errorf("writing %s: %w", f.path, err)}
		}
	}
	return nil
}

// writeWhole writes a file whole or not at all.
func writeWhole(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails after the rename, as it should
	if _, err := temp.Write(content); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Chmod(0o644); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// colour follows NO_COLOR (https://no-color.org), CI and TERM=dumb, and is only
// for a terminal.
func (f *outputFlags) colour(w world) bool {
	return !f.noColor && plainTerminal(w, w.out)
}

// plainTerminal tells whether a stream is a terminal that may be decorated.
func plainTerminal(w world, stream io.Writer) bool {
	if value, ok := w.getenv("NO_COLOR"); ok && value != "" {
		return false
	}
	if value, ok := w.getenv("CI"); ok && value != "" {
		return false
	}
	if value, _ := w.getenv("TERM"); value == "dumb" {
		return false
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// width is the terminal's, between 60 and 120 columns; 100 elsewhere.
func width(stream io.Writer) int {
	file, ok := stream.(*os.File)
	if !ok {
		return 100
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil || columns == 0 {
		return 100
	}
	return min(120, max(60, columns))
}
