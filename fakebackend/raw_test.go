package fakebackend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// handClock is moved by hand.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	alarms []*handAlarm
}

type handAlarm struct {
	at time.Time
	f  func()
}

func newHandClock() *handClock {
	return &handClock{now: time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)}
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &handAlarm{c.now.Add(d), f}
	c.alarms = append(c.alarms, a)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.alarms, a)
		if i < 0 {
			return false
		}
		c.alarms = slices.Delete(c.alarms, i, i+1)
		return true
	}
}

// advance moves the clock on and does what is due, in order.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	until := c.now.Add(d)
	c.mu.Unlock()
	for {
		c.mu.Lock()
		next := -1
		for i, a := range c.alarms {
			if !a.at.After(until) && (next < 0 || a.at.Before(c.alarms[next].at)) {
				next = i
			}
		}
		if next < 0 {
			c.now = until
			c.mu.Unlock()
			return
		}
		a := c.alarms[next]
		c.alarms = slices.Delete(c.alarms, next, next+1)
		c.now = a.at
		c.mu.Unlock()
		a.f()
	}
}

// raw is a client that knows JSON-RPC and no more.
type raw struct {
	t            *testing.T
	backend      *Backend
	clock        *handClock
	revision     string
	capabilities string // of the client, as JSON

	send     func(message []byte, method, name string)
	incoming chan map[string]any
	ids      int
	// user answers what the server asks; nil: nobody does.
	user  func(params map[string]any) string
	asked []map[string]any // params of what the server asked
}

// meet starts a backend and a raw client of a revision on it. over is "http" or
// "stdio".
func meet(t *testing.T, over string, o Options, revision, capabilities string) *raw {
	t.Helper()
	clock := newHandClock()
	b, err := newBackend(o, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	r := &raw{t: t, backend: b, clock: clock, revision: revision, capabilities: capabilities, incoming: make(chan map[string]any, 100)}
	if over == "stdio" {
		r.overPipes()
	} else {
		r.overHTTP()
	}
	if revision >= sessionless {
		return r
	}
	got := r.request("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}`, revision, capabilities))
	if result, _ := got["result"].(map[string]any); result["protocolVersion"] != revision {
		t.Fatalf("the handshake gives %v", got)
	}
	r.send([]byte(initiated), "notifications/initialized", "")
	return r
}

func (r *raw) overPipes() {
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithCancel(r.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.backend.ServeStdio(ctx, in, out)
		_ = out.Close()
	}()
	go func() {
		lines := bufio.NewReader(receive)
		for {
			text, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			r.receive(text)
		}
	}()
	r.send = func(message []byte, _, _ string) {
		go func() { _, _ = send.Write(append(message, '\n')) }()
	}
	r.t.Cleanup(func() {
		cancel()
		_ = send.Close()
		_ = receive.Close()
		<-ended
	})
}

func (r *raw) overHTTP() {
	server := httptest.NewServer(r.backend.Mux())
	session := ""
	var mu sync.Mutex
	var posts sync.WaitGroup
	r.send = func(message []byte, method, name string) {
		request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, server.URL+"/mcp", bytes.NewReader(message))
		if err != nil {
			r.t.Fatal(err)
		}
		mu.Lock()
		request.Header.Set("Mcp-Session-Id", session)
		mu.Unlock()
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if method != "initialize" {
			request.Header.Set("MCP-Protocol-Version", r.revision)
		}
		if r.revision >= sessionless {
			request.Header.Set("Mcp-Method", method)
			request.Header.Set("Mcp-Name", name)
		}
		posts.Go(func() {
			response, err := server.Client().Do(request)
			if err != nil {
				r.incoming <- map[string]any{"broken": err.Error()}
				return
			}
			defer func() { _ = response.Body.Close() }()
			mu.Lock()
			if id := response.Header.Get("Mcp-Session-Id"); id != "" {
				session = id
			}
			mu.Unlock()
			if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
				body, _ := io.ReadAll(response.Body)
				if len(body) > 0 {
					r.receive(body)
				}
				return
			}
			lines := bufio.NewReader(response.Body)
			for {
				text, err := lines.ReadBytes('\n')
				if data, ok := bytes.CutPrefix(text, []byte("data: ")); ok {
					r.receive(data)
				}
				if err != nil {
					return
				}
			}
		})
	}
	r.t.Cleanup(func() {
		for session := range r.backend.server.Sessions() {
			_ = session.Close()
		}
		posts.Wait()
		server.Close()
	})
}

