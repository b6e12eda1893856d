package discover

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/mcpconform/mcpconform/conform"
)

// Update is what bringing a target file up to date did, or could not do.
type Update struct {
	Added []string // operations, by name
	Gone  []Gone   // in the order of the file
}

// Gone is an operation whose tool the server does not list any more.
type Gone struct{ Operation, Tool string }

// Update adds operations for the tools that a target file does not know, behind those
// that it has. Nothing else of the text changes: edits, comments and order stay. What a
// file says of tools that are gone stays too, and is told. The file may have placeholders.
func (f *Found) Update(text []byte) ([]byte, Update, error) {
	var u Update
	root, doc, err := read(text)
	if err != nil {
		return nil, u, err
	}
	known := map[string]bool{}
	toolsIn(doc, known)
	operations, _ := doc["operations"].(map[string]any)
	names := map[string]bool{}
	for name := range operations {
		names[name] = true
	}
	at := valueOf(root, "operations")
	u.Gone = f.gone(at)

	added := &strings.Builder{}
	for _, o := range f.Operations {
		if known[o.Tool] {
			continue
		}
		one := *o
		one.Name = OperationName(o.Tool, names)
		names[one.Name] = true
		one.write(added, f)
		u.Added = append(u.Added, one.Name)
	}
	if len(u.Added) == 0 {
		return text, u, nil
	}
	lines := strings.SplitAfter(string(text), "\n")
	place, deep, err := behind(root, at, lines)
	if err != nil {
		return nil, u, err
	}
	out := laidIn(lines, place, indented(added.String(), deep), at == nil, bytes.Contains(text, []byte("\r\n")))
	if err := kept(doc, out, u.Added); err != nil {
		return nil, u, err
	}
	return out, u, nil
}

// errLayout is said of a file in which nothing can be put in by lines.
var errLayout = errors.New("the operations stand in a layout that nothing can be added to: write each on lines of its own, as `init` does")

// read gives a file's mapping, as it stands and as values.
func read(text []byte) (*ast.MappingNode, map[string]any, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("it is no YAML: %s", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if len(file.Docs) != 1 {
		return nil, nil, errors.New("it is not one YAML document")
	}
	root, ok := file.Docs[0].Body.(*ast.MappingNode)
	var doc map[string]any
	if err := yaml.Unmarshal(text, &doc); err != nil || !ok {
		return nil, nil, errors.New("it is not a mapping of the keys of a target file")
	}
	return root, doc, nil
}

// toolsIn notes every tool that a value names, whatever for.
func toolsIn(value any, known map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if name, ok := v.(string); ok && key == "tool" {
				known[name] = true
			}
			toolsIn(v, known)
		}
	case []any:
		for _, v := range value {
			toolsIn(v, known)
		}
	}
}

// valueOf gives the entry of a key; nil: there is none.
func valueOf(root *ast.MappingNode, key string) *ast.MappingValueNode {
	at := slices.IndexFunc(root.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
	if at < 0 {
		return nil
	}
	return root.Values[at]
}

// entries gives the operations of a file; nil where it has none that stand by lines.
func entries(at *ast.MappingValueNode) []*ast.MappingValueNode {
	switch value := at.Value.(type) {
	case *ast.MappingNode:
		if !value.IsFlowStyle {
			return value.Values
		}
	case *ast.MappingValueNode: // some parsers give a mapping of one so
		return []*ast.MappingValueNode{value}
	}
	return nil
}

// gone gives the operations whose tool is not listed.
func (f *Found) gone(at *ast.MappingValueNode) (all []Gone) {
	if at == nil {
		return nil
	}
	for _, e := range entries(at) {
		var about struct{ Tool string }
		if yaml.NodeToValue(e.Value, &about) != nil || about.Tool == "" || f.lists(about.Tool) {
			continue
		}
		all = append(all, Gone{Operation: e.Key.GetToken().Value, Tool: about.Tool})
	}
	return all
}

// lists tells whether the server lists a tool.
func (f *Found) lists(tool string) bool {
	return slices.ContainsFunc(f.tools, func(t *conform.Tooling) bool { return t.Name == tool })
}

// behind gives the line, from 0, before which further operations go, and how far their
// names stand in.
func behind(root *ast.MappingNode, at *ast.MappingValueNode, lines []string) (place, deep int, err error) {
	if root.IsFlowStyle {
		return 0, 0, errLayout
	}
	if at == nil {
		return len(lines), 2, nil
	}
	own := entries(at)
	if len(own) == 0 {
		return 0, 0, errLayout
	}
	deep = own[0].Key.GetToken().Position.Column - 1
	place = len(lines)
	line := at.Key.GetToken().Position.Line
	for _, v := range root.Values {
		if next := v.Key.GetToken().Position.Line; next > line && next-1 < place {
			place = next - 1
		}
	}
	// What stands right above the next key, as far left, is about that.
	for place > 0 && (strings.TrimSpace(lines[place-1]) == "" || strings.HasPrefix(lines[place-1], "#")) {
		place--
	}
	return place, deep, nil
}

// indented moves lines that stand two in to another depth.
func indented(text string, deep int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "  "); ok {
			line = strings.Repeat(" ", deep) + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// laidIn puts a text in before a line.
func laidIn(lines []string, place int, text string, key, returns bool) []byte {
	if key {
		text = "operations:\n" + strings.TrimPrefix(text, "\n")
	}
	if returns {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	before := strings.Join(lines[:place], "")
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return []byte(before + text + strings.Join(lines[place:], ""))
}

// kept tells whether a file says all that it said before, and has the added operations:
// YAML knows more layouts than are looked for here.
func kept(before map[string]any, out []byte, added []string) error {
	var after map[string]any
	if yaml.Unmarshal(out, &after) != nil {
		return errLayout
	}
	operations, _ := after["operations"].(map[string]any)
	for _, name := range added {
		if operations[name] == nil {
			return errLayout
		}
		delete(operations, name)
	}
	if len(operations) == 0 && before["operations"] == nil {
		delete(after, "operations")
	}
	if !reflect.DeepEqual(before, after) {
		return errLayout
	}
	return nil
}
