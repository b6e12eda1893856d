package selftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/suites"
)

// Options say how a selftest is made.
type Options struct {
	// Self is the program and its first arguments: what starts mcpconform again,
	// as a child that serves on stdio.
	Self []string
	// Glob narrows to the faults whose id or check it takes; the good servers are
	// then left out. Empty: everything.
	Glob string
	// AtOnce is how many servers are played at once; 0: 8. Runs wait more than
	// they work.
	AtOnce int
	// Masked has each recording of a fault judged once more, with all data masked as
	// `privacy` would: it takes half as long again.
	Masked bool
	// Progress is told how far it is; nil: nobody is told.
	Progress func(done, total int, now string)

	// recorded is given every run of a fault, from several goroutines; for tests.
	recorded func(play, recorded)
}

// Run makes a selftest. The error is a *GlobError, the context's, or a fault of
// ours; whatever is wrong with checks or faults is in the report.
func Run(ctx context.Context, o Options) (Report, error) {
	begun := time.Now()
	report := Report{Schema: SchemaName, Catalogue: suites.OpenSet().Catalogue(), Narrowed: o.Glob, Exempt: exempt}
	report.Unproven, report.Stale = unproven(suites.All(), fakebackend.Faults(), exempt)
	report.Ahead = []string{}
	for _, f := range fakebackend.Faults() {
		if !Judged(f) {
			report.Ahead = append(report.Ahead, f.ID)
		}
	}
	chosen, err := choose(fakebackend.Faults(), o.Glob)
	if err != nil {
		return report, err
	}
	scenarios, err := Scenarios()
	if err != nil {
		return report, err
	}
	usual, err := neighbours(ctx, chosen, o, scenarios)
	if err != nil {
		return report, err
	}
	names, err := drawNames()
	if err != nil {
		return report, err
	}
	var servers, odd []named
	report.Good, report.Oddities = []Lawful{}, []Lawful{}
	if o.Glob == "" {
		servers, odd = good(), oddServers()
		if report.Oddities, err = oddAnswers(); err != nil {
			return report, err
		}
	}
	report.Faults = make([]Faulty, len(chosen))
	goods, odds := make([]Lawful, len(servers)), make([]Lawful, len(odd))
	var work []task
	for i, p := range chosen {
		work = append(work, task{p.fault.ID, slow[p.fault.ID] != nil, func(ctx context.Context) (err error) {
			report.Faults[i], err = faulty(ctx, p, usual[p.key()], names, o, scenarios)
			return err
		}})
	}
	for i, n := range servers {
		work = append(work, task{n.name, n.server.plays != nil, func(ctx context.Context) (err error) {
			goods[i], err = innocent(ctx, n, o, n.plays(scenarios))
			return err
		}})
	}
	for i, n := range odd {
		work = append(work, task{n.name, false, func(ctx context.Context) (err error) {
			plays := oddPlays
			if n.server.plays != nil {
				plays = n.server.plays
			}
			odds[i], err = innocent(ctx, n, o, plays)
			return err
		}})
	}
	// Those that let a client wait begin first, so that none is waited for alone.
	slices.SortStableFunc(work, func(a, b task) int { return cmp.Compare(waits(a), waits(b)) })
	if err := o.pool(ctx, work); err != nil {
		return report, err
	}
	report.Good = append(report.Good, goods...)
	report.Oddities = append(odds, report.Oddities...)
	report.Unshown = []string{}
	if o.Glob == "" {
		report.Unshown = unshown(suites.All(), exempt, report.Good, report.Oddities)
	}
	report.Seconds = time.Since(begun).Seconds()
	report.sum()
	return report, nil
}

// key names the good server that a play is compared with.
func (p play) key() string {
	setup := SetupOf(p.fault)
	setup.Patience, setup.Scenarios, setup.Operations, setup.Takes, setup.Flags = 0, nil, nil, 0, nil // a good server keeps nobody waiting
	return fmt.Sprint(p.over, setup, p.fault.Needs)
}

// neighbours runs the good servers that the plays are compared with, and gives
// what each is told.
func neighbours(ctx context.Context, chosen []play, o Options, scenarios []string) (map[string][]Accused, error) {
	usual := map[string][]Accused{}
	var work []task
	var told sync.Mutex
	for _, p := range chosen {
		key := p.key()
		if _, known := usual[key]; known {
			continue
		}
		usual[key] = nil
		work = append(work, task{"the good server over " + string(p.over), false, func(ctx context.Context) error {
			r, err := record(ctx, p.neighbour(), o.Self, scenarios)
			if err != nil {
				return fmt.Errorf("playing the good server over %s: %w", p.over, err)
			}
			told.Lock()
			defer told.Unlock()
			usual[key] = failing(r.report.Findings)
			return nil
		}})
	}
	o.Progress = nil
	if err := o.pool(ctx, work); err != nil {
		return nil, err
	}
	return usual, nil
}

type task struct {
	name  string
	waits bool // more than it works
	do    func(context.Context) error
}

// waits is small for the faults that let a client wait.
func waits(t task) int {
	check, _, _ := strings.Cut(t.name, "/")
	switch check {
	case "CON-03", "CON-06", "LD-02":
		return 0
	case "CON-01", "LD-01", "EFF-01":
		return 1
	}
	return 2
}

// pool does the work, several at once, and stops at the first error.
func (o Options) pool(ctx context.Context, work []task) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan task)
	var told sync.Mutex
	done := 0
	var all sync.WaitGroup
	workers := o.AtOnce
	if workers <= 0 {
		workers = 8
	}
	play := func(t task) {
		if ctx.Err() != nil {
			return
		}
		if err := t.do(ctx); err != nil {
			cancel(err)
			return
		}
		told.Lock()
		defer told.Unlock()
		done++
		if o.Progress != nil {
			o.Progress(done, len(work), t.name)
		}
	}
	for range workers {
		all.Go(func() {
			for t := range next {
				play(t)
			}
		})
	}
	for _, t := range work {
		if t.waits {
			all.Go(func() { play(t) }) // it waits, and takes nobody's place
			continue
		}
		next <- t
	}
	close(next)
	all.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return ctx.Err()
}
