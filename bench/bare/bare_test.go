package bare

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{"items":[{"id":"B1"},{"id":"B2"}]}}}`

func post(t *testing.T, url, body string) string {
	t.Helper()
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestCallsAreAnswered(t *testing.T) {
	server := httptest.NewServer(newHandler())
	defer server.Close()
	first := post(t, server.URL, call)
	if !strings.HasPrefix(first, `{"jsonrpc":"2.0","id":7,"result":{`) || strings.Count(first, `"success":true`) != 2 || !strings.Contains(first, `{"id":"B2",`) {
		t.Error(first)
	}
	if again := post(t, server.URL, strings.Replace(call, `"id":7`, `"id":12345`, 1)); again != strings.Replace(first, `"id":7`, `"id":12345`, 1) {
		t.Error(again)
	}
	if other := post(t, server.URL, strings.Replace(call, `"B1"`, `"B3"`, 1)); !strings.Contains(other, `{"id":"B3",`) || strings.Contains(other, `{"id":"B1",`) {
		t.Error(other)
	}
	differing := post(t, server.URL+"/differs", call)
	if next := post(t, server.URL+"/differs", call); next == differing || len(next) != len(differing) {
		t.Errorf("%s\n%s", differing, next)
	}
	if stream := post(t, server.URL+"/sse", call); !strings.HasPrefix(stream, "event: message\ndata: {") || !strings.HasSuffix(stream, "}\n\n") {
		t.Error(stream)
	}
	if none := post(t, server.URL, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`); !strings.Contains(none, "-32601") {
		t.Error(none)
	}
}

func TestLinesAreAnswered(t *testing.T) {
	var out bytes.Buffer
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + call + "\n" + call + "\n"
	if err := ServeLines(strings.NewReader(in), &out, true); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "protocolVersion") || lines[1] == lines[2] || !strings.Contains(lines[2], `"id":7`) {
		t.Error(out.String())
	}
}
