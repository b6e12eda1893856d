package fakebackend

import (
	"crypto/rand"
	"slices"
	"sync"
)

// pagedTool gives its rows a page at a time.
func pagedTool(o Options) tool {
	output := o.Shape.batchSchema(writeRow())
	inner := output
	if o.Shape == Wrapped {
		inner = output.child("properties").child("result")
	}
	inner.child("properties").add("next_cursor", text("For the next page; not there on the last one."))
	return tool{
		name: cancelPaged, title: "Cancel products, answered in pages",
		description: "Cancels several products in one call. The answer has the first rows of results[]; the same tool with the cursor from next_cursor, and without items, gives the next. Counts and status are of all rows.",
		input:       schema(nil, items(o), key(), prop("cursor", text("next_cursor of the page before."))), output: output,
		run: (*Backend).cancelInPages,
	}
}

// MaxPaged are the answers whose further pages are kept; when they are more, the
// oldest go.
const MaxPaged = 1_000

// paged keeps what is left of answers.
type paged struct {
	mu   sync.Mutex
	left map[string]rest // by cursor
	old  []string        // cursors, the oldest first
}

// rest is what is left of an answer after some of its rows were given.
type rest struct {
	answer *answer
	from   int
}

func (p *paged) keep(r rest) (cursor string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == nil {
		p.left = map[string]rest{}
	}
	cursor = rand.Text()
	p.left[cursor] = r
	p.old = append(p.old, cursor)
	for len(p.old) > MaxPaged {
		delete(p.left, p.old[0])
		p.old = p.old[1:]
	}
	return cursor
}

// find gives what a cursor stands for. It can be used again: a page that was lost
// on its way is asked for once more.
func (p *paged) find(cursor string) (rest, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.left[cursor]
	return r, ok
}

func (b *Backend) cancelInPages(c *call) *answer {
	if c.args.present("cursor") {
		cursor, _ := c.args.text("cursor")
		r, ok := b.paged.find(cursor)
		if !ok {
			w := write{tell: func(rows []any) *answer {
				return b.options.Shape.batch(rows, "The cursor is none of this server's, or too old.")
			}}
			return w.tell([]any{})
		}
		return b.pageOf(c, r)
	}
	return b.pageOf(c, rest{answer: b.write(c, b.cancelling(c))})
}

// pageOf gives the next rows of an answer.
func (b *Backend) pageOf(c *call, r rest) *answer {
	page := clone(r.answer.payload).(*object)
	holder := page
	if result := page.child("result"); result != nil {
		holder = result
	}
	rows, _ := holder.get("results").([]any)
	from, to := min(r.from, len(rows)), min(r.from+b.options.PageRows, len(rows))
	next := to
	for _, bent := range c.bends {
		if bent.turn != nil {
			from, next = bent.turn(r.from, to, len(rows))
		}
	}
	holder.set("results", slices.Clone(rows[from:to]))
	if next < len(rows) {
		holder.add("next_cursor", b.paged.keep(rest{r.answer, next}))
	}
	return &answer{payload: page, failed: r.answer.failed}
}
