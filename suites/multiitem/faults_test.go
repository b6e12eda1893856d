package multiitem_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// fault bends the good server in one way. want are the ids that fail, and no
// others; "ID<ROOT" is a consequence that reports fold under its root.
type fault struct {
	name string
	bend func(s script, a *answer)
	want []string
	ops  func([]conform.Operation) // changes the target
}

// primaryOf tells whether a call is for the primary tool and asks for items.
func primaryOf(s script) bool { return s.Role == conform.RolePrimary && len(s.Items) > 0 }

func hasBad(s script) bool {
	return slices.ContainsFunc(s.Items, func(i conform.Item) bool { return i.Truth == conform.Bad })
}
func hasGood(s script) bool {
	return slices.ContainsFunc(s.Items, func(i conform.Item) bool { return i.Truth == conform.Good })
}
func isMixed(s script) bool { return hasBad(s) && hasGood(s) }
func each(a *answer, do func(i int, r object)) {
	for i, r := range a.rows {
		if o, ok := r.(object); ok {
			do(i, o)
		}
	}
}
func words(text string) *string { return &text }
func succeeded(a *answer) (n int) {
	each(a, func(_ int, r object) {
		if r["success"] == true {
			n++
		}
	})
	return n
}

// all wraps a bend so that it touches every answer of a primary tool.
func all(bend func(s script, a *answer)) func(script, *answer) {
	return func(s script, a *answer) {
		if primaryOf(s) {
			bend(s, a)
		}
	}
}

// on narrows a bend to one operation.
func on(operation string, bend func(s script, a *answer)) func(script, *answer) {
	return func(s script, a *answer) {
		if s.Operation == operation {
			bend(s, a)
		}
	}
}

// plainCancel touches the ordinary batches of the writing tool.
func plainCancel(bend func(s script, a *answer)) func(script, *answer) {
	return func(s script, a *answer) {
		if s.Operation == "cancel" && s.Scenario == "batch" {
			bend(s, a)
		}
	}
}

func validating(bend func(s script, a *answer)) func(script, *answer) {
	return func(s script, a *answer) {
		if s.Role == conform.RoleValidator {
			bend(s, a)
		}
	}
}

func refuse(text string) func(script, *answer) {
	return func(_ script, a *answer) {
		*a = answer{result: object{"isError": true}, text: words(text), noData: true}
	}
}

