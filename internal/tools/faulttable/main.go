// Command faulttable plays every fault of the fake backend with `mcpconform run`,
// as a user would, over HTTP and over stdio, and writes a table of what came of
// it: the exit code, the exit code with --strict, and what the developer of such
// a server reads.
//
//	go run ./internal/tools/faulttable [-o FILE] [-jobs N] [-fault GLOB]
//
// It ends with status 1 if a fault's exit code is not the one that its level
// asks for, if its check does not fail, or if the finding lacks what somebody
// would act on: what was wanted, what came, how to mend it, and the bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/selftest"
)

func main() {
	out := flag.String("o", "", "write the table to `FILE` (default: standard output)")
	jobs := flag.Int("jobs", 3, "how many are played at once")
	glob := flag.String("fault", "*/*", "play only the faults whose id matches `GLOB`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := table(ctx, *out, *jobs, *glob); err != nil {
		fmt.Fprintln(os.Stderr, "faulttable:", err)
		os.Exit(1)
	}
}

func table(ctx context.Context, out string, jobs int, glob string) error {
	if jobs < 1 {
		return fmt.Errorf("-jobs %d: at least one is needed", jobs)
	}
	dir, err := os.MkdirTemp("", "faulttable")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over folder in the temporary one harms nobody
	binary := filepath.Join(dir, "mcpconform")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/mcpconform/mcpconform/cmd/mcpconform")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	scenarios, err := selftest.Scenarios()
	if err != nil {
		return err
	}
	plays, err := chosen(fakebackend.Faults(), glob)
	if err != nil {
		return err
	}
	rows := make([]row, len(plays))
	places := make(chan struct{}, jobs)
	var all sync.WaitGroup
	for i, p := range plays {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			rows[i] = p.row(ctx, binary, scenarios)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	file := os.Stdout
	if out != "" {
		if file, err = os.Create(out); err != nil {
			return err
		}
	}
	if err := write(file, rows); err != nil {
		return err
	}
	if out != "" {
		if err := file.Close(); err != nil {
			return err
		}
	}
	wrong := slices.DeleteFunc(rows, func(r row) bool { return len(r.problems) == 0 })
	for _, r := range wrong {
		for _, p := range r.problems {
			fmt.Fprintf(os.Stderr, "%s over %s: %s\n", r.fault.ID, r.over, p)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d of %d are not as they should be", len(wrong), len(plays))
	}
	return nil
}

// play is one fault over one transport.
type play struct {
	fault fakebackend.Fault
	over  fakebackend.Transport
}

func chosen(faults []fakebackend.Fault, glob string) ([]play, error) {
	var all []play
	for _, f := range faults {
		if !selftest.Judged(f) {
			continue // of a rule or a tool that this version does not play
		}
		fits, err := path.Match(glob, f.ID)
		if err != nil {
			return nil, fmt.Errorf("the pattern %q does not read: %w", glob, err)
		}
		// A fault without a variant is its check's id.
		if fits || glob == "*/*" {
			for _, over := range f.Transports {
				all = append(all, play{f, over})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no fault matches %q", glob)
	}
	return all, nil
}
