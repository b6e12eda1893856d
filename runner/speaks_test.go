package runner

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestWhatSpeaksTheProtocol(t *testing.T) {
	came := func(media, body string) conform.Observation {
		return conform.Observation{Kind: conform.KindReceived, Received: &conform.Received{Channel: conform.ChannelHTTP, Body: []byte(body),
			Header: []conform.HeaderField{{Name: "Content-Type", Value: media}}}}
	}
	went := conform.Observation{Kind: conform.KindSent, Sent: &conform.Sent{Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n")}}
	logged := came("", `sending {"jsonrpc":"2.0"}`)
	logged.Received.Channel = conform.ChannelStderr
	for name, c := range map[string]struct {
		came conform.Observation
		want bool
	}{
		"a response":                     {came("application/json", `{"jsonrpc":"2.0","id":1,"result":{}}`), true},
		"one in an event stream":         {came("text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"), true},
		"one of the wrong media type":    {came("text/plain", `{"jsonrpc":"2.0","id":1,"result":{}}`), true},
		"one without a version":          {came("application/json", `{"id":1,"result":{}}`), true},
		"one that is cut off":            {came("application/json", `{"jsonrpc":"2.0","id":1,"resu`), true},
		"an error with no id":            {came("application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`), true},
		"a page":                         {came("text/html; charset=utf-8", `<html>how to use "jsonrpc"</html>`), false},
		"other JSON":                     {came("application/json", `{"hello":1}`), false},
		"JSON of an error, and no id":    {came("application/json", `{"error":"not found"}`), false},
		"nothing":                        {came("", ``), false},
		"a text":                         {came("text/plain", `boom`), false},
		"our own words":                  {came("", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`), false},
		"a log that holds what was sent": {logged, false},
	} {
		if got := speaks([]conform.Observation{went, c.came}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
