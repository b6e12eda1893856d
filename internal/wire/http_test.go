package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

func readAll(r io.Reader) []byte {
	b, _ := io.ReadAll(r)
	return b
}

// pinned is a configuration without surprises: one revision, short grace.
func pinned(url string) wire.Config {
	return wire.Config{URL: url, Protocol: wire.Revision20250618, Timeouts: wire.Timeouts{StreamGrace: 30 * time.Millisecond}}
}

// response is the good answer to a message.
func response(id json.RawMessage) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// raw takes the connection over and writes bytes as they are.
func raw(w http.ResponseWriter, text string, linger func(net.Conn)) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	io.WriteString(conn, text)
	if linger != nil {
		linger(conn)
	}
}

func reset(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) }

func TestHTTPAnswersAreTakenAsTheyAre(t *testing.T) {
	const sse = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
	type want struct {
		end      conform.End
		status   int
		class    wire.Class
		answered bool
		problem  string // a part of it
		body     string // of the recorded reception; "" is not compared
	}
	cases := map[string]struct {
		script func(w http.ResponseWriter, id json.RawMessage)
		want   want
	}{
		"plain JSON": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			io.WriteString(w, response(id)+"\n")
		}, want{conform.Complete, 200, wire.Fine, true, "", response([]byte("2")) + "\n"}},
		"JSON with odd spacing and a doubled member": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "\r\n {\"id\" : 2 , \"result\":{\"a\":1,\"a\":2}}\t")
		}, want{conform.Complete, 200, wire.Fine, true, "", "\r\n {\"id\" : 2 , \"result\":{\"a\":1,\"a\":2}}\t"}},
		"a JSON-RPC error with status 400": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, id)
		}, want{conform.Complete, 400, wire.Fine, true, "", ""}},
		"another id": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response([]byte("77")))
		}, want{conform.Complete, 200, wire.Protocol, false, "no response to id 2", ""}},
		"the id as a string": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response([]byte(`"2"`)))
		}, want{conform.Complete, 200, wire.Protocol, false, "no response to id 2", ""}},
		"a page of a proxy": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(502)
			io.WriteString(w, "<html>bad gateway</html>")
		}, want{conform.Complete, 502, wire.Protocol, false, "status 502 (text/html)", "<html>bad gateway</html>"}},
		"no credentials": {func(w http.ResponseWriter, id json.RawMessage) {
			http.Error(w, "who are you", http.StatusUnauthorized)
		}, want{conform.Complete, 401, wire.Unauthorized, false, "status 401", "who are you\n"}},
		"the session is gone": {func(w http.ResponseWriter, id json.RawMessage) {
			http.Error(w, "session not found", 404)
		}, want{conform.Complete, 404, wire.SessionLost, false, "status 404", ""}},
		"a redirect": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(302)
		}, want{conform.Complete, 302, wire.Protocol, false, `redirected (302) to "/elsewhere", which was not followed: only 307`, ""}},
		"accepted, and nothing": {func(w http.ResponseWriter, id json.RawMessage) {
			w.WriteHeader(202)
		}, want{conform.Complete, 202, wire.Protocol, false, "no content type", ""}},
		"compressed, and broken": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte{0x1f, 0x8b, 8, 0})
		}, want{conform.Complete, 200, wire.Protocol, false, "does not decode as gzip", ""}},
		"compressed although not asked": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip(response(id)))
		}, want{conform.Complete, 200, wire.Fine, true, "", ""}},
		"a bomb": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip(strings.Repeat(" ", 1<<20)))
		}, want{conform.TooLarge, 200, wire.Unanswered, false, "longer than our bound of 65536 bytes", ""}},
		"cut in the middle of the body": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"jsonrpc\":", nil)
		}, want{conform.Cut, 200, wire.Unanswered, false, "lost after 11 bytes", `{"jsonrpc":`}},
		"reset before a byte": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "", reset)
		}, want{conform.Cut, 0, wire.Unanswered, false, "connection was lost", ""}},
		"closed before a byte": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "", nil)
		}, want{conform.Cut, 0, wire.Unanswered, false, "connection was lost", ""}},
		"no HTTP at all": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "hello there\r\n\r\n", nil)
		}, want{conform.Cut, 0, wire.Unanswered, false, "malformed HTTP", ""}},
		"a head without end": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "HTTP/1.1 200 OK\r\n"+strings.Repeat("X-Pad: "+strings.Repeat("a", 1000)+"\r\n", 40), nil)
		}, want{conform.TooLarge, 0, wire.Unanswered, false, "response head", ""}},
		"a huge body": {func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, strings.Repeat("a", 100_000))
		}, want{conform.TooLarge, 200, wire.Unanswered, false, "bound of 65536 bytes", strings.Repeat("a", 65536)}},
		"a stream with comments, retry and data over lines": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, sse+": hi\nretry: 10\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":2,\"result\":{}}\r\n\r\n", nil)
		}, want{conform.Complete, 200, wire.Fine, true, "", ": hi\nretry: 10\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":2,\"result\":{}}\r\n\r\n"}},
		"two responses in a stream": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, sse+"data: "+response(id)+"\n\ndata: "+response(id)+"\n\n", nil)
		}, want{conform.Complete, 200, wire.Fine, true, "", "data: " + response([]byte("2")) + "\n\ndata: " + response([]byte("2")) + "\n\n"}},
		"a stream that ends without a response": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, sse+"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n", nil)
		}, want{conform.Complete, 200, wire.Protocol, false, "no response to id 2", ""}},
		"a stream whose last event has no blank line": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, sse+"data: "+response(id)+"\n", nil)
		}, want{conform.Complete, 200, wire.Protocol, false, "no response to id 2", ""}},
		"a stream cut after the response": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"+chunk("data: "+response(id)+"\n\n"), nil)
		}, want{conform.Complete, 200, wire.Fine, true, "connection was lost", ""}},
		"a flood of messages": {func(w http.ResponseWriter, id json.RawMessage) {
			raw(w, sse+strings.Repeat("data: {\"method\":\"x\"}\n\n", 60), nil)
		}, want{conform.TooLarge, 200, wire.Unanswered, false, "bound of 50 messages", ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			config := pinned(scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
				if r.Method == http.MethodDelete {
					w.WriteHeader(405)
					return
				}
				c.script(w, m.ID)
			}))
			config.Bounds = wire.Bounds{MaxBody: 64 << 10, MaxHeader: 16 << 10, MaxMessages: 50}
			_, s, tape := dial(t, config)
			reply := s.Do(t.Context(), call(tape.plan("c1")))
			if reply.End != c.want.end || reply.Status != c.want.status || reply.Class != c.want.class || (reply.Response != nil) != c.want.answered {
				t.Errorf("reply %+v", reply)
			}
			if !strings.Contains(reply.Problem, c.want.problem) || (c.want.problem == "") != (reply.Problem == "") {
				t.Errorf("problem %q, wanted %q in it", reply.Problem, c.want.problem)
			}
			received := tape.of("c1")
			if len(received) != 1 {
				t.Fatalf("%d receptions\n%s", len(received), tape)
			}
			got := received[0]
			if got.End != c.want.end || got.Status != c.want.status || got.Channel != conform.ChannelHTTP {
				t.Errorf("received %+v", got)
			}
			if c.want.body != "" && string(got.Body) != c.want.body {
				t.Errorf("body %q\nwanted %q", got.Body, c.want.body)
			}
			if rec := tape.recording().Call("c1"); (rec.Response != nil) != c.want.answered {
				t.Errorf("the recording and the reply disagree on whether there is a response\n%s", tape)
			}
			if !(reply.Sent > 0 && reply.Sent <= reply.Done) || reply.Status != 0 && !(reply.Sent <= reply.FirstByte && reply.FirstByte <= reply.Done) {
				t.Errorf("times out of order: %v %v %v", reply.Sent, reply.FirstByte, reply.Done)
			}
		})
	}
}

