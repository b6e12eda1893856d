package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// closedPort is an address of this machine where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String() + "/mcp"
}

const (
	batchTool = `[{"name":"cancel_products","description":"Cancel products.","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{}}},"required":["items"]}}]`
	unitTool  = `[{"name":"cancel_one","description":"Cancel a product.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}]`
)

func outOfOrder(string, json.RawMessage) (string, string) {
	return "error", `{"code":-32603,"message":"out of order"}`
}

func TestAClosedPortIsFour(t *testing.T) {
	t.Parallel()
	url := closedPort(t)
	for name, args := range map[string][]string{"without a target file": {"--url", url}, "with one": onBackend(url)} {
		t.Run(name, func(t *testing.T) {
			got := mcpconform(t, append([]string{"run"}, args...)...).exits(t, 4)
			says(t, "stderr", got.err, "connection refused", "hint: is the server running")
			says(t, "stdout", got.out, "could not be reached")
			silent(t, "the output", got.out+got.err, "✓", "conformant:")
		})
	}
	t.Run("a command that is not there", func(t *testing.T) {
		got := mcpconform(t, "run", "--", "no-such-program-anywhere")
		if got.code != 4 && got.code != 2 {
			t.Errorf("exit %d", got.code)
		}
		says(t, "stderr", got.err, "no-such-program-anywhere")
		silent(t, "the output", got.out+got.err, "✓")
	})
	t.Run("a command that ends at once", func(t *testing.T) {
		got := mcpconform(t, "run", "--", "false").exits(t, 4)
		silent(t, "the output", got.out+got.err, "✓")
	})
}

// What answers, and never with a JSON-RPC message, is no MCP server that broke a
// rule: run and plan say so alike.
func TestWhatIsNoMCPServerIsFour(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status      int
		media, body string
	}{
		"a page":              {200, "text/html", "<!doctype html><title>Welcome</title>"},
		"a redirect":          {302, "", ""},
		"an error":            {500, "text/plain", "boom"},
		"an error in JSON":    {500, "application/json", `{"error":"boom"}`},
		"another API":         {200, "application/json", `{"hello":1}`},
		"nothing":             {200, "", ""},
		"no such method":      {405, "text/plain", "POST is not allowed"},
		"an empty acceptance": {202, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if c.media != "" {
					w.Header().Set("Content-Type", c.media)
				}
				if c.status == 302 {
					w.Header().Set("Location", "https://login.example/")
				}
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			defer server.Close()
			for _, command := range []string{"run", "plan"} {
				got := mcpconform(t, command, "--url", server.URL+"/mcp").exits(t, 4)
				says(t, "stderr of "+command, got.err, "nothing that it answered was a JSON-RPC message", "is the path of the URL right (often /mcp)?")
				silent(t, "the output of "+command, got.out+got.err, "✓", "✗")
			}
		})
	}
	t.Run("an echo", func(t *testing.T) {
		got := mcpconform(t, "run", "--", "cat").exits(t, 4)
		says(t, "stderr", got.err, "it gives back what it is sent")
		silent(t, "the output", got.out+got.err, "✓", "✗")
	})
}

func TestRefusedCredentialsAreFour(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: batchTool, call: outOfOrder, refuse: func(string) (int, string) {
		return http.StatusUnauthorized, `{"error":"unauthorized"}`
	}})
	got := mcpconform(t, "run", "--url", server.URL+"/mcp").exits(t, 4)
	says(t, "stderr", got.err, "401", "--header", "--token-env")
	silent(t, "the output", got.out+got.err, "✓")

	w := quiet()
	w.getenv = variables(map[string]string{"TOKEN": "not-the-right-one"})
	got = mcpconformIn(t, w, "run", "--url", server.URL+"/mcp", "--token-env", "TOKEN").exits(t, 4)
	silent(t, "the output", got.out+got.err, "not-the-right-one")
}

