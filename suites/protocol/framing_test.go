package protocol

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestEventStreamsAreFramed(t *testing.T) {
	call := func(status int, media, body string) *tape {
		return newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", status, media, body))
	}
	stream := func(body string) *tape { return call(200, eventStream, body) }
	const none = `{"id":3,"result":{}}` // without an envelope
	play(t, "PRO-11", map[string]scene{
		"a stream":                                {stream(event(goodAnswer)), "pass c1"},
		"the second event is none":                {stream(event(progress) + event("hello") + event(goodAnswer)), "fail c1"},
		"the second message of a batch":           {stream(event("[" + progress + ",3]")), "fail c1"},
		"an empty event":                          {stream("data:\n\n" + event(goodAnswer)), "pass c1"},
		"cut off by its end":                      {stream(event(progress) + "data: " + goodAnswer + "\n"), "fail c1"},
		"cut off after the answer":                {stream(event(progress) + event(goodAnswer) + "data: {"), "pass c1"},
		"another type holds the answer":           {stream("event: x\n" + event(goodAnswer)), "fail c1"},
		"another type holds it in a batch":        {stream("event: x\n" + event("["+progress+","+goodAnswer+"]")), "fail c1"},
		"another type holds a notice":             {stream("event: x\n" + event(progress) + event(goodAnswer)), "pass c1"},
		"another type holds something of its own": {stream("event: x\n" + event(none) + event(goodAnswer)), "pass c1"},
		"broken beside an HTTP error":             {call(400, eventStream, event("hello")), ""},
		"whole beside an HTTP error":              {call(400, eventStream, event(progress)), ""},
		"in answer to a notification":             {newTape(streamable).then(sends("n", notify, askReady), getsHTTP("n", 200, eventStream, event("hello"))), "pass n"},
		"not labelled":                            {call(200, "text/plain", event(goodAnswer)), "fail c1"},
		"not labelled, after a remark":            {call(200, "text/plain", ": hi\n\nid: 4\n"+event("hello")+event(goodAnswer)), "fail c1"},
		"not labelled, and prose":                 {call(200, "text/plain", event("hello")), ""},
		"JSON":                                    {call(200, "application/json", goodAnswer), "not applicable"},
		"JSON after an empty answer":              {newTape(streamable).then(sends("n", notify, askReady), getsHTTP("n", 202, "", ""), sends("c1", cancel, askCancel), gets("c1", goodAnswer)), "not applicable"},
		"JSON, and then a stream":                 {newTape(streamable).then(opens("s1"), sends("c1", cancel, askCancel), getsHTTP("c1", 200, eventStream, event(goodAnswer))), "pass c1"},
		"JSON, and then one not labelled":         {newTape(streamable).then(opens("s1"), sends("c1", cancel, askCancel), getsHTTP("c1", 200, "text/plain", event(goodAnswer))), "fail c1"},
		"taken up again, and broken then": {stream("id: 7\n" + event(progress)).then(getsHTTP("c1", 200, eventStream, event("hello"))),
			"pass c1, fail c1"},
		"cut by the network": {newTape(streamable).then(sends("c1", cancel, askCancel), func(t *tape) {
			t.receive("c1", "s1", conform.Received{Channel: conform.ChannelHTTP, Status: 200, End: conform.Cut, Body: conform.Bytes("data: {"),
				Header: []conform.HeaderField{{Name: "Content-Type", Value: eventStream}}})
		}), "pass c1"},
	})
}

func TestLinesOfStdoutAreMessages(t *testing.T) {
	line := func(body string) *tape { return newTape(stdio).then(gets("", body)) }
	play(t, "PRO-12", map[string]scene{
		"a message":        {line(progress), "pass"},
		"two":              {line(progress).then(gets("", "hello"), gets("", progress)), "pass, fail, pass"},
		"a batch":          {line("[" + progress + "," + progress + "]"), "pass"},
		"a batch with one": {line("[" + progress + ",3]"), "fail"},
		"a blank line":     {line(" \t"), ""},
		"cut off": {newTape(stdio).then(func(t *tape) {
			t.receive("", "s1", conform.Received{Channel: conform.ChannelStdout, Body: conform.Bytes(`{"a`), End: conform.Cut})
		}), "inconclusive"},
	})
}

