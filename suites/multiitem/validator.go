package multiitem

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func validator() []conform.Check {
	return []conform.Check{val01, val02, val03, val04, val05, val06, val07, val08, val09, val10,
		val11, val12, val13, val14, val15, val16}
}

// noValidator says why rules about validators have no meaning.
func noValidator(s *conform.Subject) string {
	if s.Operation != nil && s.Operation.Validator == conform.Absent {
		return "the target file declares `validator: none`"
	}
	return ""
}

// withValidator adds a reason of the rule's own to noValidator.
func withValidator(more func(*conform.Subject) string) func(*conform.Subject) string {
	return func(s *conform.Subject) string {
		if reason := noValidator(s); reason != "" {
			return reason
		}
		return more(s)
	}
}

const noValidatorCall = "no call of a validator was answered (the target file names it under `validator`)"

// decision is a validator's payload as the client takes it: `result` if that is
// an object, else the payload (contract 3.2). Nil if the answer has none.
func (v *sight) decision() *rawjson.Node {
	if v.Answer == nil {
		return nil
	}
	if inner := v.Answer.Payload.Get("result"); inner.Is(rawjson.Object) {
		return inner
	}
	return v.Answer.Payload
}

// hidden tells whether a `result` of the validator's own hides its eligible.
func (v *sight) hidden() *rawjson.Node {
	if v.Answer == nil {
		return nil
	}
	p := v.Answer.Payload
	if result := p.Get("result"); p.Has("eligible") && !result.Has("eligible") {
		return result
	}
	return nil
}

// eligible is the validator's word; ok is false where it has none to read.
func (v *sight) eligible() (yes, ok bool) {
	if v.hidden() != nil {
		return v.Answer.Payload.Get("eligible").Bool()
	}
	return v.decision().Get("eligible").Bool()
}

// resolved is the object resolved_arguments; nil if there is none.
func (v *sight) resolved() *rawjson.Node {
	d := v.decision()
	if v.hidden() != nil {
		d = v.Answer.Payload
	}
	r := d.At("transaction_decision", "resolved_arguments")
	if !r.Is(rawjson.Object) {
		return nil
	}
	return r
}

// resolvedItems is the collection among the resolved arguments: `items`, or the
// argument that the tool takes its collection in. Nil if there is none.
func (v *sight) resolvedItems() *rawjson.Node {
	r := v.resolved()
	for _, name := range []string{"items", v.Op.Argument} {
		if n := r.Get(name); n.Is(rawjson.Array) || n.Is(rawjson.Object) {
			return n
		}
	}
	return nil
}

// entries are the items of a resolved collection. A single object stands for a
// list of one: some clients fold it so.
func entries(n *rawjson.Node) []*rawjson.Node {
	if n.Is(rawjson.Object) {
		return []*rawjson.Node{n}
	}
	if n == nil {
		return nil
	}
	return n.Items
}

// asksForMore names the argument that a validator wants first; empty if none.
func (v *sight) asksForMore() string {
	d := v.decision()
	if word, _ := d.Get("status").Str(); word != "NEEDS_PARAMETER" {
		return ""
	}
	name, _ := d.Get("parameter").Str()
	return strings.TrimSpace(name)
}

// ordinary accepts validator calls that ask for items in the ordinary way.
func ordinary(v *sight) bool {
	return v.Planned.Form == conform.FormList && len(v.Planned.Extra) == 0 && v.N() >= 1
}

// wants accepts ordinary validator calls whose items are known and of a kind.
func wants(kind func(*sight) bool) func(*sight) bool {
	return func(v *sight) bool { return ordinary(v) && kind(v) }
}

var val01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-01", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "`eligible` is true or false",
		Text:   "A validator's answer has `eligible`, and it is a JSON boolean.",
		Impact: "Anything but true ends the whole transaction: customers are refused without a reason.",
		Source: "agent_platform_oci, runtime, pre-validation: only boolean true passes",
		Needs:  response,
		Good:   `{"eligible":true,"status":"ELIGIBLE"}`,
		Bad:    `{"eligible":"true","status":"ELIGIBLE"}`,
		Mend:   "Send eligible as true or false in every answer of the validator.",
		Since:  set,
	},
	Applies: noValidator,
	Judge:   calls(conform.RoleValidator, ordinary, saysEligible),
	Missing: noValidatorCall,
}

