package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func status(code int) *int { return &code }

// opens is a session's handshake under the id 1.
func opens(session string) step {
	return func(t *tape) {
		id := session + "/init"
		t.then(sends(id, initialize, askInit), gets(id, goodInit))
	}
}

func TestAProcessThatEndsIsJudgedByTheCallsThatWereOut(t *testing.T) {
	zero, signal := 0, -1
	const out, gone, pass = "fail c1", "inconclusive c2", "pass s1/init"
	// begun is a session with a call out.
	begun := func(then ...step) *tape {
		return newTape(stdio).then(opens("s1"), sends("c1", cancel, cancelAs(3))).then(then...)
	}
	play(t, "PRO-15", map[string]scene{
		"with exit code 0":      {begun(processEnds("s1", &zero, conform.Cut)), out},
		"by a signal":           {begun(processEnds("s1", &signal, conform.Cut)), out},
		"killed":                {begun(processIsEnded("s1", "killed")), "inconclusive c1"},
		"terminated":            {begun(processIsEnded("s1", "terminated")), "inconclusive c1"},
		"killed behind a shell": {begun(processEnds("s1", status(137), conform.Cut)), "inconclusive c1"},
		"a breakdown":           {begun(processIsEnded("s1", "segmentation fault")), out},
		"a breakdown by abort":  {begun(processEnds("s1", status(134), conform.Cut)), out},
		"nobody knows how":      {begun(processEnds("s1", nil, conform.Cut)), out},
		"the run ended in time": {begun(processEnds("s1", one(), conform.Cut), runEnds(conform.EndDone)), out},
		"we were interrupted":   {begun(processEnds("s1", one(), conform.Cut), runEnds(conform.EndInterrupted)), "inconclusive c1"},
		"we were terminated":    {begun(processEnds("s1", one(), conform.Cut), runEnds(conform.EndTerminated)), "inconclusive c1"},
		"we ended it":           {begun(processEnds("s1", &signal, conform.Stopped), runEnds(conform.EndDone)), "inconclusive c1"},

		"the line could not be written": {begun(ends("c1", conform.Refused), processEnds("s1", one(), conform.Cut)), out},
		"after a notice of the call":    {begun(gets("c1", `{"jsonrpc":"2.0","method":"notifications/progress"}`), processEnds("s1", one(), conform.Cut)), out},
		"the answer was too large":      {begun(ends("c1", conform.TooLarge), processEnds("s1", one(), conform.Cut)), ""},
		"one given up, another out":     {begun(ends("c1", conform.TimedOut), sends("c2", cancel, cancelAs(4)), processEnds("s1", one(), conform.Cut)), "fail c2"},
		"we had given the call up":      {begun(ends("c1", conform.TimedOut), processEnds("s1", one(), conform.Cut)), ""},
		"a notification is no call":     {newTape(stdio).then(opens("s1"), sends("n", notify, askReady), processEnds("s1", one(), conform.Cut)), ""},
		"two messages are no call":      {newTape(stdio).then(opens("s1"), sends("c1", cancel, "["+cancelAs(3)+","+cancelAs(4)+"]"), processEnds("s1", one(), conform.Cut)), ""},
		"the first of two calls out":    {begun(sends("c2", cancel, cancelAs(4)), processEnds("s1", one(), conform.Cut)), out},
		"the second is the one that was out": {begun(gets("c1", answerAs(3)), sends("c2", cancel, cancelAs(4)), processEnds("s1", one(), conform.Cut)),
			pass + ", fail c2"},
		"a planned call was never sent": {newTape(stdio).then(opens("s1"), planned("c1", cancel), processEnds("s1", one(), conform.Cut)), ""},

		"another session has the call": {newTape(stdio).then(opens("s1"), opens("s2"), sends("s2/c1", cancel, cancelAs(3)), processEnds("s1", one(), conform.Cut)), ""},
		"two processes, each with a call": {newTape(stdio).then(opens("s1"), opens("s2"), sends("s1/c1", cancel, cancelAs(3)), sends("s2/c1", cancel, cancelAs(3)),
			processEnds("s1", one(), conform.Cut), processEnds("s2", one(), conform.Cut)), "fail s1/c1, fail s2/c1"},
		"two processes, stopped with their calls": {newTape(stdio).then(opens("s1"), opens("s2"), sends("s1/c1", cancel, cancelAs(3)), sends("s2/c1", cancel, cancelAs(3)),
			processEnds("s1", one(), conform.Stopped), processEnds("s2", one(), conform.Stopped)), "inconclusive s1/c1, inconclusive s2/c1"},
		"none of two processes had answered": {newTape(stdio).then(sends("s1/init", initialize, askInit), sends("s2/init", initialize, askInit),
			processEnds("s1", one(), conform.Cut), processEnds("s2", one(), conform.Cut)), "inconclusive s1/init, inconclusive s2/init"},
		"the other one had answered": {newTape(stdio).then(sends("s1/init", initialize, askInit), opens("s2"), processEnds("s1", one(), conform.Cut)), "fail s1/init"},

		"between calls, and the next is refused": {begun(gets("c1", answerAs(3)), processEnds("s1", one(), conform.Cut), sends("c2", cancel, cancelAs(4)), ends("c2", conform.Refused)),
			pass + ", " + gone},
		"between calls, and the next is answered": {begun(gets("c1", answerAs(3)), processEnds("s1", one(), conform.Cut), sends("c2", cancel, cancelAs(4)), gets("c2", answerAs(4))),
			pass + ", pass c1"},
		"between calls, and another session goes on": {begun(gets("c1", answerAs(3)), processEnds("s1", one(), conform.Cut), planned("s2/c2", cancel)), pass},
		"between calls, when we closed its input":    {begun(gets("c1", answerAs(3)), processEnds("s1", &zero, conform.Complete), sends("n", notify, askReady)), pass},
		"between calls, because we stopped":          {begun(gets("c1", answerAs(3)), processEnds("s1", one(), conform.Stopped), planned("c2", cancel)), pass},
		"two between calls": {newTape(stdio).then(opens("s1"), opens("s2"), processEnds("s1", one(), conform.Cut), processEnds("s2", one(), conform.Cut),
			planned("s1/c2", cancel), planned("s2/c2", cancel)), "inconclusive s1/c2, inconclusive s2/c2"},
	})
}

