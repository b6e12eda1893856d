package platforms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
)

// line says where something stands in a configuration.
func line(file string, n int) string { return fmt.Sprintf("%s:%d", file, n) }

func configKeys(s *Subject, _ with) (seen sight) {
	if s.Config == nil {
		return lacking(noConfig)
	}
	seen.of = max(1, len(s.Config.Tools)+len(s.Config.Policies))
	for _, k := range s.Config.Unknown {
		got := "the key " + quoted(k.Name) + " does not exist there, and is not needed: a parameter of type array or list is enough"
		if k.Instead != "" {
			got = fmt.Sprintf("the key %s is not known; %s is", quoted(k.Name), quoted(k.Instead))
		}
		seen.hit("", line(k.File, k.Line), got)
	}
	return seen
}

func configTools(s *Subject, _ with) (seen sight) {
	c := s.Config
	if c == nil {
		return lacking(noConfig)
	}
	for _, t := range c.Tools {
		if !t.Enabled {
			continue
		}
		if seen.of++; s.tool(t.Name) == nil {
			seen.hit(t.Name, line(c.ToolsFile, t.Line), "the server has no such tool"+s.meant(t.Name))
		}
	}
	for _, p := range c.Policies {
		t := c.Tool(p.Tool)
		if t != nil {
			continue // told above, or ignored with it
		}
		seen.of++
		got := "the policy is about a tool that " + c.ToolsFile + " does not have"
		if s.tool(p.Tool) == nil {
			got += ", nor the server" + s.meant(p.Tool)
		}
		seen.hit(p.Tool, line(c.PoliciesFile, p.Line), got)
	}
	return seen
}

// meant names the tool that a misspelt name most likely means.
func (s *Subject) meant(name string) string {
	for _, t := range s.Tools {
		if folded(t.Name) == folded(name) {
			return "; did you mean " + quoted(t.Name) + "?"
		}
	}
	return ""
}

func configValidator(s *Subject, _ with) (seen sight) {
	c := s.Config
	if c == nil {
		return lacking(noConfig)
	}
	for _, p := range c.Policies {
		if !p.Validates {
			continue
		}
		seen.of++
		at := line(c.PoliciesFile, p.ValidatorAt)
		switch {
		case p.Validator == "":
			seen.hit(p.Tool, at, "pre_validation is enabled and names no tool: it never runs")
		case s.tool(p.Validator) == nil:
			seen.hit(p.Tool, at, "the server has no validator "+quoted(p.Validator)+s.meant(p.Validator))
		}
	}
	return seen
}

// configRequires finds required parameters that nothing declares.
func configRequires(s *Subject, _ with) (seen sight) {
	c := s.Config
	if c == nil {
		return lacking(noConfig)
	}
	undeclared := func(tool, file string, at int, requires []string) {
		t := c.Tool(tool)
		if t == nil || !t.Enabled {
			return
		}
		for _, name := range requires {
			seen.of++
			if !slices.ContainsFunc(t.Arguments, func(a agentplatform.Argument) bool { return a.Name == name }) {
				seen.hit(tool, line(file, at), "`requires` names "+quoted(name)+", and args_schema does not declare it: it is never filled in")
			}
		}
	}
	for _, t := range c.Tools {
		undeclared(t.Name, c.ToolsFile, t.Line, t.Requires)
	}
	for _, p := range c.Policies {
		undeclared(p.Tool, c.PoliciesFile, p.Line, p.Requires)
	}
	return seen
}

// configArguments compares args_schema with what the server takes.
func configArguments(s *Subject, _ with) (seen sight) {
	c := s.Config
	switch {
	case c == nil:
		return lacking(noConfig)
	case s.NamesOnly:
		return lacking(noSchemas)
	}
	for _, t := range c.Tools {
		live := s.tool(t.Name)
		if !t.Enabled || live == nil {
			continue
		}
		for _, a := range t.Arguments {
			seen.of++
			p, ok := resolve(live.InputSchema, live.InputSchema.At("properties", a.Name))
			typ, one := p.Get("type").Str()
			switch {
			case ok && p == nil:
				seen.hit(t.Name, line(c.ToolsFile, a.Line), "the server's tool has no parameter "+quoted(a.Name))
			case ok && one && a.Several() && typ != "array":
				seen.hit(t.Name, line(c.ToolsFile, a.Line), fmt.Sprintf("%s is a collection here, and of type %s on the server", quoted(a.Name), typ))
			case ok && one && a.Type != "" && !a.Several() && typ == "array":
				seen.hit(t.Name, line(c.ToolsFile, a.Line), fmt.Sprintf("%s is of type %s here, and a collection on the server", quoted(a.Name), rawjson.Cut(a.Type, 20)))
			}
		}
		for _, name := range texted(live.InputSchema.Get("required")) {
			seen.of++
			if !slices.ContainsFunc(t.Arguments, func(a agentplatform.Argument) bool { return a.Name == name }) {
				seen.hit(t.Name, line(c.ToolsFile, t.Line), "the server requires "+quoted(name)+", and args_schema does not declare it")
			}
		}
	}
	return seen
}

