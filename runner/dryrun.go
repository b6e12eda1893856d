package runner

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
)

// rehearsed looks at what the dry runs of a play have left. Where an item is not
// as it was, the promise of the target file did not hold: what was asked for is
// used up, and no further dry run is played. The journal has it put back; whether
// the server is accused of it is for the check to say.
func (r *run) rehearsed(p *scenarios.Play, bound conform.BoundPlay, supply *scenarios.Supply) {
	r.rehearsals[p.Operation.Name] += p.DryCalls
	first, last := map[string]conform.State{}, map[string]conform.State{}
	for _, o := range conform.NewRecording(r.header, r.record.since(r.playing)).Effects {
		for _, s := range o.Effect.States {
			if _, seen := first[s.ID]; !seen {
				first[s.ID] = s
			}
			last[s.ID] = s
		}
	}
	for id, now := range last {
		if now.Changed(first[id]) {
			r.earnest[p.Operation.Name] = true
			supply.Broken(p.Operation, bound)
			return
		}
	}
}

// dryRuns says which operations were asked for dry runs.
func (r *run) dryRuns() []string {
	var notes []string
	for _, op := range r.file.Operations {
		if n := r.rehearsals[op.Name]; n > 0 {
			notes = append(notes, fmt.Sprintf("%d calls of %s were dry runs (%s): their answers were judged, and they used nothing up", n, op.Name, op.DryRun))
		}
	}
	return notes
}
