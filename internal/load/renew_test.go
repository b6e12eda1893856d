package load

import (
	"bytes"
	"net/url"
	"strconv"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// A token of another length moves what is patched in a request, and nothing else.
func TestOtherCredentialsInATemplate(t *testing.T) {
	at, err := url.Parse("http://127.0.0.1:9/mcp")
	if err != nil {
		t.Fatal(err)
	}
	message := []byte(`{"jsonrpc":"2.0","id":1000000000000000,"method":"tools/call","params":{"n":111}}`)
	for _, value := range []string{"Bearer b", "Bearer a-longer-token-than-before", "Bearer a"} {
		request := lean.NewPost(at, []conform.HeaderField{{Name: "Accept", Value: "application/json"}, {Name: "Authorization", Value: "Bearer a"}, {Name: "Traceparent", Value: "00-x"}}, message, false)
		request.Trace = request.Bytes[bytes.Index(request.Bytes, []byte("00-x")):][:4]
		body := request.Bytes[request.Body:]
		elsewhere := []byte("222")
		tp := &Template{request: request, id: body[bytes.Index(body, []byte("1000")):][:16],
			marks: []mark{{digits: body[bytes.Index(body, []byte("111")):][:3]}, {digits: elsewhere}}}
		tp.authorize(value)

		copy(tp.id, strconv.Itoa(2222222222222222))
		copy(tp.request.Trace, "00-y")
		copy(tp.marks[0].digits, "333")
		copy(tp.marks[1].digits, "444")
		want := lean.NewPost(at, []conform.HeaderField{{Name: "Accept", Value: "application/json"}, {Name: "Authorization", Value: value}, {Name: "Traceparent", Value: "00-y"}},
			[]byte(`{"jsonrpc":"2.0","id":2222222222222222,"method":"tools/call","params":{"n":333}}`), false)
		if string(tp.request.Bytes) != string(want.Bytes) || tp.request.Body != want.Body {
			t.Errorf("got %q (body at %d), wanted %q (body at %d)", tp.request.Bytes, tp.request.Body, want.Bytes, want.Body)
		}
		if string(elsewhere) != "444" || conform.Field(tp.request.Fields, "Authorization") != value {
			t.Errorf("elsewhere %q, fields %v", elsewhere, tp.request.Fields)
		}
	}
}
