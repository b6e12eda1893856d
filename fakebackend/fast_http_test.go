package fakebackend

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

const lookUp = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_orders","arguments":{"order_ids":["O-1001"]}}}`

// onTheFront starts a fast backend and a client of which the front knows the calls
// of query_orders.
func onTheFront(t *testing.T, o Options) (*Running, *plainClient) {
	t.Helper()
	o.Fast = true
	running := started(t, o)
	client := dial(t, running.URL)
	if got := client.post(lookUp); got.status != http.StatusOK || !strings.Contains(got.body, `"SUCCESS"`) {
		t.Fatalf("the first call gives %+v", got)
	}
	return running, client
}

func TestRequestsThatAreNotForTheFront(t *testing.T) {
	large := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		MaxRequest+1, strings.Repeat(" ", MaxRequest+1))
	head := strings.Join(plainHead, "\r\n") + "\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n", len(lookUp))
	for _, c := range []struct {
		name, text string
		status     int
	}{
		{"another path", "POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + length + "\r\n" + lookUp, 404},
		{"another method", "PUT /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n", 405},
		{"too large", large, 413},
		{"no host", "POST /mcp HTTP/1.1\r\n" + head + length + "\r\n" + lookUp, 400},
		{"another host", "POST /mcp HTTP/1.1\r\nHost: evil.example\r\n" + head + length + "\r\n" + lookUp, 403},
		{"another origin", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n" + head + length + "\r\n" + lookUp, 403},
		{"two hosts", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n" + head + length + "\r\n" + lookUp, 400},
		{"two lengths", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n" + head + length + "\r\n" + lookUp, 400},
		{"a length that is none", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: +5\r\n\r\n12345", 400},
		{"a folded header", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n x: y\r\n" + head + length + "\r\n" + lookUp, 400},
		{"no media type", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n" + length + "\r\n" + lookUp, 415},
		{"half of what is accepted", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n" + length + "\r\n" + lookUp, 400},
		{"an unknown revision", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMCP-Protocol-Version: 1999-01-01\r\n" + head + length + "\r\n" + lookUp, 400},
		{"an unknown session", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: nobody\r\n" + head + length + "\r\n" + lookUp, 404},
		{"no JSON", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n" + head + "\r\n{", 400},
		{"an empty body", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n" + head + "\r\n", 400},
		{"a GET without a session", "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n", 400},
		{"a DELETE without a session", "DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400},
		{"no HTTP", "hello\r\n\r\n", 400},
		{"chunks", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n" + head + fmt.Sprintf("\r\n%x\r\n%s\r\n0\r\n\r\n", len(lookUp), lookUp), 200},
		{"an older HTTP", "POST /mcp HTTP/1.0\r\nHost: 127.0.0.1\r\n" + head + length + "\r\n" + lookUp, 200},
		{"a last request", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + head + length + "\r\n" + lookUp, 200},
		{"the state", "GET /state?ids=1001 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			running, _ := onTheFront(t, Options{})
			client := dial(t, running.URL)
			if c.status != http.StatusRequestEntityTooLarge {
				client.send([]byte(c.text))
			} else {
				go func() { _, _ = client.conn.Write([]byte(c.text)) }() // the server need not read it all
			}
			if got := client.receive(); got.status != c.status {
				t.Errorf("gives %d %s, want %d", got.status, got.body, c.status)
			}
		})
	}
}

// TestOneConnectionChangesRoads holds that a connection goes from the front to
// net/http and back as its requests have it.
func TestOneConnectionChangesRoads(t *testing.T) {
	running, client := onTheFront(t, Options{})
	front := running.Backend.fast
	list := `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{}}`
	for range 3 {
		before := front.answered.Load()
		for range 3 {
			if got := client.post(lookUp); !strings.Contains(got.body, `"SUCCESS"`) {
				t.Fatalf("the call gives %+v", got)
			}
		}
		if got := front.answered.Load() - before; got != 3 {
			t.Errorf("the front answered %d calls of 3", got)
		}
		if got := client.post(list); !strings.Contains(got.body, `"query_orders"`) {
			t.Fatalf("the list gives %+v", got)
		}
	}
}

func TestSessionsOnTheFront(t *testing.T) {
	running := started(t, Options{Fast: true, JSONAnswers: true})
	client := dial(t, running.URL)
	session := "Mcp-Session-Id: " + client.post(initialize).head.Get("Mcp-Session-Id")
	client.post(initiated, session)
	for range 3 {
		if got := client.post(lookUp, session); got.status != http.StatusOK {
			t.Fatalf("in the session: %+v", got)
		}
	}
	if got := running.Backend.fast.answered.Load(); got != 2 {
		t.Errorf("the front answered %d calls, want 2", got)
	}
	client.send([]byte("DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" + session + "\r\n\r\n"))
	if got := client.receive(); got.status != http.StatusNoContent {
		t.Errorf("the end of the session: %+v", got)
	}
	if got := client.post(lookUp, session); got.status != http.StatusNotFound {
		t.Errorf("after its end: %+v", got)
	}
}

// TestASessionsWordDoesNotLast holds that the front does not
// keep a session alive that the SDK has given up.
func TestASessionsWordDoesNotLast(t *testing.T) {
	v := newVetted(0)
	v.pass(v.open("s"), "head")
	v.pass(v.open(""), "head")
	if v.has([]byte("s"), []byte("head")) {
		t.Error("a session is taken for ever")
	}
	if !v.has(nil, []byte("head")) || v.has(nil, []byte("another")) {
		t.Error("what needs no session is taken by its head")
	}
	late := v.open("t")
	v.end("t")
	v.pass(late, "head")
	v.lasts = 1 << 40
	if v.has([]byte("t"), []byte("head")) {
		t.Error("an answer that came late has revived a session")
	}
}

// TestRequestsInPiecesAndInRows holds that requests may come in any pieces, and
// several at once.
func TestRequestsInPiecesAndInRows(t *testing.T) {
	for _, json := range []bool{true, false} {
		_, client := onTheFront(t, Options{JSONAnswers: json})
		call := func(id int) []byte {
			return client.request(toolCall(id, queryOrders, `{"order_ids":["O-1001","O-1002"]}`), plainHead...)
		}
		for id := 1; id <= 20; id++ {
			text := call(id)
			for len(text) > 0 {
				n := min(len(text), 1+id*7)
				client.send(text[:n])
				text = text[n:]
			}
			if got := client.receive(); !strings.Contains(got.body, fmt.Sprintf(`"id":%d,`, id)) {
				t.Fatalf("call %d in pieces gives %+v", id, got)
			}
		}
		var row []byte
		for id := 1; id <= 50; id++ {
			row = append(row, call(id)...)
			if id%10 == 0 { // one of them is for net/http
				row = append(row, client.request(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{}}`, 1000+id), plainHead...)...)
			}
		}
		client.send(row)
		for id := 1; id <= 50; id++ {
			if got := client.receive(); !strings.Contains(got.body, fmt.Sprintf(`"id":%d,`, id)) {
				t.Fatalf("call %d in a row gives %+v", id, got)
			}
			if id%10 == 0 {
				if got := client.receive(); !strings.Contains(got.body, fmt.Sprintf(`"id":%d,`, 1000+id)) {
					t.Fatalf("the list after call %d gives %+v", id, got)
				}
			}
		}
	}
}

func TestAClientThatAsksBeforeItSends(t *testing.T) {
	_, client := onTheFront(t, Options{})
	text := client.request(lookUp, append([]string{"Expect: 100-continue"}, plainHead...)...)
	head, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	client.send(append(head, "\r\n\r\n"...))
	if line, err := client.in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatalf("%q, %v", line, err)
	}
	_, _ = client.in.ReadString('\n')
	client.send(body)
	if got := client.receive(); got.status != http.StatusOK {
		t.Errorf("gives %+v", got)
	}
	if got := client.post(lookUp); got.status != http.StatusOK {
		t.Errorf("the next call gives %+v", got)
	}
}

func TestALargeCallOnTheFront(t *testing.T) {
	running, client := onTheFront(t, Options{JSONAnswers: true})
	for range 2 {
		got := client.post(toolCall(1, queryOrders, `{"order_ids":`+orderItems(20_000)+`}`))
		if !strings.Contains(got.body, `"succeeded":20000`) {
			t.Fatalf("gives %.300s", got.body)
		}
	}
	if got := running.Backend.fast.answered.Load(); got != 2 {
		t.Errorf("the front answered %d calls, want 2", got)
	}
}

// TestEachItemIsDoneOnceHoweverManyAskForIt has 64 connections cancel the same
// products, each product a call.
func TestEachItemIsDoneOnceHoweverManyAskForIt(t *testing.T) {
	running, first := onTheFront(t, Options{JSONAnswers: true})
	first.post(toolCall(1, cancelProducts, `{"items":[]}`))
	first.post(toolCall(1, cancelProducts, `{"items":["9999"]}`))
	const connections, items = 64, 40
	var wg sync.WaitGroup
	won := make([]int, connections)
	for k := range connections {
		client := dial(t, running.URL)
		wg.Go(func() {
			for i := range items {
				if _, err := client.conn.Write(client.request(toolCall(i, cancelProducts, fmt.Sprintf(`{"items":["B%d"]}`, i+1)), plainHead...)); err != nil {
					t.Error(err)
					return
				}
				response, err := http.ReadResponse(client.in, nil)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(response.Body)
				if err != nil || !bytes.Contains(body, []byte(fmt.Sprintf(`"id":%d,`, i))) {
					t.Errorf("%v in %s", err, body)
				}
				if bytes.Contains(body, []byte(`"succeeded":1`)) {
					won[k]++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range won {
		sum += n
	}
	if done := len(running.Backend.Effects()); sum != items || done != items {
		t.Errorf("%d successes told and %d done for %d items", sum, done, items)
	}
	for i := range items {
		e, _ := running.Backend.products.withID(fmt.Sprintf("B%d", i+1))
		if got := running.Backend.products.look(e).cancellations; got != 1 {
			t.Errorf("%s was cancelled %d times", e.id, got)
		}
	}
	if got := running.Backend.fast.answered.Load(); got < connections*items {
		t.Errorf("the front answered %d calls of %d", got, connections*items)
	}
}

// TestWhatStandsInFrontStandsBeforeTheFast holds that token, limit and weather
// count with the front as well.
func TestWhatStandsInFrontStandsBeforeTheFast(t *testing.T) {
	running := started(t, Options{Fast: true, Token: "s3cret", Limit: Limit{Calls: 3}})
	client := dial(t, running.URL)
	token := "Authorization: Bearer s3cret"
	for i, want := range []int{401, 200, 200, 200, 429} {
		head := []string{token}
		if i == 0 {
			head = nil
		}
		if got := client.post(lookUp, head...); got.status != want {
			t.Errorf("call %d gives %+v, want %d", i, got, want)
		}
	}
	if got := running.Backend.fast.answered.Load(); got != 2 {
		t.Errorf("the front answered %d calls, want 2", got)
	}
}

// FuzzFastHTTP holds that whatever the front reads is read by net/http alike.
func FuzzFastHTTP(f *testing.F) {
	client := &plainClient{host: "127.0.0.1"}
	f.Add(client.request(lookUp, plainHead...))
	f.Add(client.request(lookUp, "mcp-session-id:\t s \t", "X-Trace: a:b"))
	f.Add([]byte("POST / HTTP/1.1\r\nHost:h\r\nContent-Length: 0\r\n\r\n"))
	f.Add([]byte("POST / HTTP/1.1\r\ncontent-length: 2\r\nConnection: Keep-Alive\r\nHost: h\r\n\r\n{}rest"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var q fastHTTP
		need := q.read(text)
		if need == 0 || need > len(text) {
			return
		}
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
		if err != nil {
			if len(q.head.fields[0]) == 0 || strings.Contains(err.Error(), "invalid URI") || strings.Contains(err.Error(), "parse") {
				return // such a request is never vetted
			}
			t.Fatalf("net/http refuses %q: %v", text, err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(body, q.body) {
			t.Fatalf("of %q the front reads the body %q, net/http %q, %v", text, q.body, body, err)
		}
		head, ok := headOf(r)
		if !ok {
			t.Fatalf("the front takes %q over net/http only if it comes by itself", text)
		}
		call := &fastCall{tool: &tool{name: "t"}}
		if a, b := q.head.key(nil, call), head.key(nil, call); !bytes.Equal(a, b) || !bytes.Equal(q.head.session, head.session) {
			t.Fatalf("of %q the front reads %q, of net/http's request %q", text, a, b)
		}
	})
}
