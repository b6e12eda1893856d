package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	survived     fate = iota // tests and recordings meet it, and none tells
	byTests                  // a test fails
	byRecordings             // the selftest's table comes out otherwise
	unmet                    // nothing computes anything else with it
)

// verdict is what became of a mutant, and who noticed it.
type verdict struct {
	mutant
	fate fate
	by   string
}

// trial tries mutants out.
type trial struct {
	suites  []*suite
	workers int
	module  string    // its path
	told    io.Writer // how far it is
}

// tests tries the mutants on the tests, those of the mutant's own package first.
// The verdicts come in the order of the mutants.
func (t *trial) tests(ctx context.Context, mutants []mutant) ([]verdict, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	verdicts := make([]verdict, len(mutants))
	work := make(chan int)
	var all sync.WaitGroup
	var telling sync.Mutex
	for range t.workers {
		all.Go(func() {
			for i := range work {
				if ctx.Err() != nil {
					continue
				}
				v, err := t.one(ctx, mutants[i])
				if err != nil {
					stop(err)
				}
				verdicts[i] = v
				if v.fate != byTests && err == nil && len(t.suites) > 0 {
					telling.Lock()
					fmt.Fprintf(t.told, "passes the tests\t%s\t%s\n", v.place, v.key())
					telling.Unlock()
				}
			}
		})
	}
	last := time.Now()
	for i := range mutants {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			telling.Lock()
			fmt.Fprintf(t.told, "tests: %d of %d mutants\n", i, len(mutants))
			telling.Unlock()
		}
		work <- i
	}
	close(work)
	all.Wait()
	return verdicts, context.Cause(ctx)
}

func (t *trial) one(ctx context.Context, m mutant) (verdict, error) {
	v := verdict{mutant: m, fate: unmet}
	for _, own := range []bool{true, false} {
		for _, s := range t.suites {
			if (strings.TrimPrefix(s.path, t.module+"/") == m.pkg) != own {
				continue
			}
			noticed, met, err := s.notices(ctx, m.id)
			if err != nil {
				return v, err
			}
			if noticed {
				v.fate, v.by = byTests, s.path
				return v, nil
			}
			if met {
				v.fate = survived
			}
		}
	}
	return v, nil
}

// recordings asks the recordings about the mutants that the tests let pass.
func (t *trial) recordings(ctx context.Context, w *workshop, dir string, verdicts []verdict) error {
	var r *recordings
	last := time.Now()
	for i := range verdicts {
		v := &verdicts[i]
		if v.fate == byTests {
			continue
		}
		if r == nil {
			var err error
			if r, err = record(ctx, w, dir); err != nil {
				return err
			}
			defer r.close()
			fmt.Fprintln(t.told, "recordings:", r.usual)
		}
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(t.told, "recordings: at %d of %d mutants\n", i, len(verdicts))
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		how, met, err := r.notices(v.mutant)
		if err != nil {
			return err
		}
		switch {
		case how != "":
			v.fate, v.by = byRecordings, how
			fmt.Fprintf(t.told, "noticed\t%s\t%s\n", how, v.key())
		case met:
			v.fate = survived
		}
	}
	return nil
}
