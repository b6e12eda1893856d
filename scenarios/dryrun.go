package scenarios

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// undeclaredDryRun says that the tool's input schema does not name an argument
// that asks for a dry run. A server passes over what it does not know, and would
// do in earnest what was to be tried only: so nothing is sent. Before a server was
// asked for its tools, it is nobody's mistake that their schemas are not known.
func undeclaredDryRun(o *Operation, schema *inputSchema, listed bool) *shortage {
	arguments, err := rawjson.Parse(o.DryRun)
	if err != nil {
		return &shortage{reason: "the arguments of the dry run do not read as JSON", key: o.key("dry_run"), wrong: true}
	}
	if !listed {
		return &shortage{reason: fmt.Sprintf("whether the tool %q knows dry runs is told by its input schema, and the server was not asked for it", o.Tool)}
	}
	for _, m := range arguments.Members {
		if !schema.declares(m.Name) {
			return &shortage{reason: fmt.Sprintf("the input schema of the tool %q names no argument %q (inputSchema/properties): a dry run might be done in earnest",
				o.Tool, printable(m.Name)), key: o.key("dry_run.arguments"), wrong: true}
		}
	}
	return nil
}

// bracket has the eyes look before and after a dry run, where the script has no
// look of its own: that it did nothing is judged, not believed.
func (b *binder) bracket() {
	if !b.play.DryRun || b.play.Operation.Probe != conform.Present || does(b.play.Scenario.steps(b.play.Variant), Probe) {
		return
	}
	before := conform.BoundStep{Act: conform.ActProbe, Name: "probe-before", Phase: conform.Before}
	after := conform.BoundStep{Act: conform.ActProbe, Name: "probe-after", Phase: conform.After}
	b.bound.Steps = append(append([]conform.BoundStep{before}, b.bound.Steps...), after)
}

// inEarnest says what a step is about that only a real call shows; empty: a dry
// run shows as much.
func inEarnest(s Step) string {
	switch {
	case s.Act == Parallel:
		return "has calls in flight together"
	case s.Act == Retry, s.Key:
		return "is about idempotency keys"
	case s.Act == Restart:
		return "is about what outlives the server"
	case s.Sweep:
		return "measures"
	case s.Answer != "":
		return "is about what the user declines"
	case s.Cancel:
		return "is about what a cancelled call has done"
	}
	return ""
}
