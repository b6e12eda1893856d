package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// TestNothingIsNoPass: without evidence no check passes, and none fails.
func TestNothingIsNoPass(t *testing.T) {
	for _, transport := range []string{"", streamable, stdio, "sse", rest} {
		rec := newTape(transport).recording()
		said, _ := verdicts(t, rec)
		for id, verdict := range said {
			if verdict != "not-run" && verdict != "not applicable" {
				t.Errorf("transport %q, %s: %s", transport, id, verdict)
			}
		}
	}
}

func TestLegacyRESTHasNoMessages(t *testing.T) {
	said, _ := verdicts(t, newTape(rest).recording())
	for id, verdict := range said {
		if verdict != "not applicable" {
			t.Errorf("%s: %s", id, verdict)
		}
	}
}

// TestWhatCouldNotBeSeenAccusesNobody: each of these leaves a rule open, with a
// reason, and fails none.
func TestWhatCouldNotBeSeenAccusesNobody(t *testing.T) {
	http := func(end conform.End, status int, media, body string) *tape {
		in := conform.Received{Channel: conform.ChannelHTTP, Status: status, Body: conform.Bytes(body), End: end}
		if media != "" {
			in.Header = []conform.HeaderField{{Name: "Content-Type", Value: media}}
		}
		if end != conform.Complete {
			in.Problem = "no reply before the deadline"
		}
		return out(streamable, in)
	}
	stopped := out(stdio, conform.Received{Channel: conform.ChannelExit, End: conform.Complete})
	stopped.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{Partial: true, Class: conform.EndInterrupted}})
	for name, c := range map[string]struct {
		id   string
		tape *tape
		why  string
	}{
		"a timeout":                   {"PRO-04", http(conform.TimedOut, 0, "", ""), "deadline"},
		"a stream cut in an event":    {"PRO-04", http(conform.Cut, 200, "text/event-stream", "data: {\"json"), "deadline"},
		"no reply recorded":           {"PRO-04", out(streamable), "no reply"},
		"a proxy's page":              {"PRO-04", http(conform.Complete, 200, "text/html", "<html>"), "HTML"},
		"a proxy's status":            {"PRO-04", http(conform.Complete, 502, "text/plain", "bad gateway"), "502"},
		"access refused":              {"PRO-04", http(conform.Complete, 403, "application/json", `{"error":"no"}`), "403"},
		"an error that names no call": {"PRO-04", http(conform.Complete, 400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`), "names no request"},
		"HTTP 500 in prose":           {"PRO-04", http(conform.Complete, 500, "text/plain", "oops"), "500"},
		"a stream to be resumed":      {"PRO-04", http(conform.Complete, 200, "text/event-stream", "id: 1\ndata:\n\nretry: 5\n\n"), "resumed"},
		"the id written differently":  {"PRO-06", over(streamable, "application/json", strings.Replace(goodAnswer, `"id":3`, `"id":3.0`, 1)), "differently"},
		"a notification refused":      {"PRO-09", notified(400, "no"), "not accepted"},
		"a page too far":              {"PRO-13", listed(`{"tools":[],"nextCursor":"1"}`), "not read to its end"},
		"the server went away": {"PRO-15", func() *tape {
			c := called(streamable, goodAnswer)
			c.ask("c2", "s1", cancel, strings.Replace(askCancel, `"id":3`, `"id":4`, 1))
			c.receive("c2", "s1", conform.Received{Channel: conform.ChannelHTTP, End: conform.Refused})
			return c
		}(), "target gone"},
		"the child ends between calls": {"PRO-15", func() *tape {
			c := called(stdio, goodAnswer)
			c.receive("", "s1", conform.Received{Channel: conform.ChannelExit, Exit: one(), End: conform.Cut, Problem: "the server process ended by itself (exit status 1)"})
			c.add(conform.Observation{Kind: conform.KindPlanned, Call: "c2", Session: "s1", Planned: &cancel})
			return c
		}(), "target gone"},
		"a timeout that we then cancel": {"PRO-04", func() *tape {
			c := out(stdio, conform.Received{Channel: conform.ChannelStdout, End: conform.TimedOut, Problem: "no answer within 30s"})
			c.ask("c1/cancel", "s1", conform.Planned{Role: conform.RoleLifecycle, Method: "notifications/cancelled"}, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
			return c
		}(), "30s"},
		"a stream that could not be resumed": {"PRO-04", func() *tape {
			c := over(streamable, "text/event-stream", "id: 1\ndata:\n\n")
			c.http("c1", "s1", 405, "application/json", "{}")
			return c
		}(), "resumed"},
		"we stopped the run": {"PRO-15", stopped, "stopped"},
		"a deleted session times out": {"PRO-10", func() *tape {
			c := deleted(204)
			c.ask("connect/s1/after", "s1", list, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, alias)
			c.receive("connect/s1/after", "s1", conform.Received{Channel: conform.ChannelHTTP, End: conform.TimedOut})
			return c
		}(), "timeout"},
		"a deleted session gets 503": {"PRO-10", afterwards(deleted(204), 503, ""), "503"},
		"a line cut off": {"PRO-12", func() *tape {
			c := called(stdio, goodAnswer)
			c.receive("", "s1", conform.Received{Channel: conform.ChannelStdout, Body: conform.Bytes(`{"json`), End: conform.TooLarge, Problem: "longer than 16 MiB"})
			return c
		}(), "16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			said, looks := verdicts(t, c.tape.recording())
			for id, verdict := range said {
				if verdict == "fail" {
					t.Errorf("%s: %+v", id, looks[id])
				}
			}
			if said[c.id] != "inconclusive" {
				t.Fatalf("%s: %s: %+v", c.id, said[c.id], looks[c.id])
			}
			for _, look := range looks[c.id] {
				if look.Verdict == conform.Inconclusive && !strings.Contains(look.Reason, c.why) {
					t.Errorf("reason %q, which should say %q", look.Reason, c.why)
				}
			}
		})
	}
}

