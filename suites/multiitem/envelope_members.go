package multiitem

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var env07 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-07", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "isError hides no success",
		Text:   "isError is not set on an answer in which at least one item succeeded.",
		Impact: "Clients that stop at the error never show what was done, so people do it again.",
		Source: "agent_platform_oci, SPEC-010 rule 6 and MCP client; contract decision 5",
		Needs:  items,
		Good:   `{"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"offline"}]}}`,
		Bad:    `{"isError":true,"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"offline"}]}}`,
		Mend:   "Leave isError out as soon as one row says success; the rows tell the failures.",
		Since:  set,
	},
	Judge: rows(atLeast(1), func(_ *conform.Subject, v *sight) *conform.Look {
		_, succeeded, _ := v.Answer.Count()
		switch {
		case succeeded == 0:
			return nil
		case v.Answer.IsError && len(v.auxiliaryRows()) > 0:
			return some(v.cannot("rows of another step are among these (see WF-04)"))
		case v.Answer.IsError:
			return some(v.fail(v.Answer.Root.Get("isError"), "no isError beside a success", "isError is true and %s of %d say success",
				count(succeeded, "row"), len(v.Answer.Rows)))
		}
		return some(v.pass())
	}),
	Missing: "no answer held a row that says success",
}

var env08 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-08", Level: conform.Should, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "text and structure tell the same rows",
		Text:   "JSON in a text block carries the same rows as structuredContent.",
		Impact: "Two clients that read the same answer tell their users two different outcomes.",
		Source: "agent_platform_oci, MCP client: structuredContent wins, others read the text; MCP specification, structured content",
		Needs:  response,
		Good:   `{"structuredContent":{"results":[{"id":"A-1","success":true}]},"content":[{"type":"text","text":"{\"results\":[{\"id\":\"A-1\",\"success\":true}]}"}]}`,
		Bad:    `{"structuredContent":{"results":[{"id":"A-1","success":false}]},"content":[{"type":"text","text":"{\"results\":[{\"id\":\"A-1\",\"success\":true}]}"}]}`,
		Mend:   "Serialize the structured object once and use that very text as the text block, or write a plain sentence instead.",
		Since:  set,
	},
	Applies: carried(conform.RolePrimary, "no answer has both structuredContent and JSON in a text block", func(v *sight) bool {
		return v.Answer.Structured != nil && jsonText(v) != nil
	}),
	Judge: rows(nil, func(_ *conform.Subject, v *sight) *conform.Look {
		if p := v.Answer.Has(contract.TextDisagrees); p != nil {
			return some(v.problem(p, "the rows of structuredContent"))
		}
		if !v.Answer.Structured.Is(rawjson.Object) || jsonText(v) == nil {
			return nil // prose is no mirror
		}
		return some(v.pass())
	}),
	Missing: "no answer held rows in structuredContent and JSON in a text block",
}

// jsonText is the first text block's JSON; nil if all are prose.
func jsonText(v *sight) *rawjson.Node {
	for _, t := range v.Answer.Texts {
		if t.JSON != nil {
			return t.JSON
		}
	}
	return nil
}

var env09 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-09", Level: conform.Must, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "`ok` is true or false",
		Text:   "The envelope's `ok`, where it is sent, is a JSON boolean.",
		Impact: "The text \"false\" counts as true: a failed batch is shown as done.",
		Source: "agent_platform_oci, MCP client: ok is read by truthiness",
		Needs:  response,
		If:     "an answer carries `ok`",
		Good:   `{"ok":false,"result":{"results":[{"id":"A-1","success":false,"error":"locked"},{"id":"A-2","success":false,"error":"locked"}]}}`,
		Bad:    `{"ok":"false","result":{"results":[{"id":"A-1","success":false,"error":"locked"},{"id":"A-2","success":false,"error":"locked"}]}}`,
		Mend:   "Send ok as true or false, not as a text or a number.",
		Since:  set,
	},
	Applies: carried(conform.RolePrimary, "no answer has a member `ok`, the word on the whole call that may stand beside the rows", func(v *sight) bool { return v.Answer.OK != nil }),
	Judge: calls(conform.RolePrimary, nil, func(_ *conform.Subject, v *sight) *conform.Look {
		if v.Answer == nil || v.Answer.OK == nil {
			return nil
		}
		if p := v.Answer.Has(contract.OKNotBoolean); p != nil {
			return some(v.problem(p, "true or false"))
		}
		return some(v.pass())
	}),
	Missing: "no call of the operation's tool was answered with a result",
}

