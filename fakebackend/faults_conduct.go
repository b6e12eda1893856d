package fakebackend

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// large is the batch size from which some faults show.
const large = 25

// inputFaults break the rules on what is taken.
func inputFaults() []Fault {
	return []Fault{
		refusing("INP-01/one-at-a-time", "A call for more than one item is refused as a whole.", plainWrites,
			"one_item_only", "one item a call",
			func(c *call, j *job) bool { return len(j.items) > 1 },
			"RES-01", "AGG-01", "AGG-02", "AGG-03", "LD-02", "VAL-10", "IDM-02"),
		refusing("INP-02/refuses-extras", "A call with an argument that the tool does not know is refused as a whole.", plainWrites,
			"unexpected_argument", "an argument is not known",
			func(c *call, j *job) bool {
				for name := range c.args {
					if !slices.Contains([]string{"items", "subject", "idempotency_key"}, name) {
						return true
					}
				}
				return false
			}, "RES-01", "VAL-10"),
		{
			ID: "INP-03/objects-only", Sentence: "Items of a list that are plain texts are refused, although the schema allows them.", Consequences: []string{"RES-12", "AGG-01"},
			how: how{on: productsOnly, bend: func() *bend {
				refuse := refuseIf(outcome{problem: "unsupported_form", detail: "an item is an object"}, func(r resolved) bool { return r.loose })
				return &bend{plan: func(b *Backend, c *call, j *job) {
					if c.inList() {
						refuse(b, c, j)
					}
				}}
			}},
		},
		refusing("INP-04/lists-only", "A single item that is in no list is refused, although the schema allows it.", productsOnly,
			"list_expected", "items is a list",
			func(c *call, j *job) bool { return !c.inList() },
			"RES-13", "RES-01"),
		{
			ID: "INP-05/ok-for-nothing", Sentence: "A call for nothing is answered with ok:true and no rows.",
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.holder == nil || t.n() > 0 {
					return false
				}
				return t.replace(of("ok", true, "results", []any{}), false)
			}},
		},
	}
}

// inList tells whether the items stand in a list.
func (c *call) inList() bool { return bytes.HasPrefix(bytes.TrimSpace(c.args["items"]), []byte("[")) }

// refusing makes a fault that refuses some calls as a whole, in a sentence, and
// does nothing of what they ask for.
func refusing(id, sentence string, on scope, problem, detail string, when func(*call, *job) bool, consequences ...string) Fault {
	return Fault{
		ID: id, Sentence: sentence, Consequences: consequences,
		how: how{on: on, undeclared: true, follows: true,
			bend: func() *bend {
				return &bend{plan: func(_ *Backend, c *call, j *job) {
					if when(c, j) {
						refuseIf(outcome{problem: problem, detail: detail}, func(resolved) bool { return true })(nil, c, j)
					}
				}}
			},
			result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.n() == 0 || len(t.objects()) == 0 || t.objects()[0].text("error") != problem {
					return false
				}
				result.drop("structuredContent", "isError").set("content", texts("Refused: "+detail+".")).add("isError", true)
				return true
			}},
	}
}

