package protocol

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

const sessionField = "Mcp-Session-Id"

func sessionRules() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-10", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Session ids are clean, and end",
			Text:   "A session id is visible ASCII only, and after an accepted DELETE it is answered with HTTP 404.",
			Impact: "Clients cannot carry the session on, or go on using one that was meant to be closed, with its rights.",
			Source: "MCP 2025-11-25, basic/transports, Session Management",
			Needs:  response,
			Good:   "Mcp-Session-Id: 1868a90c-3f21  … DELETE → 204, then POST with that id → 404",
			Bad:    "Mcp-Session-Id: 1868a90c-3f21  … DELETE → 204, then POST with that id → 200",
			Mend:   "Make session ids of the characters 0x21 to 0x7E, forget a session once its DELETE is accepted, and answer 404 to ids you do not know; answer 405 if clients may not end sessions.",
			Since:  set,
			If:     "streamable HTTP, and the server gives a session id",
		},
		PerServer: true,
		Applies:   sessionApplies,
		Judge:     judgeSession,
		Missing:   "initialize was not answered",
	}
}

func sessionApplies(s *conform.Subject) string {
	if why := onlyStreamable(s); why != "" {
		return why
	}
	spoken := false
	for _, c := range s.Calls {
		if m := asked(c); c.Response != nil {
			spoken = spoken || m.Method == "initialize" || perRequest(m) >= revMeta
		}
		if _, given := sessionID(c); given {
			return ""
		}
	}
	if spoken {
		return "the server gave no session id"
	}
	return ""
}

// sessionID is the id an answer to initialize hands out.
func sessionID(c *conform.Call) (id string, given bool) {
	if c.Planned.Method != "initialize" || c.Response == nil {
		return "", false
	}
	for _, f := range c.Response.In.Received.Header {
		if strings.EqualFold(f.Name, sessionField) {
			return f.Value, true
		}
	}
	return "", false
}

func judgeSession(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		if id, given := sessionID(c); given {
			looks = append(looks, visible(answer(c), id))
		}
	}
	return append(looks, judgeDeleted(s)...)
}

func visible(r *reception, id string) conform.Look {
	for i := range len(id) {
		if id[i] < 0x21 || id[i] > 0x7e {
			return r.failed(fault{
				want: "characters from 0x21 to 0x7E only", got: fmt.Sprintf("byte 0x%02X at position %d", id[i], i),
				text: []byte(sessionField + ": " + id),
			})
		}
	}
	if id == "" {
		return r.failed(fault{want: "a session id, or no such field", got: "an empty " + sessionField, text: []byte(sessionField + ":")})
	}
	return r.passed()
}

// judgeDeleted looks at the first request sent to each deleted session.
func judgeDeleted(s *conform.Subject) []conform.Look {
	x := exchanges(s.Recording)
	var looks []conform.Look
	judged := map[string]bool{}
	for _, c := range s.Calls {
		if judged[c.Session] || isDelete(c) || !x.afterDelete(c) || conform.Field(c.Sent.Sent.Header, sessionField) == "" {
			continue
		}
		judged[c.Session] = true
		looks = append(looks, gone(c))
	}
	for _, c := range s.Calls {
		if _, ok := x.deleted[c.Session]; ok && isDelete(c) && !judged[c.Session] {
			judged[c.Session] = true
			looks = append(looks, conform.Look{Verdict: conform.NotRun, Call: c, Reason: "no request followed the accepted DELETE"})
		}
	}
	return looks
}

func gone(c *conform.Call) conform.Look {
	all := ofCall(c)
	if len(all) == 0 {
		return lost(c, "no reply was recorded")
	}
	r := all[len(all)-1]
	in := r.in.Received
	switch {
	case in.Status == 404:
		return r.passed()
	case in.Status == 0:
		return r.unclear(told(in))
	case in.Status >= 500, refusal(in.Status):
		return r.unclear(fmt.Sprintf("HTTP %d came instead of an answer", in.Status))
	}
	return r.failed(fault{
		want: "HTTP 404 for a session whose DELETE was accepted",
		got:  fmt.Sprintf("HTTP %d", in.Status), text: []byte(rawjson.Cut(string(in.Body), excerpt)),
	})
}
