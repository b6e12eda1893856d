// Package yamlfile reads YAML files strictly: every key is known or an error, and
// every mistake is told with its line, its column and the mend. It knows no format;
// its callers do.
package yamlfile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Most bounds a file's size, in bytes.
const Most = 4 << 20

// Error is a mistake in a file: where it stands, what is wrong, and the mend.
type Error struct {
	File         string
	Line, Column int // from 1; 0: the file as a whole
	What, Mend   string
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line)
	}
	if e.Column > 0 {
		at += ":" + strconv.Itoa(e.Column)
	}
	text := at + ": " + e.What
	if e.Mend != "" {
		text += "; " + e.Mend
	}
	return text
}

// Documents parses a file. is says what it should be, for an error: "platform data".
func Documents(file string, text []byte, is string) (all []ast.Node, err error) {
	if len(text) > Most {
		return nil, &Error{File: file, What: fmt.Sprintf("the file is larger than %d bytes", Most), Mend: "is it " + is + "?"}
	}
	// The YAML library is foreign code reading foreign bytes: a panic in it is an error of the file.
	defer func() {
		if broken := recover(); broken != nil {
			all, err = nil, &Error{File: file, What: "the file cannot be read as YAML", Mend: "look for brackets and quotes that are not closed"}
		}
	}()
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		e := &Error{File: file, What: "this is not YAML: " + err.Error(), Mend: "mend the line, or the one before it"}
		var told yaml.Error
		if errors.As(err, &told) {
			e.What = "this is not YAML: " + told.GetMessage()
			if t := told.GetToken(); t != nil && t.Position != nil {
				e.Line, e.Column = t.Position.Line, t.Position.Column
			}
		}
		return nil, e
	}
	for _, doc := range parsed.Docs {
		if doc.Body != nil {
			all = append(all, doc.Body)
		}
	}
	return all, nil
}

// Reader collects the mistakes of one file.
type Reader struct {
	File string
	Errs []error
}

// Fail notes a mistake.
func (r *Reader) Fail(at ast.Node, what, mend string) {
	e := &Error{File: r.File, What: what, Mend: mend}
	if t := at.GetToken(); t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	r.Errs = append(r.Errs, e)
}

// Table is a mapping, its values by key.
type Table struct {
	At     ast.Node            // its first key
	Values map[string]ast.Node // nil: it is no mapping
	Keys   []string
	Lines  map[string]int // of the keys
}

// Table reads a mapping. Without known keys any are.
func (r *Reader) Table(n ast.Node, what string, known ...string) Table {
	t := Table{At: n, Values: map[string]ast.Node{}, Lines: map[string]int{}}
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
		if len(values) > 0 {
			t.At = values[0].Key
		}
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
		t.At = n.Key
	default:
		r.Fail(n, what+" is no mapping", "write KEY: VALUE lines")
		return Table{At: n}
	}
	for _, v := range values {
		key := v.Key.GetToken().Value
		switch {
		case len(known) > 0 && !slices.Contains(known, key):
			r.Fail(v.Key, fmt.Sprintf("%s has the key %q, which is none of %s", what, rawjson.Cut(key, 40), strings.Join(known, ", ")), "remove it")
		case t.Values[key] != nil:
			r.Fail(v.Key, fmt.Sprintf("%s has %s twice", what, key), "keep one of them")
		default:
			t.Values[key] = v.Value
			t.Lines[key] = Line(v.Key)
			t.Keys = append(t.Keys, key)
		}
	}
	return t
}

// Text gives a value as a text; empty where it is not there.
func (r *Reader) Text(t Table, key string, needed bool) string {
	n := t.Values[key]
	text := strings.Join(strings.Fields(Plain(n)), " ")
	if needed && text == "" {
		at := t.At
		if n != nil {
			at = n
		}
		r.Fail(at, fmt.Sprintf("`%s` is missing or empty", key), "write it")
	}
	return text
}

// Plain gives a scalar as it is written, quotes aside; empty for what is none.
func Plain(n ast.Node) string {
	switch n := n.(type) {
	case nil:
		return ""
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		return ""
	}
	return n.GetToken().Value
}

// List reads a list; nil where it is not there.
func (r *Reader) List(t Table, key string) []ast.Node {
	n := t.Values[key]
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.Fail(n, "`"+key+"` is no list", "write - lines, or [A, B]")
		return nil
	}
	return list.Values
}

// Words reads a list of texts.
func (r *Reader) Words(t Table, key string) []string {
	var all []string
	for _, n := range r.List(t, key) {
		all = append(all, Plain(n))
	}
	return all
}

// Yes reads true or false; false where it is not there.
func (r *Reader) Yes(t Table, key string) bool {
	n := t.Values[key]
	if n == nil {
		return false
	}
	switch Plain(n) {
	case "true":
		return true
	case "false":
		return false
	}
	r.Fail(n, "`"+key+"` is neither true nor false", "write one of them")
	return false
}

// Figure reads a whole number above 0; 0 where it is not there.
func (r *Reader) Figure(t Table, key string) int {
	n := t.Values[key]
	if n == nil {
		return 0
	}
	v, err := strconv.Atoi(strings.ReplaceAll(Plain(n), "_", ""))
	if err != nil || v <= 0 {
		r.Fail(n, fmt.Sprintf("`%s` is %q, and must be a whole number above 0", key, rawjson.Cut(Plain(n), 40)), "write it in digits")
	}
	return v
}

// Line is the line in which a node begins; 0 where that is not known.
func Line(n ast.Node) int {
	if n == nil {
		return 0
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}