func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

func TestWhatIsSentIsRecordedToTheByte(t *testing.T) {
	var mu sync.Mutex
	var got []*http.Request
	var bodies [][]byte
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, body []byte, m message) {
		mu.Lock()
		got, bodies = append(got, r), append(bodies, body)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Add("X-Two", "a")
		w.Header().Add("X-Two", "b")
		io.WriteString(w, response(m.ID))
	})
	config := pinned(url)
	config.Header = []conform.HeaderField{{Name: "X-Zeta", Value: "z"}, {Name: "Authorization", Value: "Bearer t"}, {Name: "accept", Value: "application/json"}}
	_, s, tape := dial(t, config)
	params := "{\n \"name\":\"echo\", \"arguments\":{\"n\":9007199254740993,\"n\":1.0} }"
	s.Do(t.Context(), wire.Request{Call: "c1", Method: "tools/call", Params: json.RawMessage(params), ID: 1005, StringID: true})
	sent := tape.sent("c1")[0]
	want := `{"jsonrpc":"2.0","id":"c-1005","method":"tools/call","params":` + params + `}`
	if string(sent.Body) != want || string(bodies[0]) != want {
		t.Errorf("recorded %s\narrived  %s\nwanted   %s", sent.Body, bodies[0], want)
	}
	if sent.Method != "POST" || sent.URL != url {
		t.Errorf("%s %s", sent.Method, sent.URL)
	}
	var names []string
	for _, f := range sent.Header {
		names = append(names, f.Name)
		if got[0].Header.Get(f.Name) != f.Value {
			t.Errorf("field %s arrived as %q, recorded %q", f.Name, got[0].Header.Get(f.Name), f.Value)
		}
	}
	if all := strings.Join(names, " "); all != "Authorization Content-Type Mcp-Protocol-Version Mcp-Session-Id User-Agent X-Zeta accept" {
		t.Errorf("fields %s", all)
	}
	for name := range got[0].Header {
		if conform.Field(sent.Header, name) == "" && name != "Content-Length" {
			t.Errorf("field %s arrived and was not recorded", name)
		}
	}
	var twice []string
	for _, f := range tape.of("c1")[0].Header {
		if f.Name == "X-Two" {
			twice = append(twice, f.Value)
		}
	}
	if strings.Join(twice, "") != "ab" {
		t.Errorf("a field that came twice is recorded as %v", twice)
	}
}

