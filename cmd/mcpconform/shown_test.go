package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpconform/mcpconform/reports"
)

// tame fails if a text would act on a terminal, or shows a name in full that is
// longer than anybody reads.
func tame(t *testing.T, where, text string) {
	t.Helper()
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Cf, r) {
			t.Errorf("%s holds %U", where, r)
			return
		}
	}
	if len(text) > 100_000 {
		t.Errorf("%s takes %d bytes", where, len(text))
	}
}

// What a server says reaches nobody's terminal raw, or in full where it is endless.
func TestAServersWordsAreTamedWhereverTheyAreShown(t *testing.T) {
	t.Parallel()
	const act = "\x1b]0;owned\a\u009b2J\u202e"
	name, err := json.Marshal("bulk_" + act + strings.Repeat("n", 200_000))
	if err != nil {
		t.Fatal(err)
	}
	lists := func(more string) string {
		return `[{"name":` + string(name) + `,"description":"cancels several","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}}}}` + more + `]`
	}
	const find = `,{"name":"find","inputSchema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}}}}}`
	file := write(t, "t.yaml", "version: 1\noperations:\n  find: {tool: find, effect: read, input: {argument: ids}, items: {good: [A, B, C], bad: [X, Y, Z]}}\n")
	message, err := json.Marshal(strings.Repeat(act, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	for name, server := range map[string]*scripted{
		"a tool's name": serve(t, script{tools: lists(""), call: nil}),
		"a refusal": serve(t, script{tools: lists(find), call: func(string, json.RawMessage) (string, string) {
			return "error", `{"code":-32000,"message":` + string(message) + `}`
		}}),
		"an answer to initialize": serve(t, script{tools: lists(find), refuse: func(method string) (int, string) {
			if method == "initialize" {
				return http.StatusOK, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":` + string(message) + `}}`
			}
			return 0, ""
		}}),
	} {
		for _, args := range [][]string{{"run"}, {"run", "--format", "junit"}, {"plan"}} {
			got := mcpconform(t, append(args, "--target", file, "--url", server.URL)...)
			where := name + ", " + strings.Join(args, " ")
			tame(t, where+", stdout", got.out)
			tame(t, where+", stderr", got.err)
			if strings.Contains(got.out+got.err, "fault of ours") {
				t.Errorf("%s: %s", where, got.err)
			}
		}
		var report reports.Report
		got := mcpconform(t, "run", "--format", "json", "--target", file, "--url", server.URL)
		if err := json.Unmarshal([]byte(got.out), &report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
