package target

import (
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Bounds of `results.async.every`.
const (
	shortestEvery = 10 * time.Millisecond
	longestEvery  = time.Minute
)

// async reads how a job is polled. A text alone is the tool.
func (r *reader) async(n *node) *conform.Async {
	a := &conform.Async{}
	if n.kind == plain || n.kind == quoted {
		a.Tool = r.word("async", n)
		return a
	}
	r.object("async", n, fields{
		"tool":      func(name string, n *node) { a.Tool = r.word(name, n) },
		"argument":  func(name string, n *node) { a.Argument = r.word(name, n) },
		"arguments": func(name string, n *node) { a.Arguments = r.mappingData(name, n) },
		"id":        func(name string, n *node) { a.ID = r.member(name, n) },
		"state":     func(name string, n *node) { a.State = r.member(name, n) },
		"done":      func(name string, n *node) { a.Done = r.words(name, n) },
		"failed":    func(name string, n *node) { a.Failed = r.words(name, n) },
		"result":    func(name string, n *node) { a.Result = r.member(name, n) },
		"every": func(name string, n *node) {
			before := len(r.errs)
			a.Every = r.wait(name, n)
			if len(r.errs) == before && (a.Every < shortestEvery || a.Every > longestEvery) {
				r.fail(n, fmt.Sprintf("`every` is %s, and must be from %s to 1m", shown(n), shortestEvery), "write it like 250ms or 2s")
			}
		},
	}, nil)
	r.need(n, "async", "tool", "name the tool that tells how far the job is")
	r.ownArgument(n, "the job's id", a.Argument)
	for _, word := range a.Done {
		for _, other := range a.Failed {
			if word == other && word != "" {
				r.fail(n.get("failed"), fmt.Sprintf("`done` and `failed` both have %q", printable(word)), "keep it in one of them")
			}
		}
	}
	return a
}

// next reads how further pages are asked for. `true` is as servers usually do, and
// another text alone the cursor.
func (r *reader) next(n *node) *conform.Next {
	x := &conform.Next{}
	switch {
	case n.kind == plain && n.text == "true":
		return x
	case n.kind == plain || n.kind == quoted:
		x.Cursor = r.member("next", n)
		return x
	}
	r.object("next", n, fields{
		"tool":      func(name string, n *node) { x.Tool = r.word(name, n) },
		"cursor":    func(name string, n *node) { x.Cursor = r.member(name, n) },
		"argument":  func(name string, n *node) { x.Argument = r.word(name, n) },
		"arguments": func(name string, n *node) { x.Arguments = r.mappingData(name, n) },
		"repeat":    func(name string, n *node) { x.Repeat = r.yes(name, n) },
	}, nil)
	r.ownArgument(n, "the cursor", x.Argument)
	return x
}

// ownArgument looks for an argument that `argument` and `arguments` both set.
func (r *reader) ownArgument(n *node, takes, argument string) {
	if fixed := n.get("arguments"); fixed != nil && argument != "" && fixed.get(argument) != nil {
		r.fail(fixed, fmt.Sprintf("`arguments` sets %s, which takes %s", printable(argument), takes), "leave it out")
	}
}
