package fakebackend

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
)

// rowFaults break the rules on which rows there are, and on what a row holds.
func rowFaults() []Fault {
	return slices.Concat(missingRowFaults(), flagFaults(), namingFaults(), truthFaults())
}

func missingRowFaults() []Fault {
	return []Fault{
		{
			ID: "RES-01/bare-refusal", Sentence: "A batch in which an item fails is answered with approved:false and an error, without rows.",
			Consequences: []string{"AGG-02", "RES-13"},
			how: how{on: plainWrites, undeclared: true, told: func(x *exchange, t *told) bool {
				if !x.plain() || !t.mixed() || t.repeats() {
					return false
				}
				return t.replace(of("approved", false, "error", "not every item could be cancelled"), false)
			}},
		},
		{
			ID: "RES-01/keyed-object", Sentence: "results is an object with the items' ids as names.",
			Consequences: []string{"RES-13", "AGG-01", "AGG-02", "AGG-03", "INP-01", "INP-02", "LD-02", "VAL-10", "IDM-02"},
			how: how{on: plainWrites, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.n() == 0 {
					return false
				}
				keyed := of()
				for i, row := range t.objects() {
					name := row.text("id")
					if name == "" || keyed.has(name) {
						name = fmt.Sprint(i)
					}
					keyed.add(name, row)
				}
				t.holder.set("results", keyed)
				t.holder = nil
				return true
			}},
		},
		{
			ID: "RES-02/drops-failed", Sentence: "Items that fail get no row.",
			Consequences: []string{"AGG-02", "RO-01", "RES-14", "VAL-10", "LD-02"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if !t.mixed() || !x.plain() || t.repeats() {
					return false
				}
				t.rows = slices.DeleteFunc(t.rows, func(row any) bool {
					o, ok := row.(*object)
					return ok && !succeeded(o)
				})
				t.settle()
				return true
			}},
		},
		{
			ID: "RES-02/tells-successes-only", Sentence: "No item that fails has a row, in any call: not alone, not named twice, not in a retry.",
			how: how{on: batches, told: func(_ *exchange, t *told) bool {
				before := t.n()
				t.rows = slices.DeleteFunc(t.rows, func(row any) bool {
					o, ok := row.(*object)
					return ok && !succeeded(o)
				})
				t.settle()
				return t.n() < before
			}},
		},
		{
			ID: "RES-02/drops-last", Sentence: "The last item of a batch that succeeds gets no row.",
			Consequences: []string{"AGG-01", "LD-02", "VAL-10"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if t.n() < 2 || len(t.with(true)) != t.n() || !x.plain() || t.repeats() {
					return false
				}
				t.rows = t.rows[:t.n()-1]
				t.settle()
				return true
			}},
		},
		{
			ID: "RES-02/row-for-a-stranger", Sentence: "There is a row for an item that nobody asked for.",
			Consequences: []string{"AGG-01", "AGG-02", "AGG-03", "RO-01", "LD-02", "RES-14", "VAL-10"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if t.n() < 2 || !x.plain() {
					return false
				}
				t.rows = append(t.rows, of("id", "7777", "name", "Somebody Else's", "success", false, "error", "not_found"))
				t.settle()
				return true
			}},
		},
		{
			ID: "RES-02/row-twice", Sentence: "An item that fails gets two rows.",
			Consequences: []string{"AGG-02", "AGG-03", "RO-01", "RES-14", "VAL-10", "LD-02"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				failed := t.with(false)
				if t.n() < 2 || len(failed) == 0 || !x.plain() || t.repeats() {
					return false
				}
				t.rows = append(t.rows, clone(failed[0]))
				t.settle()
				return true
			}},
		},
		{
			ID: "RES-03/cuts", Sentence: "Work ends at the first item that fails; what follows is not done and gets no row.",
			Consequences: []string{"RES-02", "AGG-02", "RES-12", "RES-14", "AGG-05", "LD-02", "VAL-10"},
			how:          how{on: writes, bend: func() *bend { return &bend{plan: afterFirstFailure(outcome{untold: true})} }},
		},
		{
			ID: "RES-03/gives-up", Sentence: "Work ends at the first item that fails; what follows is not done and told as failed.",
			Consequences: []string{"AGG-02", "RES-12", "LD-02", "VAL-10"},
			how: how{on: writes, bend: func() *bend {
				return &bend{plan: afterFirstFailure(outcome{problem: "not_attempted", detail: "an earlier item failed"})}
			}},
		},
		{
			ID: "RES-04/text-rows", Sentence: "Rows of items that fail are plain texts.",
			Consequences: []string{"RES-02", "RES-09", "AGG-01", "AGG-02", "AGG-03", "RO-01", "PRO-01"},
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool {
				return t.replaceFailed(func(row *object) any {
					return row.text("id") + row.text("name") + ": " + row.text("error")
				})
			}},
		},
		{
			ID: "RES-04/null-rows", Sentence: "Rows of items that fail are null.",
			Consequences: []string{"RES-02", "RES-09", "AGG-01", "AGG-02", "AGG-03", "RO-01", "PRO-01"},
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool {
				return t.replaceFailed(func(*object) any { return nil })
			}},
		},
	}
}

