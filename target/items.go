package target

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Items are the items that an operation can be asked for, with what is known of
// each. Nothing is used up here: the planner draws.
type Items struct {
	Good     Supply // the operation must succeed on them
	Bad      Supply // the operation must refuse them
	Informal Supply // names as a person says them, with the canonical item
	Many     Supply // further good ones, for large batches
}

// MaxItems bounds the items of one supply.
const MaxItems = 10_000_000

// Run is what makes the items of one run its own: the values of {run} and {seed}.
type Run struct {
	ID   string // short; parallel runs differ in it
	Seed uint64
}

// Supply is a row of items: listed, made from a template when asked for, or read
// from a tool of the server when a run begins.
type Supply struct {
	listed   []conform.Item
	template *conform.Item
	count    int
	source   *Source
	read     bool   // the source was asked
	lacks    string // why it gave nothing
}

// Listed gives a supply of some items.
func Listed(items []conform.Item) Supply { return Supply{listed: items} }

// From names the tool that gives the items; empty: they are the target file's
// own. unread is set as long as the tool was not asked, lacks is why it gave none.
func (s *Supply) From() (tool string, unread bool, lacks string) {
	if s.source == nil {
		return "", false, ""
	}
	return s.source.Tool, !s.read, s.lacks
}

// Len gives how many items there are.
func (s *Supply) Len() int {
	if s.template != nil {
		return s.count
	}
	return len(s.listed)
}

// Item gives the item at a position from 0; in a template {n} is the position
// from 1. The item is the caller's own. It panics outside 0 ≤ i < Len, as an
// index does.
func (s *Supply) Item(i int, run Run) conform.Item {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("item %d of a supply of %d", i, s.Len()))
	}
	if s.template == nil {
		item := s.listed[i]
		item.Given, item.Means = copied(item.Given), copied(item.Means)
		return item
	}
	item := *s.template
	fill := strings.NewReplacer("{n}", strconv.Itoa(i+1), "{run}", inside(run.ID), "{seed}", strconv.FormatUint(run.Seed, 10))
	item.Given = json.RawMessage(fill.Replace(string(item.Given)))
	if item.Means != nil {
		item.Means = json.RawMessage(fill.Replace(string(item.Means)))
	}
	return item
}

func copied(text json.RawMessage) json.RawMessage {
	if text == nil {
		return nil
	}
	return append(json.RawMessage{}, text...)
}

// inside gives a text as it stands inside the quotes of a JSON string.
func inside(text string) string {
	quoted := appendString(nil, text)
	return string(quoted[1 : len(quoted)-1])
}

func (r *reader) items(all *Items, style conform.Style, n *node) {
	supply := func(into *Supply, truth conform.Truth) func(string, *node) {
		return func(name string, n *node) { *into = r.supply(name, truth, style, n) }
	}
	r.object("items", n, fields{
		"good":     supply(&all.Good, conform.Good),
		"bad":      supply(&all.Bad, conform.Bad),
		"many":     supply(&all.Many, conform.Good),
		"informal": func(name string, n *node) { all.Informal = r.informal(n) },
	}, nil)
}

