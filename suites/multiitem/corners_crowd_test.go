package multiitem_test

import (
	"fmt"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// key sends an idempotency key.
func key(k string) func(*conform.Planned) { return func(p *conform.Planned) { p.Key = k } }

// crowd has calls in flight together for the same items, each answered with its rows.
func crowd(f *film, items []conform.Item, change []func(*conform.Planned), rows ...string) {
	for n := range rows {
		f.ask(fmt.Sprint("c", n+1), items, append(change, together("b"))...)
	}
	for n, r := range rows {
		f.answer(fmt.Sprint("c", n+1), `{"content":[],"structuredContent":{"results":[`+r+`]}}`)
	}
}

func TestCornersOfTheSameInACrowd(t *testing.T) {
	one := good("A-1")
	undeclared := func(*conform.Operation) {}
	means := func(semantics string) func(*conform.Operation) {
		return func(op *conform.Operation) { op.Semantics = semantics }
	}
	refusedAfterwards := func(f *film) { f.call("again", rowsOf("A-1-"), one, retrying("c1")) }
	corners(t, []corner{
		// CON-02: what succeeds once.
		{"one of three, and a fourth is refused", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1-"), rowsOf("A-1+P1"), rowsOf("A-1-"))
			refusedAfterwards(f)
		}, conform.Pass, nil},
		{"two of three, and a fourth is refused", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P2"), rowsOf("A-1+P1"), rowsOf("A-1-"))
			refusedAfterwards(f)
		}, conform.Fail, []string{"3 calls in flight", "2 were told", "c1 (P2), c2 (P1)"}},
		{"two of three without protocols", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+"), rowsOf("A-1+"), rowsOf("A-1-"))
			refusedAfterwards(f)
		}, conform.Fail, []string{"c1, c2"}},
		{"two of three, and the refusal is seen in another playing", "CON-02", undeclared, func(f *film) {
			f.call("r1", rowsOf("B-1+P7", "X-1-"), join(good("B-1"), bad("X-1")), elsewhere)
			f.call("r2", rowsOf("B-1-", "X-1-"), join(good("B-1"), bad("X-1")), elsewhere, retrying("r1"))
			crowd(f, one, nil, rowsOf("A-1+P2"), rowsOf("A-1+P1"))
		}, conform.Fail, []string{"2 were told"}},
		{"all of them, under the protocol of the first", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P1"), rowsOf("A-1+P1"))
			f.call("again", rowsOf("A-1+P1"), one, retrying("c1"))
		}, conform.Pass, nil},
		{"all of them, under one key", "CON-02", undeclared, func(f *film) {
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			refusedAfterwards(f)
		}, conform.Pass, nil},
		{"nobody asked once more", "CON-02", means("once"), func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
		}, conform.NotRun, []string{"nobody saw", "concurrent-same"}},
		{"asked once more, it is done once more", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.Middle, "A-1=DONE*11")
			f.call("again", rowsOf("A-1+P3"), one, retrying("c1"))
			f.look(conform.After, "A-1=DONE*111")
		}, conform.NotRun, []string{"may succeed more than once", "done once more (again)"}},
		{"asked once more, it is acknowledged, and nothing tells what was done", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.call("again", rowsOf("A-1+P3"), one, retrying("c1"))
		}, conform.NotRun, []string{"acknowledged again", "`probe.count` would"}},
		{"each adds one, says the target file", "CON-02", means("append"), func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			refusedAfterwards(f)
		}, conform.NotRun, []string{"semantics: append"}},
		{"one has no answer", "CON-02", undeclared, func(f *film) {
			f.call("c1", rowsOf("A-1+P1"), one, together("b"))
			f.lose("c2", conform.Cut, one, together("b"))
		}, conform.Inconclusive, []string{"nothing came"}},
		{"the repeat has no answer", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.lose("again", conform.Cut, one, retrying("c1"))
		}, conform.Inconclusive, []string{"nothing came"}},
		{"one has no answer, and it is refused in another playing", "CON-02", undeclared, func(f *film) {
			f.call("r1", rowsOf("B-1+"), good("B-1"), elsewhere)
			f.call("r2", rowsOf("B-1-"), good("B-1"), elsewhere, retrying("r1"))
			f.call("c1", rowsOf("A-1+P1"), one, together("b"))
			f.lose("c2", conform.Cut, one, together("b"))
		}, conform.Inconclusive, []string{"has no answer"}},
		{"the other call is for another item", "CON-02", undeclared, func(f *film) {
			f.call("c1", rowsOf("A-1+"), one, together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			refusedAfterwards(f)
		}, conform.NotRun, []string{"no item was asked for by several"}},
		{"the repeat is refused for its key", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.call("again", rowsOf("A-1-"), one, func(p *conform.Planned) { p.Key, p.KeyOf = "k", "c9" })
		}, conform.NotRun, []string{"nobody saw"}},
		{"everything was put back before it was refused", "CON-02", undeclared, func(f *film) {
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.add(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{Operation: "cancel", What: conform.DoReset, Done: true}})
			refusedAfterwards(f)
		}, conform.NotRun, []string{"nobody saw"}},

		// CON-04: told and done.
		{"as many as are told", "CON-04", means("append"), func(f *film) {
			f.look(conform.Before, "A-1=OPEN*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"), rowsOf("A-1+P3"))
			f.look(conform.After, "A-1=OPEN*111")
		}, conform.Pass, nil},
		{"one too few, where each adds one", "CON-04", means("append"), func(f *film) {
			f.look(conform.Before, "A-1=OPEN*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"), rowsOf("A-1+P3"))
			f.look(conform.After, "A-1=OPEN*11")
		}, conform.Fail, []string{"told as done 3 times", "done twice"}},
		{"one too few, where each was seen to add one", "CON-04", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=OPEN*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"), rowsOf("A-1+P3"))
			f.look(conform.Middle, "A-1=OPEN*11")
			f.call("again", rowsOf("A-1+P4"), one, retrying("c1"))
			f.look(conform.After, "A-1=OPEN*111")
		}, conform.Fail, []string{"done twice"}},
		{"two fewer, and each may succeed", "CON-04", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=OPEN*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1+P2"), rowsOf("A-1+P3"))
			f.look(conform.After, "A-1=DONE*1")
		}, conform.Pass, nil},
		{"one too many", "CON-04", means("once"), func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Fail, []string{"told as done once by 2 calls", "done twice"}},
		{"one more, and one call said nothing", "CON-04", means("once"), func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+P1"), one, together("b"))
			f.lose("c2", conform.Cut, one, together("b"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Inconclusive, []string{"nothing came"}},
		{"one more, and it may be late", "CON-04", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Inconclusive, []string{"eventual"}},
		{"nothing counts, and all is there", "CON-04", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, nil},
		{"nothing was done at all", "CON-04", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=ACTIVE*")
		}, conform.NotRun, []string{"see CON-01"}},
		{"a call behind them asked for it, too", "CON-04", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.call("again", rowsOf("A-1+P2"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.NotRun, []string{"bracketed"}},
		{"one too many, and so it is with calls that are alone", "CON-04", means("once"), func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, nil, rowsOf("A-1+P1"), rowsOf("A-1-"))
			f.look(conform.After, "A-1=DONE*11")
			f.lookIn("film#2", conform.Before, "B-1=ACTIVE*")
			f.call("alone", rowsOf("B-1+P2"), good("B-1"), elsewhere)
			f.lookIn("film#2", conform.After, "B-1=DONE*11")
		}, conform.NotRun, []string{"see EFF-03"}},

		// EFF-03: done twice.
		{"done once", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE*1")
		}, conform.Pass, nil},
		{"done twice", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Fail, []string{"done twice", "(counted 0)", "(counted 2)"}},
		{"done twice, and it shows late", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=ACTIVE*")
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Fail, []string{"done twice"}},
		{"named twice, and done once for each, where each adds one", "EFF-03", means("append"), func(f *film) {
			f.look(conform.Before, "A-1=OPEN*")
			f.call("c1", rowsOf("A-1+", "A-1+"), good("A-1", "A-1"))
			f.look(conform.After, "A-1=OPEN*11")
		}, conform.Pass, nil},
		{"named twice, and done for each, where it can be done once", "EFF-03", means("once"), func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", `{"index":0,"id":"A-1","success":true},{"index":1,"id":"A-1","success":true}`, good("A-1", "A-1"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Fail, []string{"done twice"}},
		{"nothing counts", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"not how often", "probe.count"}},
		{"refused, and there", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1-"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.NotRun, nil},
		{"another call asked for it before anybody looked", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.call("c2", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.NotRun, nil},
		{"doing it again changes nothing, says the target file", "EFF-03", means("idempotent"), func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.NotRun, []string{"semantics: idempotent"}},
		{"it may be late", "EFF-03", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Inconclusive, []string{"eventual"}},
		{"the count went backwards with a reset", "EFF-03", undeclared, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			f.call("c1", rowsOf("A-1+"), one)
			f.add(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{Operation: "cancel", What: conform.DoReset, Done: true}})
			f.look(conform.After, "A-1=ACTIVE*11")
		}, conform.NotRun, nil},

		// IDM-05: one key.
		{"done once, and all are told its protocol", "IDM-05", nil, func(f *film) {
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P1"), rowsOf("A-1+P1"))
		}, conform.Pass, nil},
		{"the others are told that it is under way", "IDM-05", nil, func(f *film) {
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1-"), rowsOf("A-1+"))
		}, conform.Pass, nil},
		{"two protocols", "IDM-05", nil, func(f *film) {
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
		}, conform.Fail, []string{"under 2 protocols"}},
		{"two protocols, and counted once", "IDM-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P1"), rowsOf("A-1+P2"))
			f.look(conform.After, "A-1=DONE*1")
		}, conform.Pass, nil},
		{"one protocol, and counted twice", "IDM-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*")
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P1"), rowsOf("A-1+P1"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Fail, []string{"done twice by 2 calls"}},
		{"nothing tells", "IDM-05", nil, func(f *film) {
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+"), rowsOf("A-1+"))
		}, conform.NotRun, []string{"probe.count"}},
		{"calls one after the other are each done, too", "IDM-05", nil, func(f *film) {
			f.call("r1", rowsOf("B-1+P1"), good("B-1"), elsewhere, key("j"))
			f.call("r2", rowsOf("B-1+P2"), good("B-1"), elsewhere, key("j"), repeating("r1"))
			crowd(f, one, []func(*conform.Planned){key("k")}, rowsOf("A-1+P3"), rowsOf("A-1+P4"))
		}, conform.NotRun, []string{"see IDM-01"}},
		{"keys of their own", "IDM-05", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1"), one, key("k"), together("b"))
			f.call("c2", rowsOf("A-1+P2"), one, key("l"), together("b"))
		}, conform.NotRun, []string{"no calls were in flight together under one"}},
	})
}
