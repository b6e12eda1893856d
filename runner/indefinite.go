package runner

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// indefinite are the writes of a run that went out and that nothing answered:
// whether they were done is not known from the server. They are never repeated;
// what the eyes show afterwards settles it, as far as it can be.
type indefinite struct {
	calls int
	first string // the id of the first
	eyes  string // that looked; empty: none did
	// items are those that the calls name, changed those whose state is another
	// afterwards, unseen those whose state was not read before and after.
	items, changed, unseen int
}

// settle notes the unanswered writes of the play that has just ended.
func (n *indefinite) settle(op *target.Operation, rec *conform.Recording) {
	var before, after *conform.Effect
	for _, o := range rec.Effects {
		switch o.Effect.Phase {
		case conform.Before:
			before = o.Effect
		case conform.After:
			after = o.Effect
		}
	}
	was, is := statesOf(before), statesOf(after)
	for _, c := range rec.Calls {
		if c.Planned.Role != conform.RolePrimary || c.Planned.DryRun || !noWord(c) {
			continue
		}
		if n.calls++; n.first == "" {
			n.first = c.ID
		}
		if after != nil && after.Problem == "" {
			n.eyes = after.Eyes
		}
		for _, item := range c.Planned.Items {
			n.items++
			id, _, ok := op.ItemID(item)
			then, known := was[id]
			now, seen := is[id]
			switch {
			case !ok || !known || !seen:
				n.unseen++
			case now.Changed(then):
				n.changed++
			}
		}
	}
}

// noWord tells a call that went out and came to no answer: the connection was
// lost, or its time was up.
func noWord(c *conform.Call) bool {
	in := c.Last()
	return c.Sent != nil && c.Response == nil && in != nil && (in.End == conform.Cut || in.End == conform.TimedOut)
}

func statesOf(e *conform.Effect) map[string]conform.State {
	states := map[string]conform.State{}
	if e != nil {
		for _, s := range e.States {
			states[s.ID] = s
		}
	}
	return states
}

// notes says what became of them; none where there were none.
func (n *indefinite) notes() []string {
	if n.calls == 0 {
		return nil
	}
	note := fmt.Sprintf("a write got no answer (%s): it may have been done, and was not repeated", n.first)
	if n.calls > 1 {
		note = fmt.Sprintf("%d writes got no answer, the first one %s: they may have been done, and were not repeated", n.calls, n.first)
	}
	switch {
	case n.eyes == "":
		note += "; nothing shows whether it happened"
	default:
		note += fmt.Sprintf("; by the eyes of %s %d of the %d items named changed", n.eyes, n.changed, n.items)
		if n.unseen > 0 {
			note += fmt.Sprintf(", and of %d the state was not seen", n.unseen)
		}
	}
	return []string{note}
}
