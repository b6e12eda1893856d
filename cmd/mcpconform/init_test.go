package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// shop lists a tool that takes several items, its validator, and one that reads.
const shop = `[
	{"name":"cancel_orders","inputSchema":{"type":"object","properties":{"order_ids":{"type":"array","items":{"type":"string"},"examples":[["A-1","A-2","A-3"]]}},"required":["order_ids"]}},
	{"name":"validate_orders","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"order_ids":{"type":"array","items":{"type":"string"}}}}},
	{"name":"list_orders","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},
	 "outputSchema":{"type":"object","properties":{"orders":{"type":"array","items":{"type":"object","properties":{"order_id":{"type":"string"},"status":{"type":"string"}}}}}}},
	{"name":"track_orders","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"order_ids":{"type":"array","items":{"type":"string"}}},"required":["order_ids"]}}]`

func shopping(tool string, _ json.RawMessage) (string, string) {
	if tool != "list_orders" {
		return "result", `{"content":[{"type":"text","text":"no"}],"isError":true}`
	}
	return "result", `{"content":[{"type":"text","text":"{\"orders\":[{\"order_id\":\"L-1\",\"status\":\"open\"},{\"order_id\":\"L-2\",\"status\":\"open\"}]}"}],
		"structuredContent":{"orders":[{"order_id":"L-1","status":"open"},{"order_id":"L-2","status":"open"}]}}`
}

func called(s *scripted) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, what := range s.asked {
		if tool, ok := strings.CutPrefix(what, "tools/call "); ok {
			all = append(all, tool)
		}
	}
	return all
}

func TestInitCallsNothingButLists(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	got := mcpconform(t, "init", "--url", server.URL+"/mcp")
	got.exits(t, 0)
	if tools := called(server); len(tools) > 0 {
		t.Errorf("it called %v", tools)
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	for _, what := range server.asked {
		if !slices.Contains([]string{"initialize", "notifications/initialized", "server/discover", "tools/list", "resources/list"}, what) {
			t.Errorf("it asked for %s", what)
		}
	}
	says(t, "the file", got.out, "cancel-orders:", "validator: {tool: validate_orders}", "probe: {tool: list_orders,", `- "A-1"`, "track-orders:", "[FILL-IN]")
}

func TestInitReadsItemsOnlyWhereTheServerAllowsIt(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	got := mcpconform(t, "init", "--call-read-only", "--url", server.URL+"/mcp")
	got.exits(t, 0)
	if tools := called(server); !slices.Equal(tools, []string{"list_orders"}) {
		t.Errorf("it called %v, wanted the one that lists", tools)
	}
	if strings.Contains(got.out, "FILL-IN") {
		t.Errorf("a gap is left:\n%s", got.out)
	}
	says(t, "the file", got.out, `- "L-1"`, "what list_orders lists")
	hinted := serve(t, script{tools: strings.ReplaceAll(shop, `"annotations":{"readOnlyHint":true},`, ""), call: shopping})
	mcpconform(t, "init", "--call-read-only", "--url", hinted.URL+"/mcp").exits(t, 0)
	if tools := called(hinted); len(tools) > 0 {
		t.Errorf("no tool was said to read only, and it called %v", tools)
	}
}

func TestInitWritesNoFileThatIsThere(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	file := filepath.Join(t.TempDir(), "target.yaml")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mcpconform(t, "init", "--url", server.URL+"/mcp", "-o", file)
	got.exits(t, 2)
	says(t, "the error", got.err, "there already", "--force")
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q: %v", text, err)
	}
	got = mcpconform(t, "init", "--url", server.URL+"/mcp", "-o", file, "--force")
	got.exits(t, 0)
	says(t, "what is told", got.err, "2 operations (1 that writes, 1 that only reads)", "1 validator", "1 value has to be filled in", "mcpconform run --target "+file)
	if got.out != "" {
		t.Errorf("stdout has %q", got.out)
	}
	_, err := target.Load(file, quiet().getenv)
	if err == nil || !strings.Contains(err.Error(), "`good` still holds the placeholder FILL-IN") {
		t.Errorf("the file is refused by name of the gap: %v", err)
	}
	got = mcpconform(t, "run", "--target", file)
	got.exits(t, 2)
}

func TestInitSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	none := serve(t, script{tools: `[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]`})
	refuses := serve(t, script{refuse: func(string) (int, string) { return 401, "" }})
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"no server", nil, 2, []string{"no server was named"}},
		{"an empty URL", []string{"--url", ""}, 2, []string{"--url is empty"}},
		{"two servers", []string{"--url", "http://127.0.0.1:1/mcp", "--", "x"}, 2, []string{"two servers"}},
		{"a word", []string{"http://127.0.0.1:1/mcp"}, 2, []string{"does not take the word"}},
		{"no command", []string{"--"}, 2, []string{"no command stands after --"}},
		{"no folder", []string{"--url", server.URL, "-o", "/no/such/folder/t.yaml"}, 2, []string{"no folder"}},
		{"force alone", []string{"--url", server.URL, "--force"}, 2, []string{"without -o FILE"}},
		{"an operation that is not there", []string{"--url", server.URL + "/mcp", "--operations", "cancel_order"}, 2, []string{"cancel_order", "found: cancel-orders, track-orders"}},
		{"nothing that takes several", []string{"--url", none.URL + "/mcp"}, 3, []string{"none of 1 tool", "nothing was written"}},
		{"nobody there", []string{"--url", "http://127.0.0.1:1/mcp"}, 4, []string{"is the server running"}},
		{"refused", []string{"--url", refuses.URL + "/mcp"}, 4, []string{"refused the credentials"}},
		{"a program that is not there", []string{"--", "/no/such/program"}, 4, []string{"/no/such/program"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mcpconform(t, append([]string{"init"}, c.args...)...)
			if got.code != c.code || got.out != "" {
				t.Errorf("exit %d, wanted %d; stdout %q, stderr %q", got.code, c.code, got.out, got.err)
			}
			says(t, "the error", got.err, c.says...)
		})
	}
}

func TestInitNarrows(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	got := mcpconform(t, "init", "--url", server.URL+"/mcp", "--operations", "cancel-orders")
	got.exits(t, 0)
	says(t, "the file", got.out, "cancel-orders:", "{tool: track_orders, because: FILL-IN} # left out by --operations")
	if strings.Contains(got.out, "track-orders:") {
		t.Errorf("the file has what was left out:\n%s", got.out)
	}
	file, err := target.Parse("t.yaml", []byte(got.out), quiet().getenv)
	if err != nil || len(file.Operations) != 1 {
		t.Fatalf("%v: %v", file, err)
	}
}

// The secrets of the command line stand in no file, and the variables that hold them do.
func TestInitWritesNoSecret(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	w := quiet()
	w.getenv = variables(map[string]string{"SHOP_TOKEN": "s3cret-of-the-shop"})
	at := strings.Replace(server.URL, "http://", "http://user:s3cret-of-the-shop@", 1) + "/mcp?api_key=s3cret-of-the-shop"
	for _, args := range [][]string{
		{"--url", server.URL + "/mcp", "--token-env", "SHOP_TOKEN", "--header", "X-Shop: key ${SHOP_TOKEN}", "--header", "X-Api-Key: s3cret-of-the-shop"},
		{"--url", at},
	} {
		got := mcpconformIn(t, w, append([]string{"init"}, args...)...)
		got.exits(t, 0)
		if strings.Contains(got.out, "s3cret") {
			t.Errorf("the secret stands in the file:\n%s", got.out)
		}
		if args[1] == at {
			says(t, "the file", got.out, "typed with a secret")
			continue
		}
		says(t, "the file", got.out, `Authorization: "Bearer ${SHOP_TOKEN}"`, `X-Shop: "key ${SHOP_TOKEN}"`, "# gap: the header X-Api-Key")
		if strings.Contains(got.out, `X-Shop: "key $${`) {
			t.Error("the variable is not read")
		}
	}
}

