package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

func zip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // into memory
	_ = z.Close()
	return b.Bytes()
}

func TestWhatCameInGzipIsKeptAsItCame(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := said(t, r)
		if handshake(w, m) {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zip("data: " + response(m.ID) + "\n\n"))
	}))
	defer server.Close()
	_, s, tape := dial(t, pinned(server.URL))
	if reply := s.Do(t.Context(), call(tape.plan("c1"))); reply.Response == nil || reply.Problem != "" {
		t.Errorf("%+v", reply)
	}
	in := tape.of("c1")[0]
	if !strings.HasPrefix(string(in.Body), "data: {") || !bytes.Equal(in.Coded, zip(string(in.Body))) {
		t.Errorf("%s, as it came %q", in.Body, in.Coded)
	}
}

// place is a server that redirects, or answers, and keeps the heads of what it was asked.
type place struct {
	*httptest.Server
	to     string // where it redirects to; empty: it answers
	status int
	mu     sync.Mutex
	heads  []http.Header
}

func newPlace(t *testing.T, session string) *place {
	p := &place{status: http.StatusTemporaryRedirect}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.heads = append(p.heads, r.Header.Clone())
		p.mu.Unlock()
		if p.to != "" && r.URL.Path != "/moved" {
			w.Header().Set("Location", p.to)
			w.WriteHeader(p.status)
			return
		}
		m := said(t, r)
		w.Header().Set("Mcp-Session-Id", session)
		if !handshake(w, m) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, response(m.ID))
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *place) saw(field string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.heads {
		if h.Get(field) != "" {
			return true
		}
	}
	return false
}

// TestRedirectsAreFollowedWithinTheHost has a message sent on as it is, once for each
// redirect, with credentials where host and port stay the same.
func TestRedirectsAreFollowedWithinTheHost(t *testing.T) {
	for name, status := range map[string]int{"307": 307, "308": 308} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, "session-of-the-place")
			p.to, p.status = "/moved", status
			config := pinned(p.URL + "/mcp")
			config.Header = []conform.HeaderField{{Name: "Authorization", Value: "Bearer secret"}}
			client, s, tape := dial(t, config)
			if reply := s.Do(t.Context(), call(tape.plan("c1"))); reply.Response == nil || reply.Status != 200 {
				t.Fatalf("%+v", reply)
			}
			received := tape.of("c1")
			if len(received) != 2 || !received[0].Onwards || received[1].Onwards || received[0].Problem == "" {
				t.Errorf("%s", tape)
			}
			if rec := tape.recording().Call("c1"); len(rec.Received) != 1 || rec.Received[0].Received.Status != 200 {
				t.Error("a redirect that was followed counts as the answer")
			}
			for _, h := range p.heads {
				if h.Get("Authorization") == "" {
					t.Error("the credentials were left out on the way to the same host and port")
				}
			}
			if told := client.Redirected(); len(told) != 1 || told[0].Status != status || told[0].Bare {
				t.Errorf("%v", told)
			}
			frozen, err := s.Freeze()
			if err != nil || frozen.URL.Path != "/moved" {
				t.Errorf("load goes to %v (%v)", frozen.URL, err)
			}
		})
	}
}

// TestCredentialsDoNotFollowARedirect has a server redirect to another one: nothing is
// sent there unless somebody consents, and then without what is secret.
func TestCredentialsDoNotFollowARedirect(t *testing.T) {
	secret := []conform.HeaderField{{Name: "Authorization", Value: "Bearer secret"}, {Name: "X-Own", Value: "secret too"}}
	for name, c := range map[string]struct {
		host    string // by which the other server is named
		follow  func(string) bool
		reached bool
	}{
		"another host":                  {"localhost", nil, false},
		"another host, with consent":    {"localhost", func(host string) bool { return strings.HasPrefix(host, "localhost:") }, true},
		"another host, without consent": {"localhost", func(string) bool { return false }, false},
		"another port of the same host": {"127.0.0.1", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			there, here := newPlace(t, "session-of-there"), newPlace(t, "session-of-here")
			here.to = strings.Replace(there.URL, "127.0.0.1", c.host, 1) + "/mcp"
			config := pinned(here.URL + "/mcp")
			config.Header, config.Follow = secret, c.follow
			client, tape := prepare(t, config)
			s, err := client.Open(t.Context(), "s1")
			if c.reached != (err == nil) || c.reached != (len(there.heads) > 0) {
				t.Fatalf("%v, and %d requests there", err, len(there.heads))
			}
			for _, field := range []string{"Authorization", "X-Own"} {
				if there.saw(field) || !here.saw(field) {
					t.Errorf("%s followed, or was not sent at all", field)
				}
			}
			if err != nil {
				if !strings.Contains(err.Error(), "nobody has consented") {
					t.Error(err)
				}
				return
			}
			if reply := s.Do(t.Context(), call(tape.plan("c1"))); reply.Response == nil {
				t.Errorf("%+v", reply)
			}
			if here.saw("Mcp-Session-Id") || !there.saw("Mcp-Session-Id") {
				t.Error("the session's id went to another one than who gave it")
			}
			if told := client.Redirected(); len(told) != 1 || !told[0].Bare {
				t.Errorf("%v", told)
			}
			if _, header := s.Encode(wire.Request{Method: "ping"}); conform.Field(header, "Authorization") != "" {
				t.Error("load would send the credentials to another host")
			}
		})
	}
}

func TestARedirectThatGoesRoundEnds(t *testing.T) {
	p := newPlace(t, "")
	p.to = "/again"
	client, _ := prepare(t, pinned(p.URL+"/mcp"))
	if _, err := client.Open(t.Context(), "s1"); err == nil || !strings.Contains(err.Error(), "sent on 5 times") {
		t.Error(err)
	}
	if len(p.heads) != 6 {
		t.Errorf("%d requests", len(p.heads))
	}
}

// said reads a message that came in.
func said(t *testing.T, r *http.Request) (m message) {
	t.Helper()
	if text := readAll(r.Body); len(text) > 0 {
		if err := json.Unmarshal(text, &m); err != nil {
			t.Error(err)
		}
	}
	return m
}

// handshake answers what opens and ends a session; false: it is neither.
func handshake(w http.ResponseWriter, m message) bool {
	switch m.Method {
	case "initialize":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`, m.ID, m.Params.ProtocolVersion)
	case "notifications/initialized":
		w.WriteHeader(http.StatusAccepted)
	case "":
		w.WriteHeader(http.StatusOK)
	default:
		return false
	}
	return true
}
