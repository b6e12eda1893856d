package discover

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Ask calls a tool that only reads, and gives the result of tools/call; nil where
// there is none.
type Ask func(tool string, arguments json.RawMessage) *rawjson.Node

// Bounds on what Learn asks.
const (
	mostAsked   = 8  // items of which a validator may say that they are not eligible, besides mostItems
	mostReaders = 12 // calls of tools that list
)

// Learn asks tools that only read, by the server's own word, which items there are;
// and validators, which of them are eligible. A tool of which the server does not
// say that it only reads is never asked.
func (f *Found) Learn(ask Ask) {
	payloads := map[string]*rawjson.Node{}
	read := func(tool string) *rawjson.Node {
		if n, asked := payloads[tool]; asked {
			return n
		}
		if len(payloads) >= mostReaders {
			return nil
		}
		payloads[tool] = payloadOf(ask(tool, json.RawMessage(`{}`)))
		return payloads[tool]
	}
	for _, o := range f.Operations {
		if len(o.Good.Values) > 0 {
			continue
		}
		rows, from := f.rowsFor(o, read)
		if len(rows) == 0 {
			continue
		}
		items := o.itemsOf(rows)
		switch {
		case len(items) == 0:
		case !o.Write:
			o.Good = Items{Values: items[:min(len(items), mostItems)], Why: "what " + from + " lists"}
		case o.name.class == creates:
			o.Bad = Items{Values: because(items[:min(len(items), fewBad)], "exists already"), Why: "what " + from + " lists: it exists already"}
		case o.Validator != nil && f.readable(o.Validator.Tool):
			o.sift(items, from, ask)
		default:
			o.Good.Maybe, o.Good.Why = items[:min(len(items), mostItems)], "what "+from+" lists"
		}
	}
	f.share()
}

// readable tells whether the server says of a tool that it only reads.
func (f *Found) readable(tool string) bool {
	for _, t := range f.tools {
		if t.Name == tool {
			return readsOnly(t)
		}
	}
	return false
}

// row is a row of what a tool lists, and the list that it stands in.
type row struct {
	node *rawjson.Node
	list output
}

// rowsFor gives the rows of a tool that lists what an operation takes, without being
// told what: the operation's probe, if it can be asked so, else any other.
func (f *Found) rowsFor(o *Operation, read func(string) *rawjson.Node) (rows []row, from string) {
	var readers []string
	if o.Probe != nil {
		readers = append(readers, o.Probe.Tool)
	}
	for _, t := range f.tools {
		if t.Name != o.Tool && !slices.Contains(readers, t.Name) {
			readers = append(readers, t.Name)
		}
	}
	for _, name := range readers {
		at := slices.IndexFunc(f.tools, func(t *conform.Tooling) bool { return t.Name == name })
		t := f.tools[at]
		s := &schemas{root: t.InputSchema, left: mostSchemas}
		if !readsOnly(t) || len(requiredOf(s, t.InputSchema)) > 0 || nameOf(name).checking() {
			continue
		}
		n := nameOf(name)
		near := shared(n.nouns, o.name.nouns) > 0
		if out, ok := listNamed(t.OutputSchema, o.name.nouns); !near && (!ok || shared(wordsOf(out.list), o.name.nouns) == 0) {
			continue
		}
		payload := read(name)
		if payload == nil {
			continue
		}
		if rows = rowsOf(payload, o.name.nouns); len(rows) > 0 {
			return rows, name
		}
	}
	return nil, ""
}

// rowsOf gives the objects of the payload's list whose name has one of the nouns,
// else of its first list of objects.
func rowsOf(payload *rawjson.Node, nouns []string) []row {
	var found []row
	take := func(list *rawjson.Node, name string) []row {
		var all []row
		for _, n := range list.Items {
			if n.Is(rawjson.Object) {
				all = append(all, row{n, output{list: name, members: n.Members}})
			}
		}
		return all
	}
	if payload.Is(rawjson.Array) {
		return take(payload, "")
	}
	if !payload.Is(rawjson.Object) {
		return nil
	}
	for _, m := range payload.Members {
		if !m.Value.Is(rawjson.Array) {
			continue
		}
		rows := take(m.Value, m.Name)
		if shared(wordsOf(m.Name), nouns) > 0 && len(rows) > 0 {
			return rows
		}
		if found == nil {
			found = rows
		}
	}
	return found
}

