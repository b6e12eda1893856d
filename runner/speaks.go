package runner

import (
	"bytes"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// notMCP ends the cause of a target that answered, and never in the protocol.
const notMCP = "; nothing that it answered was a JSON-RPC message"

// speaks tells whether anything that came was a message of JSON-RPC, or was meant
// as one: a server that writes broken JSON, or the wrong media type, speaks the
// protocol wrongly. What only gives back our own words, as `cat` does, does not
// speak, nor does a page that happens to be about JSON-RPC.
func speaks(observations []conform.Observation) bool {
	var said [][]byte
	for _, o := range observations {
		switch {
		case o.Sent != nil:
			said = append(said, bytes.TrimSpace(o.Sent.Body))
		case o.Received != nil && meant(o.Received):
			body := bytes.TrimSpace(o.Received.Body)
			if !slices.ContainsFunc(said, func(ours []byte) bool { return bytes.Equal(ours, body) }) {
				return true
			}
		}
	}
	return false
}

// meant tells what bears the protocol's mark, or an answer that lacks no more than
// that mark. Neither is looked for in a page, nor in what a command logs.
func meant(in *conform.Received) bool {
	if in.Channel == conform.ChannelStderr || conform.MediaType(in.Header) == "text/html" {
		return false
	}
	has := func(member string) bool { return bytes.Contains(in.Body, []byte(`"`+member+`"`)) }
	return has("jsonrpc") || has("id") && (has("result") || has("error"))
}
