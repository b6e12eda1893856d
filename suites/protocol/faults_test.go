package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func result(inner string) string { return `{"jsonrpc":"2.0","id":3,"result":` + inner + `}` }

func structured(value string) string {
	return result(`{"content":[],"structuredContent":` + value + `}`)
}

func block(b string) string {
	return result(`{"content":[` + b + `],"structuredContent":{"results":[]}}`)
}

func also(t *tape, line string) *tape {
	t.get("", "s1", line)
	return t
}

func listed(pages ...string) *tape {
	t := newTape(stdio)
	t.ask("connect/s1/initialize", "s1", initialize, askInit)
	t.get("connect/s1/initialize", "s1", goodInit)
	cursor := ""
	for i, page := range pages {
		id := fmt.Sprintf("list/%d", i)
		t.ask(id, "s1", list, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, i+2, cursor))
		t.get(id, "s1", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, i+2, page))
		cursor = fmt.Sprintf(`"cursor":"%d"`, i+1)
	}
	return t
}

func endless(pages int) *tape {
	all := make([]string, pages)
	for i := range all {
		all[i] = fmt.Sprintf(`{"tools":[{"name":"t%d"}],"nextCursor":"%d"}`, i, i+1)
	}
	return listed(all...)
}

func notified(status int, body string) *tape {
	t := newTape(streamable)
	t.ask("connect/s1/initialize", "s1", initialize, askInit)
	t.get("connect/s1/initialize", "s1", goodInit)
	t.ask("connect/s1/initialized", "s1", notify, askReady)
	t.http("connect/s1/initialized", "s1", status, "text/plain", body)
	return t
}

// refusing records a server that answers server/discover and initialize alike.
func refusing(status int, body string) *tape {
	t := newTape(streamable)
	t.ask("connect/s1/discover", "s1", discover, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)
	t.http("connect/s1/discover", "s1", status, "application/json", body)
	t.ask("connect/s1/initialize", "s1", initialize, askInit)
	t.http("connect/s1/initialize", "s1", status, "application/json", body)
	return t
}

func sessionNamed(id string) *tape {
	t := newTape(streamable)
	t.ask("connect/s1/initialize", "s1", initialize, askInit)
	t.http("connect/s1/initialize", "s1", 200, "application/json", goodInit, conform.HeaderField{Name: "mcp-session-id", Value: id})
	return t
}

// out is a session with a call that was sent, and what came then.
func out(transport string, then ...conform.Received) *tape {
	t := opened(transport)
	t.ask("c1", "s1", cancel, askCancel)
	for _, in := range then {
		id := "c1"
		if in.Channel == conform.ChannelExit {
			id = ""
		}
		t.receive(id, "s1", in)
	}
	return t
}

// twice loses an HTTP server with the same call two times.
func twice() *tape {
	t := opened(streamable)
	for i, id := range []string{"c1", "c2"} {
		t.ask(id, "s1", cancel, strings.Replace(askCancel, `"id":3`, fmt.Sprintf(`"id":%d`, 10+i), 1))
		t.receive(id, "s1", conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "connection reset"})
		t.ask(id+"/probe", "s1", list, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, 20+i))
		t.receive(id+"/probe", "s1", conform.Received{Channel: conform.ChannelHTTP, End: conform.Refused, Problem: "connection refused"})
		t.ask(id+"/back", "s1", list, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, 30+i))
		t.get(id+"/back", "s1", strings.Replace(goodList, `"id":2`, fmt.Sprintf(`"id":%d`, 30+i), 1))
	}
	return t
}

func one() *int { n := 1; return &n }

