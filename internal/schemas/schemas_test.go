package schemas_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpconform/mcpconform/internal/baseline"
	"github.com/mcpconform/mcpconform/internal/schemas"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// kinds are the files that people write, and what reads them.
var kinds = map[string]func(name string, text []byte) error{
	"target": func(name string, text []byte) error {
		_, err := target.Parse(name, text, anything)
		return err
	},
	"workload": func(name string, text []byte) error {
		_, err := target.ParseWorkload(name, text, anything)
		return err
	},
	"scenario": func(name string, text []byte) error {
		_, err := scenarios.Parse(name, text)
		return err
	},
	"baseline": func(name string, text []byte) error {
		_, err := baseline.Read(name, text, func(string) (bool, string) { return true, "" })
		return err
	},
}

func anything(string) (string, bool) { return "a value", true }

func document(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := schemas.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schemas.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("s.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("s.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fits tells what a schema has against a YAML text.
func fits(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(instance)
}

func TestEverySchemaIsOne(t *testing.T) {
	if got := schemas.Names(); !slices.Equal(got, []string{"baseline", "report", "scenario", "target", "workload"}) {
		t.Fatalf("schemas %q", got)
	}
	for _, name := range schemas.Names() {
		compiled(t, name)
	}
	if _, err := schemas.Read("targt"); err == nil || !strings.Contains(err.Error(), "target") {
		t.Errorf("an unknown name: %v", err)
	}
}

// probe is a key that no reader knows and that is near to none.
const probe = "qqqqqqqqqqqqqqqq"

// place is a mapping that a schema describes: how to get there, and its keys.
type place struct {
	at   string
	keys []string
	text []byte // a file with the key probe there
}

// walker finds the mappings of a schema.
type walker struct {
	root   map[string]any
	places []place
}

func (w *walker) resolve(s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	name := strings.TrimPrefix(ref, "#/$defs/")
	base := w.resolve(w.root["$defs"].(map[string]any)[name].(map[string]any))
	own, _ := s["properties"].(map[string]any)
	if own == nil {
		return base
	}
	out := maps.Clone(base) // keys beside $ref that are forbidden
	properties := maps.Clone(base["properties"].(map[string]any))
	maps.Copy(properties, own)
	out["properties"] = properties
	return out
}

// least makes a small value that fits a schema, so far as readers look before they
// come to the key in question.
func (w *walker) least(s map[string]any) any {
	s = w.resolve(s)
	if value, ok := s["const"]; ok {
		return value
	}
	if words, ok := s["enum"].([]any); ok {
		return words[0]
	}
	if some, ok := s["anyOf"].([]any); ok && s["type"] == nil {
		return w.least(some[0].(map[string]any))
	}
	switch kind := s["type"].(type) {
	case string:
		switch kind {
		case "object":
			return w.object(s)
		case "array":
			if items, ok := s["items"].(map[string]any); ok {
				return []any{w.least(items)}
			}
			return []any{}
		case "integer", "number":
			return s["minimum"]
		}
		if p, _ := s["pattern"].(string); strings.HasPrefix(p, `^\$`) {
			return "$.a"
		}
	}
	if some, ok := s["anyOf"].([]any); ok && s["type"] == "string" {
		if p, _ := some[0].(map[string]any)["pattern"].(string); p == `^\$` {
			return "$.a"
		}
	}
	return "a"
}

// object makes a mapping with what must be there.
func (w *walker) object(s map[string]any) *yaml.MapSlice {
	out := &yaml.MapSlice{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, key := range required {
		*out = append(*out, yaml.MapItem{Key: key, Value: w.least(properties[key.(string)].(map[string]any))})
	}
	if s["minProperties"] != nil {
		*out = append(*out, yaml.MapItem{Key: "a", Value: w.least(s["additionalProperties"].(map[string]any))})
	}
	return out
}

// walk visits a schema; file makes the file in which value stands there.
func (w *walker) walk(s map[string]any, at string, deep int, file func(value any) any) {
	// What stands there is read as what it is laid over, which is walked by itself.
	if strings.HasPrefix(at, "target.defaults.") || strings.HasPrefix(at, "target.environments.*.") || deep > 12 {
		return
	}
	s = w.resolve(s)
	for _, some := range []string{"anyOf", "oneOf"} {
		list, _ := s[some].([]any)
		for _, one := range list {
			w.walk(one.(map[string]any), at, deep+1, file)
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		w.walk(items, at+"[]", deep+1, func(value any) any { return file([]any{value}) })
	}
	properties, _ := s["properties"].(map[string]any)
	inside := func(key string, value any) any {
		m := yaml.MapSlice{}
		for _, item := range *w.object(s) {
			if item.Key != key {
				m = append(m, item)
			}
		}
		return file(append(m, yaml.MapItem{Key: key, Value: value}))
	}
	if other, ok := s["additionalProperties"].(map[string]any); ok && s["type"] == "object" {
		w.walk(other, at+".*", deep+1, func(value any) any { return inside("a", value) })
	}
	if s["additionalProperties"] != false {
		return
	}
	var keys []string
	for key, value := range properties {
		if value != false {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	own := append(yaml.MapSlice{}, *w.object(s)...)
	own = append(own, yaml.MapItem{Key: probe, Value: "a"})
	text, err := yaml.Marshal(file(own))
	if err != nil {
		panic(err)
	}
	w.places = append(w.places, place{at, keys, text})
	for _, key := range keys {
		if below, ok := properties[key].(map[string]any); ok {
			w.walk(below, at+"."+key, deep+1, func(value any) any { return inside(key, value) })
		}
	}
}

// known finds the keys that a reader names when it refuses the probe.
var known = map[string]*regexp.Regexp{
	"target":   regexp.MustCompile("unknown key `" + probe + "`[^;]*; its keys are (.*)"),
	"workload": regexp.MustCompile("unknown key `" + probe + "`[^;]*; its keys are (.*)"),
	"scenario": regexp.MustCompile(`unknown key "` + probe + `" in [^:]*: its keys are (.*)`),
	"baseline": regexp.MustCompile(`the key "` + probe + `", which is none of (.*); remove it`),
}

// A reader and its schema know the same keys, in every mapping.
func TestTheReaderAndTheSchemaKnowTheSameKeys(t *testing.T) {
	for kind, read := range kinds {
		t.Run(kind, func(t *testing.T) {
			root := document(t, kind)
			w := &walker{root: root}
			w.walk(root, kind, 0, func(value any) any { return value })
			if len(w.places) < 2 {
				t.Fatalf("the schema describes %d mappings", len(w.places))
			}
			for _, p := range w.places {
				err := read("f.yaml", p.text)
				if err == nil {
					t.Errorf("at %s the schema has a mapping of its own keys, and the reader takes any: mend internal/schemas/%s.json\n%s", p.at, kind, p.text)
					continue
				}
				told := known[kind].FindStringSubmatch(err.Error())
				if told == nil {
					t.Errorf("at %s the reader says nothing of an unknown key, in\n%s%v", p.at, p.text, err)
					continue
				}
				var keys []string
				for key := range strings.SplitSeq(told[1], ",") {
					keys = append(keys, strings.Trim(key, "` "))
				}
				slices.Sort(keys)
				for _, key := range keys {
					if !slices.Contains(p.keys, key) {
						t.Errorf("the reader knows the key `%s` at %s, and the schema does not: describe it in internal/schemas/%s.json", key, p.at, kind)
					}
				}
				for _, key := range p.keys {
					if !slices.Contains(keys, key) {
						t.Errorf("the schema has the key `%s` at %s, and the reader does not know it: take it out of internal/schemas/%s.json", key, p.at, kind)
					}
				}
			}
		})
	}
}

func TestWhatIsShippedFits(t *testing.T) {
	for kind, globs := range map[string][]string{
		"target":   {"../../fixtures/targets/*.yaml", "../../target/testdata/*.yaml"},
		"scenario": {"../../scenarios/builtin/*.yaml"},
	} {
		s := compiled(t, kind)
		for _, glob := range globs {
			files, err := filepath.Glob(glob)
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: %v, %d files", glob, err, len(files))
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := fits(t, s, text); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
}

// examples finds the files that the documents show whole.
var examples = regexp.MustCompile("(?ms)^```yaml\n(version: 1\n.*?)^```$")

func TestWhatTheDocumentsShowFits(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string]*jsonschema.Schema{}
	for kind := range kinds {
		schema[kind] = compiled(t, kind)
	}
	seen := 0
	for _, file := range append(documents, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range examples.FindAllSubmatch(text, -1) {
			if bytes.Contains(found[1], []byte("\nplatform:")) {
				continue // data of the profiles, which have a reader of their own
			}
			kind := "target"
			switch {
			case bytes.Contains(found[1], []byte("\nfailures:")), bytes.Contains(found[1], []byte("\nnot_run:")):
				kind = "baseline"
			case bytes.Contains(found[1], []byte("\nworkload:")) && !bytes.Contains(found[1], []byte("\noperations:")) && !bytes.Contains(found[1], []byte("\nserver:")):
				kind = "workload"
			}
			seen++
			if err := fits(t, schema[kind], found[1]); err != nil {
				t.Errorf("%s, a %s that begins with\n%.200s\n%v", file, kind, found[1], err)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d examples were found", seen)
	}
}

// What is broken is refused by the reader and by the schema.
func TestWhatIsBrokenIsRefusedByBoth(t *testing.T) {
	const (
		operation = "version: 1\noperations:\n  cancel:\n    tool: cancel\n    effect: write\n    input: {argument: items}\n"
		scenario  = "name: mine\ntitle: t\nwhy: w\nvariants:\n  one: {batch: [good], steps: [{execute: batch}]}\n"
		entry     = "version: 1\nfailures:\n  - {check: RES-01, because: it is so}\n"
		parts     = "version: 1\nworkload:\n  - {operation: cancel, batch: 10}\n"
	)
	for kind, whole := range map[string]string{"target": operation, "scenario": scenario, "baseline": entry, "workload": parts} {
		if err := kinds[kind]("f.yaml", []byte(whole)); err != nil {
			t.Fatalf("the whole %s: %v", kind, err)
		}
		if err := fits(t, compiled(t, kind), []byte(whole)); err != nil {
			t.Fatalf("the whole %s: %v", kind, err)
		}
	}
	for name, c := range map[string]struct{ kind, text string }{
		"another version":          {"target", strings.Replace(operation, "1", "2", 1)},
		"no version":               {"target", strings.Replace(operation, "version: 1\n", "", 1)},
		"no effect":                {"target", strings.Replace(operation, "    effect: write\n", "", 1)},
		"a wrong effect":           {"target", strings.Replace(operation, "write", "writes", 1)},
		"no input":                 {"target", strings.Replace(operation, "    input: {argument: items}\n", "", 1)},
		"an unknown key":           {"target", operation + "    efect: write\n"},
		"a probe that is a word":   {"target", operation + "    probe: get_products\n"},
		"a path that is none":      {"target", operation + "    probe: {tool: get, path: products, id: id}\n"},
		"a time without a unit":    {"target", operation + "timeouts: {call: 30}\n"},
		"a rate without a time":    {"target", operation + "limits: {rate: 60}\n"},
		"a list of items as text":  {"target", operation + "    items: {good: A-1}\n"},
		"a template alone":         {"target", operation + "    items: {good: {template: \"A-{n}\"}}\n"},
		"two servers":              {"target", operation + "server: {url: \"http://a.example\", command: [a]}\n"},
		"ignored without reason":   {"target", operation + "ignore: [{tool: a}]\n"},
		"a default that is a tool": {"target", "version: 1\ndefaults: {tool: a}\n"},
		"an environment's ignore":  {"target", operation + "environments: {a: {ignore: []}}\n"},
		"no act":                   {"scenario", strings.Replace(scenario, "execute: batch", "as: x", 1) + "steps: [{excute: batch}]\n"},
		"an effort that is none":   {"scenario", scenario + "effort: fast\n"},
		"a check that is none":     {"scenario", scenario + "checks: [res-1]\n"},
		"no why":                   {"scenario", strings.Replace(scenario, "why: w\n", "", 1)},
		"a key of no entry":        {"baseline", strings.Replace(entry, "because", "reason", 1)},
		"a day that is none":       {"baseline", strings.Replace(entry, "it is so", "so, until: soon", 1)},
		"a rate without a day":     {"baseline", strings.Replace(entry, "it is so", "so, rate: 0.1", 1)},
		"no batch":                 {"workload", strings.Replace(parts, ", batch: 10", "", 1)},
		"a weight of nothing":      {"workload", strings.Replace(parts, "10", "10, weight: 0", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			if err := kinds[c.kind]("f.yaml", []byte(c.text)); err == nil {
				t.Errorf("the reader takes\n%s", c.text)
			}
			if err := fits(t, compiled(t, c.kind), []byte(c.text)); err == nil {
				t.Errorf("the schema takes\n%s", c.text)
			}
		})
	}
}
