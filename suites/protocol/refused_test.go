package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// A refused handshake is no fault where the server names revisions of its own,
// where another attempt was let in, or where the answer is not the server's.
func TestRefusalsOfTheHandshakeThatAreNoFault(t *testing.T) {
	const no = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`
	letIn := refusing(200, no)
	letIn.ask("connect/s2/initialize", "s2", initialize, askInit)
	letIn.get("connect/s2/initialize", "s2", goodInit)
	for name, tape := range map[string]*tape{
		"names what it supports":     refusing(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2099-01-01"]}}}`),
		"the code for it":            refusing(400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}`),
		"another attempt was let in": letIn,
		"a result beside the error":  refusing(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"},"result":{"protocolVersion":"2025-11-25"}}`),
		"access refused by HTTP":     refusing(403, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}`),
		"a gateway's error":          refusing(502, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}`),
		"a bad request, in no words": refusing(400, ``),
		"busy":                       refusing(503, ``),
	} {
		t.Run(name, func(t *testing.T) {
			for _, look := range refusedHandshake(subject(tape)) {
				t.Errorf("got %q, wanted silence", look.Got)
			}
		})
	}
}

func TestAServerThatBreaksDownAtTheHandshakeFails(t *testing.T) {
	for name, body := range map[string]string{"without words": ``, "with words": `{"error":"boom"}`} {
		if looks := refusedHandshake(subject(refusing(500, body))); len(looks) != 1 || looks[0].Verdict != conform.Fail {
			t.Errorf("%s: %+v", name, looks)
		}
	}
}

func TestRefusedHandshakeSpeaksOfCredentialsOnlyWhereTheServerDoes(t *testing.T) {
	for message, want := range map[string]bool{
		"invalid API key":         true,
		"Please log in first":     true,
		"Authentication required": true,
		"Internal error":          false,
		"the token bucket is dry": false,
	} {
		body := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"` + message + `"}}`
		looks := refusedHandshake(subject(refusing(200, body)))
		if len(looks) != 1 {
			t.Fatalf("%s: %d looks, wanted 1", message, len(looks))
		}
		if got := strings.Contains(looks[0].Hint, "credentials"); got != want {
			t.Errorf("%s: hint %q", message, looks[0].Hint)
		}
	}
}

func subject(t *tape) *conform.Subject {
	rec := t.recording()
	return &conform.Subject{Recording: rec, Calls: rec.Calls}
}