func TestListsOfTools(t *testing.T) {
	list1 := func(result string) *tape {
		return newTape(stdio).then(sends("l", list, askList), gets("l", `{"jsonrpc":"2.0","id":2,"result":`+result+`}`))
	}
	page := func(call string, id string, cursor, result string) step {
		return func(t *tape) {
			t.then(sends(call, list, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/list","params":{"cursor":`+cursor+`}}`), gets(call, `{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`))
		}
	}
	agreed := func(c *tape) *tape { c.header.Target.Protocol = "2025-11-25"; return c }
	const ok = "pass l, pass l"
	play(t, "PRO-13", map[string]scene{
		"one page":                     {list1(`{"tools":[{"name":"a"},{"name":"b"}]}`), ok},
		"tools without names":          {list1(`{"tools":[{},{},{"name":3}]}`), ok},
		"a doubled name behind them":   {list1(`{"tools":[{},{"name":"a"},{"name":"a"}]}`), "fail l, pass l"},
		"a name of nothing":            {agreed(list1(`{"tools":[{"name":""},{"name":"a"}]}`)), "pass l, pass l, pass l"},
		"no name":                      {agreed(list1(`{"tools":[{"name":"a"},{}]}`)), "pass l, pass l, pass l"},
		"a name with a blank":          {agreed(list1(`{"tools":[{"name":"a"},{"name":"a b"}]}`)), "pass l, pass l, fail l"},
		"on the second page":           {agreed(list1(`{"tools":[{"name":"a"}],"nextCursor":"x"}`).then(page("m", "3", `"x"`, `{"tools":[{"name":"a b"}]}`))), "pass l, pass m, fail m"},
		"a cursor of null":             {list1(`{"tools":[],"nextCursor":null}`), ok},
		"a cursor of nothing":          {list1(`{"tools":[],"nextCursor":""}`), "pass l, inconclusive l"},
		"no list":                      {list1(`{"tools":{}}`), ""},
		"an error":                     {newTape(stdio).then(sends("l", list, askList), gets("l", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}`)), ""},
		"tools in a tool's own answer": {newTape(stdio).then(sends("c1", cancel, askCancel), gets("c1", result(`{"content":[],"tools":[{"name":"a"},{"name":"a"}]}`))), ""},
		"read twice":                   {list1(`{"tools":[{"name":"a"}]}`).then(sends("l2", list, askedAs(9, "tools/list")), gets("l2", `{"jsonrpc":"2.0","id":9,"result":{"tools":[{"name":"a"}]}}`)), ok + ", pass l2, pass l2"},
		"read by two sessions":         {list1(`{"tools":[{"name":"a"}]}`).then(page("s2/l", "2", `"x"`, `{"tools":[{"name":"a"}]}`)), ok + ", pass s2/l, pass s2/l"},
		"begun in the middle":          {newTape(stdio).then(page("l", "2", `"x"`, `{"tools":[]}`)), ok},
		"the cursor that it was asked": {list1(`{"tools":[],"nextCursor":"x"}`).then(page("m", "3", `"x"`, `{"tools":[],"nextCursor":"x"}`)), "pass l, fail m"},
		"a number, as it was asked":    {list1(`{"tools":[],"nextCursor":1}`).then(page("m", "3", `1`, `{"tools":[],"nextCursor":2}`)), "pass l, inconclusive m"},
		"the one before the last":      {list1(`{"tools":[],"nextCursor":"x"}`).then(page("m", "3", `"x"`, `{"tools":[],"nextCursor":"y"}`), page("n", "4", `"y"`, `{"tools":[],"nextCursor":"x"}`)), "pass l, fail n"},
		"99 pages":                     {endless(manyPages - 1), "pass list/0, inconclusive list/98, pass list/0"},
	})
}
