package pieces

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Whole is an answer put together.
type Whole struct {
	// Result has the form of a tool's result; nil: no result came.
	Result *rawjson.Node
	// Handle names the members by which a job was recognised: "job_id, status";
	// empty: the call began none.
	Handle string
	// Tool tells of the job.
	Tool    string
	Ended   bool   // the job has ended, or nothing more is told of it
	Refused bool   // Tool refused to tell of it
	State   string // the last word on the job; empty: none was said
	// Pages is how many pages of rows came, and First how many rows the first has;
	// 0: the rows are not on pages.
	Pages, First int
	// Later is how many rows came on pages after the first.
	Later int
	// Pending is set where something was still to be asked when it was given up.
	Pending bool
	// Problem says why no more was asked although the answer is not whole; empty: it
	// is whole, or was given up.
	Problem string

	origins map[string]origin // by the pointer in Result
}

// origin is where a part of the whole stood.
type origin struct {
	taken  int
	answer *contract.Answer
	node   *rawjson.Node
}

// answered is an answer at the beginning of the rows: a tool's result, and where
// its parts stood.
type answered struct {
	root *rawjson.Node
	from map[string]origin
}

// Of puts the answer of a recorded call together; nil where its own answer is all
// of it. calls are the exchanges that the pieces came by, as Origin counts them.
func Of(op *conform.Operation, call *conform.Call) (w *Whole, calls []*conform.Call) {
	g := Begin(op, call.Planned)
	if g == nil {
		return nil, nil
	}
	e := call.Ending()
	begun := e
	if e.Begun != nil {
		begun = *e.Begun
	}
	calls = []*conform.Call{begun.Call}
	more := g.Take(begun.Result)
	for i, piece := range e.Pieces {
		if more == nil {
			break
		}
		if i+1 < len(e.Pieces) && e.Pieces[i+1].Planned.Repeats == piece.ID {
			continue // it was lost, and made once more
		}
		calls = append(calls, piece)
		more = g.Take(piece.Result)
	}
	return g.Whole(), calls
}

// Whole gives what has come so far; nil where the call's own answer is all of it.
func (g *Gathering) Whole() *Whole {
	if g.job == nil && g.pages == nil {
		return nil
	}
	w := &Whole{Pending: g.next != nil, Problem: g.problem}
	if g.job != nil {
		w.Handle, w.Tool = g.job.handle, g.op.Results.Async.Tool
		w.Ended, w.Refused, w.State = g.job.ended, g.job.refused, g.job.state
	}
	if g.base == nil {
		last := g.taken[len(g.taken)-1]
		w.Result, w.origins = last.result, map[string]origin{"": {len(g.taken) - 1, last.answer, last.result}}
		return w
	}
	w.Result, w.origins = g.base.root, g.base.from
	if g.pages == nil {
		return w
	}
	w.Pages, w.First = len(g.pages), len(g.pages[0].rows)
	for _, p := range g.pages[1:] {
		w.Later += len(p.rows)
	}
	if w.Later > 0 {
		w.Result, w.origins = g.joined()
	}
	return w
}

// joined puts the rows of all pages into the first one's answer.
func (g *Gathering) joined() (*rawjson.Node, map[string]origin) {
	first := contract.Read(g.base.root, g.options)
	payload, list := first.Payload, first.List
	var rows [][]byte
	from := map[string]origin{}
	for name, o := range g.base.from {
		from[name] = o
	}
	at := "/structuredContent" + strings.TrimPrefix(list.Pointer(), payload.Pointer())
	for k, p := range g.pages {
		for _, row := range p.rows {
			if k > 0 {
				from[at+"/"+strconv.Itoa(len(rows))] = origin{p.at, g.taken[p.at].answer, row}
			}
			rows = append(rows, row.Raw)
		}
	}
	begins := list.Offset - payload.Offset
	whole := bytes.Join([][]byte{payload.Raw[:begins], []byte("["), bytes.Join(rows, []byte(",")), []byte("]"), payload.Raw[begins+len(list.Raw):]}, nil)
	if first.Source == contract.FromText {
		t := g.taken[g.pages[0].at]
		from["/structuredContent"] = origin{g.pages[0].at, t.answer, t.answer.Payload}
	}
	return result(whole, first.IsError), from
}

// result makes a tool's result of a payload.
func result(payload []byte, isError bool) *rawjson.Node {
	text := append([]byte(`{"structuredContent":`), payload...)
	if isError {
		text = append(text, `,"isError":true`...)
	}
	root, err := rawjson.Parse(append(text, '}'))
	if err != nil {
		return nil // it is made of values that were read
	}
	return root
}

// whole takes a result as it is.
func whole(t taken, at int) answered {
	return answered{t.result, map[string]origin{"": {at, t.answer, t.result}}}
}

// withoutJob takes what a look at a job was answered with, without the members
// that are the job's own: they are none of the answer to the batch.
func withoutJob(t taken, at int, names ...string) *answered {
	payload := t.answer.Payload
	if payload == nil {
		a := whole(t, at)
		return &a
	}
	out := []byte{'{'}
	for _, m := range payload.Members {
		own := false
		for _, name := range names {
			own = own || m.Name == name
		}
		if own {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.Name) // a string always encodes
		out = append(append(append(out, name...), ':'), m.Value.Raw...)
	}
	return &answered{result(append(out, '}'), t.answer.IsError), map[string]origin{"": {at, t.answer, t.result}, "/structuredContent": {at, t.answer, payload}}}
}

// inside takes what stands at a place of a payload: a tool's result, the list of
// rows, or an object that holds it.
func inside(t taken, at int, node *rawjson.Node) *answered {
	found := origin{at, t.answer, node}
	switch {
	case node.Is(rawjson.Object) && (node.Has("structuredContent") || node.Get("content").Is(rawjson.Array)):
		root, err := rawjson.Parse(node.Raw)
		if err != nil {
			return nil // it was read before
		}
		return &answered{root, map[string]origin{"": found}}
	case node.Is(rawjson.Array):
		payload := append(append([]byte(`{"results":`), node.Raw...), '}')
		return &answered{result(payload, t.answer.IsError), map[string]origin{"": found, "/structuredContent/results": found}}
	}
	return &answered{result(node.Raw, t.answer.IsError), map[string]origin{"": found, "/structuredContent": found}}
}

// Origin says where a part of Result stood, by its pointer and byte there: in which
// of the results that were taken, and at which pointer and byte of that one.
func (w *Whole) Origin(pointer string, offset int) (taken int, at string, from int) {
	rest := ""
	for {
		o, known := w.origins[pointer]
		cut := strings.LastIndexByte(pointer, '/')
		switch {
		case known && o.node == w.Result: // it is that result
			return o.taken, pointer + rest, offset
		case known:
			n := o.node
			for token := range strings.SplitSeq(strings.TrimPrefix(rest, "/"), "/") {
				below := step(n, token)
				if below == nil {
					break
				}
				n = below
			}
			at, from = o.answer.Where(n)
			return o.taken, at, from
		case cut < 0:
			return 0, "", 0
		}
		pointer, rest = pointer[:cut], pointer[cut:]+rest
	}
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// step goes one token of a pointer down; nil where nothing stands there.
func step(n *rawjson.Node, token string) *rawjson.Node {
	if token == "" {
		return nil
	}
	if n.Is(rawjson.Array) {
		k, err := strconv.Atoi(token)
		if err != nil || k < 0 || k >= len(n.Items) {
			return nil
		}
		return n.Items[k]
	}
	return n.Get(unescape.Replace(token))
}