func TestAServerThatErrsOnEveryToolCallIsOne(t *testing.T) {
	t.Parallel()
	// What would put back what is written is listed, or nothing would be written.
	tools := strings.TrimSuffix(batchTool, "]") + `,{"name":"reset","inputSchema":{"type":"object"}}]`
	server := serve(t, script{tools: tools, call: outOfOrder})
	file := filepath.Join(t.TempDir(), "r.json")
	got := mcpconform(t, append([]string{"run", "--output", "json=" + file}, onBackend(server.URL+"/mcp", "--operation", "cancel-products", "--effort", "quick")...)...).exits(t, 1)
	silent(t, "the output", got.out+got.err, "✓")
	r := report(t, read(t, file))
	if ids := failing(r)["cancel-products"]; len(ids) == 0 || ids[0] != "RES-01" {
		t.Fatalf("failing: %v, wanted RES-01 at the root", failing(r))
	}
	says(t, "what RES-01 got", findings(r, "RES-01", "cancel-products")[0].Got, "the whole call was refused", "out of order")
	for operation, ids := range failing(r) {
		for _, id := range ids {
			if strings.HasPrefix(id, "PRO-") {
				t.Errorf("%s fails on %q: a JSON-RPC error is lawful", id, operation)
			}
		}
	}
}

