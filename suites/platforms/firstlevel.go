package platforms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// summaryFields are the first-level primitives that tell how a batch went, in the
// order in which they are suggested.
var summaryFields = []struct{ name, typ string }{
	{"status", "string"}, {"total", "integer"}, {"succeeded", "integer"}, {"failed", "integer"}, {"message", "string"}, {"failed_items", "string"},
}

// primitives gives the names of the output's first-level fields of a plain type.
func primitives(t *conform.Tooling) []string {
	var all []string
	for _, f := range classify(t.OutputSchema).fields {
		if f.class == primitive {
			all = append(all, f.name)
		}
	}
	return all
}

// summed tells whether fields tell how a batch went: its status, or how many items failed.
func summed(fields []string) bool {
	return slices.ContainsFunc([]string{"status", "failed", "succeeded", "all_succeeded"}, func(name string) bool { return slices.Contains(fields, name) })
}

// rowsOf gives the schema of a tool's first-level results list; nil if it declares none.
func rowsOf(t *conform.Tooling) *rawjson.Node {
	root, _ := resolve(t.OutputSchema, t.OutputSchema)
	results, ok := resolve(t.OutputSchema, root.At("properties", "results"))
	if !ok || !isArray(results) {
		return nil
	}
	return results
}

// fieldsLook finds first-level fields of given classes.
func fieldsLook(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		each(t, w.of, func(at string, schema *rawjson.Node) {
			seen.of++
			graded := classify(schema)
			if graded.grade == gradeReasoning && slices.Contains(w.words, string(unmapped)) && len(graded.fields) == 0 && graded.why != "type" {
				seen.hit(t.Name, at, fmt.Sprintf("%s at the root: no field of this side can be mapped", graded.why))
			}
			for _, f := range graded.fields {
				if !slices.Contains(w.words, string(f.class)) {
					continue
				}
				got := fmt.Sprintf("%s is %s", quoted(f.name), strings.TrimPrefix(string(f.class), "opaque:"))
				switch {
				case f.class == unmapped:
					got = fmt.Sprintf("%s has %s: it has no type there, and the whole side may be empty in the builder", quoted(f.name), f.why)
				case len(f.lost) > 0:
					got = fmt.Sprintf("%s can be used as a whole only; lost: %s", quoted(f.name), names(f.lost))
				case f.class == primitiveArray, f.class == noItems, f.class == unlisted:
					got = fmt.Sprintf("%s is of a shape that is neither listed as supported nor excluded (%s)", quoted(f.name), strings.TrimPrefix(string(f.class), "unlisted:"))
				}
				seen.hit(t.Name, within(at, schema, f.node), got)
			}
		})
	})
}

// grades finds tools of which a side is graded so. An input without parameters is no
// loss, and is left out.
func grades(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		each(t, "both", func(at string, schema *rawjson.Node) {
			seen.of++
			graded := classify(schema)
			if !slices.Contains(w.words, graded.grade) || at == "inputSchema" && graded.grade == gradeOpaque {
				return
			}
			seen.hit(t.Name, at, "this side is "+graded.grade)
		})
	})
}

// lostPaths finds tools that have something below the first level.
func lostPaths(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		f := Fields(t)
		if lost := slices.Concat(f.Input.Lost, f.Output.Lost, f.Input.Unmapped, f.Output.Unmapped); len(lost) > 0 {
			seen.hit(t.Name, "", fmt.Sprintf("usable: %s; as a whole: %s; lost: %s", orNothing(f.Output.Usable), orNothing(f.Output.Opaque), names(lost)))
		}
	})
}

func orNothing(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return names(all)
}

// outcome looks for a first-level primitive of the output that carries the outcome.
func outcome(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if t.OutputSchema == nil {
			return
		}
		seen.of++
		fields := primitives(t)
		switch {
		case len(fields) == 0:
			seen.hit(t.Name, "outputSchema", "no first-level field of a plain type")
		case rowsOf(t) != nil && !summed(fields):
			seen.hit(t.Name, "outputSchema", fmt.Sprintf("none of its plain fields (%s) says how the batch went", names(fields)))
		}
	})
}

// summary looks for a summary beside a list of results.
func summary(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if rowsOf(t) == nil || searching(t) {
			return
		}
		seen.of++
		if fields := primitives(t); !summed(fields) {
			var missing []string
			for _, f := range summaryFields {
				if !slices.Contains(fields, f.name) {
					missing = append(missing, f.name)
				}
			}
			seen.hit(t.Name, "outputSchema", "`results` without a summary beside it; not there: "+names(missing))
		}
	})
}

// searching tells a tool whose results are what it found, not what became of a batch.
func searching(t *conform.Tooling) bool {
	rows := rowsOf(t)
	item := rows.At("items", "properties")
	return item != nil && !item.Has("success") && !item.Has("ok") && discover.Several(t).Argument == ""
}

// itemFields finds the fields of a list's items. Beside a summary their loss weighs
// little.
func itemFields(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if t.OutputSchema == nil {
			return
		}
		seen.of++
		for _, f := range classify(t.OutputSchema).fields {
			if f.class != itemProperties {
				continue
			}
			h := hit{tool: t.Name, path: within("outputSchema", t.OutputSchema, f.node), got: fmt.Sprintf("lost: %s", names(f.lost))}
			if f.name == "results" && summed(primitives(t)) {
				h.severity = conform.Info
				h.got += "; the summary beside it stays usable"
			}
			seen.hits = append(seen.hits, h)
		}
	})
}

// Suggest gives the output schema of a tool with a usable summary beside its results:
// what it declares, and what is missing. Empty where nothing is to be added.
func Suggest(t *conform.Tooling) string {
	if rowsOf(t) == nil || searching(t) || summed(primitives(t)) {
		return ""
	}
	root, _ := resolve(t.OutputSchema, t.OutputSchema)
	declared := root.Get("properties")
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var need []string
	for i, f := range summaryFields {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%q:{"type":%q}`, f.name, f.typ)
		if f.name != "message" && f.name != "failed_items" {
			need = append(need, f.name)
		}
	}
	for _, m := range members(declared) {
		if slices.ContainsFunc(summaryFields, func(f struct{ name, typ string }) bool { return f.name == m.Name }) {
			continue
		}
		name, _ := json.Marshal(m.Name) // a string always encodes
		fmt.Fprintf(&b, `,%s:%s`, name, m.Value.Raw)
	}
	b.WriteByte('}')
	for _, name := range texted(root.Get("required")) {
		if !slices.Contains(need, name) && declared.Has(name) {
			need = append(need, name)
		}
	}
	required, _ := json.Marshal(need) // strings always encode
	fmt.Fprintf(&b, `,"required":%s`, required)
	for _, m := range members(root) {
		if !slices.Contains([]string{"type", "properties", "required"}, m.Name) {
			name, _ := json.Marshal(m.Name)
			fmt.Fprintf(&b, `,%s:%s`, name, m.Value.Raw)
		}
	}
	for _, name := range []string{"$defs", "definitions"} {
		if root != t.OutputSchema && t.OutputSchema.Has(name) {
			fmt.Fprintf(&b, `,%q:%s`, name, t.OutputSchema.Get(name).Raw)
		}
	}
	b.WriteByte('}')
	var out bytes.Buffer
	if json.Indent(&out, b.Bytes(), "", "  ") != nil {
		return ""
	}
	return out.String()
}
