package protocol

import (
	"fmt"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// Without the header's word the bytes tell what they went through.
func TestTransportIsReadOffTheBytesWhereTheHeaderIsSilent(t *testing.T) {
	silent := func(c *tape) *tape {
		c.header.Target.Transport = ""
		return c
	}
	said := func(c *tape) *tape {
		c.header.Target.Transport = "sse"
		return c
	}
	lines, http := newTape(stdio).then(planned("p", list), opens("s1")), newTape(streamable).then(planned("p", list), opens("s1"))
	for name, c := range map[string]struct {
		tape        *tape
		notice, out string // PRO-09 and PRO-12
	}{
		"stdio, silent": {silent(lines), "not applicable", "pass"},
		"HTTP, silent":  {silent(http), "not-run", "not applicable"},
		"HTTP, as said": {said(newTape(streamable).then(opens("s1"))), "not applicable", "not applicable"},
		"nothing sent":  {silent(newTape(stdio).then(planned("p", list))), "not-run", "not-run"},
	} {
		got, _ := verdicts(t, c.tape.recording())
		if got["PRO-09"] != c.notice || got["PRO-12"] != c.out {
			t.Errorf("%s: PRO-09 %s, PRO-12 %s, wanted %s and %s", name, got["PRO-09"], got["PRO-12"], c.notice, c.out)
		}
	}
}

func TestNotificationsAreAcknowledged(t *testing.T) {
	plain := newTape(streamable)
	gone := func(call string, status int, end conform.End, body string) step {
		return func(t *tape) {
			t.receive(call, "s1", conform.Received{Channel: conform.ChannelHTTP, Status: status, End: end, Body: conform.Bytes(body)})
		}
	}
	notified := func(steps ...step) *tape {
		return newTape(streamable).then(sends("n", notify, askReady)).then(steps...)
	}
	modern := func(steps ...step) *tape {
		return newTape(streamable).then(sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer)).then(steps...)
	}
	play(t, "PRO-09", map[string]scene{
		"nothing was sent":                   {plain, ""},
		"202, no body":                       {notified(getsHTTP("n", 202, "", "")), "pass n"},
		"202, a body":                        {notified(getsHTTP("n", 202, "", "x")), "fail n"},
		"200":                                {notified(getsHTTP("n", 200, "", "")), "fail n"},
		"204":                                {notified(getsHTTP("n", 204, "", "")), "fail n"},
		"400":                                {notified(getsHTTP("n", 400, "", "")), "inconclusive n"},
		"no reply":                           {notified(), "inconclusive n"},
		"two":                                {notified(getsHTTP("n", 202, "", ""), sends("n2", notify, askReady), getsHTTP("n2", 204, "", "")), "pass n, fail n2"},
		"two, and no reply to either":        {notified(sends("n2", notify, askReady)), "inconclusive n, inconclusive n2"},
		"no answer in time":                  {notified(ends("n", conform.TimedOut)), "inconclusive n"},
		"202, and cut":                       {notified(gone("n", 202, conform.Cut, "")), "inconclusive n"},
		"202, cut within a body":             {notified(gone("n", 202, conform.Cut, "x")), "fail n"},
		"429, and then 202":                  {notified(getsHTTP("n", 429, "", ""), getsHTTP("n", 202, "", "")), "pass n"},
		"after a request":                    {newTape(streamable).then(opens("s1"), sends("n", notify, askReady), getsHTTP("n", 202, "", "")), "pass n"},
		"a handshake that was refused":       {newTape(streamable).then(sends("i", initialize, askInit), getsHTTP("i", 400, "", "")), ""},
		"a call of no known revision":        {newTape(streamable).then(sends("c1", cancel, askCancel)), ""},
		"calls with their own":               {modern(), "not applicable"},
		"calls with their own, and others":   {modern(sends("c2", cancel, cancelAs(4))), "not applicable"},
		"with their own, and a notification": {modern(sends("n", notify, askReady), getsHTTP("n", 202, "", "")), "pass n"},
		"with an older one of their own":     {newTape(streamable).then(sends("c1", cancel, under("2025-11-25", 3))), ""},
		"others, and then a handshake":       {modern(opens("s2")), ""},
	})
}