func TestAnOpenStreamDoesNotHoldTheCall(t *testing.T) {
	ended := make(chan struct{})
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		if r.Method == http.MethodDelete {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", response(m.ID))
		w.(http.Flusher).Flush()
		<-r.Context().Done() // until the client hangs up
		close(ended)
	})
	_, s, tape := dial(t, pinned(url))
	reply := s.Do(t.Context(), call("c1"))
	<-ended
	if reply.End != conform.Complete || reply.Response == nil || reply.Problem != "" {
		t.Errorf("%+v", reply)
	}
	if got := tape.of("c1"); len(got) != 1 || got[0].End != conform.Complete {
		t.Errorf("%s", tape)
	}
}

func TestServerRequestsInAStreamAreAnswered(t *testing.T) {
	answers := make(chan string, 2)
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, body []byte, m message) {
		switch {
		case r.Method == http.MethodDelete:
		case m.Method == "tools/call":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"p1\",\"method\":\"ping\"}\n\n")
			w.(http.Flusher).Flush()
			first := <-answers
			fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"elicitation/create\",\"params\":{}}\n\n")
			w.(http.Flusher).Flush()
			second := <-answers
			if first != `{"jsonrpc":"2.0","id":"p1","result":{}}` || !strings.HasPrefix(second, `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,`) {
				t.Errorf("answers %s %s", first, second)
			}
			fmt.Fprintf(w, "data: %s\n\n", response(m.ID))
		default:
			answers <- string(body)
			w.WriteHeader(http.StatusAccepted)
		}
	})
	_, s, tape := dial(t, pinned(url))
	if reply := s.Do(t.Context(), call(tape.plan("c1"))); reply.Response == nil || reply.Status != 200 {
		t.Errorf("%+v", reply)
	}
	if sent := tape.sent("c1"); len(sent) != 3 {
		t.Errorf("%d sent", len(sent))
	}
	received := tape.of("c1")
	if len(received) != 3 || received[2].Status != 200 {
		t.Errorf("the call's own answer is not the last\n%s", tape)
	}
	asked := 0
	for _, m := range tape.recording().Call("c1").Messages {
		if m.Method == "elicitation/create" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the recording does not show that the tool asked back")
	}
}

