package runner

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// unended is a write that the server may still be at work on: nobody waits for it
// any more, or nobody can ask for it. What it may yet do outlives a reset and an
// undo: its items are not asked for again, and stay in the journal until they are
// seen to have changed, or the answer comes after all.
type unended struct {
	op   *conform.Operation
	call *conform.Call
}

// late takes in what came for a call after it was given up. If that is the answer,
// it says what was done, by now: also where things were put back in between.
func (j *journal) late(o *conform.Observation) {
	u := j.open[o.Call]
	if o.Received.End != conform.Complete || u.call.Sent.Seq > o.Seq {
		return
	}
	all := conform.NewRecording(conform.Header{}, []conform.Observation{*u.call.PlannedAt, *u.call.Sent, *o})
	c := all.Call(o.Call)
	if c == nil || c.Response == nil || multiitem.Unended(u.op, c) != "" {
		return
	}
	delete(j.open, o.Call)
	for i, outcome := range multiitem.Outcomes(u.op, c) {
		e := j.written.at[[2]string{u.op.Name, j.entry(u.op.Name, target.Canonical(c.Planned.Items[i])).known}]
		if e != nil {
			e.open, e.outcome, e.tried = "", outcome, false
		}
	}
}

// shows closes what was open and is seen to have changed: the server has dealt
// with it. Where it was told to stop, what it has not done by then is not expected of
// it any more.
func (j *journal) shows(seen *conform.Effect) {
	for _, e := range j.written.list {
		op := j.file.Operation(e.operation)
		if e.open == "" || e.before == nil || op == nil || op.Probe == nil || op.Probe.Whose() != seen.Eyes {
			continue
		}
		switch now := j.seen[place{seen.Eyes, e.known}]; {
		case now.Changed(*e.before):
			e.open, e.outcome = "", multiitem.Done
		case e.stopped && slices.ContainsFunc(seen.States, func(s conform.State) bool { return s.ID == e.known }):
			e.open, e.outcome = "", multiitem.Refused
		}
	}
}

// opened gives the items of an operation that the server may still be at work on.
func (j *journal) opened(operation string) []*entry {
	return slices.DeleteFunc(j.written.of(operation), func(e *entry) bool { return e.open == "" })
}

// drifts says why a play must not be played that writes: a reset of its operation may
// still be at work. Empty: none is.
func (r *run) drifts(p *scenarios.Play) string {
	op := r.file.Operation(p.Operation.Name)
	if op == nil || !op.Write || op.Reset == nil || p.DryRun {
		return ""
	}
	return r.adrift[op.Reset.Key()]
}

// leaveOpen notes the items that the server may still be at work on: what becomes
// of them is not known. It tells how many there are.
func (r *run) leaveOpen(op *target.Operation) int {
	entries := r.kept().opened(op.Name)
	for _, e := range entries {
		r.leave(op, e.known, "", "it may have been done, or may still be: "+e.open)
	}
	return len(entries)
}

// forgive has a cleanup take for over what was open when the run ended, and says
// so; empty: nothing was.
func (j *journal) forgive() string {
	n := 0
	for _, e := range j.written.list {
		if e.open != "" {
			n++
			e.open = ""
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("when the run ended the server may still have been at work on %s: if it still is, run cleanup again once it has ended", reports.Amount(n, "item", "items"))
}
