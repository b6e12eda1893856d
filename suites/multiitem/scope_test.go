package multiitem_test

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// listing is a recording of nothing but the server's list of tools.
func listing(target conform.Target, tools ...string) *conform.Recording {
	f := &film{}
	f.lists(strings.Join(tools, ","))
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	target.HasFile = true
	return conform.NewRecording(conform.Header{Target: target}, f.seen)
}

func TestWhichToolsTakeSeveral(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"properties":{"ids":{"type":"array","items":{"type":"string"}}}}`:                                 true,
		`{"properties":{"ids":{"type":"array","items":{"type":"object"}}}}`:                                 true,
		`{"properties":{"ids":{"type":"array","items":{"type":"integer"}}}}`:                                true,
		`{"properties":{"ids":{"type":"array","items":{"type":"number"}}}}`:                                 true,
		`{"properties":{"ids":{"type":["null","array"],"items":{"type":["null","string"]}}}}`:               true,
		`{"properties":{"a":{"type":"string"},"ids":{"type":"array","items":{"type":"string"}}}}`:           true,
		`{"properties":{"a":{"type":"array","items":{}},"ids":{"type":"array","items":{"type":"string"}}}}`: true,
		`{"properties":{"ids":{"type":"array","items":{"type":"boolean"}}}}`:                                false,
		`{"properties":{"ids":{"type":"array","items":{"type":["null","boolean"]}}}}`:                       false,
		`{"properties":{"ids":{"type":"array","items":{"type":"string","enum":["a"]}}}}`:                    false,
		`{"properties":{"ids":{"type":"string","items":{"type":"string"}}}}`:                                false,
		`{"properties":{"ids":{"type":["null","string"],"items":{"type":"string"}}}}`:                       false,
		`{"properties":{"ids":{"items":{"type":"string"}}}}`:                                                false,
		`{"properties":{"ids":{"type":"array"}}}`:                                                           false,
		`{"properties":[]}`: false,
		`{}`:                false,
	} {
		rec := listing(conform.Target{}, `{"name":"t","inputSchema":`+schema+`}`)
		if got := multiitem.TakesSeveral(rec.Tool("t")); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}

func TestScopeOfSeveralOperations(t *testing.T) {
	const several = `"inputSchema":{"properties":{"ids":{"type":"array","items":{"type":"string"}}}}`
	tool := func(name string) string { return `{"name":"` + name + `",` + several + `}` }
	two := []conform.Operation{{Name: "one", Tool: "a", ProbeTool: "gone"}, {Name: "two", Tool: "b", ProbeTool: "gone", ResetTool: "lost"}}
	ignored := []conform.Ignored{{Tool: "x"}, {Tool: "y"}}
	for name, c := range map[string]struct {
		rec     *conform.Recording
		id      string
		verdict conform.Verdict
		got     string
	}{
		"all are named or ignored": {listing(conform.Target{Operations: two, Ignore: ignored}, tool("a"), tool("b"), tool("x"), tool("y")), "SCOPE-01", conform.Pass, ""},
		"two are not": {listing(conform.Target{Operations: two}, tool("a"), tool("x"), tool("b"), tool("y")), "SCOPE-01", conform.Fail,
			`x (its argument "ids" takes a list), y (its argument "ids" takes a list)`},
		"two are gone, one named twice": {listing(conform.Target{Operations: two}, tool("a"), tool("b")), "SCOPE-02", conform.Fail,
			"not listed: gone (the probe of one), lost (the reset of two)"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range suites.Judge(c.rec, multiitem.Checks()).Findings {
				if f.ID == c.id && (f.Verdict != c.verdict || f.Got != c.got) {
					t.Errorf("%s: %q", f.Verdict, f.Got)
				}
			}
		})
	}
}
