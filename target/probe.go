package target

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Probe says how the state of items is read: a tool of the server under test.
type Probe struct {
	Tool      string
	Arguments json.RawMessage // sent with every call, a JSON object; nil: none
	Argument  string          // takes the list of ids; empty: the tool lists everything
	Path      string          // JSONPath to the rows, from the payload
	ID        string          // member of a row, or JSONPath from it, that names the item
	State     string          // likewise, what is compared; empty: the whole row
	Count     string          // likewise, how often it was done; empty: not told
	Done      *Done           // nil: any change counts
	Settle    time.Duration   // how long an effect may take to show; 0: the default
}

// Done says which states mean that the operation was done.
type Done struct {
	// Presence is conform.Present or conform.Absent where the item's being there
	// or not decides; conform.Unsaid: the values do.
	Presence conform.Presence
	Values   []json.RawMessage
}

// Reset is a tool that puts every item back.
type Reset struct {
	Tool      string
	Arguments json.RawMessage // a JSON object; nil: none
}

func (r *reader) probe(o *Operation, n *node) {
	if none(n) {
		o.Operation.Probe = conform.Absent
		return
	}
	if !r.mappingOrNone("probe", n, "{tool: NAME, argument: NAME, path: PATH, id: MEMBER}") {
		return
	}
	p := &Probe{}
	r.object("probe", n, fields{
		"tool":      func(name string, n *node) { p.Tool = r.word(name, n) },
		"argument":  func(name string, n *node) { p.Argument = r.word(name, n) },
		"arguments": func(name string, n *node) { p.Arguments = r.mappingData(name, n) },
		"path":      func(name string, n *node) { p.Path = r.path(name, n) },
		"id":        func(name string, n *node) { p.ID = r.member(name, n) },
		"state":     func(name string, n *node) { p.State = r.member(name, n) },
		"count":     func(name string, n *node) { p.Count = r.member(name, n) },
		"done":      func(name string, n *node) { p.Done = r.done(n) },
		"settle":    func(name string, n *node) { p.Settle = r.wait(name, n) },
	}, later{
		"http":    "a probe is a tool of the server",
		"command": "a probe is a tool of the server",
	})
	r.eyes(n, "probe")
	r.need(n, "probe", "path", `say where its rows are, like "$.products[*]"`)
	r.need(n, "probe", "id", "name the member that names the item")
	if fixed := n.get("arguments"); fixed != nil && p.Argument != "" && fixed.get(p.Argument) != nil {
		r.fail(fixed, fmt.Sprintf("`arguments` sets %s, which takes the ids", printable(p.Argument)), "leave it out")
	}
	o.Operation.Probe, o.ProbeTool, o.Probe = conform.Present, p.Tool, p
}

// eyes asks for a tool, unless another way was tried and told of already.
func (r *reader) eyes(n *node, name string) {
	if n.get("http") == nil && n.get("command") == nil {
		r.need(n, name, "tool", "name the tool, or write none")
	}
}

func (r *reader) done(n *node) *Done {
	switch {
	case n.kind == plain && n.text == "present":
		return &Done{Presence: conform.Present}
	case n.kind == plain && n.text == "absent":
		return &Done{Presence: conform.Absent}
	case n.kind == list && len(n.items) > 0:
		d := &Done{}
		for _, item := range n.items {
			d.Values = append(d.Values, r.data(item))
		}
		return d
	}
	r.fail(n, fmt.Sprintf("`done` is %s", shown(n)), "write a list of states, present, or absent")
	return nil
}

func (r *reader) reset(o *Operation, n *node) {
	if none(n) {
		o.Operation.Reset = conform.Absent
		return
	}
	if !r.mappingOrNone("reset", n, "{tool: NAME}") {
		return
	}
	back := &Reset{}
	r.object("reset", n, fields{
		"tool":      func(name string, n *node) { back.Tool = r.word(name, n) },
		"arguments": func(name string, n *node) { back.Arguments = r.mappingData(name, n) },
	}, later{
		"http":    "a reset is a tool of the server",
		"command": "a reset is a tool of the server",
	})
	r.eyes(n, "reset")
	o.Operation.Reset, o.ResetTool, o.Reset = conform.Present, back.Tool, back
}
