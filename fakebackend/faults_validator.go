package fakebackend

import (
	"slices"
	"strings"
)

// validatorFaults break the rules on validators.
func validatorFaults() []Fault {
	judge := func(id, sentence string, change func(x *exchange, v *judged) bool, consequences ...string) Fault {
		return Fault{ID: id, Sentence: sentence, Consequences: consequences,
			how: how{on: validators, told: func(x *exchange, t *told) bool { return change(x, readJudged(t.payload)) }}}
	}
	odd := func(f Fault) Fault { // its answer does not fit the schema that the good one declares
		f.how.undeclared = true
		return f
	}
	unread := []string{"VAL-02", "VAL-03", "VAL-04", "VAL-10"}
	return []Fault{
		odd(judge("VAL-01/text", `eligible is a text, "true" or "false".`, func(_ *exchange, v *judged) bool {
			v.payload.set("eligible", map[bool]string{true: "true", false: "false"}[v.eligible()])
			return true
		}, unread...)),
		odd(judge("VAL-01/missing", "eligible is missing.", func(_ *exchange, v *judged) bool {
			v.payload.drop("eligible")
			return true
		}, unread...)),
		judge("VAL-02/refuses-all-good", "A batch of good items is judged not eligible.", func(_ *exchange, v *judged) bool {
			return v.payload.text("status") == "ELIGIBLE" && v.refuse("not now")
		}, "VAL-10"),
		judge("VAL-03/one-bad-sinks-all", "One item that cannot be cancelled makes the whole batch not eligible.", func(_ *exchange, v *judged) bool {
			return v.payload.text("status") == "PARTIALLY_ELIGIBLE" && v.refuse("an item cannot be cancelled")
		}, "VAL-10"),
		judge("VAL-04/nothing-to-do", "A batch of which nothing can be cancelled is judged eligible.", func(_ *exchange, v *judged) bool {
			if v.payload.text("status") != "NOT_ELIGIBLE" {
				return false
			}
			v.payload.set("eligible", true)
			return true
		}),
		{
			ID: "VAL-05/reserves", Sentence: "The validator reserves what it is asked about.",
			how: how{on: validators, bend: func() *bend { return &bend{judged: reserve} }},
		},
		judge("VAL-06/numbered", "Every decision carries a number of its own in its arguments.", func(x *exchange, v *judged) bool {
			if v.arguments == nil {
				return false
			}
			v.arguments.add("ticket", "T-"+strings.Trim(string(x.id), `"`))
			return true
		}),
		odd(judge("VAL-07/decision-list", "transaction_decision is a list.", func(_ *exchange, v *judged) bool {
			if v.decision == nil {
				return false
			}
			v.payload.set("transaction_decision", []any{v.decision})
			return true
		}, "VAL-08", "VAL-09", "VAL-10", "VAL-16")),
		odd(judge("VAL-07/arguments-text", "resolved_arguments is a text of JSON.", func(_ *exchange, v *judged) bool {
			if v.arguments == nil {
				return false
			}
			v.decision.set("resolved_arguments", string(encode(v.arguments)))
			return true
		}, "VAL-08", "VAL-09", "VAL-10", "VAL-16")),
		judge("VAL-08/drops-rejected", "Items that cannot be cancelled are left out of resolved_arguments.", func(_ *exchange, v *judged) bool {
			kept := slices.DeleteFunc(slices.Clone(v.items()), func(item any) bool {
				o, _ := item.(*object)
				return o.get("eligible") != true
			})
			if len(kept) == 0 || len(kept) == len(v.items()) {
				return false
			}
			v.arguments.set("items", kept)
			v.respell(kept)
			return true
		}),
		judge("VAL-09/empty-items", "A batch is judged eligible, and the items are an empty list.", func(_ *exchange, v *judged) bool {
			if !v.eligible() || v.arguments == nil {
				return false
			}
			v.arguments.set("items", []any{})
			return true
		}, "VAL-08", "VAL-10", "VAL-16"),
		{
			ID: "VAL-10/refuses-resolved", Sentence: "The primary tool refuses items as its own validator resolves them.", Consequences: []string{"RES-12", "AGG-02"},
			how: how{on: plainWrites, bend: func() *bend {
				return &bend{plan: refuseIf(outcome{problem: "unsupported_form", detail: "items with further members are not taken"},
					func(r resolved) bool { return r.judged })}
			}},
		},
		judge("VAL-11/unlisted-tool", "target_tool names a tool that there is not.", func(_ *exchange, v *judged) bool {
			if !v.decision.has("target_tool") {
				return false
			}
			v.decision.set("target_tool", v.decision.text("target_tool")+"_v2")
			return true
		}),
		judge("VAL-12/first-only", "The confirmation names the first item only.", func(_ *exchange, v *judged) bool {
			if len(v.items()) < 2 || !v.decision.has("confirmation_message") {
				return false
			}
			message := v.decision.text("confirmation_message")
			first, more, _ := strings.Cut(message, "; ")
			v.decision.set("confirmation_message", first+" and others?")
			return more != ""
		}),
		odd(judge("VAL-13/bare-no", "A batch that is not eligible is not told why.", func(_ *exchange, v *judged) bool {
			if v.payload.text("status") != "NOT_ELIGIBLE" {
				return false
			}
			v.payload.drop("status", "reason")
			return true
		})),
		judge("VAL-14/result-key", "A member result at the top hides the judgement.", func(_ *exchange, v *judged) bool {
			v.payload.add("result", "ok")
			return true
		}, "VAL-01", "VAL-02", "VAL-03", "VAL-04", "VAL-10", "VAL-08"),
		judge("VAL-15/no-parameter", "NEEDS_PARAMETER does not say which.", func(_ *exchange, v *judged) bool {
			missing := v.payload.has("parameter")
			v.payload.drop("parameter")
			return missing
		}),
		{
			ID: "VAL-16/one-merged-item", Sentence: "A text that names several things becomes one item.", Consequences: []string{"VAL-08", "VAL-10", "VAL-12"},
			how: how{on: textJudges, told: func(x *exchange, t *told) bool {
				v := readJudged(t.payload)
				subject := x.args.text("subject")
				if len(v.items()) < 2 || subject == "" {
					return false
				}
				v.arguments.set("items", []any{of("name", subject, "eligible", true)})
				return true
			}},
		},
		{
			ID: "VAL-16/subject-list", Sentence: "The text becomes a list under its own name.",
			how: how{on: textJudges, undeclared: true, told: func(x *exchange, t *told) bool {
				v := readJudged(t.payload)
				if len(v.items()) < 2 {
					return false
				}
				v.arguments.set("subject", v.names(v.items()))
				return true
			}},
		},
	}
}

