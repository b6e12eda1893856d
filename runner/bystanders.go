package runner

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/target"
)

// bystanders are items that a play has asked for and seen changed, and that the
// next play looks at without asking for them. Whoever else changes what the run
// has changed shows by them, where a canary does not.
type bystanders struct {
	eyes  string // whose
	items []conform.Item
}

// mostBystanders bounds how many items more a look has for it.
const mostBystanders = 6

// changedOnce gives the items of the play at hand whose effect has shown: each was
// named by one call alone, which was answered, so that nothing of it comes later.
func (r *run) changedOnce(op *target.Operation, q drive.Probing, now []conform.State) *bystanders {
	if len(r.seen) == 0 || !op.Write || op.Eventual || r.stop.cause != "" {
		return nil
	}
	named := map[string]int{}
	for _, c := range conform.NewRecording(r.header, r.record.since(r.playing)).Calls {
		if c.Planned.Role != conform.RolePrimary || c.Sent == nil {
			continue
		}
		if c.Ending().Response == nil || len(c.Planned.Items) == 0 {
			return nil // what it does may show at any time, and on any item
		}
		for _, item := range c.Planned.Items {
			if id, _, ok := op.ItemID(item); ok {
				named[id]++
			}
		}
	}
	b := &bystanders{eyes: op.Probe.Key()}
	for _, item := range q.Items {
		id, _, ok := op.ItemID(item)
		if !ok || named[id] != 1 || len(b.items) == mostBystanders {
			continue
		}
		at := slices.IndexFunc(now, func(s conform.State) bool { return s.ID == id })
		if before, known := r.seen[id]; at >= 0 && known && now[at].Changed(before) && !now[at].Torn {
			b.items = append(b.items, item)
		}
	}
	return b
}