// saysEligible judges whether the decision can be read.
func saysEligible(_ *conform.Subject, v *sight) *conform.Look {
	if v.hidden() != nil {
		return some(v.cannot("a `result` of its own hides `eligible` (see VAL-14)"))
	}
	n := v.decision().Get("eligible")
	if _, ok := n.Bool(); ok {
		return some(v.pass())
	}
	if n != nil {
		return some(v.fail(n, "true or false", "eligible is %s, %s", n.Excerpt(60), n.Kind.Article()))
	}
	got := "no `eligible` in the answer"
	if how := v.refusal(); how != "" {
		got = "no `eligible`, the call was refused: " + how
	}
	look := v.fail(nil, "`eligible`, true or false", "%s", got)
	look.Hint = v.credentialsHint()
	return &look
}

// unreadDecision is the look of a rule that needs `eligible` where it cannot be
// read, or where the validator wants something else first; nil: go on.
func (v *sight) unreadDecision() *conform.Look {
	if _, ok := v.eligible(); !ok {
		return some(v.cannot("`eligible` cannot be read (see VAL-01)"))
	}
	if name := v.asksForMore(); name != "" {
		return some(v.cannot("the validator asks for `%s` first: give it under `arguments` in the target file", rawjson.Cut(name, 60)))
	}
	return nil
}

var val02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-02", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupValidator,
		Title:  "all actionable: eligible",
		Text:   "Where every item can be acted on, `eligible` is true.",
		Impact: "Good requests are refused before they are tried.",
		Source: "agent_platform_oci, Multi_Item_MCP README, partial validation",
		Needs:  items,
		Good:   `{"eligible":true} for two items that can be cancelled`,
		Bad:    `{"eligible":false,"status":"NOT_ELIGIBLE"} for two items that can be cancelled`,
		Mend:   "Let eligible be true as soon as one item can be acted on.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: calls(conform.RoleValidator, wants((*sight).allGood), func(_ *conform.Subject, v *sight) *conform.Look {
		if look := v.unreadDecision(); look != nil {
			return look
		}
		if yes, _ := v.eligible(); yes {
			return some(v.pass())
		}
		return some(v.fail(v.decision(), "eligible: true for "+v.names(v.these(conform.Good)), "eligible: false"))
	}),
	Missing: "no validator call with good items only was answered",
}

var val03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-03", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupValidator,
		Title:  "one actionable item is enough",
		Text:   "Where at least one item can be acted on, `eligible` is true.",
		Impact: "One wrong entry in the list, and nothing at all is done.",
		Source: "agent_platform_oci, Multi_Item_MCP README, partial validation step 1; SPEC-010 rule 7",
		Needs:  items,
		Good:   `{"eligible":true,"status":"PARTIALLY_ELIGIBLE"} for A-1, which can be cancelled, and X-9, which cannot`,
		Bad:    `{"eligible":false,"status":"NOT_ELIGIBLE","reason":"X-9 not found"} for A-1 and X-9`,
		Mend:   "Do not let one bad item reject the batch: eligible true, and the bad item marked in resolved_arguments.",
		Since:  set,
	},
	Applies: withValidator(notAtomic),
	Judge: calls(conform.RoleValidator, wants((*sight).mixed), func(s *conform.Subject, v *sight) *conform.Look {
		if look := v.unreadDecision(); look != nil {
			return look
		}
		if yes, _ := v.eligible(); yes {
			return some(v.pass())
		}
		if refusesGood(s) {
			return some(v.cannot("items that are all good are refused too (see VAL-02)"))
		}
		bad := v.these(conform.Bad)
		return v.failItem(bad[0], v.decision(), "eligible: true, since "+v.names(v.these(conform.Good))+" can be acted on", "eligible: false because of %s", v.names(bad))
	}),
	Missing: "no validator call with good and bad items was answered",
}

// refusesGood tells whether the validator turned down items that are all good.
func refusesGood(s *conform.Subject) bool {
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RoleValidator {
			continue
		}
		if v := see(s.Operation, c); wants((*sight).allGood)(v) && v.asksForMore() == "" {
			if yes, ok := v.eligible(); ok && !yes {
				return true
			}
		}
	}
	return false
}

var val04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-04", Level: conform.Should, Basis: conform.Seed, Group: conform.GroupValidator,
		Title:  "nothing actionable: not eligible",
		Text:   "Where no item can be acted on, `eligible` is false.",
		Impact: "Customers are asked to confirm something of which nothing can be done.",
		Source: "agent_platform_oci, Multi_Item_MCP README, partial validation",
		Needs:  items,
		Good:   `{"eligible":false,"status":"NOT_ELIGIBLE","reason":"no product found"} for X-8 and X-9, which do not exist`,
		Bad:    `{"eligible":true} for X-8 and X-9, which do not exist`,
		Mend:   "Answer eligible:false with a reason when every item is rejected.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: calls(conform.RoleValidator, wants((*sight).allBad), func(_ *conform.Subject, v *sight) *conform.Look {
		if look := v.unreadDecision(); look != nil {
			return look
		}
		if yes, _ := v.eligible(); !yes {
			return some(v.pass())
		}
		return some(v.fail(v.decision(), "eligible: false", "eligible: true for %s, none of which can be acted on", v.names(v.these(conform.Bad))))
	}),
	Missing: "no validator call with bad items only was answered",
}

