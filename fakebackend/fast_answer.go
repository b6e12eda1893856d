package fakebackend

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// modernMeta is what answers of a revision without sessions begin with.
const modernMeta = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"` + serverName + `","title":"` + serverTitle + `","version":"` + Version + `"}},`

// appendAnswer writes the message that answers a call, member for member as the
// SDK does.
func appendAnswer(b []byte, r *fastCall, a *answer) []byte {
	b = append(append(append(b, `{"jsonrpc":"2.0","id":`...), r.id...), `,"result":{`...)
	if r.modern {
		b = append(b, modernMeta...)
	}
	b = append(b, `"content":[{"type":"text","text":"`...)
	payload := encode(a.payload)
	b = appendEscaped(b, payload)
	b = append(append(b, `"}],"structuredContent":`...), payload...)
	if a.failed {
		b = append(b, `,"isError":true`...)
	}
	if r.modern {
		b = append(b, `,"resultType":"complete"`...)
	}
	return append(b, "}}"...)
}

// appendFailure writes the message for a call that could not be done.
func appendFailure(b []byte, r *fastCall, err error) []byte {
	return appendJSON(b, of("jsonrpc", "2.0", "id", json.RawMessage(r.id), "error",
		of("code", int(jsonrpc.CodeInternalError), "message", r.tool.name+": "+err.Error())))
}

// appendEscaped writes JSON as it stands in a JSON text: there is nothing to
// escape in it but quotes and backslashes.
func appendEscaped(b, text []byte) []byte {
	from := 0
	for i, c := range text {
		if c == '"' || c == '\\' {
			b = append(append(b, text[from:i]...), '\\', c)
			from = i + 1
		}
	}
	return append(b, text[from:]...)
}
