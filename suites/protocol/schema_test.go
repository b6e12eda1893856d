package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func parsed(t testing.TB, text string) *rawjson.Node {
	t.Helper()
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSchemaJudges(t *testing.T) {
	for name, c := range map[string]struct{ schema, instance, pointer, said string }{
		"valid":                      {`{"type":"object"}`, `{}`, "", ""},
		"true allows all":            {`{}`, `[1]`, "", ""},
		"numbers are exact":          {`{"const":9007199254740993}`, `9007199254740993`, "", ""},
		"and differ by one":          {`{"const":9007199254740993}`, `9007199254740992`, "", "9007199254740992"},
		"1.0 is an integer":          {`{"type":"integer"}`, `1.0`, "", ""},
		"draft-07 where it says so":  {`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `["a",1]`, "", ""},
		"formats assert nothing":     {`{"$schema":"http://json-schema.org/draft-07/schema#","format":"uri"}`, `"not a uri"`, "", ""},
		"a reference within":         {`{"$ref":"#/$defs/row","$defs":{"row":{"required":["id"]}}}`, `{}`, "", `no "id"`},
		"the first in the bytes":     {`{"properties":{"z":{"type":"string"},"a":{"type":"string"}}}`, `{"z":1,"a":1}`, "/z", "a number"},
		"a pointer is escaped":       {`{"properties":{"a/b":{"items":{"type":"string"}}}}`, `{"a/b":["x",null]}`, "/a~1b/1", "null"},
		"names in a fixed order":     {`{"additionalProperties":false}`, `{"c":1,"a":1,"b":1}`, "", `also "a", "b", "c"`},
		"alternatives are one":       {`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "", "none of them"},
		"more than one of oneOf":     {`{"oneOf":[{},{"type":"number"}]}`, `1`, "", "more than one of them"},
		"not":                        {`{"not":{"type":"number"}}`, `1`, "", "of that form"},
		"enum":                       {`{"enum":["A","B"]}`, `"C"`, "", `"C"`},
		"pattern":                    {`{"pattern":"^[0-9]+$"}`, `"x1"`, "", `"x1"`},
		"nothing may stand here":     {`{"properties":{"a":false}}`, `{"a":1}`, "/a", "a number"},
		"the bounds are told":        {`{"minItems":2}`, `[1]`, "", "an array"},
		"needed beside":              {`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "", `no "b"`},
		"true and false":             {`{"const":true}`, `true`, "", ""},
		"false for true":             {`{"const":true}`, `false`, "", "false"},
		"null":                       {`{"type":"null"}`, `null`, "", ""},
		"null for an object":         {`{"type":"object"}`, `null`, "", "null"},
		"a member of an item":        {`{"items":{"properties":{"a":{"type":"string"}}}}`, `[{"a":1}]`, "/0/a", "a number"},
		"none of oneOf":              {`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `1`, "", "none of them"},
		"the place before the rule":  {`{"properties":{"z":{"type":"string"},"a":{"minimum":5}}}`, `{"z":1,"a":1}`, "/z", "a number"},
		"two rules at one place":     {`{"allOf":[{"required":["a"]},{"minProperties":2}]}`, `{}`, "", "an object"},
		"and the other way round":    {`{"allOf":[{"minProperties":2},{"required":["a"]}]}`, `{}`, "", "an object"},
		"one rule twice":             {`{"allOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, "", `no "a"`},
		"one rule, the other first":  {`{"allOf":[{"required":["b"]},{"required":["a"]}]}`, `{}`, "", `no "a"`},
		"five names and more":        {`{"required":["g","f","e","d","c","b","a"]}`, `{}`, "", `no "a", "b", "c", "d", "e" and 2 more`},
		"five names":                 {`{"required":["e","d","c","b","a"]}`, `{}`, "", `no "a", "b", "c", "d", "e"`},
		"the last of a doubled name": {`{"properties":{"a":{"type":"string"}}}`, `{"a":"x","a":1}`, "/a", "a number"},
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 { // the order of a map must not show
				got, reason := compile(parsed(t, c.schema)).judge(parsed(t, c.instance))
				if reason != "" {
					t.Fatal(reason)
				}
				if (got == nil) != (c.said == "") {
					t.Fatalf("got %+v", got)
				}
				if got != nil && (got.rule == "" || got.at.Pointer() != c.pointer || !strings.HasSuffix(got.said, c.said)) {
					t.Fatalf("at %q: wanted %q, said %q", got.at.Pointer(), got.rule, got.said)
				}
			}
		})
	}
}

// TestSchemasThatCannotBeUsedLeaveItOpen: never a failure, never a fetch, and
// never more work than the bounds allow.
func TestSchemasThatCannotBeUsedLeaveItOpen(t *testing.T) {
	for name, c := range map[string]struct{ schema, instance, reason string }{
		"lookahead":            {`{"pattern":"^(?!x)"}`, `"a"`, "does not compile"},
		"no such type":         {`{"type":"strin"}`, `"a"`, "does not compile"},
		"a file":               {`{"$ref":"file:///etc/passwd"}`, `"a"`, "nothing is fetched"},
		"a relative reference": {`{"$ref":"other.json"}`, `"a"`, "nothing is fetched"},
		"a network address":    {`{"$ref":"http://127.0.0.1:1/x"}`, `"a"`, "nothing is fetched"},
		"an unknown dialect":   {`{"$schema":"https://example.com/dialect"}`, `"a"`, "nothing is fetched"},
		"not a schema":         {`[]`, `"a"`, "does not compile"},
		"a huge number in it":  {`{"maximum":1e999999999}`, `1`, "too long"},
		"a huge number asked":  {`{"maximum":1}`, `[1e999999999]`, "too long"},
		"many digits":          {`{"maximum":1}`, strings.Repeat("9", 500), "too long"},
		"too many subschemas":  {`{"anyOf":[` + strings.Repeat(`{},`, maxSchemaObjects) + `{}]}`, `1`, "too large"},
		"too long a chain": {chain(3000, `{"items":{"$ref":"#/$defs/s0"}}`),
			strings.Repeat("[", 100) + strings.Repeat("]", 100), "nest too deep"},
		"alternatives of alternatives": {doubling(40, "anyOf"), `1`, "more steps"},
		"and all of them":              {doubling(40, "allOf"), `"a"`, "more steps"},
		"uniqueItems over and over": {`{"allOf":[` + strings.Repeat(`{"uniqueItems":true},`, 2000) + `{}]}`,
			"[" + strings.Repeat("[1,2],", 9999) + "[3]]", "more steps"},
		"patterns over and over": {`{"allOf":[` + strings.Repeat(`{"pattern":"^(a|aa|aaa)*$"},`, 2000) + `{}]}`,
			`"` + strings.Repeat("a", 1<<16) + `"`, "more steps"},
	} {
		t.Run(name, func(t *testing.T) {
			got, reason := compile(parsed(t, c.schema)).judge(parsed(t, c.instance))
			if got != nil || !strings.Contains(reason, c.reason) {
				t.Errorf("got %+v, reason %q, which should say %q", got, reason, c.reason)
			}
		})
	}
}

// TestDeepestAllowedNestingFitsTheStack plays the worst that the bound lets
// through: a chain of references at every level.
func TestDeepestAllowedNestingFitsTheStack(t *testing.T) {
	const levels = 250
	links := maxNesting/(levels+3) - 10
	got, reason := compile(parsed(t, chain(links, `{"items":{"$ref":"#/$defs/s0"}}`))).judge(
		parsed(t, strings.Repeat("[", levels)+strings.Repeat("]", levels)))
	if got != nil || reason != "" {
		t.Errorf("got %+v, %s", got, reason)
	}
}

// chain is a schema of references that lead from one to the next.
func chain(links int, last string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range links {
		fmt.Fprintf(&b, `"s%d":{"$ref":"#/$defs/s%d"},`, i, i+1)
	}
	fmt.Fprintf(&b, `"s%d":%s}}`, links, last)
	return b.String()
}

// doubling is a schema whose evaluation doubles with every level.
func doubling(levels int, keyword string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range levels {
		fmt.Fprintf(&b, `"s%d":{"%s":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"s%d":{"type":"string"}}}`, levels)
	return b.String()
}
