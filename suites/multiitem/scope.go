package multiitem

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func scope() []conform.Check {
	return []conform.Check{{
		Requirement: conform.Requirement{
			ID: "SCOPE-01", Level: conform.None, Basis: conform.Inferred, Group: conform.GroupScope,
			Title:  "no multi-item tool is left out",
			Text:   "Every tool that looks multi-item is listed in the target file, or ignored there with a reason.",
			Impact: "A certificate that speaks of three tools is read as speaking of all five.",
			Source: "contract 8b, scope",
			Needs:  []conform.Need{conform.NeedResponse},
			Good:   "`ignore: [{tool: legacy_bulk, because: \"goes away in May\"}]`",
			Bad:    "the server lists `bulk_update(ids[])`, and the target file does not mention it",
			Mend:   "Describe the tool under `operations`, or name it under `ignore` with the reason.",
			Since:  set,
		},
		PerServer: true,
		Applies:   withoutFile,
		Judge:     nothingUnlisted,
		Missing:   "the server did not list its tools",
	}, {
		Requirement: conform.Requirement{
			ID: "SCOPE-02", Level: conform.None, Basis: conform.Inferred, Group: conform.GroupScope,
			Title:  "every listed tool exists",
			Text:   "Every tool that the target file names is in the server's tools/list.",
			Impact: "A renamed tool is silently no longer tested.",
			Source: "contract 8b, scope",
			Needs:  []conform.Need{conform.NeedResponse},
			Good:   "`tool: cancel_products`, and the server lists cancel_products",
			Bad:    "`tool: cancel_products`, and the server lists cancelProducts",
			Mend:   "Correct the tool's name in the target file, or bring the tool back.",
			Since:  set,
		},
		PerServer: true,
		Applies:   withoutFile,
		Judge:     namedToolsExist,
		Missing:   "the server did not list its tools",
	}, scope03}
}

func withoutFile(s *conform.Subject) string {
	if !s.Recording.Header.Target.HasFile {
		return "no target file says which tools are meant"
	}
	return ""
}

// UnlistedTool is a tool that looks multi-item and that the target file does not
// mention.
type UnlistedTool struct {
	Name     string
	Argument string // the argument that takes several
	Because  string
}

// Unlisted gives the tools that look multi-item and are neither played nor
// ignored.
func Unlisted(rec *conform.Recording) []UnlistedTool {
	known := explained(rec.Header.Target)
	var found []UnlistedTool
	for i := range rec.Tools {
		t := &rec.Tools[i]
		if known[t.Name] != "" {
			continue
		}
		if argument := severalArgument(t.InputSchema); argument != "" {
			found = append(found, UnlistedTool{t.Name, argument, fmt.Sprintf("its argument %q takes a list", argument)})
		}
	}
	return found
}

// TakesSeveral tells whether a listed tool looks multi-item: some argument of it
// takes a list.
func TakesSeveral(t *conform.Tooling) bool { return t != nil && severalArgument(t.InputSchema) != "" }

// severalArgument gives the first argument that takes a list of strings,
// numbers or objects; empty if none does. A closed list of words (enum) selects
// options, it does not name items.
func severalArgument(schema *rawjson.Node) string {
	properties := schema.Get("properties")
	if !properties.Is(rawjson.Object) {
		return ""
	}
	for _, p := range properties.Members {
		if !typed(p.Value, "array") {
			continue
		}
		items := p.Value.Get("items")
		if items.Get("enum") != nil {
			continue
		}
		if typed(items, "string") || typed(items, "object") || typed(items, "integer") || typed(items, "number") {
			return p.Name
		}
	}
	return ""
}

// typed tells whether a schema's type is, or includes, a name.
func typed(schema *rawjson.Node, name string) bool {
	t := schema.Get("type")
	if text, ok := t.Str(); ok {
		return text == name
	}
	if t.Is(rawjson.Array) {
		for _, item := range t.Items {
			if text, _ := item.Str(); text == name {
				return true
			}
		}
	}
	return false
}

// namedTools gives every tool that the target file names, and as what.
func namedTools(t conform.Target) map[string]string {
	named := map[string]string{}
	for i := range t.Operations {
		op := &t.Operations[i]
		for _, role := range []struct{ tool, as string }{
			{op.Tool, "the tool of " + op.Name}, {op.ValidatorTool, "the validator of " + op.Name},
			{op.ProbeTool, "the probe of " + op.Name}, {op.ResetTool, "the reset of " + op.Name},
			{op.UndoTool, "the undo of " + op.Name}, {op.SetupTool, "the setup of " + op.Name}, {op.SetupUndoTool, "the undo of the setup of " + op.Name},
		} {
			if role.tool != "" && named[role.tool] == "" {
				named[role.tool] = role.as
			}
		}
		for _, tool := range op.ItemTools {
			if named[tool] == "" {
				named[tool] = "items of " + op.Name
			}
		}
	}
	return named
}

// explained gives every tool that the target file names or ignores.
func explained(t conform.Target) map[string]string {
	known := namedTools(t)
	for _, ignored := range t.Ignore {
		known[ignored.Tool] = "ignored"
	}
	return known
}

func nothingUnlisted(s *conform.Subject) []conform.Look {
	if !s.Recording.Listed {
		return nil
	}
	var names []string
	for _, t := range Unlisted(s.Recording) {
		names = append(names, fmt.Sprintf("%s (%s)", t.Name, t.Because))
	}
	if len(names) == 0 {
		return []conform.Look{{Verdict: conform.Pass}}
	}
	return []conform.Look{{
		Verdict: conform.Fail, Want: "every tool that takes several items is listed or ignored",
		Got: few(names), Hint: pasteable(Unlisted(s.Recording)),
	}}
}

// pasteable is the YAML that names the tools as ignored.
func pasteable(tools []UnlistedTool) string {
	var b strings.Builder
	b.WriteString("describe them under `operations`, or add to the target file: ignore: [")
	for i, t := range tools {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "{tool: %s, because: \"…\"}", t.Name)
	}
	b.WriteString("]")
	return b.String()
}

func namedToolsExist(s *conform.Subject) []conform.Look {
	if !s.Recording.Listed {
		return nil
	}
	var gone []string
	named := namedTools(s.Recording.Header.Target)
	for i := range s.Recording.Header.Target.Operations {
		op := &s.Recording.Header.Target.Operations[i]
		for _, tool := range append([]string{op.Tool, op.ValidatorTool, op.ProbeTool, op.ResetTool, op.UndoTool, op.SetupTool, op.SetupUndoTool}, op.ItemTools...) {
			if as := named[tool]; as != "" && s.Recording.Tool(tool) == nil {
				gone = append(gone, fmt.Sprintf("%s (%s)", tool, as))
				delete(named, tool)
			}
		}
	}
	if len(gone) == 0 {
		return []conform.Look{{Verdict: conform.Pass}}
	}
	return []conform.Look{{Verdict: conform.Fail, Want: "every tool that the target file names is listed by the server", Got: "not listed: " + few(gone)}}
}
