package multiitem_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// oddities are unusual and right: no rule above advice may speak of them.
var oddities = []struct {
	name string
	bend func(s script, a *answer)
	ops  func([]conform.Operation)
}{
	{name: "rows in completion order", bend: all(func(_ script, a *answer) { slices.Reverse(a.rows) })},
	{name: "ok instead of success", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["ok"] = r["success"]; delete(r, "success") })
	})},
	{name: "index instead of id", bend: all(func(_ script, a *answer) {
		each(a, func(i int, r object) { r["index"] = i; delete(r, "id") })
	})},
	{name: "index from one", bend: all(func(_ script, a *answer) {
		each(a, func(i int, r object) { r["index"] = i + 1 })
	})},
	{name: "further members", bend: all(func(_ script, a *answer) {
		a.payload["took_ms"], a.payload["trace"] = 12, object{"id": "t-1"}
		each(a, func(_ int, r object) { r["price"], r["nested"] = 7, object{"a": []any{1}} })
	})},
	{name: "error null in every row", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) {
			if r["success"] == true {
				r["error"] = nil
			}
		})
	})},
	{name: "a message on good rows", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["message"] = "see log" })
	})},
	{name: "errors as objects and lists", bend: all(func(_ script, a *answer) {
		each(a, func(i int, r object) {
			if r["success"] == false {
				r["error"] = map[bool]any{true: object{"code": "NOT_FOUND"}, false: []any{"not found"}}[i%2 == 0]
			}
		})
	})},
	{name: "a reason by another name", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) {
			if r["success"] == false {
				delete(r, "error")
				r["status"] = "NOT_FOUND"
			}
		})
	})},
	{name: "names only", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["name"] = fmt.Sprintf("Product %s", r["id"]); delete(r, "id") })
	}), ops: nil},
	{name: "a text summary beside structured rows", bend: all(func(_ script, a *answer) { a.text = words("see the structured answer") })},
	{name: "text JSON only, pretty printed", bend: all(func(_ script, a *answer) {
		a.holder["results"] = a.rows
		b, _ := json.MarshalIndent(a.payload, "", "  ")
		a.text, a.noData = words(string(b)), true
	})},
	{name: "resultType complete", bend: func(_ script, a *answer) { a.result["resultType"], a.result["_meta"] = "complete", object{} }},
	{name: "bare results without ok", bend: all(func(s script, a *answer) {
		if s.Operation != "flow" {
			a.payload, a.holder = object{"results": a.rows}, nil
		}
	})},
	{name: "totals that are right", bend: all(func(_ script, a *answer) {
		n := succeeded(a)
		a.holder["total"], a.holder["succeeded"], a.holder["failed"] = len(a.rows), n, len(a.rows)-n
		a.holder["summary"] = object{"all_succeeded": n == len(a.rows)}
	})},
	{name: "names of the list that mean something else", bend: all(func(_ script, a *answer) {
		a.holder["failed"], a.holder["status"], a.holder["successful"] = []any{"X-1"}, "mostly fine", true
	})},
	{name: "a status of the right kind", bend: all(func(s script, a *answer) {
		if n := succeeded(a); len(a.rows) > 1 && s.Operation != "flow" {
			a.holder["status"] = map[bool]string{true: "SUCCESS", false: "PARTIAL_SUCCESS"}[n == len(a.rows)]
			if n == 0 {
				a.holder["status"] = "FAILED"
			}
		}
	})},
	{name: "a protocol of the server's own", bend: all(func(_ script, a *answer) {
		each(a, func(i int, r object) { r["order"], r["ref"] = i, "R-"+fmt.Sprint(r["id"]) })
	})},
	{name: "both flags, equal", bend: all(func(_ script, a *answer) {
		each(a, func(_ int, r object) { r["ok"] = r["success"] })
	})},
	{name: "a second duplicate that says so and succeeds", bend: func(s script, a *answer) {
		if s.Variant == "twice" {
			a.rows[1].(object)["success"], a.rows[1].(object)["duplicate_of"] = true, 0
			delete(a.rows[1].(object), "error")
		}
	}},
	{name: "merged duplicates that say so", bend: func(s script, a *answer) {
		if s.Variant == "twice" {
			a.rows = a.rows[:1]
			a.rows[0].(object)["merged"] = []any{0, 1}
		}
	}},
	{name: "both duplicates done by an idempotent server", ops: func(ops []conform.Operation) { ops[0].Semantics = "idempotent" }, bend: func(s script, a *answer) {
		if s.Variant == "twice" {
			each(a, func(_ int, r object) { r["success"] = true; delete(r, "error") })
		}
	}},
	{name: "atomic refusal told per item", ops: func(ops []conform.Operation) { ops[0].Atomic = true }, bend: func(s script, a *answer) {
		if s.Operation == "cancel" && s.Role == conform.RolePrimary && isMixed(s) {
			each(a, func(_ int, r object) { r["success"], r["error"] = false, "rolled back" })
			a.payload["ok"] = false
			a.result["isError"] = true
		}
	}},
	{name: "an empty request refused by a JSON-RPC error", bend: func(s script, a *answer) {
		if len(s.Items) == 0 {
			a.raised = "items must not be empty"
		}
	}},
	{name: "a validator inside ok and result", bend: validating(func(_ script, a *answer) {
		a.payload = object{"ok": true, "result": a.payload}
	})},
	{name: "a validator that says no more than eligible", bend: func(s script, a *answer) {
		if s.Role == conform.RoleValidator && s.Operation == "cancel" && a.payload["eligible"] == true {
			a.payload = object{"eligible": true}
		}
	}},
	{name: "resolved arguments in another order", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == true {
			slices.Reverse(resolvedArguments(a)["items"].([]any))
		}
	})},
	{name: "a confirmation in other letters", bend: validating(func(_ script, a *answer) {
		if a.payload["eligible"] == true {
			d := decision(a)
			d["confirmation_message"] = strings.ToUpper(d["confirmation_message"].(string))
		}
	})},
	{name: "a job handle is no refusal", bend: all(func(s script, a *answer) {
		a.payload, a.holder = object{"job_id": "j-1", "status": "queued"}, nil
		delete(a.result, "isError")
	})},
	{name: "a task is no refusal", bend: all(func(s script, a *answer) {
		a.payload, a.holder = object{}, nil
		a.result = object{"task": object{"taskId": "t-1", "status": "working"}}
	})},
	{name: "a question is no refusal", bend: all(func(s script, a *answer) {
		refuse("the user did not answer")(s, a)
		a.asks = "elicitation/create"
	})},
	{name: "a late effect of an earlier call", ops: func(ops []conform.Operation) { ops[0].Eventual = true },
		bend: func(s script, a *answer) { a.moved = len(s.Items) == 0 }},
	{name: "one page of rows is no loss", bend: all(func(s script, a *answer) {
		if len(a.rows) > 1 {
			a.rows, a.holder["nextCursor"] = a.rows[:1], "p2"
		}
	})},
}

func TestLawfulOdditiesAreNotAccused(t *testing.T) {
	for _, o := range oddities {
		t.Run(o.name, func(t *testing.T) {
			ops := slices.Clone(operations)
			if o.ops != nil {
				o.ops(ops)
			}
			rec := perform(ops, play(), func(s script) *answer {
				a := serve(s)
				o.bend(s, a)
				return a
			})
			bare := o.name == "bare results without ok" // AGG-04 asks for a sign where all failed
			for _, f := range suites.Judge(rec, multiitem.Checks()).Findings {
				if f.Verdict == conform.Fail && f.Level > conform.May && !(bare && f.ID == "AGG-04" && f.Level == conform.Should) {
					t.Errorf("%s %s@%s %s: want %s, got %s", f.Level, f.ID, f.Operation, f.Scenario, f.Want, f.Got)
				}
			}
		})
	}
}
