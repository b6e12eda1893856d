package platforms

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// class says what a platform that maps first-level fields can do with one.
type class string

const (
	primitive      class = "primitive"
	listed         class = "opaque:listed" // one of the shapes that are listed as supported, usable as a whole
	nested         class = "opaque:nested"
	dynamicMap     class = "opaque:dynamic-map"
	itemProperties class = "opaque:item-properties"
	noItems        class = "unlisted:no-items"
	primitiveArray class = "unlisted:primitive-array"
	unlisted       class = "unlisted"
	unmapped       class = "unmapped" // no type of the platform can be found for it
)

// The grades of a side, best first.
const (
	gradeListed    = "listed"
	gradeFirst     = "first-level"
	gradeOpaque    = "opaque-root"
	gradeReasoning = "reasoning-only"
	gradeNone      = "none"
)

// operators are the keywords that combine types.
var operators = []string{"anyOf", "oneOf", "allOf", "not", "if", "$ref", "$dynamicRef"}

// field is one first-level property, classified.
type field struct {
	name  string
	class class
	lost  []string // paths below it
	node  *rawjson.Node
	why   string // of an unmapped one: the keyword
}

// side is the input or output of a tool, classified.
type side struct {
	grade  string
	fields []field
	why    string // of a reasoning-only root
}

// classify grades one schema; nil is a side that is not declared.
func classify(schema *rawjson.Node) side {
	if schema == nil {
		return side{grade: gradeNone}
	}
	root, ok := resolve(schema, schema)
	if !ok {
		return side{grade: gradeReasoning, why: "$ref"}
	}
	if op := operator(root); op != "" {
		return side{grade: gradeReasoning, why: op}
	}
	typ, _ := root.Get("type").Str()
	if typ == "array" {
		item, ok := resolve(schema, root.Get("items"))
		if t, _ := item.Get("type").Str(); ok && t == "object" && operator(item) == "" {
			return side{grade: gradeOpaque}
		}
	}
	if typ != "object" {
		return side{grade: gradeReasoning, why: "type"}
	}
	s := side{grade: gradeListed}
	for _, m := range members(root.Get("properties")) {
		f := classOf(schema, m.Value)
		f.name, f.node = m.Name, m.Value
		for i := range f.lost {
			f.lost[i] = m.Name + f.lost[i]
		}
		s.fields = append(s.fields, f)
	}
	has := func(classes ...class) bool {
		return slices.ContainsFunc(s.fields, func(f field) bool { return slices.Contains(classes, f.class) })
	}
	switch {
	case len(s.fields) == 0:
		s.grade = gradeOpaque
	case has(unmapped):
		s.grade = gradeReasoning
	case has(nested, dynamicMap, itemProperties, noItems, primitiveArray, unlisted):
		s.grade = gradeFirst
	}
	return s
}

func classOf(top, schema *rawjson.Node) field {
	p, ok := resolve(top, schema)
	if !ok {
		return field{class: unmapped, why: "$ref"}
	}
	if !p.Is(rawjson.Object) {
		return field{class: unmapped, why: "a schema that is true or false"}
	}
	if op := operator(p); op != "" {
		return field{class: unmapped, why: op}
	}
	typ, _ := p.Get("type").Str()
	switch typ {
	case "string", "number", "integer", "boolean":
		return field{class: primitive}
	case "object":
		switch {
		case len(members(p.Get("properties"))) > 0:
			return below(top, p, field{class: nested}, "")
		case p.Get("additionalProperties").Is(rawjson.Object) || p.Has("patternProperties"):
			return field{class: dynamicMap}
		}
		return field{class: listed}
	case "array":
		items := p.Get("items")
		if items == nil || items.Is(rawjson.Bool) {
			return field{class: noItems}
		}
		item, ok := resolve(top, items)
		if !ok {
			return field{class: unmapped, why: "$ref"}
		}
		if op := operator(item); op != "" {
			return field{class: unmapped, why: op}
		}
		switch t, _ := item.Get("type").Str(); {
		case t == "object" && len(members(item.Get("properties"))) > 0:
			return below(top, item, field{class: itemProperties}, "[]")
		case t == "object":
			return field{class: listed}
		case slices.Contains([]string{"string", "number", "integer", "boolean"}, t):
			return field{class: primitiveArray}
		}
		return field{class: unlisted}
	}
	return field{class: unmapped, why: "no type"}
}