// What was written for the demonstration backend is played as it stands, in every
// shape that its answers have.
func TestInitThenRunWithoutAnEdit(t *testing.T) {
	t.Parallel()
	for _, shape := range []string{"default", "bare", "wrapped", "no-summary"} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			at := served(t, quiet(), "--shape", shape) + "/mcp"
			file := filepath.Join(t.TempDir(), "target.yaml")
			mcpconform(t, "init", "--call-read-only", "--url", at, "-o", file).exits(t, 0)
			got := mcpconform(t, "run", "-q", "--format", "json", "--effort", "quick", "--seed", "7", "--target", file)
			if got.code != 0 && got.code != 3 {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			r := report(t, got.out)
			played := map[string]int{}
			for _, f := range r.Findings {
				if f.Verdict == conform.Pass {
					played[f.Operation]++
				}
			}
			for _, operation := range []string{"cancel-products", "cancel-products-workflow", "cancel-subscriptions", "query-orders"} {
				if played[operation] < 20 {
					t.Errorf("%s passed %d rules", operation, played[operation])
				}
			}
			for _, tool := range r.Scope.Tools {
				if tool.Left() {
					t.Errorf("%s is left: %s", tool.Name, tool.Because)
				}
			}
		})
	}
}

// Without a file nothing is called, unless the user asks for it: then what only reads.
func TestRunWithoutAFile(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: shop, call: shopping})
	r, got := run(t, "--url", server.URL+"/mcp", "--seed", "3")
	got.exits(t, 3)
	if tools := called(server); len(tools) > 0 {
		t.Errorf("it called %v", tools)
	}
	note := "`mcpconform init -o target.yaml --url " + server.URL + "/mcp` would write one with 2 operations (1 that writes, 1 that only reads), 1 validator, 1 probe"
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, note) }) {
		t.Errorf("notes %q", r.Notes)
	}
	// The good server's reads are played and nothing else, and still it is not called conformant.
	at := served(t, quiet()) + "/mcp"
	r, got = run(t, "--url", at, "--seed", "3", "--effort", "quick", "--call-read-only")
	got.exits(t, 3)
	says(t, "the verdict", r.VerdictLine, "no target file", "only those that read were played")
	passed := map[string]int{}
	for _, f := range r.Findings {
		if f.Verdict == conform.Pass {
			passed[f.Operation]++
		}
	}
	if passed["query-orders"] < 20 || len(passed) != 2 { // the other are the protocol's
		t.Errorf("passed %v", passed)
	}
	nothing := serve(t, script{tools: `[{"name":"cancel_orders","inputSchema":{"properties":{"ids":{"type":"array"}},"required":["ids"]}}]`})
	got = mcpconform(t, "run", "-q", "--url", nothing.URL+"/mcp", "--call-read-only")
	got.exits(t, 3)
	says(t, "what is told", got.err, "none is played")
	if tools := called(nothing); len(tools) > 0 {
		t.Errorf("it called %v", tools)
	}
	for _, args := range [][]string{{"run", "--call-read-only"}, {"run", "--call-read-only", "--target", "builtin:fakebackend", "--url", at}} {
		got := mcpconform(t, args...)
		got.exits(t, 2)
		says(t, "the error", got.err, "--url or -- CMD alone")
	}
}

