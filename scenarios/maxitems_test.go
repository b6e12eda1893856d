package scenarios

import (
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func TestMaxItemsIsFoundWhereSchemasHideIt(t *testing.T) {
	for schema, want := range map[string]int{
		`{"properties":{"ids":{"type":"array","maxItems":25}}}`:                                             25,
		`{"properties":{"ids":{"type":["null","array"],"maxItems":25.0}}}`:                                  25,
		`{"properties":{"ids":{"anyOf":[{"type":"array","maxItems":25},{"type":"string"}]}}}`:               25,
		`{"properties":{"ids":{"oneOf":[{"type":"array","maxItems":25},{"type":"array","maxItems":50}]}}}`:  50,
		`{"properties":{"ids":{"anyOf":[{"type":"array","maxItems":25},{"type":"array"}]}}}`:                0,
		`{"properties":{"ids":{"allOf":[{"type":"array","maxItems":25},{"maxItems":10}]}}}`:                 10,
		`{"properties":{"ids":{"$ref":"#/$defs/ids"}},"$defs":{"ids":{"type":"array","maxItems":7}}}`:       7,
		`{"properties":{"ids":{"maxItems":9,"$ref":"#/$defs/ids"}},"$defs":{"ids":{"type":"array"}}}`:       9,
		`{"properties":{"ids":{"$ref":"#/properties/ids"}}}`:                                                0,
		`{"properties":{"ids":{"anyOf":[{"type":"string","maxItems":3},{"type":"array","maxItems":"4"}]}}}`: 0,
		`{"properties":{"ids":{"type":"array","maxItems":-1}}}`:                                             0,
		`{"properties":{"ids":true}}`:                             0,
		`{"properties":{"names":{"type":"array","maxItems":25}}}`: 0,
	} {
		n, err := rawjson.Parse([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if got := readSchema(n).maxItems("ids"); got != want {
			t.Errorf("%s: %d, want %d", schema, got, want)
		}
	}
	if (*inputSchema)(nil).maxItems("ids") != 0 {
		t.Error("without a schema there is no bound")
	}
}