// idempotencyFaults break the rules on repeated calls.
func idempotencyFaults() []Fault {
	// again cancels what is cancelled.
	again := func(_ *call, _ resolved, _ state, d *decision) {
		if d.problem == "already_cancelled" {
			*d = decision{times: 1}
		}
	}
	return []Fault{
		{
			ID: "IDM-01/executes-again", Sentence: "A repeat under a key is done again, and answered as the first time.",
			how: how{on: writes, bend: func() *bend {
				return &bend{replay: func(b *Backend, c *call, kept *answer, run func() *answer) *answer {
					c.bends = append(slices.Clip(c.bends), &bend{decide: again})
					run()
					return kept
				}}
			}},
		},
		{
			ID: "IDM-01/ignores-the-key", Sentence: "A repeat under a key is done again, under new protocols.", Consequences: []string{"IDM-02"},
			how: how{on: writes, bend: func() *bend {
				return &bend{replay: func(b *Backend, c *call, kept *answer, run func() *answer) *answer {
					c.bends = append(slices.Clip(c.bends), &bend{decide: again})
					return run()
				}}
			}},
		},
		{
			ID: "IDM-02/new-protocols", Sentence: "A repeat under a key does nothing, and is answered with new protocols.", Consequences: []string{"IDM-01"},
			how: how{on: writes, bend: func() *bend {
				return &bend{replay: func(b *Backend, c *call, kept *answer, _ func() *answer) *answer {
					renewed := clone(kept.payload).(*object)
					for _, row := range tell(&exchange{tool: c.tool}, of("structuredContent", renewed)).with(true) {
						row.set("protocol", b.protocol())
					}
					return &answer{payload: renewed, failed: kept.failed}
				}}
			}},
		},
		{
			ID: "IDM-02/refuses-repeat", Sentence: "A repeat under a key is refused, item by item, as done already.",
			how: how{on: writes, bend: func() *bend { return &bend{keyless: true} }},
		},
		{
			ID: "IDM-03/redoes-all", Sentence: "A retry after a partial success does again what had succeeded.",
			how: how{on: writes, bend: func() *bend { return &bend{decide: again} }},
		},
		{
			ID: "IDM-04/one-for-the-batch", Sentence: "The batch has one protocol; its rows have none.",
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				done := t.with(true)
				if len(done) == 0 {
					return false
				}
				t.payload.set("protocol", done[0].get("protocol"))
				for _, row := range done {
					row.drop("protocol")
				}
				return true
			}},
		},
		{
			ID: "IDM-04/same-twice", Sentence: "All rows that succeed have the same protocol.",
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				done := t.with(true)
				for _, row := range done {
					row.set("protocol", done[0].get("protocol"))
				}
				return len(done) > 1
			}},
		},
		{
			ID: "IDM-04/counts-anew", Sentence: "Each call counts its protocols from one.",
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				done := t.with(true)
				for i, row := range done {
					row.set("protocol", "P-"+strconv.Itoa(i+1))
				}
				return len(done) > 1
			}},
		},
		{
			// Each thing can be done once, and is done often: no order explains that.
			ID: "IDM-05/race", Sentence: "Of identical calls in flight together each finds the key unused, and each is done.", Consequences: []string{"CON-05"},
			how: how{on: writes, bend: func() *bend {
				raced := checkThenAct(3, func(c *call) bool { return c.key != "" }) // few calls have one
				raced.raceKeys = true
				return raced
			}},
		},
	}
}

// checkThenAct has the calls that it is for look at everything, wait for another one that
// asks for the same, as long as so many of the backend's windows, and act on what they saw.
func checkThenAct(windows int, whose func(*call) bool) *bend {
	w := &twins{}
	return &bend{
		plan: func(b *Backend, c *call, j *job) {
			if !whose(c) {
				return
			}
			c.seen = map[string]state{}
			for _, item := range j.items {
				c.seen[item.entry.id] = j.shelf.look(item.entry)
			}
			w.meet(c, j, time.Duration(windows)*b.window)
		},
		decide: func(c *call, r resolved, _ state, d *decision) {
			if c.seen != nil && d.problem == "already_cancelled" && refusal(r.entry, c.seen[r.entry.id]) == "" {
				*d = decision{times: 1}
			}
		},
		finish: func(_ *Backend, c *call, _ *job) { w.leave(c) },
	}
}

