package protocol

import (
	"bytes"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

func stdoutMessages() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-12", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Only messages on stdout",
			Text:   "Each line a server writes to its standard output is one whole JSON-RPC message, and nothing else is written there.",
			Impact: "One log line on standard output makes many clients drop the server in the middle of their work.",
			Source: "MCP 2025-11-25, basic/transports, stdio",
			Needs:  response,
			Good:   `{"jsonrpc":"2.0","id":7,"result":{}}`,
			Bad:    `server listening on stdio`,
			Mend:   "Send logs and banners to standard error, and write each message on one line, without line breaks inside.",
			Since:  set,
			If:     "the transport is stdio",
		},
		PerServer: true,
		Applies: func(s *conform.Subject) string {
			if t := transport(s.Recording); t != "" && t != stdio {
				return "only stdio has this rule, the transport is " + t
			}
			return ""
		},
		Judge: func(s *conform.Subject) []conform.Look {
			var looks []conform.Look
			for _, r := range receptions(s.Recording) {
				if look, ok := judgeLine(r); ok {
					looks = append(looks, look)
				}
			}
			return looks
		},
		Missing: "nothing came on standard output",
	}
}

// judgeLine judges one line. A blank one is no message, and no harm either.
func judgeLine(r *reception) (conform.Look, bool) {
	in := r.in.Received
	if len(bytes.TrimSpace(in.Body)) == 0 {
		return conform.Look{}, false
	}
	at := slices.IndexFunc(r.messages, broken)
	switch {
	case at < 0:
		return r.passed(), true
	case in.End != conform.Complete:
		return r.unclear(told(in)), true
	}
	return r.failed(fault{want: "one JSON-RPC message per line", got: "a line that is none: " + r.messages[at].Problem, text: in.Body}), true
}

func broken(m frame.Message) bool { return m.Kind == frame.Broken }
