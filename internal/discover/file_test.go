package discover_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

// written gives the file for some tools.
func written(t *testing.T, s discover.Server, texts ...string) string {
	t.Helper()
	return string(discover.Look(tools(t, texts...), nil).YAML(s))
}

// Each form of an answer that is not results[] is told with what it loses, and the
// mapping is one that the reader takes.
func TestWhatAFormOfAnswerLoses(t *testing.T) {
	const list = `{"type":"array","items":{"type":"object","properties":{"order_id":{"type":"string"},"status":{"type":"string"}}}}`
	const texts = `{"type":"array","items":{"type":"string"}}`
	for name, c := range map[string]struct {
		output string
		says   []string
		not    string
	}{
		"nothing declared":      {``, []string{"# gap: there is no outputSchema"}, "results:"},
		"results[]":             {`{"results":{"type":"array","items":{"properties":{"id":{},"success":{"type":"boolean"}}}}}`, []string{"workflow: none"}, "RES-0"},
		"results[], wrapped":    {`{"ok":{"type":"boolean"},"result":{"type":"object","properties":{"results":{"type":"array","items":{"properties":{"ok":{"type":"boolean"}}}}}}}`, []string{"workflow: none"}, "RES-0"},
		"results without flags": {`{"results":` + list + `}`, []string{"no success or ok in the rows", "(RES-05)", `results: {path: "$.results[*]", success: present, id: order_id}`}, "left out without a word"},
		"workflow":              {`{"output":{"properties":{"cancel_orders":{"properties":{"results":` + list + `}}}}}`, []string{"workflow: true", "auxiliary_failure"}, "RES-0"},
		"two buckets":           {`{"cancelled":` + list + `,"errors":` + list + `}`, []string{"sorts items into lists (cancelled)", "neither cancelled nor errors", `path: "$.cancelled[*]"`}, "not told at all"},
		"one bucket":            {`{"cancelled":` + list + `}`, []string{"what failed is not told at all"}, "neither"},
		"buckets of texts":      {`{"succeeded":` + texts + `,"failed":` + texts + `}`, []string{"sorts items into lists (succeeded)"}, "id: "},
		"a filtered list":       {`{"orders":` + list + `}`, []string{"left out without a word", `results: {path: "$.orders[*]", success: present, id: order_id}`}, "sorts items"},
		"flat text":             {`{"message":{"type":"string"}}`, []string{"has no list", "results: {success: call}"}, "path:"},
	} {
		t.Run(name, func(t *testing.T) {
			output := ""
			if c.output != "" {
				output = `,"outputSchema":{"type":"object","properties":` + c.output + `}`
			}
			text := written(t, discover.Server{URL: "http://127.0.0.1:1/mcp"},
				`{"name":"cancel_orders","inputSchema":{"required":["order_ids"],"properties":{"order_ids":{"type":"array","items":{"type":"string"},"examples":[["a"]]}}}`+output+`}`)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("it does not say %q:\n%s", want, text)
				}
			}
			if strings.Contains(text, c.not) {
				t.Errorf("it says %q:\n%s", c.not, text)
			}
			if _, err := target.Parse("t.yaml", []byte(text), func(string) (string, bool) { return "", false }); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

func TestWhereExamplesComeFrom(t *testing.T) {
	for name, c := range map[string]struct {
		argument, schema string
		want             []string // of good and bad
	}{
		"the argument's examples": {"ids", `{"type":"array","items":{"type":"string"},"examples":[["a","b"],["c"]]}`, []string{`- "a"`, `- "b"`, `- "c"`, `"no-such-1"`}},
		"its default":             {"ids", `{"type":"array","items":{"type":"integer"},"default":[7]}`, []string{"- 7\n", "item: 2000000001,"}},
		"its elements'":           {"ids", `{"type":"array","items":{"type":"string","format":"uuid","examples":["u"]}}`, []string{`- "u"`, `"00000000-0000-4000-8000-000000000001"`}},
		"the members'":            {"items", `{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","examples":["a","b"]},"kind":{"enum":["x","y"]},"n":{"type":"integer"}},"required":["id","kind"]}}`, []string{`- {"id": "a", "kind": "x"}`, `- {"id": "b", "kind": "x"}`, "# gap: `bad:"}},
		"a member without one":    {"items", `{"type":"array","items":{"type":"object","properties":{"id":{"examples":["a"]},"sum":{"type":"number"}},"required":["id","sum"]}}`, []string{"good: [FILL-IN]"}},
		"a pattern":               {"ids", `{"type":"array","items":{"type":"string","pattern":"^A-\\d+$"}}`, []string{"good: [FILL-IN]", "# gap: `bad:"}},
		"one text":                {"names", `{"type":"string","description":"comma-separated","examples":["Ann, Bob"]}`, []string{"style: scalar", `- "Ann"`, `- "Bob"`, `"no such orders 1"`}},
		"a variable is a text":    {"ids", `{"type":"array","examples":[["${HOME}"]]}`, []string{`- "$${HOME}"`}},
		"the URIs of resources":   {"uris", `{"type":"array","items":{"type":"string"}}`, []string{`- "file:///a"`, "resources/list"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := tools(t, fmt.Sprintf(`{"name":"cancel_orders","inputSchema":{"required":[%q],"properties":{%[1]q:%s}}}`, c.argument, c.schema))
			text := string(discover.Look(list, []string{"file:///a"}).YAML(discover.Server{URL: "http://127.0.0.1:1/mcp"}))
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("it does not say %q:\n%s", want, text)
				}
			}
		})
	}
}

