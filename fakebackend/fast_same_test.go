package fakebackend

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// effectsOf tells what happened without the time.
func effectsOf(b *Backend) string {
	var all strings.Builder
	for _, e := range b.Effects() {
		fmt.Fprintf(&all, "%d %s %s %s %s\n", e.Seq, e.Tool, e.Item, e.Kind, e.Key)
	}
	return all.String()
}

// sameState holds that two backends are in one state, and came to it alike.
func sameState(t testing.TB, a, b *Backend) {
	t.Helper()
	if x, y := string(encode(a.state(nil, true))), string(encode(b.state(nil, true))); x != y {
		t.Errorf("the states differ:\n%s\n%s", x, y)
	}
	if x, y := effectsOf(a), effectsOf(b); x != y {
		t.Errorf("the effects differ:\n%s\n%s", x, y)
	}
}

// modernCall is a call of the revision without sessions.
func modernCall(id int, tool, arguments string) (body string, head []string) {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"traceparent":"00-%d","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, tool, arguments, id),
		[]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: " + tool}
}

// TestBothRoadsSayAndDoTheSame has the conversation that touches every rule with an
// ordinary and with a fast backend, in every form of the protocol.
func TestBothRoadsSayAndDoTheSame(t *testing.T) {
	for _, form := range []struct {
		name     string
		o        Options
		revision string // of the session; empty: none
		modern   bool
	}{
		{"without a session", Options{Sessions: Stateless}, "", false},
		{"2025-03-26", Options{}, "2025-03-26", false},
		{"2025-06-18", Options{}, "2025-06-18", false},
		{"2025-11-25", Options{}, "2025-11-25", false},
		{"2026-07-28", Options{}, "", true},
		{"wrapped", Options{Sessions: Stateless, Shape: Wrapped}, "", false},
		{"a second writer", Options{Sessions: Stateless, SecondWriter: SecondWriter{EveryCalls: 3}, MaxItems: 25}, "", false},
	} {
		for _, json := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/json=%v", form.name, json), func(t *testing.T) {
				form.o.JSONAnswers = json
				quick := form.o
				quick.Fast = true
				ordinary, fast := started(t, form.o), started(t, quick)
				clients := []*plainClient{dial(t, ordinary.URL), dial(t, fast.URL)}
				var heads [2][]string
				if form.revision != "" {
					for i, c := range clients {
						got := c.post(strings.Replace(initialize, "2025-06-18", form.revision, 1))
						heads[i] = []string{"Mcp-Session-Id: " + got.head.Get("Mcp-Session-Id"), "MCP-Protocol-Version: " + form.revision}
						if got := c.post(initiated, heads[i]...); got.status != http.StatusAccepted {
							t.Fatalf("the notification gives %+v", got)
						}
					}
				}
				calls := 0
				for round := range 2 {
					for i, s := range steps {
						id := 100*round + i + 1
						calls++
						var said [2]rawReply
						for k, c := range clients {
							body, head := toolCall(id, s.tool, s.arguments), heads[k]
							if form.modern {
								body, head = modernCall(id, s.tool, s.arguments)
							}
							said[k] = c.post(body, head...)
						}
						a, b := said[0], said[1]
						if a.status != b.status || canonical(t, a.message()) != canonical(t, b.message()) {
							t.Errorf("%s: %d %s\nand %d %s", s.name, a.status, a.body, b.status, b.body)
						}
						for _, name := range []string{"Content-Type", "Cache-Control", "Connection"} {
							if a.head.Get(name) != b.head.Get(name) {
								t.Errorf("%s: %s is %q and %q", s.name, name, a.head.Get(name), b.head.Get(name))
							}
						}
					}
				}
				sameState(t, ordinary.Backend, fast.Backend)
				tools := map[string]bool{}
				for _, s := range steps {
					tools[s.tool] = true
				}
				if got, want := fast.Backend.fast.answered.Load(), int64(calls-len(tools)); got != want {
					t.Errorf("the front answered %d calls of %d, want all but the first of each tool: %d", got, calls, want)
				}
			})
		}
	}
}

