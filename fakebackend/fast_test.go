package fakebackend

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// started is a backend that serves HTTP until the test ends.
func started(t testing.TB, o Options) *Running {
	t.Helper()
	running, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	return running
}

// plainClient is a connection on which requests are written as they are.
type plainClient struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	host string
}

func dial(t testing.TB, url string) *plainClient {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &plainClient{t: t, conn: conn, in: bufio.NewReader(conn), host: host}
}

// plainHead is what clients of MCP send.
var plainHead = []string{"Content-Type: application/json", "Accept: application/json, text/event-stream"}

// request writes a POST as text.
func (r *plainClient) request(body string, head ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", r.host, len(body))
	for _, line := range head {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

func (r *plainClient) send(text []byte) {
	if _, err := r.conn.Write(text); err != nil {
		r.t.Fatal(err)
	}
}

// reply is what came back for one request.
type rawReply struct {
	status int
	head   http.Header
	body   string
}

func (r *plainClient) receive() rawReply {
	r.t.Helper()
	response, err := http.ReadResponse(r.in, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return rawReply{response.StatusCode, response.Header, string(body)}
}

func (r *plainClient) post(body string, head ...string) rawReply {
	r.t.Helper()
	r.send(r.request(body, append(head, plainHead...)...))
	return r.receive()
}

// message gives the JSON-RPC message of a reply, in either form.
func (r rawReply) message() string {
	if strings.HasPrefix(r.head.Get("Content-Type"), eventStream) {
		if data := eventData([]byte(r.body)); len(data) == 1 {
			return string(data[0])
		}
	}
	return r.body
}

func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// canonical gives a message as JSON of sorted members without escapes.
func canonical(t testing.TB, message string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(message), &v); err != nil {
		return message
	}
	return quote(v)
}

// BenchmarkRoads compares the ordinary handler with the fast front over one
// connection, at several numbers of items.
func BenchmarkRoads(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		for _, c := range []struct{ tool, args string }{
			{queryOrders, `{"order_ids":` + orderItems(n) + `}`},
			{cancelProducts, `{"items":` + bulkItems(1, n) + `}`},
			{validateProducts, `{"items":` + bulkItems(1, n) + `}`},
		} {
			for _, o := range []Options{
				{Sessions: Stateless, JSONAnswers: true},
				{Sessions: Stateless, JSONAnswers: true, Fast: true},
				{Sessions: Stateless},
				{Sessions: Stateless, Fast: true},
			} {
				way := map[bool]string{false: "ordinary", true: "fast"}[o.Fast] + "/" + map[bool]string{false: "sse", true: "json"}[o.JSONAnswers]
				b.Run(fmt.Sprintf("%s/items=%d/%s", c.tool, n, way), func(b *testing.B) {
					client := dial(b, started(b, o).URL)
					text := client.request(toolCall(1, c.tool, c.args), plainHead...)
					b.ReportAllocs()
					for b.Loop() {
						client.send(text)
						if got := client.receive(); got.status != http.StatusOK {
							b.Fatal(got)
						}
					}
				})
			}
		}
	}
}

func orderItems(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("OB%d", i+1)
	}
	return quote(ids)
}
