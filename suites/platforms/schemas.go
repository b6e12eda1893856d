package platforms

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var sides = []string{"input", "output", "both"}

// each gives the schemas that a look is about, with the member they stand in.
func each(t *conform.Tooling, of string, do func(side string, schema *rawjson.Node)) {
	if t.InputSchema != nil && of != "output" {
		do("inputSchema", t.InputSchema)
	}
	if t.OutputSchema != nil && of != "input" {
		do("outputSchema", t.OutputSchema)
	}
}

var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	schemaOnes  = []string{"items", "additionalProperties", "additionalItems", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedItems", "unevaluatedProperties"}
)

// schemas visits a schema and all below it. Values that only look like schemas
// (examples, defaults, constants) are left out.
func schemas(n *rawjson.Node, visit func(*rawjson.Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, m := range n.Members {
		switch {
		case slices.Contains(schemaMaps, m.Name):
			for _, sub := range members(m.Value) {
				schemas(sub.Value, visit)
			}
		case slices.Contains(schemaLists, m.Name) || m.Name == "items" && m.Value.Is(rawjson.Array):
			for _, sub := range m.Value.Items {
				schemas(sub, visit)
			}
		case slices.Contains(schemaOnes, m.Name):
			schemas(m.Value, visit)
		}
	}
}

// within gives the pointer of a node below a schema of a tool. Tools are read from
// listings, whose pointers begin above the tool.
func within(side string, schema, n *rawjson.Node) string {
	return side + strings.TrimPrefix(n.Pointer(), schema.Pointer())
}

// uses tells whether a schema uses a keyword; some words stand for one form of it.
func uses(n *rawjson.Node, word string) bool {
	switch word {
	case "type as a list":
		return n.Get("type").Is(rawjson.Array)
	case "exclusiveMinimum as a number":
		return n.Get("exclusiveMinimum").Is(rawjson.Number)
	case "additionalProperties as a schema":
		return n.Get("additionalProperties").Is(rawjson.Object)
	case "default beside anyOf":
		return n.Has("default") && n.Has("anyOf")
	case "additionalProperties: false":
		no, is := n.Get("additionalProperties").Bool()
		return is && !no
	}
	return n.Has(word)
}

func keywords(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		each(t, w.of, func(side string, schema *rawjson.Node) {
			seen.of++
			told := map[string]int{}
			where := map[string]string{}
			look := func(n *rawjson.Node) {
				for _, word := range w.words {
					if uses(n, word) {
						if told[word]++; told[word] == 1 {
							where[word] = within(side, schema, n)
						}
					}
				}
			}
			switch w.depth {
			case "root":
				look(schema)
			case "first":
				if root, ok := resolve(schema, schema); ok {
					look(root)
					for _, m := range members(root.Get("properties")) {
						look(m.Value)
						look(m.Value.Get("items"))
					}
				}
			default:
				schemas(schema, look)
			}
			for _, word := range w.words {
				switch n := told[word]; {
				case n == 1:
					seen.hit(t.Name, where[word], "`"+word+"` is used")
				case n > 1:
					seen.hit(t.Name, where[word], fmt.Sprintf("`%s` is used %d times", word, n))
				}
			}
		})
	})
}

func arrayItems(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		each(t, w.of, func(side string, schema *rawjson.Node) {
			seen.of++
			schemas(schema, func(n *rawjson.Node) {
				if !isArray(n) {
					return
				}
				items := n.Get("items")
				switch {
				case items == nil:
					seen.hit(t.Name, within(side, schema, n), "an array without `items`")
				case w.typed && (items.Is(rawjson.Bool) || len(members(items)) == 0):
					seen.hit(t.Name, within(side, schema, n), "an array whose `items` say nothing")
				case w.typed && items.Is(rawjson.Object) && !items.Has("type") && !items.Has("$ref") && operator(items) == "":
					seen.hit(t.Name, within(side, schema, n), "an array whose `items` have no `type`")
				}
			})
		})
	})
}

func isArray(n *rawjson.Node) bool {
	if typ, ok := n.Get("type").Str(); ok {
		return typ == "array"
	}
	types := n.Get("type")
	return types.Is(rawjson.Array) && slices.ContainsFunc(types.Items, func(n *rawjson.Node) bool { text, _ := n.Str(); return text == "array" })
}

