package multiitem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// On a target that others write to, what an answer refuses is no longer held to be
// good; what it does not refuse stays as it was.
func TestDoubtTakesBackOnlyWhatWasRefused(t *testing.T) {
	three := join(good("A-1", "A-2"), bad("X-1"))
	workflow := func(op *conform.Operation) { op.Workflow = conform.Present }
	for name, c := range map[string]struct {
		op    func(*conform.Operation)
		film  func(*film)
		alone bool // nobody else writes there
		want  string
	}{
		"nobody else writes":       {nil, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three) }, true, "good good bad"},
		"a row refuses it":         {nil, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three) }, false, "unknown good bad"},
		"a row refuses the second": {nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2-", "X-1-"), three) }, false, "good unknown bad"},
		"no row is about it":       {nil, func(f *film) { f.call("c1", rowsOf("A-2-"), three) }, false, "good unknown bad"},
		"rows refuse, and isError is set": {nil, func(f *film) {
			f.ask("c1", three)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"results":[`+rowsOf("A-1-", "A-2+")+`]}}`)
		}, false, "unknown good bad"},
		"the whole is refused":               {nil, func(f *film) { f.refuse("c1", "no", three) }, false, "unknown unknown bad"},
		"no rows, and no refusal":            {nil, func(f *film) { f.structured("c1", `{"message":"hm"}`, three) }, false, "good good bad"},
		"a validator says no":                {nil, func(f *film) { f.decides("c1", `{"eligible":false}`, three) }, false, "unknown unknown bad"},
		"a validator says yes":               {nil, func(f *film) { f.decides("c1", `{"eligible":true}`, three) }, false, "good good bad"},
		"a validator says it in words":       {nil, func(f *film) { f.decides("c1", `{"eligible":"no"}`, three) }, false, "good good bad"},
		"nothing came":                       {nil, func(f *film) { f.lose("c1", conform.TimedOut, three) }, false, "unknown unknown bad"},
		"a JSON-RPC error came":              {nil, func(f *film) { f.raise("c1", three) }, false, "unknown unknown bad"},
		"in other letters":                   {nil, func(f *film) { f.call("c1", rowsOf("a-1-", "A-2+", "X-1-"), three) }, false, "good good bad"},
		"in other letters that are the same": {foldingCase, func(f *film) { f.call("c1", rowsOf("a-1-", "A-2+", "X-1-"), three) }, false, "unknown good bad"},
		"a workflow's row refuses it": {workflow, func(f *film) {
			f.structured("c1", `{"status":"COMPLETED","output":{"cancel_products":{"results":[`+rowsOf("A-1-", "A-2+", "X-1-")+`]}}}`, three)
		}, false, "unknown good bad"},
		"a call of another role":  {nil, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2+"), three, as(conform.RoleReset)) }, false, "good good bad"},
		"an operation of no name": {nil, func(f *film) { f.call("c1", rowsOf("A-1-"), three, func(p *conform.Planned) { p.Operation = "" }) }, false, "good good bad"},
		"done before, and refused": {nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1-", "A-2-", "X-1-"), three)
		}, true, "unknown good bad"},
		"done before, and done again": {nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"done before, as far as is told": {nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"done before, and it may be done again": {func(op *conform.Operation) { op.Semantics = "idempotent" }, func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"done before, and more of it may be added": {func(op *conform.Operation) { op.Semantics = "append" }, func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"it was only read": {func(op *conform.Operation) { op.Write = false }, func(f *film) {
			f.look(conform.Before, "A-1=DONE!")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"done between two calls": {nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE?", "A-2=ACTIVE?")
			f.look(conform.Middle, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"done in another playing": {nil, func(f *film) {
			f.lookIn("film#2", conform.Before, "A-1=DONE!")
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, true, "good good bad"},
		"the look comes after the call": {nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
			f.look(conform.Before, "A-1=DONE!")
		}, true, "good good bad"},
		"after calls of other kinds": {nil, func(f *film) {
			f.call("c0", rowsOf("A-1-"), three, as(conform.RoleReset))
			f.call("c00", rowsOf("A-1-"), three)
			f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), three)
		}, false, "unknown good bad"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			if !c.alone {
				f.othersWrite()
			}
			op := operations[0]
			if c.op != nil {
				c.op(&op)
			}
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
			multiitem.Doubt(rec)
			var got []string
			for _, item := range rec.Call("c1").Planned.Items {
				word := map[conform.Truth]string{conform.Good: "good", conform.Bad: "bad", conform.Unknown: "unknown"}[item.Truth]
				got = append(got, word)
			}
			if said := strings.Join(got, " "); said != c.want {
				t.Errorf("%s, want %s", said, c.want)
			}
			if three[0].Truth != conform.Good {
				t.Error("the plan of others was changed with it")
			}
		})
	}
}

func TestCornersOfReadings(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	named := []conform.Item{{Given: json.RawMessage(`"Product A-2"`), Truth: conform.Good}}
	both, done := []string{"A-1=ACTIVE", "A-2=ACTIVE"}, []string{"A-1=DONE", "A-2=DONE"}
	// refusal plays c2, which refuses what moves; other calls come before it.
	refusal := func(before func(*film)) func(*film) {
		return func(f *film) {
			f.look(conform.Before, both...)
			before(f)
			f.call("c2", rowsOf("A-2-"), good("A-2"))
			f.look(conform.After, "A-1=ACTIVE", "A-2=DONE")
		}
	}
	untold := func(f *film) {}
	half := func(f *film) { f.seen[len(f.seen)-1].Effect.Problem = "half of it" }
	corners(t, []corner{
		// EFF-02: what else may have done it.
		{"nothing else was called", "EFF-02", nil, refusal(untold), conform.Fail, []string{"A-2 was"}},
		{"a validator was asked", "EFF-02", nil, refusal(func(f *film) { f.decides("v1", `{"eligible":true}`, two) }), conform.Fail, nil},
		{"a call was only planned", "EFF-02", nil, refusal(func(f *film) { f.plan("c1", two) }), conform.Fail, nil},
		{"a dry run refused it, which is EFF-04's", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-2-"), good("A-2"), func(p *conform.Planned) { p.DryRun = true })
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"another call has done both", "EFF-02", nil, refusal(func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two) }), conform.NotRun, nil},
		{"another call has done it, and refused the first", "EFF-02", nil, refusal(func(f *film) { f.call("c1", rowsOf("A-1-", "A-2+"), two) }), conform.Pass, nil},
		{"a third call came between", "EFF-02", nil, refusal(func(f *film) {
			f.call("c0", rowsOf("A-2+"), good("A-2"))
			f.call("c1", rowsOf("A-1+"), good("A-1"))
		}), conform.NotRun, nil},
		{"a validator was asked, and another call has done it", "EFF-02", nil, refusal(func(f *film) {
			f.decides("v1", `{"eligible":true}`, two)
			f.call("c1", rowsOf("A-2+"), good("A-2"))
		}), conform.NotRun, nil},
		{"another call has done it by its name", "EFF-02", nil, refusal(func(f *film) { f.structured("c1", `{"results":[{"name":"Product A-2","success":true}]}`, named) }), conform.NotRun, nil},
		{"another call has done it by id and name, this one has its name", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "Product A-2=ACTIVE")
			f.call("c1", rowsOf("A-2+"), good("A-2"))
			f.structured("c2", `{"results":[{"name":"Product A-2","success":false,"error":"x"}]}`, named)
			f.look(conform.After, "Product A-2=DONE")
		}, conform.NotRun, nil},
		{"another call has done it in other letters", "EFF-02", foldingCase, refusal(func(f *film) { f.call("c1", rowsOf("a-2+"), good("a-2")) }), conform.NotRun, nil},
		{"another call has done it in capital letters", "EFF-02", foldingCase, func(f *film) {
			f.look(conform.Before, "a-2=ACTIVE")
			f.call("c1", rowsOf("A-2+"), good("A-2"))
			f.call("c2", rowsOf("a-2-"), good("a-2"))
			f.look(conform.After, "a-2=DONE")
		}, conform.NotRun, nil},
		{"another call's other letters are another item", "EFF-02", nil, refusal(func(f *film) {
			f.structured("c1", `{"results":[{"id":"a-2","success":true}]}`, []conform.Item{{Given: quote("a-2"), Truth: conform.Good}})
		}), conform.Fail, nil},
		{"another call has done it in another playing", "EFF-02", nil, refusal(func(f *film) { f.call("c1", rowsOf("A-2+"), good("A-2"), elsewhere) }), conform.Fail, nil},
		{"the first call got nothing", "EFF-02", nil, refusal(func(f *film) { f.ask("c1", good("A-1")) }), conform.Fail, nil},
		{"a lost call, and a fine one", "EFF-02", nil, refusal(func(f *film) {
			f.lose("c1", conform.TimedOut, good("A-1"))
			f.call("c1b", rowsOf("X-1-"), bad("X-1"))
		}), conform.Fail, nil},
		{"a fine refusal, and then another", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "X-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("X-1-"), bad("X-1"))
			f.call("c2", rowsOf("A-2-"), good("A-2"))
			f.look(conform.After, "X-1=ACTIVE", "A-2=DONE")
		}, conform.Fail, []string{"1 of 2"}},
		{"a validator refuses in words", "EFF-02", func(op *conform.Operation) { op.Results.Success = []string{"call"} }, func(f *film) {
			f.look(conform.Before, both...)
			f.refuse("v1", "no", two, asValidator)
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"the whole call is refused by a word of its own", "EFF-02", func(op *conform.Operation) { op.Results.Success = []string{"call"} }, func(f *film) {
			f.look(conform.Before, both...)
			f.refuse("c1", "no", two)
			f.look(conform.After, done...)
		}, conform.Fail, []string{"2 of 2 refused items"}},
		{"rows without names", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", `{"success":false,"error":"x"},{"success":false,"error":"x"}`, two)
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"no reading before", "EFF-02", nil, func(f *film) { f.call("c1", rowsOf("A-1-"), good("A-1")); f.look(conform.After, both...) }, conform.NotRun, nil},
		{"the reading before fails", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, both...)
			half(f)
			f.call("c1", rowsOf("A-1-"), good("A-1"))
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"the reading afterwards fails", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1-"), good("A-1"))
			f.look(conform.After, done...)
			half(f)
		}, conform.NotRun, nil},
		{"both readings fail", "EFF-02", nil, func(f *film) {
			f.blind(conform.Before)
			f.call("c1", rowsOf("A-1-"), good("A-1"))
			f.blind(conform.After)
		}, conform.NotRun, nil},
		{"shown before in other letters", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "x-1=ACTIVE")
			f.call("c1", rowsOf("X-1-"), bad("X-1"))
			f.look(conform.After, "X-1=DONE")
		}, conform.NotRun, nil},
		{"shown afterwards in other letters", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "X-1=ACTIVE")
			f.call("c1", rowsOf("X-1-"), bad("X-1"))
			f.look(conform.After, "x-1=DONE")
		}, conform.NotRun, nil},
		{"shown in other letters that are the same", "EFF-02", foldingCase, func(f *film) {
			f.look(conform.Before, "x-1=ACTIVE")
			f.call("c1", rowsOf("X-1-"), bad("X-1"))
			f.look(conform.After, "x-1=DONE")
		}, conform.Fail, nil},
		{"the first is not shown, the second moves", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "X-2=ACTIVE")
			f.call("c1", rowsOf("X-1-", "X-2-"), bad("X-1", "X-2"))
			f.look(conform.After, "X-2=DONE")
		}, conform.Fail, []string{"1 of 1 refused items"}},

		{"a list of names without a path says nothing", "EFF-02", func(op *conform.Operation) { op.Results.Success = []string{"present"} }, func(f *film) {
			f.look(conform.Before, both...)
			f.structured("c1", `{"rows":["A-1"]}`, two)
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"a text tells it as failed", "EFF-02", func(op *conform.Operation) {
			op.Results = conform.Results{Split: "\n", RowID: `item (\S+)`, RowFailed: "failed"}
		}, func(f *film) {
			f.look(conform.Before, both...)
			f.ask("c1", two)
			f.answer("c1", `{"content":[{"type":"text","text":"item A-1 done\nitem A-2 failed"}]}`)
			f.look(conform.After, done...)
		}, conform.Fail, []string{"1 of 1 refused items"}},
		{"a text tells of an item that was asked for twice", "EFF-01", func(op *conform.Operation) {
			op.Results = conform.Results{Split: "\n", RowID: `item (\S+)`}
		}, func(f *film) {
			f.look(conform.Before, both...)
			f.ask("c1", good("A-1", "A-1"))
			f.answer("c1", `{"content":[{"type":"text","text":"item A-1 done"}]}`)
			f.look(conform.After, both...)
		}, conform.Fail, []string{"2 of 2 acknowledged items"}},
		{"a row of another name, and an item with an empty one", "EFF-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) {
			f.look(conform.Before, "Ana=ACTIVE")
			f.structured("c1", `{"rows":[{"name":"z","done":true}]}`, []conform.Item{{Given: json.RawMessage(`{"id":"","name":"Ana"}`), Truth: conform.Good}})
			f.look(conform.After, "Ana=ACTIVE")
		}, conform.NotRun, nil},
		{"two rows that say the same", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-1+", "A-2+"), two)
			f.look(conform.After, both...)
		}, conform.Fail, []string{"2 of 2 acknowledged items"}},
		{"two rows that contradict each other", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-1-", "A-2+"), two)
			f.look(conform.After, both...)
		}, conform.Fail, []string{"1 of 1 acknowledged items"}},
		{"two rows that contradict each other, and a third", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-1-", "A-1-", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		// EFF-01.
		{"a validator acknowledges", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.structured("v1", `{"results":[`+rowsOf("A-1+")+`]}`, good("A-1"), asValidator)
			f.look(conform.After, both...)
		}, conform.NotRun, nil},
		{"one call gets nothing, the next acknowledges", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.ask("c1", good("A-1"))
			f.call("c2", rowsOf("A-2+"), good("A-2"))
			f.look(conform.After, both...)
		}, conform.Fail, []string{"A-2 is"}},
		{"only the last was done", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=ACTIVE", "A-2=DONE")
		}, conform.Fail, []string{"1 of 2 acknowledged items", "A-1 is"}},
		{"shown before in other letters", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "a-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=ACTIVE", "A-2=DONE")
		}, conform.Pass, nil},
		{"shown afterwards in other letters", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "a-1=ACTIVE", "A-2=DONE")
		}, conform.Pass, nil},
		{"shown in other letters that are the same", "EFF-01", foldingCase, func(f *film) {
			f.look(conform.Before, "a-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "a-1=ACTIVE")
		}, conform.Fail, nil},
		{"the first was not shown before, the second not done", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, []string{"1 of 1 acknowledged items"}},
		{"the first is another now, the second not done", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=PENDING?", "A-2=ACTIVE")
		}, conform.Fail, []string{"1 of 2", "A-2 is"}},
		{"all are another now", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=PENDING?", "A-2=PENDING?")
		}, conform.Inconclusive, []string{"`operations.cancel.probe.done`"}},
		{"the phase that follows counts, not a later one", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, both...)
			f.look(conform.After, done...)
		}, conform.Fail, nil},
		{"the last reading of that phase", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, both...)
			f.look(conform.After, done...)
		}, conform.Pass, nil},
		{"shown under the second of its names", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "Product A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "Product A-1=ACTIVE")
		}, conform.Fail, []string{"1 of 1"}},
		{"shown under the first of its names", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=ACTIVE")
		}, conform.Fail, []string{"1 of 1"}},
		{"a state without a word", "EFF-01", nil, func(f *film) {
			bare := func() { f.seen[len(f.seen)-1].Effect.States[0].State = "" }
			f.look(conform.Before, "A-1=x")
			bare()
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=x")
			bare()
		}, conform.Fail, []string{"A-1 is present"}},
		{"another operation was waited for", "EFF-01", nil, func(f *film) {
			f.look(conform.Quiet, "Z-1=ACTIVE")
			f.seen[0].Effect.Operation, f.seen[0].Effect.Waited = "another", 3e9
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, both...)
		}, conform.Fail, []string{"!waited"}},

		// IDM.
		{"the repeat was only planned", "IDM-01", nil, func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two); f.plan("c2", two, repeating("c1")) }, conform.NotRun, nil},
		{"what is repeated was only planned", "IDM-01", nil, func(f *film) { f.plan("c1", two); f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1")) }, conform.NotRun, nil},
		{"shown in other letters", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "a-1=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.NotRun, nil},
		{"shown afterwards in other letters", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "a-1=DONE*11")
		}, conform.NotRun, nil},
		{"shown in other letters", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "a-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=UNDONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"shown afterwards in other letters", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "a-1=UNDONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"not shown before the retry", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "X-1=ACTIVE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"a reading that failed half way", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "A-1=DONE")
			half(f)
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=UNDONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"the retry refuses it, with a protocol of its own", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", `{"id":"A-1","success":false,"error":"done already","protocol":"P9"},`+rowsOf("X-1-"), mixed, retrying("c1"))
		}, conform.Pass, nil},
		{"of two rows for it the second can be read", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", `{"id":"A-1"},`+rowsOf("A-1+P2", "X-1-"), mixed, retrying("c1"))
		}, conform.Fail, []string{"P2 after P1"}},
		{"the second call has a protocol", "IDM-04", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-3+", "A-4+P1"), good("A-3", "A-4"))
		}, conform.Fail, []string{"row 0 has none"}},
		{"a failed row, and one without a protocol", "IDM-04", func(op *conform.Operation) { op.ProtocolIDs = true }, func(f *film) {
			f.call("c1", rowsOf("X-1-", "A-1+"), join(bad("X-1"), good("A-1")))
		}, conform.Fail, []string{"row 1 has none"}},

		// CON.
		{"calls that are alone", "CON-01", nil, func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.NotRun, nil},
		{"three calls together", "CON-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("A-3+"), good("A-3"), together("b"))
			f.call("c4", rowsOf("A-4+"), good("A-4"), behind("b"))
		}, conform.Pass, []string{"1 of 1"}},
		{"they became tasks that nobody follows", "CON-03", nil, func(f *film) {
			for _, id := range []string{"c1", "c2"} {
				f.ask(id, good("A-1"), together("b"))
				f.answer(id, `{"resultType":"task","taskId":"t","status":"working"}`)
			}
			f.call("c4", rowsOf("A-4+"), good("A-4"), behind("b"))
		}, conform.Pass, nil},
		{"one of them got nothing at all", "CON-03", nil, func(f *film) {
			f.ask("c1", good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c4", rowsOf("A-4+"), good("A-4"), behind("b"))
		}, conform.Inconclusive, []string{"nothing was received"}},
		{"the call behind got nothing at all", "CON-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.ask("c4", good("A-4"), behind("b"))
		}, conform.Inconclusive, []string{"nothing was received"}},
	})
}

// What a rule cannot say because a good item was done before, it says so.
func TestWhatHangsOnAnItemThatWasDoneBeforeSaysSo(t *testing.T) {
	two := good("A-1", "A-2")
	const one = "good item A-1 was already done before it was asked for (\"DONE\"): reset it, or give fresh items (`operations.cancel.items.good`)"
	spent := func(rows string, items []conform.Item) func(*film) {
		return func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rows, items)
			f.look(conform.After, "A-1=DONE!", "A-2=DONE!")
		}
	}
	corners(t, []corner{
		{"one item", "RES-12", nil, spent(rowsOf("A-1-"), good("A-1")), conform.NotRun, []string{one}},
		{"all good", "AGG-01", nil, spent(rowsOf("A-1-", "A-2+"), two), conform.NotRun, []string{one}},
		{"a mix", "AGG-02", nil, spent(rowsOf("A-1-", "X-1-"), join(good("A-1"), bad("X-1"))), conform.NotRun, []string{one}},
		{"what does not hang on it", "RES-02", nil, spent(rowsOf("A-1-", "A-2+"), two), conform.Pass, nil},
		{"what another call shows", "RES-12", nil, func(f *film) {
			spent(rowsOf("A-1-"), good("A-1"))(f)
			f.call("c2", rowsOf("A-3+"), good("A-3"))
		}, conform.Pass, nil},
		{"nothing is known of a look that was not", "RES-12", nil, func(f *film) {
			f.blind(conform.Before)
			f.call("c1", rowsOf("A-1-"), good("A-1"))
		}, conform.Fail, nil},
		{"a fresh item is refused beside it", "RES-12", nil, func(f *film) {
			spent(rowsOf("A-1-"), good("A-1"))(f)
			f.call("c2", rowsOf("A-3-"), good("A-3"))
		}, conform.Fail, nil},
		{"two of them", "AGG-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=DONE!")
			f.call("c1", rowsOf("A-1-", "A-2-"), two)
		}, conform.NotRun, []string{"2 good items were already done before they were asked for (A-1 is \"DONE\")"}},
		{"nothing is acknowledged, and nothing could be read", "EFF-01", nil, func(f *film) {
			f.blind(conform.Before)
			f.call("c1", rowsOf("A-1-"), good("A-1"))
			f.blind(conform.After)
		}, conform.NotRun, []string{"no item that an answer calls done was looked at before and after"}},
	})
}
