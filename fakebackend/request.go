package fakebackend

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ref is one requested item, as the caller wrote it.
type ref struct {
	id, name string // as given; empty: not given
	loose    bool   // a plain string or number: an id or a name, in name
	judged   bool   // a validator marked it, one way or the other
	marked   bool   // a validator marked it eligible:false
	reason   string // with which reason
	invalid  string // why it is no item at all; empty: it is one
}

// arguments are the arguments of one call. Members that a tool does not know are
// carried along and not looked at: agents send context beside what was asked.
type arguments map[string]json.RawMessage

func readArguments(raw json.RawMessage) (arguments, bool) {
	if blank(raw) {
		return arguments{}, true
	}
	var args arguments
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, false
	}
	return args, true
}

// text gives an argument that is a JSON string.
func (a arguments) text(name string) (value string, isText bool) {
	isText = json.Unmarshal(a[name], &value) == nil && !blank(a[name])
	return value, isText
}

// present tells whether an argument was sent and is not null.
func (a arguments) present(name string) bool { return !blank(a[name]) }

func blank(raw json.RawMessage) bool {
	t := bytes.TrimSpace(raw)
	return len(t) == 0 || bytes.Equal(t, []byte("null"))
}

// refs reads a collection: a list of objects with id or name, a list of strings,
// one object, or one string. Nothing in it is an empty collection.
func (a arguments) refs(name string) []ref {
	raw := bytes.TrimSpace(a[name])
	if blank(raw) {
		return nil
	}
	if raw[0] != '[' {
		one := readRef(raw)
		if one.loose && strings.TrimSpace(one.name) == "" {
			return nil
		}
		return []ref{one}
	}
	// What is in the arguments is lawful JSON: it was read as such.
	refs := []ref{}
	s := scanner{text: raw}
	for s.take('['); !s.take(']'); s.take(',') {
		one := s.value()
		if len(one) == 0 {
			return nil
		}
		refs = append(refs, readRef(one))
	}
	return refs
}

// plainRef reads an object that has nothing but an id and a name, each once and
// without escapes, as most have; false: it is another one.
func plainRef(raw json.RawMessage) (r ref, ok bool) {
	s := scanner{text: raw}
	ok = s.members(func(name string) bool {
		into := &r.id
		switch name {
		case "id":
		case "name":
			into = &r.name
		default:
			return false
		}
		word, plain := plainText(s.value())
		if !plain || *into != "" {
			return false
		}
		*into = string(word)
		return strings.TrimSpace(*into) != ""
	})
	return r, ok && (r.id != "" || r.name != "")
}

func readRef(raw json.RawMessage) ref {
	if len(raw) == 0 {
		return ref{invalid: "an item is missing"}
	}
	switch {
	case raw[0] == '"':
		var s string
		if word, plain := plainText(raw); plain && len(bytes.TrimSpace(word)) > 0 {
			return ref{name: string(word), loose: true}
		}
		if json.Unmarshal(raw, &s) != nil {
			return ref{invalid: "the item is no readable text"}
		}
		r := ref{name: s, loose: true}
		if strings.TrimSpace(s) == "" {
			r.invalid = "the item's text is empty"
		}
		return r
	case isNumber(raw):
		return ref{name: string(raw), loose: true}
	case raw[0] != '{':
		return ref{name: string(raw), invalid: "an item is an object with id or name, or a text"}
	}
	return readObject(raw)
}

func readObject(raw json.RawMessage) ref {
	if r, ok := plainRef(raw); ok {
		return r
	}
	return readAnyObject(raw)
}

func readAnyObject(raw json.RawMessage) ref {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return ref{invalid: "the item is no readable object"}
	}
	var r ref
	for name, into := range map[string]*string{"id": &r.id, "name": &r.name} {
		value := bytes.TrimSpace(members[name])
		switch {
		case blank(value):
		case isNumber(value):
			*into = string(value)
		case json.Unmarshal(value, into) != nil:
			r.invalid = "the item's " + name + " is neither text nor a number"
		}
	}
	var eligible bool
	if json.Unmarshal(members["eligible"], &eligible) == nil && !blank(members["eligible"]) {
		r.judged, r.marked = true, !eligible
	}
	if r.marked {
		_ = json.Unmarshal(members["reason"], &r.reason) // a reason of another kind is none
	}
	if r.invalid == "" && strings.TrimSpace(r.id) == "" && strings.TrimSpace(r.name) == "" {
		r.invalid = "the item has neither id nor name"
	}
	return r
}

func isNumber(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}
