package scenarios

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// The odd forms of an item, as nobody would write it and software may: what a server
// makes of one is its own affair, as long as it answers for it like for any other.
const (
	Combining   Spelling = "with combining accent" // U+0301 behind the name
	ZeroWidth   Spelling = "with zero width"       // U+200B behind its first letter
	RightToLeft Spelling = "right to left"         // between U+202E and U+202C
	Emoji       Spelling = "with emoji"            // a family of three, joined by U+200D
	VeryLong    Spelling = "very long"             // 300 letters more, past a column of 255
	NumberZero  Spelling = "numbered 0"
	NumberMinus Spelling = "numbered -1"
	NumberExact Spelling = "numbered 2^53+1" // no double holds it
	NumberLarge Spelling = "numbered 2^63"   // no int64 holds it
	NoOptional  Spelling = "without optional members"
	Nulls       Spelling = "with nulls" // in the place of members that may be null
)

var odd = []Spelling{Combining, ZeroWidth, RightToLeft, Emoji, VeryLong, NumberZero, NumberMinus, NumberExact, NumberLarge, NoOptional, Nulls}

// oddForms are the odd forms as a part of a regular expression.
const oddForms = `with combining accent|with zero width|right to left|with emoji|very long|numbered (?:0|-1|2\^53\+1|2\^63)|without optional members|with nulls`

func (s Spelling) odd() bool { return slices.Contains(odd, s) }

// ofName tells that a spelling changes the text of an item's name.
func (s Spelling) ofName() bool {
	return s != AsIs && s.number() == "" && s != NoOptional && s != Nulls
}

// number gives the number that the spelling puts in the place of an item's own.
func (s Spelling) number() string {
	switch s {
	case NumberZero:
		return "0"
	case NumberMinus:
		return "-1"
	case NumberExact:
		return "9007199254740993"
	case NumberLarge:
		return "9223372036854775808"
	}
	return ""
}

// oddly writes a name in an odd form.
func oddly(text string, how Spelling) string {
	switch how {
	case Combining:
		return text + "\u0301"
	case ZeroWidth:
		first := text
		for i := range text {
			if i > 0 {
				first = text[:i]
				break
			}
		}
		return first + "\u200b" + text[len(first):]
	case RightToLeft:
		return "\u202e" + text + "\u202c"
	case Emoji:
		return text + " \U0001F469\u200D\U0001F469\u200D\U0001F467"
	case VeryLong:
		return text + strings.Repeat("x", 300)
	}
	return text
}

// reshaped gives the item with another number, or without what may be left out; ok is
// false where that changes nothing, or is not known to be allowed.
func (o *Operation) reshaped(item json.RawMessage, how Spelling, s *inputSchema) (out json.RawMessage, ok bool) {
	n, err := rawjson.Parse(item)
	if err != nil || o.Style == conform.StyleScalar {
		return nil, false
	}
	number := how.number()
	if n.Kind != rawjson.Object {
		return json.RawMessage(number), number != "" && n.Is(rawjson.Number)
	}
	of := s.item(o.Argument)
	if number == "" && of.Get("properties") == nil {
		return nil, false // nobody says what may be left out
	}
	var b objectWriter
	for _, m := range n.Members {
		value, keep := json.RawMessage(m.Value.Raw), true
		names := slices.Contains(o.Members, m.Name) || slices.Contains(idMembers, m.Name)
		switch {
		case number != "" && names && m.Value.Is(rawjson.Number):
			value, ok = json.RawMessage(number), true
		case number != "" || names || required(of, m.Name):
		case how == NoOptional:
			keep, ok = false, true
		case how == Nulls && !m.Value.Is(rawjson.Null):
			value, ok = json.RawMessage("null"), true
		}
		if keep {
			b.add(m.Name, value)
		}
	}
	return b.done(), ok
}

// item gives what a schema says of one item of an argument; nil: nothing.
func (s *inputSchema) item(argument string) *rawjson.Node {
	if s == nil {
		return nil
	}
	return s.node.Get("properties").Get(argument).Get("items")
}

func required(schema *rawjson.Node, member string) bool {
	list := schema.Get("required")
	if list == nil {
		return false
	}
	for _, e := range list.Items {
		if text, _ := e.Str(); text == member {
			return true
		}
	}
	return false
}
