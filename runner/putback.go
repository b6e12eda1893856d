package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// due names whoever is to be asked to put something back; empty: nobody is.
func (r *run) due() string {
	j := r.kept()
	var names []string
	add := func(m *target.Means) {
		if !slices.Contains(names, m.Whose()) {
			names = append(names, m.Whose())
		}
	}
	for _, op := range r.file.Operations {
		if op.Setup != nil && op.Setup.Undo != nil && len(j.made.of(op.Name)) > 0 {
			add(&op.Setup.Undo.Means)
		}
		switch {
		case j.unresetBy(op):
			add(&op.Reset.Means)
		case op.Undo != nil && len(j.written.of(op.Name)) > 0:
			add(&op.Undo.Means)
		}
	}
	return strings.Join(names, ", ")
}

// putBack puts back what the run changed: it takes away what setups made, resets,
// and takes back item by item what no reset put back. What then remains is told
// item by item.
func (r *run) putBack(ctx context.Context) {
	for _, op := range r.file.Operations {
		if op.Setup != nil && op.Setup.Undo != nil {
			_, left := r.takeBack(ctx, op, op.Setup.Undo, conform.DoSetupUndo, r.kept().made.of(op.Name))
			r.leaveEach(op, left)
		}
	}
	for _, op := range r.file.Operations {
		if open := r.kept().opened(op.Name); len(open) > 0 {
			r.askings++
			r.states(ctx, op, open, fmt.Sprintf("left/%s/%d", op.Name, r.askings)) // what shows by now is put back
		}
	}
	refused := map[string]string{} // why, by the reset's key
	for _, op := range r.file.Operations {
		if !r.kept().unresetBy(op) || refused[op.Reset.Key()] != "" {
			continue
		}
		switch {
		case !r.askable(&op.Reset.Means):
			refused[op.Reset.Key()] = fmt.Sprintf("the run ended before %s was asked to reset", op.Reset.Whose())
		case !r.lastReset(ctx, op):
			refused[op.Reset.Key()] = fmt.Sprintf("the reset by %s did not put it back", op.Reset.Whose())
		}
	}
	for _, op := range r.file.Operations {
		if op.Setup != nil && op.Setup.Undo == nil {
			r.leaveMade(ctx, op)
		}
		open := r.leaveOpen(op)
		entries := slices.DeleteFunc(r.kept().written.of(op.Name), func(e *entry) bool { return e.open != "" })
		switch {
		case op.Undo != nil:
			_, left := r.takeBack(ctx, op, op.Undo, conform.DoUndo, entries)
			r.leaveEach(op, left)
		case op.Reset != nil && refused[op.Reset.Key()] != "" && slices.Contains(r.kept().unreset, op.Name):
			if open > 0 && len(entries) == 0 {
				break // that is all there is
			}
			r.leaveWritten(ctx, op, entries, refused[op.Reset.Key()])
		case op.Reset == nil && (op.Operation.Reset == conform.Unsaid && op.Operation.Undo == conform.Unsaid || r.later):
			r.leaveUsed(op, entries)
		}
	}
}

// lastReset asks for a reset at the end of a run, whatever came of earlier ones;
// and once more if no answer came, for a reset may be made twice.
func (r *run) lastReset(ctx context.Context, op *target.Operation) bool {
	done, lost := r.askReset(ctx, op, "end/reset/"+op.Name, "end")
	if lost && ctx.Err() == nil && r.shut() == "" && r.askable(&op.Reset.Means) {
		done, _ = r.askReset(ctx, op, "end/reset/"+op.Name+".again", "end")
	}
	return done
}

// leaveEach notes items that hands did not put back.
func (r *run) leaveEach(op *target.Operation, left []remains) {
	for _, l := range left {
		r.leave(op, l.known, l.state, l.why)
	}
}

// leave notes what could not be put back.
func (r *run) leave(op *target.Operation, item, state, what string) {
	r.left = append(r.left, conform.Left{Operation: op.Name, Item: item, State: state, What: what})
}

// leaveWritten notes the items that were to come back by a reset: those that
// changed, by the eyes; else those that were done, or may have been.
func (r *run) leaveWritten(ctx context.Context, op *target.Operation, entries []*entry, why string) {
	if len(entries) == 0 { // a call that named none may have changed something
		r.leave(op, "", "", fmt.Sprintf("what the run changed through %s: %s", op.Tool, why))
		return
	}
	r.askings++
	now := r.states(ctx, op, entries, fmt.Sprintf("left/%s/%d", op.Name, r.askings))
	for _, e := range entries {
		state, seen := now[e.known]
		switch {
		case seen && e.before != nil && as(op, *e.before, state):
		case e.outcome == multiitem.Refused && (!seen || e.before == nil): // nothing says that it was done
		case seen && e.before == nil && state.Done != nil && !*state.Done:
		case !seen && e.outcome == multiitem.Unknown:
			r.leave(op, e.known, "", "it may have been done: "+why)
		default:
			r.leave(op, e.known, word(now, e), why)
		}
	}
}

// leaveMade notes what a setup made and nothing takes away, unless it is gone:
// with a reset that worked, by the eyes only.
func (r *run) leaveMade(ctx context.Context, op *target.Operation) {
	entries := r.kept().made.of(op.Name)
	if len(entries) == 0 {
		return
	}
	r.askings++
	now := r.states(ctx, op, entries, fmt.Sprintf("left/%s/%d", op.Name, r.askings))
	for _, e := range entries {
		state, seen := now[e.known]
		if seen && !state.Present || !seen && op.Reset != nil && !slices.Contains(r.kept().unreset, op.Name) {
			continue
		}
		r.leave(op, e.known, word(now, e), fmt.Sprintf("%s made it, and the target file has no undo of the setup", op.Setup.Whose()))
	}
}

// leaveUsed notes, in one line, the items of an operation that nothing puts back.
func (r *run) leaveUsed(op *target.Operation, entries []*entry) {
	n := 0
	for _, e := range entries {
		if e.outcome != multiitem.Refused {
			n++
		}
	}
	switch {
	case n > 0:
		them := "them"
		if n == 1 {
			them = "it"
		}
		r.leave(op, "", "", reports.Amount(n, "item stays", "items stay")+fmt.Sprintf(" as %s left %s: the target file has no reset or undo", op.Tool, them))
	case r.later && len(entries) == 0 && slices.Contains(r.kept().unreset, op.Name):
		r.leave(op, "", "", fmt.Sprintf("what the run changed through %s: the target file has no reset or undo", op.Tool))
	}
}
