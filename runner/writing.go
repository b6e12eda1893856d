package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// Writing is what a run is about to write to a host that is not this machine.
type Writing struct {
	Host       string
	Operations []string
	// Calls and Items are the most that will be sent; there may be fewer.
	Calls, Items int
}

func (w Writing) String() string {
	return fmt.Sprintf("writing to %s: %s: at most %d calls with %d items", w.Host, strings.Join(w.Operations, ", "), w.Calls, w.Items)
}

// writing sums up what a plan writes to a host that is not this machine; ok is
// false where it writes nothing there.
func (r *run) writing(plan *scenarios.Plan) (w Writing, ok bool) {
	w.Host = r.file.Host()
	if w.Host == "" || target.Loopback(w.Host) {
		return w, false
	}
	for _, p := range plan.Plays {
		if p.WriteCalls == 0 {
			continue
		}
		w.Calls += p.WriteCalls
		w.Items += p.WriteItems
		if !slices.Contains(w.Operations, p.Operation.Name) {
			w.Operations = append(w.Operations, p.Operation.Name)
		}
	}
	if most := r.file.Safety.MaxWriteItems; most > 0 {
		w.Items = min(w.Items, most)
	}
	return w, w.Calls > 0
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
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := most - r.written; items > left {
		return fmt.Sprintf("the call would write %d items, and only %d of the %d that a run may write are left (safety.max_write_items)", items, left, most)
	}
	r.written += items
	return ""
}
