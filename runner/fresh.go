package runner

import (
	"context"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/scenarios"
)

// mostRedraws bounds how often the items of a play are drawn once more.
const mostRedraws = 16

// fresh passes over good items that were done before the run asked for them, by an
// earlier run or by somebody else: a play gets others in their place, as far as
// others are left. The first looks of a run tell whether there are any; only then
// are the items of each play looked at before it. What is reset, or set up, before
// a play is put back by that.
func (r *run) fresh(ctx context.Context, plan *scenarios.Plan, p *scenarios.Play, bound conform.BoundPlay, supply *scenarios.Supply) (conform.BoundPlay, *conform.Skipped) {
	op := r.file.Operation(p.Operation.Name)
	if op == nil || op.Probe == nil || op.Probe.Done == nil || !op.Write || !op.Consumes || op.StaysGood() || op.Setup != nil || op.Reset != nil {
		return bound, nil
	}
	r.quiet(ctx, p, bound)
	for n := 1; r.wary[op.Probe.Key()] && n <= mostRedraws && ctx.Err() == nil; n++ {
		instance := fmt.Sprintf("fresh/%s/%d", p.Instance, n)
		at := r.looking(op, drive.Probing{Instance: instance, Operation: op.Name, Phase: conform.Quiet, Items: bound.Needs})
		seen := map[string]conform.State{}
		for _, s := range at.look(ctx, instance, 0) {
			seen[s.ID] = s
		}
		gone := 0
		for _, item := range bound.Needs {
			id, _, _ := op.ItemID(item)
			if s, ok := seen[id]; ok && s.Done != nil && *s.Done {
				supply.AlreadyDone(p.Operation, item, s.ID, s.Word())
				gone++
			}
		}
		if gone == 0 {
			break
		}
		if r.passed[op.Name] += gone; r.passed[op.Name] == gone {
			r.passing = append(r.passing, op.Name)
		}
		var lacking *conform.Skipped
		if bound, lacking = plan.Bind(p, supply); lacking != nil {
			return bound, lacking
		}
	}
	return bound, nil
}

// passedOver tells of good items that were done before the run asked for them.
func (r *run) passedOver() []string {
	var notes []string
	for _, name := range r.passing {
		notes = append(notes, fmt.Sprintf("%d good items of %s were already done before they were asked for, and were passed over: reset them, or give fresh items (`operations.%s.items.good`)",
			r.passed[name], name, name))
	}
	return notes
}
