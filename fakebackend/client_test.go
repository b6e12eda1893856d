package fakebackend

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// said is an answer as a test reads it.
type said struct {
	raw     json.RawMessage // structuredContent
	text    string
	isError bool
	body    struct {
		Status, Message          string
		Total, Succeeded, Failed int
		Results                  []saidRow
		OK                       *bool
		Result                   json.RawMessage
		Output                   map[string]struct {
			Results []saidRow
			Success bool
			Skipped bool
			Error   string
		}
		Eligible  *bool
		Reason    string
		Parameter string
		Decision  struct {
			Resolved     json.RawMessage `json:"resolved_arguments"`
			TargetTool   string          `json:"target_tool"`
			Confirmation string          `json:"confirmation_message"`
		} `json:"transaction_decision"`
		Products      []saidState
		Subscriptions []saidState
		Missing       []string
	}
}

type saidRow struct {
	ID, Name, Protocol, Error, Message string
	Success                            bool
	Order                              struct{ State, Customer string }
}

type saidState struct {
	ID, Name, Status string
	Cancellations    int
}

// outcomes tells each row as "name: protocol?/error".
func outcomes(rows []saidRow) []string {
	var list []string
	for _, r := range rows {
		word := r.Error
		if r.Success {
			word = "done"
			if r.Protocol == "" {
				word = "done without protocol"
			}
		}
		list = append(list, r.ID+"|"+r.Name+"|"+word)
	}
	return list
}

type client struct {
	t       *testing.T
	session *mcp.ClientSession
	backend *Backend
}

// speak starts a backend and a client of one revision on it, over HTTP.
func speak(t *testing.T, o Options, revision string) *client {
	t.Helper()
	running, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: running.URL, DisableStandaloneSSE: true, MaxRetries: -1},
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("spoke revision %s, want %s", got, revision)
	}
	return &client{t, session, running.Backend}
}

func good(t *testing.T) *client { return speak(t, Options{}, "2025-11-25") }

func (c *client) call(tool, arguments string) said {
	c.t.Helper()
	result, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatalf("%s(%.200s): %v", tool, arguments, err)
	}
	return read(c.t, result)
}

func read(t *testing.T, result *mcp.CallToolResult) said {
	t.Helper()
	s := said{isError: result.IsError}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	s.raw = raw
	if len(result.Content) != 1 {
		t.Fatalf("%d content blocks, want 1", len(result.Content))
	}
	s.text = result.Content[0].(*mcp.TextContent).Text
	if !sameJSON(s.text, string(raw)) {
		t.Fatalf("text and structured content differ:\n%s\n%s", s.text, raw)
	}
	if err := json.Unmarshal(raw, &s.body); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return s
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	xs, _ := json.Marshal(x)
	ys, _ := json.Marshal(y)
	return bytes.Equal(xs, ys)
}

func quote(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// post sends one message as it is, and gives what came back.
func post(t *testing.T, url, body string, header ...string) (status int, head http.Header, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	bytes, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(bytes)
}

// pipe serves a backend over a pair of pipes and returns the client's ends.
func pipe(t *testing.T, o Options) (send io.WriteCloser, receive io.Reader, ended <-chan error) {
	t.Helper()
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	in, send := io.Pipe()
	receive, out := io.Pipe()
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		done <- b.ServeStdio(ctx, in, out)
		_ = out.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_ = send.Close()
		_ = receive.(*io.PipeReader).Close()
	})
	return send, receive, done
}

// get reads an address.
func get(t *testing.T, url string, header ...string) (status int, head http.Header, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(body)
}
