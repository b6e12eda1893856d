package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`

func event(data string) string { return "data: " + data + "\n\n" }

// cancels is our word that a call is given up.
func cancels(call string, id int) step {
	return sends(call+"/cancel", conform.Planned{Role: conform.RoleLifecycle, Method: "notifications/cancelled"},
		fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
}

func TestEveryRequestIsHeldToOneResponse(t *testing.T) {
	lines := func(steps ...step) *tape { return newTape(stdio).then(sends("c1", cancel, cancelAs(3))).then(steps...) }
	http := func(steps ...step) *tape {
		return newTape(streamable).then(sends("c1", cancel, cancelAs(3))).then(steps...)
	}
	stream := func(body string) step { return getsHTTP("c1", 200, eventStream, body) }
	json := func(status int, body string) step { return getsHTTP("c1", status, "application/json", body) }
	const other = `{"jsonrpc":"2.0","id":99,"result":{}}`
	again := func(t *tape) {
		t.add(conform.Observation{Kind: conform.KindSent, Call: "c1", Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Body: conform.Bytes(cancelAs(3))}})
	}
	plan := func(call string, p conform.Planned, id int) *tape {
		return newTape(stdio).then(sends(call, p, askedAs(id, p.Method)))
	}
	scenes := map[string]scene{
		"answered":                          {lines(gets("c1", answerAs(3))), "pass c1"},
		"an id of two sessions":             {lines(gets("c1", answerAs(3)), sends("s2/c1", cancel, cancelAs(3)), gets("s2/c1", answerAs(3))), "pass c1, pass s2/c1"},
		"several, the first is answered":    {lines(sends("c2", cancel, cancelAs(4)), gets("c1", answerAs(3))), "pass c1, inconclusive c2"},
		"a batch answers two":               {lines(sends("c2", cancel, cancelAs(4)), gets("c1", "["+answerAs(3)+","+answerAs(4)+"]")), "pass c1, pass c2"},
		"twice, the second among the stray": {lines(gets("", answerAs(3)), gets("c1", answerAs(3))), "fail c1"},
		"sent twice, answered three times":  {http(again, json(200, answerAs(3)), json(200, answerAs(3)), json(200, answerAs(3))), "fail c1"},
		"sent twice, answered twice":        {http(again, json(200, answerAs(3)), json(200, answerAs(3))), "pass c1"},
		"a response of another's place":     {http(stream(event(other) + event(answerAs(3)))), "pass c1"},
		"it came in another's place": {http(sends("c2", cancel, cancelAs(4)), getsHTTP("c2", 200, eventStream, event(answerAs(3))+event(answerAs(4))), ends("c1", conform.TimedOut)),
			"inconclusive c1, pass c2"},
		"the server numbers its own requests alike": {http(stream(event(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{}}`) + event(answerAs(3)))), "pass c1"},
		"a notification is answered with it":        {http(json(200, answerAs(3)), sends("n", notify, askReady), getsHTTP("n", 200, "application/json", answerAs(3))), "pass c1"},

		"cancelled, and silent":                {lines(cancels("c1", 3)), ""},
		"cancelled, and closed without":        {http(cancels("c1", 3), getsHTTP("c1/cancel", 202, "", ""), stream(event(progress))), ""},
		"another one is cancelled":             {lines(cancels("c2", 4)), "inconclusive c1"},
		"another notification names its id":    {lines(sends("n", notify, `{"jsonrpc":"2.0","method":"notifications/x","params":{"requestId":3}}`)), "inconclusive c1"},
		"a request to cancel is no cancelling": {lines(sends("x", list, `{"jsonrpc":"2.0","id":9,"method":"tasks/cancel","params":{"requestId":3}}`)), "inconclusive c1, inconclusive x"},
		"timed out, and then cancelled":        {http(ends("c1", conform.TimedOut), cancels("c1", 3), getsHTTP("c1/cancel", 202, "", "")), "inconclusive c1"},

		"a ping of the connection": {plan("connect/s1/ping", conform.Planned{Method: "ping"}, 3), ""},
		"a ping of a scenario":     {plan("p1", conform.Planned{Method: "ping"}, 3), "inconclusive p1"},
		"a list of the connection": {plan("connect/s1/tools-list.1", list, 3), "inconclusive connect/s1/tools-list.1"},
		"server/discover":          {plan("connect/s1/discover", discover, 3), ""},
		"initialize":               {plan("connect/s1/initialize", initialize, 3), "inconclusive connect/s1/initialize"},

		"a notice, and nothing more":             {lines(gets("c1", progress)), "inconclusive c1"},
		"no response in a stream to be resumed":  {http(stream(event(progress) + "id: 7\n" + event(progress))), "inconclusive c1"},
		"the second stream cannot be resumed":    {http(stream("id: 7\n"+event(progress)), stream(event(progress))), "inconclusive c1"},
		"an empty stream, taken up again":        {http(stream(""), stream(event(answerAs(3)))), "pass c1"},
		"the session ended under it":             {http(sends("c2", cancel, cancelAs(4)), stream(""), getsHTTP("c2", 404, "", "")), "inconclusive c1, inconclusive c2"},
		"the session had ended before":           {http(getsHTTP("c1", 404, "", ""), sends("c2", cancel, cancelAs(4)), getsHTTP("c2", 200, eventStream, "")), "inconclusive c1, fail c2"},
		"another session ended":                  {http(sends("s2/c2", cancel, cancelAs(4)), stream(""), getsHTTP("s2/c2", 404, "", "")), "fail c1, inconclusive s2/c2"},
		"no response, events without ids":        {http(stream(event(progress) + event(progress))), "fail c1"},
		"the stream is misframed, PRO-11":        {http(stream(event("hello"))), ""},
		"the second stream is misframed":         {http(json(429, `{}`), stream(event("hello"))), ""},
		"another id after a notice, PRO-06":      {http(stream(event(progress) + event(other))), ""},
		"another id beside HTTP 400, PRO-06":     {http(json(400, `{"jsonrpc":"2.0","id":99,"error":{"code":-32600,"message":"no"}}`)), ""},
		"an error for nobody beside HTTP 400":    {http(json(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)), "inconclusive c1"},
		"an error without an id beside HTTP 400": {http(json(400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}`)), "inconclusive c1"},
		"among others":                           {http(json(400, "["+progress+`,{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}]`)), "inconclusive c1"},
		"a notice beside HTTP 400":               {http(json(400, progress)), "fail c1"},
		"a result for nobody beside HTTP 400":    {http(json(400, `{"jsonrpc":"2.0","id":null,"result":{}}`)), "fail c1"},
		"an error in no envelope, HTTP 400":      {http(json(400, `{"error":"no"}`)), "fail c1"},
		"a stream beside HTTP 500":               {http(getsHTTP("c1", 500, eventStream, event(progress))), "fail c1"},
		"prose beside HTTP 500":                  {http(getsHTTP("c1", 500, "text/plain", "oops")), "inconclusive c1"},
		"prose beside HTTP 200":                  {http(getsHTTP("c1", 200, "text/plain", "done")), "fail c1"},
		"a page beside HTTP 200":                 {http(getsHTTP("c1", 200, "text/html", "<html>")), "inconclusive c1"},
		"accepted, and no more":                  {http(getsHTTP("c1", 202, "", "")), "fail c1"},

		"initialize refused by HTTP": {newTape(streamable).then(sends("i", initialize, askInit), getsHTTP("i", 400, "application/json", `{"error":"no"}`)), ""},
		"initialize answered in no envelope": {newTape(streamable).then(sends("i", initialize, askInit), getsHTTP("i", 200, "application/json", `{"protocolVersion":"2025-11-25"}`)),
			"fail i"},
		"two messages in one body are not judged": {newTape(stdio).then(sends("c1", cancel, "["+cancelAs(3)+","+cancelAs(4)+"]")), ""},
	}
	for _, status := range []int{401, 403, 404, 407, 408, 413, 429, 502, 503, 504} {
		scenes[fmt.Sprintf("HTTP %d in JSON", status)] = scene{http(json(status, `{"error":"no"}`)), "inconclusive c1"}
	}
	for _, status := range []int{400, 405, 409, 422, 500, 501} {
		scenes[fmt.Sprintf("HTTP %d in JSON", status)] = scene{http(json(status, `{"error":"no"}`)), "fail c1"}
	}
	play(t, "PRO-04", scenes)
}

// A DELETE that ended the session excuses what was sent on it afterwards, and
// nothing else does.
func TestACallToADeletedSessionNeedsNoResponse(t *testing.T) {
	after := func(status int) *tape {
		return newTape(streamable).then(deletes("d", status), sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 400, "application/json", `{"error":"no"}`))
	}
	play(t, "PRO-04", map[string]scene{
		"accepted":            {after(200), ""},
		"with nothing to say": {after(204), ""},
		"moved":               {after(300), "fail c1"},
		"refused":             {after(405), "fail c1"},
		"never answered":      {after(0), "fail c1"},
		"the call was sent before": {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), deletes("d", 204), getsHTTP("c1", 400, "application/json", `{"error":"no"}`)),
			"fail c1"},
		"the call was only planned": {newTape(streamable).then(deletes("d", 204), planned("c1", cancel)), ""},
	})
}

func TestIDsAreComparedAsTheyWereSent(t *testing.T) {
	withID := func(id string) string { return strings.Replace(goodAnswer, `"id":3`, `"id":`+id, 1) }
	lines := func(steps ...step) *tape {
		return newTape(stdio).then(sends("c1", cancel, cancelAs(3)), sends("c2", cancel, cancelAs(4)), sends("c3", cancel, cancelAs(5))).then(steps...)
	}
	http := func(media, body string) *tape {
		return newTape(streamable).then(sends("c0", cancel, cancelAs(2)), gets("c0", answerAs(2)), sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 200, media, body))
	}
	const nobody = `{"jsonrpc":"2.0","id":98,"result":{}}`
	play(t, "PRO-06", map[string]scene{
		"3":                            {lines(gets("c1", withID("3"))), "pass c1"},
		"3.0":                          {lines(gets("", withID("3.0"))), "inconclusive"},
		"3.5":                          {lines(gets("", withID("3.5"))), "fail"},
		"text with a point":            {newTape(stdio).then(sends("c1", cancel, strings.Replace(askCancel, `"id":3`, `"id":"a.b"`, 1)), gets("", withID(`"a.c"`))), "fail"},
		"30":                           {lines(gets("", withID("30"))), "fail"},
		"text":                         {lines(gets("", withID(`"3"`))), "fail"},
		"a batch on one line":          {lines(gets("c1", "["+withID("3")+","+withID("4")+"]")), "pass c1"},
		"no id":                        {lines(gets("", `{"jsonrpc":"2.0","result":{}}`)), "fail"},
		"over HTTP, no id":             {http("application/json", `{"jsonrpc":"2.0","result":{}}`), "pass c0, fail c1"},
		"over HTTP, another request's": {http("application/json", withID("2")), "pass c0, fail c1"},
		"the second in a stream":       {http(eventStream, event(withID("3"))+event(nobody)), "pass c0, fail c1"},
		"two strangers":                {http(eventStream, event(nobody)+event(withID("97"))), "pass c0, fail c1"},
		"unclear, then a stranger":     {http(eventStream, event(withID("3.0"))+event(nobody)), "pass c0, fail c1"},
		"unclear, then right":          {http(eventStream, event(withID("3.0"))+event(withID("3"))), "pass c0, inconclusive c1"},
		"unclear twice":                {http(eventStream, event(withID("3.0"))+event(withID("3.00"))), "pass c0, inconclusive c1"},
		"a stranger, then unclear":     {http(eventStream, event(nobody)+event(withID("3.0"))), "pass c0, fail c1"},
		"a notice, and a stranger":     {http(eventStream, event(progress)+event(nobody)), "pass c0, fail c1"},
		"only a notice":                {http(eventStream, event(progress)), "pass c0"},
		"a batch of ours is answered":  {newTape(stdio).then(sends("c1", cancel, "["+cancelAs(3)+","+cancelAs(4)+"]"), gets("c1", "["+withID("3")+","+withID("4")+"]")), "pass c1"},
		"over HTTP too":                {newTape(streamable).then(sends("c1", cancel, "["+cancelAs(3)+","+cancelAs(4)+"]"), gets("c1", "["+withID("3")+","+withID("4")+"]")), "pass c1"},
		"another session's":            {lines(gets("s2/x", withID("3"))), "fail"},
		"an error beside HTTP 400":     {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{}}`)), ""},
		"with an id that nobody has":   {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 400, "application/json", `{"jsonrpc":"2.0","id":98,"error":{}}`)), "fail c1"},
		"in no envelope beside HTTP":   {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 400, "application/json", `{"id":98,"error":{}}`)), ""},
		"in answer to a notification":  {newTape(streamable).then(sends("n", notify, askReady), getsHTTP("n", 200, "application/json", nobody)), ""},
		"in answer to a DELETE":        {deleted(204).then(getsHTTP("connect/s1/delete", 200, "application/json", nobody)), "pass connect/s1/initialize, pass list, pass c1, fail connect/s1/delete"},
	})
}

