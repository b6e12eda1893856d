package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// Writing is what a run is about to write to a host that is not this machine.
type Writing struct {
	Host       string
	Operations []string
	// Calls and Items are the most that will be sent; there may be fewer.
	Calls, Items int
	// DryRuns are calls that are to do nothing, besides Calls.
	DryRuns int
	// SetUp is how many items are put in place at most, Hands who puts them there,
	// and who puts back what was written.
	SetUp int
	Hands []string
}

func (w Writing) String() string {
	text := fmt.Sprintf("writing to %s: %s: at most %s with %s", w.Host, strings.Join(w.Operations, ", "),
		reports.Amount(w.Calls, "call", "calls"), reports.Amount(w.Items, "item", "items"))
	if w.DryRuns > 0 {
		text += ", and " + reports.Amount(w.DryRuns, "dry run", "dry runs")
	}
	if w.SetUp > 0 {
		text += ", after " + reports.Amount(w.SetUp, "item is", "items are") + " put in place"
	}
	if len(w.Hands) > 0 {
		text += "; put back and in place by " + strings.Join(w.Hands, ", ")
	}
	return text
}

// writing sums up what a plan writes to a host that is not this machine; ok is
// false where it writes nothing there.
func (r *run) writing(plan *scenarios.Plan) (w Writing, ok bool) {
	w.Host = r.file.Host()
	if w.Host == "" || target.Loopback(w.Host) {
		return w, false
	}
	plan = plan.Foresee()
	for _, op := range r.file.Operations {
		var line PlannedOperation
		line.hands(op, plan.Plays)
		w.SetUp += line.SetUp
		for _, who := range []string{line.SetUpBy, line.PutBackBy, line.TakenAwayBy} {
			if who != "" && !slices.Contains(w.Hands, who) {
				w.Hands = append(w.Hands, who)
			}
		}
		if line.SetUp > 0 && !slices.Contains(w.Operations, op.Name) {
			w.Operations = append(w.Operations, op.Name)
		}
	}
	for _, p := range plan.Plays {
		if p.WriteCalls == 0 && p.DryCalls == 0 {
			continue
		}
		w.Calls += p.WriteCalls
		w.DryRuns += p.DryCalls
		w.Items += p.WriteItems
		if !slices.Contains(w.Operations, p.Operation.Name) {
			w.Operations = append(w.Operations, p.Operation.Name)
		}
	}
	if most := r.file.Safety.MaxWriteItems; most > 0 {
		w.Items = min(w.Items, most)
	}
	return w, w.Calls > 0 || w.DryRuns > 0 || w.SetUp > 0
}

// overBound says why a write must not go out: its arguments hold more items than
// the run may still write. The plan counts what it means to send; the arguments
// of a call that follows a validator are that server's, and may hold any number.
func (r *run) overBound(call conform.BoundCall) string {
	most := r.file.Safety.MaxWriteItems
	op := r.file.Operation(call.Planned.Operation)
	if !call.Write || most == 0 || op == nil {
		return ""
	}
	items := len(call.Planned.Items)
	if arguments, err := rawjson.Parse(call.Planned.Arguments); err == nil {
		if list := arguments.Get(op.Argument); list.Is(rawjson.Array) {
			items = max(items, len(list.Items))
		}
	}
	if why := r.overMost(items); why != "" {
		return "the call " + why
	}
	return ""
}

// overMost counts items that are about to be written, unless they are more than
// the run may still write: it says so then.
func (r *run) overMost(items int) string {
	most := r.file.Safety.MaxWriteItems
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := most - r.written; most > 0 && items > left {
		return "would write " + scenarios.OverMost(items, left, most)
	}
	r.written += items
	return ""
}
