package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func versionAs(revision string) string { return strings.Replace(goodInit, "2025-11-25", revision, 1) }

// agrees is a session's handshake on a revision.
func agrees(session, revision string) step {
	return func(t *tape) {
		id := session + "/init"
		t.then(sends(id, initialize, askInit), gets(id, versionAs(revision)))
	}
}

// offers is an answer to server/discover.
func offers(versions string) step {
	return func(t *tape) {
		t.then(sends("d", discover, `{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{`+meta+`}}`),
			gets("d", `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","supportedVersions":`+versions+`}}`))
	}
}

// under is a call that names its own revision.
func under(revision string, id int) string {
	return strings.Replace(cancelAs(id), `"arguments"`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"`+revision+`"},"arguments"`, 1)
}

func TestARevisionIsOneThatExists(t *testing.T) {
	answersInit := func(result string) *tape {
		return newTape(streamable).then(sends("i", initialize, askInit), gets("i", `{"jsonrpc":"2.0","id":1,"result":`+result+`}`))
	}
	scenes := map[string]scene{
		"a number":               {answersInit(`{"protocolVersion":20251125}`), "fail i"},
		"none":                   {answersInit(`{}`), "fail i"},
		"no object, PRO-05":      {answersInit(`[]`), ""},
		"discover, no object":    {newTape(streamable).then(sends("d", discover, askedAs(7, "server/discover")), gets("d", `{"jsonrpc":"2.0","id":7,"result":3}`)), ""},
		"discover, unanswered":   {newTape(streamable).then(sends("d", discover, askedAs(7, "server/discover"))), ""},
		"offered among others":   {newTape(streamable).then(offers(`["2027-12-01","2026-07-28"]`)), "pass d"},
		"offered as a text":      {newTape(streamable).then(offers(`"2026-07-28"`)), "fail d"},
		"offered as an object":   {newTape(streamable).then(offers(`{"2026-07-28":true}`)), "fail d"},
		"offered as nothing":     {newTape(streamable).then(offers(`[]`)), "fail d"},
		"offered among no texts": {newTape(streamable).then(offers(`[3]`)), "fail d"},
		"no list of what it has": {newTape(streamable).then(sends("d", discover, askedAs(7, "server/discover")), gets("d", `{"jsonrpc":"2.0","id":7,"result":{}}`)), "fail d"},
		"after a call in vain":   {newTape(streamable).then(sends("c0", list, askedAs(9, "tools/list")), agrees("s1", "2025-11-25")), "pass s1/init"},
		"two sessions":           {newTape(streamable).then(agrees("s1", "2025-11-25"), agrees("s2", "1.0")), "pass s1/init, fail s2/init"},
	}
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		scenes[revision] = scene{newTape(streamable).then(agrees("s1", revision)), "pass s1/init"}
	}
	play(t, "PRO-08", scenes)
}

func TestACallThatNamesItsRevisionIsAnsweredByIt(t *testing.T) {
	complete := strings.Replace(goodAnswer, `"content"`, `"resultType":"complete","content"`, 1)
	call := func(versions, revision, answer string) *tape {
		return newTape(streamable).then(offers(versions), sends("c1", cancel, under(revision, 3)), gets("c1", answer))
	}
	const both = `["2026-07-28","2025-11-25"]`
	play(t, "PRO-08", map[string]scene{
		"with resultType":          {call(both, "2026-07-28", complete), "pass d, pass c1"},
		"without":                  {call(both, "2026-07-28", goodAnswer), "pass d, fail c1"},
		"resultType is no text":    {call(both, "2026-07-28", strings.Replace(complete, `"complete"`, `1`, 1)), "pass d, fail c1"},
		"an older one":             {call(both, "2025-11-25", goodAnswer), "pass d"},
		"one that was not offered": {call(`["2026-07-28"]`, "2027-12-01", goodAnswer), "pass d"},
		"a newer one":              {call(`["2026-07-28","2027-12-01"]`, "2027-12-01", goodAnswer), "pass d, fail c1"},
		"an error":                 {call(both, "2026-07-28", `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}`), "pass d"},
		"an error that refuses it": {call(both, "2026-07-28", `{"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"no"}}`), "pass d, fail c1"},
		"a result of a list":       {call(both, "2026-07-28", `{"jsonrpc":"2.0","id":3,"result":[]}`), "pass d"},
		"no answer, then one": {newTape(streamable).then(offers(both), sends("c0", cancel, under("2026-07-28", 2)), sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer)),
			"pass d, fail c1"},
		"offered the second time": {newTape(streamable).then(sends("d0", discover, askedAs(6, "server/discover")), offers(both), sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer)),
			"pass d, fail c1"},
		"offered by nobody who was asked": {newTape(streamable).then(sends("l", list, askList), gets("l", `{"jsonrpc":"2.0","id":2,"result":{"tools":[],"supportedVersions":`+both+`}}`),
			sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer)), ""},
	})
}

