package pattern

import (
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// place is what an output schema says of one place of an answer, as far as it is
// understood here.
type place struct {
	root   *rawjson.Node
	schema *rawjson.Node // nil: nothing is said
	closed bool          // not understood: nothing may differ here
}

// harmless are keywords that say nothing of a value that has the kind, the member
// names and the number of entries of one that was valid.
var harmless = map[string]bool{
	"type": true, "properties": true, "required": true, "items": true, "additionalProperties": true,
	"minItems": true, "maxItems": true, "minProperties": true, "maxProperties": true,
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true, "readOnly": true, "writeOnly": true,
	"format": true, "$schema": true, "$comment": true, "$defs": true, "definitions": true,
}

// maxReferences bounds how far references are followed.
const maxReferences = 16

// whole is the place of all of structuredContent.
func whole(schema *rawjson.Node) place {
	return place{root: schema, schema: schema}.settle(maxReferences)
}

// settle follows references and choices to the schema that counts, and closes the
// place where that is not understood.
func (p place) settle(left int) place {
	s := p.schema
	switch {
	case p.closed || s == nil:
		return p
	case s.Is(rawjson.Bool):
		p.schema = nil
		return p
	case !s.Is(rawjson.Object) || left == 0:
		p.closed = true
		return p
	}
	var only *rawjson.Node
	for i := range s.Members {
		switch m := &s.Members[i]; {
		case harmless[m.Name]:
		case m.Name == "$ref" && only == nil:
			only = p.referred(m.Value)
			p.closed = p.closed || only == nil
		case (m.Name == "anyOf" || m.Name == "oneOf") && only == nil:
			only = orNull(m.Value)
			p.closed = p.closed || only == nil
		default:
			p.closed = true
		}
	}
	if only == nil || p.closed {
		return p
	}
	for _, name := range []string{"properties", "items", "additionalProperties"} {
		p.closed = p.closed || s.Has(name) // both would count
	}
	p.schema = only
	return p.settle(left - 1)
}

// referred gives the schema that a reference inside the document means.
func (p place) referred(to *rawjson.Node) *rawjson.Node {
	text, _ := to.Str()
	return p.root.Follow(text)
}

// orNull gives the one schema of a choice between it and null.
func orNull(choice *rawjson.Node) *rawjson.Node {
	var only *rawjson.Node
	for _, branch := range choice.Items {
		if kind, _ := branch.Get("type").Str(); kind == "null" && len(branch.Members) == 1 {
			continue
		}
		if only != nil {
			return nil
		}
		only = branch
	}
	return only
}

// member gives the place of a member.
func (p place) member(name string) place {
	if p.closed || p.schema == nil {
		return p
	}
	next := p.schema.At("properties", name)
	if next == nil {
		next = p.schema.Get("additionalProperties")
	}
	return place{root: p.root, schema: next}.settle(maxReferences)
}

// entry gives the place of every entry of a list.
func (p place) entry() place {
	if p.closed || p.schema == nil {
		return p
	}
	return place{root: p.root, schema: p.schema.Get("items")}.settle(maxReferences)
}