// carried says that a rule about a member has no meaning where answers came and
// none of them has it.
func carried(role conform.Role, reason string, has func(*sight) bool) func(*conform.Subject) string {
	return func(s *conform.Subject) string {
		seen := false
		for _, c := range s.Calls {
			if c.Planned.Role != role {
				continue
			}
			v := see(s.Operation, c)
			if v.Answer == nil {
				continue
			}
			seen = true
			if has(v) {
				return ""
			}
		}
		if seen {
			return reason
		}
		return ""
	}
}

var env10 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-10", Level: conform.Should, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "`error` is a text, `metadata` an object",
		Text:   "The envelope's `error` is a string or null and its `metadata` an object, where they are sent.",
		Impact: "Over REST and the gateway one odd member makes the client drop the whole answer.",
		Source: "agent_platform_oci, result model and legacy branch",
		Needs:  response,
		Raise:  map[string]conform.Level{"rest": conform.Must, "gateway": conform.Must},
		Good:   `{"ok":false,"error":"store is closed","result":{"results":[{"id":"A-1","success":false,"error":"closed"}]}}`,
		Bad:    `{"ok":false,"error":{"code":7,"msg":"store is closed"},"result":{"results":[{"id":"A-1","success":false,"error":"closed"}]}}`,
		Mend:   "Send `error` as a text (details go under `metadata` or into the rows) and `metadata` as an object.",
		Since:  set,
	},
	Applies: carried(conform.RolePrimary, "no answer has a member `error` or `metadata` beside its rows", func(v *sight) bool {
		return v.Answer.Error != nil || v.Answer.Metadata != nil
	}),
	Judge: calls(conform.RolePrimary, nil, func(_ *conform.Subject, v *sight) *conform.Look {
		if v.Answer == nil || v.Answer.Error == nil && v.Answer.Metadata == nil {
			return nil
		}
		if p := v.Answer.Has(contract.ErrorShape); p != nil {
			return some(v.problem(p, "a string or null"))
		}
		if p := v.Answer.Has(contract.MetadataShape); p != nil {
			return some(v.problem(p, "an object"))
		}
		return some(v.pass())
	}),
	Missing: "no call of the operation's tool was answered with a result",
}

var env11 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-11", Level: conform.Should, Basis: conform.Issue, Group: conform.GroupCore,
		Title:  "structuredContent is no JSON in a string",
		Text:   "structuredContent holds the object itself, not its JSON text in a string.",
		Impact: "Programs that read the structured answer find a text instead of rows and give up.",
		Source: "PrefectHQ/fastmcp and other framework trackers, answers serialized before return; contract 8b",
		Needs:  response,
		Good:   `{"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}`,
		Bad:    `{"structuredContent":{"result":"{\"results\":[{\"id\":\"A-1\",\"success\":true},{\"id\":\"A-2\",\"success\":true}]}"}}`,
		Mend:   "Return the object from the tool function, not the result of serializing it (no json.dumps, no JSON.stringify before return).",
		Since:  set,
	},
	Applies: carried(conform.RolePrimary, "no answer has structuredContent", func(v *sight) bool { return v.Answer.Structured != nil }),
	Judge: calls(conform.RolePrimary, nil, func(_ *conform.Subject, v *sight) *conform.Look {
		if v.Answer == nil || v.Answer.Structured == nil {
			return nil
		}
		if p := v.Answer.Has(contract.StringInStructured); p != nil {
			return some(v.problem(p, "the object itself"))
		}
		return some(v.pass())
	}),
	Missing: "no answer carried structuredContent",
}
