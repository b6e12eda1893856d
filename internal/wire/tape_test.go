package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// TestMain lets the test binary play a stdio server when it is started again.
func TestMain(m *testing.M) {
	if script := os.Getenv("WIRE_TEST_CHILD"); script != "" {
		playChild(script)
		return
	}
	os.Exit(m.Run())
}

// tape is a recorder that keeps everything.
type tape struct {
	began time.Time
	mu    sync.Mutex
	list  []conform.Observation
}

func newTape() *tape { return &tape{began: time.Now()} }

func (t *tape) Now() time.Duration { return time.Since(t.began) + time.Nanosecond }

func (t *tape) Record(o conform.Observation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.Seq = int64(len(t.list) + 1)
	t.list = append(t.list, o)
}

func (t *tape) all() []conform.Observation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]conform.Observation(nil), t.list...)
}

func (t *tape) recording() *conform.Recording { return conform.NewRecording(conform.Header{}, t.all()) }

// of gives what was received under a call.
func (t *tape) of(call string) []*conform.Received {
	var list []*conform.Received
	for _, o := range t.all() {
		if o.Call == call && o.Received != nil {
			list = append(list, o.Received)
		}
	}
	return list
}

// sent gives what was sent under a call.
func (t *tape) sent(call string) []*conform.Sent {
	var list []*conform.Sent
	for _, o := range t.all() {
		if o.Call == call && o.Sent != nil {
			list = append(list, o.Sent)
		}
	}
	return list
}

// await waits until the tape holds what is asked for.
func (t *tape) await(tb testing.TB, what string, there func([]conform.Observation) bool) {
	tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if there(t.all()) {
			return
		}
	}
	tb.Fatalf("never recorded: %s\n%s", what, t)
}

func (t *tape) String() string {
	var b strings.Builder
	for _, o := range t.all() {
		line, _ := json.Marshal(o)
		if len(line) > 600 {
			line = append(line[:600], "…"...)
		}
		fmt.Fprintln(&b, string(line))
	}
	return b.String()
}

// plan records a planned call, as a driver does.
func (t *tape) plan(call string) string {
	t.Record(conform.Observation{At: t.Now(), Kind: conform.KindPlanned, Call: call, Planned: &conform.Planned{Role: conform.RolePrimary, Method: "tools/call", Tool: "echo"}})
	return call
}

const (
	echo   = `{"name":"echo","arguments":{"text":"hi"}}`
	result = `{"content":[],"structuredContent":{"text":"hi"}}`
)

func call(id string) wire.Request {
	return wire.Request{Call: id, Method: "tools/call", Params: json.RawMessage(echo), Timeout: 20 * time.Second}
}

// dial opens a client and one session, and closes both with the test.
func dial(t *testing.T, c wire.Config) (*wire.Client, *wire.Session, *tape) {
	t.Helper()
	client, tape := prepare(t, c)
	session, err := client.Open(t.Context(), "s1")
	if err != nil {
		t.Fatalf("open: %v\n%s", err, tape)
	}
	return client, session, tape
}

func prepare(t *testing.T, c wire.Config) (*wire.Client, *tape) {
	t.Helper()
	tape := newTape()
	c.Recorder, c.ClientVersion = tape, "test"
	client, err := wire.Dial(t.Context(), c)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() {
		if err := client.Close(context.Background()); err != nil {
			t.Logf("close: %v", err)
		}
	})
	return client, tape
}

// message is what the scripted servers read of a request.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"params"`
}

// scripted is an HTTP server that makes the handshake properly and plays a
// script for everything else.
func scripted(t *testing.T, script func(w http.ResponseWriter, r *http.Request, body []byte, m message)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body []byte
		if r.Body != nil {
			body = readAll(r.Body)
		}
		var m message
		_ = json.Unmarshal(body, &m)
		switch m.Method {
		case "initialize":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Mcp-Session-Id", "sid-1")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}}`, m.ID, m.Params.ProtocolVersion)
		case "notifications/initialized":
			w.WriteHeader(http.StatusAccepted)
		default:
			script(w, r, body, m)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}