// effectFaults do other than they say.
func effectFaults() []Fault {
	return []Fault{
		{
			ID: "EFF-01/only-says-so", Sentence: "What a batch of five or more is told as done is not done.", Consequences: []string{"CON-01"},
			how: how{on: writes, bend: func() *bend {
				return &bend{
					plan: func(_ *Backend, c *call, j *job) {
						if len(j.items) >= 5 && j.plain(c) {
							c.seen = map[string]state{} // marks the call
						}
					},
					decide: func(c *call, _ resolved, _ state, d *decision) {
						if c.seen != nil {
							d.times = 0
						}
					},
				}
			}},
		},
		{
			ID: "EFF-01/never-shows", Sentence: "What is done is never seen: neither get_products nor any other look shows it.", Consequences: []string{"CON-01"},
			how: how{unseen: true},
		},
		{
			ID: "EFF-02/does-what-it-refuses", Sentence: "What is refused is cancelled all the same.",
			how: how{on: writes, bend: func() *bend {
				return &bend{decide: func(_ *call, _ resolved, now state, d *decision) {
					if d.problem != "" && now.status != cancelled {
						d.times = 1
					}
				}}
			}},
		},
		{
			ID: "EFF-03/twice", Sentence: "Everything is done twice.",
			how: how{on: writes, bend: func() *bend {
				return &bend{decide: func(_ *call, _ resolved, _ state, d *decision) { d.times *= 2 }}
			}},
		},
		{
			ID: "EFF-03/duplicates-too", Sentence: "An item that is in a call twice is done twice.", Consequences: []string{"RES-14"},
			how: how{on: writes, bend: func() *bend {
				return &bend{finish: func(b *Backend, c *call, j *job) {
					for i := range j.repeats {
						if j.outcomes[i].problem != "duplicate_in_call" {
							continue
						}
						d := decision{outcome: outcome{protocol: b.protocol()}, times: 1}
						j.shelf.change(j.items[i].entry, func(now state) (state, bool) {
							return b.carryOut(c, j.shelf, j.items[i].entry, now, d)
						})
						j.outcomes[i] = d.outcome
					}
				}}
			}},
		},
	}
}

// readFaults break the rules on bulk reads.
func readFaults() []Fault {
	return []Fault{
		{
			ID: "RO-01/fails-as-a-whole", Sentence: "One order that cannot be read, and the whole query is an error.", Consequences: []string{"RES-01", "AGG-02", "AGG-03", "RES-13"},
			how: how{on: queries, undeclared: true, told: func(x *exchange, t *told) bool {
				return t.mixed() && t.replace(of("error", "an order cannot be read"), true)
			}},
		},
		{
			ID: "RO-02/finds-in-front", Sentence: "An order whose id has a letter of no width in it is found where it stands in front of others.",
			how: how{on: queries, told: func(x *exchange, t *told) bool {
				row := t.objects()
				if len(row) < 2 || !strings.Contains(row[0].text("id"), "\u200b") || succeeded(row[0]) {
					return false
				}
				row[0].set("success", true).drop("error", "message").
					add("order", of("state", "PAID", "customer", "Somebody", "total", of("currency", "EUR", "cents", 100)))
				t.settle()
				return true
			}},
		},
	}
}

