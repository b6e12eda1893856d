package multiitem

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var val07 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-07", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "the decision's parts are objects",
		Text:   "transaction_decision and its resolved_arguments, where they are sent, are JSON objects.",
		Impact: "The client ignores the resolved items, and the tool runs on the customer's informal words.",
		Source: "agent_platform_oci, runtime, pre-validation",
		Needs:  response,
		If:     "an answer carries `transaction_decision`",
		Good:   `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"name":"Product A","id":"1001"}]}}}`,
		Bad:    `{"eligible":true,"transaction_decision":{"resolved_arguments":[{"name":"Product A","id":"1001"}]}}`,
		Mend:   "resolved_arguments is an object of arguments by name: {\"items\": […]}.",
		Since:  set,
	},
	Applies: withValidator(carried(conform.RoleValidator, "no validator answer carries `transaction_decision`", hasDecision)),
	Judge: calls(conform.RoleValidator, hasDecision, func(_ *conform.Subject, v *sight) *conform.Look {
		d := v.transactionDecision()
		if !d.Is(rawjson.Object) {
			return some(v.fail(d, "an object", "transaction_decision is %s", d.Kind.Article()))
		}
		if r := d.Get("resolved_arguments"); r != nil && !r.Is(rawjson.Null) && !r.Is(rawjson.Object) {
			return some(v.fail(r, "an object", "resolved_arguments is %s", r.Kind.Article()))
		}
		return some(v.pass())
	}),
	Missing: noValidatorCall,
}

// transactionDecision is the member of that name, of any kind; nil if absent.
func (v *sight) transactionDecision() *rawjson.Node {
	if v.hidden() != nil {
		return v.Answer.Payload.Get("transaction_decision")
	}
	return v.decision().Get("transaction_decision")
}

func hasDecision(v *sight) bool {
	d := v.transactionDecision()
	return d != nil && !d.Is(rawjson.Null)
}

var val08 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-08", Level: conform.Should, Basis: conform.Seed, Group: conform.GroupValidator,
		Title:  "rejected items stay in the list",
		Text:   "resolved_arguments keeps every requested item, those that the validator rejects too.",
		Impact: "The rejected item vanishes before the tool runs, so no answer ever says what became of it.",
		Source: "agent_platform_oci, Multi_Item_MCP README, partial validation step 2; newer guide, marks per item",
		Needs:  items,
		Good:   `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"name":"Product A","id":"1001"},{"name":"Product X","eligible":false,"reason":"not_found"}]}}}`,
		Bad:    `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"name":"Product A","id":"1001"}]}}} for Product A and Product X`,
		Mend:   "Keep the rejected item in items, marked {\"name\": …, \"eligible\": false, \"reason\": …}, so that the tool can answer it with a row.",
		Since:  set,
	},
	Applies: noValidator,
	Judge:   calls(conform.RoleValidator, ordinary, keepsEveryItem),
	Missing: "no validator answered with items in resolved_arguments",
}

// keepsEveryItem judges eligible answers that resolve a collection. Fewer entries
// than items is certain evidence; other names are not, for names may be resolved.
func keepsEveryItem(_ *conform.Subject, v *sight) *conform.Look {
	if yes, _ := v.eligible(); !yes {
		return nil
	}
	list := v.resolvedItems()
	if list == nil {
		return nil
	}
	have := entries(list)
	if len(have) == 0 {
		return some(v.cannot("the list of items is empty (see VAL-09)"))
	}
	distinct := v.N() - len(v.repeated())
	if len(have) >= distinct {
		return some(v.pass())
	}
	dropped := v.notAmong(have)
	if v.Op.Style == conform.StyleScalar {
		for _, i := range dropped {
			if v.Planned.Items[i].Truth == conform.Good {
				return some(v.cannot("the text was not resolved into its items (see VAL-16)"))
			}
		}
	}
	if len(dropped) == 0 {
		return some(v.fail(list, count(distinct, "item"), "%d", len(have)))
	}
	look := v.failItem(dropped[0], list, count(distinct, "item")+" in resolved_arguments", "%d: nothing for %s", len(have), v.names(dropped))
	return look
}

// notAmong gives the requested items that no entry names, repetitions aside.
func (v *sight) notAmong(have []*rawjson.Node) []int {
	var missing []int
	again := map[int]bool{}
	for _, pair := range v.repeated() {
		again[pair[1]] = true
	}
	for i, item := range v.Planned.Items {
		if again[i] {
			continue
		}
		if !slices.ContainsFunc(have, func(n *rawjson.Node) bool { return named(n, item, v.options(), true) }) {
			missing = append(missing, i)
		}
	}
	return missing
}

