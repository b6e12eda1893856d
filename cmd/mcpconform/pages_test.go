package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// paging serves pages of tools/list: page gives the tools and the cursor of the nth.
func paging(t *testing.T, page func(n int) (tools, next string)) string {
	t.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Cursor string }
		}
		if err != nil || json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"paging","version":"1"}}}`, m.ID)
		case "tools/list":
			if n++; m.Params.Cursor == "" {
				n = 1
			}
			tools, next := page(n)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s],"nextCursor":%q}}`, m.ID, tools, next)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A server that gives cursors of a megabyte, or megabytes of pages without an end,
// does not fill the disk; that its list was not read to the end is told, and the
// recording is judged as the run was.
func TestEndlessPagesAreBounded(t *testing.T) {
	t.Parallel()
	tool := func(n, size int) string {
		return fmt.Sprintf(`{"name":"t%d","description":"%s","inputSchema":{"type":"object"}}`, n, strings.Repeat("d", size))
	}
	for name, c := range map[string]struct {
		page func(n int) (string, string)
		most int64
	}{
		"long cursors": {func(n int) (string, string) { return tool(n, 1), fmt.Sprint(n) + strings.Repeat("c", 1<<20) }, 8 << 20},
		"large pages":  {func(n int) (string, string) { return tool(n, 2<<20), fmt.Sprint(n) }, 32 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recording := t.TempDir() + "/t.jsonl"
			got := mcpconform(t, "run", "--url", paging(t, c.page), "--seed", "1", "--format", "json", "--transcript", recording)
			var r reports.Report
			if err := json.Unmarshal([]byte(got.out), &r); err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "tools/list was not read to its end") {
				t.Errorf("notes: %s", notes)
			}
			about, err := os.Stat(recording)
			if err != nil {
				t.Fatal(err)
			}
			if about.Size() > c.most {
				t.Errorf("the transcript takes %d bytes", about.Size())
			}
			if again := mcpconform(t, "judge", "--format", "json", recording); again.out != got.out {
				t.Error("the recording is judged otherwise than the run")
			}
		})
	}
}
