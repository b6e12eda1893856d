package discover_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

// nasty are texts that mean something to YAML, to our reader, to a terminal.
var nasty = []string{
	"", "a", "items", "ids", "true", "null", "~", "1e3", "0x1F", "007", "1_000", ".inf", "- a", "a: b", "a #b", "#", "# guess: x\nserver: {command: [rm]}",
	"\n", "\r", "\r\nversion: 2", "\u0085x: 1", "\u2028x: 1", "\u2029", "\t", "\"", "'", "\\", "\\n", "{", "}", "[", "]", "&a", "*a", "!t", "!!str x", "%YAML", "<<", "---", "...", "|", ">", "@", "`", "?", ": ", ",",
	"${HOME}", "$${HOME}", "$$${HOME}", "${", "$", "${RUN_DIR}", "{n}", "{run}", "FILL-IN", "none", "x-ray", "\x00", "\x1b[2J", "\x7f", "\u009b", "\u202e", "\ufeff", "\ufffd", "\ufffe", "😀", "e\u0301", "日本", "\U000e0001",
	"cancel_products", "validate_products", "get_products", "reset", "comma-separated", strings.Repeat("long ", 300),
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringN(0, 6, -1)), 1, 3).Draw(t, "parts"), "")
	})
}

// values are JSON values of texts, numbers and what holds them.
func values(deep int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Custom(func(t *rapid.T) any { return texts().Draw(t, "text") }),
		rapid.Custom(func(t *rapid.T) any {
			return json.RawMessage(rapid.SampledFrom([]string{"0", "-0", "1e400", "12345678901234567890", "-1.50", "1E+2", "true", "null"}).Draw(t, "literal"))
		}),
	}
	if deep == 0 {
		return rapid.OneOf(scalars...)
	}
	return rapid.OneOf(append(scalars,
		rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(values(deep-1), 0, 3).Draw(t, "list") }),
		rapid.Custom(func(t *rapid.T) any { return rapid.MapOfN(texts(), values(deep-1), 0, 3).Draw(t, "object") }),
	)...)
}

// schemas are input schemas with lists and texts, named and described by anything.
func schemas() *rapid.Generator[map[string]any] {
	argument := rapid.Custom(func(t *rapid.T) any {
		element := map[string]any{"type": rapid.SampledFrom([]any{"string", "object", "integer", "array"}).Draw(t, "type")}
		if rapid.Bool().Draw(t, "members") {
			element["properties"] = map[string]any{texts().Draw(t, "member"): map[string]any{"type": "string", "examples": []any{values(1).Draw(t, "example")}}, "id": map[string]any{"type": "string"}}
		}
		return map[string]any{
			"type": rapid.SampledFrom([]any{"array", "string", "object"}).Draw(t, "argument"), "items": element, "description": texts().Draw(t, "described"),
			"examples": rapid.SliceOfN(rapid.OneOf(values(2), rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(values(2), 0, 3).Draw(t, "items") })), 0, 2).Draw(t, "examples"),
			"default":  values(1).Draw(t, "default"),
		}
	})
	return rapid.Custom(func(t *rapid.T) map[string]any {
		names := rapid.SliceOfNDistinct(texts(), 1, 4, rapid.ID[string]).Draw(t, "arguments")
		properties := map[string]any{}
		for _, name := range names {
			properties[name] = argument.Draw(t, name)
		}
		return map[string]any{"type": "object", "properties": properties, "required": rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(names), texts()), 0, 3).Draw(t, "required")}
	})
}

func encoded(t *rapid.T, v any) *rawjson.Node {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	n, err := rawjson.Parse(text)
	if err != nil {
		t.Skip("what a server sends is JSON") // a lone surrogate, which Go wrote otherwise
	}
	return n
}

// Whatever tools are called and described as, what is written is a target file, and
// nothing that the server wrote stands in it as anything but a text: no variable of
// the environment is read, no key is added, no operation but those that were found.
func TestWhateverAServerListsTheFileIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []conform.Tooling
		for range rapid.IntRange(1, 4).Draw(t, "tools") {
			n := encoded(t, map[string]any{
				"name": texts().Draw(t, "name"), "description": texts().Draw(t, "description"), "inputSchema": schemas().Draw(t, "input"),
				"outputSchema": map[string]any{"type": "object", "properties": map[string]any{texts().Draw(t, "list"): map[string]any{"type": "array", "items": map[string]any{"properties": map[string]any{"id": map[string]any{}, texts().Draw(t, "column"): map[string]any{}}}}}},
				"annotations":  map[string]any{"readOnlyHint": rapid.Bool().Draw(t, "reads")},
			})
			name, _ := n.Get("name").Str()
			list = append(list, conform.Tooling{Name: name, Node: n, InputSchema: n.Get("inputSchema"), OutputSchema: n.Get("outputSchema")})
		}
		found := discover.Look(list, []string{texts().Draw(t, "uri")})
		found.Learn(func(string, json.RawMessage) *rawjson.Node {
			return encoded(t, map[string]any{"structuredContent": map[string]any{"products": []any{map[string]any{"id": texts().Draw(t, "id"), "name": texts().Draw(t, "called")}}}})
		})
		text := found.YAML(discover.Server{Name: texts().Draw(t, "server"), URL: "http://127.0.0.1:1/mcp", File: texts().Draw(t, "file")})
		asked := false
		file, err := target.Parse("init", text, func(string) (string, bool) { asked = true; return "secret", true })
		if asked {
			t.Fatalf("the environment was read\n%s", text)
		}
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if !strings.Contains(line, "placeholder "+conform.Placeholder) {
					t.Fatalf("%s\n%s", err, text)
				}
			}
			if found.Gaps() == 0 {
				t.Fatalf("no gap was counted, and %s\n%s", err, text)
			}
			return
		}
		if found.Gaps() > 0 {
			t.Fatalf("%d gaps, and the file is read without a word\n%s", found.Gaps(), text)
		}
		if len(file.Operations) != len(found.Operations) || file.Server.URL != "http://127.0.0.1:1/mcp" || len(file.Server.Command) > 0 || len(file.Ignore) > 0 {
			t.Fatalf("%d operations were found, and the file has %d\n%s", len(found.Operations), len(file.Operations), text)
		}
		for i, o := range found.Operations {
			got := file.Operations[i]
			if got.Tool != o.Tool || got.Argument != o.Takes.Argument || got.Write != o.Write {
				t.Fatalf("%q takes %q, and the file says %q takes %q", o.Tool, o.Takes.Argument, got.Tool, got.Argument)
			}
		}
	})
}

// A server that lists very much gets a file that is still read.
func TestAFileOfManyOperationsIsRead(t *testing.T) {
	var list []conform.Tooling
	example := `"` + strings.Repeat("x", 4000) + `"`
	for i := range 200 {
		n, err := rawjson.Parse([]byte(`{"inputSchema":{"required":["ids"],"properties":{"ids":{"type":"array","examples":[[` + example + `,"a"]]}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, conform.Tooling{Name: "cancel_" + strings.Repeat("x", i%50) + "_" + string(rune('a'+i%26)) + strings.Repeat("y", i/26), Node: n, InputSchema: n.Get("inputSchema")})
	}
	found := discover.Look(list, nil)
	text := found.YAML(discover.Server{URL: "http://127.0.0.1:1/mcp"})
	file, err := target.Parse("init", text, func(string) (string, bool) { return "", false })
	if err != nil || len(file.Operations) == 0 || !strings.Contains(string(text), "more operations would make the file too long") {
		t.Errorf("%d bytes: %v", len(text), err)
	}
}