// TestEachFaultIsCaughtByItsOwnRule: a server wrong in exactly one way breaks
// exactly one rule.
func TestEachFaultIsCaughtByItsOwnRule(t *testing.T) {
	exited := conform.Received{Channel: conform.ChannelExit, Exit: one(), End: conform.Complete}
	cut := conform.Received{Channel: conform.ChannelStdout, End: conform.Cut, Problem: "the server process ended"}
	for name, c := range map[string]struct {
		id      string
		tape    *tape
		pointer string // of the evidence, where the fault is at a value
		got     string
	}{
		"declared schema, nothing structured": {"PRO-01", called(stdio, result(`{"content":[]}`)), "/result", "without structuredContent"},
		"a member is missing":                 {"PRO-01", called(stdio, structured(`{"rows":[]}`)), "/result/structuredContent", `no "results"`},
		"a member of another type":            {"PRO-01", called(stdio, structured(`{"results":{}}`)), "/result/structuredContent/results", "an object"},
		"an error that breaks the schema":     {"PRO-01", called(stdio, result(`{"isError":true,"content":[],"structuredContent":{"error":{"code":"FORBIDDEN"}}}`)), "/result/structuredContent", `no "results"`},
		"content is text":                     {"PRO-03", called(stdio, result(`{"content":"done","structuredContent":{"results":[]}}`)), "/result/content", "a string"},
		"no content":                          {"PRO-03", called(stdio, result(`{"structuredContent":{"results":[]}}`)), "/result", "without content"},
		"content is null":                     {"PRO-03", called(stdio, result(`{"content":null,"structuredContent":{"results":[]}}`)), "/result/content", "null"},
		"a block is text":                     {"PRO-03", called(stdio, block(`"done"`)), "/result/content/0", "a string"},
		"a block without type":                {"PRO-03", called(stdio, block(`{"text":"x"}`)), "/result/content/0", "nothing"},
		"a block of no known type":            {"PRO-03", called(stdio, block(`{"type":"json","json":{}}`)), "/result/content/0/type", "json"},
		"text is an object":                   {"PRO-03", called(stdio, block(`{"type":"text","text":{}}`)), "/result/content/0/text", "an object"},
		"image without mimeType":              {"PRO-03", called(stdio, block(`{"type":"image","data":"AA=="}`)), "/result/content/0", "nothing"},
		"audio data is a list":                {"PRO-03", called(stdio, block(`{"type":"audio","data":[],"mimeType":"a/b"}`)), "/result/content/0/data", "an array"},
		"link without name":                   {"PRO-03", called(stdio, block(`{"type":"resource_link","uri":"a:b"}`)), "/result/content/0", "name"},
		"resource is text":                    {"PRO-03", called(stdio, block(`{"type":"resource","resource":"a:b"}`)), "/result/content/0", "a string"},
		"resource without uri":                {"PRO-03", called(stdio, block(`{"type":"resource","resource":{"text":""}}`)), "/result/content/0/resource", "uri"},
		"resource without text or blob":       {"PRO-03", called(stdio, block(`{"type":"resource","resource":{"uri":"a:b"}}`)), "/result/content/0/resource", "neither"},
		"isError is text":                     {"PRO-03", called(stdio, result(`{"content":[],"isError":"false","structuredContent":{"results":[]}}`)), "/result/isError", "a string"},

		"answered twice on stdio":    {"PRO-04", also(called(stdio, goodAnswer), goodAnswer), "", "2 responses"},
		"answered twice in a stream": {"PRO-04", over(streamable, "text/event-stream", "data: "+goodAnswer+"\n\ndata: "+goodAnswer+"\n\n"), "", "2 responses"},
		"no envelope":                {"PRO-04", called(streamable, `{"results":[]}`), "", "no JSON-RPC message"},
		"no envelope beside HTTP 500": {"PRO-04", func() *tape {
			c := out(streamable)
			c.http("c1", "s1", 500, "application/json", `{"error":"x"}`)
			return c
		}(), "", "HTTP 500"},
		"an empty body":                 {"PRO-04", over(streamable, "application/json", ""), "", "without a body"},
		"a stream without the response": {"PRO-04", over(streamable, "text/event-stream", ": nothing\n\n"), "", "without a response"},
		"JSON of another type":          {"PRO-04", over(streamable, "text/plain", goodAnswer), "", "text/plain"},

		"result and error":        {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"results":[]}},"error":null}`), "", "both"},
		"neither":                 {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3}`), "", "neither"},
		"result is null":          {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"result":null}`), "/result", "null"},
		"error is text":           {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"error":"no"}`), "/error", "a string"},
		"code is text":            {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"error":{"code":"E1","message":"no"}}`), "/error/code", "E1"},
		"code has a fraction":     {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"error":{"code":-32000.5,"message":"no"}}`), "/error/code", "-32000.5"},
		"an error says nothing":   {"PRO-05", called(stdio, `{"jsonrpc":"2.0","id":3,"error":{"code":-32000}}`), "/error", "nothing"},
		"the id became text":      {"PRO-06", over(streamable, "application/json", strings.Replace(goodAnswer, `"id":3`, `"id":"3"`, 1)), "/id", `"3"`},
		"another request's id":    {"PRO-06", over(streamable, "application/json", strings.Replace(goodAnswer, `"id":3`, `"id":2`, 1)), "/id", "another request"},
		"a response out of place": {"PRO-06", also(called(stdio, goodAnswer), `{"jsonrpc":"2.0","id":99,"result":{}}`), "/id", "99"},
		"an error for nobody":     {"PRO-06", also(called(stdio, goodAnswer), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`), "/id", "null"},

		"jsonrpc is a number":       {"PRO-07", called(stdio, strings.Replace(goodAnswer, `"2.0"`, `2.0`, 1)), "/jsonrpc", "2.0"},
		"jsonrpc 1.0":               {"PRO-07", called(streamable, strings.Replace(goodAnswer, `"2.0"`, `"1.0"`, 1)), "/jsonrpc", "1.0"},
		"no jsonrpc":                {"PRO-07", called(streamable, strings.Replace(goodAnswer, `"jsonrpc":"2.0",`, ``, 1)), "", "nothing"},
		"a notification without it": {"PRO-07", also(called(stdio, goodAnswer), `{"method":"notifications/message"}`), "", "nothing"},
		"no such revision": {"PRO-08", func() *tape {
			c := newTape(stdio)
			c.ask("i", "s1", initialize, askInit)
			c.get("i", "s1", strings.Replace(goodInit, "2025-11-25", "1.0", 1))
			return c
		}(), "/result/protocolVersion", "1.0"},
		"no revision at all": {"PRO-08", func() *tape {
			c := newTape(stdio)
			c.ask("i", "s1", initialize, askInit)
			c.get("i", "s1", `{"jsonrpc":"2.0","id":1,"result":{}}`)
			return c
		}(), "/result", "nothing"},
		"offers no revision": {"PRO-08", func() *tape {
			c := newTape(stdio)
			c.ask("i", "s1", discover, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)
			c.get("i", "s1", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["x"]}}`)
			return c
		}(), "/result/supportedVersions", "none"},
		"lets nobody in":            {"PRO-08", refusing(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`), "/error", "Internal error"},
		"lets nobody in, by HTTP":   {"PRO-08", refusing(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}`), "/error", "JSON-RPC error"},
		"a batch after 2025-03-26":  {"PRO-08", called(stdio, "["+goodAnswer+"]"), "/0", "batch"},
		"modern without resultType": {"PRO-08", modern(goodAnswer), "/result", "resultType"},
		"refuses what it offered":   {"PRO-08", modern(`{"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"x"}}`), "/error", "not supported"},
		"a request from a modern one": {"PRO-08", func() *tape {
			c := modern(strings.Replace(goodAnswer, `"content"`, `"resultType":"complete","content"`, 1))
			c.ask("c2", "s1", cancel, strings.Replace(strings.Replace(askCancel, `"arguments"`, meta+`,"arguments"`, 1), `"id":3`, `"id":4`, 1))
			c.http("c2", "s1", 200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"}\n\ndata: "+strings.Replace(strings.Replace(goodAnswer, `"content"`, `"resultType":"complete","content"`, 1), `"id":3`, `"id":4`, 1)+"\n\n")
			return c
		}(), "", "elicitation/create"},

		"a notification gets a message": {"PRO-09", func() *tape {
			c := notified(200, `{"jsonrpc":"2.0","id":null,"result":{}}`)
			c.seen[len(c.seen)-1].Received.Header[0].Value = "application/json"
			return c
		}(), "", "HTTP 200"},
		"a notification gets 200":      {"PRO-09", notified(200, ""), "", "HTTP 200"},
		"a notification gets a body":   {"PRO-09", notified(202, "ok"), "", "2 bytes"},
		"a session id with a space":    {"PRO-10", sessionNamed("a b"), "", "0x20"},
		"a session id beyond ASCII":    {"PRO-10", sessionNamed("sé"), "", "0xC3"},
		"an empty session id":          {"PRO-10", sessionNamed(""), "", "empty"},
		"a deleted session lives on":   {"PRO-10", afterwards(deleted(200), 200, strings.Replace(goodList, `"id":2`, `"id":9`, 1)), "", "HTTP 200"},
		"a deleted session gets 400":   {"PRO-10", afterwards(deleted(204), 400, `{"error":"x"}`), "", "HTTP 400"},
		"no blank line at the end":     {"PRO-11", over(streamable, "text/event-stream", "data: "+goodAnswer+"\n"), "", "inside an event"},
		"data is no message":           {"PRO-11", over(streamable, "text/event-stream", "data: hello\n\ndata: "+goodAnswer+"\n\n"), "", ""},
		"data over lines, one marked":  {"PRO-11", over(streamable, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\n\"id\":3,\"result\":{}}\n\n"), "", ""},
		"an event type of its own":     {"PRO-11", over(streamable, "text/event-stream", "event: response\ndata: "+goodAnswer+"\n\n"), "", `"response"`},
		"a stream labelled JSON":       {"PRO-11", over(streamable, "application/json", "data: "+goodAnswer+"\n\n"), "", "application/json"},
		"a banner":                     {"PRO-12", also(called(stdio, goodAnswer), "server listening"), "", ""},
		"JSON that is no message":      {"PRO-12", also(called(stdio, goodAnswer), `{"level":"info"}`), "", "neither"},
		"one name twice":               {"PRO-13", listed(`{"tools":[{"name":"a"},{"name":"b"},{"name":"a"}]}`), "/result/tools/2/name", "again"},
		"one name on two pages":        {"PRO-13", listed(`{"tools":[{"name":"a"}],"nextCursor":"1"}`, `{"tools":[{"name":"a"}]}`), "/result/tools/0/name", "again"},
		"a name with a space":          {"PRO-13", listed(`{"tools":[{"name":"a"},{"name":"a b"}]}`), "/result/tools/1/name", "a b"},
		"a name of 129 letters":        {"PRO-13", listed(`{"tools":[{"name":"` + strings.Repeat("a", 129) + `"}]}`), "/result/tools/0/name", "aaa"},
		"a cursor that stands still":   {"PRO-13", listed(`{"tools":[],"nextCursor":"1"}`, `{"tools":[],"nextCursor":"1"}`), "/result/nextCursor", "before"},
		"pages without end":            {"PRO-13", endless(manyPages), "/result/nextCursor", "100"},
		"no UTF-8":                     {"PRO-14", called(stdio, strings.Replace(goodAnswer, "1 of 1", "\xe9", 1)), "", "0xE9"},
		"a doubled flag":               {"PRO-14", called(stdio, structured(`{"results":[{"id":"1","success":true,"success":false}]}`)), "/result/structuredContent/results/0/success", "success"},
		"a doubled list":               {"PRO-14", called(stdio, structured(`{"results":[],"results":[]}`)), "/result/structuredContent/results", "results"},
		"a doubled flag in text":       {"PRO-14", called(stdio, block(`{"type":"text","text":"{\"results\":[{\"id\":\"1\",\"id\":\"2\"}]}"}`)), "/result/content/0/text", "/result/content/0/text"},
		"a doubled name elsewhere":     {"PRO-14", called(stdio, structured(`{"results":[],"total":1,"total":2}`)), "/result/structuredContent/total", "total"},
		"the child ends during a call": {"PRO-15", out(stdio, cut, exited), "", "exit code 1"},
		"the child's end comes first":  {"PRO-15", out(stdio, exited, cut), "", "exit code 1"},
		"the same call ends it twice":  {"PRO-15", twice(), "", "the same call"},
	} {
		t.Run(name, func(t *testing.T) {
			said, looks := verdicts(t, c.tape.recording())
			for id, verdict := range said {
				if (verdict == "fail") != (id == c.id) {
					t.Errorf("%s: %s: %+v", id, verdict, looks[id])
				}
			}
			for _, look := range looks[c.id] {
				if look.Verdict != conform.Fail {
					continue
				}
				if look.Want == "" || !strings.Contains(look.Got, c.got) || look.Got == "" {
					t.Errorf("wanted %q, got %q, which should say %q", look.Want, look.Got, c.got)
				}
				if len(look.Evidence) == 0 || look.Evidence[0].Seq == 0 || c.pointer != "" && look.Evidence[0].Pointer != c.pointer {
					t.Errorf("evidence %+v, wanted it at %q", look.Evidence, c.pointer)
				}
				return
			}
		})
	}
}

