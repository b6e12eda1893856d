package protocol

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// tape records by hand what a run would have recorded.
type tape struct {
	header conform.Header
	seen   []conform.Observation
}

func newTape(transport string) *tape {
	return &tape{header: conform.Header{Target: conform.Target{
		Transport:  transport,
		Operations: []conform.Operation{{Name: "cancel", Tool: "cancel_products"}},
	}}}
}

func (t *tape) add(o conform.Observation) {
	o.Seq = int64(len(t.seen) + 1)
	t.seen = append(t.seen, o)
}

// ask plans and sends a request.
func (t *tape) ask(id, session string, p conform.Planned, body string, header ...conform.HeaderField) {
	t.add(conform.Observation{Kind: conform.KindPlanned, Call: id, Session: session, Planned: &p})
	sent := &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Header: header, Body: conform.Bytes(body)}
	if t.header.Target.Transport == stdio {
		sent = &conform.Sent{Channel: conform.ChannelStdin, Body: conform.Bytes(body)}
	}
	t.add(conform.Observation{Kind: conform.KindSent, Call: id, Session: session, Sent: sent})
}

// get records an answer: of the transport's own kind, whole.
func (t *tape) get(id, session, body string) {
	if t.header.Target.Transport == stdio {
		t.receive(id, session, conform.Received{Channel: conform.ChannelStdout, Body: conform.Bytes(body), End: conform.Complete})
		return
	}
	t.http(id, session, 200, "application/json", body)
}

func (t *tape) http(id, session string, status int, media, body string, header ...conform.HeaderField) {
	if media != "" {
		header = append(header, conform.HeaderField{Name: "Content-Type", Value: media})
	}
	t.receive(id, session, conform.Received{
		Channel: conform.ChannelHTTP, Status: status, Header: header, Body: conform.Bytes(body), End: conform.Complete,
	})
}

func (t *tape) receive(id, session string, in conform.Received) {
	t.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: session, Received: &in})
}

func (t *tape) recording() *conform.Recording { return conform.NewRecording(t.header, t.seen) }

// Plans.
var (
	initialize = conform.Planned{Role: conform.RoleLifecycle, Method: "initialize"}
	discover   = conform.Planned{Role: conform.RoleLifecycle, Method: "server/discover"}
	notify     = conform.Planned{Role: conform.RoleLifecycle, Method: "notifications/initialized"}
	list       = conform.Planned{Role: conform.RoleList, Method: "tools/list"}
	cancel     = conform.Planned{Role: conform.RolePrimary, Method: "tools/call", Operation: "cancel", Tool: "cancel_products"}
)

const (
	goodInit   = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`
	goodList   = `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"cancel_products","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"results":{"type":"array"}},"required":["results"]}}]}}`
	goodAnswer = `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"1 of 1 done"}],"structuredContent":{"results":[{"id":"1","success":true}]}}}`
	askInit    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
	askReady   = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	askList    = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	askCancel  = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"cancel_products","arguments":{"items":["1"]}}}`
)

var alias = conform.HeaderField{Name: "Mcp-Session-Id", Value: "session-1"}

// opened is a session up to its list of tools.
func opened(transport string) *tape {
	t := newTape(transport)
	t.ask("connect/s1/initialize", "s1", initialize, askInit)
	if transport == stdio {
		t.get("connect/s1/initialize", "s1", goodInit)
	} else {
		t.http("connect/s1/initialize", "s1", 200, "application/json", goodInit, alias)
	}
	t.ask("connect/s1/initialized", "s1", notify, askReady, alias)
	if transport != stdio {
		t.http("connect/s1/initialized", "s1", 202, "", "")
	}
	t.ask("list", "s1", list, askList, alias)
	t.get("list", "s1", goodList)
	return t
}

// called is an opened session with one call, answered so.
func called(transport, answer string) *tape {
	t := opened(transport)
	t.ask("c1", "s1", cancel, askCancel, alias)
	t.get("c1", "s1", answer)
	return t
}

// verdicts judges a recording by every check, as the judging engine would: fail
// over inconclusive over pass; no look is not run, a reason not applicable.
func verdicts(t *testing.T, rec *conform.Recording) (map[string]string, map[string][]conform.Look) {
	t.Helper()
	return verdictsOf(t, rec, Checks())
}

func verdictsOf(t *testing.T, rec *conform.Recording, checks []conform.Check) (map[string]string, map[string][]conform.Look) {
	t.Helper()
	said, looks := map[string]string{}, map[string][]conform.Look{}
	reasons := map[string]string{}
	for _, check := range checks {
		s := &conform.Subject{Recording: rec, Calls: rec.Calls}
		if !check.PerServer {
			s.Operation = &rec.Header.Target.Operations[0]
			s.Calls = rec.Of(s.Operation.Name)
		}
		if check.Applies != nil {
			if why := check.Applies(s); why != "" {
				said[check.ID], reasons[check.ID] = "not applicable", why
				continue
			}
		}
		looks[check.ID] = check.Judge(s)
		said[check.ID] = worst(looks[check.ID])
	}
	asTold(t, looks, reasons)
	return said, looks
}

func worst(looks []conform.Look) string {
	verdict := conform.NotRun
	for _, l := range looks {
		switch {
		case l.Verdict == conform.Fail:
			return "fail"
		case l.Verdict == conform.Inconclusive:
			verdict = conform.Inconclusive
		case l.Verdict == conform.Pass && verdict == conform.NotRun:
			verdict = conform.Pass
		}
	}
	return verdict.String()
}
