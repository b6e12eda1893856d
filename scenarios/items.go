package scenarios

import (
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// nameMembers are the members that name an item to a person, best first.
var nameMembers = []string{"name", "title", "subject", "key", "id"}

// idMembers are the members that tell one item from another, strongest first, where
// the target file does not say which.
var idMembers = []string{"id", "key", "name", "subject"}

// nameOf gives the text by which a person would name the item; empty if it has none.
func (o *Operation) nameOf(item json.RawMessage) string {
	n, err := rawjson.Parse(item)
	if err != nil {
		return ""
	}
	if n.Kind != rawjson.Object {
		return scalar(n)
	}
	return scalar(n.Get(o.nameMember(n)))
}

// nameMember gives the member that names an object: one of the usual, else one of
// the target file's, else the first that is a text or number.
func (o *Operation) nameMember(n *rawjson.Node) string {
	for _, member := range slices.Concat(nameMembers, o.Members) {
		if scalar(n.Get(member)) != "" {
			return member
		}
	}
	for _, m := range n.Members {
		if scalar(m.Value) != "" {
			return m.Name
		}
	}
	return ""
}

// scalar gives the text of a string or number; empty for anything else.
func scalar(n *rawjson.Node) string {
	if text, ok := n.Str(); ok {
		return text
	}
	text, _ := n.Literal()
	return text
}

// identity gives what tells the item from others.
func (o *Operation) identity(item json.RawMessage) string {
	return strongest(o.identities(item), item)
}

// strongest gives the first of an item's names, or all of it where it has none.
func strongest(names []string, item json.RawMessage) string {
	if len(names) == 0 {
		return "json " + string(canonical(item))
	}
	return names[0]
}

// identities gives every name of the item, the strongest first.
func (o *Operation) identities(item json.RawMessage) []string {
	n, err := rawjson.Parse(item)
	if err != nil {
		return nil
	}
	if n.Kind != rawjson.Object {
		if text := scalar(n); text != "" {
			return []string{norm.NFC.String(text)}
		}
		return nil
	}
	var all []string
	for _, member := range slices.Concat(o.Members, idMembers) {
		if text := norm.NFC.String(scalar(n.Get(member))); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func isObject(item json.RawMessage) bool {
	n, err := rawjson.Parse(item)
	return err == nil && n.Is(rawjson.Object)
}

// canonical gives the item's JSON with its members sorted (RFC 8785, numbers
// kept as written).
func canonical(item json.RawMessage) json.RawMessage {
	v := jsontext.Value(append([]byte{}, item...))
	if v.Canonicalize(jsontext.CanonicalizeRawFloats(false), jsontext.CanonicalizeRawInts(false)) != nil {
		return item
	}
	return json.RawMessage(v)
}

// quote writes a JSON string with no escape that RFC 8259 does not ask for.
func quote(text string) json.RawMessage {
	out, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		out, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return out
}

// respell gives the item with its name spelled differently, its other members
// kept; ok is false where the spelling changes nothing.
func (o *Operation) respell(item json.RawMessage, how Spelling) (out json.RawMessage, ok bool) {
	n, err := rawjson.Parse(item)
	if err != nil {
		return nil, false
	}
	if n.Kind != rawjson.Object {
		text, isText := n.Str()
		if !isText {
			return nil, false
		}
		spelled := spell(text, how)
		return quote(spelled), spelled != text
	}
	named := o.nameMember(n)
	text, isText := n.Get(named).Str()
	if !isText {
		return nil, false
	}
	spelled := spell(text, how)
	var b objectWriter
	for _, m := range n.Members {
		value := json.RawMessage(m.Value.Raw)
		if m.Name == named {
			value = quote(spelled)
		}
		b.add(m.Name, value)
	}
	return b.done(), spelled != text
}

func spell(text string, how Spelling) string {
	switch how {
	case UpperCase:
		return strings.ToUpper(text)
	case LowerCase:
		return strings.ToLower(text)
	case OuterSpace:
		return "  " + text + " "
	case Decomposed:
		return norm.NFD.String(text)
	}
	return oddly(text, how)
}

// has tells whether a name is of the sort asked for.
func (h Having) has(name string) bool {
	switch h {
	case Accents:
		return norm.NFD.String(name) != norm.NFC.String(name)
	case Comma:
		return strings.Contains(name, ",")
	}
	return true
}

// objectWriter writes a JSON object, members in the order added.
type objectWriter struct{ b []byte }

func (w *objectWriter) add(name string, value json.RawMessage) {
	if w.b == nil {
		w.b = append(w.b, '{')
	} else {
		w.b = append(w.b, ',')
	}
	w.b = append(append(append(w.b, quote(name)...), ':'), value...)
}

func (w *objectWriter) done() json.RawMessage {
	if w.b == nil {
		return json.RawMessage("{}")
	}
	return append(w.b, '}')
}