// PRO-02 stands apart: with an outputSchema of an object, PRO-01 tells as well.
func TestAListIsNoObject(t *testing.T) {
	for revision, want := range map[string]string{
		"2025-06-18": "fail", "2025-11-25": "fail", "2026-07-28": "not applicable", "": "inconclusive",
	} {
		c := newTape(streamable)
		c.header.Target.Protocol = revision
		c.ask("c1", "s1", cancel, askCancel)
		c.get("c1", "s1", structured(`[{"id":"1","success":true}]`))
		said, looks := verdicts(t, c.recording())
		if said["PRO-02"] != want {
			t.Errorf("%q: %s, wanted %s: %+v", revision, said["PRO-02"], want, looks["PRO-02"])
		}
	}
}

// TestADoubledNameWeighsWhatItDecides: the same rule, at the level of what the
// doubled name could change.
func TestADoubledNameWeighsWhatItDecides(t *testing.T) {
	for answer, want := range map[string]conform.Level{
		structured(`{"results":[{"id":"1","success":true,"success":false}]}`):                 conform.None,
		structured(`{"output":{"t":{"results":[{"key":"1","key":"2"}]}}}`):                    conform.None,
		structured(`{"results":[{"id":"1","note":"a","note":"b"}]}`):                          conform.Should,
		structured(`{"name":"a","name":"b","results":[]}`):                                    conform.Should,
		result(`{"isError":false,"isError":true,"content":[]}`):                               conform.Should,
		structured(`{"total":1,"total":2,"results":[{"ok":true,"ok":false,"id":"1"}]}`):       conform.None,
		block(`{"type":"text","text":" [{\"a\":1,\"a\":2}]"}`):                                conform.Should,
		block(`{"type":"text","text":"{\"results\":[{\"success\":true,\"success\":true}]}"}`): conform.None,
	} {
		_, looks := verdicts(t, called(stdio, answer).recording())
		found := false
		for _, look := range looks["PRO-14"] {
			if look.Verdict == conform.Fail {
				found = true
				if look.As != want {
					t.Errorf("%s: level %s, wanted %s", answer, look.As, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: not caught", answer)
		}
	}
}
