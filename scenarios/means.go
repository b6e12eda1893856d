package scenarios

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// means is a tool of the server that looks at an operation's items, puts them back
// or in place, as the target file names it.
type means struct {
	of       doing
	key      string // of the target file, that the keys of the tool begin with
	tool     string
	argument string // takes the items; empty: it takes none
}

type doing uint8

const (
	looking doing = iota
	puttingBack
	puttingInPlace
)

// meansOf gives the tools that an operation's probe, reset, undo and setup are.
func meansOf(t *target.Operation) []means {
	var all []means
	add := func(of doing, key string, m *target.Means, argument string) {
		if m.Tool != "" {
			all = append(all, means{of, key, m.Tool, argument})
		}
	}
	own := "operations." + t.Name + "."
	at := func(h *target.Hands, key string) string {
		if h.OfFile {
			return key
		}
		return own + key
	}
	if t.Probe != nil {
		add(looking, own+"probe", &t.Probe.Means, t.Probe.Argument)
	}
	if t.Reset != nil {
		add(puttingBack, own+"reset", &t.Reset.Means, "")
	}
	if t.Undo != nil {
		add(puttingBack, at(t.Undo, "undo"), &t.Undo.Means, t.Undo.Argument)
	}
	if t.Setup != nil {
		add(puttingInPlace, at(&t.Setup.Hands, "setup"), &t.Setup.Means, t.Setup.Argument)
		if t.Setup.Undo != nil {
			add(puttingInPlace, at(&t.Setup.Hands, "setup")+".undo", &t.Setup.Undo.Means, t.Setup.Undo.Argument)
		}
	}
	return all
}

// misspelt says which of an operation's tools that do something the server does
// not list, or lists without the argument that is to take the items, or as one that
// cannot simply be called. A schema that takes further arguments may have the
// argument all the same.
func (c *compiler) misspelt(o *Operation, of doing) *shortage {
	if c.tools == nil {
		return nil
	}
	for _, m := range o.means {
		if m.of != of {
			continue
		}
		tool := find(c.tools, m.tool)
		if tool == nil {
			return &shortage{reason: unlisted(m.tool, c.tools), key: m.key + ".tool", wrong: true}
		}
		if short := o.untasked(tool); short != nil {
			return short
		}
		if schema := c.known[m.tool]; m.argument != "" && schema.closed() && schema.lacks(m.argument) {
			return &shortage{reason: schema.without(m.tool, m.argument), key: m.key + ".argument", wrong: true}
		}
	}
	return nil
}

// closeEyes has nobody look at the state where the probe's tool cannot be asked.
func (c *compiler) closeEyes(o *Operation) {
	if o.blind = c.misspelt(o, looking); o.blind != nil {
		o.Probe = conform.Unsaid
	}
}

// irreversible says why what a play writes could not be put back: nothing that
// cannot be is written where the target file means it to be.
func (c *compiler) irreversible(o *Operation) *shortage {
	short := c.misspelt(o, puttingBack)
	if short != nil {
		short.reason += "; what is written could not be put back, so nothing is"
	}
	return short
}

// Blind tells whether the operation's probe is a tool that cannot be asked: the
// server does not list it, or not with its argument.
func (o *Operation) Blind() bool { return o.blind != nil }