func TestABrokenStreamIsTakenUpAgain(t *testing.T) {
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		switch {
		case r.Method == http.MethodDelete:
		case r.Method == http.MethodGet:
			if r.Header.Get("Last-Event-Id") != "e1" || r.Header.Get("Mcp-Session-Id") != "sid-1" {
				t.Errorf("header %v", r.Header)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: e2\ndata: %s\n\n", response([]byte("2")))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: e1\nretry: 1\ndata: \n\n")
		}
	})
	_, s, tape := dial(t, pinned(url))
	reply := s.Do(t.Context(), call(tape.plan("c1")))
	if reply.End != conform.Complete || reply.Response == nil || reply.Class != wire.Fine {
		t.Errorf("%+v", reply)
	}
	if received := tape.of("c1"); len(received) != 2 || !strings.Contains(received[0].Problem, `event id "e1"`) {
		t.Errorf("%s", tape)
	}
	if tape.recording().Call("c1").Response == nil {
		t.Error("the recording has no response")
	}
}

// An event that broke off in the middle has not come, and its id does not count.
func TestAStreamIsTakenUpBehindTheLastWholeEvent(t *testing.T) {
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		switch {
		case r.Method == http.MethodDelete:
		case r.Method == http.MethodGet:
			if got := r.Header.Get("Last-Event-Id"); got != "e1" {
				t.Errorf("taken up behind %q", got)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: e2\ndata: %s\n\n", response([]byte("2")))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: e1\nretry: 1\ndata: \n\nid: e2\ndata: {\"jsonrpc\":")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	})
	_, s, tape := dial(t, pinned(url))
	if reply := s.Do(t.Context(), call(tape.plan("c1"))); reply.End != conform.Complete || reply.Response == nil {
		t.Errorf("%+v", reply)
	}
}

func TestAStalledCallTimesOutAndItsLateAnswerIsRecorded(t *testing.T) {
	release := make(chan struct{})
	told := make(chan string, 1)
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, body []byte, m message) {
		switch m.Method {
		case "tools/call":
			<-release
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response(m.ID))
		case "notifications/cancelled":
			told <- string(body)
			w.WriteHeader(http.StatusAccepted)
		}
	})
	_, s, tape := dial(t, pinned(url))
	request := call(tape.plan("c1"))
	request.Timeout = 50 * time.Millisecond
	reply := s.Do(t.Context(), request)
	if reply.End != conform.TimedOut || reply.Class != wire.Unanswered || reply.Problem != "no answer to tools/call echo within 50ms" {
		t.Errorf("%+v", reply)
	}
	if got := <-told; got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no answer to tools/call echo within 50ms"}}` {
		t.Errorf("told %s", got)
	}
	close(release)
	tape.await(t, "the late answer", func([]conform.Observation) bool { return len(tape.of("c1")) == 2 })
	late := tape.of("c1")[1]
	if late.End != conform.Complete || string(late.Body) != response([]byte("2")) || !strings.HasPrefix(late.Problem, "late") {
		t.Errorf("%+v", late)
	}
	tape.await(t, "the acceptance of the cancellation", func([]conform.Observation) bool { return len(tape.of("c1/cancelled")) == 1 })
	if p := tape.recording().Call("c1/cancelled"); p == nil || p.Planned.Method != "notifications/cancelled" {
		t.Error("the cancellation was not planned")
	}
}

// All of the answer has come when the call is given up, and the connection stays open: it
// is recorded then, and is no second response when the connection ends.
func TestAnAnswerThatIsGivenUpWholeIsRecordedOnce(t *testing.T) {
	release := make(chan struct{})
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, body []byte, m message) {
		switch m.Method {
		case "tools/call":
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response(m.ID))
			_ = http.NewResponseController(w).Flush()
			<-release
		case "notifications/cancelled":
			w.WriteHeader(http.StatusAccepted)
			close(release)
		}
	})
	_, s, tape := dial(t, pinned(url))
	request := call(tape.plan("c1"))
	request.Timeout = 200 * time.Millisecond
	if reply := s.Do(t.Context(), request); reply.End != conform.TimedOut {
		t.Errorf("%+v", reply)
	}
	<-release
	if reply := s.Do(t.Context(), wire.Request{Method: "ping", Timeout: 20 * time.Second}); reply.Status == 0 {
		t.Errorf("%+v", reply)
	}
	tape.await(t, "the end of the first call", func([]conform.Observation) bool { return len(tape.of("c1")) > 0 })
	if got := tape.of("c1"); len(got) != 1 || string(got[0].Body) != response([]byte("2")) {
		t.Errorf("%d receptions: %+v", len(got), got)
	}
}

