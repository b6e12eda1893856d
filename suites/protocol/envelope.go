package protocol

import (
	"regexp"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func resultOrError() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-05", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Result or error, not both",
			Text:   "A response has either a result, an object, or an error with an integer code and a message, and never both or neither.",
			Impact: "Clients disagree on whether the call succeeded: one reads the result, another the error, a third gives up.",
			Source: "MCP 2025-11-25, basic, Responses; JSON-RPC 2.0, sections 5 and 5.1",
			Needs:  response,
			Good:   `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"unknown tool"}}`,
			Bad:    `{"jsonrpc":"2.0","id":7,"result":{"content":[]},"error":null}`,
			Mend:   "Send result alone on success and error alone on failure; leave the other member out, null is not left out.",
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge: func(s *conform.Subject) []conform.Look {
			return each(s.Recording, badOutcome, isResponse)
		},
		Missing: "no response was received",
	}
}

func badOutcome(_ *reception, m frame.Message) *fault {
	wrong := func(want, got string, node *rawjson.Node) *fault {
		return &fault{want: want, got: got, message: m, node: node}
	}
	switch {
	case m.Result != nil && m.Error != nil:
		return wrong("either result or error", "both: result is "+a(m.Result)+", error is "+a(m.Error), nil)
	case m.Result == nil && m.Error == nil:
		return wrong("either result or error", "neither", nil)
	case m.Result != nil && !m.Result.Is(rawjson.Object):
		return wrong("a result that is an object", a(m.Result), m.Result)
	case m.Result != nil:
		return nil
	case !m.Error.Is(rawjson.Object):
		return wrong("an error that is an object", a(m.Error), m.Error)
	}
	code, text := m.Error.Get("code"), m.Error.Get("message")
	if literal, _ := code.Literal(); !integer.MatchString(literal) {
		return wrong("an error with an integer code", "code is "+shown(code), orElse(code, m.Error))
	}
	if !text.Is(rawjson.String) {
		return wrong("an error with a message, a string", "message is "+shown(text), orElse(text, m.Error))
	}
	return nil
}

// integer tells numbers without a fraction, however they are written.
var integer = regexp.MustCompile(`^-?[0-9]+(\.0+)?([eE]\+?[0-9]+)?$`)

func shown(n *rawjson.Node) string {
	if n.Is(rawjson.Number) || n.Is(rawjson.String) {
		return n.Excerpt(40)
	}
	return a(n)
}

func orElse(n, other *rawjson.Node) *rawjson.Node {
	if n != nil {
		return n
	}
	return other
}

func versionTwo() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-07", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  `jsonrpc is "2.0"`,
			Text:   `Every message has jsonrpc, the string "2.0".`,
			Impact: "Clients that check the envelope drop the message, often together with the connection and every other call on it.",
			Source: "MCP 2025-11-25, basic, Messages; JSON-RPC 2.0, section 4",
			Needs:  response,
			Good:   `{"jsonrpc":"2.0","id":7,"result":{}}`,
			Bad:    `{"jsonrpc":2.0,"id":7,"result":{}}`,
			Mend:   `Write "jsonrpc": "2.0" into every request, notification and response.`,
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge: func(s *conform.Subject) []conform.Look {
			return each(s.Recording, func(_ *reception, m frame.Message) *fault {
				version := m.Root.Get("jsonrpc")
				if text, _ := version.Str(); text == "2.0" {
					return nil
				}
				return &fault{want: `"jsonrpc": "2.0"`, got: "jsonrpc is " + shown(version), message: m, node: version}
			}, isMessage)
		},
		Missing: "no message was received",
	}
}
