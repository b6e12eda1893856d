package scenarios

import (
	"encoding/json"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// rules are what the input schemas of an operation's tools allow: its items,
// sifted, and how a name alone may be given to the validator.
type rules struct {
	primary, validator *inputSchema

	good     []held
	goodWhy  string // the schema's pointer that forbids the first good item forbidden
	bad      []held
	badWhy   string
	badEnum  bool // enum alone forbids them: an unknown item cannot be named
	informal []held
	many     string // why the template's items are forbidden; empty: they are not
	numbers  []held // the template's first items, made once
	// canaries are watched and never asked for; watched are the names of those of
	// all operations.
	canaries []conform.Item
	watched  map[string]bool
	// named is how a name alone is written for the validator: a string, else an
	// object with a name; namedWhy says why neither is allowed.
	named    naming
	namedWhy string
}

// held is an item and what is asked of it again and again.
type held struct {
	conform.Item
	id    string   // tells it from others
	known []string // every name of the canonical item
	name  string   // as it is given
}

func (o *Operation) hold(item conform.Item) held {
	h := held{Item: item, known: o.identities(meant(item)), name: o.nameOf(item.Given)}
	h.id = strongest(h.known, meant(item))
	return h
}

type naming uint8

const (
	byString naming = iota
	byObject
	byNone
)

// maxListed bounds how many items of a list are looked at.
const maxListed = 5000

func sift(o *Operation, all schemas) *rules {
	r := &rules{primary: all[o.Tool], validator: all[o.ValidatorTool], badEnum: true}
	for i := range min(o.Good.Len, maxListed) {
		item := o.Good.At(i)
		if v := element(r.primary, o, item.Given); v == nil {
			r.good = append(r.good, o.hold(item))
		} else if r.goodWhy == "" {
			r.goodWhy = "inputSchema" + v.pointer
		}
	}
	for i := range min(o.Bad.Len, maxListed) {
		item := o.Bad.At(i)
		v := element(r.primary, o, item.Given)
		if v == nil {
			r.bad = append(r.bad, o.hold(item))
			continue
		}
		r.badEnum = r.badEnum && v.keyword == "enum"
		if r.badWhy == "" {
			r.badWhy = "inputSchema" + v.pointer
		}
	}
	if o.Many.Len > 0 {
		if v := element(r.primary, o, o.Many.At(0).Given); v != nil {
			r.many = "inputSchema" + v.pointer
			if r.goodWhy == "" {
				r.goodWhy = r.many
			}
		}
	}
	for i := range min(o.Informal.Len, maxListed) {
		r.informal = append(r.informal, o.hold(o.Informal.At(i)))
	}
	r.named, r.namedWhy = r.naming(o)
	return r
}

// number gives the template's item of a number from 0.
func (r *rules) number(o *Operation, n int) held {
	for len(r.numbers) <= n && len(r.numbers) < maxListed {
		r.numbers = append(r.numbers, o.hold(o.Many.At(len(r.numbers))))
	}
	if n < len(r.numbers) {
		return r.numbers[n]
	}
	return o.hold(o.Many.At(n))
}

// element gives what a schema has against an item by itself; what it has against
// the list around it is another matter.
func element(s *inputSchema, o *Operation, given json.RawMessage) *violation {
	value := target.JSONList([]json.RawMessage{given})
	if o.Style == conform.StyleScalar {
		value = quote(o.nameOf(given))
	}
	var b objectWriter
	b.add(o.Argument, value)
	for _, v := range s.breaks(b.done()) {
		if v.inside(o.Argument) || o.Style == conform.StyleScalar && v.about(o.Argument) && v.keyword != "type" {
			return &v
		}
	}
	return nil
}

// naming finds how a name alone can be given to the validator.
func (r *rules) naming(o *Operation) (naming, string) {
	if o.Style == conform.StyleScalar {
		return byString, ""
	}
	v := element(r.validator, o, quote("name"))
	if v == nil {
		return byString, ""
	}
	if element(r.validator, o, nameObject("name")) == nil {
		return byObject, ""
	}
	return byNone, v.String()
}

func nameObject(name string) json.RawMessage {
	var b objectWriter
	b.add("name", quote(name))
	return b.done()
}
