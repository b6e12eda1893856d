package baseline

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/yamlfile"
)

// Error is a mistake in a baseline: where it stands, what is wrong, and the mend.
type Error = yamlfile.Error

// Read reads a baseline. known tells the ids of checks; of one that is not known
// near names may be given. Errors are of type *Error, joined.
func Read(file string, text []byte, known func(id string) (ok bool, near string)) (*File, error) {
	documents, err := yamlfile.Documents(file, text, "a baseline")
	if err != nil {
		return nil, err
	}
	if len(documents) != 1 {
		return nil, &Error{File: file, What: fmt.Sprintf("the file has %d documents, and must have one", len(documents)), Mend: "`mcpconform baseline write` makes one of a report"}
	}
	r := &reader{Reader: yamlfile.Reader{File: file}, known: known}
	f := &File{Path: file}
	r.document(f, documents[0])
	if len(r.Errs) > 0 {
		return nil, errors.Join(r.Errs...)
	}
	return f, nil
}

type reader struct {
	yamlfile.Reader
	known func(string) (bool, string)
}

func (r *reader) document(f *File, n ast.Node) {
	m := r.Table(n, "the file", "version", "failures", "not_run").Values
	if m == nil {
		return
	}
	if v := m["version"]; v == nil {
		r.Fail(n, "the file has no `version`", "write version: 1")
	} else if yamlfile.Plain(v) != "1" {
		r.Fail(v, fmt.Sprintf("`version` is %s, and this mcpconform reads 1", rawjson.Cut(yamlfile.Plain(v), 40)), "write version: 1")
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
		r.Fail(n, "`"+name+"` is no list", "write - check: ID lines")
		return nil
	}
	var all []Entry
	for _, item := range list.Values {
		t := r.Table(item, "an entry of `"+name+"`", known...)
		if t.Values == nil {
			continue
		}
		e := r.entry(item, t)
		for i := range all {
			if order(all[i], e) == 0 {
				r.Fail(item, fmt.Sprintf("the entry stands in line %d already", all[i].Line), "keep one of them")
			}
		}
		all = append(all, e)
	}
	return all
}

func (r *reader) entry(at ast.Node, t yamlfile.Table) Entry {
	m := t.Values
	e := Entry{Line: yamlfile.Line(t.At)}
	if n := m["check"]; n == nil {
		r.Fail(at, "an entry has no `check`", "name the check that is known to fail")
	} else {
		e.Check = yamlfile.Plain(n)
		if ok, near := r.known(e.Check); !ok {
			mend := "`mcpconform list checks` shows them all"
			if near != "" {
				mend = "did you mean " + near + "?"
			}
			r.Fail(n, fmt.Sprintf("there is no check %q", rawjson.Cut(e.Check, 40)), mend)
		}
	}
	if n := m["because"]; n == nil || strings.TrimSpace(yamlfile.Plain(n)) == "" {
		r.Fail(at, "an entry has no `because`", "say why it is not mended: whoever reads this in a year will ask")
	} else {
		e.Because = strings.TrimSpace(yamlfile.Plain(n))
	}
	if n := m["operation"]; n != nil {
		if e.Operation = yamlfile.Plain(n); e.Operation == "" {
			r.Fail(n, "`operation` is empty", "name an operation of the target file, or leave it out for all")
		}
	}
	if n := m["scenarios"]; n != nil {
		e.Scenarios = r.globs(n)
	}
	if n := m["until"]; n != nil {
		until, err := time.Parse(day, yamlfile.Plain(n))
		if err != nil {
			r.Fail(n, fmt.Sprintf("`until` is %q, and must be a day", rawjson.Cut(yamlfile.Plain(n), 40)), "write it like 2027-03-01")
		}
		e.Until = until
	}
	if n := m["rate"]; n != nil {
		rate, err := strconv.ParseFloat(yamlfile.Plain(n), 64)
		switch {
		case err != nil || !(rate > 0 && rate < 1):
			r.Fail(n, fmt.Sprintf("`rate` is %q, and must be above 0 and below 1", rawjson.Cut(yamlfile.Plain(n), 40)), "write the greatest share that may fail, like 0.05; leave it out for what always fails")
		case m["until"] == nil:
			r.Fail(n, "`rate` has no `until` beside it", "say by which day it is to be mended: what fails now and then is forgotten")
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
		glob := yamlfile.Plain(one)
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			r.Fail(one, fmt.Sprintf("%q is no glob of scenarios", rawjson.Cut(glob, 40)), "write it like concurrent/* or partial")
		}
		globs = append(globs, glob)
	}
	return globs
}
