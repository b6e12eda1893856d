package target

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Probe says how the state of items is read.
type Probe struct {
	Means
	Argument string        // of the tool, takes the list of ids; empty: the tool lists everything
	Path     string        // JSONPath to the rows, from the payload; with Rows to the text, empty: the answer's texts
	Rows     *TextRows     // nil: rows are data
	ID       string        // member of a row, or JSONPath from it, that names the item
	State    string        // likewise, what is compared; empty: the whole row
	Count    string        // likewise, how often it was done; empty: not told
	Done     *Done         // nil: any change counts
	Settle   time.Duration // how long an effect may take to show; 0: the default
}

// Done says which states mean that the operation was done.
type Done struct {
	// Presence is conform.Present or conform.Absent where the item's being there
	// or not decides; conform.Unsaid: the values do.
	Presence conform.Presence
	Values   []json.RawMessage
}

// Reset puts every item back.
type Reset struct{ Means }

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
		"rows":      func(_ string, n *node) { r.textRows(p, n) },
		"id":        func(name string, n *node) { p.ID = r.member(name, n) },
		"state":     func(name string, n *node) { p.State = r.member(name, n) },
		"count":     func(name string, n *node) { p.Count = r.member(name, n) },
		"done":      func(name string, n *node) { p.Done = r.done(n) },
		"settle":    func(name string, n *node) { p.Settle = r.wait(name, n) },
		"http":      func(_ string, n *node) { r.request(&p.Means, n, "GET") },
		"command":   func(_ string, n *node) { r.program(&p.Means, n) },
	}, nil)
	r.oneMeans(n, "probe")
	switch {
	case p.Rows != nil:
		r.need(n, "probe", "id", "name the member of an item that is its id")
		r.rowsFit(p, n)
	case n.get("command") != nil: // [{id, state}]
		p.told(n)
	default:
		r.need(n, "probe", "path", `say where its rows are, like "$.products[*]"`)
		r.need(n, "probe", "id", "name the member that names the item")
	}
	r.ownArgument(n, "the ids", p.Argument)
	o.Operation.Probe, o.ProbeTool, o.ProbeID, o.Probe = conform.Present, p.Tool, p.ID, p
}

// told fills in where a command's answer has what it is to tell, [{id, state}],
// unless the file says otherwise.
func (p *Probe) told(n *node) {
	if p.Path == "" {
		p.Path = "$[*]"
	}
	if p.ID == "" {
		p.ID = "id"
	}
	if n.get("state") == nil && n.get("path") == nil {
		p.State = "state"
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
		"http":      func(_ string, n *node) { r.request(&back.Means, n, "POST") },
		"command":   func(_ string, n *node) { r.program(&back.Means, n) },
	}, nil)
	r.oneMeans(n, "reset")
	o.Operation.Reset, o.ResetTool, o.Reset = conform.Present, back.Tool, back
}
