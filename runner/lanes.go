package runner

import (
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// lanes gives the operations that have limits of their own a pace of their own.
// Their calls go through it first, and then through the run's like everything
// else: so the narrower limit of the two is the one that is felt.
func lanes(file *target.File) map[string]*pace {
	all := map[string]*pace{}
	for _, op := range file.Operations {
		if op.Limits.Rate > 0 || op.Limits.InFlight > 0 {
			all[op.Name] = newPace(op.Limits)
		}
	}
	return all
}

// lane is the gate of an operation's own limits; nil: it has none.
func (r *run) lane(operation string) wire.Gate {
	if own := r.lanes[operation]; own != nil {
		return own
	}
	return nil
}

// heldBack says which limits held calls back, and for how long.
func (r *run) heldBack() []string {
	var notes []string
	if note := r.pace.note("limits.rate", r.file.Limits); note != "" {
		notes = append(notes, note)
	}
	for _, op := range r.file.Operations {
		if own := r.lanes[op.Name]; own != nil {
			if note := own.note("operations."+op.Name+".limits.rate", op.Limits); note != "" {
				notes = append(notes, note)
			}
		}
	}
	return notes
}
