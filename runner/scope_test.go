package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
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

func TestTheScopeNamesEveryTool(t *testing.T) {
	header := conform.Header{Target: conform.Target{HasFile: true,
		Operations: []conform.Operation{{Name: "cancel", Tool: "cancel_all", Argument: "items", ProbeTool: "show"}},
		Ignore:     []conform.Ignored{{Tool: "legacy_all", Because: "goes away"}, {Tool: "one", Because: "takes one item"}, {Tool: "gone", Because: "was there once"}},
	}}
	rec := conform.NewRecording(header, listing(`[{"name":"cancel_all",`+takesItems+`},{"name":"legacy_all",`+takesItems+`},{"name":"tag_all",`+takesItems+`},`+
		`{"name":"one","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}},{"name":"ping"},{"name":"show"}]`))
	var got []string
	for _, tool := range scopeOf(rec).Tools {
		got = append(got, fmt.Sprintf("%s %q %q ignored %v unlisted %v single %v %q", tool.Name, tool.Operation, tool.As, tool.Ignored, tool.Unlisted, tool.Single, tool.Because))
	}
	want := []string{
		`cancel_all "cancel" "" ignored false unlisted false single false ""`,
		`show "cancel" "the probe" ignored false unlisted false single true ""`,
		`legacy_all "" "" ignored true unlisted false single false "goes away"`,
		`one "" "" ignored true unlisted false single true "takes one item"`,
		`tag_all "" "" ignored false unlisted true single false "its argument \"items\" takes a list"`,
		`ping "" "" ignored false unlisted true single true ""`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("scope\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// offered is what SCOPE-01 offers to paste.
func offered(rec *conform.Recording) string {
	for _, f := range suites.Judge(rec, suites.All()).Findings {
		if f.ID == "SCOPE-01" {
			return f.Paste
		}
	}
	return ""
}

// parsed reads a target file of a server and this text.
func parsed(text string) (*target.File, error) {
	return target.Parse("pasted.yaml", []byte("version: 1\nserver: {url: \"http://127.0.0.1:1/mcp\"}\n"+text+"\n"), func(string) (string, bool) { return "", false })
}

// uncommented takes the marks of a comment away.
func uncommented(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n# ", "\n"), "# ")
}

// A file that has the keys already gets the entries alone, which stand under them as
// they are, and no name twice.
func TestWhatScopeOffersFitsIntoAFileWithOperations(t *testing.T) {
	header := conform.Header{Target: conform.Target{HasFile: true,
		Operations: []conform.Operation{{Name: "cancel-all", Tool: "other"}}, Ignore: []conform.Ignored{{Tool: "old", Because: "goes away"}}}}
	rec := conform.NewRecording(header, listing(`[{"name":"cancel_all",`+takesItems+`},{"name":"deep","inputSchema":{"properties":{"in":{"additionalProperties":{"type":"array"}}}}}]`))
	paste := strings.ReplaceAll(offered(rec), conform.Placeholder, "a-1")
	at := strings.Index(paste, "# or leave them out")
	if !strings.HasPrefix(paste, "# under operations:\n  cancel-all-2:\n") || !strings.Contains(paste, "\n# no operation for deep: its list stands at \"in.*\", and `input.argument`") || at < 0 {
		t.Fatalf("offered\n%s", paste)
	}
	operations := "operations:\n  cancel-all:\n    tool: other\n    effect: read\n    input: {argument: ids}\n    items: {good: [a], bad: [b]}\n"
	ignore := "ignore:\n  - {tool: old, because: goes away}\n"
	file, err := parsed(operations + paste + "\n" + ignore)
	if err != nil || len(file.Operations) != 2 || file.Operations[1].Name != "cancel-all-2" || file.Operations[1].Tool != "cancel_all" {
		t.Errorf("as operations: %v %v\n%s", file, err, paste)
	}
	_, entries, _ := strings.Cut(paste[at:], "# under ignore:\n")
	file, err = parsed(operations + ignore + uncommented(entries))
	if err != nil || len(file.Ignore) != 3 || file.Ignore[2].Tool != "deep" {
		t.Errorf("as ignored: %v %v\n%s", file, err, entries)
	}
	nested := conform.NewRecording(header, listing(`[{"name":"deep","inputSchema":{"properties":{"in":{"properties":{"ids":{"type":"array"}}}}}}]`))
	paste = strings.ReplaceAll(offered(nested), conform.Placeholder, "a-1")
	file, err = parsed(operations + ignore + paste)
	if err != nil || len(file.Ignore) != 2 || !strings.Contains(paste, "# under ignore:\n  - {tool: deep") {
		t.Errorf("nothing but a nested list: %v %v\n%s", file, err, paste)
	}
}

// What SCOPE-01 offers to paste is a target file, once somebody has filled in what
// only they know; before, it is refused by the placeholder's name.
func TestWhatScopeOffersIsATargetFile(t *testing.T) {
	header := conform.Header{Target: conform.Target{HasFile: true}}
	const takesText = `"inputSchema":{"properties":{"which":{"type":"string","description":"comma-separated"},"why":{}},"required":["which","why","why"]}`
	rec := conform.NewRecording(header, listing(`[{"name":"cancel_all",`+takesItems+`},{"name":"find all: [x]","annotations":{"readOnlyHint":true},`+takesText+`},`+
		`{"name":"find all x","inputSchema":{"properties":{"on":{"type":"array"}}}},{"name":"deep","inputSchema":{"properties":{"in":{"properties":{"ids":{"type":"array"}}}}}}]`))
	paste := offered(rec)
	if _, err := parsed(paste); err == nil || strings.Count(err.Error(), "still holds the placeholder") != 7 || !strings.Contains(err.Error(), "`good`") {
		t.Errorf("with the placeholders: %v\n%s", err, paste)
	}
	file, err := parsed(strings.ReplaceAll(paste, conform.Placeholder, "a-1"))
	if err != nil {
		t.Fatalf("filled in: %v\n%s", err, paste)
	}
	var got []string
	for _, op := range file.Operations {
		got = append(got, fmt.Sprintf("%s|%s|%v|%s|%s|%s", op.Name, op.Tool, op.Write, op.Argument, op.Style, op.Fixed))
	}
	want := []string{`cancel-all|cancel_all|true|items|array|`, `find-all-x|find all: [x]|false|which|scalar|{"why":"a-1"}`, `find-all-x-2|find all x|true|on|array|`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	ignoring := uncommented(paste[strings.Index(paste, "# ignore:"):])
	file, err = parsed(strings.ReplaceAll(ignoring, conform.Placeholder, "a-1"))
	if err != nil || len(file.Ignore) != 4 || file.Ignore[3].Tool != "deep" {
		t.Errorf("ignored: %v %v\n%s", file, err, ignoring)
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