var faults = []fault{
	{name: "ENV-01 prose", bend: all(func(_ script, a *answer) { a.text, a.noData = words("all done"), true; delete(a.result, "isError") }), want: []string{"ENV-01"}},
	{name: "ENV-01 bare array", bend: all(func(_ script, a *answer) { a.bare = a.rows }), want: []string{"ENV-01"}},
	{name: "ENV-02 under data", bend: on("cancel", all(func(_ script, a *answer) {
		a.payload["data"], a.payload["result"] = object{"results": a.rows}, nil
		delete(a.payload, "result")
		a.holder = nil
	})), want: []string{"ENV-02"}},
	{name: "ENV-03 result beside the rows", bend: on("cancel", all(func(_ script, a *answer) {
		a.payload, a.holder = object{"results": a.rows, "result": "done"}, nil
	})), want: []string{"ENV-03", "ENV-05"}},
	{name: "ENV-05 not portable", bend: on("cancel", all(func(_ script, a *answer) {
		a.payload = object{"ok": a.payload["ok"], "results": a.rows}
		a.holder = nil
	})), want: []string{"ENV-05"}},
	{name: "ENV-06 raises when an item fails", bend: on("cancel", all(func(s script, a *answer) {
		if hasBad(s) && len(s.Items) > 1 {
			a.raised = "X-1 not found"
		}
	})), want: []string{"ENV-06", "RES-01<ENV-06", "AGG-03<ENV-06"}},
	{name: "ENV-06 HTTP status", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			a.status, a.media, a.body = 500, "application/json", `{"message":"internal"}`
		}
	}), want: []string{"ENV-06", "RES-01<ENV-06"}},
	{name: "ENV-07 isError on any failure", bend: all(func(s script, a *answer) {
		if hasBad(s) {
			a.result["isError"] = true
		}
	}), want: []string{"ENV-07"}},
	{name: "ENV-08 text says otherwise", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			a.text = words(`{"results":[{"id":"` + idOf(s.Items[0]) + `","success":true},{"id":"` + idOf(s.Items[1]) + `","success":true},{"id":"` + idOf(s.Items[2]) + `","success":true}]}`)
		}
	}), want: []string{"ENV-08"}},
	{name: "ENV-09 ok in words", bend: plainCancel(func(_ script, a *answer) {
		if a.payload["ok"] == true {
			a.payload["ok"] = "true"
		}
	}), want: []string{"ENV-05", "ENV-09"}},
	{name: "ENV-10 error object", bend: plainCancel(func(s script, a *answer) {
		if hasBad(s) {
			a.payload["error"] = object{"code": 7}
		}
	}), want: []string{"ENV-10"}},
	{name: "ENV-11 JSON in a string", bend: plainCancel(func(_ script, a *answer) {
		a.holder["results"] = a.rows
		b, _ := json.Marshal(a.payload)
		a.text = words(string(b))
		a.bare = object{"answer": string(b)}
	}), want: []string{"ENV-11"}},

	{name: "RES-01 only a verdict", bend: on("cancel", all(func(s script, a *answer) {
		if len(s.Items) > 1 {
			a.payload, a.holder = object{"approved": false, "error": "no"}, nil
		}
	})), want: []string{"RES-01"}},
	{name: "RES-01 refused batches with a bad item", bend: on("cancel", all(func(s script, a *answer) {
		if isMixed(s) {
			refuse("X-1 not found")(s, a)
		}
	})), want: []string{"RES-01"}},
	{name: "RES-01 object instead of list", bend: plainCancel(func(_ script, a *answer) {
		a.holder["results"] = object{"a": true}
	}), want: []string{"RES-01", "RES-13"}},
	{name: "RES-02 drops failed items", bend: on("cancel", all(func(s script, a *answer) {
		if isMixed(s) {
			a.rows = slices.DeleteFunc(a.rows, func(r any) bool { return r.(object)["success"] == false })
		}
	})), want: []string{"RES-02"}},
	{name: "RES-02 tells an item twice", bend: plainCancel(func(s script, a *answer) {
		if len(s.Items) == 3 {
			a.rows = append(a.rows, a.rows[0])
		}
	}), want: []string{"RES-02"}},
	{name: "RES-02 a row nobody asked for", bend: plainCancel(func(s script, a *answer) {
		if len(s.Items) == 3 {
			a.rows = append(a.rows, object{"id": "Z-9", "success": true})
		}
	}), want: []string{"RES-02"}},
	{name: "RES-03 stops at the first failure", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			at := slices.IndexFunc(a.rows, func(r any) bool { return r.(object)["success"] == false })
			a.rows = a.rows[:at+1]
		}
	}), want: []string{"RES-02<RES-03", "RES-03"}},
	{name: "RES-03 the rest told as failed", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			failing := false
			each(a, func(_ int, r object) {
				if failing = failing || r["success"] == false; failing && r["success"] == true {
					r["success"], r["error"] = false, "not tried"
				}
			})
		}
	}), want: []string{"RES-03"}},
	{name: "RES-04 null row", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			a.rows[len(a.rows)-1] = nil
		}
	}), want: []string{"RES-04"}},
	{name: "RES-04 list of strings", bend: plainCancel(func(_ script, a *answer) {
		for i := range a.rows {
			a.rows[i] = "done"
		}
	}), want: []string{"RES-04"}},
	{name: "RES-05 last row without a flag", bend: on("cancel", all(func(_ script, a *answer) {
		r := a.rows[len(a.rows)-1].(object)
		delete(r, "success")
		r["status"] = "done"
	})), want: []string{"RES-05"}},
	{name: "RES-06 flag in words", bend: on("cancel", all(func(_ script, a *answer) {
		each(a, func(_ int, r object) {
			r["success"] = map[bool]string{true: "true", false: "false"}[r["success"] == true]
		})
	})), want: []string{"RES-06"}},
	{name: "RES-07 flags differ", bend: on("cancel", all(func(_ script, a *answer) {
		a.rows[0].(object)["ok"] = a.rows[0].(object)["success"] == false
	})), want: []string{"RES-07"}},
	{name: "RES-08 flag names alternate", bend: plainCancel(func(_ script, a *answer) {
		each(a, func(i int, r object) {
			if i%2 == 1 {
				r["ok"] = r["success"]
				delete(r, "success")
			}
		})
	}), want: []string{"RES-08"}},
	{name: "RES-09 booleans only", bend: on("cancel", all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { delete(r, "id") })
	})), want: []string{"RES-09", "RES-10"}},
	{name: "RES-09 the name of another item", bend: plainCancel(func(s script, a *answer) {
		if len(s.Items) == 3 {
			a.rows[1].(object)["name"] = "Product " + idOf(s.Items[0])
		}
	}), want: []string{"RES-09"}},
	{name: "RES-11 failed without a reason", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { delete(r, "error") })
	}), want: []string{"RES-11"}},
	{name: "RES-12 success for an unknown id", bend: plainCancel(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["success"] = true; delete(r, "error") })
		a.payload["ok"] = true
		delete(a.result, "isError")
	}), want: []string{"RES-12"}},
	{name: "RES-12 a good item denied", bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			each(a, func(_ int, r object) {
				if r["id"] == "A-8" {
					r["success"], r["error"] = false, "busy"
				}
			})
		}
	}), want: []string{"RES-12"}},
	{name: "RES-13 ok says the opposite", bend: plainCancel(func(s script, a *answer) {
		if len(s.Items) == 1 {
			a.payload["ok"] = true
		}
	}), want: []string{"RES-13"}},
	{name: "RES-13 one item refused in words", bend: plainCancel(func(s script, a *answer) {
		if len(s.Items) == 1 && hasBad(s) {
			refuse("X-1 not found")(s, a)
		}
	}), want: []string{"RES-13"}},
	{name: "RES-14 done twice", bend: func(s script, a *answer) {
		if s.Variant == "twice" {
			each(a, func(_ int, r object) { r["success"] = true; delete(r, "error") })
		}
	}, want: []string{"RES-14"}},
	{name: "RES-14 merged", bend: func(s script, a *answer) {
		if s.Variant == "twice" {
			a.rows = a.rows[:1]
		}
	}, want: []string{"RES-14"}},
	{name: "RES-15 second flag in words", bend: plainCancel(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["ok"] = "yes" })
	}), want: []string{"RES-15"}},
	{name: "RES-16 large number", bend: plainCancel(func(_ script, a *answer) {
		each(a, func(i int, r object) { r["key"] = json.RawMessage("9007199254740993") })
	}), want: []string{"RES-16"}},
	{name: "RES-17 error on a success", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["error"] = "timeout" })
	}), want: []string{"RES-17"}},

	{name: "AGG-01 a spurious failure", bend: plainCancel(func(s script, a *answer) {
		if !hasBad(s) && len(s.Items) > 1 {
			a.rows[1].(object)["success"], a.rows[1].(object)["error"] = false, "busy"
		}
	}), want: []string{"AGG-01"}},
	{name: "AGG-02 all failed after one failure", bend: on("cancel", all(func(s script, a *answer) {
		if isMixed(s) {
			each(a, func(_ int, r object) { r["success"], r["error"] = false, "batch failed" })
		}
	})), want: []string{"AGG-02"}},
	{name: "AGG-03 error without rows", bend: on("cancel", all(func(s script, a *answer) {
		if !hasGood(s) && len(s.Items) > 1 {
			refuse("nothing could be cancelled")(s, a)
		}
	})), want: []string{"AGG-03"}},
	{name: "AGG-04 ok beside failures only", bend: plainCancel(func(s script, a *answer) {
		if !hasGood(s) && len(s.Items) > 1 {
			a.payload["ok"] = true
			delete(a.result, "isError")
		}
	}), want: []string{"AGG-04"}},
	{name: "AGG-05 counts that lie", bend: plainCancel(func(s script, a *answer) {
		a.holder["summary"] = object{"failed": 0, "total": len(a.rows)}
	}), want: []string{"AGG-05"}},
	{name: "AGG-06 forged status", bend: plainCancel(func(s script, a *answer) {
		a.payload["multi_item_status"] = "SUCCESS"
	}), want: []string{"AGG-06"}},
	{name: "AGG-07 terminal beside a success", bend: plainCancel(func(s script, a *answer) {
		a.payload["terminal"] = true
	}), want: []string{"AGG-07"}},
	{name: "AGG-08 a workflow's word", bend: plainCancel(func(s script, a *answer) {
		a.payload["status"] = "COMPLETED"
	}), want: []string{"AGG-08"}},

	{name: "VAL-01 eligible in words", bend: validating(func(_ script, a *answer) { a.payload["eligible"] = "true" }), want: []string{"VAL-01"}},
	{name: "VAL-01 eligible left out", bend: validating(func(_ script, a *answer) { delete(a.payload, "eligible") }), want: []string{"VAL-01"}},
	{name: "VAL-02 never eligible", bend: validating(func(_ script, a *answer) {
		a.payload = object{"eligible": false, "status": "NO", "reason": "no"}
	}), want: []string{"VAL-02"}},
	{name: "VAL-03 rejects for one bad item", bend: validating(func(s script, a *answer) {
		if isMixed(s) {
			a.payload = object{"eligible": false, "status": "NO", "reason": "X-1"}
		}
	}), want: []string{"VAL-03"}},
	{name: "VAL-04 eligible with nothing to do", bend: validating(func(s script, a *answer) {
		if !hasGood(s) {
			a.payload["eligible"] = true
		}
	}), want: []string{"VAL-04", "VAL-16"}},
	{name: "VAL-05 reserves", bend: validating(func(_ script, a *answer) { a.moved = true }), want: []string{"VAL-05"}},
	{name: "VAL-06 another id each time", bend: validating(func(s script, a *answer) {
		if s.Repeats != "" {
			resolvedArguments(a)["token"] = "t-2"
		}
	}), want: []string{"VAL-06"}},
	{name: "VAL-07 decision is a list", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == true {
			decision(a)["resolved_arguments"] = resolvedArguments(a)["items"]
		}
	}), want: []string{"VAL-07"}},
	{name: "VAL-08 drops the bad item", bend: validating(func(s script, a *answer) {
		if isMixed(s) {
			resolvedArguments(a)["items"] = resolvedArguments(a)["items"].([]any)[:1]
		}
	}), want: []string{"VAL-08"}},
	{name: "VAL-09 no items", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == true {
			resolvedArguments(a)["items"] = []any{}
		}
	}), want: []string{"VAL-09"}},
	{name: "VAL-10 refuses the resolved objects", bend: func(s script, a *answer) {
		if s.Follows != "" {
			refuse("items must be strings")(s, a)
		}
	}, want: []string{"VAL-10"}},
	{name: "VAL-10 finds none of the resolved objects", bend: func(s script, a *answer) {
		if s.Follows != "" {
			each(a, func(_ int, r object) { r["success"], r["error"] = false, "not_found" })
			a.payload["ok"] = false
		}
	}, want: []string{"VAL-10"}},
	{name: "VAL-11 no such tool", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == true {
			decision(a)["target_tool"] = "cancel_product_s"
		}
	}), want: []string{"VAL-11"}},
	{name: "VAL-12 names the first only", bend: validating(func(s script, a *answer) {
		if a.payload["eligible"] == true {
			decision(a)["confirmation_message"] = "Cancel Product " + idOf(s.Items[0]) + "?"
		}
	}), want: []string{"VAL-12"}},
	{name: "VAL-13 a bare no", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == false {
			a.payload = object{"eligible": false}
		}
	}), want: []string{"VAL-13"}},
	{name: "VAL-14 a result of its own", bend: validating(func(_ script, a *answer) { a.payload["result"] = "ok" }), want: []string{"VAL-14"}},
	{name: "VAL-15 no parameter", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == false {
			a.payload["status"] = "NEEDS_PARAMETER"
		}
	}), want: []string{"VAL-15"}},
	{name: "VAL-15 a parameter that is not declared", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == false {
			a.payload["status"], a.payload["parameter"] = "NEEDS_PARAMETER", "colour"
		}
	}), want: []string{"VAL-15"}},
	{name: "VAL-16 one merged item", bend: validating(func(s script, a *answer) {
		if s.Operation == "subscribe" && a.payload["eligible"] == true {
			var names []string
			for _, item := range s.Items {
				names = append(names, "Product "+idOf(item))
			}
			resolvedArguments(a)["items"] = []any{object{"name": strings.Join(names, ", ")}}
		}
	}), want: []string{"VAL-16"}},
	{name: "VAL-16 the text became a list", bend: validating(func(s script, a *answer) {
		if s.Operation == "subscribe" && a.payload["eligible"] == true {
			resolvedArguments(a)["subject"] = []any{"Product E-1", "Product E-2"}
		}
	}), want: []string{"VAL-16"}},

	{name: "INP-01 one at a time", bend: on("cancel", all(func(s script, a *answer) {
		if len(s.Items) > 1 {
			refuse("one item per call, please")(s, a)
		}
	})), want: []string{"INP-01"}},
	{name: "INP-02 closed to further arguments", bend: func(s script, a *answer) {
		if len(s.Extra) > 0 {
			refuse("unexpected argument query")(s, a)
		}
	}, want: []string{"INP-02"}},
	{name: "INP-03 only objects", bend: func(s script, a *answer) {
		if s.Form == conform.FormStrings {
			refuse("items[0] must be an object")(s, a)
		}
	}, want: []string{"INP-03"}},
	{name: "INP-04 only lists", bend: func(s script, a *answer) {
		if s.Form == conform.FormBareObject {
			refuse("items is not iterable")(s, a)
		}
	}, want: []string{"INP-04"}},
	{name: "INP-05 nothing is a success", bend: func(s script, a *answer) {
		if len(s.Items) == 0 {
			a.payload, a.result = object{"ok": true, "result": object{"results": []any{}}}, object{}
		}
	}, want: []string{"INP-05"}},
	{name: "INP-05 nothing changes something", bend: func(s script, a *answer) { a.moved = len(s.Items) == 0 }, want: []string{"INP-05"}},

	{name: "WF-01 under the node's id", bend: on("flow", all(func(s script, a *answer) {
		a.payload["result"].(object)["output"] = object{"step1": a.holder}
	})), want: []string{"WF-01"}},
	{name: "WF-01 outside output", bend: on("flow", all(func(s script, a *answer) {
		a.payload["result"] = a.holder
	})), want: []string{"WF-01"}},
	{name: "WF-02 flips the rows", bend: on("flow", all(func(s script, a *answer) {
		if s.AuxiliaryFails {
			each(a, func(_ int, r object) { r["success"], r["error"] = false, "notify failed" })
		}
	})), want: []string{"WF-02"}},
	{name: "WF-03 the output is gone", bend: on("flow", all(func(s script, a *answer) {
		if s.AuxiliaryFails {
			a.payload, a.holder = object{"ok": false, "error": "notify failed"}, nil
		}
	})), want: []string{"WF-03"}},
	{name: "WF-04 entries of another step", bend: on("flow", all(func(s script, a *answer) {
		if len(s.Items) > 1 {
			a.rows = append(a.rows, object{"step": "mail", "success": true})
		}
	})), want: []string{"WF-04"}},
	{name: "WF-04 another step's rows in place", bend: on("flow", all(func(s script, a *answer) {
		if len(s.Items) > 1 {
			rows := []any{object{"id": "N-1", "success": true}, object{"id": "N-2", "success": true}}
			a.payload["result"].(object)["output"].(object)["notify"] = object{"results": rows}
			a.rows = rows
		}
	})), want: []string{"WF-04"}},

	{name: "RO-01 the whole query fails", bend: on("query", all(func(s script, a *answer) {
		if isMixed(s) {
			refuse("order X-1 not found")(s, a)
		}
	})), want: []string{"RO-01"}},
	{name: "RO-01 the query changes something", bend: on("query", all(func(_ script, a *answer) { a.moved = true })), want: []string{"RO-01"}},
	{name: "RO-02 an item is found in front alone", bend: on("query", all(func(s script, a *answer) {
		if s.Regroups != "" {
			a.rows[1] = object{"id": "U-1", "success": false, "error": "not_found"}
		}
	})), want: []string{"RO-02"}},
	{name: "everything refused", bend: func(s script, a *answer) { refuse("internal error")(s, a) },
		want: []string{"RES-01", "VAL-01"}},
	{name: "everything raises", bend: func(s script, a *answer) { a.raised = "internal error" },
		want: []string{"RES-01", "VAL-01"}},
	{name: "atomic, declared", ops: func(ops []conform.Operation) { ops[0].Atomic = true }, bend: plainCancel(func(s script, a *answer) {
		if isMixed(s) {
			each(a, func(_ int, r object) { r["success"], r["error"] = false, "rolled back" })
			a.payload["ok"] = false
			a.result["isError"] = true
		}
	})},
	{name: "atomic, declared and not kept", ops: func(ops []conform.Operation) { ops[0].Atomic = true }, bend: plainCancel(func(script, *answer) {}),
		want: []string{"RES-12"}},
}