func (r *raw) receive(text []byte) {
	var message map[string]any
	if err := json.Unmarshal(text, &message); err != nil {
		message = map[string]any{"broken": string(text)}
	}
	r.incoming <- message
}

// request sends a request, answers what the server asks meanwhile, and gives the
// response.
func (r *raw) request(method, params string) map[string]any {
	r.t.Helper()
	r.ids++
	id := r.ids
	var p map[string]any
	if err := json.Unmarshal([]byte(params), &p); err != nil {
		r.t.Fatalf("%v in %s", err, params)
	}
	if r.revision >= sessionless {
		var capabilities any
		if err := json.Unmarshal([]byte(r.capabilities), &capabilities); err != nil {
			r.t.Fatal(err)
		}
		p["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    r.revision,
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "raw", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": capabilities,
		}
	}
	name, _ := p["name"].(string)
	if task, ok := p["taskId"].(string); ok {
		name = task
	}
	r.send([]byte(quote(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": p})), method, name)
	for message := range r.incoming {
		switch {
		case message["broken"] != nil:
			r.t.Fatalf("%s %s: %v", method, params, message["broken"])
		case message["method"] != nil && message["id"] != nil:
			asked, _ := message["params"].(map[string]any)
			r.asked = append(r.asked, asked)
			if r.user == nil {
				r.t.Fatalf("nobody is there to answer %v", message)
			}
			r.send([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, quote(message["id"]), r.user(asked))), "", "")
		case message["id"] == float64(id):
			return message
		}
	}
	return nil
}

// result is the result of a request; an error response ends the test.
func (r *raw) result(method, params string) map[string]any {
	r.t.Helper()
	got := r.request(method, params)
	result, ok := got["result"].(map[string]any)
	if !ok {
		r.t.Fatalf("%s %s gives %s", method, params, quote(got))
	}
	return result
}

// code is the error code of a request; a result ends the test.
func (r *raw) code(method, params string) float64 {
	r.t.Helper()
	got := r.request(method, params)
	broken, ok := got["error"].(map[string]any)
	if !ok {
		r.t.Fatalf("%s %s gives %s", method, params, quote(got))
	}
	return broken["code"].(float64)
}

// call calls a tool and gives its result.
func (r *raw) call(tool, arguments string) map[string]any {
	r.t.Helper()
	return r.result("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// rows tells the rows of a tool result as "id outcome".
func rowsTold(result map[string]any) []string {
	payload, _ := result["structuredContent"].(map[string]any)
	if inner, ok := payload["result"].(map[string]any); ok {
		payload = inner
	}
	list, _ := payload["results"].([]any)
	var told []string
	for _, one := range list {
		row := one.(map[string]any)
		word := "done"
		if row["success"] != true {
			word = fmt.Sprint(row["error"])
		}
		id := row["id"]
		if id == nil {
			id = row["name"]
		}
		told = append(told, fmt.Sprint(id, " ", word))
	}
	return told
}

// happened tells the effects as "kind id".
func (b *Backend) happened() []string {
	var told []string
	for _, e := range b.Effects() {
		told = append(told, e.Kind+" "+e.Item)
	}
	return told
}

func (r *raw) wantRows(result map[string]any, want ...string) {
	r.t.Helper()
	if got := rowsTold(result); !slices.Equal(got, want) {
		r.t.Errorf("rows %q, want %q, in %.200s", got, want, quote(result))
	}
}

func (r *raw) wantEffects(want ...string) {
	r.t.Helper()
	if got := r.backend.happened(); !slices.Equal(got, want) {
		r.t.Errorf("effects %q, want %q", got, want)
	}
}

// state tells what get_products says of a product.
func (r *raw) state(id string) string {
	r.t.Helper()
	payload, _ := r.call(getProducts, `{"ids":[`+quote(id)+`]}`)["structuredContent"].(map[string]any)
	list, _ := payload["products"].([]any)
	if len(list) != 1 {
		r.t.Fatalf("get_products says %v", payload)
	}
	return list[0].(map[string]any)["status"].(string)
}

// ways are the transports, and the revisions of a test.
func eachWay(t *testing.T, revisions []string, test func(t *testing.T, over, revision string)) {
	for _, over := range []string{"http", "stdio"} {
		for _, revision := range revisions {
			t.Run(over+"/"+revision, func(t *testing.T) { test(t, over, revision) })
		}
	}
}
