package fakebackend

import (
	"context"
	"fmt"
)

// call is one tools/call on its way through the backend.
type call struct {
	ctx   context.Context
	tool  string
	asker *asker // who can ask the user
	args  arguments
	items int64  // how many the call asks for, where its tool counts them; the work of a job may do so late
	key   string // idempotency key that the work is done under; empty: none
	bends []*bend
	// failure is the JSON-RPC error that the call is answered with; nil: with what
	// the tool says.
	failure error
	seen    map[string]state // what a bend saw of things before their turn, by id
}

// outcome is what became of one item.
type outcome struct {
	protocol string
	problem  string // error code; empty: done
	detail   string // the same for a person
	untold   bool   // there is no row for it (a faulty server's doing)
}

// pending is the problem of an item whose turn has not come; if it never comes,
// because the call was given up, the row says so.
const pending = "stopped"

// details are the explanations of error codes that need no particulars.
var details = map[string]string{
	pending:                   "the call was given up before this item's turn",
	"already_shipped":         "it has left the warehouse",
	"not_cancellable":         "things of this kind cannot be cancelled",
	"under_contract":          "the contract does not end before its term",
	"already_cancelled":       "it was cancelled before",
	"not_eligible":            "it was marked eligible:false before the call",
	"idempotency_key_reused":  "this idempotency_key was used for another call; nothing was done",
	"invalid_idempotency_key": "idempotency_key is a text; nothing was done",
	"archive_unavailable":     "the archive cannot be read at the moment",
	"access_denied":           "the order belongs to somebody else",
	"not_cancelled":           "it is not cancelled",
	"incomplete":              "a product has an id and a name",
	"exists":                  "a product with this id or name is there already",
	"not_removable":           "it was there from the start",
	declined:                  "the user did not agree; nothing was done",
	"confirmation_impossible": "this client cannot ask the user, who has to agree; nothing was done",
}

func refused(problem string) outcome { return outcome{problem: problem, detail: details[problem]} }

func sameAs(first int) outcome {
	return outcome{problem: "duplicate_in_call", detail: fmt.Sprintf("the same as item %d of this call, which is done", first+1)}
}

// row says what became of an item.
func (r resolved) row(o outcome) *object {
	row := r.identity()
	if o.problem == "" {
		return row.add("success", true).add("protocol", o.protocol)
	}
	row.add("success", false).add("error", o.problem)
	if o.detail != "" {
		row.add("message", o.detail)
	}
	return row
}

// cancelAll cancels each of the things asked for, on its own, and gives a row
// for each, in the order asked. An item that is there a second time is not done
// again: its row says so, as a refusal, because a success has a protocol of its
// own and there was one cancellation only.
func (b *Backend) cancelAll(c *call, s *shelf, refs []ref) []any {
	j := &job{shelf: s, items: make([]resolved, len(refs)), outcomes: make([]outcome, len(refs)), repeats: map[int]int{}}
	first := map[string]int{} // id of an actionable thing -> its first item
	for i, r := range refs {
		item := s.resolve(r, false)
		j.items[i], j.outcomes[i] = item, admit(item)
		if j.outcomes[i].problem != pending {
			continue
		}
		if earlier, there := first[item.entry.id]; there {
			j.repeats[i], j.outcomes[i] = earlier, sameAs(earlier)
			continue
		}
		first[item.entry.id] = i
	}
	for _, bent := range c.bends {
		if bent.plan != nil {
			bent.plan(b, c, j)
		}
	}
	b.load.each(c.ctx, len(refs), func(i int) {
		if j.outcomes[i].problem == pending {
			j.outcomes[i] = b.cancelOne(c, s, j.items[i])
		}
	})
	for i, earlier := range j.repeats {
		if j.outcomes[earlier].problem != "" {
			j.outcomes[i] = j.outcomes[earlier]
		}
	}
	for _, bent := range c.bends {
		if bent.finish != nil {
			bent.finish(b, c, j)
		}
	}
	rows := make([]any, 0, len(refs))
	for i := range j.items {
		if !j.outcomes[i].untold {
			rows = append(rows, j.items[i].row(j.outcomes[i]))
		}
	}
	return rows
}

// admit says what keeps an item from being tried; pending if nothing does.
func admit(r resolved) outcome {
	switch {
	case r.problem != "":
		return outcome{problem: r.problem, detail: r.detail}
	case r.marked && r.reason != "":
		return outcome{problem: "not_eligible", detail: r.reason}
	case r.marked:
		return refused("not_eligible")
	}
	return refused(pending)
}

// cancelOne cancels one thing if its state allows it: once, however many calls
// ask for it together.
func (b *Backend) cancelOne(c *call, s *shelf, r resolved) outcome {
	var d decision
	s.change(r.entry, func(now state) (state, bool) {
		d = decision{times: 1}
		if problem := refusal(r.entry, now); problem != "" {
			d = decision{outcome: refused(problem)}
			if problem == "already_cancelled" && now.protocol != "" {
				d.detail = "it was cancelled before, under protocol " + now.protocol
			}
		}
		for _, bent := range c.bends {
			if bent.decide != nil {
				bent.decide(c, r, now, &d)
			}
		}
		if d.problem == "" && d.protocol == "" {
			d.protocol = b.protocol()
		}
		return b.carryOut(c, s, r.entry, now, d)
	})
	return d.outcome
}

// carryOut is the state of a thing after it was cancelled as often as decided.
func (b *Backend) carryOut(c *call, s *shelf, e entry, now state, d decision) (state, bool) {
	if d.times == 0 {
		return now, false
	}
	now.status = cancelled
	now.cancellations += d.times
	if now.protocol == "" {
		now.protocol = d.protocol
	}
	for range d.times {
		b.effects.add(Effect{Tool: c.tool, Item: e.id, Kind: s.kind + "-cancelled", Key: c.key})
	}
	return now, true
}

// protocol gives a protocol number that no other cancellation has.
func (b *Backend) protocol() string { return fmt.Sprintf("P-%08d", b.protocols.Add(1)) }

// summary is the sentence of an answer of n rows.
func summary(rows []any, what string) string {
	if len(rows) == 0 {
		return "Nothing was asked for, nothing was done: name at least one " + what + "."
	}
	_, succeeded := tally(rows)
	if len(rows) == 1 {
		return fmt.Sprintf("%d of 1 %s cancelled.", succeeded, what)
	}
	return fmt.Sprintf("%d of %d %ss cancelled.", succeeded, len(rows), what)
}