var val09 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-09", Level: conform.Should, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "eligible never comes with no items",
		Text:   "`eligible: true` does not come with an empty list of items.",
		Impact: "Empty values are skipped, so the tool runs on the unresolved request after all.",
		Source: "agent_platform_oci, runtime: null, empty text and empty lists are skipped when arguments are merged",
		Needs:  items,
		Good:   `{"eligible":false,"status":"NOT_ELIGIBLE","reason":"no item left"}`,
		Bad:    `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[]}}}`,
		Mend:   "Answer eligible:false when no item is left, or keep the items in the list.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: calls(conform.RoleValidator, ordinary, func(_ *conform.Subject, v *sight) *conform.Look {
		if yes, _ := v.eligible(); !yes {
			return nil
		}
		list := v.resolvedItems()
		if list == nil {
			return nil
		}
		if list.Empty() {
			return some(v.fail(list, "at least one item", "an empty list beside eligible: true"))
		}
		return some(v.pass())
	}),
	Missing: "no validator answered eligible: true with items in resolved_arguments",
}

var val11 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-11", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator,
		Title:  "target_tool exists",
		Text:   "transaction_decision.target_tool, where it is sent, names a tool that the server lists.",
		Impact: "After the customer has said yes, the call goes to a tool that does not exist.",
		Source: "agent_platform_oci, runtime: the existence of target_tool is not checked",
		Needs:  response,
		If:     "an answer carries `target_tool`",
		Good:   `{"eligible":true,"transaction_decision":{"target_tool":"cancel_products"}} where cancel_products is listed`,
		Bad:    `{"eligible":true,"transaction_decision":{"target_tool":"cancel_product_s"}}`,
		Mend:   "Send the exact name of a listed tool, or leave target_tool out.",
		Since:  set,
	},
	Applies: withValidator(carried(conform.RoleValidator, "no validator answer carries `target_tool`", hasTargetTool)),
	Judge: calls(conform.RoleValidator, hasTargetTool, func(s *conform.Subject, v *sight) *conform.Look {
		n := v.transactionDecision().Get("target_tool")
		name, ok := n.Str()
		switch {
		case !ok:
			return some(v.fail(n, "the name of a listed tool", "target_tool is %s", n.Kind.Article()))
		case !s.Recording.Listed:
			return some(v.cannot("the server's tools were not listed"))
		case s.Recording.Tool(strings.TrimSpace(name)) == nil:
			return some(v.fail(n, "the name of a listed tool", "%q is not listed", rawjson.Cut(name, 80)))
		}
		return some(v.pass())
	}),
	Missing: noValidatorCall,
}

func hasTargetTool(v *sight) bool { return !v.transactionDecision().Get("target_tool").Empty() }

var val12 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-12", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupValidator,
		Title:  "the confirmation names every item",
		Text:   "confirmation_message, where it is sent, names every item that will be acted on, up to ten of them.",
		Impact: "Customers confirm one thing and several are done.",
		Source: "agent_platform_oci, multi-item guide; the generic prompt lists no items; contract 8b",
		Needs:  items,
		Good:   `{"eligible":true,"transaction_decision":{"confirmation_message":"Cancel Product A and Product B?"}}`,
		Bad:    `{"eligible":true,"transaction_decision":{"confirmation_message":"Cancel Product A?"}} for Product A and Product B`,
		Mend:   "List the name (or id) of every item that will be acted on in the confirmation.",
		Since:  set,
	},
	Applies: withValidator(carried(conform.RoleValidator, "no validator answer carries `confirmation_message`", hasConfirmation)),
	Judge: calls(conform.RoleValidator, func(v *sight) bool { return ordinary(v) && hasConfirmation(v) && v.N() <= 10 }, func(_ *conform.Subject, v *sight) *conform.Look {
		if yes, _ := v.eligible(); !yes {
			return nil
		}
		at := v.transactionDecision().Get("confirmation_message")
		message, _ := at.Str()
		var unnamed []int
		good := v.these(conform.Good)
		for _, i := range good {
			if !v.namedIn(message, i) {
				unnamed = append(unnamed, i)
			}
		}
		switch {
		case len(good) == 0:
			return nil
		case len(unnamed) == 0:
			return some(v.pass())
		}
		return v.failItem(unnamed[0], at, "the names of "+v.names(good), "%q, without %s", rawjson.Cut(message, 160), v.names(unnamed))
	}),
	Missing: "no validator call with ten good items or fewer was answered with a confirmation_message",
}