// The server works for longer than a call's time, and says so all the while.
func TestProgressInAStreamExtendsTheCall(t *testing.T) {
	url := scripted(t, func(w http.ResponseWriter, _ *http.Request, body []byte, m message) {
		if m.Method != "tools/call" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		var asked struct {
			Params struct {
				Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		if err := json.Unmarshal(body, &asked); err != nil || asked.Params.Meta.ProgressToken == nil {
			io.WriteString(w, response(m.ID))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for begun := time.Now(); time.Since(begun) < 1500*time.Millisecond; time.Sleep(50 * time.Millisecond) {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1}}\n\n", asked.Params.Meta.ProgressToken)
			_ = http.NewResponseController(w).Flush()
		}
		fmt.Fprintf(w, "data: %s\n\n", response(m.ID))
	})
	_, s, tape := dial(t, pinned(url))
	request := call(tape.plan("c1"))
	request.Timeout, request.Most = time.Second, time.Minute
	if reply := s.Do(t.Context(), request); reply.End != conform.Complete || reply.Result == nil {
		t.Errorf("%+v", reply)
	}
}

func TestAnInterruptedCallStops(t *testing.T) {
	arrived := make(chan struct{}, 1)
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		if m.Method == "tools/call" {
			arrived <- struct{}{}
			<-r.Context().Done()
		}
	})
	_, s, tape := dial(t, pinned(url))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	reply := s.Do(ctx, call("c1"))
	if reply.End != conform.Stopped || reply.Class != wire.Interrupted || !strings.Contains(reply.Problem, "waiting for an answer to tools/call echo") {
		t.Errorf("%+v", reply)
	}
	if got := tape.of("c1"); len(got) != 1 || got[0].End != conform.Stopped {
		t.Errorf("%s", tape)
	}
}

func TestDeletedSessionIsProbed(t *testing.T) {
	var deleted atomic.Bool
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		switch {
		case r.Method == http.MethodDelete:
			deleted.Store(true)
			w.WriteHeader(http.StatusNoContent)
		case deleted.Load() && r.Header.Get("Mcp-Session-Id") == "sid-1" && m.Method == "ping":
			http.Error(w, "no such session", 404)
		default:
			t.Errorf("unexpected %s %s", r.Method, m.Method)
		}
	})
	config := pinned(url)
	config.ProbeDeleted = true
	client, s, tape := dial(t, config)
	if s.ID() != "sid-1" {
		t.Errorf("id %q", s.ID())
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := client.Close(t.Context()); err != nil {
		t.Error(err)
	}
	del, probe := tape.of("close/s1/delete"), tape.of("close/s1/after-delete")
	if len(del) != 1 || del[0].Status != 204 || len(probe) != 1 || probe[0].Status != 404 {
		t.Errorf("%s", tape)
	}
	if p := tape.recording().Call("close/s1/after-delete"); p.Planned.Role != conform.RolePing {
		t.Errorf("%+v", p.Planned)
	}
	before := len(tape.all())
	if reply := s.Do(t.Context(), call("c9")); reply == nil || reply.End != conform.Refused || len(tape.all()) != before {
		t.Errorf("a closed session still speaks: %+v", reply)
	}
}