// What a validator is asked about is asked one item a call, and only where the server
// says that it only reads.
func TestLearningAsksOnlyWhatReads(t *testing.T) {
	const items = `{"type":"array","items":{"type":"string"}}`
	const eligible = `"outputSchema":{"type":"object","properties":{"eligible":{"type":"boolean"}}}`
	for _, reads := range []bool{true, false} {
		hint := fmt.Sprintf(`"annotations":{"readOnlyHint":%v},`, reads)
		if !reads {
			hint = ""
		}
		f := discover.Look(tools(t,
			`{"name":"cancel_orders","inputSchema":{"required":["ids"],"properties":{"ids":`+items+`}}}`,
			`{"name":"validate_orders",`+hint+`"inputSchema":{"properties":{"ids":`+items+`}},`+eligible+`}`,
			showing("list_orders", "ids", "orders", "id", "status")), nil)
		asked := map[string]int{}
		f.Learn(func(tool string, arguments json.RawMessage) *rawjson.Node {
			asked[tool]++
			answer := `{"structuredContent":{"orders":[{"id":"a","status":"open"},{"id":"b","status":"sent"},{"id":"c","status":"open"}]}}`
			if tool == "validate_orders" {
				answer = fmt.Sprintf(`{"structuredContent":{"eligible":%v,"reason":"sent already"}}`, string(arguments) != `{"ids":["b"]}`)
			}
			n, err := rawjson.Parse([]byte(answer))
			if err != nil {
				t.Fatal(err)
			}
			return n
		})
		text := string(f.YAML(discover.Server{URL: "http://127.0.0.1:1/mcp"}))
		if !reads {
			if asked["validate_orders"] > 0 || !strings.Contains(text, "[FILL-IN]") || !strings.Contains(text, `#   - "b"`) {
				t.Errorf("asked %v:\n%s", asked, text)
			}
			continue
		}
		if asked["validate_orders"] != 3 || asked["list_orders"] != 1 || !strings.Contains(text, "        - \"a\"\n        - \"c\"\n") || !strings.Contains(text, `{item: "b", because: "sent already"}`) {
			t.Errorf("asked %v:\n%s", asked, text)
		}
	}
}

func TestWhereWritesGoStaysWithTheUser(t *testing.T) {
	const tool = `{"name":"cancel_orders","inputSchema":{"required":["ids"],"properties":{"ids":{"type":"array","examples":[["a"]]}}}}`
	for _, c := range []struct {
		server discover.Server
		host   string
		may    bool
	}{
		{discover.Server{URL: "http://127.0.0.1:8080/mcp", Local: true}, "127.0.0.1:8080", true},
		{discover.Server{URL: "https://shop.example/mcp"}, "shop.example", false},
		{discover.Server{Command: []string{"shop"}}, "", false},
		{discover.Server{Unsaid: "the URL holds a secret"}, "shop.example", false},
	} {
		text := written(t, c.server, tool)
		file, err := target.Parse("t.yaml", []byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if may, why := file.MayWrite(c.host); may != c.may {
			t.Errorf("%+v: %v %s\n%s", c.server, may, why, text)
		}
	}
}
