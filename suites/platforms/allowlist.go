package platforms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// AllowList is what a client was given of a server's tools, with the values that it
// sets itself.
type AllowList struct {
	Entries []Entry
	Auth    *rawjson.Node // nil: the file says nothing of it
	Top     *rawjson.Node
}

// Entry is one tool of an allow-list.
type Entry struct {
	Node        *rawjson.Node
	Tool        conform.Tooling
	Whole       bool // its `tool` is an object
	Instruction string
	Overrides   *rawjson.Node
}

func (a *AllowList) tools() []conform.Tooling {
	var all []conform.Tooling
	for _, e := range a.Entries {
		if e.Whole && !slices.ContainsFunc(all, func(t conform.Tooling) bool { return t.Name == e.Tool.Name }) {
			all = append(all, e.Tool)
		}
	}
	return all
}

// lists are the names by which an allow-list is found in a document.
var lists = []string{"ALLOWED_TOOLS", "ALLOWED_MCP_TOOLS", "allowedTools", "allowed_tools"}

// ReadAllowList reads an allow-list in any of the forms that the platform uses: an
// object that holds the list, a node's toolConfig, or the bare list.
func ReadAllowList(file string, text []byte) (*AllowList, error) {
	top, err := readJSON(file, text)
	if err != nil {
		if strings.HasSuffix(file, ".py") || bytes.Contains(text, []byte("ALLOWED_TOOLS =")) || bytes.Contains(text, []byte("ALLOWED_MCP_TOOLS =")) {
			return nil, &Error{File: file, What: "this is Python, which is not read", Mend: `print the list as JSON: python -c "import json, FILE; print(json.dumps(FILE.ALLOWED_TOOLS))"`}
		}
		return nil, err
	}
	a := &AllowList{Top: top, Auth: firstOf(top, "MCP_AUTH", "auth")}
	list := top
	if config := top.Get("toolConfig"); config != nil {
		list = firstOf(config, lists...)
		a.Auth = config.Get("auth")
	} else if !top.Is(rawjson.Array) {
		list = firstOf(top, lists...)
	}
	if !list.Is(rawjson.Array) && !top.Has("command") && !top.Has("mcpServers") {
		return nil, &Error{File: file, Line: 1, What: "no list of allowed tools was found", Mend: "write {\"ALLOWED_TOOLS\": […]}, {\"toolConfig\": {\"allowedTools\": […]}}, or the bare list"}
	}
	for _, n := range items(list) {
		e := Entry{Node: n, Whole: n.Get("tool").Is(rawjson.Object), Overrides: n.Get("argOverrides")}
		e.Instruction, _ = n.Get("instruction").Str()
		if e.Whole {
			e.Tool = tooling(n.Get("tool"))
		} else {
			e.Tool.Name, _ = n.Get("tool").Str()
		}
		a.Entries = append(a.Entries, e)
	}
	return a, nil
}

func firstOf(n *rawjson.Node, names ...string) *rawjson.Node {
	for _, name := range names {
		if found := n.Get(name); found != nil {
			return found
		}
	}
	return nil
}

// readJSON reads a file, and tells a mistake by its line.
func readJSON(file string, text []byte) (*rawjson.Node, error) {
	top, err := rawjson.Parse(bytes.TrimSpace(text))
	if err != nil {
		e := &Error{File: file, Line: 1, What: "this is not JSON: " + err.Error(), Mend: "mend what stands there, or just before it"}
		if wrong, ok := err.(*rawjson.SyntaxError); ok {
			before := bytes.TrimLeft(text, " \t\r\n")
			skipped := len(text) - len(before)
			at := min(len(text), skipped+wrong.Offset)
			e.Line, e.Column = bytes.Count(text[:at], []byte("\n"))+1, at-bytes.LastIndexByte(text[:at], '\n')
			e.What = "this is not JSON: " + wrong.Reason
		}
		return nil, e
	}
	return top, nil
}

// tooling reads one tool's definition.
func tooling(n *rawjson.Node) conform.Tooling {
	t := conform.Tooling{Node: n, InputSchema: object(n.Get("inputSchema")), OutputSchema: object(n.Get("outputSchema"))}
	t.Name, _ = n.Get("name").Str()
	return t
}

// object gives a schema; null is none.
func object(n *rawjson.Node) *rawjson.Node {
	if n.Is(rawjson.Null) {
		return nil
	}
	return n
}

// Setting is what a user adds to an allow-list: a value for a parameter, or an
// instruction for a tool.
type Setting struct{ Tool, Parameter, Value string }