// FuzzBothRoads holds that a message has the same answer and the same effects on
// both roads, whatever it is.
func FuzzBothRoads(f *testing.F) {
	for _, s := range steps {
		f.Add([]byte(toolCall(1, s.tool, s.arguments)))
	}
	for _, params := range []string{
		`{"name":"query_orders"}`, `{"name":"query_orders","arguments":null}`, `{"name":"query_orders","arguments":[]}`,
		`{"name":"query_orders","arguments":{"order_ids":["O-1001"]},"_meta":{"progressToken":true}}`,
		`{"name":"query_orders","arguments":{"order_ids":["O-1001"]},"_meta":null}`,
		`{"name":"query_orders","name":"reset"}`, `{"name":"query_orders","task":{}}`, `{"Name":"reset"}`,
		`{"name":"cancel_products","arguments":{"items":["\ud83c\udf75","Tea & Coffee Set 🍵","<b>"],"items":["1001"]}}`,
		`{"name":"cancel_products","arguments":{"items":[{"id":1001,"name":"product a"},{"id":true},[],null,{"ID":"1002"},{"id":"1003","id":"1004"}]}}`,
		`{"name":"cancel_products","arguments":{"items":[{"id":"B1","eligible":false,"reason":"x\u00e9"}],"idempotency_key":"k\n"}}`,
	} {
		f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`))
	}
	for _, id := range []string{`1.0`, `-1`, `01`, `"a"`, `"\u0061"`, `null`, `true`, `12345678901234567890`, `"é"`, `"<"`} {
		f.Add([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"reset","arguments":{}}}`))
	}
	f.Add([]byte(" {\"jsonrpc\" : \"2.0\",\n\"params\":{\"arguments\":{\"ids\":[\"B1\"]},\"name\":\"get_products\"},\"method\":\"tools/call\",\"id\":\"x\"} \n"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reset"}}{}`))
	f.Add([]byte(`{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"reset"},"x":1}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		if len(message) > 1<<12 {
			return
		}
		var backends [2]*Backend
		var replies [2]*httptest.ResponseRecorder
		for i, fast := range []bool{false, true} {
			b, err := New(Options{Fast: fast, Sessions: Stateless, JSONAnswers: true})
			if err != nil {
				t.Fatal(err)
			}
			backends[i] = b
			for _, tool := range toolList(b.options) { // so that the front knows them all
				b.Handler().ServeHTTP(httptest.NewRecorder(), plainRequest(toolCall(1, tool.name, `{}`)))
			}
			replies[i] = httptest.NewRecorder()
			b.Handler().ServeHTTP(replies[i], plainRequest(string(message)))
		}
		a, b := replies[0], replies[1]
		if a.Code != b.Code || canonical(t, a.Body.String()) != canonical(t, b.Body.String()) {
			t.Errorf("%q gives\n%d %s\nand\n%d %s", message, a.Code, a.Body, b.Code, b.Body)
		}
		sameState(t, backends[0], backends[1])
	})
}

func plainRequest(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// TestBothRoadsSayAndDoTheSameOverPipes is the same over standard input and output.
func TestBothRoadsSayAndDoTheSameOverPipes(t *testing.T) {
	for _, o := range []Options{{}, {PerCallDelay: 1}} {
		var said [2][]string
		var backends [2]*Backend
		for k, fast := range []bool{false, true} {
			o.Fast = fast
			b, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			backends[k] = b
			in, send := io.Pipe()
			receive, out := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- b.ServeStdio(t.Context(), in, out)
				_ = out.Close()
			}()
			lines := bufio.NewReader(receive)
			say := func(message string) {
				go func() { _, _ = io.WriteString(send, message+"\n") }()
				line, err := lines.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				said[k] = append(said[k], canonical(t, line))
			}
			say(initialize)
			if _, err := io.WriteString(send, initiated+"\n"); err != nil {
				t.Fatal(err)
			}
			for round := range 2 {
				for i, s := range steps {
					say(toolCall(100*round+i+2, s.tool, s.arguments))
				}
			}
			_ = send.Close()
			if err := <-ended; err != nil {
				t.Errorf("serving ended with %v", err)
			}
		}
		for i := range said[0] {
			if said[0][i] != said[1][i] {
				t.Errorf("%s\nand %s", said[0][i], said[1][i])
			}
		}
		sameState(t, backends[0], backends[1])
	}
}

// TestPipesAreFast holds that the front answers over pipes, what is in a row as
// well, and that it has answered what came before the end.
func TestPipesAreFast(t *testing.T) {
	b, err := New(Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	front := newFast(b, nil)
	var out bytes.Buffer
	var row strings.Builder
	for id := range 100 {
		row.WriteString(toolCall(id, queryOrders, `{"order_ids":["O-1001"]}`) + "\n")
	}
	in, pass := front.overPipes(t.Context(), strings.NewReader(row.String()), &out)
	first, err := readLine(bufio.NewReaderSize(in, 1<<16))
	if err != nil || !strings.Contains(string(first), `"id":0,`) {
		t.Fatalf("the SDK is given %q, %v", first, err)
	}
	if _, err := io.WriteString(pass, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
		t.Errorf("the SDK is given %.200q, %v", rest, err)
	}
	if got := strings.Count(out.String(), `"SUCCESS"`); got != 99 || front.answered.Load() != 99 {
		t.Errorf("the front answered %d calls, and says %d, want 99", got, front.answered.Load())
	}
}
