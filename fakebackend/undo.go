package fakebackend

import "fmt"

// restoreTool takes cancellations back.
func restoreTool(o Options) tool {
	row := row{{"id", kind("string")}, {"name", kind("string")}, {"success", kind("boolean")}, {"status", kind("string")},
		{"error", text("Why it failed, as a code.")}, {"message", text("The same for a person.")}}
	return tool{
		name: restoreProducts, title: "Restore products",
		description: "Takes the cancellation of several products back, so that each can be cancelled again. One row in results[] for each.",
		input:       schema([]string{"items"}, items(o)),
		output:      o.Shape.batchSchema(row),
		run:         (*Backend).restore,
	}
}

// restore makes cancelled products what they were at the start.
func (b *Backend) restore(c *call) *answer {
	refs := c.args.refs("items")
	w := write{shelf: b.products, refs: refs, tell: func(rows []any) *answer {
		_, restored := tally(rows)
		return b.options.Shape.batch(rows, fmt.Sprintf("%d of %d %s restored.", restored, len(rows), plural(len(rows), "product")))
	}}
	if o, ok := b.tooMany(refs); ok {
		return w.tell(w.refuseAll(o))
	}
	rows := make([]any, len(refs))
	for i, r := range refs {
		rows[i] = b.products.resolve(r, false).row(refused(pending))
	}
	b.load.each(c.ctx, len(refs), func(i int) { rows[i] = b.restoreOne(c, b.products.resolve(refs[i], false)) })
	return w.tell(rows)
}

func (b *Backend) restoreOne(c *call, item resolved) *object {
	if o := admit(item); o.problem != pending {
		return item.row(o)
	}
	restored := false
	b.products.change(item.entry, func(now state) (state, bool) {
		if restored = now.status == cancelled; restored {
			b.effects.add(Effect{Tool: c.tool, Item: item.entry.id, Kind: "product-restored"})
		}
		return state{status: item.entry.status}, restored
	})
	if !restored {
		return item.row(refused("not_cancelled"))
	}
	return item.identity().add("success", true).add("status", item.entry.status)
}