func TestAHandshakeThatIsRefusedEachTime(t *testing.T) {
	const no = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`
	const nobody = `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}`
	http := func(status int, media, body string) *tape {
		return newTape(streamable).then(sends("i", initialize, askInit), getsHTTP("i", status, media, body))
	}
	refused := func(body string) step {
		return func(t *tape) { t.then(sends("i", initialize, askInit), gets("i", body)) }
	}
	play(t, "PRO-08", map[string]scene{
		"by an error":                              {newTape(stdio).then(refused(no)), "fail i"},
		"though it answers without one":            {newTape(stdio).then(refused(no), sends("l", list, askList), gets("l", goodList)), "fail i"},
		"after a call":                             {newTape(stdio).then(sends("l", list, askList), gets("l", goodList), refused(no)), "fail i"},
		"but server/discover is answered":          {newTape(stdio).then(refused(no), offers(`["2026-07-28"]`)), "pass d"},
		"with neither result nor error":            {newTape(stdio).then(refused(`{"jsonrpc":"2.0","id":1}`)), ""},
		"one of two, the other in vain":            {newTape(stdio).then(refused(no), sends("s2/i", initialize, askInit)), "fail i"},
		"two of two":                               {newTape(stdio).then(refused(no), sends("s2/i", initialize, askInit), gets("s2/i", no)), "fail i, fail s2/i"},
		"by HTTP 500, and then let in":             {http(500, "text/plain", "oops").then(agrees("s2", "2025-11-25")), "pass s2/init"},
		"twice by HTTP 500":                        {http(500, "text/plain", "oops").then(sends("s2/i", initialize, askInit), getsHTTP("s2/i", 500, "", "")), "fail i, fail s2/i"},
		"by HTTP 501":                              {http(501, "application/json", `{"error":"no"}`), "fail i"},
		"by HTTP 499":                              {http(499, "application/json", `{"error":"no"}`), ""},
		"by a page":                                {http(500, "text/html", "<html>"), ""},
		"by a gateway":                             {http(504, "text/plain", ""), ""},
		"by nobody":                                {newTape(streamable).then(sends("i", initialize, askInit)), ""},
		"by a process that ends":                   {newTape(stdio).then(sends("i", initialize, askInit), ends("i", conform.Cut)), ""},
		"by HTTP 400 with an error":                {http(400, "application/json", nobody), "fail i"},
		"by HTTP 400 with a notice before it":      {http(400, "application/json", "["+progress+","+nobody+"]"), "fail i"},
		"by HTTP 400 with another's error":         {http(400, "application/json", strings.Replace(no, `"id":1`, `"id":99`, 1)), ""},
		"by HTTP 400 with a mere notice":           {http(400, "application/json", progress), ""},
		"by HTTP 400 with an error in no envelope": {http(400, "application/json", `{"error":{"code":1,"message":"no"}}`), ""},
		"by HTTP 401 with an error":                {http(401, "application/json", nobody), ""},
		"it names a revision":                      {newTape(stdio).then(refused(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"supported":["2099-01-01"]}}}`)), ""},
		"it names an empty list":                   {newTape(stdio).then(refused(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"supported":[]}}}`)), "fail i"},
		"it names them in a text":                  {newTape(stdio).then(refused(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"supported":"2099-01-01"}}}`)), "fail i"},
	})
}

