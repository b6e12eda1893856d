package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func envelope() []conform.Check {
	return []conform.Check{env01, env02, env03, env04, env05, env06, env07, env08, env09, env10, env11}
}

var (
	response      = []conform.Need{conform.NeedResponse}
	items         = []conform.Need{conform.NeedItems}
	itemsAndState = []conform.Need{conform.NeedItems, conform.NeedState}
)

var env01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-01", Level: conform.Must, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "the answer is one JSON object",
		Text:   "The answer decodes to one JSON object: structuredContent, or exactly one text block that holds JSON.",
		Impact: "The assistant cannot read the outcome at all and treats the whole batch as one blurred result.",
		Source: "agent_platform_oci, MCP client, decoding of tool results; contract decision 4",
		Needs:  response,
		Good:   `{"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]},"content":[{"type":"text","text":"2 of 2 done"}]}`,
		Bad:    `{"content":[{"type":"text","text":"A-1 cancelled, A-2 cancelled"}]}`,
		Mend:   env01Mend,
		Since:  set,
	},
	Judge:   calls(conform.RolePrimary, nil, oneObject),
	Missing: "no call of the operation's tool was answered with a result",
}

const env01Mend = "Return one object with results[] as structuredContent, and the same JSON in a single text block; a list goes under `results`, never bare."

// oneObject judges whether the client finds one JSON object. A whole call that
// was refused in words is RES-01's business.
func oneObject(_ *conform.Subject, v *sight) *conform.Look {
	const want = "one JSON object, in structuredContent or in the only text block"
	if v.Answer == nil {
		return nil
	}
	p := v.undecodable()
	switch {
	case p == nil && (v.Answer.Has(contract.NoObject) != nil || v.Answer.Has(contract.TwoBlocks) != nil):
		return nil // refused in words
	case p == nil:
		return some(v.pass())
	}
	look := v.problem(p, want)
	if v.bareArray() {
		look.Hint = "Put the array into an object: {\"results\": […]}."
	}
	if v.Op.Results.Mapped() {
		look.Hint = env01Mend + mapped
	}
	return &look
}

var env02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-02", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "results[] stands where clients look",
		Text:   "results[] stands at the top level of the payload or under `result`, of a workflow under output[tool].",
		Impact: "The rows are there and nobody finds them, so every outcome per item is lost.",
		Source: "agent_platform_oci, Multi_Item_MCP README and multi-item guide, result section; normalizer tests",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"not_found"}]}`,
		Bad:    `{"data":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"not_found"}]}}`,
		Mend:   "Move the list to the top level as `results` (or under `result`); no other envelope around it.",
		Since:  set,
	},
	Judge:   calls(conform.RolePrimary, atLeast(1), inPlace),
	Missing: "no answer held rows, in the right place or in a wrong one",
}

// inPlace judges where the rows stand, if there are any.
func inPlace(s *conform.Subject, v *sight) *conform.Look {
	const want = "results[] at the top level, under `result`, or under output[tool]"
	if v.Answer == nil {
		return some(v.cannot("there is no answer to look into (see %s)", v.silence(behaves(s))))
	}
	if p := v.Answer.Has(contract.PlacesDisagree); p != nil {
		look := v.problem(p, "one list of rows, or the same rows in every place")
		look.Hint = "send the rows once"
		return &look
	}
	if v.Answer.List != nil {
		return some(v.pass())
	}
	if v.misplaced() != "ENV-02" {
		return some(v.cannot("the answer has no rows in any place (see %s)", v.silence(behaves(s))))
	}
	look := v.problem(v.Answer.Has(contract.Misplaced), want)
	look.Hint = "Move the rows from " + v.Answer.Has(contract.Misplaced).Pointer + " to `results` at the top level."
	if v.Op.Results.Mapped() {
		look.Hint += mapped
	}
	return &look
}

var env03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-03", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "no `result` beside results[]",
		Text:   "An object with results[] at its top level has no member named `result`.",
		Impact: "The client takes `result` for the answer and throws the rows away.",
		Source: "agent_platform_oci, MCP client: payload.result wins over the payload",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}],"message":"done"}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}],"result":"done"}`,
		Mend:   "Rename `result` (say, to `message`), or put results[] into it: {\"ok\": true, \"result\": {\"results\": […]}}.",
		Since:  set,
	},
	Judge:   calls(conform.RolePrimary, atLeast(1), noSibling),
	Missing: "no answer held results[]",
}

// noSibling judges answers that have rows, also rows that a `result` hides.
func noSibling(s *conform.Subject, v *sight) *conform.Look {
	if v.Answer != nil {
		if p := v.Answer.Has(contract.SiblingResult); p != nil {
			return some(v.problem(p, "no member `result` beside results[]"))
		}
	}
	if !v.HasRows() {
		return v.without(s)
	}
	return some(v.pass())
}

