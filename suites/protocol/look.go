package protocol

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// excerpt is how many bytes of a value a look quotes.
const excerpt = 300

// fault is one thing wrong with a reception: what was wanted, what came, where.
type fault struct {
	want, got, hint string
	message         frame.Message // zero: the fault is of the bytes as a whole
	node            *rawjson.Node // nil: the whole message
	offset          int           // used where there is no node
	text            []byte        // quoted where there is no node and no message
	as              conform.Level
}

// failed makes a look of a fault.
func (r *reception) failed(f fault) conform.Look {
	return conform.Look{
		Verdict: conform.Fail, Call: r.call, Want: f.want, Got: f.got, Hint: f.hint, As: f.as,
		Evidence: []conform.Evidence{r.show(f)},
	}
}

func (r *reception) passed() conform.Look {
	return conform.Look{Verdict: conform.Pass, Call: r.call, Evidence: []conform.Evidence{r.show(fault{})}}
}

func (r *reception) unclear(reason string) conform.Look {
	return conform.Look{
		Verdict: conform.Inconclusive, Call: r.call, Reason: reason,
		Evidence: []conform.Evidence{r.show(fault{text: r.in.Received.Body})},
	}
}

// show points at the bytes. Pointers and offsets count from the message.
func (r *reception) show(f fault) conform.Evidence {
	e := conform.Evidence{Seq: r.in.Seq}
	if r.call != nil {
		e.Call = r.call.ID
	}
	node := f.node
	if node == nil {
		node = f.message.Root
	}
	switch {
	case node != nil:
		e.Pointer, e.Offset, e.Excerpt = node.Pointer(), &node.Offset, node.Excerpt(excerpt)
	case f.text != nil:
		e.Offset, e.Excerpt = &f.offset, rawjson.Cut(string(f.text), excerpt)
	}
	return e
}

// lost makes an inconclusive look of a call whose answer never came.
func lost(c *conform.Call, reason string) conform.Look {
	look := conform.Look{Verdict: conform.Inconclusive, Call: c, Reason: reason, Evidence: []conform.Evidence{{Call: c.ID}}}
	if n := len(c.Received); n > 0 {
		look.Evidence[0].Seq = c.Received[n-1].Seq
	} else if c.Sent != nil {
		look.Evidence[0].Seq = c.Sent.Seq
	}
	return look
}

// told is what the wire said of a reception that did not end well.
func told(in *conform.Received) string {
	if in.Problem != "" {
		return in.Problem
	}
	return fmt.Sprintf("the answer did not come whole (%s)", in.End)
}

// a names a value's kind for a person.
func a(n *rawjson.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Is(rawjson.Null):
		return "null"
	case n.Is(rawjson.Array), n.Is(rawjson.Object):
		return "an " + n.Kind.String()
	}
	return "a " + n.Kind.String()
}
