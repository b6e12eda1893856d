package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// asksTold is a call that asks to be told of progress by a token, as JSON.
func asksTold(call string, id int, token string) step {
	return sends(call, cancel, strings.Replace(cancelAs(id), `"params":{`, `"params":{"_meta":{"progressToken":`+token+`},`, 1))
}

// tells is a notification of progress; further members of params behind it.
func tells(token, progress string, further ...string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s%s}}`, token, progress, strings.Join(further, ""))
}

const becameTask = `{"jsonrpc":"2.0","id":3,"result":{"task":{"taskId":"t-1","status":"working"}}}`

func TestProgressNamesWhatAskedForIt(t *testing.T) {
	pipe := func(steps ...step) *tape { return newTape(stdio).then(asksTold("c1", 3, "3")).then(steps...) }
	web := func(events ...string) *tape {
		return newTape(streamable).then(asksTold("c1", 3, "3"), getsHTTP("c1", 200, eventStream, event(strings.Join(events, "\n\ndata: "))))
	}
	none := sends("c1", cancel, cancelAs(3))
	const right, wrong, na = "pass c1", "fail", "not applicable"
	play(t, "PRO-16", map[string]scene{
		"the token on the pipe":          {pipe(gets("", tells("3", "1")), gets("c1", answerAs(3))), right},
		"the token in the stream":        {web(tells("3", "1"), tells("3", "2"), answerAs(3)), "pass c1, pass c1"},
		"a text":                         {newTape(stdio).then(asksTold("c1", 3, `"t-3"`), gets("", tells(`"t-3"`, "1")), gets("c1", answerAs(3))), right},
		"the number as a text":           {pipe(gets("", tells(`"3"`, "1")), gets("c1", answerAs(3))), wrong},
		"the number as a text, streamed": {web(tells(`"3"`, "1"), answerAs(3)), "fail c1"},
		"another's":                      {pipe(gets("", tells("4", "1")), gets("c1", answerAs(3))), wrong},
		"one that comes later":           {pipe(gets("", tells("4", "1")), asksTold("c2", 4, "4"), gets("c1", answerAs(3)), gets("c2", answerAs(4))), wrong},
		"one of another session":         {pipe(asksTold("s2/c1", 4, "4"), gets("", tells("4", "1")), gets("c1", answerAs(3))), wrong},
		"of another call, streamed": {newTape(streamable).then(asksTold("c1", 3, "3"), asksTold("c2", 4, "4"),
			getsHTTP("c2", 200, eventStream, event(tells("3", "1"))+event(answerAs(4)))), right},
		"no token at all":        {pipe(gets("", progress), gets("c1", answerAs(3))), wrong},
		"null":                   {pipe(gets("", tells("null", "1")), gets("c1", answerAs(3))), wrong},
		"nobody asked":           {newTape(stdio).then(none, gets("", tells("3", "1")), gets("c1", answerAs(3))), wrong},
		"none is told":           {pipe(gets("c1", answerAs(3))), na},
		"none is told, or asked": {newTape(stdio).then(none, gets("c1", answerAs(3))), na},
		"beside HTTP 400":        {newTape(streamable).then(asksTold("c1", 3, "3"), getsHTTP("c1", 400, "application/json", tells(`"x"`, "1"))), wrong + " c1"},
		"the call was lost":      {pipe(ends("c1", conform.Cut)), na},
		"it was to be asked": {newTape(stdio).then(none, gets("c1", answerAs(3)), func(t *tape) {
			t.add(conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Scenario: "progress", Reason: "has no items", Checks: []string{"PRO-16"}}})
		}), ""},
	})
}

func TestProgressGoesForward(t *testing.T) {
	pipe := func(lines ...string) *tape {
		tape := newTape(stdio).then(asksTold("c1", 3, "3"), asksTold("c2", 4, "4"))
		for _, text := range lines {
			tape.then(gets("", text))
		}
		return tape
	}
	stream := func(call string, lines ...string) step {
		return getsHTTP(call, 200, eventStream, event(strings.Join(lines, "\n\ndata: ")))
	}
	two := newTape(streamable).then(asksTold("c1", 3, "3"), asksTold("c2", 4, "4"))
	again := func(t *tape) { t.then(asksTold("c1", 3, "3")) }
	play(t, "PRO-17", map[string]scene{
		"up":                      {pipe(tells("3", "1"), tells("3", "2", `,"total":2`)), "pass c1, pass c1"},
		"from nothing":            {pipe(tells("3", "0"), tells("3", "0.5"), tells("3", "1e1")), "pass c1, pass c1, pass c1"},
		"from below":              {pipe(tells("3", "-2"), tells("3", "-1.5")), "pass c1, pass c1"},
		"two calls":               {pipe(tells("3", "5"), tells("4", "1"), tells("3", "6"), tells("4", "2")), "pass c1, pass c2, pass c1, pass c2"},
		"it stands still":         {pipe(tells("3", "1"), tells("3", "1")), "pass c1, fail c1"},
		"it goes back":            {pipe(tells("3", "2"), tells("3", "1"), tells("3", "3")), "pass c1, fail c1, pass c1"},
		"beyond what can be read": {pipe(tells("3", "9007199254740992"), tells("3", "9007199254740993")), "pass c1, pass c1"},
		"beyond its total":        {pipe(tells("3", "1", `,"total":2`), tells("3", "3", `,"total":2`)), "pass c1, pass c1"},
		"a text":                  {pipe(tells("3", `"1"`)), "fail c1"},
		"none":                    {pipe(strings.Replace(tells("3", "1"), `,"progress":1`, "", 1)), "fail c1"},
		"a total that is a text":  {pipe(tells("3", "1", `,"total":"2"`)), "fail c1"},
		"of a token nobody has":   {pipe(tells("5", "2"), tells("5", "1")), ""},
		"in one stream":           {newTape(streamable).then(asksTold("c1", 3, "3"), stream("c1", tells("3", "2"), tells("3", "2"), answerAs(3))), "pass c1, fail c1"},
		"in two streams":          {two.then(stream("c2", tells("3", "2"), answerAs(4)), stream("c1", tells("3", "1"), answerAs(3))), "pass c1, pass c1"},
		"the call was made anew":  {newTape(streamable).then(asksTold("c0", 3, "3"), stream("c0", tells("3", "2"), answerAs(3)), again, stream("c1", tells("3", "1"), answerAs(3))), "pass c0, pass c1"},
		"a stream taken up again": {newTape(streamable).then(asksTold("c1", 3, "3"), stream("c1", tells("3", "1")), stream("c1", tells("3", "1"), answerAs(3))), "pass c1, fail c1"},
	})
}

func TestProgressEndsWithTheAnswer(t *testing.T) {
	pipe := func(steps ...step) *tape { return newTape(stdio).then(asksTold("c1", 3, "3")).then(steps...) }
	web := func(body string) *tape {
		return newTape(streamable).then(asksTold("c1", 3, "3"), getsHTTP("c1", 200, eventStream, body))
	}
	told := tells("3", "1")
	play(t, "PRO-18", map[string]scene{
		"before it":                {pipe(gets("", told), gets("c1", answerAs(3))), "pass c1"},
		"behind it":                {pipe(gets("c1", answerAs(3)), gets("", told)), "fail c1"},
		"behind it in a batch":     {pipe(gets("c1", "["+answerAs(3)+","+told+"]")), "fail c1"},
		"before it in a batch":     {pipe(gets("c1", "["+told+","+answerAs(3)+"]")), "pass c1"},
		"before it in a stream":    {web(event(told) + event(answerAs(3))), "pass c1"},
		"behind it in a stream":    {web(event(answerAs(3)) + event(told)), "fail c1"},
		"of a task":                {pipe(gets("c1", becameTask), gets("", told)), ""},
		"of a call without answer": {pipe(gets("", told), ends("c1", conform.TimedOut)), "pass c1"},
		"of a call made anew":      {pipe(gets("c1", answerAs(3)), asksTold("c2", 3, "3"), gets("", told), gets("c2", answerAs(3))), "pass c2"},
		"in the stream of a later call": {newTape(streamable).then(asksTold("c1", 3, "3"), getsHTTP("c1", 200, "application/json", answerAs(3)), asksTold("c2", 4, "4"),
			getsHTTP("c2", 200, eventStream, event(told)+event(answerAs(4)))), "fail c1"},
		"in the stream of one beside it": {newTape(streamable).then(asksTold("c1", 3, "3"), asksTold("c2", 4, "4"), getsHTTP("c1", 200, "application/json", answerAs(3)),
			getsHTTP("c2", 200, eventStream, event(told)+event(answerAs(4)))), "pass c1"},
	})
}