var env04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-04", Level: conform.Must, Basis: conform.Code, Group: conform.GroupREST,
		Title:  "over legacy REST, results[] is inside `result`",
		Text:   "The body of a legacy REST answer holds results[] inside its member `result`.",
		Impact: "Over REST the client reads `result` only: the rows vanish, and the call still counts as a success.",
		Source: "agent_platform_oci, MCP client, legacy branch",
		Needs:  response,
		Good:   `{"ok":true,"result":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}`,
		Mend:   "Wrap the payload: {\"ok\": …, \"result\": {\"results\": […]}}.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		if t := s.Recording.Header.Target.Transport; t != "rest" {
			if t == "" {
				t = "MCP"
			}
			return "legacy REST only: the server was reached over " + t
		}
		return ""
	},
	Judge: calls(conform.RolePrimary, atLeast(1), func(s *conform.Subject, v *sight) *conform.Look {
		switch {
		case v.misplaced() == "ENV-04":
			return some(v.fail(v.Answer.Root.Get("results"), "results[] inside `result`", "results[] stands beside it, at the top level of the body"))
		case v.HasRows():
			return some(v.pass())
		}
		return v.without(s)
	}),
	Missing: "no legacy REST answer held results[]",
}

var env05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-05", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "the portable shape",
		Text:   "The payload is {ok, result: {results}}, the one shape that MCP, the gateway and legacy REST all carry.",
		Impact: "The same tool works over one connection and loses its rows over another.",
		Source: "agent_platform_oci: MCP client, tool router and gateway compared (contract 1.1)",
		Needs:  response,
		Good:   `{"ok":true,"result":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}`,
		Bad:    `{"ok":true,"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}`,
		Mend:   "If the tool is to be reached through the gateway or legacy REST too, answer {\"ok\": …, \"result\": {\"results\": […]}}.",
		Since:  set,
	},
	Judge:   rows(atLeast(1), portable),
	Missing: "no answer held results[]",
}

// portable judges the shape around the rows.
func portable(_ *conform.Subject, v *sight) *conform.Look {
	_, hasOK := v.Answer.OK.Bool()
	if hasOK && v.Answer.Result.Is(rawjson.Object) && v.Answer.Place != contract.Direct {
		return some(v.pass())
	}
	got := "results[] stands at the top level"
	switch {
	case v.Answer.Place == contract.Workflow && !v.Answer.Result.Is(rawjson.Object):
		got = "`output` stands at the top level"
	case v.Answer.Place != contract.Direct:
		got = "there is no boolean `ok` beside `result`"
	}
	return some(v.fail(v.Answer.List, "{ok, result: {results: […]}}", "%s", got))
}

var env06 = conform.Check{
	Requirement: conform.Requirement{
		ID: "ENV-06", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "failed items are no protocol error",
		Text:   "A batch in which items fail is answered with a tool result, not with a JSON-RPC error or an HTTP error status.",
		Impact: "One bad item turns the whole batch into a crash: what was done is unknown and may be done again.",
		Source: "agent_platform_oci, multi-item guide, anti-patterns; MCP client; MCP specification, tools, error handling",
		Needs:  items,
		Good:   `{"result":{"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]}}}`,
		Bad:    `{"error":{"code":-32603,"message":"X-9 not found"}}`,
		Mend:   "Catch the failure of each item and turn it into its row; keep JSON-RPC errors and HTTP statuses for requests that are wrong as requests.",
		Since:  set,
	},
	Judge:   noProtocolError,
	Missing: "no batch with items known to be bad was answered",
}

// noProtocolError judges batches with bad items. An intermediary's page is
// inconclusive once, and the server's fault when the same items bring it again
// while other calls are answered, and no call without bad items brings one.
func noProtocolError(s *conform.Subject) []conform.Look {
	const want = "a tool result with a row for each item"
	var looks []conform.Look
	pages := map[string]int{}
	answered, elsewhere := false, false
	for _, c := range s.Calls {
		v := see(s.Operation, c)
		answered = answered || v.Answer != nil
		if v.gatewayPage() {
			pages[asked(v)]++
			elsewhere = elsewhere || len(v.these(conform.Bad)) == 0
		}
	}
	c := behaves(s)
	for _, call := range s.Calls {
		v := see(s.Operation, call)
		if call.Sent == nil || !batch(v) || len(v.these(conform.Bad)) == 0 {
			continue
		}
		first := v.these(conform.Bad)[0]
		if v.gatewayPage() && answered && !elsewhere && pages[asked(v)] > 1 {
			looks = append(looks, *v.failItem(first, nil, want, "HTTP status %d (%s), %d times for the same items, while other calls are answered",
				v.status(), conform.MediaType(v.Last().Header), pages[asked(v)]))
			continue
		}
		if look := v.beyond(s); look != nil {
			looks = append(looks, *look)
			continue
		}
		switch {
		case v.Answer != nil:
			looks = append(looks, v.pass())
		case c.oneAtATime():
			looks = append(looks, v.cannot("batches are refused whatever is in them (see INP-01)"))
		case c.mute():
			looks = append(looks, v.cannot("batches of good items are refused too (see RES-01)"))
		default:
			looks = append(looks, *v.failItem(first, nil, want, "%s for a batch with the bad %s %s",
				v.refusal(), map[bool]string{true: "item", false: "items"}[len(v.these(conform.Bad)) == 1], v.names(v.these(conform.Bad))))
		}
	}
	return looks
}

// mapped is said in the mend of a shape rule where the target file's mapping reads
// the shape all the same: it never turns such a rule green.
const mapped = " The target file's `results` maps this shape so that it can be measured; the contract still asks for results[]."

// asked makes what a call asks for comparable.
func asked(v *sight) string { return fmt.Sprintf("%s\x00%s", v.Planned.Tool, v.Planned.Arguments) }
