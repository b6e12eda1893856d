package lean_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

type clock struct{ began time.Time }

func (clock) Record(conform.Observation) {}
func (c clock) Now() time.Duration       { return time.Since(c.began) + 1 }

const (
	id   = 1234567890
	good = `{"jsonrpc":"2.0","id":1234567890,"result":{"content":[]}}`
	ask  = `{"jsonrpc":"2.0","id":1234567890,"method":"tools/call","params":{"name":"x"}}`
)

// grace is how long a stream may go on after its answer: so long that a busy machine
// never makes an end of it.
const grace = 5 * time.Second

// frozen is the settled part of a session at an address, whoever serves it later.
func frozen(t testing.TB, bounds wire.Bounds) (wire.Frozen, func(to string) wire.Frozen) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}`)
	}))
	t.Cleanup(server.Close)
	client, err := wire.Dial(context.Background(), wire.Config{
		URL: server.URL, Protocol: wire.Revision20260728, Recorder: clock{time.Now()}, Bounds: bounds,
		Timeouts: wire.Timeouts{StreamGrace: grace, Connect: 5 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	session, err := client.Open(context.Background(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	f, err := session.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	return f, func(to string) wire.Frozen {
		scheme, host, _ := strings.Cut(to, "://")
		own := f
		address := *f.URL
		address.Scheme, address.Host = scheme, host
		own.URL = &address
		return own
	}
}

// scripted takes connections, and answers each request on them by a script, piece
// by piece. After the script it closes the connection, unless told to stay.
func scripted(t testing.TB, script func(conn net.Conn, request string) (stay bool)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
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
					request, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(request.Body)
					if !script(conn, string(body)) {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

func open(t testing.TB, f wire.Frozen, o lean.Options) (*lean.Way, lean.Conn) {
	t.Helper()
	o.Now = clock{time.Now()}.Now
	way, err := lean.Plan(context.Background(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	conn := way.Open()
	t.Cleanup(func() { conn.Close(); way.Close() })
	return way, conn
}

func post(way *lean.Way, fields ...conform.HeaderField) *lean.Request {
	r := way.Request(append(fields, conform.HeaderField{Name: "Content-Type", Value: "application/json"}), []byte(ask))
	r.ID, r.Timeout = id, 10*time.Second
	return &r
}

func TestAnswersOverHTTP(t *testing.T) {
	const (
		json   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
		stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	)
	sized := func(head, body string) string {
		return head + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	}
	chunked := func(head string, pieces ...string) string {
		text := head + "Transfer-Encoding: chunked\r\n\r\n"
		for _, p := range pieces {
			text += fmt.Sprintf("%x;x=y\r\n%s\r\n", len(p), p)
		}
		return text + "0\r\nTrailer: t\r\n\r\n"
	}
	event := "event: message\r\nid: 1\r\ndata: " + good + "\r\n\r\n"
	for name, c := range map[string]struct {
		answer string
		class  lean.Class
		form   lean.Form
		odd    bool
		body   string // "" is not compared
		again  bool   // the connection is kept
	}{
		"with a length":             {sized(json, good), lean.Answered, lean.JSON, false, good, true},
		"with white space":          {sized(json, "\r\n "+good+"\n"), lean.Answered, lean.JSON, false, "\r\n " + good + "\n", true},
		"in chunks":                 {chunked(json, good[:1], good[1:20], good[20:]), lean.Answered, lean.JSON, false, good, true},
		"to the connection's end":   {json + "\r\n" + good, lean.Answered, lean.JSON, false, good, false},
		"of HTTP/1.0":               {strings.Replace(sized(json, good), "/1.1", "/1.0", 1), lean.Answered, lean.JSON, false, good, false},
		"and no more":               {sized(json+"Connection: close\r\n", good), lean.Answered, lean.JSON, false, good, false},
		"after a 103":               {"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + sized(json, good), lean.Answered, lean.JSON, false, good, true},
		"fields in capitals":        {sized("HTTP/1.1 200 OK\r\nCONTENT-TYPE:Application/JSON ; charset=utf-8\r\n", good), lean.Answered, lean.JSON, false, good, true},
		"bytes after it":            {sized(json, good) + "x", lean.Answered, lean.JSON, true, good, false},
		"an event":                  {sized(stream, event), lean.Answered, lean.SSE, false, event, true},
		"an event in chunks":        {chunked(stream, ": ping\n\n", event[:30], event[30:]), lean.Answered, lean.SSE, false, ": ping\n\n" + event, true},
		"an event in several lines": {sized(stream, "data: "+good[:17]+"\ndata: "+good[17:]+"\n\n"), lean.Answered, lean.SSE, false, "", true},
		"events before it": {chunked(stream, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n", "data:\n\nevent: ping\ndata: x\n\n", event),
			lean.Answered, lean.SSE, false, "", true},
		"a question before it":     {chunked(stream, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n", event), lean.Answered, lean.SSE, false, "", true},
		"an event, cut after it":   {stream + "Content-Length: 4000\r\n\r\n" + event, lean.Answered, lean.SSE, false, event, false},
		"two responses":            {chunked(stream, event, event), lean.Answered, lean.SSE, true, "", true},
		"a response of another":    {chunked(stream, strings.ReplaceAll(event, "1234567890", "77"), event), lean.Answered, lean.SSE, true, "", true},
		"a line that is no field":  {chunked(stream, "what\n", event), lean.Answered, lean.SSE, true, "", true},
		"an event that is no JSON": {chunked(stream, "data: {\n\n", event), lean.Answered, lean.SSE, true, "", true},
		"a stream without it":      {chunked(stream, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n"), lean.Silent, "", false, "", true},
		"a stream, half of it":     {stream + "\r\ndata: " + good + "\n", lean.Silent, "", false, "", false},
		"an error with 400":        {sized("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n", good), lean.Refused, lean.JSON, false, good, true},
		"busy":                     {sized("HTTP/1.1 429 Too Many Requests\r\n", "slow"), lean.Busy, "", false, "slow", true},
		"unavailable, with JSON":   {sized("HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\n", "{}"), lean.Busy, lean.JSON, false, "{}", true},
		"a proxy's page":           {sized("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n", "<html>"), lean.Intermediary, "", false, "<html>", true},
		"a page with 200":          {sized("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n", "<html>"), lean.Intermediary, "", false, "", true},
		"no credentials":           {sized("HTTP/1.1 401 Unauthorized\r\n", ""), lean.Unauthorized, "", false, "", true},
		"not found":                {sized("HTTP/1.1 404 Not Found\r\n", ""), lean.Refused, "", false, "", true},
		"elsewhere":                {sized("HTTP/1.1 307 Temporary Redirect\r\nLocation: /x\r\n", ""), lean.Redirected, "", false, "", true},
		"broken":                   {sized("HTTP/1.1 500 Oh\r\n", "x"), lean.Refused, "", false, "x", true},
		"accepted":                 {sized("HTTP/1.1 202 Accepted\r\n", ""), lean.Silent, "", false, "", true},
		"nothing to say":           {"HTTP/1.1 204 No Content\r\n\r\n", lean.Silent, "", false, "", false},
		"no type":                  {sized("HTTP/1.1 200 OK\r\n", good), lean.Silent, "", false, good, true},
		"compressed, and broken":   {sized(json+"Content-Encoding: gzip\r\n", "\x1f\x8b"), lean.Silent, "", true, "", true},
		"compressed":               {sized(json+"Content-Encoding: gzip\r\n", zip(good)), lean.Answered, lean.JSON, false, good, true},
		"compressed events":        {sized("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n", zip("data: "+good+"\n\n")), lean.Answered, lean.SSE, false, "data: " + good + "\n\n", true},
		"a bomb":                   {sized(json+"Content-Encoding: gzip\r\n", zip(strings.Repeat(" ", 64<<20))), lean.Silent, "", true, "", true},
		"an unknown coding":        {sized(json+"Content-Encoding: br\r\n", "\x1f\x8b"), lean.Silent, "", false, "", true},
		"cut in the head":          {"HTTP/1.1 200 OK\r\nContent-", lean.Cut, "", false, "", false},
		"cut in the body":          {json + "Content-Length: 500\r\n\r\n{", lean.Cut, "", false, "{", false},
		"cut in a chunk":           {json + "Transfer-Encoding: chunked\r\n\r\n20\r\n{", lean.Cut, "", false, "{", false},
		"cut at once":              {"", lean.Cut, "", false, "", false},
		"no HTTP":                  {"SSH-2.0-OpenSSH\r\n\r\n", lean.Malformed, "", false, "", false},
		"a status of words":        {"HTTP/1.1 two hundred\r\n\r\n", lean.Malformed, "", false, "", false},
		"a field without a colon":  {"HTTP/1.1 200 OK\r\nwhat\r\n\r\n", lean.Malformed, "", false, "", false},
		"two lengths":              {json + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", lean.Malformed, "", false, "", false},
		"a coding unknown":         {json + "Transfer-Encoding: gzip, chunked\r\n\r\n", lean.Malformed, "", false, "", false},
		"a chunk of no size":       {json + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", lean.Malformed, "", false, "", false},
		"a chunk too long":         {json + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", lean.Malformed, "", false, "", false},
		"a size without end":       {json + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1", 300), lean.Malformed, "", false, "", false},
		"other protocols":          {"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", lean.Malformed, "", false, "", false},
		"a body beyond our bound":  {json + "Content-Length: 9000000\r\n\r\n" + strings.Repeat(" ", 3<<20), lean.TooLarge, "", false, "", false},
		"a head beyond our bound":  {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70_000), lean.Malformed, "", false, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			for way, pieces := range map[string]int{"at once": 1 << 30, "byte by byte": 1} {
				if pieces == 1 && (len(c.answer) > 4000 || name == "bytes after it") {
					continue // a byte after an answer that is read already is of the next one
				}
				asked := atomic.Int64{}
				_, to := frozen(t, wire.Bounds{MaxBody: 1 << 20, MaxHeader: 64 << 10})
				url := scripted(t, func(conn net.Conn, request string) bool {
					if request != ask {
						t.Errorf("asked %q", request)
					}
					asked.Add(1)
					for rest := c.answer; rest != ""; {
						n := min(pieces, len(rest))
						if _, err := io.WriteString(conn, rest[:n]); err != nil {
							return false
						}
						rest = rest[n:]
					}
					return c.again
				})
				plan, conn := open(t, to(url), lean.Options{})
				if plan.Name != lean.WayHTTP1 || !plan.Lean {
					t.Errorf("the way is %q", plan.Name)
				}
				r := post(plan)
				for i := range 2 {
					var a lean.Answer
					conn.Do(r, &a)
					if a.Class != c.class || a.Form != c.form || (a.Odd != "") != c.odd || (a.Problem == "") != (c.class == lean.Answered) {
						t.Errorf("%s: %q (%s), form %q, odd %q", way, a.Class, a.Problem, a.Form, a.Odd)
					}
					if c.body != "" && string(a.Body) != c.body {
						t.Errorf("%s: body %q", way, a.Body)
					}
					if c.class == lean.Answered {
						want := good
						if strings.Contains(name, "several lines") {
							want = good[:17] + "\n" + good[17:]
						}
						if string(a.Message) != want {
							t.Errorf("%s: message %q", way, a.Message)
						}
					}
					if a.Done < a.FirstByte || a.Sent < a.Begun || a.Sent == 0 || a.FirstByte == 0 && c.answer != "" {
						t.Errorf("%s: times %+v", way, a)
					}
					if a.Opened != (i == 0 || !c.again) {
						t.Errorf("%s: call %d opened a connection: %v", way, i, a.Opened)
					}
				}
			}
		})
	}
}

func TestASessionThatIsGoneIsTold(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	url := scripted(t, func(conn net.Conn, _ string) bool {
		_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
		return true
	})
	way, conn := open(t, to(url), lean.Options{})
	var a lean.Answer
	if conn.Do(post(way, conform.HeaderField{Name: "Mcp-Session-Id", Value: "s"}), &a); a.Class != lean.SessionLost {
		t.Errorf("%+v", a)
	}
}

func TestAConnectionForEachCall(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	var heads atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heads.Store(r.Close)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, good)
	}))
	defer server.Close()
	way, conn := open(t, to(server.URL), lean.Options{Anew: true})
	for range 3 {
		var a lean.Answer
		if conn.Do(post(way, conform.HeaderField{Name: "Connection", Value: "keep-alive"}), &a); !a.Opened || a.Class != lean.Answered || heads.Load() != true {
			t.Errorf("%+v", a)
		}
	}
}

func TestCallsThatAreGivenUp(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	hold := make(chan struct{})
	defer close(hold)
	asked := make(chan struct{}, 9)
	url := scripted(t, func(net.Conn, string) bool { asked <- struct{}{}; <-hold; return false })
	way, conn := open(t, to(url), lean.Options{})
	r := post(way)
	r.Timeout = 20 * time.Millisecond
	var a lean.Answer
	if conn.Do(r, &a); a.Class != lean.TimedOut || a.Done == 0 {
		t.Errorf("%+v", a)
	}
	<-asked
	r.Timeout = time.Minute
	go func() { <-asked; conn.Interrupt() }()
	if conn.Do(r, &a); a.Class != lean.Stopped {
		t.Errorf("%+v", a)
	}
	if conn.Do(r, &a); a.Class != lean.Stopped || a.Sent != 0 {
		t.Errorf("after it: %+v", a)
	}
}

func TestNobodyThere(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	_ = listener.Close()
	way, conn := open(t, to(url), lean.Options{})
	var a lean.Answer
	if conn.Do(post(way), &a); a.Class != lean.Unconnected || !a.Opened || a.Sent != 0 {
		t.Errorf("%+v", a)
	}
}

// secure is a server over TLS, of HTTP/2 if it is asked for.
func secure(t *testing.T, second bool) (*httptest.Server, *tls.Config) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Proto", r.Proto)
		_, _ = io.WriteString(w, "data: "+good+"\n\n")
	}))
	server.EnableHTTP2 = second
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server, &tls.Config{RootCAs: roots}
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // into memory
	_ = z.Close()
	return b.String()
}

func TestTheWayIsChosenByWhatTheServerPrefers(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	for name, c := range map[string]struct {
		second, keep bool
		want, proto  string
	}{
		"HTTP/1.1 only":           {false, false, lean.WayTLS, "HTTP/1.1"},
		"HTTP/2":                  {true, false, lean.WayHTTP2, "HTTP/2.0"},
		"HTTP/2, and we keep out": {true, true, lean.WayTLS, "HTTP/1.1"},
	} {
		t.Run(name, func(t *testing.T) {
			server, config := secure(t, c.second)
			way, conn := open(t, to(server.URL), lean.Options{TLS: config, HTTP1: c.keep})
			if way.Name != c.want || way.Lean != (c.want == lean.WayTLS) {
				t.Errorf("the way is %q", way.Name)
			}
			for i := range 2 {
				var a lean.Answer
				if conn.Do(post(way), &a); a.Class != lean.Answered || string(a.Message) != good || a.Form != lean.SSE || a.Opened != (i == 0) ||
					!strings.Contains(strings.ToLower(string(a.Head)), "x-proto: "+strings.ToLower(c.proto)) || a.Done < a.FirstByte || a.FirstByte < a.Sent {
					t.Errorf("%+v: %s", a, a.Head)
				}
			}
		})
	}
	server, _ := secure(t, false)
	if _, err := lean.Plan(context.Background(), to(server.URL), lean.Options{Now: clock{}.Now}); err == nil {
		t.Error("a certificate that nobody knows was accepted")
	}
}

func TestAProxyIsGoneThrough(t *testing.T) {
	base, _ := frozen(t, wire.Bounds{})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Host {
		case "busy.example":
			w.WriteHeader(503)
		case "dies.example":
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		case "slow.example":
			_, _ = io.ReadAll(r.Body) // only then it is seen that the other side goes
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Server-Timing", "total;dur=2.5")
			_, _ = io.WriteString(w, good)
		}
	}))
	defer proxy.Close()
	for host, want := range map[string]lean.Class{"good.example": lean.Answered, "busy.example": lean.Busy, "dies.example": lean.Cut, "slow.example": lean.TimedOut} {
		own := base
		address := *base.URL
		address.Host = host
		own.URL = &address
		own.Proxy = base.URL.ResolveReference(base.URL)
		own.Proxy.Host = strings.TrimPrefix(proxy.URL, "http://")
		way, conn := open(t, own, lean.Options{})
		if way.Name != lean.WayProxy || way.Lean {
			t.Errorf("the way is %q", way.Name)
		}
		r := post(way)
		if host == "slow.example" {
			r.Timeout = 30 * time.Millisecond
		}
		var a lean.Answer
		if conn.Do(r, &a); a.Class != want || (a.Message != nil) != (want == lean.Answered) {
			t.Errorf("%s: %+v", host, a)
		}
		if a.Timed != (want == lean.Answered) || a.Timed && a.Served != 2500*time.Microsecond {
			t.Errorf("%s: the server's own time is %s, %t", host, a.Served, a.Timed)
		}
		conn.Interrupt()
		if conn.Do(r, &a); a.Class != lean.Stopped {
			t.Errorf("%s, stopped: %+v", host, a)
		}
	}
}

func TestACallOverHTTPAllocatesNothing(t *testing.T) {
	_, to := frozen(t, wire.Bounds{})
	answer := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer-Timing: db;dur=1.5, total;dur=2.5\r\nContent-Length: " + strconv.Itoa(len(good)) + "\r\n\r\n" + good
	url := scripted(t, func(conn net.Conn, _ string) bool {
		_, _ = io.WriteString(conn, answer)
		return true
	})
	way, conn := open(t, to(url), lean.Options{})
	r := post(way)
	var a lean.Answer
	// The server runs in this process: what it allocates for a call is measured by
	// itself, and taken off.
	plain, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	buffer := make([]byte, 4096)
	bare := testing.AllocsPerRun(200, func() {
		_, _ = plain.Write(r.Bytes)
		for n := 0; n < len(answer); {
			got, err := plain.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			n += got
		}
	})
	own := testing.AllocsPerRun(200, func() {
		if conn.Do(r, &a); a.Class != lean.Answered {
			t.Fatalf("%+v", a)
		}
	})
	if own > bare {
		t.Errorf("%v allocations, of which the server's are %v", own, bare)
	}
}

// A trace that is patched into a request's bytes is the one that net/http sends.
func TestATraceGoesThroughAProxyAsItIsPatched(t *testing.T) {
	base, _ := frozen(t, wire.Bounds{})
	var got []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header["Traceparent"]
		_, _ = io.WriteString(w, good)
	}))
	defer proxy.Close()
	base.Proxy = base.URL.ResolveReference(base.URL)
	base.Proxy.Host = strings.TrimPrefix(proxy.URL, "http://")
	way, conn := open(t, base, lean.Options{})
	r := way.Request([]conform.HeaderField{{Name: "traceparent", Value: "before"}}, []byte(good))
	r.Timeout, r.Trace = time.Second, []byte("patched")
	var a lean.Answer
	if conn.Do(&r, &a); len(got) != 1 || got[0] != "patched" {
		t.Errorf("%q; %+v", got, a)
	}
}