func TestAServerThatErrsOnEveryRequestIsOne(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: batchTool, call: outOfOrder, refuse: func(string) (int, string) {
		return http.StatusOK, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"out of order"}}`
	}})
	for name, args := range map[string][]string{"without a target file": {"--url", server.URL + "/mcp"}, "with one": onBackend(server.URL + "/mcp")} {
		t.Run(name, func(t *testing.T) {
			got := mcpconform(t, append([]string{"run"}, args...)...).exits(t, 1)
			says(t, "stdout", got.out, "out of order")
			silent(t, "the output", got.out+got.err, "✓")
		})
	}
}

func TestNoBatchToolAndNoTargetFileIsThree(t *testing.T) {
	t.Parallel()
	server := serve(t, script{tools: unitTool, call: outOfOrder})
	got := mcpconform(t, "run", "--url", server.URL+"/mcp").exits(t, 3)
	says(t, "stdout", got.out, "incomplete", "no target file")
	says(t, "the last line", lastLine(got.out), "exit 3")
	silent(t, "the output", got.out+got.err, "✓")
	if n := server.count("tools/call cancel_one"); n > 0 {
		t.Errorf("a tool was called %d times without a target file", n)
	}
}

func TestATypoInATargetFileIsShownWhereItIs(t *testing.T) {
	t.Parallel()
	const head = "version: 1\nname: shop\nserver: {url: http://127.0.0.1:1/mcp}\n"
	for name, c := range map[string]struct {
		text, at string
		says     []string
	}{
		"an unknown key":       {head + "operatons: {}\n", ":4:1", []string{"operatons", "operations"}},
		"a key deep inside":    {head + "operations:\n  cancel:\n    tool: cancel\n    efect: write\n", ":7:5", []string{"efect", "effect"}},
		"a value that is none": {head + "operations:\n  cancel:\n    tool: cancel\n    effect: wrte\n", ":7:13", []string{"wrte", "none of its words", "did you mean `write`"}},
		"broken YAML":          {head + "operations: [\n", ":4:", nil},
		"a missing variable":   {"version: 1\nname: ${SHOP_NAME}\n", ":2:", []string{"SHOP_NAME"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, "shop.yaml", c.text)
			got := mcpconform(t, "run", "--target", file).exits(t, 2)
			says(t, "stderr", got.err, append([]string{file + c.at}, c.says...)...)
			silent(t, "the output", got.out+got.err, "✓")
			if got.out != "" {
				t.Errorf("stdout is not empty: %s", got.out)
			}
		})
	}
}

func TestWrongWordsAreTwo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"an unknown flag":                      {[]string{"run", "--sed", "1"}, []string{"--sed"}},
		"an unknown command":                   {[]string{"rum"}, []string{`"rum"`, "did you mean `mcpconform run`"}},
		"a command nobody could mean":          {[]string{"xyzzy"}, []string{`"xyzzy"`, "--help"}},
		"an unknown format":                    {[]string{"run", "--format", "pdf"}, []string{"pdf", "text", "json", "junit"}},
		"an unknown format of a file":          {[]string{"run", "--output", "pdf=x"}, []string{"pdf"}},
		"an output without a file":             {[]string{"run", "--output", "json"}, []string{"FORMAT=FILE"}},
		"an output in no folder":               {[]string{"run", "--output", "json=" + folder + "/no/r.json"}, []string{folder + "/no"}},
		"a transcript in no folder":            {[]string{"run", "--transcript", folder + "/no/t.jsonl"}, []string{folder + "/no"}},
		"an unknown effort":                    {[]string{"run", "--effort", "some"}, []string{"quick, standard, full"}},
		"an unknown basis":                     {[]string{"run", "--basis", "rumour"}, []string{"rumour", "documented"}},
		"a label without a value":              {[]string{"run", "--label", "nightly"}, []string{"K=V"}},
		"no repeat":                            {[]string{"run", "--repeat", "0"}, []string{"--repeat 0"}},
		"a seed that is no number":             {[]string{"run", "--seed", "many"}, []string{"many"}},
		"checks that match nothing":            {[]string{"run", "--checks", "NOPE-*"}, []string{"NOPE-*"}},
		"a skip that matches nothing":          {[]string{"run", "--skip", "NOPE-*"}, []string{"NOPE-*"}},
		"a scenario that matches nothing":      {[]string{"run", "--scenario", "nope"}, []string{"nope", "list scenarios"}},
		"an operation that matches nothing":    {[]string{"run", "--operation", "nope"}, []string{"nope"}},
		"a folder of scenarios that is not":    {[]string{"run", "--scenarios", folder + "/no"}, []string{folder + "/no"}},
		"an empty --target":                    {[]string{"run", "--target", ""}, []string{"--target is empty"}},
		"an empty --url":                       {[]string{"run", "--url", ""}, []string{"--url is empty"}},
		"a target file that is not there":      {[]string{"run", "--target", folder + "/no.yaml"}, []string{folder + "/no.yaml"}},
		"a built-in target that is not":        {[]string{"run", "--target", "builtin:nope"}, []string{"nope", "server-memory"}},
		"a target file without a server":       {[]string{"run", "--target", "builtin:fakebackend"}, []string{"server", "--url"}},
		"--strict without a target":            {[]string{"run", "--strict"}, []string{"--strict", "without a target"}},
		"--header without a target":            {[]string{"run", "--header", "A: b"}, []string{"--header", "without a target"}},
		"--token-env without a target":         {[]string{"run", "--token-env", "TOKEN"}, []string{"--token-env", "without a target"}},
		"--token-env of no variable":           {[]string{"run", "--url", "http://127.0.0.1:1", "--token-env", "NONE"}, []string{"NONE", "not set"}},
		"a header without a colon":             {[]string{"run", "--url", "http://127.0.0.1:1", "--header", "Bearer"}, []string{"K: V"}},
		"a header of no variable":              {[]string{"run", "--url", "http://127.0.0.1:1", "--header", "A: ${NONE}"}, []string{"NONE", "not set"}},
		"a header for a command":               {[]string{"run", "--header", "A: b", "--", "true"}, []string{"server.env"}},
		"a URL that is none":                   {[]string{"run", "--url", "127.0.0.1"}, []string{"URL"}},
		"two servers":                          {[]string{"run", "--url", "http://127.0.0.1:1", "--", "true"}, []string{"two servers"}},
		"no command after --":                  {[]string{"run", "--"}, []string{"no command"}},
		"a target without its flag":            {[]string{"run", "shop.yaml"}, []string{"shop.yaml", "--target FILE"}},
		"a revision nobody speaks":             {[]string{"run", "--url", "http://127.0.0.1:1", "--protocol", "2020-01-01"}, []string{"2020-01-01", "2025-11-25"}},
		"a transport that does not fit":        {[]string{"run", "--url", "http://127.0.0.1:1", "--transport", "stdio"}, []string{"--transport stdio"}},
		"a negative timeout":                   {[]string{"run", "--url", "http://127.0.0.1:1", "--timeout", "-1s"}, []string{"negative"}},
		"explain without an id":                {[]string{"explain"}, []string{"takes a check's id"}},
		"explain of nothing":                   {[]string{"explain", "NOPE"}, []string{`"NOPE"`, "mcpconform list"}},
		"a list that is none":                  {[]string{"list", "things"}, []string{`"things"`, "list checks"}},
		"a list in no format":                  {[]string{"list", "checks", "--format", "xml"}, []string{"xml"}},
		"a fake backend on two ways":           {[]string{"fakebackend", "--http", ":0", "--stdio"}, []string{"one of --http"}},
		"a fake backend on no way":             {[]string{"fakebackend"}, []string{"--http", "--stdio"}},
		"a fake backend with no such fault":    {[]string{"fakebackend", "--stdio", "--fault", "NOPE-01"}, []string{"NOPE-01", "--list-faults"}},
		"a fake backend on no address":         {[]string{"fakebackend", "--http", "nowhere"}, []string{"nowhere"}},
		"a fake backend with too many words":   {[]string{"fakebackend", "now"}, []string{"now"}},
		"a fake backend of an unknown shape":   {[]string{"fakebackend", "--stdio", "--shape", "round"}, []string{"round"}},
		"version with a word too many":         {[]string{"version", "full"}, []string{"full"}},
		"selftest of a fault that there isn't": {[]string{"selftest", "--fault", "NOPE-*"}, []string{"NOPE-*", "--list-faults"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mcpconform(t, c.args...).exits(t, 2)
			says(t, "stderr", got.err, append(c.says, "mcpconform: ")...)
			silent(t, "the output", got.out+got.err, "✓")
			if got.out != "" {
				t.Errorf("stdout is not empty:\n%s", got.out)
			}
		})
	}
}

func TestStrictCountsWarnings(t *testing.T) {
	t.Parallel()
	// That nothing was asked and all is well is a SHOULD's matter.
	server := backend(t, noOptions, "INP-05")
	words := onBackend(server.URL, "--seed", "3", "--scenario", "empty-collection", "--operation", "query-orders", "--checks", "INP-05,ENV-01")
	r, got := run(t, words...)
	got.exits(t, 0)
	if r.Verdict != reports.Conformant || r.Summary.Warning == 0 {
		t.Fatalf("%s with %+v, wanted conformant with a warning", r.Verdict, r.Summary)
	}
	r, got = run(t, append(words, "--strict")...)
	got.exits(t, 1)
	says(t, "the verdict line", r.VerdictLine, "nonconformant", "--strict", "INP-05")
}

func TestABasisThatDoesNotCountMakesAWarning(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions, "RES-02")
	words := onBackend(server.URL, "--seed", "3", "--scenario", "partial", "--operation", "query-orders", "--checks", "RES-02")
	r, got := run(t, words...)
	got.exits(t, 1)
	if f := findings(r, "RES-02", "query-orders"); len(f) != 1 || f[0].Level != conform.Must {
		t.Fatalf("RES-02: %+v", f)
	}
	r, got = run(t, append(words, "--basis", "issue")...)
	if got.code == 1 || r.Summary.Fail > 0 || r.Summary.Warning == 0 {
		t.Errorf("exit %d, %+v: RES-02 does not rest on an issue, and was to be a warning", got.code, r.Summary)
	}
	says(t, "the verdict line", r.VerdictLine, "basis issue")
}
