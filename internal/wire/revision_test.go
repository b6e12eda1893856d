package wire_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// TestRevisionsOverHTTP plays servers that differ in what they do with
// server/discover and initialize.
func TestRevisionsOverHTTP(t *testing.T) {
	discovered := func(revisions string) func(http.ResponseWriter, *http.Request, message) {
		return func(w http.ResponseWriter, _ *http.Request, m message) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":[%s],"capabilities":{}}}`, m.ID, revisions)
		}
	}
	refused := func(status int, text string) func(http.ResponseWriter, *http.Request, message) {
		return func(w http.ResponseWriter, _ *http.Request, m message) {
			if strings.HasPrefix(text, "{") {
				w.Header().Set("Content-Type", "application/json")
			}
			w.WriteHeader(status)
			io.WriteString(w, strings.ReplaceAll(text, "ID", string(m.ID)))
		}
	}
	swallowed := func(_ http.ResponseWriter, r *http.Request, _ message) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		discover     func(http.ResponseWriter, *http.Request, message)
		answers      string // the revision initialize is answered with; empty: the one offered
		pin          string
		want, offers string // negotiated; offered in initialize ("" for none)
	}{
		"speaks the newest":                   {discovered(`"2025-11-25","2026-07-28"`), "", "", wire.Revision20260728, ""},
		"speaks older ones":                   {discovered(`"2025-06-18","2025-03-26"`), "", "", wire.Revision20250618, wire.Revision20250618},
		"knows no such method":                {refused(200, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"?"}}`), "", "", wire.Revision20251125, wire.Revision20251125},
		"names what it supports":              {refused(400, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"?","data":{"supported":["2025-03-26"]}}}`), "", "", wire.Revision20250326, wire.Revision20250326},
		"plain 400":                           {refused(400, "Bad Request: no valid session ID"), "", "", wire.Revision20251125, wire.Revision20251125},
		"status 500 and a page":               {refused(500, "<html>"), "", "", wire.Revision20251125, wire.Revision20251125},
		"swallows server/discover":            {swallowed, "", "", wire.Revision20251125, wire.Revision20251125},
		"answers initialize with an older":    {refused(404, "?"), "2024-11-05", "", "2024-11-05", wire.Revision20251125},
		"pinned, not asked":                   {nil, "", wire.Revision20250618, wire.Revision20250618, wire.Revision20250618},
		"pinned, answers with another":        {nil, wire.Revision20250326, wire.Revision20251125, wire.Revision20250326, wire.Revision20251125},
		"pinned to the newest, not spoken":    {refused(400, "no"), "", wire.Revision20260728, wire.Revision20251125, wire.Revision20251125},
		"pinned to the newest, and spoken":    {discovered(`"2026-07-28"`), "", wire.Revision20260728, wire.Revision20260728, ""},
		"discover answered with other things": {refused(200, `{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":"2026-07-28"}}`), "", "", wire.Revision20251125, wire.Revision20251125},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var offers string
			heads := map[string]http.Header{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var m message
				_ = json.Unmarshal(readAll(r.Body), &m)
				mu.Lock()
				heads[m.Method] = r.Header
				if m.Method == "initialize" {
					offers = m.Params.ProtocolVersion
				}
				mu.Unlock()
				switch m.Method {
				case "server/discover":
					if c.discover == nil {
						t.Error("server/discover was asked")
						return
					}
					c.discover(w, r, m)
				case "initialize":
					w.Header().Set("Content-Type", "application/json")
					revision := m.Params.ProtocolVersion
					if c.answers != "" {
						revision = c.answers
					}
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{}}}`, m.ID, revision)
				case "notifications/initialized":
					w.WriteHeader(http.StatusAccepted)
				default:
					w.Header().Set("Content-Type", "application/json")
					io.WriteString(w, response(m.ID))
				}
			}))
			t.Cleanup(server.Close)
			_, s, tape := dial(t, wire.Config{URL: server.URL, Protocol: c.pin, Timeouts: wire.Timeouts{Discover: 200 * time.Millisecond}})
			r := call("c1")
			r.Params = json.RawMessage(`{"name":"écho","arguments":{}}`)
			if reply := s.Do(t.Context(), r); reply.Response == nil {
				t.Errorf("%+v", reply)
			}
			mu.Lock()
			defer mu.Unlock()
			if s.Protocol != c.want || offers != c.offers {
				t.Errorf("negotiated %s, offered %q\n%s", s.Protocol, offers, tape)
			}
			if got := heads["initialize"].Get("Mcp-Protocol-Version"); got != "" {
				t.Errorf("initialize names revision %s", got)
			}
			wantRevision, wantMethod, wantName := c.want, "", ""
			if c.want < wire.Revision20250618 {
				wantRevision = ""
			}
			if c.want == wire.Revision20260728 {
				wantMethod, wantName = "tools/call", "=?base64?w6ljaG8=?="
			}
			head := heads["tools/call"]
			if head.Get("Mcp-Protocol-Version") != wantRevision || head.Get("Mcp-Method") != wantMethod || head.Get("Mcp-Name") != wantName {
				t.Errorf("header of the call: %v", head)
			}
			if told := heads["notifications/initialized"]; (told != nil) != (c.offers != "") || told.Get("Mcp-Protocol-Version") != wantRevision && told != nil {
				t.Errorf("header of initialized: %v", told)
			}
			if conform.Field(tape.sent("c1")[0].Header, "Accept") != "application/json, text/event-stream" {
				t.Errorf("%+v", tape.sent("c1")[0].Header)
			}
		})
	}
}

// TestClosingIsCancellingAtTheNewestRevision: no notification, the request ends.
func TestClosingIsCancellingAtTheNewestRevision(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m message
		_ = json.Unmarshal(readAll(r.Body), &m)
		if m.Method == "server/discover" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"]}}`, m.ID)
			return
		}
		if m.Method != "tools/call" {
			t.Errorf("unexpected %s", m.Method)
			return
		}
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(server.Close)
	_, s, tape := dial(t, wire.Config{URL: server.URL})
	r := call("c1")
	r.Timeout = 50 * time.Millisecond
	if reply := s.Do(t.Context(), r); reply.End != conform.TimedOut {
		t.Errorf("%+v", reply)
	}
	<-gone
	if len(tape.sent("c1/cancelled")) != 0 {
		t.Errorf("%s", tape)
	}
}
