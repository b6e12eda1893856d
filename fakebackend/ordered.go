package fakebackend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object whose members keep their order, and which may hold a
// name twice: what a faulty server says must be writable too.
type object struct{ members []member }

type member struct {
	name  string
	value any // *object, []any, string, bool, nil, int, json.Number, or json.RawMessage
}

// of makes an object of names and values, in turn.
func of(pairs ...any) *object {
	o := &object{members: make([]member, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.members = append(o.members, member{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// get gives the first member of a name; nil if there is none, or no object.
func (o *object) get(name string) any {
	if o == nil {
		return nil
	}
	for _, m := range o.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (o *object) has(name string) bool {
	if o == nil {
		return false
	}
	for _, m := range o.members {
		if m.name == name {
			return true
		}
	}
	return false
}

// text gives a member that is a string; empty if it is none.
func (o *object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

// child gives a member that is an object; nil if it is none.
func (o *object) child(name string) *object {
	c, _ := o.get(name).(*object)
	return c
}

// set replaces the first member of a name, or adds it at the end.
func (o *object) set(name string, value any) *object {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return o
		}
	}
	return o.add(name, value)
}

// add appends a member, also where the name is there already.
func (o *object) add(name string, value any) *object {
	o.members = append(o.members, member{name, value})
	return o
}

// with appends the members of another object.
func (o *object) with(other *object) *object {
	o.members = append(o.members, other.members...)
	return o
}

// drop takes every member of the names away.
func (o *object) drop(names ...string) *object {
	kept := o.members[:0]
	for _, m := range o.members {
		if !slices.Contains(names, m.name) {
			kept = append(kept, m)
		}
	}
	o.members = kept
	return o
}

// rename gives the first member of a name another one, in its place.
func (o *object) rename(from, to string) {
	for i := range o.members {
		if o.members[i].name == from {
			o.members[i].name = to
			return
		}
	}
}

// clone copies a tree, so that a change of the copy leaves the original alone.
func clone(v any) any {
	switch v := v.(type) {
	case *object:
		c := &object{members: make([]member, len(v.members))}
		for i, m := range v.members {
			c.members[i] = member{m.name, clone(m.value)}
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = clone(v[i])
		}
		return c
	}
	return v
}

// encode writes a tree as JSON, compact, members in their order.
func encode(v any) json.RawMessage { return appendJSON(nil, v) }

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case *object:
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, m.name)
			b = append(b, ':')
			b = appendJSON(b, m.value)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, v[i])
		}
		return append(b, ']')
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case json.Number:
		return append(b, v...)
	case json.RawMessage:
		return append(b, v...)
	}
	return append(b, "null"...)
}

// appendString writes a JSON string; what is not UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	if isPlain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		return append(b, `""`...)
	}
	return quoted
}

// isPlain tells whether a text is written as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// maxDepth bounds the nesting of what is decoded.
const maxDepth = 200

// decode reads one JSON value as a tree: order and doubled names are kept,
// numbers stay as they are written.
func decode(text []byte) (any, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, fmt.Errorf("decoding JSON: %w", err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decoding JSON: something follows the value")
	}
	return v, nil
}

func decodeValue(d *jsontext.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		return t.String(), nil
	case '0':
		return json.Number(t.String()), nil
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.ReadToken()
		return list, err
	}
	o := &object{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o.add(key, v)
	}
	_, err = d.ReadToken()
	return o, err
}
