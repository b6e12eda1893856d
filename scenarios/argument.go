package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// misnamed tells of an items' argument that the tool cannot have: its schema
// names others, and either takes no more, or has one, required or a list, that no
// call would fill. A server that names some arguments and takes more is odd, but
// lawful: it is asked.
func misnamed(o *Operation, schema *inputSchema) *shortage {
	if !schema.lacks(o.Argument) || !schema.closed() && !schema.unfilled(o) {
		return nil
	}
	return &shortage{reason: schema.without(o.Tool, o.Argument), key: o.key("input.argument"), wrong: true}
}

// lacks tells whether the schema names arguments, and this is none of them. One
// that may name more in another place (a reference, patterns) lacks nothing.
func (s *inputSchema) lacks(argument string) bool {
	if s == nil {
		return false
	}
	for _, elsewhere := range []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"} {
		if s.node.Has(elsewhere) {
			return false
		}
	}
	properties := s.node.Get("properties")
	return properties.Is(rawjson.Object) && len(properties.Members) > 0 && !properties.Has(argument)
}

// closed tells whether the schema takes no arguments but those it names.
func (s *inputSchema) closed() bool {
	if s == nil {
		return false
	}
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if more, ok := s.node.Get(keyword).Bool(); ok && !more {
			return true
		}
	}
	return false
}

// unfilled tells whether the schema names an argument, required or a list, that
// the calls do not set.
func (s *inputSchema) unfilled(o *Operation) bool {
	fixed, _ := rawjson.Parse(o.Fixed)
	required := map[string]bool{}
	if names := s.node.Get("required"); names.Is(rawjson.Array) {
		for _, n := range names.Items {
			if name, ok := n.Str(); ok {
				required[name] = true
			}
		}
	}
	for _, m := range s.node.Get("properties").Members {
		if !fixed.Has(m.Name) && m.Name != o.KeyArgument && (required[m.Name] || isList(m.Value)) {
			return true
		}
	}
	return false
}

// isList tells whether a property takes lists, or lists and null.
func isList(property *rawjson.Node) bool {
	kind := property.Get("type")
	if name, ok := kind.Str(); ok {
		return name == "array"
	}
	if kind.Is(rawjson.Array) {
		return slices.ContainsFunc(kind.Items, func(n *rawjson.Node) bool { name, _ := n.Str(); return name == "array" })
	}
	return property.Has("items")
}

// without says which arguments the tool has instead.
func (s *inputSchema) without(tool, argument string) string {
	const most = 8
	var names []string
	for _, m := range s.node.Get("properties").Members {
		if !m.Again {
			names = append(names, printable(m.Name))
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("the tool %s has no argument `%s`; it has %s", tool, argument, strings.Join(names, ", "))
}

// printable makes a foreign name fit to be shown.
func printable(name string) string {
	return rawjson.Cut(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, name), 80)
}
