package wire

import (
	"context"

	"github.com/mcpconform/mcpconform/conform"
)

// Gate holds messages back before they are sent, so that a server with limits is
// not asked for more than it gives. Enter returns when a message may go out;
// leave is called when what answers it has come, or was given up. An error,
// which is the context's, keeps the message back. A time limit of a call counts
// from when it went through the gate.
type Gate interface {
	Enter(ctx context.Context) (leave func(), err error)
}

// gated is a link behind the client's gate; nil: there is none. A message with a
// gate of its own goes through that first, so that what waits for a narrow gate
// keeps no place in the wide one.
type gated struct {
	link
	gate Gate
}

func (g gated) exchange(ctx context.Context, out outgoing) *Reply {
	for _, gate := range []Gate{out.gate, g.gate} {
		if gate == nil {
			continue
		}
		leave, err := gate.Enter(ctx)
		if err != nil {
			return notSent(Interrupted, conform.Stopped, stoppedBy(ctx, out.awaited()))
		}
		defer leave()
	}
	return g.link.exchange(ctx, out)
}