func TestOneServerBehindAURLSurvivesForAllItsSessions(t *testing.T) {
	play(t, "PRO-15", map[string]scene{
		"over HTTP":  {newTape(streamable).then(opens("s1"), opens("s2")), "pass s1/init"},
		"over stdio": {newTape(stdio).then(opens("s1"), opens("s2")), ""},
		"not the one that was answered late": {newTape(stdio).then(opens("s1"), sends("c1", cancel, cancelAs(3)), sends("c2", cancel, cancelAs(4)), gets("c2", answerAs(4)), gets("c1", answerAs(3))),
			"pass s1/init"},
	})
}

// away has a server go away after a call, as often as there are calls: it refuses
// the next one, and then answers again.
func away(t *tape, calls ...conform.Planned) *tape {
	for i, p := range calls {
		id := string(rune('a' + i))
		if p.Method != "" {
			t.then(sends(id, p, askedAs(100+i, p.Method)), ends(id, conform.Cut))
		}
		t.then(sends(id+"-next", list, askedAs(200+i, "tools/list")), ends(id+"-next", conform.Refused),
			sends(id+"-back", list, askedAs(300+i, "tools/list")), getsHTTP(id+"-back", 404, "text/plain", ""))
	}
	return t
}

func TestAServerThatGoesAwayIsBlamedOnlyWhereTheSameCallEndsIt(t *testing.T) {
	same := func(tool, arguments string) conform.Planned {
		return conform.Planned{Method: "tools/call", Operation: "cancel", Tool: tool, Arguments: []byte(arguments)}
	}
	a, b, c := same("cancel_products", `{"items":["1"]}`), same("cancel_products", `{"items":["2"]}`), same("get_products", `{"items":["1"]}`)
	open := func() *tape { return newTape(streamable).then(opens("s1")) }
	lost := func(ids string) string {
		var said []string
		for _, id := range ids {
			said = append(said, "inconclusive "+string(id)+"-next")
		}
		return strings.Join(said, ", ")
	}
	play(t, "PRO-15", map[string]scene{
		"once":                       {away(open(), a), lost("a")},
		"twice, other items":         {away(open(), a, b), lost("ab")},
		"twice, another tool":        {away(open(), a, c), lost("ab")},
		"twice, a list":              {away(open(), list, list), lost("ab")},
		"twice, no call was out":     {away(open(), conform.Planned{}, conform.Planned{}), lost("ab")},
		"once out, once between":     {away(open(), a, conform.Planned{}), lost("ab")},
		"once between, once out":     {away(open(), conform.Planned{}, a), lost("ab")},
		"the same call, twice":       {away(open(), a, a), "fail b"},
		"the same call, three times": {away(open(), a, a, a), "fail b, fail c"},
		"the same as the second":     {away(open(), a, b, b), "fail c"},
		"cut in the middle of an answer": {func() *tape {
			t := open()
			for i, id := range []string{"a", "b"} {
				t.then(sends(id, a, cancelAs(100+i)), func(t *tape) {
					t.receive(id, "s1", conform.Received{Channel: conform.ChannelHTTP, Status: 200, End: conform.Cut})
				}, sends(id+"-next", list, askedAs(200+i, "tools/list")), ends(id+"-next", conform.Refused),
					sends(id+"-back", list, askedAs(300+i, "tools/list")), getsHTTP(id+"-back", 404, "text/plain", ""))
			}
			return t
		}(), "fail b"},
		"it was never there": {newTape(streamable).then(sends("c1", initialize, askInit), ends("c1", conform.Refused)), ""},
		"it stays away": {away(open()).then(sends("x", list, askedAs(5, "tools/list")), ends("x", conform.Refused),
			sends("y", list, askedAs(6, "tools/list")), ends("y", conform.Refused)), "inconclusive x"},
		"a call that was cut and a later one that was answered": {open().then(sends("x", a, cancelAs(7)), ends("x", conform.Cut),
			sends("y", list, askedAs(8, "tools/list")), gets("y", goodList), sends("z", list, askedAs(9, "tools/list")), ends("z", conform.Refused),
			sends("u", a, cancelAs(10)), ends("u", conform.Cut)), "inconclusive z"},
	})
}