func TestMessagesThatARevisionDoesNotHave(t *testing.T) {
	batch := "[" + goodAnswer + "," + progress + "]"
	call := func(revision, media, body string) *tape {
		t := newTape(streamable)
		if revision != "" {
			t.then(agrees("s1", revision))
		}
		return t.then(sends("c1", cancel, askCancel), getsHTTP("c1", 200, media, body))
	}
	const asks = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`
	lines := func(revision string) *tape { return newTape(stdio).then(agrees("s1", revision)) }
	play(t, "PRO-08", map[string]scene{
		"a batch":                              {call("2025-11-25", "application/json", batch), "pass s1/init, fail c1"},
		"a batch where there were any":         {call("2025-03-26", "application/json", batch), "pass s1/init"},
		"a batch where nothing was agreed on":  {call("", "application/json", batch), ""},
		"a batch before a line of known terms": {newTape(stdio).then(gets("s2/x", batch), agrees("s1", "2025-11-25"), gets("", batch)), "pass s1/init, fail"},
		"a batch on a stray line":              {lines("2025-11-25").then(gets("", batch)), "pass s1/init, fail"},
		"a batch on a line of another session": {lines("2025-11-25").then(agrees("s2", "2025-03-26"), gets("s2/x", batch)), "pass s1/init, pass s2/init"},
		"a batch of what is no message":        {call("2025-11-25", "application/json", "[1,2]"), "pass s1/init"},
		"a batch beside an HTTP error":         {newTape(streamable).then(agrees("s1", "2025-11-25"), sends("c1", cancel, askCancel), getsHTTP("c1", 400, "application/json", `[{"id":3,"error":"x"}]`)), "pass s1/init"},
		"a batch in answer to a notification":  {newTape(streamable).then(agrees("s1", "2025-11-25"), sends("n", notify, askReady), getsHTTP("n", 200, "application/json", batch)), "pass s1/init"},
		"a request at 2025-11-25":              {call("2025-11-25", eventStream, event(asks)+event(goodAnswer)), "pass s1/init"},
		"a request at 2026-07-28":              {call("2026-07-28", eventStream, event(progress)+event(asks)+event(goodAnswer)), "pass s1/init, fail c1"},
		"a notice at 2026-07-28":               {call("2026-07-28", eventStream, event(progress)+event(goodAnswer)), "pass s1/init"},
		"the header's word": {func() *tape {
			c := call("", "application/json", batch)
			c.header.Target.Protocol = "2025-11-25"
			return c
		}(), "fail c1"},
		"the handshake's before the header's": {func() *tape {
			c := call("2025-03-26", "application/json", batch)
			c.header.Target.Protocol = "2025-11-25"
			return c
		}(), "pass s1/init"},
		"the handshake's, without its version": {func() *tape {
			c := newTape(streamable).then(sends("i", initialize, askInit), gets("i", `{"jsonrpc":"2.0","id":1,"result":{}}`), sends("c1", cancel, askCancel), gets("c1", batch))
			c.header.Target.Protocol = "2025-11-25"
			return c
		}(), "fail i, fail c1"},
		"a version in another answer": {lines("2025-11-25").then(sends("l", list, askList), gets("l", `{"jsonrpc":"2.0","id":2,"result":{"tools":[],"protocolVersion":"2025-03-26"}}`), gets("", batch)),
			"pass s1/init, fail"},
		"after a call before the handshake": {newTape(stdio).then(sends("l", list, askList), agrees("s1", "2025-11-25"), gets("", batch)), "pass s1/init, fail"},
		"the second handshake of two":       {newTape(stdio).then(agrees("s1", "2025-03-26"), agrees("s2", "2025-11-25"), gets("s2/x", batch)), "pass s1/init, pass s2/init, fail"},
		"the call's word before the session's": {newTape(streamable).then(agrees("s1", "2025-03-26"), sends("c1", cancel, under("2026-07-28", 3)), gets("c1", batch)),
			"pass s1/init, fail c1"},
	})
}
