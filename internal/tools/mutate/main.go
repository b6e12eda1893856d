package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type options struct {
	dir        string // where the module is
	packages   []string
	sample     int
	seed       string
	only       string
	files      []string // patterns of source files; empty: all
	workers    int
	output     string
	list       string
	recordings string
	witness    string
}

// run gives the exit code: 0 where every mutant was noticed or is listed, 1
// where one was not or an entry of the list is stale, 2 where nothing could be
// told.
func run(ctx context.Context, args []string, out, told io.Writer) int {
	o, err := parse(args, told)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	r, err := try(ctx, o, told)
	if err == nil && o.output != "" {
		err = put(r, o.output)
	}
	if err != nil {
		fmt.Fprintln(told, "mutate:", err)
		return 2
	}
	r.write(out)
	if !r.holds() {
		return 1
	}
	return 0
}

func parse(args []string, told io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(told)
	packages := flags.String("packages", "./contract,./suites,./suites/multiitem,./suites/protocol", "the packages to mutate; their tests are played")
	flags.StringVar(&o.dir, "dir", ".", "the folder of the module")
	flags.IntVar(&o.sample, "sample", 0, "try so many of the mutants; 0: all")
	flags.StringVar(&o.seed, "seed", "1", "which sample")
	flags.StringVar(&o.only, "only", "", "try only the mutants that this `file` names, such as the output of an earlier run")
	files := flags.String("files", "", "try only the mutants of these source files: patterns of their names, with commas between, such as results*.go")
	flags.IntVar(&o.workers, "workers", 1, "how many mutants are tried at once")
	flags.StringVar(&o.output, "o", "", "write the result into this Markdown `file`, between the two marks that name these packages")
	flags.StringVar(&o.list, "list", "", "the `file` of mutants that may survive; default: internal/tools/mutate/equivalent.txt of the module, if there is one")
	flags.StringVar(&o.recordings, "recordings", "", "keep the recordings of a selftest in this `folder`, and use those that stand there")
	flags.StringVar(&o.witness, "witness", "both", "who is asked: tests, recordings, or both: the recordings where the tests noticed nothing")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.workers < 1 || o.sample < 0 || !slices.Contains([]string{"tests", "recordings", "both"}, o.witness) {
		fmt.Fprintln(told, "mutate: it takes flags only, at least one worker, no negative sample, and a witness that it knows; see -help")
		return o, errors.New("usage")
	}
	o.packages = strings.Split(*packages, ",")
	if *files != "" {
		o.files = strings.Split(*files, ",")
	}
	for _, pattern := range o.files {
		if _, err := path.Match(pattern, ""); err != nil {
			fmt.Fprintf(told, "mutate: -files %q: %v\n", pattern, err)
			return o, err
		}
	}
	return o, nil
}

// try makes the mutants and asks both witnesses.
func try(ctx context.Context, o options, told io.Writer) (result, error) {
	in, packages, err := load(o.dir, o.packages)
	if err != nil {
		return result{}, err
	}
	list, err := listOf(o, in)
	if err != nil {
		return result{}, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return result{}, fmt.Errorf("making a folder to work in: %w", err)
	}
	defer os.RemoveAll(dir)
	w, err := open(in, packages, dir)
	if err != nil {
		return result{}, err
	}
	mutants, err := choose(w.mutants, o)
	if err != nil {
		return result{}, err
	}
	t := &trial{workers: o.workers, told: told, module: in.path}
	for _, p := range packages {
		if o.witness == "recordings" {
			break
		}
		s, err := ready(w, p)
		if err != nil {
			return result{}, err
		}
		t.suites = append(t.suites, s)
	}
	verdicts, err := t.tests(ctx, mutants)
	if err != nil {
		return result{}, err
	}
	if o.witness != "tests" {
		if o.recordings == "" {
			o.recordings = filepath.Join(dir, "recordings")
		}
		if err := t.recordings(ctx, w, o.recordings, verdicts); err != nil {
			return result{}, err
		}
	}
	r := sum(verdicts, w.mutants, list)
	r.packages = strings.Join(o.packages, ",")
	return r, nil
}

// listOf reads the list of mutants that may survive. Entries about packages that
// are not mutated now are left aside.
func listOf(o options, in module) (*excused, error) {
	name := o.list
	if name == "" {
		name = filepath.Join(in.dir, "internal", "tools", "mutate", "equivalent.txt")
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) && o.list == "" {
		text, err = nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the mutants that may survive: %w", err)
	}
	list, err := readExcused(name, text)
	if err != nil {
		return nil, err
	}
	list.order = slices.DeleteFunc(list.order, func(entry string) bool {
		folder, _, _ := strings.Cut(entry, ":")
		return !slices.ContainsFunc(o.packages, func(p string) bool { return filepath.Clean(p) == folder })
	})
	return list, nil
}

// choose narrows the mutants. A sample is drawn by the key of each, so that most
// of it stays the same where the source changes a little.
func choose(all []mutant, o options) ([]mutant, error) {
	chosen := slices.Clone(all)
	if o.only != "" {
		text, err := os.ReadFile(o.only)
		if err != nil {
			return nil, fmt.Errorf("reading which mutants to try: %w", err)
		}
		named := map[string]bool{}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			columns := strings.Split(lines.Text(), "\t")
			named[columns[len(columns)-1]] = true
		}
		chosen = slices.DeleteFunc(chosen, func(m mutant) bool { return !named[m.key()] })
	}
	if len(o.files) > 0 {
		chosen = slices.DeleteFunc(chosen, func(m mutant) bool {
			file, _, _ := strings.Cut(path.Base(m.place), ":")
			return !slices.ContainsFunc(o.files, func(pattern string) bool {
				fits, _ := path.Match(pattern, file)
				return fits
			})
		})
	}
	if o.sample > 0 && o.sample < len(chosen) {
		drawn := func(m mutant) uint64 {
			h := fnv.New64a()
			fmt.Fprint(h, o.seed, "\x00", m.key())
			return h.Sum64()
		}
		slices.SortStableFunc(chosen, func(a, b mutant) int {
			if drawn(a) < drawn(b) {
				return -1
			}
			return 1
		})
		chosen = chosen[:o.sample]
	}
	if len(chosen) == 0 {
		return nil, errors.New("there is no mutant to try")
	}
	return chosen, nil
}

// put writes the result into a document.
func put(r result, name string) error {
	document, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	if document, err = r.into(document); err != nil {
		return fmt.Errorf("writing the result into %s: %w", name, err)
	}
	if err := os.WriteFile(name, document, 0o644); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}
