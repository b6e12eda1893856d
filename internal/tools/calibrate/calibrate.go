package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/mcpconform/mcpconform/fixtures/calibration"
)

// Report is the whole comparison.
type Report struct {
	Suite       string       `json:"suite"`
	Heard       []Heard      `json:"servers"`
	Comparisons []Comparison `json:"comparisons"`
	Problems    []string     `json:"problems"`

	rules *Rules
}

// calibrate lets both sides judge every server and compares them. The error is
// about the comparison; what it found wrong stands in Problems.
func calibrate(ctx context.Context, t *tools, progress func(done, total int, now string)) (*Report, error) {
	rules, err := readRules(calibration.Rules, protocolIDs())
	if err != nil {
		return nil, err
	}
	entries, err := readTriage(calibration.Triage)
	if err != nil {
		return nil, err
	}
	heard, err := listen(ctx, t, servers(rules), rules, progress)
	if err != nil {
		return nil, err
	}
	r := &Report{Suite: rules.Suite, Heard: heard, Comparisons: []Comparison{}, Problems: []string{}, rules: rules}
	for _, h := range heard {
		all, problems := compare(h, rules)
		r.Comparisons = append(r.Comparisons, all...)
		r.Problems = append(r.Problems, problems...)
	}
	r.Problems = append(r.Problems, settle(r.Comparisons, entries)...)
	return r, nil
}

// listen lets both sides judge every server, a few servers at once.
func listen(ctx context.Context, t *tools, all []Server, rules *Rules, progress func(done, total int, now string)) ([]Heard, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard, errs := make([]Heard, len(all)), make([]error, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(4, 1+runtime.NumCPU()) { // a server that hangs only waits
		workers.Go(func() {
			for i := range next {
				if heard[i], errs[i] = t.hear(ctx, all[i], rules); errs[i] != nil {
					cancel()
				}
				mu.Lock()
				done++
				progress(done, len(all), all[i].Name+", "+all[i].Revision)
				mu.Unlock()
			}
		})
	}
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if err := errors.Join(slices.DeleteFunc(errs, func(err error) bool { return errors.Is(err, context.Canceled) })...); err != nil {
		return nil, err
	}
	return heard, ctx.Err()
}

// hear lets both sides judge one server, one after the other and each on a fresh
// one: what the first does to it must not show to the second.
func (t *tools) hear(ctx context.Context, s Server, rules *Rules) (Heard, error) {
	h := Heard{Server: s, Theirs: map[string]Verdict{}, Ours: map[string]Verdict{}, messages: map[string]string{}}
	judges := []func(url string) error{func(url string) error { return t.ours(ctx, s, url, &h) }}
	if !s.unasked {
		judges = append(judges, func(url string) error { return t.official(ctx, s, url, rules, &h) })
	}
	for _, judge := range judges {
		url, stop, err := s.start(ctx, t)
		if err != nil {
			return h, fmt.Errorf("starting %s: %w", s.Name, err)
		}
		err = judge(url)
		stop()
		if err != nil {
			return h, err
		}
	}
	return h, nil
}