// bent records the play on a server that is bent in one way. Two tests look at
// each: it is played once.
func bent(name string, change func([]conform.Operation), bend func(script, *answer)) *conform.Recording {
	if rec, played := recordings.Load(name); played {
		return rec.(*conform.Recording)
	}
	ops := slices.Clone(operations)
	if change != nil {
		change(ops)
	}
	rec := perform(ops, play(), func(s script) *answer {
		a := serve(s)
		bend(s, a)
		return a
	})
	recordings.Store(name, rec)
	return rec
}

var recordings sync.Map // by the name of the bend

func TestEachFaultIsToldByItsOwnRule(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			got, said := failing(bent(f.name, f.ops, f.bend))
			same(t, got, f.want, said)
			for id, finding := range said {
				if finding.Want == "" || finding.Got == "" || len(finding.Evidence) == 0 || finding.Hint == "" {
					t.Errorf("%s gives a developer too little: want %q, got %q, %d pieces of evidence, hint %q", id, finding.Want, finding.Got, len(finding.Evidence), finding.Hint)
				}
			}
		})
	}
}

// TestEveryRuleHasAFault holds the table to the catalogue.
func TestEveryRuleHasAFault(t *testing.T) {
	met := map[string]bool{"ENV-04": true} // in rest_test.go
	for _, f := range faults {
		for _, id := range f.want {
			if !strings.Contains(id, "<") {
				met[id] = true
			}
		}
	}
	for _, c := range multiitem.Checks() {
		if ours(c.ID) && !met[c.ID] {
			t.Errorf("%s has no fault", c.ID)
		}
	}
}

