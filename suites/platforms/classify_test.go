package platforms

import (
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func parsed(t *testing.T, text string) *rawjson.Node {
	t.Helper()
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const summaryProperties = `"status":{"type":"string"},"total":{"type":"integer"},"succeeded":{"type":"integer"},"failed":{"type":"integer"},"message":{"type":"string"},`

// The sixteen rows of the reference classification: the six shapes that the platform's
// guide lists, and ten that servers really have.
func TestClassifierGradesItsSixteenCases(t *testing.T) {
	for _, c := range []struct {
		name, schema, grade string
		primitives          int
		lost                []string
	}{
		{"listed shape 1", `{"type":"object"}`, gradeOpaque, 0, nil},
		{"listed shape 2", `{"type":"object","properties":{}}`, gradeOpaque, 0, nil},
		{"listed shape 3", `{"type":"object","properties":{"prop1":{"type":"object"}}}`, gradeListed, 0, nil},
		{"listed shape 4", `{"type":"object","properties":{"prop1":{"type":"object","properties":{}}}}`, gradeListed, 0, nil},
		{"listed shape 5", `{"type":"object","properties":{"prop1":{"type":"array","items":{"type":"object"}}}}`, gradeListed, 0, nil},
		{"listed shape 6", `{"type":"object","properties":{"prop1":{"type":"array","items":{"type":"object","properties":{}}}}}`, gradeListed, 0, nil},
		{"results alone", `{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"success":{"type":"boolean"}}}}}}`,
			gradeFirst, 0, []string{"results[].name", "results[].success"}},
		{"summary and opaque results", `{"type":"object","properties":{` + summaryProperties + `"results":{"type":"array","items":{"type":"object"}}}}`, gradeListed, 5, nil},
		{"summary and typed results", `{"type":"object","properties":{` + summaryProperties + `"results":{"type":"array","items":{"type":"object","properties":{"success":{"type":"boolean"}}}}}}`,
			gradeFirst, 5, []string{"results[].success"}},
		{"an error that may be null, by anyOf", `{"type":"object","properties":{"error":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, gradeReasoning, 0, nil},
		{"an error that may be null, by a list", `{"type":"object","properties":{"error":{"type":["string","null"]}}}`, gradeReasoning, 0, nil},
		{"results in a workflow", `{"type":"object","properties":{"workflow":{"type":"object","properties":{"output":{"type":"object","properties":{"cancel":{"type":"object","properties":{"results":{"type":"array","items":{"type":"object"}}}}}}}}}}`,
			gradeFirst, 0, []string{"workflow.output.cancel.results"}},
		{"oneOf at the root", `{"oneOf":[{"type":"object"},{"type":"object","properties":{"a":{"type":"string"}}}]}`, gradeReasoning, 0, nil},
		{"an array of arrays without items", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"array"}}}}`, gradeFirst, 0, nil},
		{"an array without items", `{"type":"object","properties":{"items":{"type":"array"}}}`, gradeFirst, 0, nil},
		{"a root array of objects", `{"type":"array","items":{"type":"object"}}`, gradeOpaque, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := classify(parsed(t, c.schema))
			if got.grade != c.grade {
				t.Errorf("grade %s, want %s", got.grade, c.grade)
			}
			told := got.told()
			if len(told.Usable) != c.primitives {
				t.Errorf("%d primitives, want %d", len(told.Usable), c.primitives)
			}
			if len(told.Lost) != len(c.lost) {
				t.Fatalf("lost %v, want %v", told.Lost, c.lost)
			}
			for i := range c.lost {
				if told.Lost[i] != c.lost[i] {
					t.Errorf("lost %v, want %v", told.Lost, c.lost)
				}
			}
		})
	}
}

func TestClassifierFollowsReferencesInTheDocument(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		want   class
	}{
		"a definition":           {`{"type":"object","properties":{"p":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"string"}}}`, primitive},
		"a definition of items":  {`{"type":"object","properties":{"p":{"type":"array","items":{"$ref":"#/$defs/S"}}},"$defs":{"S":{"type":"object"}}}`, listed},
		"one that is not there":  {`{"type":"object","properties":{"p":{"$ref":"#/$defs/S"}}}`, unmapped},
		"one to itself":          {`{"type":"object","properties":{"p":{"$ref":"#/properties/p"}}}`, unmapped},
		"a tree":                 {`{"type":"object","properties":{"p":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}}`, unmapped},
		"another document":       {`{"type":"object","properties":{"p":{"$ref":"https://example.com/s.json"}}}`, unmapped},
		"true":                   {`{"type":"object","properties":{"p":true}}`, unmapped},
		"no type":                {`{"type":"object","properties":{"p":{"description":"anything"}}}`, unmapped},
		"a map":                  {`{"type":"object","properties":{"p":{"type":"object","additionalProperties":{"type":"string"}}}}`, dynamicMap},
		"a closed object":        {`{"type":"object","properties":{"p":{"type":"object","additionalProperties":false}}}`, listed},
		"a list of texts":        {`{"type":"object","properties":{"p":{"type":"array","items":{"type":"string"}}}}`, primitiveArray},
		"a list of alternatives": {`{"type":"object","properties":{"p":{"type":"array","items":{"oneOf":[{"type":"string"}]}}}}`, unmapped},
	} {
		t.Run(name, func(t *testing.T) {
			if got := classify(parsed(t, c.schema)).fields[0].class; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// What can be done with a tool there: the four verdicts.
func TestVerdictsOnFields(t *testing.T) {
	const in = `"inputSchema":{"type":"object","properties":{"ids":{"type":"string"}}}`
	for name, c := range map[string]struct {
		tool string
		want [4]bool // variable, chain, deterministic run, condition
	}{
		"a summary":         {`{"name":"t",` + in + `,"outputSchema":{"type":"object","properties":{"status":{"type":"string"},"results":{"type":"array","items":{"type":"object"}}}}}`, [4]bool{true, true, true, true}},
		"rows alone":        {`{"name":"t",` + in + `,"outputSchema":{"type":"object","properties":{"results":{"type":"array","items":{"type":"object"}}}}}`, [4]bool{true, true, true, false}},
		"a union":           {`{"name":"t",` + in + `,"outputSchema":{"type":"object","properties":{"status":{"type":"string"},"error":{"type":["string","null"]}}}}`, [4]bool{}},
		"no output":         {`{"name":"t",` + in + `}`, [4]bool{}},
		"a union as input":  {`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"anyOf":[]}}},"outputSchema":{"type":"object","properties":{"status":{"type":"string"}}}}`, [4]bool{true, true, false, true}},
		"no input to speak": {`{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"status":{"type":"string"}}}}`, [4]bool{true, true, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			tool := tooling(parsed(t, c.tool))
			v := Fields(&tool).Verdicts
			if got := [4]bool{v.Variable, v.Chain, v.DeterministicRun, v.Condition}; got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// The suggested schema is one that the rule which asked for it accepts.
func TestSuggestedSchemaMendsTheTool(t *testing.T) {
	bare := tooling(parsed(t, `{"name":"t","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}}},
		"outputSchema":{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"success":{"type":"boolean"}}}},"note":{"type":"string"}},"required":["results","note"],"additionalProperties":false}}`))
	text := Suggest(&bare)
	if text == "" {
		t.Fatal("nothing was suggested")
	}
	mended := tooling(parsed(t, `{"name":"t","inputSchema":{"type":"object"},"outputSchema":`+text+`}`))
	if again := Suggest(&mended); again != "" {
		t.Errorf("the suggestion is not enough: %s", text)
	}
	for _, path := range [][]string{{"properties", "results"}, {"properties", "note"}, {"properties", "failed_items"}, {"additionalProperties"}} {
		if mended.OutputSchema.At(path...) == nil {
			t.Errorf("%v is not in %s", path, text)
		}
	}
	if got := texted(mended.OutputSchema.Get("required")); len(got) != 6 {
		t.Errorf("required: %v", got)
	}
}
