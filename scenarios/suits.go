package scenarios

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// suits says why a scenario's variant has no meaning for an operation, or what
// the target file would have to say for it.
func suits(p *Play) *shortage {
	o, v := p.Operation, p.Variant
	switch {
	case v.For.Effect == ReadOnly && o.Write:
		return none("the operation writes, and the scenario is for operations that only read")
	case v.For.Effect == Writing && !o.Write:
		return none("the operation only reads, and the scenario is for operations that write")
	case v.For.Style == conform.StyleArray && o.Style == conform.StyleScalar:
		return none("the operation takes its items as a text, and the scenario is for lists")
	case v.For.Style == conform.StyleScalar && o.Style != conform.StyleScalar:
		return none("the operation takes its items as a list, and the scenario is for texts that name several")
	case v.Form != conform.FormList && v.Form != conform.FormEmpty && v.Form != conform.FormMissing && o.Style == conform.StyleScalar:
		return none("the operation takes its items as a text, which has no other form")
	case v.Sessions == Several && p.sessions == 1:
		return &shortage{reason: "played on several sessions, and --sessions is 1", narrowed: true}
	case o.Alone && (p.sessions > 1 || elsewhere(p)):
		return none("over stdio every session is a server process of its own: calls on several sessions never meet")
	case does(p.Scenario.steps(v), Parallel) && o.Limits.InFlight == 1:
		return &shortage{reason: fmt.Sprintf("`%s` in the target file allows one call at a time", p.Operation.limitKey("in_flight", false)), key: "limits.in_flight", absent: true}
	}
	for _, need := range p.Scenario.needs(v) {
		if short := lacks(o, need); short != nil {
			return short
		}
	}
	return nil
}

// elsewhere tells whether some step of the play goes out on another session.
func elsewhere(p *Play) bool {
	return slices.ContainsFunc(p.Scenario.steps(p.Variant), func(s Step) bool { return s.OtherSession })
}

func none(reason string) *shortage { return &shortage{reason: reason, absent: true} }

// lacks says what an operation lacks of a need.
func lacks(o *Operation, need Need) *shortage {
	presence := conform.Present
	switch need {
	case NeedValidator:
		presence = o.Validator
	case NeedWorkflow:
		presence = o.Workflow
	case NeedIdempotency:
		presence = o.Idempotency
	case NeedProbe:
		if o.blind != nil {
			short := *o.blind
			return &short
		}
		presence = o.Probe
	case NeedAuxiliary:
		if o.AuxiliaryFailure == nil {
			return &shortage{reason: "the target file does not say how to make the workflow's auxiliary step fail", key: o.key("workflow.auxiliary_failure")}
		}
	case NeedAnswers:
		if !o.Answers {
			return none("the target file has no `answers`: nothing is known of a question that the user could decline")
		}
	case NeedTasks:
		if !o.Tasks {
			return none("the target file does not say `tasks: true`: no call is known to become a task that could be cancelled")
		}
	case NeedNoTasks:
		if o.Tasks {
			return none("the target file says `tasks: true`: what the calls become is cancelled as a task")
		}
	case NeedFoldCase:
		if !o.FoldCase {
			return none("the target file does not say that the server takes letter case for equal")
		}
	}
	switch presence {
	case conform.Absent:
		return none(fmt.Sprintf("the target file declares %s: none", need))
	case conform.Unsaid:
		return &shortage{reason: fmt.Sprintf("the target file says nothing of %s", article(need)), key: o.key(string(need))}
	}
	return nil
}

func article(need Need) string {
	if need == NeedIdempotency {
		return "an idempotency key"
	}
	return "a " + string(need)
}

