package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
)

// page tells whether an intermediary answered in the server's place.
func page(reply *wire.Reply) bool {
	return reply.Response == nil && conform.FromIntermediary(reply.Status, reply.Media)
}

// after says what came in place of an answer, where it is no word of the
// server's; empty: something else came.
func after(reply *wire.Reply) string {
	switch {
	case reply.End == conform.Cut, reply.End == conform.Refused:
		return "a lost connection"
	case page(reply):
		return "an intermediary's page"
	}
	return ""
}

// look makes a call that only reads, and once more, marked, where it was lost on
// the way or an intermediary answered it.
func (r *run) look(ctx context.Context, call string, p conform.Planned, items int) *wire.Reply {
	reply := r.tool(ctx, call, p, items)
	why := after(reply)
	if why == "" || r.stop.cause != "" || ctx.Err() != nil {
		return reply
	}
	p.Repeats, p.Step = call, p.Step+" again, after "+why
	return r.tool(ctx, call+conform.Again, p, items)
}

// behind looks past an intermediary that answered a call, by asking for the list
// of tools, which can be asked for again and again. Where it stays in the way,
// that is the one cause of all that follows, and no further call is made.
func (r *run) behind(ctx context.Context, tool string, got *wire.Reply) (gone string) {
	r.peering.Lock()
	defer r.peering.Unlock()
	for try := 1; ; try++ {
		r.mu.Lock()
		answered := r.heard > got.Done
		r.mu.Unlock()
		if answered || ctx.Err() != nil {
			return ""
		}
		s, err := r.open(ctx, main)
		if err != nil {
			return "the target is gone: " + err.Error() + r.fell()
		}
		r.peered++
		call := fmt.Sprintf("behind/%d", r.peered)
		r.Record(conform.Observation{Kind: conform.KindPlanned, Call: call, Session: main, Planned: &conform.Planned{
			Role: conform.RoleList, Step: "after an intermediary's page", Method: "tools/list",
		}})
		reply := s.Do(ctx, wire.Request{Call: call, Method: "tools/list", Params: []byte(`{}`)})
		switch gone := r.departed(ctx, s, "", reply); {
		case gone != "":
			return gone
		case !page(reply):
			return ""
		case try == mostTries:
			return fmt.Sprintf("an intermediary answers in the server's place: HTTP %d to a call of %s, and then to %d lists of the tools", got.Status, tool, try)
		}
		r.pace.pause(250 * time.Millisecond << try)
	}
}

// stillThere asks for the list of tools where the last that came of the server was
// that a connection was lost: whether it is still there says what all that is left
// open has come of.
func (r *run) stillThere(ctx context.Context) {
	for try := 1; try <= mostTries && r.stop.cause == "" && r.lost > r.heard && ctx.Err() == nil; try++ {
		s, err := r.open(ctx, main)
		if err != nil {
			r.gone("the target is gone: " + err.Error() + r.fell())
			return
		}
		call := fmt.Sprintf("still-there/%d", try)
		r.Record(conform.Observation{Kind: conform.KindPlanned, Call: call, Session: main, Planned: &conform.Planned{
			Role: conform.RoleList, Step: "after a lost connection", Method: "tools/list",
		}})
		if gone := r.departed(ctx, s, "", s.Do(ctx, wire.Request{Call: call, Method: "tools/list", Params: []byte(`{}`)})); gone != "" {
			r.gone(gone)
			return
		}
		r.pace.pause(50 * time.Millisecond << try)
	}
}

// madeAgain says how many calls that only read were made once more because of what
// became of them on the way; none where none were.
func (r *run) madeAgain() []string {
	observations := r.record.observations()
	if !slices.ContainsFunc(observations, func(o conform.Observation) bool {
		return o.Kind == conform.KindPlanned && strings.HasSuffix(o.Call, conform.Again)
	}) {
		return nil // the usual case, which needs no reading of answers
	}
	rec := conform.NewRecording(r.header, observations)
	n, first := 0, ""
	for _, c := range rec.Calls {
		if rec.MadeAgain(c) {
			if n++; n == 1 {
				first = c.ID
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{reports.Amount(n, "read was", "reads were") + " lost on the way, or answered by an intermediary, and made once more: the second answer counts (" + first + conform.Again + ")"}
}
