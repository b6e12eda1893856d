package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// inputSchema is a tool's own word on its arguments. Nil forbids nothing.
type inputSchema struct {
	node     *rawjson.Node
	compiled *jsonschema.Schema // nil: cannot be read, forbids nothing
}

// Bounds on a schema that a server sends: it is as foreign as any answer.
const (
	maxSchema     = 512 << 10
	maxSchemaWork = 200_000 // schemas visited for one value, references followed
)

// nowhere refuses to load what a schema refers to elsewhere: a server must not
// make us read files or call hosts.
type nowhere struct{}

func (nowhere) Load(string) (any, error) {
	return nil, errors.New("a schema's references are followed inside the schema only")
}

// readSchema compiles a tool's inputSchema. A schema that cannot be compiled (a
// regular expression with a lookahead, a reference elsewhere) forbids nothing:
// the call is then made, and the server's answer counts.
func readSchema(n *rawjson.Node) (s *inputSchema) {
	if !n.Is(rawjson.Object) {
		return nil
	}
	s = &inputSchema{node: n}
	if len(n.Raw) > maxSchema || work(n, n, map[*rawjson.Node]int{}) > maxSchemaWork {
		return s
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(n.Raw))
	if err != nil {
		return s
	}
	defer func() {
		if recover() != nil { // foreign bytes in foreign code
			s.compiled = nil
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	const at = "mem:///inputSchema"
	if c.AddResource(at, doc) != nil {
		return s
	}
	if compiled, err := c.Compile(at); err == nil {
		s.compiled = compiled
	}
	return s
}

// work estimates how many schemas one value may be held against: thirty
// definitions that each refer twice to the next are a thousand million.
func work(root, n *rawjson.Node, known map[*rawjson.Node]int) int {
	if n == nil {
		return 0
	}
	if w, ok := known[n]; ok {
		return w
	}
	known[n] = 0 // a cycle goes on with the value's depth, which we choose
	total := 1
	add := func(w int) { total = min(total+w, maxSchemaWork+1) }
	for _, m := range n.Members {
		if m.Name == "$defs" || m.Name == "definitions" {
			continue
		}
		if ref, ok := m.Value.Str(); ok && (m.Name == "$ref" || m.Name == "$dynamicRef") {
			add(work(root, root.Follow(ref), known))
			continue
		}
		add(work(root, m.Value, known))
	}
	for _, item := range n.Items {
		add(work(root, item, known))
	}
	known[n] = total
	return total
}

// violation is one keyword of an input schema that a call would break.
type violation struct {
	keyword  string
	pointer  string   // of the keyword in the input schema
	instance []string // of the value in the arguments
}

func (v violation) String() string {
	return fmt.Sprintf("the tool's own input schema forbids it (inputSchema%s)", v.pointer)
}

// about tells whether the violation is about the value of an argument or
// something in it.
func (v violation) about(argument string) bool {
	return len(v.instance) > 0 && v.instance[0] == argument
}

// inside tells whether it is about an element of the argument's list.
func (v violation) inside(argument string) bool {
	return v.about(argument) && len(v.instance) > 1
}

// breaks gives what arguments would break, in a fixed order.
func (s *inputSchema) breaks(arguments json.RawMessage) (found []violation) {
	if s == nil || s.compiled == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	var invalid *jsonschema.ValidationError
	if !errors.As(s.compiled.Validate(value), &invalid) {
		return nil
	}
	if !leaves(invalid, &found) {
		return nil
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		if a.pointer != b.pointer {
			return a.pointer < b.pointer
		}
		return strings.Join(a.instance, "/") < strings.Join(b.instance, "/")
	})
	return found
}

// leaves collects the keywords broken; false if the schema goes in circles, and
// so says nothing.
func leaves(e *jsonschema.ValidationError, found *[]violation) bool {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			if !leaves(cause, found) {
				return false
			}
		}
		return true
	}
	if _, circle := e.ErrorKind.(*kind.RefCycle); circle {
		return false
	}
	v := violation{instance: e.InstanceLocation}
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	v.pointer = fragment
	for _, token := range e.ErrorKind.KeywordPath() {
		if v.keyword == "" {
			v.keyword = token
		}
		v.pointer += "/" + rawjson.EscapeToken(token)
	}
	*found = append(*found, v)
	return true
}

// declares tells whether the schema names the argument among its properties.
func (s *inputSchema) declares(argument string) bool {
	return s != nil && s.node.At("properties", argument) != nil
}

// schemas gives the input schemas of listed tools.
type schemas map[string]*inputSchema

func readSchemas(tools []conform.Tooling) schemas {
	all := schemas{}
	for _, t := range tools {
		if _, again := all[t.Name]; !again {
			all[t.Name] = readSchema(t.InputSchema)
		}
	}
	return all
}