// below adds the paths that are lost, or says that the schema leads back into itself.
func below(top, n *rawjson.Node, f field, prefix string) field {
	left := mostLost
	lost, ok := paths(top, n, prefix, nil, &left)
	if !ok {
		return field{class: unmapped, why: "$ref"}
	}
	f.lost = lost
	return f
}

// mostLost bounds the paths that are told of one field: a few definitions that refer to
// each other twice make more of them than anybody could read.
const mostLost = 200

// paths gives the paths below a schema, as many as are left; it is not ok where the
// schema leads back into itself.
func paths(top, n *rawjson.Node, prefix string, within []*rawjson.Node, left *int) (all []string, ok bool) {
	n, ok = resolve(top, n)
	if !ok || slices.Contains(within, n) {
		return nil, false
	}
	within = append(within, n)
	for _, m := range members(n.Get("properties")) {
		if *left <= 0 {
			return all, true
		}
		at := prefix + "." + m.Name
		deeper, ok := paths(top, m.Value, at, within, left)
		if !ok {
			return nil, false
		}
		if p, _ := resolve(top, m.Value); len(deeper) == 0 && p.Get("items") != nil {
			if deeper, ok = paths(top, p.Get("items"), at+"[]", within, left); !ok {
				return nil, false
			}
		}
		if len(deeper) == 0 {
			*left--
			deeper = []string{at}
		}
		all = append(all, deeper...)
	}
	return all, true
}

// members gives the members of an object; none for anything else.
func members(n *rawjson.Node) []rawjson.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// operator gives the first keyword of a schema that combines types. A list of types
// is one too.
func operator(n *rawjson.Node) string {
	for _, op := range operators {
		if n.Has(op) {
			return op
		}
	}
	if n.Get("type").Is(rawjson.Array) {
		return "a list as type"
	}
	return ""
}

// resolve follows $ref inside the document. It is not ok where one leads nowhere, to
// another document, or in a circle.
func resolve(top, n *rawjson.Node) (*rawjson.Node, bool) {
	const most = 64 // a chain that long is a circle
	for range most {
		ref, is := n.Get("$ref").Str()
		if !is {
			return n, !n.Has("$ref")
		}
		if n = top.Follow(ref); n == nil {
			return nil, false
		}
	}
	return nil, false
}

// Fields says what of a tool can be mapped where only the first level can.
func Fields(t *conform.Tooling) conform.ToolFields {
	in, out := classify(t.InputSchema), classify(t.OutputSchema)
	f := conform.ToolFields{Input: in.told(), Output: out.told()}
	mapped := out.grade != gradeReasoning && out.grade != gradeNone
	f.Verdicts.Variable, f.Verdicts.Chain = mapped, mapped
	f.Verdicts.DeterministicRun = mapped && in.grade != gradeReasoning
	f.Verdicts.Condition = mapped && len(f.Output.Usable) > 0
	return f
}

func (s side) told() conform.SideFields {
	t := conform.SideFields{Grade: s.grade, Usable: []string{}, Opaque: []string{}, Lost: []string{}, Unlisted: []string{}, Unmapped: []string{}}
	for _, f := range s.fields {
		switch f.class {
		case primitive:
			t.Usable = append(t.Usable, f.name)
		case listed, nested, dynamicMap, itemProperties:
			t.Opaque = append(t.Opaque, f.name)
		case unmapped:
			t.Unmapped = append(t.Unmapped, f.name)
		default:
			t.Unlisted = append(t.Unlisted, f.name)
		}
		t.Lost = append(t.Lost, f.lost...)
	}
	return t
}