func TestErrorsOfOpen(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	stall := func(w http.ResponseWriter, r *http.Request) {
		readAll(r.Body) // else the server does not see the client go
		<-r.Context().Done()
	}
	for name, c := range map[string]struct {
		url   string
		class wire.Class
		text  string
	}{
		"closed port":       {"http://" + closed.Addr().String() + "/mcp", wire.Unreachable, "connecting to http://" + closed.Addr().String() + "/mcp: no connection could be made"},
		"401":               {serve(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }), wire.Unauthorized, "status 401"},
		"403":               {serve(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) }), wire.Unauthorized, "status 403"},
		"a web site":        {serve(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html></html>") }), wire.Protocol, "content type text/html"},
		"no such path":      {serve(http.NotFound), wire.Protocol, "status 404"},
		"never answers":     {serve(stall), wire.Unreachable, "no answer to initialize within 60ms"},
		"closes every time": {serve(func(w http.ResponseWriter, r *http.Request) { raw(w, "", nil) }), wire.Unreachable, "connection was lost"},
		"refuses": {serve(func(w http.ResponseWriter, r *http.Request) {
			var m message
			_ = json.Unmarshal(readAll(r.Body), &m)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"go away"}}`, m.ID)
		}), wire.Protocol, "go away"},
		"an unknown revision": {serve(func(w http.ResponseWriter, r *http.Request) {
			var m message
			_ = json.Unmarshal(readAll(r.Body), &m)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"1999-01-01"}}`, m.ID)
		}), wire.Protocol, `"1999-01-01", which is no revision known`},
	} {
		t.Run(name, func(t *testing.T) {
			client, tape := prepare(t, wire.Config{URL: c.url, Timeouts: wire.Timeouts{Call: 60 * time.Millisecond, Discover: 30 * time.Millisecond}})
			_, err := client.Open(t.Context(), "s1")
			var e *wire.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			if e.Class != c.class || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%s: %v\n%s", e.Class, err, tape)
			}
			if name == "closed port" && tape.of("connect/s1/discover")[0].End != conform.Refused {
				t.Errorf("%s", tape)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		client, _ := prepare(t, wire.Config{URL: serve(stall)})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := client.Open(ctx, "s1")
		var e *wire.Error
		if !errors.As(err, &e) || e.Class != wire.Interrupted || !errors.Is(err, context.Canceled) && e.Err == nil {
			t.Errorf("%v", err)
		}
	})
}

func TestConfigurationsThatCannotBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		config wire.Config
		text   string
	}{
		"nothing":            {wire.Config{}, "neither a url nor a command"},
		"both":               {wire.Config{URL: "http://127.0.0.1", Command: []string{"x"}}, "both a url and a command"},
		"legacy SSE":         {wire.Config{URL: "http://127.0.0.1", Transport: "sse"}, "not served yet"},
		"legacy REST":        {wire.Config{URL: "http://127.0.0.1", Transport: "rest"}, "not served yet"},
		"no such transport":  {wire.Config{URL: "http://127.0.0.1", Transport: "pigeon"}, "pigeon"},
		"no scheme":          {wire.Config{URL: "127.0.0.1:80/mcp"}, "http://host:port/path"},
		"an unknown version": {wire.Config{URL: "http://127.0.0.1", Protocol: "1999-01-01"}, "1999-01-01"},
		"a bad field":        {wire.Config{URL: "http://127.0.0.1", Header: []conform.HeaderField{{Name: "X", Value: "secret\n"}}}, "header field X"},
		"a field of ours":    {wire.Config{URL: "http://127.0.0.1", Header: []conform.HeaderField{{Name: "mcp-session-id", Value: "1"}}}, "set by the protocol"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.Dial(t.Context(), c.config)
			var e *wire.Error
			if !errors.As(err, &e) || e.Class != wire.Misconfigured || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestNothingIsSentTwiceOnADeadConnection(t *testing.T) {
	// The server answers the first request of a connection, then drops the
	// connection at the second: net/http must not try again by itself.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var calls atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					var m message
					_ = json.Unmarshal(readAll(r.Body), &m)
					if m.Method == "tools/call" && calls.Add(1) == 2 {
						return
					}
					if r.Method == http.MethodDelete || m.ID == nil {
						io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
						continue
					}
					body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18"}}`, m.ID)
					fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
				}
			}()
		}
	}()
	client, s, tape := dial(t, pinned("http://"+listener.Addr().String()))
	first, second := s.Do(t.Context(), call("c1")), s.Do(t.Context(), call("c2"))
	if first.Response == nil || second.End != conform.Cut || calls.Load() != 2 {
		t.Errorf("%+v\n%+v\n%d calls arrived\n%s", first, second, calls.Load(), tape)
	}
	if client.Connections() != 1 {
		t.Errorf("%d connections", client.Connections())
	}
}

func TestManyCallsInFlightKeepTheirAnswers(t *testing.T) {
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, body []byte, m message) {
		if r.Method == http.MethodDelete {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"echo":%s}}`, m.ID, body)
	})
	config := pinned(url)
	config.SeparateConnections = true
	_, s, _ := dial(t, config)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			r := call(fmt.Sprintf("c%d", i))
			r.ID = wire.FirstGivenID + i
			reply := s.Do(t.Context(), r)
			if !bytes.Contains(reply.Result.Get("echo").Raw, fmt.Appendf(nil, `"id":%d,`, r.ID)) {
				t.Errorf("call %d got %+v", i, reply)
			}
		})
	}
	all.Wait()
}
