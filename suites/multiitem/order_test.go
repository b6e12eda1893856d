package multiitem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// TestOneOrderExplainsIt judges films by CON-05.
func TestOneOrderExplainsIt(t *testing.T) {
	both := func(f *film, rows1, rows2 string) {
		f.ask("c1", good("A-1"), together("b"))
		f.ask("c2", good("A-1"), together("b"))
		f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rows1+`]}}`)
		f.answer("c2", `{"content":[],"structuredContent":{"results":[`+rows2+`]}}`)
	}
	crowd := func(f *film) {
		f.call("b1", rowsOf("B-1+"), good("B-1"), together("b"))
		f.call("b2", rowsOf("B-2+"), good("B-2"), together("b"))
	}
	plain := func(*conform.Operation) {}
	once := func(op *conform.Operation) { op.Semantics = "once" }
	adds := func(op *conform.Operation) { op.Semantics = "append" }
	strong := func(op *conform.Operation) { op.Strong = true }
	for _, c := range []struct {
		name string
		op   func(*conform.Operation)
		film func(*film)
		want conform.Verdict
		says string // of a failure what it got, else the reason
	}{
		{"one of two for one item", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE**")
		}, conform.Pass, ""},
		{"both of two for one item", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE")
		}, conform.Fail, "A-1: seen as \"ACTIVE\", then acknowledged by c1, then acknowledged by c2; no order"},
		{"both, and the second is the first's answer again", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, ""},
		{"both, and nobody says how often it can be done", plain, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE***")
		}, conform.Pass, ""},
		{"both, and each adds one", adds, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE***")
		}, conform.Pass, ""},
		{"each adds one, and one is lost", adds, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE**")
		}, conform.Fail, "counted 1"},
		{"nobody answered one of them", adds, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.lose("c2", conform.Cut, good("A-1"), together("b"))
			f.look(conform.After, "A-1=DONE***")
		}, conform.Pass, ""},
		{"what was done is gone when others were at work", plain, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE")
			f.call("c1", rowsOf("A-1+"), good("A-1"))
			f.look(conform.Middle, "A-1=DONE", "B-1=ACTIVE", "B-2=ACTIVE")
			crowd(f)
			f.look(conform.After, "A-1=ACTIVE", "B-1=DONE", "B-2=DONE")
		}, conform.Fail, `acknowledged by c1, then seen as "DONE", then seen as "ACTIVE"`},
		{"it shows after a moment", plain, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE")
			crowd(f)
			f.look(conform.After, "A-1=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE")
			f.look(conform.After, "A-1=ACTIVE", "B-1=DONE", "B-2=DONE")
		}, conform.Pass, ""},
		{"it shows after a moment, and the target file says that it does so at once", strong, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE")
			crowd(f)
			f.look(conform.After, "A-1=ACTIVE", "B-1=ACTIVE", "B-2=DONE")
			f.look(conform.After, "A-1=ACTIVE", "B-1=DONE", "B-2=DONE")
		}, conform.Fail, "B-1: seen as"},
		{"the run ended while an effect was waited for", plain, func(f *film) {
			f.look(conform.Before, "B-1=ACTIVE", "B-2=ACTIVE")
			crowd(f)
			f.look(conform.After, "B-1=ACTIVE", "B-2=ACTIVE")
			f.blind(conform.After)
		}, conform.NotRun, ""},
		{"the eyes contradict themselves", plain, func(f *film) {
			f.look(conform.Before, "B-1=ACTIVE", "B-2=ACTIVE")
			crowd(f)
			f.look(conform.After, "B-1=ACTIVE~", "B-2=DONE")
		}, conform.Inconclusive, "several rows"},
		{"it was done before anybody asked", once, func(f *film) {
			f.look(conform.Before, "A-1=DONE!")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE!")
		}, conform.NotRun, ""},
		{"one call names it twice", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+P1", "A-1+P2"), good("A-1", "A-1"), together("b"))
			f.call("c2", rowsOf("A-1+P3"), good("A-1"), together("b"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, ""},
		{"no calls are in flight together", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+P1"), good("A-1"))
			f.call("c2", rowsOf("A-1+P2"), good("A-1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, ""},
		{"nobody looked before", once, func(f *film) {
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, ""},
		{"what is bad is acknowledged", once, func(f *film) {
			f.look(conform.Before, "X-1=ACTIVE")
			f.call("c1", rowsOf("X-1+"), bad("X-1"), together("b"))
			f.call("c2", rowsOf("X-1+"), bad("X-1"), together("b"))
			f.look(conform.After, "X-1=ACTIVE")
		}, conform.NotRun, ""},
		{"a reset lies between", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+P1"), good("A-1"), together("a"))
			f.add(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{Operation: "cancel", What: conform.DoReset, Done: true}})
			f.look(conform.Middle, "A-1=ACTIVE")
			f.call("c2", rowsOf("A-1+P2"), good("A-1"), together("b"))
			f.call("c3", rowsOf("A-1-"), good("A-1"), together("b"))
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, ""},
		{"two looks before anybody asks", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.look(conform.Middle, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE**")
		}, conform.Pass, ""},
		{"calls that are alone do it again, too", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE***")
			f.lookIn("film#2", conform.Before, "A-2=ACTIVE*")
			f.call("c3", rowsOf("A-2+P3"), good("A-2"), elsewhere)
			f.lookIn("film#2", conform.Middle, "A-2=DONE**")
			f.call("c4", rowsOf("A-2+P4"), good("A-2"), elsewhere)
			f.lookIn("film#2", conform.After, "A-2=DONE***")
		}, conform.NotRun, "one after the other"},
		{"calls that are alone do it once, and are told so", once, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			both(f, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE***")
			f.lookIn("film#2", conform.Before, "A-2=ACTIVE*")
			f.call("c3", rowsOf("A-2+P3"), good("A-2"), elsewhere)
			f.call("c4", rowsOf("A-2-"), good("A-2"), elsewhere)
			f.lookIn("film#2", conform.After, "A-2=DONE**")
		}, conform.Fail, "counted"},
		{"consistency is eventual", func(op *conform.Operation) { op.Eventual = true }, crowd, conform.NotRun, "consistency: eventual"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := operations[0]
			c.op(&op)
			got := con05On(t, op, c.film)
			told := got.Reason
			if got.Verdict == conform.Fail {
				told = got.Got
			}
			if got.Verdict != c.want || !strings.Contains(told, c.says) {
				t.Errorf("%s: %q, want %s: %q", got.Verdict, told, c.want, c.says)
			}
			if (got.History != nil) != (got.Verdict == conform.Fail) {
				t.Errorf("the history: %+v", got.History)
			}
		})
	}
}

// con05On judges a film by CON-05; where the check does not apply, the finding is not run
// for that reason.
func con05On(t *testing.T, op conform.Operation, play func(*film)) conform.Finding {
	t.Helper()
	f := &film{}
	play(f)
	rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
	said := suites.Judge(rec, multiitem.Checks())
	for _, f := range said.Findings {
		if f.ID == "CON-05" {
			return f
		}
	}
	for _, n := range said.NotApplicable {
		if n.ID == "CON-05" {
			return conform.Finding{Verdict: conform.NotRun, Reason: n.Reason}
		}
	}
	t.Fatal("nothing is said of CON-05")
	return conform.Finding{}
}

// TestAHistoryIsTheSmallestThatShowsIt has thirty calls for one item, of which two were
// told that they did it.
func TestAHistoryIsTheSmallestThatShowsIt(t *testing.T) {
	op := operations[0]
	op.Semantics = "once"
	got := con05On(t, op, func(f *film) {
		f.look(conform.Before, "A-1=ACTIVE")
		for n := range 30 {
			f.ask(fmt.Sprint("c", n), good("A-1"), together("b"))
		}
		for n := range 30 {
			rows := rowsOf("A-1-")
			if n == 7 || n == 19 {
				rows = rowsOf(fmt.Sprint("A-1+P", n))
			}
			f.answer(fmt.Sprint("c", n), `{"content":[],"structuredContent":{"results":[`+rows+`]}}`)
		}
		f.look(conform.After, "A-1=DONE")
	})
	if got.History == nil || got.Level != conform.Must {
		t.Fatalf("%s %s: %s", got.Level, got.Verdict, got.Reason)
	}
	var told []string
	for _, e := range got.History.Events {
		told = append(told, e.Call+e.Seen+e.Protocol)
	}
	if want := `"ACTIVE" c7P7 c19P19`; strings.Join(told, " ") != want {
		t.Errorf("the history is %v, want %s", told, want)
	}
}
