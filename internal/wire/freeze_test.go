package wire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// What Encode gives is to the byte what Do sends.
func TestEncodeGivesWhatDoSends(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(readAll(r.Body), &asked)
		w.Header().Set("Content-Type", "application/json")
		switch asked.Method {
		case "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"]}}`, asked.ID)
		case "initialize":
			w.Header().Set("Mcp-Session-Id", "the-session")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`, asked.ID)
		case "notifications/initialized":
			w.WriteHeader(202)
		default:
			io.WriteString(w, response(asked.ID))
		}
	}))
	defer server.Close()
	for _, revision := range []string{wire.Revision20260728, wire.Revision20251125} {
		t.Run(revision, func(t *testing.T) {
			_, s, tape := dial(t, wire.Config{URL: server.URL, Protocol: revision, Header: []conform.HeaderField{{Name: "X-Key", Value: "k"}}})
			request := call(tape.plan("c1"))
			request.ID = wire.FirstGivenID
			body, header := s.Encode(request)
			s.Do(t.Context(), request)
			var sent *conform.Sent
			for _, o := range tape.all() {
				if o.Call == "c1" && o.Sent != nil {
					sent = o.Sent
				}
			}
			if sent == nil || string(sent.Body) != string(body) || !reflect.DeepEqual(sent.Header, header) {
				t.Errorf("sent %+v\nencoded %s %+v", sent, body, header)
			}
		})
	}
}

func TestAFrozenSessionDialsWhereItsClientDoes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ ID json.RawMessage }
		_ = json.Unmarshal(readAll(r.Body), &asked)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"]}}`, asked.ID)
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://user:word@", 1)
	client, s, _ := dial(t, wire.Config{URL: address, Protocol: wire.Revision20260728})
	frozen, err := s.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	if frozen.URL.String() != server.URL || frozen.Proxy != nil || frozen.Transport != wire.StreamableHTTP || frozen.Protocol != wire.Revision20260728 {
		t.Errorf("%+v", frozen)
	}
	before := client.Connections()
	conn, err := frozen.Dial(t.Context(), "tcp", frozen.URL.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if client.Connections() != before+1 {
		t.Errorf("%d connections, %d before", client.Connections(), before)
	}
	if s.PID() != 0 {
		t.Error("a process over HTTP")
	}
	if _, err := s.TakeOver(t.Context()); err == nil {
		t.Error("pipes over HTTP")
	}
}

func TestPipesAreTakenOver(t *testing.T) {
	client, s, _ := dial(t, started("plain"))
	body, header := s.Encode(wire.Request{Method: "tools/call", Params: json.RawMessage(echo), ID: 4711})
	if header != nil {
		t.Errorf("header fields on a pipe: %v", header)
	}
	pipes, err := s.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if pipes.PID != s.PID() || pipes.PID == 0 || len(pipes.Rest) != 0 {
		t.Errorf("%+v", pipes)
	}
	if reply := s.Do(t.Context(), call("c2")); reply.Class != wire.Misconfigured {
		t.Errorf("a call after the pipes were taken: %+v", reply)
	}
	if _, err := s.TakeOver(t.Context()); err == nil {
		t.Error("taken twice")
	}
	out := bufio.NewReader(pipes.Out)
	for range 3 {
		if _, err := pipes.In.Write(append(body, '\n')); err != nil {
			t.Fatal(err)
		}
		line, err := out.ReadString('\n')
		if err != nil || line != response([]byte("4711"))+"\n" {
			t.Fatalf("%q, %v", line, err)
		}
	}
	if err := client.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if how, ended := pipes.Ended(); !ended || how != "exit status 0" {
		t.Errorf("%q, %v", how, ended)
	}
}

func TestAProcessThatEndsUnderTakenPipesIsTold(t *testing.T) {
	_, s, tape := dial(t, started("exit 3"))
	pipes, err := s.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipes.In.WriteString(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo"}}` + "\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(pipes.Out).ReadString('\n'); err == nil {
		t.Error("it answered")
	}
	if how, ended := pipes.Ended(); !ended || !strings.Contains(how, "exit status 3") {
		t.Errorf("%q, %v", how, ended)
	}
	tape.await(t, "its end", func(list []conform.Observation) bool { return exit(list) != nil })
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