// listed says which tool of the play the server does not list, or lists as one
// that cannot simply be called.
func (c *compiler) listed(p *Play) *shortage {
	if c.tools == nil {
		return nil
	}
	o := p.Operation
	needed := []struct{ tool, key string }{{o.Tool, o.key("tool")}}
	for _, s := range p.Scenario.steps(p.Variant) {
		if s.Act == Validate {
			needed = append(needed, struct{ tool, key string }{o.ValidatorTool, o.key("validator.tool")})
			break
		}
	}
	if async := o.Results.Async; async != nil {
		needed = append(needed, struct{ tool, key string }{async.Tool, o.key("results.async.tool")})
	}
	if next := o.Results.Next; next != nil && next.Tool != "" {
		needed = append(needed, struct{ tool, key string }{next.Tool, o.key("results.next.tool")})
	}
	for _, n := range needed {
		tool := find(c.tools, n.tool)
		if tool == nil {
			return &shortage{reason: unlisted(n.tool, c.tools), key: n.key, wrong: true}
		}
		if short := o.untasked(tool); short != nil {
			return short
		}
	}
	return nil
}

// untasked says that a tool must run as a task, and the target file does not say
// that tasks are played.
func (o *Operation) untasked(tool *conform.Tooling) *shortage {
	if support, _ := tool.Node.At("execution", "taskSupport").Str(); support == "required" && !o.Tasks {
		return &shortage{reason: fmt.Sprintf("the tool %q must run as a task (execution.taskSupport: required)", tool.Name), key: o.key("tasks")}
	}
	return nil
}

func unlisted(tool string, tools []conform.Tooling) string {
	var names []string
	for i := range tools {
		names = append(names, tools[i].Name)
	}
	reason := fmt.Sprintf("the server does not list the tool %q", tool)
	if mend := suggestion(tool, names); mend != "" {
		reason += "; " + mend
	}
	return reason
}

func find(tools []conform.Tooling, name string) *conform.Tooling {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

// lawful says what the tool's own input schema has against a call. A call in a
// form or size that it forbids has no meaning here (contract decision 14). An
// ordinary call that it forbids is the target file's mistake, and told as such:
// else a file that fits no schema would leave nothing to be judged, and pass.
func (c *compiler) lawful(p *Play, call conform.BoundCall) *shortage {
	if call.Follows != "" {
		return nil // the server wrote these arguments itself
	}
	o := p.Operation
	for _, k := range p.kin {
		if k.operation != nil && k.operation.Name == call.Planned.Operation {
			o = k.operation
		}
	}
	r := c.plan.rules[o]
	schema := r.primary
	if call.Planned.Role == conform.RoleValidator {
		schema = r.validator
	}
	if call.Planned.Key != "" && schema.closed() && schema.lacks(o.KeyArgument) {
		return &shortage{reason: schema.without(call.Planned.Tool, o.KeyArgument), key: o.key("idempotency.argument"), wrong: true}
	}
	for _, v := range schema.breaks(call.Planned.Arguments) {
		about := v.about(o.Argument)
		if v.keyword == "required" && !about && p.Variant.Form == conform.FormMissing {
			continue // an argument left out is what is asked
		}
		special := unusual(p)
		switch v.keyword {
		case "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "enum":
			special = special || about
		}
		if special {
			return none(v.String())
		}
		short := &shortage{reason: fmt.Sprintf("the call as the target file describes it breaks the tool's input schema (inputSchema%s)", v.pointer), key: o.key("arguments")}
		switch {
		case v.inside(o.Argument):
			short.key = o.key("items.good")
		case about:
			short.key = o.key("input.style")
		case v.keyword == "additionalProperties" && call.Planned.Key != "":
			short.key = o.key("idempotency.argument")
		}
		return short
	}
	return nil
}

// unusual tells whether the play hands items over in another way than the target
// file writes them.
func unusual(p *Play) bool {
	if p.Variant.Form != conform.FormList || p.Variant.Extras {
		return true
	}
	for _, s := range p.Scenario.steps(p.Variant) {
		batch := s.Batch
		if batch == nil {
			batch = p.Variant.Batch
		}
		for _, e := range append(slices.Clip(batch), s.Together.Beside...) {
			if e.Kind == InformalItem || e.Spelling != AsIs || e.Of > 0 {
				return true
			}
		}
	}
	return false
}
