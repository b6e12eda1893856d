package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds on what a server may have us do with its own schema. Lawful schemas
// and answers we know of stay a hundred times below them.
const (
	maxSchemaBytes   = 1 << 20
	maxSchemaObjects = 4000
	maxPointerBytes  = 8 << 20  // of all pointers into the schema together
	maxInstanceBytes = 32 << 20 // of one structuredContent
	// maxNesting bounds subschemas × levels of the answer: so deep can a
	// validator's stack get, since no subschema meets one value twice on the way.
	maxNesting = 50_000
	// baseWork and workPerValue bound the steps of validating one answer, by its
	// size; maxWork bounds them for any. A step is about a microsecond.
	baseWork     = 200_000
	workPerValue = 50
	maxWork      = 20_000_000
	// maxDigits and maxExponent bound a number: 1e999999999 written out would
	// fill the memory.
	maxDigits   = 400
	maxExponent = 400
)

// schemaURL is the base of a schema without an $id. Nothing can be fetched from it.
const schemaURL = "mcpconform:///outputSchema"

// outputSchema is a tool's outputSchema, ready to judge with; problem says why
// it cannot be used.
type outputSchema struct {
	schema  *jsonschema.Schema
	problem string
	objects int
	meter   *meter
	mu      sync.Mutex // the meter runs for one answer at a time
	spent   string     // why validating was given up: once is enough for a tool
}

type schemaKey struct{ tool string }

// schemaOf compiles a tool's schema once for a recording.
func schemaOf(rec *conform.Recording, tool *conform.Tooling) *outputSchema {
	return rec.Memo(schemaKey{tool.Name}, func() any { return compile(tool.OutputSchema) }).(*outputSchema)
}

func compile(node *rawjson.Node) *outputSchema {
	s := &outputSchema{meter: &meter{left: maxWork}} // patterns meet the schema itself
	size := measure(node)
	s.objects = size.objects
	switch {
	case len(node.Raw) > maxSchemaBytes || size.objects > maxSchemaObjects || size.pointers > maxPointerBytes:
		s.problem = "the outputSchema is too large to judge by"
		return s
	case size.number != "":
		s.problem = "the outputSchema holds the number " + size.number + ", too long to work with"
		return s
	}
	err := guarded(func() (err error) {
		s.schema, err = s.compiler(plain(node)).Compile(schemaURL)
		return err
	})
	if err != nil {
		s.problem = "the outputSchema does not compile: " + rawjson.Cut(strings.Join(strings.Fields(err.Error()), " "), excerpt)
	}
	return s
}

// guarded makes an error of what work panics with: the meter has no other way
// out of the library, and nobody knows what a hostile schema makes of it.
func guarded(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return work()
}

// compiler is set up so that nothing is read from a network or a disk, formats
// assert nothing (JSON Schema 2020-12, validation, 7.2.1), and every step counts.
func (s *outputSchema) compiler(doc any) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(offline{})
	c.UseRegexpEngine(s.meter.compile)
	for _, name := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	c.RegisterVocabulary(&jsonschema.Vocabulary{
		URL: "mcpconform:///meter",
		Compile: func(_ *jsonschema.CompilerContext, schema map[string]any) (jsonschema.SchemaExt, error) {
			return newToll(s.meter, schema), nil
		},
	})
	c.AssertVocabs()
	_ = c.AddResource(schemaURL, doc) // it is the first of that name; without it compiling fails
	return c
}

var formats = []string{
	"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname", "email",
	"date", "time", "date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver",
}

var errOffline = errors.New("it lies outside the schema, and nothing is fetched")

// offline refuses to load anything.
type offline struct{}

func (offline) Load(string) (any, error) { return nil, errOffline }

// judge validates an answer: the first mismatch in the order of the bytes, or
// the reason why it cannot be told, or neither.
func (s *outputSchema) judge(instance *rawjson.Node) (found *mismatch, reason string) {
	if s.problem != "" {
		return nil, s.problem
	}
	size := measure(instance)
	switch {
	case len(instance.Raw) > maxInstanceBytes:
		return nil, "structuredContent is too large to validate"
	case size.number != "":
		return nil, "structuredContent holds the number " + size.number + ", too long to work with"
	case (s.objects+1)*(size.depth+1) > maxNesting:
		return nil, "outputSchema and structuredContent nest too deep together to validate"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spent != "" {
		return nil, s.spent
	}
	s.meter.left = min(maxWork, baseWork+workPerValue*size.values)
	err := guarded(func() error {
		if err := s.schema.Validate(plain(instance)); err != nil {
			found = first(err.(*jsonschema.ValidationError), instance)
		}
		return nil
	})
	if err != nil {
		s.spent = "validating against the outputSchema was given up: " + rawjson.Cut(err.Error(), excerpt)
		return nil, s.spent
	}
	return found, ""
}

// errOverspent is panicked with by the meter.
var errOverspent = errors.New("it takes more steps than any lawful answer needs")

// meter counts work down, so that a schema of alternatives within alternatives
// ends after the same number of steps on every machine.
type meter struct{ left int }

func (m *meter) spend(steps int) {
	if m.left -= steps; m.left < 0 {
		panic(errOverspent)
	}
}

func (m *meter) compile(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return metered{re, m}, nil
}

type metered struct {
	*regexp.Regexp
	meter *meter
}

func (m metered) MatchString(s string) bool {
	m.meter.spend(1 + len(s)*(1+len(m.String())/16)/16)
	return m.Regexp.MatchString(s)
}

// toll is paid at every subschema on every value it is asked of.
type toll struct {
	meter  *meter
	steps  int
	unique bool
}

func newToll(m *meter, schema map[string]any) toll {
	t := toll{meter: m, steps: 1}
	for _, member := range schema {
		switch v := member.(type) {
		case []any:
			t.steps += len(v)
		case map[string]any:
			t.steps += len(v)
		}
	}
	t.unique, _ = schema["uniqueItems"].(bool)
	return t
}

func (t toll) Validate(_ *jsonschema.ValidatorContext, v any) {
	t.meter.spend(t.steps + width(v))
	if t.unique {
		t.meter.spend(weight(v))
	}
}

func width(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	case string:
		return len(v) / 64
	}
	return 0
}

func weight(v any) int {
	total := 1 + width(v)
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			total += weight(item)
		}
	case map[string]any:
		for _, member := range v {
			total += weight(member)
		}
	}
	return total
}

// plain gives a node as the validator wants it: numbers keep their text. Of two
// members with one name the last counts, as it does for most clients; PRO-14
// tells of them.
func plain(n *rawjson.Node) any {
	switch {
	case n.Is(rawjson.Bool):
		yes, _ := n.Bool()
		return yes
	case n.Is(rawjson.Number):
		literal, _ := n.Literal()
		return json.Number(literal)
	case n.Is(rawjson.String):
		text, _ := n.Str()
		return text
	case n.Is(rawjson.Array):
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = plain(item)
		}
		return list
	case n.Is(rawjson.Object):
		object := make(map[string]any, len(n.Members))
		for i := range n.Members {
			object[n.Members[i].Name] = plain(n.Members[i].Value)
		}
		return object
	}
	return nil
}
