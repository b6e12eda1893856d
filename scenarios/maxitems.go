package scenarios

import (
	"strconv"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// mostSchemas bounds how deep a schema is followed: it may refer to itself.
const mostSchemas = 16

// maxItems gives the most elements the schema allows in an argument; 0: no limit.
func (s *inputSchema) maxItems(argument string) int {
	if s == nil {
		return 0
	}
	most, _ := s.mostItems(s.node.At("properties", argument), mostSchemas)
	return most
}

// mostItems gives the most elements of the lists that a schema allows; 0: no limit.
// list tells whether it allows any. Of alternatives the most generous counts.
func (s *inputSchema) mostItems(n *rawjson.Node, deep int) (most int, list bool) {
	if !n.Is(rawjson.Object) || deep == 0 {
		return 0, true
	}
	list = allowsList(n.Get("type"))
	narrow := func(to int) {
		if to > 0 && (most == 0 || to < most) {
			most = to
		}
	}
	narrow(bound(n.Get("maxItems")))
	if ref, ok := n.Get("$ref").Str(); ok {
		to, lists := s.mostItems(s.node.Follow(ref), deep-1)
		narrow(to)
		list = list && lists
	}
	if all := n.Get("allOf"); all.Is(rawjson.Array) {
		for _, part := range all.Items {
			to, lists := s.mostItems(part, deep-1)
			narrow(to)
			list = list && lists
		}
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		alternatives := n.Get(name)
		if !alternatives.Is(rawjson.Array) {
			continue
		}
		widest, any, unbounded := 0, false, false
		for _, one := range alternatives.Items {
			if to, lists := s.mostItems(one, deep-1); lists {
				any, unbounded, widest = true, unbounded || to == 0, max(widest, to)
			}
		}
		if !unbounded {
			narrow(widest)
		}
		list = list && any
	}
	return most, list
}

// allowsList tells whether a schema's type is, or may be, a list.
func allowsList(n *rawjson.Node) bool {
	if n.Is(rawjson.Array) {
		for _, one := range n.Items {
			if allowsList(one) {
				return true
			}
		}
		return false
	}
	name, ok := n.Str()
	return !ok || name == "array"
}

// bound reads a number of items, above 0 and up to MaxBatch; 0: it is none.
func bound(n *rawjson.Node) int {
	text, ok := n.Literal()
	if !ok {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 1 || v > MaxBatch {
		return 0
	}
	return int(v)
}
