package target

import (
	"encoding/json"
	"fmt"
)

// unit reads the tool that does the operation to one item a call.
func (r *reader) unit(o *Operation, n *node) {
	h := &Hands{Takes: TakesID}
	r.object("unit", n, fields{
		"tool":      func(name string, n *node) { h.Tool = r.word(name, n) },
		"argument":  func(name string, n *node) { h.Argument = r.word(name, n) },
		"arguments": func(name string, n *node) { h.Arguments = r.mappingData(name, n) },
		"takes":     func(name string, n *node) { h.Takes = Takes(r.oneOf(name, n, string(TakesID), string(TakesItem))) },
		"id":        func(name string, n *node) { h.ID = r.word(name, n) },
	}, nil)
	if n.kind == mapping {
		r.need(n, "unit", "tool", "name the tool that does it to one item a call")
		r.need(n, "unit", "argument", "name its argument that takes the item's id (or, with takes: item, the item)")
	}
	if h.Tool != "" && h.Tool == o.Tool {
		r.fail(n, fmt.Sprintf("`unit` names %s, which is the operation's own tool", printable(h.Tool)), "name the tool that does it to one item a call, or leave the key out")
	}
	o.Unit, o.UnitTool = h, h.Tool
}

// UnitCall gives the arguments of the unit tool for one item; ok is false where the
// operation has none, or the item has no id that it could be told by.
func (o *Operation) UnitCall(item json.RawMessage) (arguments json.RawMessage, ok bool) {
	if o.Unit == nil {
		return nil, false
	}
	thing, ok := o.Thing(o.Unit, item)
	if !ok {
		return nil, false
	}
	return o.Unit.Call([]Thing{thing}), true
}
