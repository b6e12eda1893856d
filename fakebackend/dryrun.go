package fakebackend

import (
	"encoding/json"
	"slices"
)

// rehearsedTool can be asked what it would do.
func rehearsedTool(o Options) tool {
	dry := property{"dry_run", of("type", "boolean", "description", "true: nothing is cancelled, and the answer says what would become of each product.")}
	return tool{
		name: cancelRehearsed, title: "Cancel products, or say what would become of them",
		description: "Cancels several products in one call. With dry_run nothing is done, and results[] says of each product what would become of it.",
		input:       schema([]string{"items"}, items(o), key(), dry), output: o.Shape.batchSchema(writeRow()),
		run: (*Backend).cancelOrRehearse,
	}
}

// cancelOrRehearse cancels, or says what would become of it. A dry run uses no
// idempotency key up: there is nothing that a repeat could do twice.
func (b *Backend) cancelOrRehearse(c *call) *answer {
	w := b.cancelling(c)
	if !c.args.yes("dry_run") {
		return b.write(c, w)
	}
	if o, ok := b.tooMany(w.refs); ok {
		return w.tell(w.refuseAll(o))
	}
	rehearsed := *c
	// Last, so that it has the last word on what is done.
	rehearsed.bends = append(slices.Clip(c.bends), undone())
	for _, bent := range c.bends {
		if bent.inEarnest != nil {
			rehearsed.bends = append(rehearsed.bends, bent.inEarnest())
		}
	}
	return w.tell(b.cancelAll(&rehearsed, w.shelf, w.refs))
}

// yes tells whether an argument is true.
func (a arguments) yes(name string) bool {
	var yes bool
	return json.Unmarshal(a[name], &yes) == nil && yes
}

// dryRunFaults are wrong where nothing should be done.
func dryRunFaults() []Fault {
	needs := []Feature{DryRunning}
	earnest := func(again func() *bend) how {
		return how{on: rehearsals, bend: func() *bend { return &bend{inEarnest: again} }}
	}
	return []Fault{
		{
			ID: "EFF-04/dry-run-does-it", Sentence: "A dry run cancels all the same.", Needs: needs,
			how: earnest(func() *bend {
				return &bend{decide: func(_ *call, _ resolved, _ state, d *decision) {
					if d.problem == "" {
						d.times = 1
					}
				}}
			}),
		},
		{
			ID: "EFF-04/dry-run-does-the-last", Sentence: "A dry run of two or more items cancels the last of them.", Needs: needs,
			how: earnest(func() *bend {
				return &bend{finish: func(b *Backend, c *call, j *job) {
					last := len(j.items) - 1
					if last < 1 || j.outcomes[last].problem != "" {
						return
					}
					d := decision{outcome: outcome{protocol: j.outcomes[last].protocol}, times: 1}
					j.shelf.change(j.items[last].entry, func(now state) (state, bool) {
						return b.carryOut(c, j.shelf, j.items[last].entry, now, d)
					})
				}}
			}),
		},
	}
}
