package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type echoIn struct {
	Text  string `json:"text"`
	Shop  string `json:"shop,omitempty"`
	Count int    `json:"count,omitempty"`
}

// sdkServer is a server of the official Go SDK. Its tool asks for two of its
// arguments in header fields as well.
func sdkServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},` +
		`"shop":{"type":"string","x-mcp-header":"shop"},"count":{"type":"integer","x-mcp-header":"count"}}}`)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", InputSchema: schema}, func(_ context.Context, _ *mcp.CallToolRequest, in echoIn) (*mcp.CallToolResult, echoIn, error) {
		return nil, in, nil
	})
	return server
}

func TestEveryRevisionOfTheGoSDK(t *testing.T) {
	newest := wire.Revision20251125
	for name, c := range map[string]struct {
		options *mcp.StreamableHTTPOptions
		stdio   bool
		want    map[string]string // pinned to negotiated
	}{
		"stateful, event stream":  {&mcp.StreamableHTTPOptions{}, false, map[string]string{"": newest, wire.Revision20260728: newest}},
		"stateful, JSON":          {&mcp.StreamableHTTPOptions{JSONResponse: true}, false, map[string]string{"": newest, wire.Revision20260728: newest}},
		"stateful, events stored": {&mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}, false, map[string]string{"": newest, wire.Revision20260728: newest}},
		"stateless, event stream": {&mcp.StreamableHTTPOptions{Stateless: true}, false, map[string]string{"": wire.Revision20260728, wire.Revision20260728: wire.Revision20260728}},
		"stateless, JSON":         {&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}, false, map[string]string{"": wire.Revision20260728, wire.Revision20260728: wire.Revision20260728}},
		"stdio":                   {nil, true, map[string]string{"": newest, wire.Revision20260728: wire.Revision20260728}},
	} {
		for _, revision := range append([]string{""}, wire.Revisions...) {
			t.Run(name+"/"+revision, func(t *testing.T) {
				config := started("sdk")
				config.Timeouts = wire.Timeouts{Exit: 20 * time.Second}
				if !c.stdio {
					server := sdkServer()
					front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, c.options))
					t.Cleanup(front.Close)
					config = wire.Config{URL: front.URL}
				}
				config.Protocol, config.ProbeDeleted = revision, true
				client, s, tape := dial(t, config)
				want := c.want[revision]
				if want == "" {
					want = revision
				}
				if s.Protocol != want || s.Server.Name != "sdk" || s.Server.Capabilities.Get("tools") == nil {
					t.Errorf("negotiated %s (%+v), wanted %s", s.Protocol, s.Server, want)
				}
				tools := s.Do(t.Context(), wire.Request{Call: "list", Method: "tools/list"})
				if tools.Result.Get("tools") == nil {
					t.Fatalf("tools/list: %+v\n%s", tools, tape)
				}
				reply := s.Do(t.Context(), wire.Request{Call: "c1", Method: "tools/call", Params: json.RawMessage(`{"name":"echo","arguments":{"text":"hi","shop":" Zoë","count":7}}`)})
				if text, _ := reply.Result.At("structuredContent", "shop").Str(); text != " Zoë" || reply.End != conform.Complete || reply.Problem != "" {
					t.Errorf("tools/call: %+v\n%s", reply, tape)
				}
				if want == wire.Revision20260728 && !c.stdio {
					if got := conform.Field(tape.sent("c1")[0].Header, "Mcp-Param-shop"); got != "=?base64?IFpvw6s=?=" {
						t.Errorf("Mcp-Param-shop: %q", got)
					}
				}
				id := s.ID()
				if err := client.Close(context.Background()); err != nil {
					t.Errorf("close: %v", err)
				}
				if stateful := !c.stdio && !c.options.Stateless; stateful != (id != "") {
					t.Errorf("session id %q", id)
				} else if stateful {
					del, probe := tape.of("close/s1/delete"), tape.of("close/s1/after-delete")
					if len(del) != 1 || del[0].Status/100 != 2 || len(probe) != 1 || probe[0].Status != 404 {
						t.Errorf("%s", tape)
					}
				}
				everyCallIsWhole(t, tape)
			})
		}
	}
}

// everyCallIsWhole checks what every recording of a good server has: each
// planned call was sent, and each that waits for an answer has one or was
// answered over HTTP.
func everyCallIsWhole(t *testing.T, tape *tape) {
	t.Helper()
	for _, c := range tape.recording().Calls {
		if c.Sent == nil {
			t.Errorf("%s was never sent", c.ID)
		}
		if c.Sent.Sent.Channel == conform.ChannelHTTP && len(c.Received) == 0 {
			t.Errorf("%s got no answer", c.ID)
		}
	}
}

// TestTypeScriptServers plays with the official TypeScript servers where the
// environment says in which node_modules folder they are.
func TestTypeScriptServers(t *testing.T) {
	modules := os.Getenv("WIRE_TEST_NODE_MODULES")
	if modules == "" {
		t.Skip("WIRE_TEST_NODE_MODULES names no folder with @modelcontextprotocol/server-*")
	}
	dir := t.TempDir()
	for name, arguments := range map[string][]string{"server-memory": nil, "server-filesystem": {dir}, "server-everything": {"stdio"}} {
		for _, revision := range append([]string{""}, wire.Revisions...) {
			t.Run(name+"/"+revision, func(t *testing.T) {
				main := filepath.Join(modules, "@modelcontextprotocol", name, "dist", "index.js")
				client, s, tape := dial(t, wire.Config{
					Command: append([]string{"node", main}, arguments...), Protocol: revision,
					Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "memory.jsonl")},
				})
				want := revision
				if revision == "" || revision == wire.Revision20260728 {
					want = wire.Revision20251125
				}
				if s.Protocol != want {
					t.Errorf("negotiated %s", s.Protocol)
				}
				if reply := s.Do(t.Context(), wire.Request{Call: "list", Method: "tools/list"}); reply.Result.Get("tools") == nil {
					t.Errorf("%+v\n%s", reply, tape)
				}
				if err := client.Close(context.Background()); err != nil {
					t.Error(err)
				}
				if ended := exit(tape.all()); ended == nil || !strings.Contains(fmt.Sprint(ended.End), "complete") && ended.End != conform.Stopped {
					t.Errorf("%+v", ended)
				}
			})
		}
	}
}