// TestTroubleThatIsAnothersLeavesARuleSilent: what looks alike and is lawful.
func TestTroubleThatIsAnothersLeavesARuleSilent(t *testing.T) {
	for name, c := range map[string]*tape{
		"a timed-out call, and the child ends when we close it": out(stdio,
			conform.Received{Channel: conform.ChannelStdout, End: conform.TimedOut, Problem: "no reply before the deadline"},
			conform.Received{Channel: conform.ChannelExit, Exit: one(), End: conform.Complete}),
		"an older server refuses the modern question": func() *tape {
			c := newTape(streamable)
			c.ask("connect/s1/discover", "s1", discover, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`)
			c.http("connect/s1/discover", "s1", 400, "text/plain", "Bad Request")
			return c
		}(),
		"an older server ends at the modern question": func() *tape {
			c := newTape(stdio)
			c.ask("connect/s1/discover", "s1", discover, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`)
			c.receive("", "s1", conform.Received{Channel: conform.ChannelExit, Exit: one(), End: conform.Complete})
			return c
		}(),
		"a modern call answered by older rules": func() *tape {
			c := newTape(streamable)
			c.ask("c1", "s1", cancel, strings.Replace(askCancel, `"arguments"`, meta+`,"arguments"`, 1))
			c.get("c1", "s1", goodAnswer)
			return c
		}(),
		"a cancelled call": func() *tape {
			c := opened(stdio)
			c.ask("c1", "s1", cancel, askCancel)
			c.ask("c1/cancel", "s1", conform.Planned{Role: conform.RoleLifecycle, Method: "notifications/cancelled"}, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
			return c
		}(),
		"a call sent again after 429": func() *tape {
			c := opened(streamable)
			c.ask("c1", "s1", cancel, askCancel)
			c.http("c1", "s1", 429, "application/json", `{"error":"slow down"}`)
			c.add(conform.Observation{Kind: conform.KindSent, Call: "c1", Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Body: conform.Bytes(askCancel)}})
			c.get("c1", "s1", goodAnswer)
			return c
		}(),
		"a ping that only asked whether to wait": func() *tape {
			c := newTape(stdio)
			c.ask("connect/s1/ping", "s1", conform.Planned{Role: conform.RolePing, Method: "ping"}, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			c.receive("connect/s1/ping", "s1", conform.Received{Channel: conform.ChannelStdout, End: conform.TimedOut})
			return c
		}(),
		"a stream left by the reader after the response": over(streamable, "text/event-stream", "data: "+goodAnswer+"\n\ndata: {\"json"),
		"a batch at 2025-03-26": func() *tape {
			c := newTape(stdio)
			c.ask("i", "s1", initialize, askInit)
			c.get("i", "s1", strings.Replace(goodInit, "2025-11-25", "2025-03-26", 1))
			c.get("", "s1", `[{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","method":"notifications/message"}]`)
			return c
		}(),
		"a schema before there were any": func() *tape {
			c := called(stdio, result(`{"content":[]}`))
			c.seen[2].Received.Body = conform.Bytes(strings.Replace(goodInit, "2025-11-25", "2024-11-05", 1))
			return c
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			said, looks := verdicts(t, c.recording())
			for id, verdict := range said {
				if verdict == "fail" || verdict == "inconclusive" && id != "PRO-04" {
					t.Errorf("%s: %s: %+v", id, verdict, looks[id])
				}
			}
		})
	}
}