// judged is a validator's answer.
type judged struct{ payload, decision, arguments *object }

func readJudged(payload *object) *judged {
	decision := payload.child("transaction_decision")
	return &judged{payload, decision, decision.child("resolved_arguments")}
}

func (v *judged) eligible() bool { return v.payload.get("eligible") == true }

func (v *judged) items() []any {
	items, _ := v.arguments.get("items").([]any)
	return items
}

func (v *judged) names(items []any) []any {
	var names []any
	for _, item := range items {
		if o, ok := item.(*object); ok {
			names = append(names, o.get("name"))
		}
	}
	return names
}

// respell writes the subject anew, where there is one.
func (v *judged) respell(items []any) {
	if !v.arguments.has("subject") {
		return
	}
	var names []string
	for _, name := range v.names(items) {
		if name, ok := name.(string); ok {
			names = append(names, name)
		}
	}
	v.arguments.set("subject", spell(names))
}

// refuse makes the judgement a no, every item of it.
func (v *judged) refuse(reason string) bool {
	v.payload.set("eligible", false).set("status", "NOT_ELIGIBLE").set("reason", reason)
	v.decision.drop("target_tool", "confirmation_message")
	for _, item := range v.items() {
		if o, ok := item.(*object); ok && o.get("eligible") == true {
			o.set("eligible", false).set("reason", "not_now")
		}
	}
	return true
}

// reserve takes what a validator finds eligible out of stock.
func reserve(b *Backend, c *call, s *shelf, items []resolved) {
	for _, item := range items {
		if item.problem != "" {
			continue
		}
		s.change(item.entry, func(now state) (state, bool) {
			now.status = reserved
			b.effects.add(Effect{Tool: c.tool, Item: item.entry.id, Kind: s.kind + "-reserved"})
			return now, true
		})
	}
}

// refuseIf refuses the items for which a condition holds.
func refuseIf(with outcome, holds func(resolved) bool) func(*Backend, *call, *job) {
	return func(_ *Backend, _ *call, j *job) {
		for i, item := range j.items {
			if holds(item) {
				j.outcomes[i] = with
				delete(j.repeats, i)
			}
		}
	}
}
