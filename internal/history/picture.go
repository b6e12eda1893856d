package history

import (
	"fmt"
	"io"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/mcpconform/mcpconform/conform"
)

// drawn is a happening of one of several histories.
type drawn struct {
	input
	of        int // which of them
	semantics string
	lane      string // who asked, or looked
}

// Picture draws histories as one HTML page, which porcupine makes: a lane for each
// session and one for the eyes, and how far an order of it all gets. What a server said
// is in it as text alone.
func Picture(w io.Writer, all []conform.History) error {
	var ops []porcupine.Operation
	for of, h := range all {
		lanes := []string{""} // of the eyes
		end := int64(0)
		for _, e := range h.Events {
			end = max(end, e.Begun, e.Over)
		}
		for _, e := range h.Events {
			from, to := interval(e)
			switch {
			case e.Over == 0:
				to = 2*end + 2
			case to < from: // the first look
				from = to
			}
			lane := ""
			if e.Kind == conform.Write {
				lane = e.Session + " " + e.Call
			}
			if !slices.Contains(lanes, lane) {
				lanes = append(lanes, lane)
			}
			ops = append(ops, porcupine.Operation{ClientId: slices.Index(lanes, lane), Input: drawn{input{e, 1}, of, h.Semantics, lane}, Call: from, Return: to})
		}
	}
	m := porcupine.Model{
		Partition: func(ops []porcupine.Operation) [][]porcupine.Operation {
			parts := make([][]porcupine.Operation, len(all))
			for _, op := range ops {
				of := op.Input.(drawn).of
				parts[of] = append(parts[of], op)
			}
			return parts
		},
		Init: func() any { return (*state)(nil) },
		Step: func(from, in, _ any) (bool, any) {
			d := in.(drawn)
			if s := from.(*state); s != nil {
				to, ok := step(d.semantics, *s, d.input)
				return ok, &to
			}
			first := begin(d.Happening)
			return d.Kind == conform.Looked, &first
		},
		Equal: func(a, b any) bool {
			one, two := a.(*state), b.(*state)
			return one == two || one != nil && two != nil && *one == *two
		},
		DescribeOperation: func(in, _ any) string { return in.(drawn).words() },
		DescribeState: func(s any) string {
			switch one := s.(*state); {
			case one == nil:
				return "not looked at"
			case one.done:
				return fmt.Sprintf("done (counted %d)", one.n)
			default:
				return fmt.Sprintf("not done (counted %d)", one.n)
			}
		},
		DescribeOperationMetadata: func(any) string { return "" },
	}
	// Each is as small as can be, and was gone through before.
	_, info := porcupine.CheckOperationsVerbose(m, ops, 0)
	return porcupine.Visualize(m, info, w)
}

// words say what happened, in a few words for a bar.
func (d drawn) words() string {
	if d.Kind == conform.Looked {
		return "look: " + d.Seen
	}
	words := d.lane + ": " + string(d.Said)
	if d.Protocol != "" {
		words += ", " + d.Protocol
	}
	return words
}
