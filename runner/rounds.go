package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// asked gives who answers what a call's tool asks; nil where the target file does
// not say.
func (r *run) asked(p conform.Planned) wire.Asked {
	op := r.file.Operation(p.Operation)
	if op == nil || len(op.Replies) == 0 {
		return nil
	}
	if p.Answer != "" && p.Answer != conform.Accept {
		return target.Answers{{Action: p.Answer}}.Reply
	}
	return op.Replies.Reply
}

// carryOn makes a call again, with the user's answers, as long as its tool asks
// for them, and gives the reply that it ends with. Each round is recorded as a
// call of its own that continues the first.
func (r *run) carryOn(ctx context.Context, s *wire.Session, call conform.BoundCall, first wire.Request, reply *wire.Reply) (*wire.Session, *wire.Reply) {
	on := &continuing{run: r, session: s, call: call, first: first}
	for round := 1; round <= conform.MostRounds && ctx.Err() == nil && conform.AsksBack(reply.Result); round++ {
		params, ok := answered(first.Params, reply.Result, first.Asked)
		if !ok {
			break
		}
		reply = on.ask(ctx, fmt.Sprintf("round.%d", round+1), conform.Planned{Step: "round", Method: first.Method, Tool: call.Planned.Tool}, params, first.Timeout)
	}
	return on.session, reply
}

// mostQuestions bounds what a tool may ask in one round.
const mostQuestions = 64

// answered gives the params of the next round: those of the first with the
// answers and the server's own state; ok is false where something is asked that
// has no answer.
func answered(params json.RawMessage, result *rawjson.Node, reply wire.Asked) (next json.RawMessage, ok bool) {
	var responses bytes.Buffer
	requests := result.Get("inputRequests")
	state := result.Get("requestState")
	if requests.Is(rawjson.Object) {
		if reply == nil || len(requests.Members) > mostQuestions {
			return nil, false
		}
		for i, m := range requests.Members {
			method, _ := m.Value.Get("method").Str()
			answer, ok := reply(method, m.Value.Get("params"))
			if !ok {
				return nil, false
			}
			if i > 0 {
				responses.WriteByte(',')
			}
			name, _ := json.Marshal(m.Name) // a string always encodes
			responses.Write(name)
			responses.WriteByte(':')
			responses.Write(answer)
		}
	} else if state == nil {
		return nil, false // nothing is asked, and there is nothing to go on with
	}
	next = bytes.TrimSuffix(bytes.Clone(params), []byte("}"))
	next = append(append(append(next, `,"inputResponses":{`...), responses.Bytes()...), '}')
	if state != nil {
		next = append(append(next, `,"requestState":`...), state.Raw...)
	}
	return append(next, '}'), true
}