func (r *reader) supply(name string, truth conform.Truth, style conform.Style, n *node) Supply {
	switch {
	case n.kind == list:
		var s Supply
		for _, item := range n.items {
			s.listed = append(s.listed, r.item(truth, style, item, false))
		}
		return s
	case n.kind == mapping && n.get("file") != nil:
		return r.filed(name, truth, style, n)
	case n.kind == mapping && n.get("from") != nil:
		return r.sourced(name, truth, style, n)
	case n.kind == mapping:
		return r.templated(name, truth, style, n)
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a list of items", name, n.is()), "write [ITEM, ITEM], {template: ITEM, count: N}, {file: NAME} or {from: {tool: NAME, path: PATH}}")
	return Supply{}
}

func (r *reader) templated(name string, truth conform.Truth, style conform.Style, n *node) Supply {
	var s Supply
	because := ""
	known := fields{
		"template": func(_ string, n *node) {
			r.holes(n)
			item := r.item(truth, style, n, true)
			s.template = &item
		},
		"count": func(name string, n *node) { s.count = r.whole(name, n, 1, MaxItems) },
	}
	if truth == conform.Bad {
		known["because"] = func(name string, n *node) { because = r.word(name, n) }
	}
	r.object(name, n, known, nil)
	r.need(n, name, "template", "write {template: ITEM, count: N}, or a list")
	r.need(n, name, "count", "say how many items the template makes")
	if s.template == nil {
		return Supply{}
	}
	if because != "" {
		s.template.Because = because
	}
	if s.count > 1 && !strings.Contains(string(s.template.Given), "{n}") {
		r.fail(n, fmt.Sprintf("every item of `%s` would be the same", name), "put {n} into the template, in quotes")
	}
	return s
}

// filed reads {file: NAME}, and because beside it, which stands for every item
// that has no reason of its own.
func (r *reader) filed(name string, truth conform.Truth, style conform.Style, n *node) Supply {
	var s Supply
	because := ""
	known := fields{"file": func(_ string, n *node) { s.listed = r.itemsFile(truth, style, n) }}
	if truth == conform.Bad {
		known["because"] = func(name string, n *node) { because = r.word(name, n) }
	}
	r.object(name, n, known, nil)
	for i := range s.listed {
		if s.listed[i].Because == "" {
			s.listed[i].Because = because
		}
	}
	return s
}

var hole = regexp.MustCompile(`^(n|run|seed)$`)

// holes finds a {n} without quotes, which YAML reads as a mapping.
func (r *reader) holes(n *node) {
	if n.kind == mapping && n.flow && len(n.entries) == 1 && n.entries[0].value.kind == nothing && hole.MatchString(n.entries[0].key) {
		r.fail(n, fmt.Sprintf("{%s} without quotes is a mapping", n.entries[0].key), fmt.Sprintf(`write "{%s}"`, n.entries[0].key))
	}
	for _, item := range n.items {
		r.holes(item)
	}
	for _, e := range n.entries {
		r.holes(e.value)
	}
}

// item reads one item: bare, {item, because} where it is bad, or {given, means}
// where what is sent is another form of what is meant.
func (r *reader) item(truth conform.Truth, style conform.Style, n *node, template bool) conform.Item {
	made := conform.Item{Truth: truth}
	if truth == conform.Bad && n.kind == mapping && n.get("item") != nil && n.only("item", "because") {
		if because := n.get("because"); because != nil {
			made.Because = r.word("because", because)
		}
		n = n.get("item")
	}
	if n.kind == mapping && n.get("given") != nil && n.only("given", "means") {
		if means := n.get("means"); means != nil {
			made.Means = r.data(means)
		}
		n = n.get("given")
	}
	made.Given = r.data(n)
	switch {
	case n.kind == nothing:
		r.fail(n, "an item is empty", "write a text, a number or a mapping")
	case n.kind == list:
		r.fail(n, "an item is a list", "write a text, a number or a mapping")
	case style == conform.StyleScalar && made.Given[0] != '"':
		r.fail(n, fmt.Sprintf("with `style: scalar` an item is a text, and this is %s", n.is()), "write {given: TEXT, means: ITEM}")
	case n.kind == plain && (n.text == "true" || n.text == "false"):
		r.fail(n, "an item is "+n.text, "write a text, a number or a mapping")
	}
	return made
}

func (r *reader) informal(n *node) Supply {
	var s Supply
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`informal` is %s, and must be a list", n.is()), "write [{given: TEXT, means: ITEM}]")
		return s
	}
	for _, item := range n.items {
		made := conform.Item{Truth: conform.Good}
		r.object("informal", item, fields{
			"given": func(name string, n *node) { made.Given = r.data(n) },
			"means": func(name string, n *node) { made.Means = r.data(n) },
		}, nil)
		r.need(item, "informal", "given", "write {given: TEXT, means: ITEM}")
		r.need(item, "informal", "means", "write the item that is meant")
		s.listed = append(s.listed, made)
	}
	return s
}
