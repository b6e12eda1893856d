package protocol

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

func notificationAccepted() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-09", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "A notification gets 202 and no body",
			Text:   "An accepted notification is answered with HTTP 202 and an empty body.",
			Impact: "Clients take the answer for a broken message and drop the connection before the first call.",
			Source: "MCP 2025-11-25, basic/transports, Streamable HTTP, Sending Messages to the Server",
			Needs:  response,
			Good:   `→ {"jsonrpc":"2.0","method":"notifications/initialized"}  ← HTTP 202, no body`,
			Bad:    `→ {"jsonrpc":"2.0","method":"notifications/initialized"}  ← HTTP 200 {"jsonrpc":"2.0","result":{}}`,
			Mend:   "Return 202 Accepted with no body to every message without an id, whether you act on it or not.",
			Since:  set,
			If:     "streamable HTTP, at a revision that has notifications from the client",
		},
		PerServer: true,
		Applies:   notificationApplies,
		Judge:     judgeNotification,
		Missing:   "no notification was sent",
	}
}

func onlyStreamable(s *conform.Subject) string {
	if t := transport(s.Recording); t != "" && t != streamable {
		return "only streamable HTTP has this rule, the transport is " + t
	}
	return ""
}

// notificationApplies: a run that only ever made per-request calls sends none.
func notificationApplies(s *conform.Subject) string {
	if why := onlyStreamable(s); why != "" {
		return why
	}
	modern := false
	for _, c := range s.Calls {
		m := asked(c)
		if m.Kind == frame.Notification || m.Method == "initialize" {
			return ""
		}
		modern = modern || perRequest(m) >= revMeta
	}
	if modern {
		return "revision " + revMeta + " has no notification from the client over HTTP"
	}
	return ""
}

func judgeNotification(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		if asked(c).Kind != frame.Notification {
			continue
		}
		all := ofCall(c)
		if len(all) == 0 {
			looks = append(looks, lost(c, "no reply was recorded"))
			continue
		}
		looks = append(looks, all[len(all)-1].acknowledged())
	}
	return looks
}

// acknowledged judges the answer to a notification. Refusing one by an HTTP
// error is lawful, and says nothing of how an accepted one is answered.
func (r *reception) acknowledged() conform.Look {
	in := r.in.Received
	const want = "HTTP 202 without a body"
	switch {
	case in.Status == 0:
		return r.unclear(told(in))
	case !r.good():
		return r.unclear(fmt.Sprintf("the notification was not accepted: HTTP %d", in.Status))
	case in.Status != 202:
		return r.failed(fault{want: want, got: fmt.Sprintf("HTTP %d", in.Status), text: in.Body})
	case len(in.Body) > 0:
		return r.failed(fault{want: want, got: fmt.Sprintf("HTTP 202 with %d bytes", len(in.Body)), text: in.Body})
	case in.End != conform.Complete:
		return r.unclear(told(in))
	}
	return r.passed()
}
