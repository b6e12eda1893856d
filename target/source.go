package target

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Source is a tool of the server that gives items: it only reads, and each row of
// its answer is one. It is asked when a run begins.
type Source struct {
	Tool      string
	Arguments json.RawMessage // a JSON object; nil: none
	Path      string          // JSONPath from the payload to the rows
	// Members are what of a row makes the item; empty: the row as it is.
	Members []Member
	Most    int // how many items are taken

	File         string // where it stands
	Line, Column int

	truth   conform.Truth
	because string
	style   conform.Style
}

// Member is a member of an item and where a row has its value: a name, or a
// JSONPath from the row.
type Member struct{ Name, From string }

// Bounds on what a tool gives for items.
const (
	// MaxSourced bounds the items of one source.
	MaxSourced = 100_000
	// MaxSourcedItem bounds the bytes of one of them.
	MaxSourcedItem = 64 << 10
)

// Key is equal for sources that one call serves.
func (s *Source) Key() string { return s.Tool + " " + string(s.Arguments) }

// Read takes the items out of a tool's answer, the exact JSON of a tools/call
// result. Texts, numbers and objects are items, to the byte; with Members each is
// an object of those, values to the byte. A row that gives none is left out, and
// left says how many and why; one that came before is left out in silence. That no
// item can be had is an error.
func (s *Source) Read(result *rawjson.Node) (items []conform.Item, left string, err error) {
	payload, err := payloadOf(result)
	if err != nil {
		return nil, "", err
	}
	rows, err := rowsAt(s.Path, payload)
	switch {
	case err != nil:
		return nil, "", err
	case len(rows) == 0:
		return nil, "", fmt.Errorf("there is none at %s", s.Path)
	}
	seen := map[string]bool{}
	useless, why := 0, ""
	for i, row := range rows {
		if len(items) == s.Most {
			break
		}
		given, problem := s.item(row)
		switch {
		case problem != "":
			if useless++; why == "" {
				why = fmt.Sprintf("row %d %s", i+1, problem)
			}
		case !seen[string(given)]:
			seen[string(given)] = true
			items = append(items, conform.Item{Given: given, Truth: s.truth, Because: s.because})
		}
	}
	if useless > 0 {
		left = fmt.Sprintf("%d of %d rows are no items: %s", useless, len(rows), why)
	}
	if len(items) == 0 {
		return nil, "", fmt.Errorf("%s", left)
	}
	return items, left, nil
}

// item makes an item of a row; problem says why it gives none.
func (s *Source) item(row *rawjson.Node) (given json.RawMessage, problem string) {
	if len(s.Members) > 0 {
		if given = s.members(row); given == nil {
			return nil, "has none of the `members`; it " + whatItHas(row)
		}
	} else {
		given = copied(row.Raw)
		switch {
		case row.Is(rawjson.Null), row.Is(rawjson.Array), row.Is(rawjson.Bool):
			return nil, "is " + kindOf(row)
		case row.Empty():
			return nil, "is empty"
		case s.style == conform.StyleScalar && !row.Is(rawjson.String):
			return nil, "is " + kindOf(row) + ", and with `style: scalar` an item is a text: let `path` lead to one"
		}
	}
	if len(given) > MaxSourcedItem {
		return nil, fmt.Sprintf("takes %d bytes, and an item at most %d", len(given), MaxSourcedItem)
	}
	return given, ""
}

// members gives an object of the row's members that make the item; nil: it has none.
func (s *Source) members(row *rawjson.Node) json.RawMessage {
	var out []byte
	for _, m := range s.Members {
		value := member(m.From, row)
		if value == nil {
			continue
		}
		out = append(out, ',')
		out = append(appendString(out, m.Name), ':')
		out = append(out, value.Raw...)
	}
	if out == nil {
		return nil
	}
	out[0] = '{'
	return append(out, '}')
}

// sourced reads {from: {tool, arguments, path, members}}, and count and because
// beside it.
func (r *reader) sourced(name string, truth conform.Truth, style conform.Style, n *node) Supply {
	s := &Source{Most: MaxSourced, truth: truth, style: style}
	known := fields{
		"from":  func(name string, n *node) { r.source(s, name, n) },
		"count": func(name string, n *node) { s.Most = r.whole(name, n, 1, MaxSourced) },
	}
	if truth == conform.Bad {
		known["because"] = func(name string, n *node) { s.because = r.word(name, n) }
	}
	r.object(name, n, known, nil)
	return Supply{source: s}
}