// itemsOf makes items of rows, in the form that the operation takes; rows that lack
// what it needs are left out.
func (o *Operation) itemsOf(rows []row) []Item {
	s := &schemas{root: o.tool.InputSchema, left: mostSchemas}
	element := s.element(o.Takes.schema)
	members, required := s.members(element), requiredOf(s, element)
	if s.byText(o) {
		members = nil
	}
	var all []Item
	for _, r := range rows {
		var item Item
		switch {
		case o.Takes.Scalar():
			name := r.node.Get(r.list.named(names))
			text, ok := name.Str()
			if !ok || divides(text) {
				continue
			}
			item.Given = jsonText(text)
			if id := r.list.named(ids); id != "" {
				item.Means = object([]string{"name", id}, []*rawjson.Node{name, r.node.Get(id)})
			}
		case len(members) > 0:
			var has []string
			var values []*rawjson.Node
			for _, m := range members {
				if v := r.node.Get(m.Name); v != nil && !slices.Contains(has, m.Name) {
					if _, ok := value(v); ok {
						has, values = append(has, m.Name), append(values, v)
					}
				}
			}
			if len(has) == 0 || slices.ContainsFunc(required, func(name string) bool { return !slices.Contains(has, name) }) {
				continue
			}
			item.Given = object(has, values)
		default:
			n := r.node.Get(identity(r.list, o.Takes.Argument))
			if !n.Is(rawjson.String) && !n.Is(rawjson.Number) || !usable(n) {
				continue
			}
			item.Given = json.RawMessage(n.Raw)
		}
		if !written(item.Given) || item.Means != nil && !written(item.Means) {
			continue
		}
		if !slices.ContainsFunc(all, func(i Item) bool { return string(i.Given) == string(item.Given) }) {
			all = append(all, item)
		}
	}
	return all
}

// divides tells whether a text might be read as several: it holds a separator, a
// quote, or the word and.
func divides(text string) bool {
	if strings.ContainsAny(text, ",;|/&+\n\"'") || strings.TrimSpace(text) == "" {
		return true
	}
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return among(and, plain(w)) })
}

func object(names []string, values []*rawjson.Node) json.RawMessage {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonText(name))
		b.WriteByte(':')
		b.Write(values[i].Raw)
	}
	return json.RawMessage("{" + b.String() + "}")
}

// sift asks the validator about one item a call, and keeps those apart of which it
// says that they are eligible, and that they are not.
func (o *Operation) sift(items []Item, from string, ask Ask) {
	var refused []Item
	for _, item := range items[:min(len(items), mostItems+mostAsked)] {
		given := []byte(item.Given)
		if !o.Takes.Scalar() {
			given = append(append([]byte{'['}, given...), ']')
		}
		arguments := json.RawMessage("{" + string(jsonText(o.Takes.Argument)) + ":" + string(given) + "}")
		payload := payloadOf(ask(o.Validator.Tool, arguments))
		eligible, said := payload.Get("eligible").Bool()
		switch {
		case !said:
		case eligible && len(o.Good.Values) < mostItems:
			o.Good.Values = append(o.Good.Values, item)
		case !eligible && len(refused) < fewBad:
			if item.Because, _ = payload.Get("reason").Str(); strings.TrimSpace(item.Because) == "" {
				item.Because = "not eligible"
			}
			item.Because = comment(item.Because, 120)
			refused = append(refused, item)
		}
	}
	if len(o.Good.Values) == 0 {
		o.Good.Maybe = items[:min(len(items), mostItems)]
	}
	o.Good.Why = "of what " + from + " lists, what " + o.Validator.Tool + " calls eligible"
	if len(refused) == 0 {
		return
	}
	why := "what " + o.Validator.Tool + " calls not eligible"
	if len(o.Bad.Values) > 0 {
		why += ", and invented ones"
	}
	o.Bad = Items{Values: append(refused, o.Bad.Values...), Why: why}
}

// share gives what was sifted for one operation to others on the same things, that
// have no validator of their own.
func (f *Found) share() {
	for _, o := range f.Operations {
		if len(o.Good.Maybe) == 0 || len(o.Good.Values) > 0 {
			continue
		}
		for _, other := range f.Operations {
			if other == o || other.Validator == nil || len(other.Good.Values) == 0 || other.name.class != o.name.class || other.name.verb != o.name.verb || !sameItems(o, other) {
				continue
			}
			o.Good = Items{Values: other.Good.Values, Why: "those of " + other.Tool + ", which does the same by its name"}
			o.Bad = other.Bad
			break
		}
	}
}

// sameItems tells whether two operations take items of one form.
func sameItems(a, b *Operation) bool {
	return a.Takes.schema != nil && b.Takes.schema != nil && a.Takes.Scalar() == b.Takes.Scalar() &&
		string(a.Takes.schema.Raw) == string(b.Takes.schema.Raw)
}

func because(items []Item, why string) []Item {
	out := slices.Clone(items)
	for i := range out {
		out[i].Because = why
	}
	return out
}

// payloadOf gives an answer's data: structuredContent, else the one text block that
// holds JSON. Nil for what failed, or has neither.
func payloadOf(result *rawjson.Node) *rawjson.Node {
	if failed, _ := result.Get("isError").Bool(); failed {
		return nil
	}
	if data := result.Get("structuredContent"); !data.Empty() {
		return data
	}
	content := result.Get("content")
	if !content.Is(rawjson.Array) || len(content.Items) != 1 {
		return nil
	}
	text, ok := content.Items[0].Get("text").Str()
	if !ok {
		return nil
	}
	data, err := rawjson.Parse([]byte(text))
	if err != nil {
		return nil
	}
	return data
}