// loadFaults show under load, or with large batches.
func loadFaults() []Fault {
	return []Fault{
		{
			ID: "LD-01/shared-buffer", Sentence: "Of calls in flight together one is told the row of another's item.",
			Consequences: []string{"RES-02", "RES-09", "RES-12", "CON-01", "CON-04", "AGG-01", "AGG-02", "EFF-01"},
			how: how{on: writes, bend: func() *bend {
				w := &crowd{}
				return &bend{
					plan: func(b *Backend, c *call, j *job) { w.enter(b, c, j.last()) },
					finish: func(_ *Backend, c *call, j *job) {
						if item, ok := w.company(c); ok && len(j.items) > 0 {
							j.items[len(j.items)-1] = item
						}
						w.leave(c)
					},
				}
			}},
		},
		{
			ID: "LD-01/crossed-answers", Sentence: "Of calls in flight together two are told each other's rows.",
			Consequences: []string{"RES-02", "RES-09", "RES-12", "RES-13", "CON-01", "CON-04", "AGG-01", "AGG-02", "EFF-01", "EFF-02"},
			how: how{on: writes, bend: func() *bend {
				p := &pairs{}
				return &bend{finish: func(b *Backend, c *call, j *job) { p.cross(b, c, j) }}
			}},
		},
		{
			ID: "LD-01/session-mix-up", Sentence: "Of calls in flight together on two sessions each is told the other session's rows.", Transports: []Transport{HTTP},
			Consequences: []string{"RES-02", "RES-09", "RES-12", "RES-13", "CON-01", "CON-04", "AGG-01", "AGG-02", "EFF-01", "EFF-02"},
			how: how{on: writes, bend: func() *bend {
				p := &pairs{apart: true}
				return &bend{finish: func(b *Backend, c *call, j *job) { p.cross(b, c, j) }}
			}},
		},
		{
			ID: "LD-02/too-slow", Sentence: "Large batches are answered after 35 seconds.",
			how: how{on: writes, bend: func() *bend {
				return &bend{plan: func(b *Backend, c *call, j *job) {
					if len(j.items) >= large {
						_ = wait(c.ctx, b.stall)
					}
				}}
			}},
		},
		{
			ID: "CON-01/lost-update", Sentence: "Of calls in flight together the work of one is lost, and told as done.", Consequences: []string{"CON-02", "CON-04", "CON-05", "EFF-01"},
			how: how{on: writes, bend: func() *bend {
				w := &crowd{}
				return &bend{
					plan: func(b *Backend, c *call, j *job) { w.enter(b, c, j.last()) },
					decide: func(c *call, _ resolved, _ state, d *decision) {
						if _, ok := w.other(c); ok {
							d.times = 0
						}
					},
					finish: func(_ *Backend, c *call, _ *job) { w.leave(c) },
				}
			}},
		},
		{
			ID: "CON-02/check-then-act", Sentence: "Of calls in flight together for one item each is told that it was done.",
			how: how{on: writes, bend: func() *bend { return checkThenAct(1, func(*call) bool { return true }) }},
		},
		{
			ID: "CON-04/once-more", Sentence: "Of calls in flight together each does its items once more than it says.",
			how: how{on: writes, bend: func() *bend {
				w := &crowd{}
				return &bend{
					plan: func(b *Backend, c *call, j *job) { w.enter(b, c, j.last()) },
					decide: func(c *call, _ resolved, _ state, d *decision) {
						if _, ok := w.company(c); ok {
							d.times *= 2
						}
					},
					finish: func(_ *Backend, c *call, _ *job) { w.leave(c) },
				}
			}},
		},
		{
			ID: "CON-05/undoes-earlier", Sentence: "Calls in flight together undo what was done, and seen to be done, before them.",
			how: how{on: append(slices.Clip(writes), getProducts, getSubscriptions, resetTool), bend: func() *bend {
				w, before := &crowd{}, &deeds{}
				return &bend{
					begin: func(_ *Backend, c *call) {
						switch {
						case c.tool == resetTool:
							before.forget()
						case !writes.has(c.tool):
							before.see()
						}
					},
					plan: func(b *Backend, c *call, j *job) { w.enter(b, c, j.last()) },
					finish: func(_ *Backend, c *call, j *job) {
						if _, ok := w.other(c); ok {
							before.undo()
						}
						before.add(j)
						w.leave(c)
					},
				}
			}},
		},
		{
			ID: "CON-03/never-answers", Sentence: "With four calls in flight a further one is not answered for more than a minute.", Consequences: []string{"PRO-04"},
			how: how{on: writes, bend: func() *bend {
				w := &crowd{}
				return &bend{
					plan: func(b *Backend, c *call, j *job) {
						w.join(c, j.last())
						stay := 5 * b.window // few calls are asked of it, and five must be there at once
						if w.size() > 4 {
							stay = 2 * b.stall
						}
						_ = wait(c.ctx, stay)
					},
					finish: func(_ *Backend, c *call, _ *job) { w.leave(c) },
				}
			}},
		},
		{
			ID: "CON-06/keeps-the-lock", Sentence: "After a call was cancelled while it was at work, none is answered for more than a minute.", Consequences: []string{"PRO-04"},
			how: how{on: writes, bend: func() *bend {
				var kept atomic.Bool   // the lock, by the call that was cancelled
				var asked atomic.Int32 // calls
				return &bend{
					plan: func(b *Backend, c *call, _ *job) {
						// Whoever cancels in the middle of what a call took before meets it.
						stay := 5 * b.window
						if asked.Add(1) == 1 {
							stay = b.window
						}
						_ = wait(c.ctx, stay)
						// By now a call that was cancelled before this one came has ended, however
						// late its end was heard of.
						if kept.Load() {
							_ = wait(c.ctx, 2*b.stall)
						}
					},
					finish: func(_ *Backend, c *call, _ *job) {
						if c.ctx.Err() != nil {
							kept.Store(true)
						}
					},
				}
			}},
		},
	}
}