// replaceFailed puts something else in the place of the failed rows of a batch.
func (t *told) replaceFailed(with func(*object) any) bool {
	if t.n() < 2 || len(t.with(false)) == 0 {
		return false
	}
	for i, row := range t.rows {
		if row, ok := row.(*object); ok && !succeeded(row) {
			t.rows[i] = with(row)
		}
	}
	return true
}

// afterFirstFailure leaves the items after the first one that will fail alone,
// if there are good ones among them.
func afterFirstFailure(with outcome) func(*Backend, *call, *job) {
	return func(_ *Backend, c *call, j *job) {
		good := j.doable()
		first := 0
		for first < len(good) && good[first] == first {
			first++
		}
		if !j.plain(c) || first == len(good) {
			return
		}
		for i := first + 1; i < len(j.items); i++ {
			j.outcomes[i] = with
		}
	}
}

func flagFaults() []Fault {
	unreadable := []string{"AGG-01", "AGG-02", "AGG-03", "RES-12", "RO-01", "PRO-01"}
	flag := func(id, sentence string, change func(row *object)) Fault {
		return Fault{
			ID: id, Sentence: sentence, Consequences: unreadable,
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool { return t.each(change) }},
		}
	}
	word := func(row *object, done, failed any) any {
		if succeeded(row) {
			return done
		}
		return failed
	}
	return []Fault{
		{
			ID: "RES-05/status-word", Sentence: "The last row has a status word in place of the flag.", Consequences: unreadable,
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool {
				rows := t.objects()
				if len(rows) == 0 {
					return false
				}
				last := rows[len(rows)-1]
				last.set("success", word(last, "done", "failed"))
				last.rename("success", "status")
				return true
			}},
		},
		flag("RES-06/text-flag", `The flag is a text, "true" or "false".`, func(row *object) { row.set("success", word(row, "true", "false")) }),
		flag("RES-06/number-flag", "The flag is 1 or 0.", func(row *object) { row.set("success", word(row, 1, 0)) }),
		{
			ID: "RES-06/null-flag", Sentence: "The flag of items that fail is null.", Consequences: unreadable,
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool {
				failed := t.with(false)
				for _, row := range failed {
					row.set("success", nil)
				}
				return len(failed) > 0
			}},
		},
		{
			ID: "RES-07/flags-differ", Sentence: "The last row says success in one flag and the opposite in the other.",
			Consequences: []string{"AGG-01", "AGG-02", "AGG-03", "RES-12", "RO-01"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				rows := t.objects()
				if len(rows) == 0 {
					return false
				}
				last := rows[len(rows)-1]
				last.set("ok", !succeeded(last))
				return true
			}},
		},
		{
			ID: "RES-08/two-names", Sentence: "Every second row calls its flag ok, the others success.",
			how: how{on: batches, undeclared: true, told: func(x *exchange, t *told) bool {
				for i, row := range t.objects() {
					if i%2 == 1 {
						row.rename("success", "ok")
					}
				}
				return t.n() > 1
			}},
		},
		{
			ID: "RES-11/no-reason", Sentence: "Rows of items that fail do not say why.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				failed := t.with(false)
				for _, row := range failed {
					row.drop("error", "message")
				}
				return len(failed) > 0
			}},
		},
		{
			ID: "RES-15/second-flag-text", Sentence: `Each row has a second flag, ok, that is "yes" or "no".`,
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				return t.each(func(row *object) { row.set("ok", word(row, "yes", "no")) })
			}},
		},
		{
			ID: "RES-17/error-on-success", Sentence: "Rows of items that succeed carry an error.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				done := t.with(true)
				for _, row := range done {
					row.set("error", "the stock count may be off")
				}
				return len(done) > 0
			}},
		},
	}
}