// A server that somebody starts, or that is elsewhere, is not written to by a file
// that was guessed.
func TestInitConsentsToNoWritesBeyondThisMachine(t *testing.T) {
	t.Parallel()
	w := quiet()
	got := mcpconformIn(t, w, "init", "--", os.Args[0], "fakebackend", "--stdio")
	got.exits(t, 0)
	says(t, "the file", got.out, "Nobody has consented to writes", "write_hosts: none", "take the line out")
	text := strings.ReplaceAll(got.out, "[FILL-IN]", "[\"1001\"]")
	file, err := target.Parse("t.yaml", []byte(text), w.getenv)
	if err != nil {
		t.Fatal(err)
	}
	if may, why := file.MayWrite(""); may || !strings.Contains(why, "write_hosts: none") {
		t.Errorf("%v: %s", may, why)
	}
}

func TestWhatALauncherStartsGivesTheName(t *testing.T) {
	for command, want := range map[string]string{
		"npx -y @modelcontextprotocol/server-memory@2026.8.31": "server-memory",
		"npx -y acme-server": "acme-server", "node dist/server.mjs": "server", "python3 -u app.py": "app", "uvx acme@1.2": "acme",
		"./acme --stdio": "", "npx": "", "npx -y": "",
	} {
		if got := packageOf(strings.Fields(command)); got != want {
			t.Errorf("%s: %q, wanted %q", command, got, want)
		}
	}
}

func TestInitOfServersFromNPM(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npx"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI is set, and there is no npx: the servers from npm must be looked at")
		}
		t.Skip("skipped: needs npx")
	}
	w := quiet()
	w.getenv = os.LookupEnv
	root := t.TempDir()
	for _, c := range []struct {
		name       string
		command    []string
		code       int
		operations []string
		says       []string
	}{
		{"memory", []string{"npx", "-y", "@modelcontextprotocol/server-memory@2026.8.31"}, 0,
			[]string{"create-entities", "create-relations", "add-observations", "delete-entities", "delete-observations", "delete-relations"},
			[]string{
				"name: server-memory\n",
				`probe: {tool: open_nodes, argument: names, path: "$.entities[*]", id: name, done: present}`,
				`probe: {tool: open_nodes, argument: names, path: "$.entities[*]", id: name, done: absent}`,
				`results: {path: "$.entities[*]", success: present, id: name}`,
			}},
		{"filesystem", []string{"npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", root}, 0,
			[]string{"read-multiple-files"}, []string{"effect: read", "edit_file, because: FILL-IN", "unit: {tool: read_file, argument: path}"}},
		{"everything", []string{"npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31"}, 3, nil, nil},
		{"knowledge-graph", []string{"npx", "-y", "@itseasy21/mcp-knowledge-graph@1.0.7"}, 0,
			[]string{"create-entities", "create-relations", "add-observations", "delete-entities", "delete-observations", "delete-relations", "open-nodes", "update-entities", "update-relations"},
			[]string{"its name says that it only reads, and the server does not (no readOnlyHint)", "consumes: false", `{item: {"name": "no-such-1"}, because: "no such item"}`}},
		{"task-manager", []string{"npx", "-y", "@kazuph/mcp-taskmanager@1.1.1"}, 0,
			[]string{"request-planning", "add-tasks-to-request"}, []string{"originalRequest: FILL-IN", "input: {argument: tasks}", "requestId: FILL-IN"}},
		{"memory-libsql", []string{"npx", "-y", "mcp-memory-libsql@0.0.17"}, 0,
			[]string{"create-entities", "create-relations"}, []string{"a repeat does nothing more (idempotentHint)", "readOnlyHint"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mcpconformIn(t, w, append([]string{"init", "--"}, c.command...)...)
			if got.code != c.code {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			says(t, "the file", got.out, c.says...)
			var operations []string
			for line := range strings.Lines(got.out) {
				if name, ok := strings.CutSuffix(strings.TrimPrefix(strings.TrimRight(line, "\n"), "  "), ":"); ok && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") {
					operations = append(operations, name)
				}
			}
			if fmt.Sprint(operations) != fmt.Sprint(c.operations) {
				t.Errorf("found %v, wanted %v", operations, c.operations)
			}
		})
	}
}
