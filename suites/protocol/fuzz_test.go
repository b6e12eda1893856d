package protocol

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// FuzzJudge feeds any bytes as the answer to every kind of request, over every
// transport, to all checks: none may panic, and each look must say why.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		"", goodInit, goodList, goodAnswer, "[" + goodAnswer + "]", "data: " + goodAnswer + "\n\n", "data: {\n", "id: 1\ndata:\n\n",
		structured(`[{"id":"1"}]`), block(`{"type":"resource","resource":{}}`), `{"jsonrpc":"2.0","id":3,"error":{"code":1.5}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"cancel_products","outputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#"},{"pattern":"(?!)"}]}}}}],"nextCursor":"1"}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"cancel_products","outputSchema":{"$id":"x","$schema":"y","maximum":1e400}}]}}`,
		`{"id":null,"result":{"supportedVersions":[1]}}`, "\xff\xfe", `{"jsonrpc":"2.0","method":"x","id":[]}`,
	} {
		f.Add([]byte(seed), 200, "application/json", uint8(0))
		f.Add([]byte(seed), 200, "text/event-stream", uint8(1))
		f.Add([]byte(seed), 404, "text/html", uint8(2))
	}
	f.Fuzz(func(t *testing.T, body []byte, status int, media string, shape uint8) {
		if len(body) > 1<<16 {
			return
		}
		transport := []string{streamable, stdio, "sse", ""}[shape%4]
		c := newTape(transport)
		for _, call := range []struct {
			id      string
			planned conform.Planned
			sent    string
		}{
			{"i", initialize, askInit}, {"d", discover, `{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{` + meta + `}}`},
			{"n", notify, askReady}, {"l", list, askList}, {"c", cancel, askCancel}, {"any", cancel, string(body)},
		} {
			c.ask(call.id, "s1", call.planned, call.sent)
			in := conform.Received{Channel: conform.ChannelHTTP, Status: status, Body: body, End: conform.Complete,
				Header: []conform.HeaderField{{Name: "Content-Type", Value: media}, {Name: "Mcp-Session-Id", Value: media}}}
			if transport == stdio {
				in = conform.Received{Channel: conform.ChannelStdout, Body: body, End: conform.Complete}
			}
			c.receive(call.id, "s1", in)
			if shape&8 != 0 {
				c.receive("", "s1", in)
			}
		}
		if shape&16 != 0 {
			// The same answers beside a tool with the schema the bytes declare.
			c.ask("c2", "s1", cancel, askCancel)
			c.get("c2", "s1", goodAnswer)
		}
		_, looks := verdicts(t, c.recording())
		for id, all := range looks {
			for _, look := range all {
				switch {
				case look.Verdict == conform.Fail && (look.Want == "" || look.Got == "" || len(look.Evidence) == 0),
					look.Verdict == conform.Inconclusive && look.Reason == "":
					t.Errorf("%s says nothing: %+v", id, look)
				}
			}
		}
	})
}