func TestEveryRuleIsWrittenOut(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range multiitem.Checks() {
		if seen[c.ID] {
			t.Errorf("%s comes twice", c.ID)
		}
		seen[c.ID] = true
		for what, text := range map[string]string{"title": c.Title, "text": c.Text, "impact": c.Impact, "source": c.Source, "good": c.Good,
			"bad": c.Bad, "mend": c.Mend, "since": c.Since, "missing": c.Missing, "group": string(c.Group), "basis": string(c.Basis)} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", c.ID, what)
			}
		}
		if slices.Contains(c.Needs, "") || len(c.Needs) == 0 && !strings.HasPrefix(c.ID, "SCOPE-") {
			t.Errorf("%s needs %q", c.ID, c.Needs)
		}
		for where, level := range c.Raise {
			if level == conform.None || level == c.Level {
				t.Errorf("%s is raised to %s by %s", c.ID, level, where)
			}
		}
		if c.Level == conform.None && !strings.HasPrefix(c.ID, "SCOPE-") || c.Judge == nil {
			t.Errorf("%s is incomplete", c.ID)
		}
	}
	for id := range seen {
		if !ours(id) {
			delete(seen, id)
		}
	}
	if len(seen) != 11+17+8+16+5+4+2 {
		t.Errorf("%d rules", len(seen))
	}
}
