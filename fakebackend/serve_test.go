package fakebackend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestEveryRevisionOverEveryForm(t *testing.T) {
	for _, sessions := range []Sessions{Auto, Stateful, Stateless} {
		for _, json := range []bool{false, true} {
			for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
				if sessions == Stateful && revision == "2026-07-28" {
					continue // the SDK serves it without sessions only
				}
				t.Run(fmt.Sprintf("%s/json=%v/%s", sessions, json, revision), func(t *testing.T) {
					client := speak(t, Options{Sessions: sessions, JSONAnswers: json}, revision)
					got := client.call(cancelProducts, `{"items":["Product A","Product X"]}`)
					if want := []string{"1001|Product A|done", "|Product X|not_found"}; !slices.Equal(outcomes(got.body.Results), want) {
						t.Errorf("says %s", got.raw)
					}
				})
			}
		}
	}
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initiated  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	callTool   = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cancel_products","arguments":{"items":["Product A","Product X"]}}}`
)

func TestSessionsOnTheWire(t *testing.T) {
	running, err := Start(Options{JSONAnswers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = running.Close() }()
	status, head, body := post(t, running.URL, initialize)
	session := head.Get("Mcp-Session-Id")
	if status != http.StatusOK || session == "" || !strings.Contains(body, `"protocolVersion":"2025-06-18"`) {
		t.Fatalf("initialize: %d %q %s", status, session, body)
	}
	with := []string{"Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-06-18"}
	if status, _, body = post(t, running.URL, initiated, with...); status != http.StatusAccepted || body != "" {
		t.Errorf("notification: %d %q", status, body)
	}
	if status, _, body = post(t, running.URL, callTool, with...); status != http.StatusOK || !strings.Contains(body, `"PARTIAL_SUCCESS"`) {
		t.Errorf("call: %d %s", status, body)
	}
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, running.URL, nil)
	request.Header.Set("Mcp-Session-Id", session)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if status, _, _ = post(t, running.URL, callTool, with...); response.StatusCode != http.StatusNoContent || status != http.StatusNotFound {
		t.Errorf("DELETE: %d, then the session gives %d", response.StatusCode, status)
	}
}

func TestForeignHostsAndOriginsAreRefused(t *testing.T) {
	running, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = running.Close() }()
	for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "https://evil.example"}} {
		if status, _, _ := post(t, running.URL, initialize, header...); status != http.StatusForbidden {
			t.Errorf("%v gives %d", header, status)
		}
	}
}

func TestStdioSpeaksLines(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			send, receive, ended := pipe(t, Options{})
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
				&mcp.IOTransport{Reader: io.NopCloser(receive), Writer: send}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: cancelProducts, Arguments: map[string]any{"items": "Product A"}})
			if err != nil || session.InitializeResult().ProtocolVersion != revision {
				t.Fatalf("%v, revision %s", err, session.InitializeResult().ProtocolVersion)
			}
			if got := read(t, result); got.body.Succeeded != 1 {
				t.Errorf("says %s", got.raw)
			}
			_ = session.Close()
			if err := <-ended; err != nil {
				t.Errorf("serving ended with %v", err)
			}
		})
	}
}

func TestStdioEndsWithItsContext(t *testing.T) {
	b, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.ServeStdio(ctx, in, out) }()
	if _, err := io.WriteString(send, initialize+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(receive).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Fatalf("%v %q", err, line)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	_ = send.Close()
}

func TestOptionsThatCannotBe(t *testing.T) {
	for name, o := range map[string]Options{
		"downstream":  {Downstream: "sideways"},
		"shape":       {Shape: "round"},
		"sessions":    {Sessions: "some"},
		"delay":       {PerItemDelay: -1},
		"workers":     {Workers: -1},
		"no scale":    {Jitter: Jitter{Shape: Uniform}},
		"jitter":      {Jitter: Jitter{Shape: "wild", Scale: 1}},
		"stall":       {Stall: Stall{For: 2, Every: 2}},
		"half stall":  {Stall: Stall{Every: 2}},
		"revision":    {Revisions: []string{"1999-01-01"}},
		"fault":       {Faults: []Fault{{ID: "nothing"}}},
		"probability": {Faults: []Fault{{ID: Faults()[0].ID, Probability: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(o); err == nil {
				t.Error("no error")
			}
		})
	}
	if _, err := ParseFault("RES-99/nothing"); !errors.Is(err, ErrNoFault) {
		t.Errorf("error %v", err)
	}
}