// root looks at the type of a schema's root: an object, or with the word
// array-of-objects one of those too.
func root(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if w.of == "input" && t.InputSchema == nil {
			seen.of++
			seen.hit(t.Name, "inputSchema", "there is none")
			return
		}
		each(t, w.of, func(side string, schema *rawjson.Node) {
			seen.of++
			r, ok := resolve(schema, schema)
			typ, _ := r.Get("type").Str()
			if ok && typ == "object" {
				return
			}
			item, known := resolve(schema, r.Get("items"))
			if it, _ := item.Get("type").Str(); ok && known && typ == "array" && it == "object" && slices.Contains(w.words, "array-of-objects") {
				return
			}
			got := "the root has no one `type`"
			if typ != "" {
				got = "the root is of type " + quoted(typ)
			}
			seen.hit(t.Name, side, got)
		})
	})
}

// strictObjects finds what keeps a tool from being called in strict mode.
func strictObjects(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if t.InputSchema == nil {
			return
		}
		seen.of++
		var open, optional int
		schemas(t.InputSchema, func(n *rawjson.Node) {
			if typ, _ := n.Get("type").Str(); typ != "object" {
				return
			}
			if !uses(n, "additionalProperties: false") {
				open++
			}
			required := texted(n.Get("required"))
			for _, m := range members(n.Get("properties")) {
				if !slices.Contains(required, m.Name) {
					optional++
				}
			}
		})
		var got []string
		if t.InputSchema.Has("anyOf") {
			got = append(got, "anyOf at the root")
		}
		if open > 0 {
			got = append(got, amount(open, "object")+" without additionalProperties: false")
		}
		if optional > 0 {
			got = append(got, amount(optional, "property")+" not in required")
		}
		if len(got) > 0 {
			seen.hit(t.Name, "inputSchema", strings.Join(got, "; "))
		}
	})
}

func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// texted gives the strings of an array.
func texted(n *rawjson.Node) []string {
	if n == nil {
		return nil
	}
	var all []string
	for _, item := range n.Items {
		if text, ok := item.Str(); ok {
			all = append(all, text)
		}
	}
	return all
}

// The bounds of strict schemas.
const (
	strictProperties = 5000
	strictLevels     = 10
	strictCharacters = 120_000
	strictEnum       = 1000
)

func schemaSize(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if t.InputSchema == nil {
			return
		}
		seen.of++
		var properties, characters, enums int
		schemas(t.InputSchema, func(n *rawjson.Node) {
			for _, m := range members(n.Get("properties")) {
				properties++
				characters += len(m.Name)
			}
			if list := n.Get("enum"); list != nil {
				enums += len(list.Items)
				for _, v := range list.Items {
					characters += len(v.Raw)
				}
			}
		})
		for _, over := range []struct {
			n, most int
			what    string
		}{{properties, strictProperties, "properties"}, {levels(t.InputSchema), strictLevels, "levels"},
			{characters, strictCharacters, "characters of names and enums"}, {enums, strictEnum, "enum values"}} {
			if over.n > over.most {
				seen.hit(t.Name, "inputSchema", fmt.Sprintf("%d %s, and %d are the most", over.n, over.what, over.most))
			}
		}
	})
}

// levels gives how deep objects and arrays of a schema nest.
func levels(n *rawjson.Node) int {
	deepest := 0
	for _, m := range members(n.Get("properties")) {
		deepest = max(deepest, levels(m.Value))
	}
	if items := n.Get("items"); items.Is(rawjson.Object) {
		deepest = max(deepest, levels(items))
	}
	if n.Get("properties") != nil || n.Get("items") != nil {
		return deepest + 1
	}
	return deepest
}

func enums(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if t.InputSchema == nil {
			return
		}
		seen.of++
		var found []string
		schemas(t.InputSchema, func(n *rawjson.Node) {
			if n.Has("enum") && n.Name() != "" {
				found = append(found, strings.TrimPrefix(within("", t.InputSchema, n), "/"))
			}
		})
		if len(found) > 0 {
			seen.hit(t.Name, "inputSchema", "`enum` at "+names(found))
		}
	})
}

// annotation looks at a number under a tool's _meta.
func annotation(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		n := t.Node.At("_meta", w.pattern)
		if n == nil {
			return
		}
		var v int
		text, number := n.Literal()
		if _, err := fmt.Sscanf(text, "%d", &v); !number || err != nil || v <= 0 || v > w.most {
			seen.hit(t.Name, "_meta/"+url.PathEscape(w.pattern), fmt.Sprintf("%s is no whole number up to %d", n.Excerpt(40), w.most))
		}
	})
}
