package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth bounds how deep a value may nest: a hostile answer of brackets must
// not exhaust the stack. No lawful answer we know of goes beyond 40.
const MaxDepth = 512

// MaxValues bounds how many values one text may hold. A node takes many times
// the two bytes of a value like 0, so that a bound on bytes alone would let a
// hostile answer of 16 MiB fill gigabytes. A batch of 100,000 rows holds about a
// million values.
const MaxValues = 1 << 22

// SyntaxError says where bytes stop being one JSON value.
type SyntaxError struct {
	Offset  int
	Pointer string
	Reason  string
}

func (e *SyntaxError) Error() string {
	where := ""
	if e.Pointer != "" {
		where = " at " + e.Pointer
	}
	return fmt.Sprintf("byte %d%s: %s", e.Offset, where, e.Reason)
}

// BadUTF8 gives the offset of the first byte that is not UTF-8, or -1.
func BadUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for at := 0; at < len(b); {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return -1
}

// Parse reads exactly one JSON value, white space around it allowed. Invalid
// UTF-8 inside strings is read over (BadUTF8 tells of it), doubled names are
// kept. A byte order mark, a comma too many, a second value, nesting beyond
// MaxDepth, or more than MaxValues values is a *SyntaxError.
func Parse(b []byte) (*Node, error) { return parse(b, MaxValues) }

func parse(b []byte, most int) (*Node, error) {
	p := parser{src: b, most: most, dec: jsontext.NewDecoder(bytes.NewBuffer(b),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	node, err := p.value(nil, "", 0, 0)
	if err != nil {
		return nil, err
	}
	if _, err := p.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Offset: p.next(), Reason: "a second value, or other bytes, after the first value"}
	}
	return node, nil
}

type parser struct {
	src    []byte
	dec    *jsontext.Decoder
	values int // read so far
	most   int

	slab []Node // nodes not given out yet
}

// mostAtOnce bounds how many nodes are made at once: a small text pays for few.
const mostAtOnce = 256

// node gives a new node. They are made many at once, since a text of a hundred
// rows has a thousand of them.
func (p *parser) node(within *Node, name string, index int) *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, min(mostAtOnce, max(4, p.values)))
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.within, n.name, n.index = within, name, index
	return n
}

// next is the offset of the next value's first byte: the decoder stands behind
// the last token, before white space and punctuation.
func (p *parser) next() int {
	at := int(p.dec.InputOffset())
	for at < len(p.src) {
		switch p.src[at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
		default:
			return at
		}
	}
	return at
}

func (p *parser) fail(err error, at *Node) error {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return &SyntaxError{Offset: int(syntactic.ByteOffset), Pointer: string(syntactic.JSONPointer), Reason: syntactic.Err.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &SyntaxError{Offset: len(p.src), Pointer: at.Pointer(), Reason: "the bytes end before the value does"}
	}
	return &SyntaxError{Offset: int(p.dec.InputOffset()), Pointer: at.Pointer(), Reason: err.Error()}
}

// value reads the next value: a member or an item of the node within, or the
// whole text, where that is nil.
func (p *parser) value(within *Node, name string, index, depth int) (*Node, error) {
	n := p.node(within, name, index)
	n.Offset = p.next()
	if depth > MaxDepth {
		return nil, &SyntaxError{Offset: n.Offset, Pointer: n.Pointer(), Reason: fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
	}
	if p.values++; p.values > p.most {
		return nil, &SyntaxError{Offset: n.Offset, Pointer: n.Pointer(), Reason: fmt.Sprintf("more than %d values", p.most)}
	}
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, p.fail(err, n)
	}
	switch token.Kind() {
	case 'n':
		n.Kind = Null
	case 't', 'f':
		n.Kind, n.yes = Bool, token.Bool()
	case '0':
		n.Kind, n.text = Number, token.String()
	case '"':
		n.Kind, n.text = String, token.String()
	case '[':
		n.Kind = Array
		err = p.array(n, depth)
	case '{':
		n.Kind = Object
		err = p.object(n, depth)
	}
	if err != nil {
		return nil, err
	}
	n.Raw = p.src[n.Offset:p.dec.InputOffset()]
	return n, nil
}

func (p *parser) array(n *Node, depth int) error {
	for p.dec.PeekKind() != ']' {
		item, err := p.value(n, "", len(n.Items), depth+1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	_, err := p.dec.ReadToken()
	if err != nil {
		return p.fail(err, n)
	}
	return nil
}

// manyMembers is where looking names up beats comparing them one by one.
const manyMembers = 16

func (p *parser) object(n *Node, depth int) error {
	var seen map[string]bool
	for p.dec.PeekKind() != '}' {
		token, err := p.dec.ReadToken()
		if err != nil {
			return p.fail(err, n)
		}
		name := token.String()
		value, err := p.value(n, name, -1, depth+1)
		if err != nil {
			return err
		}
		var again bool
		switch {
		case seen != nil:
			again = seen[name]
			seen[name] = true
		case len(n.Members) == manyMembers:
			seen = make(map[string]bool, 2*manyMembers)
			for i := range n.Members {
				seen[n.Members[i].Name] = true
			}
			again = seen[name]
			seen[name] = true
		default:
			again = n.Get(name) != nil
		}
		n.Members = append(n.Members, Member{Name: name, Value: value, Again: again})
	}
	_, err := p.dec.ReadToken()
	if err != nil {
		return p.fail(err, n)
	}
	return nil
}