func namingFaults() []Fault {
	return []Fault{
		{
			ID: "RES-09/nameless", Sentence: "Rows do not say which item they are about.", Consequences: []string{"RES-10"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				return t.n() > 1 && t.each(func(row *object) { row.drop("id", "name") })
			}},
		},
		{
			ID: "RES-09/neighbours-id", Sentence: "Rows of items that succeed carry the id of another item of the call.",
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				done := t.with(true)
				if len(done) < 2 || t.repeats() {
					return false
				}
				first := done[0].get("id")
				for i, row := range done {
					next := first
					if i+1 < len(done) {
						next = done[i+1].get("id")
					}
					row.set("id", next)
				}
				return true
			}},
		},
		{
			ID: "RES-10/reversed-nameless", Sentence: "Rows come in reverse order and do not say which item they are about.", Consequences: []string{"RES-09", "EFF-02"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				slices.Reverse(t.rows)
				return t.n() > 1 && t.each(func(row *object) { row.drop("id", "name") })
			}},
		},
		{
			ID: "RES-14/merges", Sentence: "Items that are equal get one row together, and nothing says so.", Consequences: []string{"RES-02"},
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				before := t.n()
				t.rows = slices.DeleteFunc(t.rows, func(row any) bool {
					o, _ := row.(*object)
					return o.text("error") == "duplicate_in_call"
				})
				if t.n() == before {
					return false
				}
				t.settle()
				return true
			}},
		},
		{
			ID: "RES-14/both-done", Sentence: "Items that are equal are each told as done, although it was done once.",
			how: how{on: writes, bend: func() *bend {
				return &bend{finish: func(b *Backend, _ *call, j *job) {
					for i := range j.repeats {
						if j.outcomes[i].problem == "duplicate_in_call" {
							j.outcomes[i] = outcome{protocol: b.protocol()}
						}
					}
				}}
			}},
		},
		{
			ID: "RES-16/number-ids", Sentence: "Rows carry a key beyond 2^53 as a JSON number.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				for i, row := range t.objects() {
					row.add("key", json.Number(fmt.Sprint(uint64(1)<<53+1_000_001+2*uint64(i))))
				}
				return t.n() > 0
			}},
		},
	}
}

// truthFaults say of items what is not so.
func truthFaults() []Fault {
	return []Fault{
		{
			ID: "RES-12/claims-unknown", Sentence: "Items that do not exist are told as done.",
			Consequences: []string{"AGG-02", "AGG-03", "EFF-01", "AGG-04", "RES-13"},
			how: how{on: writes, told: func(x *exchange, t *told) bool {
				changed := false
				if !x.plain() {
					return false
				}
				for _, row := range t.with(false) {
					if row.text("error") == "not_found" {
						row.set("success", true).drop("error", "message").add("protocol", inventedProtocol(x, row))
						changed = true
					}
				}
				if changed {
					t.settle()
				}
				return changed
			}},
		},
		{
			ID: "RES-12/denies-good", Sentence: "In a mixed batch one good item is left alone and told as failed.", Consequences: []string{"AGG-02"},
			how: how{on: writes, bend: func() *bend {
				return &bend{plan: func(_ *Backend, c *call, j *job) {
					if good := j.doable(); j.plain(c) && len(good) >= 2 && len(good) < len(j.items) {
						j.outcomes[good[0]] = broken
					}
				}}
			}},
		},
		{
			ID: "RES-13/ok-true", Sentence: "A single item that fails is answered with ok:true.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if t.n() != 1 || !t.allFailed() {
					return false
				}
				t.payload.set("ok", true)
				return true
			}},
		},
		{
			ID: "RES-13/no-row", Sentence: "A single item is answered without results, its outcome at the top.",
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				rows := t.objects()
				return len(rows) == 1 && t.n() == 1 && x.plain() && !x.bare() && t.replace(rows[0], t.isError)
			}},
		},
	}
}

// inventedProtocol is a protocol for a row of one call.
func inventedProtocol(x *exchange, row *object) string {
	h := fnv.New64a()
	_, _ = h.Write(x.id)
	_, _ = h.Write(encode(x.args))
	_, _ = h.Write(encode(row))
	return fmt.Sprintf("Q-%016x", h.Sum64())
}

// broken is the outcome of an item that fails for no reason of its own.
var broken = outcome{problem: "internal_error", detail: "the store did not answer"}