// What a reception holds is told by the one it came in, in the order of arrival.
func TestMessagesBelongToTheReceptionTheyCameIn(t *testing.T) {
	noVersion := strings.Replace(answerAs(3), `"jsonrpc":"2.0",`, "", 1)
	play(t, "PRO-07", map[string]scene{
		"after a refusal in prose": {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 429, "text/plain", "slow"), gets("c1", noVersion)), "fail c1"},
		"stray and tied lines":     {newTape(stdio).then(sends("c1", cancel, cancelAs(3)), gets("", progress), gets("c1", answerAs(3)), gets("", progress)), "pass, pass c1, pass"},
		"two calls that overlap":   {newTape(stdio).then(sends("c1", cancel, cancelAs(3)), sends("c2", cancel, cancelAs(4)), gets("c2", answerAs(4)), gets("c1", answerAs(3))), "pass c2, pass c1"},
		"the second of a stream":   {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 200, eventStream, event(progress)+event(noVersion))), "fail c1"},
		"two that are wrong":       {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 200, eventStream, event(noVersion)+event(`{"method":"x"}`))), "fail c1"},
		"an answer that is none":   {newTape(stdio).then(gets("", "hello")), ""},
		"standard error": {newTape(stdio).then(func(t *tape) {
			t.receive("", "s1", conform.Received{Channel: conform.ChannelStderr, Body: conform.Bytes(noVersion), End: conform.Complete})
		}), ""},
		"beside an HTTP error": {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 400, "application/json", noVersion)), ""},
		"redirected":           {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 300, "application/json", noVersion)), ""},
	})
	play(t, "PRO-05", map[string]scene{
		"the second of a stream": {newTape(streamable).then(sends("c1", cancel, cancelAs(3)), getsHTTP("c1", 200, eventStream, event(answerAs(3))+event(`{"jsonrpc":"2.0","id":3}`))), "fail c1"},
		"only a notice":          {newTape(stdio).then(gets("", progress)), ""},
	})
}
