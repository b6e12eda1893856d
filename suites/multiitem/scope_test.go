package multiitem_test

import (
	"fmt"
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

// A schema is foreign: one that refers in circles, or to ever more of itself, is
// looked at for a bounded time, and what was not seen to its end says nothing.
func TestASchemaThatNeverEnds(t *testing.T) {
	var defs []string
	for i := range 40 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, (i+1)%40)
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[%s,%s],"properties":{"a%d":%s,"b%d":%s}}`, i, next, next, i, next, i, next))
	}
	schema := `{"$defs":{` + strings.Join(defs, ",") + `},"properties":{"x":{"$ref":"#/$defs/d0"}}}`
	var tools []string
	for i := range 300 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":%s}`, i, schema))
	}
	if verdict, said := saidBy(listing(conform.Target{}, tools...), "SCOPE-01"); verdict != conform.Pass {
		t.Errorf("%s %s", verdict, said)
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
		"tools that give items": {listing(conform.Target{Operations: []conform.Operation{{Name: "one", Tool: "a", ItemTools: []string{"a", "i", "j", "k"}}}}, tool("a"), tool("j")), "SCOPE-02", conform.Fail,
			"not listed: i (items of one), k (items of one)"},
		"a tool that gives items to two": {listing(conform.Target{Operations: []conform.Operation{{Name: "one", Tool: "a", ItemTools: []string{"i"}}, {Name: "two", Tool: "a", ItemTools: []string{"i", "a"}}}}), "SCOPE-02", conform.Fail,
			"not listed: a (the tool of one), i (items of one)"},
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

// SCOPE-03: what a target file declares absent, and what was seen.
func TestWhatSpeaksAgainstADeclaration(t *testing.T) {
	const takes = `"inputSchema":{"properties":{"items":{"type":"array","items":{"type":"string"}}}}`
	tool := func(name string) string { return `{"name":"` + name + `",` + takes + `}` }
	keyed := func(argument string) string {
		return `{"name":"cancel_products","inputSchema":{"properties":{"items":{},"` + argument + `":{}}}}`
	}
	validator := func(op *conform.Operation) { op.Validator = conform.Absent }
	key := func(op *conform.Operation) { op.Idempotency = conform.Absent }
	workflow := func(op *conform.Operation) { op.Workflow = conform.Absent }
	output := `{"output":{"cancel_products":{"results":[` + rowsOf("A-1+", "A-2+") + `]}}}`
	two := good("A-1", "A-2")
	for name, c := range map[string]struct {
		declares func(*conform.Operation)
		tools    []string // nil: they were not listed
		film     func(*film)
		verdict  conform.Verdict
		got      string
	}{
		"nothing is declared absent":        {func(*conform.Operation) {}, []string{tool("cancel_products"), tool("validate_products")}, nil, conform.NotRun, ""},
		"no such tool":                      {validator, []string{tool("cancel_products")}, nil, conform.Pass, ""},
		"nobody knows the tools":            {validator, nil, nil, conform.NotRun, "the server did not list its tools"},
		"a validator of the same":           {validator, []string{tool("cancel_products"), tool("validate_products")}, nil, conform.Fail, "the tool validate_products"},
		"behind another tool":               {validator, []string{tool("get_orders"), tool("cancel_products"), tool("previewProducts")}, nil, conform.Fail, "the tool previewProducts"},
		"of one of them":                    {validator, []string{tool("cancel_products"), tool("check-eligibility-of-product")}, nil, conform.Fail, "check-eligibility-of-product"},
		"a validator of something else":     {validator, []string{tool("cancel_products"), tool("validate_orders")}, nil, conform.Pass, ""},
		"of the same verb":                  {validator, []string{tool("cancel_products"), tool("validate_cancel")}, nil, conform.Pass, ""},
		"that takes something else":         {validator, []string{tool("cancel_products"), `{"name":"validate_products","inputSchema":{"properties":{"ids":{}}}}`}, nil, conform.Pass, ""},
		"a tool that looks at the same":     {validator, []string{tool("cancel_products"), tool("check_products")}, nil, conform.Pass, ""},
		"of the second thing":               {func(op *conform.Operation) { validator(op); op.Tool = "cancel_old_products" }, []string{tool("cancel_old_products"), tool("validate_products")}, nil, conform.Fail, "the tool validate_products"},
		"in capital letters":                {func(op *conform.Operation) { validator(op); op.Tool = "cancel_skus" }, []string{tool("cancel_skus"), tool("validateSKU")}, nil, conform.Fail, "the tool validateSKU"},
		"rows of a validator":               {workflow, nil, func(f *film) { f.decides("v1", `{"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two) }, conform.NotRun, "no call was answered with rows"},
		"listed first":                      {validator, []string{tool("validate_products"), tool("cancel_products")}, nil, conform.Fail, "the tool validate_products"},
		"a word within another":             {validator, []string{tool("cancel_products"), tool("invalidate_products")}, nil, conform.Pass, ""},
		"no key":                            {key, []string{keyed("note")}, nil, conform.Pass, ""},
		"a key":                             {key, []string{keyed("Idempotency_Key")}, nil, conform.Fail, `an argument "Idempotency_Key"`},
		"the collection is called so":       {func(op *conform.Operation) { key(op); op.Argument = "idempotent_items" }, []string{keyed("idempotent_items")}, nil, conform.Pass, ""},
		"arguments that are no object":      {key, []string{`{"name":"cancel_products","inputSchema":{"properties":["idempotency_key"]}}`}, nil, conform.Pass, ""},
		"no schema":                         {key, []string{`{"name":"cancel_products"}`}, nil, conform.Pass, ""},
		"the tool is not listed":            {key, []string{tool("another")}, nil, conform.NotRun, "the server does not list the tool cancel_products"},
		"rows of a direct tool":             {workflow, nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two) }, conform.Pass, ""},
		"rows of a workflow":                {workflow, nil, func(f *film) { f.structured("c1", output, two) }, conform.Fail, `results[] at output["cancel_products"]`},
		"the second time":                   {workflow, nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two); f.structured("c2", output, two) }, conform.Fail, "output"},
		"a validator's answer is no matter": {workflow, nil, func(f *film) { f.decides("v1", output, two) }, conform.NotRun, "no call was answered with rows"},
		"no rows":                           {workflow, nil, func(f *film) { f.refuse("c1", "no", two) }, conform.NotRun, "no call was answered with rows"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			if c.tools != nil {
				f.lists(strings.Join(c.tools, ","))
			}
			if c.film != nil {
				c.film(f)
			}
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := conform.Operation{Name: "cancel", Tool: "cancel_products", Write: true, Argument: "items", Style: conform.StyleArray,
				Validator: conform.Present, Workflow: conform.Present, Idempotency: conform.Present}
			c.declares(&op)
			rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
			verdict, said := saidBy(rec, "SCOPE-03")
			if verdict != c.verdict || !strings.Contains(said, c.got) || c.verdict == conform.Fail && !strings.Contains(said, "write `") {
				t.Errorf("%s: %q", verdict, said)
			}
		})
	}
}

func TestNothingIsGoneWhereNothingWasListed(t *testing.T) {
	f := &film{}
	f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
	rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: operations[:1]}}, f.seen)
	for _, id := range []string{"SCOPE-01", "SCOPE-02"} {
		if verdict, said := saidBy(rec, id); verdict != conform.NotRun {
			t.Errorf("%s: %s %s", id, verdict, said)
		}
	}
}
