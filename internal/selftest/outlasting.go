package selftest

import (
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

// outlastingPlays ask in few calls again, and together, for what is put back in
// between; deferredPlays follow quickly one upon the other.
var outlastingPlays = []string{"all-succeed/three", "partial/bad-first", "retry", "replay", "concurrent/one-session", "read-only-bulk"}

var deferredPlays = []string{"all-succeed/*", "partial/*", "one-item", "retry", "replay"}

const (
	// impatience is what a call may take, outlasted how long a write is at work.
	impatience = 700 * time.Millisecond
	outlasted  = time.Second
	// A job of one play is to end in the middle of a later one: shorter where nobody
	// looks at it, longer than impatience where somebody does. tenth is what a call
	// takes besides.
	shorter = 4 * tenth
	longer  = 11 * tenth
	tenth   = 100 * time.Millisecond
)

// outlasting gives servers that are lawful, and at work on a write for longer than a
// call may take. They are accused of nothing: where a run waits for them, they are
// judged like any other, and nothing is left behind; where it does not, or nobody can
// ask how far they are, it does not say that they conform either.
func outlasting() []named {
	var all []named
	slow := server{options: fakebackend.Options{SlowWrites: outlasted}, patience: impatience, late: 20 * time.Second, plays: outlastingPlays,
		operations: []string{"cancel-products", "query-orders"}}
	add := func(name, sentence string, s server) *named {
		all = append(all, named{name: string(s.transport) + ", " + name, sentence: sentence, server: s})
		return &all[len(all)-1]
	}
	const waited = "Writes take longer than a call may, and are waited for."
	for _, protocol := range target.Protocols[2:] {
		slow.transport, slow.protocol = fakebackend.HTTP, protocol
		add("slow writes, "+protocol, waited, slow)
	}
	slow.transport, slow.protocol = fakebackend.Stdio, ""
	add("slow writes", waited, slow)
	undone := slow
	undone.transport, undone.by, undone.operations = fakebackend.HTTP, undoing, []string{"cancel-products"}
	undone.options.Undo, undone.options.Stock, undone.options.NoReset = true, true, true
	add("slow writes, taken back item by item", waited, undone)

	const ended = "Writes go on when the run has given them up."
	slow.late, slow.options.SlowWrites, slow.options.SlowEvery, slow.amend = time.Millisecond, 2*outlasted, 2, scarce
	for _, protocol := range target.Protocols[2:] {
		slow.transport, slow.protocol = fakebackend.HTTP, protocol
		add("writes that outlast all patience, "+protocol, ended, slow).unsure = true
	}
	slow.transport, slow.protocol = fakebackend.Stdio, ""
	add("writes that outlast all patience", ended, slow).unsure = true

	deferred := server{transport: fakebackend.HTTP, patience: impatience, plays: deferredPlays, features: []fakebackend.Feature{fakebackend.Jobbing, fakebackend.Paging}, amend: scarce,
		options: fakebackend.Options{Jobs: true, Takes: longer, PerCallDelay: tenth, PageRows: 1000}}
	for _, protocol := range target.Protocols[2:] {
		deferred.protocol, deferred.amend, deferred.options.Takes = protocol, scarce, longer
		given := add("jobs that outlast all patience, beside another tool, "+protocol, "A job goes on when it is not looked at any more.", deferred)
		given.unsure, given.breaks = true, "RES-01"
		deferred.amend, deferred.options.Takes = unlooked, shorter
		add("jobs that nobody looks at, beside another tool, "+protocol, "The target file does not say how a job is looked at.", deferred).unsure = true
	}
	asking := server{transport: fakebackend.HTTP, patience: impatience, plays: deferredPlays, features: []fakebackend.Feature{fakebackend.Tasking, fakebackend.Confirming}, amend: scarce,
		options: fakebackend.Options{Tasks: fakebackend.TaskRequired, Takes: longer, PerCallDelay: tenth, ConfirmRounds: 1}}
	for _, protocol := range target.Protocols[2:] {
		asking.protocol = protocol
		add("tasks that outlast all patience, beside another tool, "+protocol, "A task goes on when it is not looked at any more.", asking).unsure = true
	}
	return all
}

// few is how many good items there are where they are scarce: two scenarios need
// some of them both.
const few = 5

// scarce leaves an operation so few good items that they are soon asked for again.
func scarce(op *target.Operation) {
	var kept []conform.Item
	for i := range min(few, op.Items.Good.Len()) {
		kept = append(kept, op.Items.Good.Item(i, target.Run{}))
	}
	op.Items.Good, op.Items.Many = target.Listed(kept), target.Supply{}
}

// unlooked is scarce, and does not say how a job is looked at.
func unlooked(op *target.Operation) {
	scarce(op)
	op.Results.Async = nil
}