func (r *reader) source(s *Source, name string, n *node) {
	s.File, s.Line, s.Column = n.file, n.line, n.column
	r.object(name, n, fields{
		"tool":      func(name string, n *node) { s.Tool = r.word(name, n) },
		"arguments": func(name string, n *node) { s.Arguments = r.mappingData(name, n) },
		"path":      func(name string, n *node) { s.Path = r.path(name, n) },
		"members":   func(name string, n *node) { s.Members = r.members(name, n) },
	}, nil)
	r.need(n, name, "tool", "name a tool of the server that only reads")
	r.need(n, name, "path", `say where its rows are, like "$.products[*]"`)
	if members := n.get("members"); members != nil && s.style == conform.StyleScalar {
		r.fail(members, "`members` makes objects, and with `style: scalar` an item is a text", `let the path lead to a text, like "$.products[*].name"`)
	}
}

// members reads the members that make an item: a list of names that are those of
// the row too, or a mapping from the item's names to the row's.
func (r *reader) members(name string, n *node) []Member {
	var all []Member
	seen := map[string]bool{}
	add := func(at *node, m Member) {
		if seen[m.Name] {
			r.fail(at, fmt.Sprintf("`%s` has %s twice", name, printable(m.Name)), "keep one of them")
		}
		seen[m.Name] = true
		all = append(all, m)
	}
	switch {
	case n.kind == list && len(n.items) > 0:
		for _, item := range n.items {
			text := r.word(name, item)
			if strings.HasPrefix(text, "$") {
				r.fail(item, fmt.Sprintf("`%s` has the path %s in a list", name, printable(text)), "write {NAME: PATH}, so that the item's member has a name")
			}
			add(item, Member{text, text})
		}
	case n.kind == mapping && len(n.entries) > 0:
		for _, e := range n.entries {
			add(e.value, Member{e.key, r.member(e.key, e.value.orAt(e))})
		}
	default:
		r.fail(n, fmt.Sprintf("`%s` is %s, and must name members of a row", name, n.is()), "write [name, id], or {id: product_id} where the row calls it otherwise")
	}
	return all
}

// reads tells of a source that is a tool by which the file writes.
func (r *reader) reads(f *File) {
	writers := map[string]string{}
	for _, o := range f.Operations {
		if o.Write {
			writers[o.Tool] = "the operation `" + o.Name + "` writes with"
		}
		if o.Reset != nil && o.Reset.Tool != "" {
			writers[o.Reset.Tool] = "`" + o.Name + "` resets with"
		}
		if o.Undo != nil && o.Undo.Tool != "" {
			writers[o.Undo.Tool] = "`" + o.Name + "` takes back with"
		}
		if o.Setup != nil && o.Setup.Tool != "" {
			writers[o.Setup.Tool] = "`" + o.Name + "` puts items in place with"
		}
		if o.Setup != nil && o.Setup.Undo != nil && o.Setup.Undo.Tool != "" {
			writers[o.Setup.Undo.Tool] = "`" + o.Name + "` takes items away with"
		}
		for _, tool := range []string{o.UndoTool, o.SetupUndoTool} {
			if tool != "" {
				writers[tool] = "`" + o.Name + "` takes back with"
			}
		}
		if o.SetupTool != "" {
			writers[o.SetupTool] = "`" + o.Name + "` sets up with"
		}
	}
	for _, o := range f.Operations {
		for _, l := range o.Items.sourced() {
			if s := l.source; s.Tool != "" && writers[s.Tool] != "" {
				r.failAt(s.File, s.Line, s.Column, fmt.Sprintf("`from` names %s, which %s", printable(s.Tool), writers[s.Tool]), "name a tool that only reads")
			}
		}
	}
}

// Unread gives the tools that were not asked for items yet, by list: "good",
// "bad", "many".
func (all *Items) Unread() map[string]string {
	tools := map[string]string{}
	for _, l := range all.sourced() {
		if !l.read {
			tools[l.list] = l.source.Tool
		}
	}
	return tools
}

// sourced gives the supplies that have a source, by the name of their list.
func (all *Items) sourced() []named {
	var found []named
	for _, l := range []named{{"good", &all.Good}, {"bad", &all.Bad}, {"many", &all.Many}} {
		if l.source != nil {
			found = append(found, l)
		}
	}
	return found
}

type named struct {
	list string
	*Supply
}

// Sourced gives the same target with the items of its sources in place. read is
// asked for each, once; where it gives none, lacks says why.
func (f *File) Sourced(read func(o *Operation, list string, s *Source) (items []conform.Item, lacks string)) *File {
	other := *f
	other.Operations = make([]*Operation, len(f.Operations))
	for i, o := range f.Operations {
		filled := *o
		for _, l := range filled.Items.sourced() {
			l.listed, l.lacks = read(o, l.list, l.source)
			l.read = true
		}
		other.Operations[i] = &filled
	}
	return &other
}
