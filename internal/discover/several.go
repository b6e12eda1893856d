package discover

import (
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

const (
	// deepest is how many objects or maps deep in an argument a list is looked for.
	deepest = 2
	// mostSchemas bounds how many schemas of one tool are looked at: a schema is as
	// foreign as any answer, and thirty definitions that each refer twice to the
	// next are a thousand million.
	mostSchemas = 20_000
)

// schemas looks through a tool's input schema.
type schemas struct {
	root *rawjson.Node
	left int // how many more are looked at
}

// variants gives a schema and those that it is composed of, behind references and
// alternatives, each once: a value may have to fit any of them.
func (s *schemas) variants(n *rawjson.Node) []*rawjson.Node {
	var all []*rawjson.Node
	seen := map[*rawjson.Node]bool{}
	var add func(*rawjson.Node)
	add = func(n *rawjson.Node) {
		if !n.Is(rawjson.Object) || seen[n] || s.left <= 0 {
			return
		}
		s.left--
		seen[n] = true
		all = append(all, n)
		if ref, ok := n.Get("$ref").Str(); ok {
			add(s.root.Follow(ref))
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			if branches := n.Get(keyword); branches != nil {
				for _, branch := range branches.Items {
					add(branch)
				}
			}
		}
	}
	add(n)
	return all
}

// members gives the properties of a schema, those of its variants too.
func (s *schemas) members(n *rawjson.Node) []rawjson.Member {
	var all []rawjson.Member
	for _, v := range s.variants(n) {
		if properties := v.Get("properties"); properties.Is(rawjson.Object) {
			all = append(all, properties.Members...)
		}
	}
	return all
}

// anyName stands in a path for the names of a map, which a schema does not say.
const anyName = "*"

// values gives the schemas of what a schema takes under names that it does not say.
func (s *schemas) values(n *rawjson.Node) []rawjson.Member {
	var all []rawjson.Member
	for _, v := range s.variants(n) {
		for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
			if value := v.Get(keyword); value.Is(rawjson.Object) {
				all = append(all, rawjson.Member{Name: anyName, Value: value})
			}
		}
		if patterns := v.Get("patternProperties"); patterns.Is(rawjson.Object) {
			for _, p := range patterns.Members {
				all = append(all, rawjson.Member{Name: anyName, Value: p.Value})
			}
		}
	}
	return all
}

// list tells whether a schema takes a list of items.
func (s *schemas) list(n *rawjson.Node) bool {
	for _, v := range s.variants(n) {
		if typed(v, "array") && s.ofItems(v) {
			return s.left > 0 // what was not looked at to its end says nothing
		}
	}
	return false
}

// ofItems tells whether the elements of an array are items: texts, numbers or
// objects, or anything at all. A closed list of words (enum) selects options, it
// does not name items; a tuple has a fixed place for each element.
func (s *schemas) ofItems(array *rawjson.Node) bool {
	if array.Has("prefixItems") {
		return false
	}
	if most, ok := array.Get("maxItems").Literal(); ok {
		if n, err := strconv.ParseFloat(most, 64); err == nil && n <= 1 {
			return false
		}
	}
	element := array.Get("items")
	switch {
	case element == nil:
		return true
	case element.Is(rawjson.Bool):
		yes, _ := element.Bool()
		return yes
	case !element.Is(rawjson.Object):
		return false
	}
	free := true // nothing is said of them
	for _, v := range s.variants(element) {
		if closed(v) {
			free = false
			continue
		}
		if typed(v, "string") || typed(v, "object") || typed(v, "integer") || typed(v, "number") || v.Has("properties") {
			return true
		}
		free = free && !v.Has("type")
	}
	return free
}

// listInside gives the path to a list of items in an object or a map, so many of
// them deep; empty if there is none.
func (s *schemas) listInside(n *rawjson.Node, at string, deep int) string {
	if deep == 0 {
		return ""
	}
	properties := append(s.members(n), s.values(n)...)
	for _, p := range properties {
		if s.list(p.Value) {
			return at + "." + p.Name
		}
	}
	for _, p := range properties {
		if inside := s.listInside(p.Value, at+"."+p.Name, deep-1); inside != "" {
			return inside
		}
	}
	return ""
}

// severalInText gives what a text's schema, or else its tool, says by which it
// names several; empty if neither does.
func (s *schemas) severalInText(p rawjson.Member) (says string, isText bool) {
	for _, v := range s.variants(p.Value) {
		isText = isText || typed(v, "string") && !closed(v)
		for _, name := range []string{"description", "title"} {
			if word, _ := v.Get(name).Str(); says == "" && lexicons().separated.MatchString(word[:min(len(word), mostDescribed)]) {
				says = strings.TrimSpace(word)
			}
		}
	}
	return says, isText
}

// mostDescribed bounds how much of a description is looked at.
const mostDescribed = 4096

// closed tells whether a schema takes only values that it lists.
func closed(schema *rawjson.Node) bool { return schema.Has("enum") || schema.Has("const") }

// typed tells whether a schema's type is, or includes, a name.
func typed(schema *rawjson.Node, name string) bool {
	t := schema.Get("type")
	if text, ok := t.Str(); ok {
		return text == name
	}
	if t.Is(rawjson.Array) {
		for _, item := range t.Items {
			if text, _ := item.Str(); text == name {
				return true
			}
		}
	}
	return false
}
