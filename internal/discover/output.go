package discover

import (
	"slices"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// form is how a tool's answer holds what became of each item, by its outputSchema.
type form string

const (
	undeclared form = ""        // there is no outputSchema
	ofRows     form = "rows"    // results[], each with a flag
	unflagged  form = "results" // results[], without flags
	workflow   form = "workflow"
	buckets    form = "buckets" // one list of those that succeeded, and perhaps one of those that did not
	filtered   form = "list"    // a list of what was found
	flat       form = "flat"    // no list at all
)

// output is a tool's answer, as far as its outputSchema shows.
type output struct {
	form form
	list string // the member that holds the list, or the bucket of those that succeeded
	fail string // the bucket of those that failed; empty: there is none
	// members are those of the list's objects; none: it is of texts.
	members []rawjson.Member
	objects bool
}

// unwrapped gives the payload's schema where it stands under `result`, as the
// portable form has it; else the schema itself.
func (s *schemas) unwrapped(schema *rawjson.Node) *rawjson.Node {
	members := s.members(schema)
	for _, m := range members {
		if m.Name == "results" || m.Name == "output" {
			return schema
		}
	}
	for _, m := range members {
		if m.Name == "result" && len(s.members(m.Value)) > 0 {
			return m.Value
		}
	}
	return schema
}

// rowsIn gives the schema of results[] with a flag in each row; nil if there is none.
func rowsIn(schema *rawjson.Node) *rawjson.Node {
	s := &schemas{root: schema, left: mostSchemas}
	for _, p := range s.members(s.unwrapped(schema)) {
		if p.Name == "results" && s.list(p.Value) {
			if element := s.element(p.Value); flagged(s, element) {
				return element
			}
		}
	}
	return nil
}

func flagged(s *schemas, row *rawjson.Node) bool {
	return slices.ContainsFunc(s.members(row), func(m rawjson.Member) bool {
		return (m.Name == "success" || m.Name == "ok") && slices.ContainsFunc(s.variants(m.Value), func(v *rawjson.Node) bool { return typed(v, "boolean") })
	})
}

// element gives the schema of a list's elements; nil if none is said.
func (s *schemas) element(list *rawjson.Node) *rawjson.Node {
	for _, v := range s.variants(list) {
		if typed(v, "array") && v.Get("items").Is(rawjson.Object) {
			return v.Get("items")
		}
	}
	return nil
}

// outputOf reads what a tool says of its answers.
func outputOf(tool string, schema *rawjson.Node) output {
	if !schema.Is(rawjson.Object) {
		return output{}
	}
	s := &schemas{root: schema, left: mostSchemas}
	members := s.members(s.unwrapped(schema))
	for _, m := range members {
		if m.Name != "output" {
			continue
		}
		for _, of := range s.members(m.Value) {
			if of.Name == tool && slices.ContainsFunc(s.members(of.Value), func(r rawjson.Member) bool { return r.Name == "results" && s.list(r.Value) }) {
				return output{form: workflow, list: "results"}
			}
		}
	}
	var lists []output
	for _, m := range members {
		if s.list(m.Value) {
			element := s.element(m.Value)
			o := output{form: filtered, list: m.Name, members: s.members(element)}
			o.objects = len(o.members) > 0
			if m.Name == "results" {
				if o.form = unflagged; flagged(s, element) {
					o.form = ofRows
				}
				return o
			}
			lists = append(lists, o)
		}
	}
	if len(lists) == 0 {
		return output{form: flat}
	}
	good := slices.IndexFunc(lists, func(o output) bool { return edgeAmong(done, wordsOf(o.list)) })
	bad := slices.IndexFunc(lists, func(o output) bool { return edgeAmong(failed, wordsOf(o.list)) })
	if good >= 0 && good != bad {
		o := lists[good]
		o.form = buckets
		if bad >= 0 {
			o.fail = lists[bad].list
		}
		return o
	}
	for i, o := range lists { // a list of those that failed is not the list of what was found
		if i != bad {
			return o
		}
	}
	return output{form: flat}
}

// listNamed gives the list of an answer whose name has one of the nouns, else the
// first list of objects; ok says that there is one of objects.
func listNamed(schema *rawjson.Node, nouns []string) (o output, ok bool) {
	if !schema.Is(rawjson.Object) {
		return output{}, false
	}
	s := &schemas{root: schema, left: mostSchemas}
	for _, m := range s.members(schema) {
		if !s.list(m.Value) {
			continue
		}
		members := s.members(s.element(m.Value))
		if len(members) == 0 {
			continue
		}
		fits := shared(wordsOf(m.Name), nouns) > 0
		if !ok || fits {
			o, ok = output{form: filtered, list: m.Name, members: members, objects: true}, true
		}
		if fits {
			break
		}
	}
	return o, ok
}

// named gives the member whose name is of a class, in the order of the class's
// words; empty if none is.
func (o output) named(c class) string {
	for _, word := range lexicons().words[c] {
		for _, m := range o.members {
			if words := wordsOf(m.Name); len(words) == 1 && words[0] == word {
				return m.Name
			}
		}
	}
	for _, word := range lexicons().words[c] {
		for _, m := range o.members {
			if words := wordsOf(m.Name); len(words) > 1 && words[len(words)-1] == word {
				return m.Name
			}
		}
	}
	return ""
}
