package discover

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// mostItems bounds the example items of an operation, fewBad those that are to be refused.
const (
	mostItems = 24
	fewBad    = 3
)

// examples gives the items that the schema itself has: examples and defaults of the
// argument, of the whole input, of its elements, of the elements' members; else the
// URIs of resources, where the argument asks for such.
func (s *schemas) examples(o *Operation, resources []string) Items {
	var all []*rawjson.Node
	take := func(n *rawjson.Node) {
		switch {
		case n.Is(rawjson.Array) && !o.Takes.Scalar():
			all = append(all, n.Items...)
		case n.Is(rawjson.String) && o.Takes.Scalar():
			all = append(all, n)
		}
	}
	each := func(list *rawjson.Node, do func(*rawjson.Node)) {
		if list.Is(rawjson.Array) {
			for _, n := range list.Items {
				do(n)
			}
		}
	}
	for _, v := range s.variants(o.Takes.schema) {
		each(v.Get("examples"), take)
		take(v.Get("example"))
		take(v.Get("default"))
	}
	for _, v := range s.variants(o.tool.InputSchema) {
		each(v.Get("examples"), func(n *rawjson.Node) { take(n.Get(o.Takes.Argument)) })
	}
	element := s.element(o.Takes.schema)
	if !o.Takes.Scalar() {
		for _, v := range s.variants(element) {
			each(v.Get("examples"), func(n *rawjson.Node) { all = append(all, n) })
			if n := v.Get("example"); n != nil {
				all = append(all, n)
			}
		}
	}
	items := Items{Why: "from the examples in the tool's schema; make sure that they exist, and that they may be used"}
	add := func(given json.RawMessage) {
		if !written(given) {
			return
		}
		if len(items.Values) < mostItems && !slices.ContainsFunc(items.Values, func(i Item) bool { return string(i.Given) == string(given) }) {
			items.Values = append(items.Values, Item{Given: given})
		}
	}
	for _, n := range all {
		if text, ok := n.Str(); ok && o.Takes.Scalar() {
			for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }) {
				if part = strings.TrimSpace(part); part != "" {
					add(jsonText(part))
				}
			}
			continue
		}
		if usable(n) {
			add(json.RawMessage(n.Raw))
		}
	}
	if len(items.Values) == 0 && !o.Takes.Scalar() {
		for _, given := range s.assembled(element) {
			add(given)
		}
	}
	if words := wordsOf(o.Takes.Argument); len(items.Values) == 0 && !o.Takes.Scalar() && len(words) > 0 && sameWord(words[len(words)-1], "uri") {
		for _, uri := range resources {
			items.Why = "the URIs that resources/list has"
			add(jsonText(uri))
		}
	}
	return items
}

// usable tells whether a value can be an item of a target file.
func usable(n *rawjson.Node) bool {
	if !n.Is(rawjson.String) && !n.Is(rawjson.Number) && !n.Is(rawjson.Object) {
		return false
	}
	_, ok := value(n)
	return ok && !n.Empty()
}

// written tells whether an item can be written down.
func written(given json.RawMessage) bool {
	n, err := rawjson.Parse(given)
	return err == nil && usable(n)
}

// assembled makes objects of the examples of their members; none, if a required
// member has none.
func (s *schemas) assembled(element *rawjson.Node) []json.RawMessage {
	members := s.members(element)
	required := requiredOf(s, element)
	var columns [][]string
	var named []string
	for _, m := range members {
		if slices.Contains(named, m.Name) {
			continue
		}
		var column []string
		for _, v := range s.variants(m.Value) {
			if list := v.Get("examples"); list.Is(rawjson.Array) {
				for _, n := range list.Items {
					if _, ok := value(n); ok {
						column = append(column, string(n.Raw))
					}
				}
			}
		}
		if len(column) == 0 {
			if n, _ := s.known(m.Value); n != nil && slices.Contains(required, m.Name) {
				column = []string{string(n.Raw)}
			}
		}
		if len(column) == 0 {
			if slices.Contains(required, m.Name) {
				return nil
			}
			continue
		}
		named, columns = append(named, m.Name), append(columns, column)
	}
	rows := 0
	for _, c := range columns {
		if rows == 0 || len(c) > 1 && len(c) < rows || rows == 1 {
			rows = len(c)
		}
	}
	var all []json.RawMessage
	for i := range min(rows, mostItems) {
		var b strings.Builder
		for k, name := range named {
			if k > 0 {
				b.WriteByte(',')
			}
			b.Write(jsonText(name))
			b.WriteByte(':')
			b.WriteString(columns[k][min(i, len(columns[k])-1)])
		}
		all = append(all, json.RawMessage("{"+b.String()+"}"))
	}
	return all
}

