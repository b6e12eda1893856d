package multiitem

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
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

// Named is a tool that the target file names: for which operation, and as what.
type Named struct{ Tool, Operation, As string }

func (n Named) words() string { return n.As + " of " + n.Operation }

// AsTool is what the tool of an operation is named as.
const AsTool = "the tool"

// namedTools gives every tool that the target file names, by the first use that it
// has: what does the work before what shows it, and all in the file's order.
func namedTools(t conform.Target) map[string]Named {
	named := map[string]Named{}
	for i := range t.Operations {
		op := &t.Operations[i]
		uses := []Named{
			{op.Tool, op.Name, AsTool}, {op.ValidatorTool, op.Name, "the validator"},
			{op.ProbeTool, op.Name, "the probe"}, {op.ResetTool, op.Name, "the reset"},
			{op.UnitTool, op.Name, "the unit tool"}, {op.UndoTool, op.Name, "the undo"}, {op.SetupTool, op.Name, "the setup"}, {op.SetupUndoTool, op.Name, "the undo of the setup"},
		}
		for _, tool := range op.ItemTools {
			uses = append(uses, Named{tool, op.Name, "items"})
		}
		if async := op.Results.Async; async != nil {
			uses = append(uses, Named{async.Tool, op.Name, "the tool that tells of jobs"})
		}
		if next := op.Results.Next; next != nil {
			uses = append(uses, Named{next.Tool, op.Name, "the tool that gives further pages"})
		}
		for _, use := range uses {
			if _, known := named[use.Tool]; use.Tool != "" && !known {
				named[use.Tool] = use
			}
		}
	}
	return named
}

// explained tells whether the target file names a tool, or ignores it.
func explained(t conform.Target) func(tool string) bool {
	named := namedTools(t)
	return func(tool string) bool {
		_, known := named[tool]
		return known || slices.ContainsFunc(t.Ignore, func(i conform.Ignored) bool { return i.Tool == tool })
	}
}

func nothingUnlisted(s *conform.Subject) []conform.Look {
	if !s.Recording.Listed {
		return nil
	}
	var names []string
	left := unlisted(s.Recording)
	for _, t := range left {
		names = append(names, fmt.Sprintf("%s (%s)", t.tool.Name, t.several.Because()))
	}
	if len(names) == 0 {
		return []conform.Look{{Verdict: conform.Pass}}
	}
	return []conform.Look{{
		Verdict: conform.Fail, Want: "every tool that takes several items is listed or ignored",
		Got: few(names), Hint: pasteHint, Paste: pasteable(s.Recording.Header.Target, left),
	}}
}

func namedToolsExist(s *conform.Subject) []conform.Look {
	if !s.Recording.Listed {
		return nil
	}
	var gone []string
	target := s.Recording.Header.Target
	named := namedTools(target)
	for i := range target.Operations {
		op := &target.Operations[i]
		for _, tool := range append([]string{op.Tool, op.ValidatorTool, op.ProbeTool, op.ResetTool, op.UnitTool, op.UndoTool, op.SetupTool, op.SetupUndoTool}, op.ItemTools...) {
			if use, known := named[tool]; known && s.Recording.Tool(tool) == nil {
				gone = append(gone, fmt.Sprintf("%s (%s)", tool, use.words()))
				delete(named, tool)
			}
		}
	}
	if len(gone) == 0 {
		return []conform.Look{{Verdict: conform.Pass}}
	}
	return []conform.Look{{Verdict: conform.Fail, Want: "every tool that the target file names is listed by the server", Got: "not listed: " + few(gone)}}
}
