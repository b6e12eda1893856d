package discover_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// tool reads a tool as tools/list has it.
func tool(t testing.TB, text string) *conform.Tooling {
	t.Helper()
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	name, _ := n.Get("name").Str()
	return &conform.Tooling{Name: name, Node: n, InputSchema: n.Get("inputSchema"), OutputSchema: n.Get("outputSchema")}
}

func TestWhichToolsTakeSeveral(t *testing.T) {
	const list = "its argument \"ids\" takes a list"
	note := func(schema string) string { return `{"properties":{"note":` + schema + `}}` }
	ids := func(schema string) string { return `{"properties":{"ids":` + schema + `}}` }
	for schema, want := range map[string]string{
		ids(`{"type":"array","items":{"type":"string"}}`):                                                 list,
		ids(`{"type":"array","items":{"type":"object"}}`):                                                 list,
		ids(`{"type":"array","items":{"type":"integer"}}`):                                                list,
		ids(`{"type":"array","items":{"type":"number"}}`):                                                 list,
		ids(`{"type":["null","array"],"items":{"type":["null","string"]}}`):                               list,
		`{"properties":{"a":{"type":"string"},"ids":{"type":"array","items":{"type":"string"}}}}`:         list,
		`{"properties":{"a":{"type":"boolean"},"ids":{"type":"array","items":{"properties":{"id":{}}}}}}`: list,
		ids(`{"type":"array","items":{"type":"boolean"}}`):                                                "",
		ids(`{"type":"array","items":{"type":["null","boolean"]}}`):                                       "",
		ids(`{"type":"array","items":{"type":"string","enum":["a"]}}`):                                    "",
		ids(`{"type":"array","items":{"const":"a"}}`):                                                     "",
		note(`{"type":"string","items":{"type":"string"}}`):                                               "",
		note(`{"type":["null","string"],"items":{"type":"string"}}`):                                      "",
		ids(`{"items":{"type":"string"}}`):                                                                "",
		ids(`{"type":"string"}`):                                                                          `its argument "ids" takes several in one text: "ids"`,
		`{"properties":[]}`:                                                                               "",
		`{}`:                                                                                              "",
		ids(`{"type":"array"}`):                                                                           list,
		ids(`{"type":"array","items":{}}`):                                                                list,
		ids(`{"type":"array","items":true}`):                                                              list,
		ids(`{"type":"array","items":{"description":"an id"}}`):                                           list,
		ids(`{"type":"array","items":false}`):                                                             "",
		ids(`{"type":"array","maxItems":1}`):                                                              "",
		ids(`{"type":"array","maxItems":2}`):                                                              list,
		ids(`{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]}`):                       "",
		ids(`{"type":"array","items":[{"type":"number"},{"type":"number"}]}`):                             "",
		ids(`{"type":"array","items":{"type":"array"}}`):                                                  "",
		ids(`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`):                     list,
		ids(`{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`):                   list,
		ids(`{"allOf":[{"description":"ids"},{"type":"array","items":{"type":"string"}}]}`):               list,
		note(`{"anyOf":[{"type":"string"},{"type":"null"}]}`):                                             "",
		ids(`{"type":"array","items":{"anyOf":[{"type":"object"},{"type":"string"}]}}`):                   list,
		ids(`{"type":"array","items":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}`):                    "",
		`{"$defs":{"Ids":{"type":"array","items":{"$ref":"#/$defs/Id"}},"Id":{"type":"string"}},"properties":{"ids":{"$ref":"#/$defs/Ids"}}}`:                                                      list,
		`{"$defs":{"Colour":{"type":"string","enum":["red"]}},"properties":{"ids":{"type":"array","items":{"$ref":"#/$defs/Colour"}}}}`:                                                            "",
		`{"$defs":{"In":{"properties":{"ids":{"type":"array","items":{"type":"string"}}}}},"$ref":"#/$defs/In"}`:                                                                                   list,
		`{"allOf":[{"properties":{"ids":{"type":"array","items":{"type":"string"}}}}]}`:                                                                                                            list,
		`{"properties":{"ids":{"$ref":"#/properties/ids"}}}`:                                                                                                                                       "",
		`{"$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},"left":{"$ref":"#/$defs/Tree"},"right":{"$ref":"#/$defs/Tree"}}}},"properties":{"ids":{"$ref":"#/$defs/Tree"}}}`: "",
		ids(`{"$ref":"https://example.com/schema#/ids"}`):                                                                                                                                          "",
		ids(`{"properties":{"list":{"type":"array","items":{"type":"string"}}}}`):                                                                                                                  list + " at ids.list",
		ids(`{"properties":{"a":{"type":"string"},"in":{"anyOf":[{"properties":{"list":{"type":"array"}}},{"type":"null"}]}}}`):                                                                    list + " at ids.in.list",
		ids(`{"properties":{"a":{"properties":{"b":{"properties":{"list":{"type":"array"}}}}}}}`):                                                                                                  "",
		ids(`{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`):                                                                                                 list + " at ids.*",
		ids(`{"type":"object","unevaluatedProperties":{"type":"array"}}`):                                                                                                                          list + " at ids.*",
		ids(`{"type":"object","patternProperties":{"^a":{"type":"string"},"^b":{"type":"array","items":{"type":"string"}}}}`):                                                                      list + " at ids.*",
		ids(`{"additionalProperties":{"properties":{"list":{"type":"array"}}}}`):                                                                                                                   list + " at ids.*.list",
		ids(`{"properties":{"by":{"additionalProperties":{"type":"array"}}}}`):                                                                                                                     list + " at ids.by.*",
		ids(`{"additionalProperties":{"additionalProperties":{"additionalProperties":{"type":"array"}}}}`):                                                                                         "",
		ids(`{"anyOf":[{"type":"null"},{"additionalProperties":{"$ref":"#/$defs/none"}},{"additionalProperties":{"type":"array"}}]}`):                                                              list + " at ids.*",
		ids(`{"type":"object","additionalProperties":true}`):                                                                                                                                       "",
		ids(`{"type":"object","additionalProperties":{}}`):                                                                                                                                         "",
		ids(`{"type":"object","additionalProperties":{"type":"array","items":{"type":"string","enum":["a"]}}}`):                                                                                    "",
		ids(`{"type":"object","patternProperties":["a"]}`):                                                                                                                                         "",
		ids(`{"type":"string","description":"The ids, comma-separated."}`):                                                                                                                         `its argument "ids" takes several in one text: "The ids, comma-separated."`,
		ids(`{"type":"string","title":"Ids separated by commas"}`):                                                                                                                                 `its argument "ids" takes several in one text: "Ids separated by commas"`,
		ids(`{"description":"One id per line","anyOf":[{"type":"string"},{"type":"null"}]}`):                                                                                                       `its argument "ids" takes several in one text: "One id per line"`,
		ids(`{"type":"string","description":"Os números, separados por vírgulas"}`):                                                                                                                `its argument "ids" takes several in one text: "Os números, separados por vírgulas"`,
		note(`{"type":"string","description":"An id. Separate tools exist for orders."}`):                                                                                                          "",
		ids(`{"type":"string","enum":["a,b"],"description":"comma-separated"}`):                                                                                                                    "",
		ids(`{"type":"integer","description":"comma-separated"}`):                                                                                                                                  "",
		`{"properties":{"fields":{"type":"string","description":"Comma-separated list of fields to show"}}}`:                                                                                       "",
		`{"properties":{"ids":{"type":"string","description":"comma separated"},"items":{"type":"array"}}}`:                                                                                        `its argument "items" takes a list`,
	} {
		takes := discover.Several(tool(t, `{"name":"t","inputSchema":`+schema+`}`))
		got := ""
		if takes.Argument != "" {
			got = takes.Because()
		}
		if got != want {
			t.Errorf("%s: %q, wanted %q", schema, got, want)
		}
	}
}

func TestNoToolTakesNothing(t *testing.T) {
	if discover.Several(nil).Argument != "" {
		t.Error("no tool takes something")
	}
}
