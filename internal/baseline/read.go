package baseline

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// most bounds a baseline's size, in bytes.
const most = 4 << 20

// Error is a mistake in a baseline: where it stands, what is wrong, and the mend.
type Error struct {
	File         string
	Line, Column int // from 1; 0: the file as a whole
	What, Mend   string
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	}
	text := at + ": " + e.What
	if e.Mend != "" {
		text += "; " + e.Mend
	}
	return text
}

// Read reads a baseline. known tells the ids of checks; of one that is not known
// near names may be given. Errors are of type *Error, joined.
func Read(file string, text []byte, known func(id string) (ok bool, near string)) (f *File, err error) {
	if len(text) > most {
		return nil, &Error{File: file, What: fmt.Sprintf("the file is larger than %d bytes", most), Mend: "is it a baseline?"}
	}
	// The YAML library is foreign code reading foreign bytes: a panic in it is an error of the file.
	defer func() {
		if broken := recover(); broken != nil {
			f, err = nil, &Error{File: file, What: "the file cannot be read as YAML", Mend: "look for brackets and quotes that are not closed"}
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
	r := &reader{file: file, known: known}
	f = &File{Path: file}
	if len(parsed.Docs) != 1 || parsed.Docs[0].Body == nil {
		return nil, &Error{File: file, What: fmt.Sprintf("the file has %d documents, and must have one", len(parsed.Docs)), Mend: "`mcpconform baseline write` makes one of a report"}
	}
	r.document(f, parsed.Docs[0].Body)
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return f, nil
}

type reader struct {
	file  string
	known func(string) (bool, string)
	errs  []error
}

func (r *reader) fail(at ast.Node, what, mend string) {
	e := &Error{File: r.file, What: what, Mend: mend}
	if t := at.GetToken(); t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	r.errs = append(r.errs, e)
}

// members gives the members of a mapping, and refuses keys that are not known, or
// stand twice.
func (r *reader) members(n ast.Node, what string, known ...string) map[string]ast.Node {
	found := map[string]ast.Node{}
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		r.fail(n, what+" is no mapping", "write KEY: VALUE lines")
		return nil
	}
	for _, v := range values {
		key := v.Key.GetToken().Value
		switch {
		case !slices.Contains(known, key):
			r.fail(v.Key, fmt.Sprintf("%s has the key %q, which is none of %s", what, rawjson.Cut(key, 40), strings.Join(known, ", ")), "remove it")
		case found[key] != nil:
			r.fail(v.Key, fmt.Sprintf("%s has %s twice", what, key), "keep one of them")
		default:
			found[key] = v.Value
		}
	}
	return found
}

func (r *reader) document(f *File, n ast.Node) {
	m := r.members(n, "the file", "version", "failures", "not_run")
	if m == nil {
		return
	}
	if v := m["version"]; v == nil {
		r.fail(n, "the file has no `version`", "write version: 1")
	} else if text(v) != "1" {
		r.fail(v, fmt.Sprintf("`version` is %s, and this mcpconform reads 1", rawjson.Cut(text(v), 40)), "write version: 1")
	}
	f.Failures = r.entries(m["failures"], "failures", "check", "operation", "scenarios", "because", "until", "rate")
	f.NotRun = r.entries(m["not_run"], "not_run", "check", "operation", "because", "until")
}

func (r *reader) entries(n ast.Node, name string, known ...string) []Entry {
	if n == nil || n.Type() == ast.NullType {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fail(n, "`"+name+"` is no list", "write - check: ID lines")
		return nil
	}
	var all []Entry
	for _, item := range list.Values {
		m := r.members(item, "an entry of `"+name+"`", known...)
		if m == nil {
			continue
		}
		e := r.entry(item, m)
		for i := range all {
			if order(all[i], e) == 0 {
				r.fail(item, fmt.Sprintf("the entry stands in line %d already", all[i].Line), "keep one of them")
			}
		}
		all = append(all, e)
	}
	return all
}

func (r *reader) entry(at ast.Node, m map[string]ast.Node) Entry {
	e := Entry{Line: firstLine(at)}
	if n := m["check"]; n == nil {
		r.fail(at, "an entry has no `check`", "name the check that is known to fail")
	} else {
		e.Check = text(n)
		if ok, near := r.known(e.Check); !ok {
			mend := "`mcpconform list checks` shows them all"
			if near != "" {
				mend = "did you mean " + near + "?"
			}
			r.fail(n, fmt.Sprintf("there is no check %q", rawjson.Cut(e.Check, 40)), mend)
		}
	}
	if n := m["because"]; n == nil || strings.TrimSpace(text(n)) == "" {
		r.fail(at, "an entry has no `because`", "say why it is not mended: whoever reads this in a year will ask")
	} else {
		e.Because = strings.TrimSpace(text(n))
	}
	if n := m["operation"]; n != nil {
		if e.Operation = text(n); e.Operation == "" {
			r.fail(n, "`operation` is empty", "name an operation of the target file, or leave it out for all")
		}
	}
	if n := m["scenarios"]; n != nil {
		e.Scenarios = r.globs(n)
	}
	if n := m["until"]; n != nil {
		until, err := time.Parse(day, text(n))
		if err != nil {
			r.fail(n, fmt.Sprintf("`until` is %q, and must be a day", rawjson.Cut(text(n), 40)), "write it like 2027-03-01")
		}
		e.Until = until
	}
	if n := m["rate"]; n != nil {
		rate, err := strconv.ParseFloat(text(n), 64)
		switch {
		case err != nil || !(rate > 0 && rate < 1):
			r.fail(n, fmt.Sprintf("`rate` is %q, and must be above 0 and below 1", rawjson.Cut(text(n), 40)), "write the greatest share that may fail, like 0.05; leave it out for what always fails")
		case m["until"] == nil:
			r.fail(n, "`rate` has no `until` beside it", "say by which day it is to be mended: what fails now and then is forgotten")
		}
		e.Rate = rate
	}
	return e
}

// globs reads a glob, or a list of them.
func (r *reader) globs(n ast.Node) []string {
	nodes := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	var globs []string
	for _, one := range nodes {
		glob := text(one)
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			r.fail(one, fmt.Sprintf("%q is no glob of scenarios", rawjson.Cut(glob, 40)), "write it like concurrent/* or partial")
		}
		globs = append(globs, glob)
	}
	return globs
}

// text gives a plain value as it is written, quotes aside; empty for what is none.
func text(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		return ""
	}
	return n.GetToken().Value
}

// firstLine is the line in which a node begins: its first token's.
func firstLine(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return firstLine(m.Values[0].Key)
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return firstLine(m.Key)
	}
	var t *token.Token = n.GetToken()
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}