func TestSessionIDs(t *testing.T) {
	given := func(session, id string, also ...conform.HeaderField) step {
		return func(t *tape) {
			call := session + "/init"
			t.then(sends(call, initialize, askInit))
			t.http(call, session, 200, "application/json", goodInit, append(also, conform.HeaderField{Name: "MCP-Session-ID", Value: id})...)
		}
	}
	play(t, "PRO-10", map[string]scene{
		"the first and the last of the visible": {newTape(streamable).then(given("s1", "!~")), "pass s1/init"},
		"a blank":                               {newTape(streamable).then(given("s1", "a ")), "fail s1/init"},
		"delete":                                {newTape(streamable).then(given("s1", "a\x7f")), "fail s1/init"},
		"none of two":                           {newTape(streamable).then(given("s1", "a"), given("s2", "é")), "pass s1/init, fail s2/init"},
		"after other fields":                    {newTape(streamable).then(given("s1", "a", conform.HeaderField{Name: "X", Value: "é"})), "pass s1/init"},
		"none given":                            {newTape(streamable).then(opens("s1")), "not applicable"},
		"given, but not by the handshake": {newTape(streamable).then(opens("s1"), sends("l", list, askList), func(t *tape) {
			t.http("l", "s1", 200, "application/json", goodList, alias)
		}), "not applicable"},
		"given beside no response": {newTape(streamable).then(sends("i", initialize, askInit), func(t *tape) {
			t.http("i", "s1", 400, "application/json", "{}", alias)
		}), ""},
		"a handshake in vain":           {newTape(streamable).then(sends("i", initialize, askInit)), ""},
		"a list without a handshake":    {newTape(streamable).then(sends("l", list, askList), gets("l", goodList)), ""},
		"calls with a revision":         {newTape(streamable).then(sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer)), "not applicable"},
		"and one without":               {newTape(streamable).then(sends("c1", cancel, under("2026-07-28", 3)), gets("c1", goodAnswer), sends("c2", cancel, cancelAs(4)), gets("c2", answerAs(4))), "not applicable"},
		"calls with an older revision":  {newTape(streamable).then(sends("c1", cancel, under("2025-11-25", 3)), gets("c1", goodAnswer)), ""},
		"calls with one, not answered":  {newTape(streamable).then(sends("c1", cancel, under("2026-07-28", 3))), ""},
		"a handshake, then its session": {newTape(streamable).then(opens("s2"), given("s1", "é")), "fail s1/init"},
	})
}

func TestADeletedSessionIsGone(t *testing.T) {
	const opened = "pass connect/s1/initialize"
	after := func(call string, status int) step {
		return func(t *tape) {
			t.then(sends(call, list, askedAs(9, "tools/list")), getsHTTP(call, status, "application/json", "{}"))
		}
	}
	scenes := map[string]scene{
		"nothing follows":         {deleted(204), opened + ", not-run connect/s1/delete"},
		"it was refused":          {deleted(405).then(after("x", 200)), opened},
		"only the first is asked": {deleted(204).then(after("x", 404), after("y", 200)), opened + ", pass x"},
		"one that was not sent":   {deleted(204).then(planned("x", list), after("y", 404)), opened + ", pass y"},
		"no reply":                {deleted(204).then(sends("x", list, askedAs(9, "tools/list"))), opened + ", inconclusive x"},
		"no answer":               {deleted(204).then(sends("x", list, askedAs(9, "tools/list")), ends("x", conform.TimedOut)), opened + ", inconclusive x"},
		"without its id": {deleted(204).then(func(t *tape) {
			t.ask("x", "s1", list, askedAs(9, "tools/list"))
			t.http("x", "s1", 200, "application/json", "{}")
		}, after("y", 404)), opened + ", pass y"},
		"two sessions":                 {deleted(204).then(deletes("s2/d", 204), after("x", 404), after("s2/x", 200)), opened + ", pass x, fail s2/x"},
		"another session":              {deleted(204).then(after("s2/x", 200)), opened + ", not-run connect/s1/delete"},
		"waited out":                   {deleted(204).then(sends("x", list, askedAs(9, "tools/list")), getsHTTP("x", 429, "", ""), getsHTTP("x", 404, "", "")), opened + ", pass x"},
		"deleted once more":            {deleted(204).then(deletes("again", 404)), opened + ", not-run connect/s1/delete"},
		"deleted twice, both accepted": {deleted(204).then(deletes("again", 204)), opened + ", not-run connect/s1/delete"},
	}
	for status, says := range map[int]string{
		404: "pass", 200: "fail", 400: "fail", 409: "fail", 499: "fail",
		401: "inconclusive", 403: "inconclusive", 429: "inconclusive", 500: "inconclusive", 503: "inconclusive",
	} {
		scenes[fmt.Sprintf("HTTP %d", status)] = scene{deleted(204).then(after("x", status)), opened + ", " + says + " x"}
	}
	play(t, "PRO-10", scenes)
}
