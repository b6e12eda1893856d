package protocol

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func schemaKept() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-01", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "structuredContent keeps the outputSchema",
			Text:   "A tool that declares an outputSchema answers with structuredContent that is valid against it; an answer with isError may leave it out.",
			Impact: "Clients that check answers against the declared schema throw this one away, although the work was done.",
			Source: "MCP 2025-11-25, server/tools, Output Schema",
			Needs:  response,
			Good:   `outputSchema {"type":"object","required":["results"]}, answer {"content":[…],"structuredContent":{"results":[]}}`,
			Bad:    `the same outputSchema, answer {"content":[{"type":"text","text":"{\"results\":[]}"}]}`,
			Mend:   "Send structuredContent in every answer that is no error, and make schema and answer agree; or stop declaring the outputSchema.",
			Since:  set,
			If:     "the tool declares an outputSchema",
		},
		Applies: schemaApplies,
		Judge:   judgeSchema,
		Missing: "no tool with an outputSchema answered a call without an error",
	}
}

func schemaApplies(s *conform.Subject) string {
	if why := notREST(s); why != "" {
		return why
	}
	if !s.Recording.Listed {
		return ""
	}
	for _, name := range toolsOf(s) {
		if tool := s.Recording.Tool(name); tool != nil && tool.OutputSchema != nil {
			return tooOld(s)
		}
	}
	return "no tool of the operation declares an outputSchema"
}

// tooOld says why a rule that came with 2025-06-18 does not bind: every call was
// made under an older revision.
func tooOld(s *conform.Subject) string {
	oldest := ""
	for _, c := range s.Calls {
		said := revision(s.Recording, c)
		if said != rev2024 && said != revBatch {
			return ""
		}
		oldest = said
	}
	if oldest == "" {
		return ""
	}
	return "revision " + oldest + " knows no outputSchema"
}

// toolsOf names the tools that serve the subject: by the target file, and by
// what was called.
func toolsOf(s *conform.Subject) []string {
	op := s.Operation
	names := []string{op.Tool, op.ValidatorTool, op.ProbeTool, op.ResetTool, op.UndoTool, op.SetupTool, op.SetupUndoTool}
	for _, c := range s.Calls {
		names = append(names, c.Planned.Tool)
	}
	return names
}

func judgeSchema(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range completed(s) {
		tool := s.Recording.Tool(c.Planned.Tool)
		if tool == nil || tool.OutputSchema == nil {
			continue
		}
		if said := revision(s.Recording, c); said == rev2024 || said == revBatch {
			continue
		}
		structured := c.Result.Get("structuredContent")
		isError, _ := c.Result.Get("isError").Bool()
		switch {
		case structured == nil && isError:
			continue
		case structured == nil:
			looks = append(looks, answer(c).failed(fault{
				want: "structuredContent, since tool " + quoted(tool.Name) + " declares an outputSchema",
				got:  "an answer without structuredContent", node: c.Result,
			}))
		default:
			looks = append(looks, againstSchema(s.Recording, c, tool, structured))
		}
	}
	return looks
}

func againstSchema(rec *conform.Recording, c *conform.Call, tool *conform.Tooling, structured *rawjson.Node) conform.Look {
	mismatch, reason := schemaOf(rec, tool).judge(structured)
	switch {
	case reason != "":
		look := answer(c).unclear("tool " + quoted(tool.Name) + ": " + reason)
		look.Evidence = append(look.Evidence, answer(tool.Call).show(fault{node: tool.OutputSchema}))
		return look
	case mismatch != nil:
		return answer(c).failed(fault{
			want: "structuredContent valid against the outputSchema of tool " + quoted(tool.Name) + ": " + mismatch.rule,
			got:  mismatch.said, node: mismatch.at,
		})
	}
	return answer(c).passed()
}

// quoted shows a name that the server chose.
func quoted(name string) string { return fmt.Sprintf("%q", rawjson.Cut(name, 80)) }

func structuredIsObject() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-02", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "structuredContent is an object",
			Text:   "Up to revision 2025-11-25 structuredContent, where it is sent, is a JSON object.",
			Impact: "Strict clients refuse the whole answer, so the user is told nothing of what was done.",
			Source: "MCP 2025-11-25, server/tools, Structured Content",
			Needs:  response,
			Good:   `{"content":[…],"structuredContent":{"results":[]}}`,
			Bad:    `{"content":[…],"structuredContent":[{"id":"1","success":true}]}`,
			Mend:   "Put the list into an object: {\"results\": [...]}. Leave structuredContent out where there is nothing to say; null is no object.",
			Since:  set,
			If:     "structuredContent is sent, at a revision up to 2025-11-25",
		},
		Applies: objectApplies,
		Judge:   judgeObject,
		Missing: "no tools/call was answered with a result",
	}
}

func objectApplies(s *conform.Subject) string {
	if why := notREST(s); why != "" {
		return why
	}
	calls := completed(s)
	if len(calls) == 0 {
		return ""
	}
	sent := false
	for _, c := range calls {
		if !c.Result.Has("structuredContent") {
			continue
		}
		sent = true
		if revision(s.Recording, c) < revMeta {
			return ""
		}
	}
	if !sent {
		return "no answer carried structuredContent"
	}
	return "from revision " + revMeta + " on structuredContent may be any JSON value"
}

func judgeObject(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range completed(s) {
		structured := c.Result.Get("structuredContent")
		said := revision(s.Recording, c)
		switch {
		case structured == nil || said >= revMeta:
		case structured.Is(rawjson.Object):
			looks = append(looks, answer(c).passed())
		case said == "":
			looks = append(looks, answer(c).unclear("structuredContent is "+a(structured)+", and the protocol revision is not known"))
		default:
			looks = append(looks, answer(c).failed(fault{
				want: "a JSON object at revision " + said, got: a(structured), node: structured,
			}))
		}
	}
	return looks
}
