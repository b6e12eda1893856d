package runner

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// continuing is a call that more exchanges carry on: looks at its task or job,
// further pages of its rows.
type continuing struct {
	run     *run
	session *wire.Session // the last exchange may have opened it again
	call    conform.BoundCall
	first   wire.Request
}

// ask makes one exchange more, and records it as a call of its own that continues
// the first. name makes its id; of p the step, the method, the tool and what goes
// with it are said.
func (c *continuing) ask(ctx context.Context, name string, p conform.Planned, params json.RawMessage, patience time.Duration) *wire.Reply {
	own := c.call.Planned
	p.Scenario, p.Variant, p.Instance, p.Operation = own.Scenario, own.Variant, own.Instance, own.Operation
	p.Role, p.Continues = conform.RoleContinue, c.call.ID
	next := wire.Request{Call: c.call.ID + "/" + name, Method: p.Method, Params: params, Timeout: patience, Asked: c.first.Asked, Gate: c.first.Gate}
	c.run.Record(conform.Observation{Kind: conform.KindPlanned, Call: next.Call, Session: c.session.Name, Planned: &p})
	if p.Step == "round" {
		next.Late = c.first.Late // it is the write that goes on
	}
	var reply *wire.Reply
	c.session, reply = c.run.exchange(ctx, c.session, next)
	return reply
}

// read is ask for what only reads: it is made once more, marked, where it was lost
// on the way or an intermediary answered it.
func (c *continuing) read(ctx context.Context, name string, p conform.Planned, params json.RawMessage, patience time.Duration) *wire.Reply {
	reply := c.ask(ctx, name, p, params, patience)
	if after(reply) == "" || ctx.Err() != nil {
		return reply
	}
	p.Repeats = c.call.ID + "/" + name
	return c.ask(ctx, name+conform.Again, p, params, patience)
}
