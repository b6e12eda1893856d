package fakebackend

import "fmt"

// restoreTools take cancellations back.
func restoreTools(o Options) []tool {
	row := row{{"id", kind("string")}, {"name", kind("string")}, {"success", kind("boolean")}, {"status", kind("string")},
		{"error", text("Why it failed, as a code.")}, {"message", text("The same for a person.")}}
	one := func(name, what string, shelf func(*Backend) *shelf) tool {
		return tool{
			name: name, title: "Restore " + what,
			description: "Takes the cancellation of several " + what + " back, so that each can be cancelled again. One row in results[] for each.",
			input:       schema([]string{"items"}, prop("items", collection("The "+what+": objects with id or name, or names or ids as plain texts.", o.MaxItems))),
			output:      o.Shape.batchSchema(row),
			run: func(b *Backend, c *call) *answer {
				rows := b.restore(c, shelf(b), c.args.refs("items"))
				_, restored := tally(rows)
				return o.Shape.batch(rows, fmt.Sprintf("%d of %d %s restored.", restored, len(rows), plural(len(rows), shelf(b).kind)))
			},
		}
	}
	return []tool{
		one(restoreProducts, "products", func(b *Backend) *shelf { return b.products }),
		one(restoreSubscriptions, "subscriptions", func(b *Backend) *shelf { return b.subscriptions }),
	}
}

// restore makes cancelled things what they were at the start, a row for each.
func (b *Backend) restore(c *call, s *shelf, refs []ref) []any {
	rows := make([]any, len(refs))
	o, tooMany := b.tooMany(refs)
	if !tooMany {
		o = refused(pending)
	}
	for i, r := range refs {
		rows[i] = s.resolve(r, false).row(o)
	}
	if !tooMany {
		b.load.each(c.ctx, len(refs), func(i int) { rows[i] = b.restoreOne(c, s, s.resolve(refs[i], false)) })
	}
	return rows
}

func (b *Backend) restoreOne(c *call, s *shelf, item resolved) *object {
	if o := admit(item); o.problem != pending {
		return item.row(o)
	}
	restored := false
	s.change(item.entry, func(now state) (state, bool) {
		restored = now.status == cancelled
		if !restored || b.options.IdleUndo {
			return now, false
		}
		b.effects.add(Effect{Tool: c.tool, Item: item.entry.id, Kind: s.kind + "-restored"})
		return state{status: item.entry.status}, true
	})
	if !restored {
		return item.row(refused("not_cancelled"))
	}
	return item.identity().add("success", true).add("status", item.entry.status)
}