var val13 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-13", Level: conform.May, Basis: conform.Documented, Group: conform.GroupValidator,
		Title:  "a refusal says status and reason",
		Text:   "`eligible: false` comes with `status` and with `reason` or `error`.",
		Impact: "The customer is refused and nobody can say why.",
		Source: "agent_platform_oci, Transaction_Pre_Validation examples",
		Needs:  items,
		Good:   `{"eligible":false,"status":"NOT_ELIGIBLE","reason":"both are already shipped"}`,
		Bad:    `{"eligible":false}`,
		Mend:   "Add a status word and a reason.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: calls(conform.RoleValidator, ordinary, func(_ *conform.Subject, v *sight) *conform.Look {
		yes, ok := v.eligible()
		if !ok {
			return v.unreadDecision()
		}
		if yes {
			return nil
		}
		d := v.decision()
		var lacks []string
		if d.Get("status").Empty() {
			lacks = append(lacks, "no status")
		}
		if d.Get("reason").Empty() && d.Get("error").Empty() {
			lacks = append(lacks, "neither reason nor error")
		}
		if len(lacks) == 0 {
			return some(v.pass())
		}
		return some(v.fail(d, "status, and reason or error", "%s", strings.Join(lacks, ", ")))
	}),
	Missing: "no validator call was answered with eligible: false",
}

var val14 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-14", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "no `result` hides `eligible`",
		Text:   "A validator's payload has no top-level `result` beside `eligible`.",
		Impact: "The client looks into `result`, finds no decision there, and refuses the customer.",
		Source: "agent_platform_oci, MCP client and pre-validation payload rule (contract 3.2)",
		Needs:  response,
		Good:   `{"eligible":true,"message":"2 of 2 can be cancelled"}`,
		Bad:    `{"eligible":true,"result":"ok"}`,
		Mend:   "Rename `result`, or put the whole decision into it: {\"ok\": true, \"result\": {\"eligible\": true, …}}.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: calls(conform.RoleValidator, ordinary, func(_ *conform.Subject, v *sight) *conform.Look {
		if n := v.hidden(); n != nil {
			return some(v.fail(n, "no `result` beside `eligible`", "result is %s", n.Excerpt(80)))
		}
		if v.decision().Get("eligible") == nil {
			return some(v.cannot("there is no `eligible` that could be hidden (see VAL-01)"))
		}
		return some(v.pass())
	}),
	Missing: noValidatorCall,
}

var val15 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-15", Level: conform.Should, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "NEEDS_PARAMETER names the parameter",
		Text:   "Status NEEDS_PARAMETER comes with `parameter`, a declared argument of the tool.",
		Impact: "The conversation ends instead of asking for the one thing that is missing.",
		Source: "agent_platform_oci, runtime, recoverable pre-validation",
		Needs:  items,
		Good:   `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"customer_id"}`,
		Bad:    `{"eligible":false,"status":"NEEDS_PARAMETER"}`,
		Mend:   "Add `parameter` with the name of the argument, as the tool's inputSchema declares it.",
		Since:  set,
	},
	Applies: withValidator(carried(conform.RoleValidator, "no validator answer says NEEDS_PARAMETER", needsParameter)),
	Judge: calls(conform.RoleValidator, needsParameter, func(s *conform.Subject, v *sight) *conform.Look {
		d := v.decision()
		name := v.asksForMore()
		if name == "" {
			return some(v.fail(d, "`parameter` with an argument's name", "no parameter"))
		}
		declared, known := false, false
		for _, tool := range []string{v.Op.Tool, v.Planned.Tool} {
			if t := s.Recording.Tool(tool); t != nil && t.InputSchema.Get("properties") != nil {
				known = true
				declared = declared || t.InputSchema.Get("properties").Has(name)
			}
		}
		if known && !declared {
			return some(v.fail(d.Get("parameter"), "an argument that the tool's inputSchema declares", "%q, which it does not", rawjson.Cut(name, 60)))
		}
		return some(v.pass())
	}),
	Missing: noValidatorCall,
}

func needsParameter(v *sight) bool {
	word, _ := v.decision().Get("status").Str()
	return word == "NEEDS_PARAMETER"
}