func configConfirm(s *Subject, _ with) (seen sight) {
	c := s.Config
	if c == nil {
		return lacking(noConfig)
	}
	for _, p := range c.Policies {
		t := c.Tool(p.Tool)
		if t == nil || t.Confirmation == nil || p.Confirmation == nil || !t.Enabled {
			continue
		}
		if seen.of++; *t.Confirmation != *p.Confirmation {
			seen.hit(p.Tool, line(c.PoliciesFile, p.Line), fmt.Sprintf("require_confirmation is %t, and confirmation_required in %s is %t; the policy wins",
				*p.Confirmation, line(c.ToolsFile, t.Line), *t.Confirmation))
		}
	}
	return seen
}

// openInput finds tools that refuse the context keys that the platform sends with
// every call.
func openInput(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		if seen.of++; t.InputSchema != nil && (uses(t.InputSchema, "additionalProperties: false") || t.InputSchema.Has("unevaluatedProperties")) {
			seen.hit(t.Name, "inputSchema", "unknown members are refused")
		}
	})
}

// batches looks at the recorded answers to calls for several items.
func batches(s *Subject, of agentplatform.Transport, look func(a *Answer, v agentplatform.View, seen *sight)) (seen sight) {
	if len(s.Answers) == 0 {
		return lacking(noAnswers)
	}
	for i := range s.Answers {
		a := &s.Answers[i]
		if a.Result == nil || !a.Batch {
			continue
		}
		v := Seen(a, of)
		if failed, _ := a.Result.Get("isError").Bool(); failed && !v.Recognised && contract.Read(a.Result, contract.Options{Tool: a.Tool}).List == nil {
			continue // the whole call was refused, and that is what it says
		}
		seen.of++
		look(a, v, &seen)
	}
	return seen.once()
}

// once tells each tool's hits of one kind once, with how often.
func (s sight) once() sight {
	type kind struct{ tool, path string }
	first, often := map[kind]int{}, map[kind]int{}
	var all []hit
	for _, h := range s.hits {
		k := kind{h.tool, h.path}
		if often[k]++; often[k] == 1 {
			first[k] = len(all)
			all = append(all, h)
		}
	}
	for k, n := range often {
		if n > 1 {
			all[first[k]].got += fmt.Sprintf("; %d answers are so, this is the first", n)
		}
	}
	s.hits = all
	return s
}

// Seen gives what the agent platform makes of an answer over one of its transports.
func Seen(a *Answer, over agentplatform.Transport) agentplatform.View {
	if over == agentplatform.MCP {
		return agentplatform.Normalize(over, a.Tool, agentplatform.OfMCP(a.Result))
	}
	body := agentplatform.Payload(a.Result)
	if body == nil {
		return agentplatform.View{Transport: over, Why: "the answer holds no JSON that could be a body"}
	}
	return agentplatform.Normalize(over, a.Tool, agentplatform.OfBody(over, body))
}

func recognised(s *Subject, w with) sight {
	return batches(s, agentplatform.Transport(w.of), func(a *Answer, v agentplatform.View, seen *sight) {
		if !v.Recognised {
			seen.hit(a.Tool, "", fmt.Sprintf("an answer for %d items is not recognised: %s%s", a.Items, v.Why, byCall(a)))
		}
	})
}

func byCall(a *Answer) string {
	if a.Call == "" {
		return ""
	}
	return " (call " + a.Call + ")"
}

func unseen(s *Subject, _ with) sight {
	return batches(s, agentplatform.MCP, func(a *Answer, v agentplatform.View, seen *sight) {
		if len(v.Unseen) > 0 {
			seen.hit(a.Tool, "", fmt.Sprintf("of an answer for %d items the model is not shown %s%s", a.Items, strings.Join(v.Unseen, "; "), byCall(a)))
		}
	})
}

func failedOK(s *Subject, _ with) sight {
	return batches(s, agentplatform.MCP, func(a *Answer, v agentplatform.View, seen *sight) {
		if v.Status == "FAILED" && v.OK {
			seen.hit(a.Tool, "", fmt.Sprintf("none of %d items succeeded, and the answer counts as ok%s", v.Counted.Items, byCall(a)))
		}
	})
}
