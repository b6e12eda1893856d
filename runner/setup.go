package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// setUp puts the good items of a play in place that are not there yet, and before
// the first play the canaries, so that they are there whenever the eyes look; it gives why the play cannot be played, or nil. Where there
// are eyes, nothing is made that is there, so that nothing is taken away at the
// end that was not the run's.
func (r *run) setUp(ctx context.Context, p *scenarios.Play, bound conform.BoundPlay, supply *scenarios.Supply) *conform.Skipped {
	op := r.file.Operation(p.Operation.Name)
	if op == nil || op.Setup == nil || r.noWrites {
		return nil
	}
	wanted := r.wanting(op, slices.Concat(r.canaries[op.Name], bound.Needs))
	if len(wanted) == 0 {
		return nil
	}
	skip := func(key, reason string, args ...any) *conform.Skipped {
		return &conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: op.Name, Checks: bound.Checks,
			Reason: fmt.Sprintf(reason, args...), Key: key, Wrong: true}
	}
	who := op.Setup.Whose()
	if r.refusals[op.Setup.Key()] >= mostRefusals {
		return skip("operations."+op.Name+".setup", "needs %d items that are not in place, and %s was asked in vain before", len(wanted), who)
	}
	r.askings++
	a := &asking{run: r, op: op, hands: &op.Setup.Hands, what: conform.DoSetup, name: fmt.Sprintf("%s/%s/%d", conform.DoSetup, op.Name, r.askings)}
	now := r.states(ctx, op, wanted, a.name+"/before")
	var missing []*entry
	for _, e := range wanted {
		if state, seen := now[e.known]; seen && ready(op, state) {
			r.inPlace[place{op.Setup.Key(), e.known}] = true
			continue
		}
		missing = append(missing, e)
		a.items = append(a.items, e.item)
	}
	if len(missing) == 0 {
		return nil
	}
	if why := r.overMost(len(missing)); why != "" {
		return skip("safety.max_write_items", "a setup %s", why)
	}
	supply.Wrote(len(missing))
	r.putBackBegins(a)
	a.ask(ctx)
	if left := r.setInPlace(ctx, a, missing); len(left) > 0 {
		return skip("operations."+op.Name+".setup", "%s did not put %d of %d items in place: %s: %s", who, len(left), len(missing), few(left), left[0].why)
	}
	return nil
}

// setInPlace notes which items are in place now, records it, and gives those that
// are not.
func (r *run) setInPlace(ctx context.Context, a *asking, missing []*entry) (left []remains) {
	put := &conform.PutBack{Operation: a.op.Name, What: a.what, Hands: a.hands.Whose()}
	there := func(e *entry, now map[string]conform.State, said multiitem.Outcome) bool {
		state, seen := now[e.known]
		return seen && ready(a.op, state) || !seen && said == multiitem.Done
	}
	now := r.settled(ctx, a, missing, func(e *entry, now map[string]conform.State) bool { return there(e, now, multiitem.Done) })
	for i, e := range missing {
		if there(e, now, a.said[i]) {
			r.inPlace[place{a.hands.Key(), e.known}] = true
		} else {
			why := a.problem
			if a.said[i] == multiitem.Done {
				why = "it said that they were in place, and they are not"
			}
			left = append(left, remains{e, word(now, e), cut(why)})
		}
		if a.said[i] != multiitem.Refused || there(e, now, a.said[i]) {
			put.Items = append(put.Items, e.item)
		}
	}
	if r.refusals[a.hands.Key()]++; len(left) < len(missing) {
		r.refusals[a.hands.Key()] = 0
	}
	if put.Done = len(left) == 0; !put.Done {
		put.Problem = fmt.Sprintf("%s, for %d of %d items: %s", left[0].why, len(left), len(missing), few(left))
	}
	r.Record(conform.Observation{Kind: conform.KindPutBack, PutBack: put})
	return left
}

// wanting gives entries for items that are not known to be in place, each once.
func (r *run) wanting(op *target.Operation, items []conform.Item) []*entry {
	var list []*entry
	told := map[string]bool{}
	for _, item := range items {
		e := r.kept().entry(op.Name, target.Canonical(item))
		if !told[e.known] && !r.inPlace[place{op.Setup.Key(), e.known}] {
			told[e.known] = true
			list = append(list, &e)
		}
	}
	return list
}

// ready tells whether an item is in place: nothing was done to it yet, or, where
// that cannot be told, it is there.
func ready(op *target.Operation, state conform.State) bool {
	if state.Done != nil {
		return !*state.Done && (state.Present || op.Probe.Done.Presence == conform.Present)
	}
	return state.Present
}