func hasConfirmation(v *sight) bool {
	text, _ := v.transactionDecision().Get("confirmation_message").Str()
	return strings.TrimSpace(text) != ""
}

// namedIn tells whether a text holds one of an item's names, as it was given, as
// it is meant, or as the validator resolved it.
func (v *sight) namedIn(text string, item int) bool {
	inside := folded(text)
	holds := func(name string) bool {
		name = strings.TrimSpace(folded(name))
		return name != "" && strings.Contains(inside, name)
	}
	for _, identity := range contract.Identities(v.Planned.Items[item], v.options()) {
		if holds(identity.Value) {
			return true
		}
	}
	for _, entry := range entries(v.resolvedItems()) {
		if !named(entry, v.Planned.Items[item], v.options(), true) {
			continue
		}
		for _, member := range []string{"name", "id", "subject", "key"} {
			if name, _ := scalar(entry.Get(member)); holds(name) {
				return true
			}
		}
	}
	return false
}

func folded(text string) string { return cases.Fold().String(norm.NFC.String(text)) }

var val16 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-16", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupScalar,
		Title:  "a text that names several becomes several items",
		Text:   "The validator of a scalar tool turns a text that names N things into N items, and leaves the argument itself a text.",
		Impact: "Several products named in one sentence are taken for one, and only one outcome is told.",
		Source: "agent_platform_oci, newer multi-item guide, section 3",
		Needs:  items,
		Good:   `{"eligible":true,"transaction_decision":{"resolved_arguments":{"subject":"Plan A, Plan B","items":[{"name":"Plan A"},{"name":"Plan B"}]}}}`,
		Bad:    `{"eligible":true,"transaction_decision":{"resolved_arguments":{"subject":["Plan A","Plan B"],"items":[{"name":"Plan A, Plan B"}]}}}`,
		Mend:   "Split the text in the validator, one object per thing in items, and keep the scalar argument a string.",
		Since:  set,
	},
	Applies: withValidator(func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Style != conform.StyleScalar {
			return "the target file declares `input.style: array`: the tool takes a collection"
		}
		return ""
	}),
	Judge:   calls(conform.RoleValidator, func(v *sight) bool { return ordinary(v) && v.N() >= 2 }, splitsTheText),
	Missing: "no validator call with a text that names several was answered",
}

// splitsTheText judges eligible answers; a bad item that was dropped is VAL-08's
// business.
func splitsTheText(_ *conform.Subject, v *sight) *conform.Look {
	if look := v.unreadDecision(); look != nil {
		return look
	}
	if yes, _ := v.eligible(); !yes {
		return nil
	}
	if hasDecision(v) && (!v.transactionDecision().Is(rawjson.Object) || v.resolved() == nil && !v.transactionDecision().Get("resolved_arguments").Empty()) {
		return some(v.cannot("the decision is no object (see VAL-07)"))
	}
	if n := v.resolved().Get(v.Op.Argument); n != nil && !n.Is(rawjson.String) && !n.Is(rawjson.Null) && v.Op.Argument != "items" {
		return some(v.fail(n, "`"+v.Op.Argument+"` is still a text", "it is %s", n.Kind.Article()))
	}
	list := v.resolved().Get("items")
	if list != nil && list.Empty() {
		return some(v.cannot("the list of items is empty (see VAL-09)"))
	}
	have := entries(list)
	distinct := v.N() - len(v.repeated())
	want := fmt.Sprintf("%d items in resolved_arguments.items", distinct)
	if len(have) >= distinct && len(have) <= v.N() {
		return some(v.pass())
	}
	if list == nil {
		return some(v.fail(v.decision(), want, "no list of items for a text that names %d", v.N()))
	}
	for _, i := range v.notAmong(have) {
		if v.Planned.Items[i].Truth != conform.Bad {
			return v.failItem(i, list, want, "%s for a text that names %d", count(len(have), "item"), v.N())
		}
	}
	if len(have) < distinct {
		return some(v.cannot("rejected items were dropped (see VAL-08)"))
	}
	return some(v.fail(list, want, "%s for a text that names %d", count(len(have), "item"), v.N()))
}
