package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`

// modern is a session without a handshake.
func modern(answer string) *tape {
	t := newTape(streamable)
	t.ask("connect/s1/discover", "s1", discover, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`)
	t.get("connect/s1/discover", "s1", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28","2027-12-01"]}}`)
	t.ask("list", "s1", list, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`)
	t.get("list", "s1", strings.Replace(goodList, `"tools"`, `"resultType":"complete","tools"`, 1))
	t.ask("c1", "s1", cancel, strings.Replace(askCancel, `"arguments"`, meta+`,"arguments"`, 1))
	t.get("c1", "s1", answer)
	return t
}

func deleted(status int) *tape {
	return called(streamable, goodAnswer).then(deletes("connect/s1/delete", status))
}

// afterwards sends one more request on the deleted session.
func afterwards(t *tape, status int, body string) *tape {
	t.ask("connect/s1/after", "s1", conform.Planned{Role: conform.RoleLifecycle, Method: "tools/list"}, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, alias)
	t.http("connect/s1/after", "s1", status, "application/json", body)
	return t
}

func over(transport, media, body string) *tape {
	t := opened(transport)
	t.ask("c1", "s1", cancel, askCancel, alias)
	t.http("c1", "s1", 200, media, body)
	return t
}

// TestLawfulServersAreNotAccused also holds that nothing that applies is left
// without evidence: a lawful server's run must be able to end conformant.
func TestLawfulServersAreNotAccused(t *testing.T) {
	const notFound = `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`
	exit := 0
	for name, c := range map[string]struct {
		tape *tape
		na   string // what does not apply, besides
	}{
		"HTTP, JSON":                       {called(streamable, goodAnswer), "PRO-11 PRO-12"},
		"stdio":                            {called(stdio, goodAnswer), "PRO-09 PRO-10 PRO-11"},
		"HTTP, event stream":               {over(streamable, "text/event-stream; charset=utf-8", "id: 0\ndata:\n\n: hello\nretry: 10\n\nevent: ping\ndata: x\n\nevent: message\ndata: "+goodAnswer+"\n\n"), "PRO-12"},
		"notifications before the answer":  {over(streamable, "text/event-stream", `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n\ndata: "+goodAnswer+"\n\n"), "PRO-12"},
		"modern, no session":               {modern(strings.Replace(goodAnswer, `"content"`, `"resultType":"complete","content"`, 1)), "PRO-02 PRO-09 PRO-10 PRO-11 PRO-12"},
		"modern, an error":                 {modern(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[],"isError":true}}`), "PRO-02 PRO-09 PRO-10 PRO-11 PRO-12 -PRO-01"},
		"modern, asks back":                {modern(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{}}}`), "PRO-09 PRO-10 PRO-11 PRO-12 -PRO-01 -PRO-02 -PRO-03"},
		"DELETE, then 404":                 {afterwards(deleted(204), 404, notFound), "PRO-11 PRO-12"},
		"DELETE answered 405":              {deleted(405), "PRO-11 PRO-12"},
		"JSON-RPC error":                   {called(streamable, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such tool"}}`), "PRO-11 PRO-12 -PRO-01 -PRO-02 -PRO-03"},
		"a refusal without structure":      {called(streamable, `{"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[{"type":"text","text":"no"}]}}`), "PRO-02 PRO-11 PRO-12 -PRO-01"},
		"every kind of block":              {called(stdio, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"audio","data":"","mimeType":"audio/wav"},{"type":"resource_link","uri":"a:b","name":"x","size":3},{"type":"resource","resource":{"uri":"a:b","blob":""}}],"structuredContent":{"results":[],"more":9007199254740993}}}`), "PRO-09 PRO-10 PRO-11"},
		"an error without a code too many": {called(stdio, `{"jsonrpc":"2.0","id":3,"error":{"code":-32000.0,"message":""}}`), "PRO-09 PRO-10 PRO-11 -PRO-01 -PRO-02 -PRO-03"},
		"stdio, blank line and log": {func() *tape {
			c := called(stdio, goodAnswer)
			c.get("", "s1", " ")
			c.receive("", "s1", conform.Received{Channel: conform.ChannelStderr, Body: conform.Bytes("\xff log"), End: conform.Complete})
			return c
		}(), "PRO-09 PRO-10 PRO-11"},
		"the child ends after us": {func() *tape {
			c := called(stdio, goodAnswer)
			c.receive("", "s1", conform.Received{Channel: conform.ChannelExit, Exit: &exit, End: conform.Complete})
			return c
		}(), "PRO-09 PRO-10 PRO-11"},
	} {
		t.Run(name, func(t *testing.T) {
			said, looks := verdicts(t, c.tape.recording())
			for id, verdict := range said {
				want := "pass"
				if strings.Contains("PRO-16 PRO-17 PRO-18", id) {
					want = "not applicable" // none of them tells of progress
				}
				for _, word := range strings.Fields(c.na) {
					switch word {
					case id:
						want = "not applicable"
					case "-" + id:
						want = "not-run"
					}
				}
				if verdict != want {
					t.Errorf("%s: %s, wanted %s: %+v", id, verdict, want, looks[id])
				}
			}
		})
	}
}

// Revisions before 2025-11-25 say nothing of what a tool's name is made of.
func TestNamesOfToolsWereFreeOnce(t *testing.T) {
	for revision, want := range map[string]string{"2025-06-18": "pass", "2025-11-25": "fail", "2026-07-28": "fail"} {
		c := newTape(stdio)
		c.ask("connect/s1/initialize", "s1", initialize, askInit)
		c.get("connect/s1/initialize", "s1", strings.Replace(goodInit, "2025-11-25", revision, 1))
		c.ask("list", "s1", list, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
		c.get("list", "s1", `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"cancel product (one)"}]}}`)
		if said, looks := verdicts(t, c.recording()); said["PRO-13"] != want {
			t.Errorf("%s: %s, wanted %s: %+v", revision, said["PRO-13"], want, looks["PRO-13"])
		}
	}
}