// invented makes items that nobody has, which a tool on things that exist must
// refuse. Of what makes things, or asks a question, there are none.
func (s *schemas) invented(o *Operation) Items {
	words := wordsOf(o.Takes.Argument)
	if o.name.class == creates || o.name.class == gathers || len(words) > 0 && among(asking, words[len(words)-1]) || o.name.class == "" && o.name.verb == "" {
		return Items{}
	}
	items := Items{Why: "invented: nobody has them"}
	for i := 1; i <= fewBad; i++ {
		var given json.RawMessage
		if o.Takes.Scalar() {
			given = jsonText(fmt.Sprintf("no such %s %d", noun(o), i))
		} else {
			given = s.nobody(s.element(o.Takes.schema), i, s.byText(o))
		}
		if given == nil || !written(given) {
			return Items{}
		}
		items.Values = append(items.Values, Item{Given: given, Because: "no such item"})
	}
	return items
}

func noun(o *Operation) string {
	for _, w := range o.name.nouns {
		if simple.MatchString(w) && w != "tool" {
			return w
		}
	}
	return "item"
}

// byText tells whether an item is a text or a number, even where an object would be
// taken, too: the argument is called after ids or names.
func (s *schemas) byText(o *Operation) bool {
	words := wordsOf(o.Takes.Argument)
	if len(words) == 0 || !among(several, words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(s.variants(s.element(o.Takes.schema)), func(v *rawjson.Node) bool {
		return typed(v, "string") || typed(v, "integer")
	})
}

// nobody gives the identity of something that does not exist, of the form that a
// schema asks for; nil where the form is not known well enough.
func (s *schemas) nobody(element *rawjson.Node, n int, byText bool) json.RawMessage {
	if element == nil {
		return jsonText(fmt.Sprintf("no-such-%d", n))
	}
	members := s.members(element)
	if len(members) > 0 && !byText {
		var parts []string
		for _, m := range members {
			if slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, string(jsonText(m.Name))+":") }) {
				continue
			}
			words := wordsOf(m.Name)
			names := len(words) > 0 && (among(ids, words[len(words)-1]) || among(names, words[len(words)-1]))
			if !names {
				if slices.Contains(requiredOf(s, element), m.Name) {
					return nil
				}
				continue
			}
			given := s.nobody(m.Value, n, false)
			if given == nil {
				return nil
			}
			parts = append(parts, string(jsonText(m.Name))+":"+string(given))
		}
		if len(parts) == 0 {
			return nil
		}
		return json.RawMessage("{" + strings.Join(parts, ",") + "}")
	}
	text := fmt.Sprintf("no-such-%d", n)
	isText, isNumber, free := false, false, true
	for _, v := range s.variants(element) {
		switch format, _ := v.Get("format").Str(); format {
		case "":
		case "uuid":
			text = fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		case "email":
			text = fmt.Sprintf("no-such-%d@example.invalid", n)
		case "uri", "url":
			text = fmt.Sprintf("https://example.invalid/no-such-%d", n)
		default:
			return nil
		}
		for _, keyword := range []string{"pattern", "enum", "const", "maximum", "exclusiveMaximum", "multipleOf"} {
			if v.Has(keyword) {
				return nil
			}
		}
		if most, ok := v.Get("maxLength").Literal(); ok {
			if m, err := strconv.Atoi(most); err != nil || m < len(text) {
				return nil
			}
		}
		isText = isText || typed(v, "string")
		isNumber = isNumber || typed(v, "integer") || typed(v, "number")
		free = free && !v.Has("type")
	}
	switch {
	case isText, free:
		return jsonText(text)
	case isNumber:
		return json.RawMessage(strconv.Itoa(2_000_000_000 + n)) // within 32 bits
	}
	return nil
}

// jsonText writes a text as JSON.
func jsonText(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a text always encodes
	return out
}