// AllowListOf writes the allow-list of a server's tools, in the form "json",
// "python" or "node". The error says what of the settings does not fit.
func AllowListOf(s *Subject, form string, overrides, instructions []Setting, server, endpoint string) (string, error) {
	if err := fitting(s, overrides, instructions); err != nil {
		return "", err
	}
	var all []string
	for i := range s.Tools {
		t := &s.Tools[i]
		set, told := map[string]string{}, ""
		var order []string
		for _, o := range overrides {
			if o.Tool == t.Name {
				if _, twice := set[o.Parameter]; !twice {
					order = append(order, o.Parameter)
				}
				set[o.Parameter] = o.Value
			}
		}
		for _, n := range instructions {
			if n.Tool == t.Name {
				told = n.Value
			}
		}
		var fixed []string
		for _, name := range order {
			fixed = append(fixed, encoded(name)+": "+encoded(set[name]))
		}
		kind := ""
		if form == "node" {
			kind = `"objectType": "TOOL", `
		}
		all = append(all, fmt.Sprintf(`{"tool": {%s"name": %s, "description": %s, "inputSchema": %s}, "instruction": %s, "argOverrides": {%s}}`,
			kind, encoded(t.Name), encoded(description(t)), schemaText(t), encoded(told), strings.Join(fixed, ", ")))
	}
	list := "[" + strings.Join(all, ",") + "]"
	switch form {
	case "json":
		return indented(`{"ALLOWED_TOOLS":` + list + `}`), nil
	case "python":
		top, err := rawjson.Parse([]byte(list))
		if err != nil {
			return "", fmt.Errorf("writing the allow-list: %w", err)
		}
		var b strings.Builder
		b.WriteString("ALLOWED_TOOLS = ")
		python(&b, top, "")
		fmt.Fprintf(&b, `

TOOLS = build_structured_tools_from_allowed_mcp_tools(
    allowed_tools=ALLOWED_TOOLS, server_name=%s, endpoint=%s,
    transport="streamable_http",
    auth={"authType": "BEARER_TOKEN", "token": %s},
    headers={})
`, pythonText(server), pythonText(endpoint), pythonText("{{sessionvariables.cred.mcp."+server+".bearer}}"))
		return b.String(), nil
	}
	return indented(fmt.Sprintf(`{"type":"MCP_TOOL","name":%s,"description":%s,"toolConfig":{"endpoint":%s,"auth":{"authType":"NO_AUTH"},"allowedTools":%s,"customHeaders":{}}}`,
		encoded(server), encoded(server), encoded(endpoint), list)), nil
}

// schemaText is a tool's input schema as the server wrote it.
func schemaText(t *conform.Tooling) string {
	if t.InputSchema == nil {
		return `{"type": "object", "properties": {}}`
	}
	return string(t.InputSchema.Raw)
}

func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return text + "\n"
	}
	return b.String() + "\n"
}

// python writes a JSON value as Python does.
func python(b *strings.Builder, n *rawjson.Node, indent string) {
	switch {
	case n.Is(rawjson.Object) && len(n.Members) > 0:
		b.WriteString("{\n")
		for i, m := range n.Members {
			b.WriteString(indent + "    " + pythonText(m.Name) + ": ")
			python(b, m.Value, indent+"    ")
			b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i < len(n.Members)-1])
		}
		b.WriteString(indent + "}")
	case n.Is(rawjson.Array) && len(n.Items) > 0:
		b.WriteString("[\n")
		for i, item := range n.Items {
			b.WriteString(indent + "    ")
			python(b, item, indent+"    ")
			b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i < len(n.Items)-1])
		}
		b.WriteString(indent + "]")
	case n.Is(rawjson.String):
		text, _ := n.Str()
		b.WriteString(pythonText(text))
	case n.Is(rawjson.Bool):
		yes, _ := n.Bool()
		b.WriteString(map[bool]string{true: "True", false: "False"}[yes])
	case n.Is(rawjson.Null):
		b.WriteString("None")
	default:
		b.Write(n.Raw)
	}
}

// pythonText quotes a text for Python. Go's escapes of a quoted string in ASCII are
// Python's too.
func pythonText(text string) string { return strconv.QuoteToASCII(text) }

// fitting says what of the settings does not fit the server's tools.
func fitting(s *Subject, overrides, instructions []Setting) error {
	for _, n := range instructions {
		if s.tool(n.Tool) == nil {
			return fmt.Errorf("the instruction for %q: the server has no such tool", n.Tool)
		}
	}
	for _, o := range overrides {
		t := s.tool(o.Tool)
		if t == nil {
			return fmt.Errorf("the override %s.%s: the server has no such tool", o.Tool, o.Parameter)
		}
		p := t.InputSchema.At("properties", o.Parameter)
		if p == nil {
			return fmt.Errorf("the override %s.%s: the tool has no such parameter", o.Tool, o.Parameter)
		}
		if !plainly(p) {
			return fmt.Errorf("the override %s.%s: the parameter is a list or an object, and only texts can be set", o.Tool, o.Parameter)
		}
		if why := unread(o.Value, p); why != "" {
			return fmt.Errorf("the override %s.%s: %s", o.Tool, o.Parameter, why)
		}
	}
	return nil
}

// plainly tells whether a parameter may be a text, a number or a boolean.
func plainly(p *rawjson.Node) bool {
	if typ, one := p.Get("type").Str(); one {
		return typ != "array" && typ != "object"
	}
	for _, op := range []string{"anyOf", "oneOf"} {
		if branches := p.Get(op); branches != nil {
			return slices.ContainsFunc(branches.Items, plainly)
		}
	}
	return true
}

// unread says why a text cannot be read as a value of a parameter; empty if it can.
func unread(text string, p *rawjson.Node) string {
	typ, _ := p.Get("type").Str()
	switch typ {
	case "integer":
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return fmt.Sprintf("%s is no whole number", quoted(text))
		}
	case "number":
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return fmt.Sprintf("%s is no number", quoted(text))
		}
	case "boolean":
		if text != "true" && text != "false" {
			return fmt.Sprintf("%s is neither true nor false", quoted(text))
		}
	}
	if list := p.Get("enum"); list != nil && !slices.ContainsFunc(list.Items, func(n *rawjson.Node) bool {
		value, is := n.Str()
		return is && value == text || !is && string(n.Raw) == text
	}) {
		return fmt.Sprintf("%s is none of %s", quoted(text), list.Excerpt(80))
	}
	return ""
}
