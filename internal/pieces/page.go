package pieces

import (
	"bytes"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// starts takes the answer that the rows begin with, and asks for the second page
// where it says that there is one.
func (g *Gathering) starts(a answered) {
	g.base = &a
	read := contract.Read(a.root, g.options)
	if g.op.Results.Next == nil || !read.List.Is(rawjson.Array) {
		return
	}
	cursor, member := g.cursor(read)
	if cursor == nil {
		return
	}
	g.pages = []page{{at: len(g.taken) - 1, rows: read.List.Items, list: read.List}}
	g.turn(cursor, member)
}

// turned takes a further page.
func (g *Gathering) turned(t taken) {
	k := len(g.pages) + 1
	if !t.answer.List.Is(rawjson.Array) {
		g.problem = fmt.Sprintf("page %d has no list of rows", k)
		return
	}
	before := g.pages[len(g.pages)-1]
	g.pages = append(g.pages, page{at: len(g.taken) - 1, rows: t.answer.List.Items, list: t.answer.List})
	if len(t.answer.List.Items) > 0 && bytes.Equal(before.list.Raw, t.answer.List.Raw) {
		g.problem = fmt.Sprintf("page %d is page %d again", k, k-1)
		return
	}
	if cursor, member := g.cursor(t.answer); cursor != nil {
		g.turn(cursor, member)
	}
}

// turn asks for the page of a cursor.
func (g *Gathering) turn(cursor *rawjson.Node, name string) {
	k := len(g.pages)
	if earlier := g.cursors[string(cursor.Raw)]; earlier > 0 {
		g.problem = fmt.Sprintf("page %d has the cursor of page %d again", k, earlier)
		return
	}
	g.cursors[string(cursor.Raw)] = k
	if n := len(cursor.Raw); n > conform.MostCursor {
		g.problem = fmt.Sprintf("page %d has a cursor of %d bytes, and none of more than %d is sent back", k, n, conform.MostCursor)
		return
	}
	if k >= max(len(g.planned.Items), 1)+idlePages {
		g.problem = fmt.Sprintf("after %d pages for %d items there are more", k, len(g.planned.Items))
		return
	}
	next := g.op.Results.Next
	tool, argument, arguments := next.Tool, next.Argument, next.Arguments
	if tool == "" {
		tool = g.op.Tool
		arguments = merged(g.op.Fixed, members(arguments)...)
	}
	if next.Repeat {
		arguments = merged(g.planned.Arguments, members(arguments)...)
	}
	if argument == "" {
		argument = "cursor"
		for _, c := range cursors {
			if c.member == name {
				argument = c.argument
			}
		}
	}
	g.next = &Ask{Step: conform.StepPage, Tool: tool, Arguments: merged(arguments, member{argument, cursor.Raw})}
}

// cursor gives the cursor of the page after an answer's, and the member that
// holds it; nil: it is the last.
func (g *Gathering) cursor(a *contract.Answer) (at *rawjson.Node, name string) {
	var usual []string
	for _, c := range cursors {
		usual = append(usual, c.member)
	}
	for _, holder := range []*rawjson.Node{a.List.Within(), a.Payload} {
		for _, flag := range flags {
			if yes, ok := holder.Get(flag).Bool(); ok && !yes {
				return nil, ""
			}
		}
		if at, name := choose(holder, g.op.Results.Next.Cursor, usual); names(at) {
			return at, lastName(name)
		}
	}
	return nil, ""
}
