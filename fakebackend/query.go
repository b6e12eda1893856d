package fakebackend

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// orders is the shelf of orders; they are only read.
type orders struct{ byID map[string]order }

const orderPrefix = "OB"

func newOrders() orders {
	o := orders{byID: map[string]order{}}
	for _, one := range orderEntries() {
		o.byID[one.id] = one
	}
	return o
}

var bulkStates = [...]string{"PAID", "IN_TRANSIT", "DELIVERED"}

func (o orders) find(id string) (order, bool) {
	if one, ok := o.byID[id]; ok {
		return one, true
	}
	digits, n, ok := bulkNumber(id, orderPrefix)
	if !ok {
		return order{}, false
	}
	return order{id: id, customer: "Bulk customer " + digits, state: bulkStates[n%len(bulkStates)], cents: 100 + n}, true
}

// query reads each of the orders asked for; one that cannot be read hides no
// other.
func (b *Backend) query(c *call, refs []ref) *answer {
	atomic.StoreInt64(&c.items, int64(len(refs)))
	rows := make([]any, len(refs))
	tell := func() *answer {
		_, found := tally(rows)
		return b.options.Shape.batch(rows, fmt.Sprintf("%d of %d %s found.", found, len(rows), plural(len(rows), "order")))
	}
	if len(refs) == 0 {
		return b.options.Shape.batch(rows, "Nothing was asked for: name at least one order.")
	}
	if most := b.options.MaxItems; most > 0 && len(refs) > most {
		for i, r := range refs {
			rows[i] = r.orderRow().add("success", false).add("error", "too_many_items").
				add("message", fmt.Sprintf("at most %d items a call", most))
		}
		return tell()
	}
	for i, r := range refs {
		rows[i] = r.orderRow().add("success", false).add("error", pending).add("message", details[pending])
	}
	first := map[string]int{}
	earlier := make([]int, len(refs))
	for i, r := range refs {
		earlier[i] = i
		if at, there := first[r.orderID()]; there {
			earlier[i] = at
		} else {
			first[r.orderID()] = i
		}
	}
	b.load.each(c.ctx, len(refs), func(i int) { rows[i] = b.orders.row(refs[i], i, earlier[i]) })
	return tell()
}

func (o orders) row(r ref, at, earlier int) *object {
	row := r.orderRow()
	if r.invalid != "" {
		return row.add("success", false).add("error", "invalid_item").add("message", r.invalid)
	}
	found, ok := o.find(r.orderID())
	switch {
	case !ok:
		return row.add("success", false).add("error", "not_found").add("message", "no order has this id")
	case found.unavailable != "":
		return row.add("success", false).add("error", found.unavailable).add("message", details[found.unavailable])
	}
	row.add("success", true).add("order", of("state", found.state, "customer", found.customer,
		"total", of("currency", "EUR", "cents", found.cents)))
	if earlier != at {
		row.add("message", fmt.Sprintf("the same order as item %d", earlier+1))
	}
	return row
}

func (r ref) orderID() string {
	if r.id != "" {
		return strings.TrimSpace(r.id)
	}
	return strings.TrimSpace(r.name)
}

// orderRow begins a row with what the caller gave.
func (r ref) orderRow() *object {
	row := &object{}
	switch {
	case r.id != "" && r.name != "":
		return row.add("id", r.id).add("name", r.name)
	case r.id != "":
		return row.add("id", r.id)
	case r.name != "":
		return row.add("id", r.name)
	}
	return row
}

// probe reads the state of things: of those asked for, else of every stored one
// and every bulk one that something was done to. Ids that nothing has are listed
// under missing.
func (b *Backend) probe(s *shelf, refs []ref, all bool) *answer {
	var entries []entry
	missing := []any{}
	if all {
		entries = s.list()
	}
	for _, r := range refs {
		item := s.resolve(r, false)
		if item.found {
			entries = append(entries, item.entry)
		} else {
			missing = append(missing, r.id+r.name)
		}
	}
	list := make([]any, len(entries))
	for i, e := range entries {
		st := s.seen(e)
		list[i] = of("id", e.id, "name", e.name, "status", st.status, "cancellations", st.cancellations)
	}
	return &answer{payload: of(s.kind+"s", list, "missing", missing)}
}

// reset puts everything back.
func (b *Backend) reset(c *call) *answer {
	b.products.restore()
	b.subscriptions.restore()
	b.keys.forget()
	b.jobs.restart()
	b.effects.add(Effect{Tool: c.tool, Kind: "store-reset"})
	return &answer{payload: of("reset", true, "message", "Everything is as it was at the start.")}
}
