package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// exchange is one call, answered over HTTP with this JSON of a result or error.
func exchange(id string, p conform.Planned, key, body string) []conform.Observation {
	return []conform.Observation{
		{Kind: conform.KindPlanned, Call: id, Session: main, Planned: &p},
		{Kind: conform.KindSent, Call: id, Session: main, Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`)}},
		{Kind: conform.KindReceived, Call: id, Session: main, Received: &conform.Received{Channel: conform.ChannelHTTP, Status: 200, End: conform.Complete,
			Header: []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}},
			Body:   []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,%q:%s}`, key, body))}},
	}
}

func listing(tools string) []conform.Observation {
	return exchange("list", conform.Planned{Role: conform.RoleList, Method: "tools/list"}, "result", `{"tools":`+tools+`}`)
}

const takesItems = `"inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}}}`

func TestTheScopeNamesEveryMultiItemTool(t *testing.T) {
	header := conform.Header{Target: conform.Target{HasFile: true,
		Operations: []conform.Operation{{Name: "cancel", Tool: "cancel_all", Argument: "items"}},
		Ignore:     []conform.Ignored{{Tool: "legacy_all", Because: "goes away"}, {Tool: "one", Because: "takes one item"}},
	}}
	rec := conform.NewRecording(header, listing(`[{"name":"cancel_all",`+takesItems+`},{"name":"legacy_all",`+takesItems+`},{"name":"tag_all",`+takesItems+`},`+
		`{"name":"one","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}]`))
	var got []string
	for _, tool := range scopeOf(rec).Tools {
		got = append(got, fmt.Sprintf("%s %q %v %v", tool.Name, tool.Operation, tool.Ignored, tool.Unlisted))
	}
	want := []string{`cancel_all "cancel" false false`, `legacy_all "" true false`, `tag_all "" false true`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("scope\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAGroupIsAbsentWhereOneSaysSoAndNoneHasIt(t *testing.T) {
	got := absent([]conform.Operation{
		{Name: "a", Validator: conform.Absent, Workflow: conform.Absent, Idempotency: conform.Unsaid},
		{Name: "b", Validator: conform.Present, Workflow: conform.Unsaid, Probe: conform.Unsaid},
	})
	if len(got) != 1 || got[0] != conform.GroupWorkflow {
		t.Errorf("absent %v, wanted workflow alone", got)
	}
}

func TestARefusedResetIsOneNote(t *testing.T) {
	for name, c := range map[string]struct{ key, body, says string }{
		"a tool error":       {"result", `{"content":[{"type":"text","text":"only on Mondays"}],"isError":true}`, `isError: "only on Mondays"`},
		"a JSON-RPC error":   {"error", `{"code":-32603,"message":"out of order"}`, `JSON-RPC error: "out of order"`},
		"a long text":        {"result", `{"content":[{"type":"text","text":"` + strings.Repeat("é", 500) + `"}],"isError":true}`, strings.Repeat("é", 120) + "…"},
		"an acknowledgement": {"result", `{"content":[],"structuredContent":{"reset":true}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			planned := conform.Planned{Role: conform.RoleReset, Tool: "reset", Method: "tools/call", Arguments: json.RawMessage(`{}`)}
			observations := append(exchange("r1", planned, c.key, c.body), exchange("r2", planned, c.key, c.body)...)
			got := notes(conform.NewRecording(conform.Header{}, observations))
			if c.says == "" {
				if len(got) > 0 {
					t.Errorf("notes %q", got)
				}
				return
			}
			if len(got) != 1 || !strings.Contains(got[0], c.says) || !strings.Contains(got[0], "reset") {
				t.Errorf("notes %q, wanted one that says %q", got, c.says)
			}
		})
	}
}
