// Package rawjson reads JSON exactly: every node keeps its own bytes, its
// offset and its pointer; numbers stay text; member names that come twice are
// kept, both of them, and told.
//
// It exists because encoding/json, and every client built on it, repairs what a
// conformance tool must see: of two members with one name the last one wins,
// invalid UTF-8 is replaced, and a number beyond 2^53 is rounded (RFC 8259
// sections 4, 6 and 8.1 leave all three to the implementation).
package rawjson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a node is.
type Kind uint8

// The kinds of RFC 8259. Invalid is the zero value: no node.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Article gives the kind with its article, for a sentence: "an array".
func (k Kind) Article() string {
	switch k {
	case Invalid:
		return k.String()
	case Null:
		return "JSON null"
	case Array, Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// Node is one JSON value and where it stood. The zero value and nil are "no
// value"; every method is safe on nil.
type Node struct {
	Kind    Kind
	Offset  int    // of the value's first byte, in the bytes given to Parse
	Raw     []byte // the value's exact bytes, a part of the bytes given to Parse
	Members []Member
	Items   []*Node

	text string // decoded, of strings; literal, of numbers
	yes  bool

	within *Node // nil at the top
	name   string
	index  int // the place in an array; -1 in an object
}

// Pointer says where the value stood, in the form of RFC 6901, from the value
// given to Parse. It is put together when asked for: few values of a text ever
// are.
func (n *Node) Pointer() string {
	if n == nil || n.within == nil {
		return ""
	}
	var path []*Node
	for at := n; at.within != nil; at = at.within {
		path = append(path, at)
	}
	var b strings.Builder
	for _, at := range slices.Backward(path) {
		b.WriteByte('/')
		if at.index < 0 {
			b.WriteString(EscapeToken(at.name))
		} else {
			b.WriteString(strconv.Itoa(at.index))
		}
	}
	return b.String()
}

// Within gives the object or array that the value stood in; nil at the top.
func (n *Node) Within() *Node {
	if n == nil {
		return nil
	}
	return n.within
}

// Name is the name of the member that the value is, or stands in as an item of a
// list; empty at the top, and in a list that is no member.
func (n *Node) Name() string {
	for at := n; at != nil && at.within != nil; at = at.within {
		if at.index < 0 {
			return at.name
		}
	}
	return ""
}

// Member is one name and value of an object, in the order sent.
type Member struct {
	Name  string
	Value *Node
	// Again is true for a member whose name an earlier member of the same
	// object already has.
	Again bool
}

// Get gives the value of the object's first member with that name; nil if there
// is none or the node is no object. Use Doubled to learn of a second one.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// At follows names from object to object; nil as soon as one is missing.
func (n *Node) At(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// First gives an array's first item; nil if there is none.
func (n *Node) First() *Node {
	if n == nil || len(n.Items) == 0 {
		return nil
	}
	return n.Items[0]
}

// Has tells whether the object has a member of that name, null included.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Is tells the node's kind; a nil node is Invalid.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Bool gives a boolean's value; ok is false for anything else.
func (n *Node) Bool() (value, ok bool) {
	if !n.Is(Bool) {
		return false, false
	}
	return n.yes, true
}

// Str gives a string's decoded value; ok is false for anything else.
func (n *Node) Str() (value string, ok bool) {
	if !n.Is(String) {
		return "", false
	}
	return n.text, true
}

// Literal gives a number's exact text as sent; ok is false for anything else.
func (n *Node) Literal() (text string, ok bool) {
	if !n.Is(Number) {
		return "", false
	}
	return n.text, true
}

// Empty tells whether the node says nothing: absent, null, "", [] or {}, or a
// string of white space only.
func (n *Node) Empty() bool {
	switch {
	case n == nil, n.Kind == Invalid, n.Kind == Null:
		return true
	case n.Kind == String:
		return strings.TrimSpace(n.text) == ""
	case n.Kind == Array:
		return len(n.Items) == 0
	case n.Kind == Object:
		return len(n.Members) == 0
	}
	return false
}

// Walk visits the node and everything below it, in the order sent, until visit
// returns false for a node: its children are then left out.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for i := range n.Members {
		n.Members[i].Value.Walk(visit)
	}
	for _, item := range n.Items {
		item.Walk(visit)
	}
}

// Doubled gives every member, at any depth, whose name its object already had.
func (n *Node) Doubled() []Member {
	var found []Member
	n.Walk(func(at *Node) bool {
		for i := range at.Members {
			if at.Members[i].Again {
				found = append(found, at.Members[i])
			}
		}
		return true
	})
	return found
}

// Excerpt gives the node's bytes for a person, cut in the middle to about limit
// bytes. It is not safe to print raw: reports escape it.
func (n *Node) Excerpt(limit int) string {
	if n == nil {
		return ""
	}
	return Cut(string(n.Raw), limit)
}

// Cut shortens a text to about limit bytes and says how much is left out, never
// splitting a character.
func Cut(text string, limit int) string {
	if len(text) <= limit || limit <= 0 {
		return text
	}
	head := strings.ToValidUTF8(text[:limit*2/3], "")
	tail := strings.ToValidUTF8(text[len(text)-limit/3:], "")
	return fmt.Sprintf("%s … %d bytes … %s", head, len(text)-len(head)-len(tail), tail)
}

// EscapeToken writes a member name as an RFC 6901 reference token.
func EscapeToken(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return escapes.Replace(name)
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1")
