package fakebackend

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostTold bounds how often one call tells of its progress.
const mostTold = 10

// teller tells a client how far its call is: it has asked to be told, by a token.
// A nil one tells nobody.
type teller struct {
	ctx     context.Context
	session *mcp.ServerSession
	token   any
	bends   []*bend

	mu   sync.Mutex
	done int // items, of all work of the call
}

type tellerKey struct{}

// telling gives the context of a call, which tells of progress if it was asked to.
// A call that becomes a task or a job is answered before its work, and tells of none.
func telling(ctx context.Context, request *mcp.CallToolRequest, bends []*bend) context.Context {
	token := request.Params.GetProgressToken()
	switch token.(type) {
	case string, float64:
	default:
		return ctx // there is none, or none that the protocol knows
	}
	return context.WithValue(ctx, tellerKey{}, &teller{ctx: ctx, session: request.Session, token: token, bends: bends})
}

func tellerOf(ctx context.Context) *teller {
	t, _ := ctx.Value(tellerKey{}).(*teller)
	return t
}

// of gives what counts the items of a piece of work; n is how many there are.
func (t *teller) of(n int) func() {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	total := t.done + n
	t.mu.Unlock()
	each := max(1, n/mostTold)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock() // the client gets them in this order
		if t.done++; t.done%each != 0 && t.done != total {
			return
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: t.token, Progress: float64(t.done), Total: float64(total)}
		for _, bent := range t.bends {
			if bent.progress != nil {
				bent.progress(p)
			}
		}
		_ = t.session.NotifyProgress(t.ctx, p) // a client that is gone need not know
	}
}

// progressFaults tell of progress wrongly.
func progressFaults() []Fault {
	telling := func(id, sentence string, wrong func(p *mcp.ProgressNotificationParams)) Fault {
		return Fault{ID: id, Sentence: sentence, Transports: both, how: how{on: batches, bend: func() *bend { return &bend{progress: wrong} }}}
	}
	return []Fault{
		telling("PRO-16/token-of-its-own", "Progress is told under a token of the server's own making.", func(p *mcp.ProgressNotificationParams) {
			p.ProgressToken = fmt.Sprint("job-", p.ProgressToken)
		}),
		telling("PRO-16/token-as-text", "Progress is told under the token's number as a text.", func(p *mcp.ProgressNotificationParams) {
			if number, ok := p.ProgressToken.(float64); ok {
				p.ProgressToken = strconv.FormatFloat(number, 'f', -1, 64)
			}
		}),
		telling("PRO-17/stands-still", "Progress is told again and again as it was.", func(p *mcp.ProgressNotificationParams) {
			p.Progress = 1
		}),
		telling("PRO-17/counts-down", "progress is what is left to do.", func(p *mcp.ProgressNotificationParams) {
			p.Progress = p.Total - p.Progress
		}),
		{
			ID: "PRO-18/after-the-answer", Sentence: "Progress is told once more when the call has been answered.", Transports: both,
			how: how{on: batches, message: func(x *exchange, m *object) []line {
				if x.token == nil {
					return nil
				}
				n, _ := x.items()
				return append(one(m), line(encode(of("jsonrpc", "2.0", "method", "notifications/progress",
					"params", of("progressToken", x.token, "progress", n+1)))))
			}},
		},
	}
}
