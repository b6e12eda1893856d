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
		n := r.rehearsals[op.Name]
		if n == 0 {
			continue
		}
		dry, they := fmt.Sprintf("%d calls of %s were dry runs", n, op.Name), "they"
		if n == 1 {
			dry, they = fmt.Sprintf("1 call of %s was a dry run", op.Name), "it"
		}
		came := "and " + they + " used nothing up"
		switch {
		case r.earnest[op.Name]:
			came = "and something changed meanwhile (see " + scenarios.DryRunCheck + ")"
		case op.Probe == nil || r.blind[op.Name]:
			came = "and nobody looked whether " + they + " did something"
		}
		notes = append(notes, fmt.Sprintf("%s (%s): the answers were judged, %s", dry, op.DryRun, came))
	}
	return notes
}
