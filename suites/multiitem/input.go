package multiitem

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func input() []conform.Check { return []conform.Check{inp01, inp02, inp03, inp04, inp05} }

var inp01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "INP-01", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "one call takes the whole set",
		Text:   "One call accepts all items of a request; a backend that takes one at a time is looped behind the tool.",
		Impact: "The assistant has to call once per item: many confirmations, many chances to stop half way.",
		Source: "agent_platform_oci, Multi_Item_MCP README, one logical call",
		Needs:  items,
		Good:   `cancel_products({"items":["A-1","A-2"]}) → {"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}`,
		Bad:    `cancel_products({"items":["A-1","A-2"]}) → isError "only one item per call"`,
		Mend:   "Loop over the items inside the tool and answer with one row each.",
		Since:  set,
	},
	Judge: calls(conform.RolePrimary, func(v *sight) bool { return batch(v) && len(v.these(conform.Bad)) == 0 }, func(s *conform.Subject, v *sight) *conform.Look {
		if v.HasRows() {
			return some(v.pass())
		}
		if rule := v.silence(behaves(s)); rule != "INP-01" {
			return some(v.cannot("the answer has no results[] to read (see %s)", rule))
		}
		return some(v.fail(nil, fmt.Sprintf("%d items accepted in one call", v.N()), "one item is accepted, %d are not: %s", v.N(), v.refusal()))
	}),
	Missing: "no batch of good items was answered",
}

// took tells whether a call in a form of its own was accepted as an ordinary one
// would be: rows came, and not every good item was told as failed.
func (v *sight) took() (bool, string) {
	if !v.HasRows() || len(v.Answer.Rows) == 0 {
		if how := v.refusal(); how != "" {
			return false, "refused: " + how
		}
		return false, "no rows in the answer"
	}
	good := v.these(conform.Good)
	if denied := v.where(good, false); len(good) > 0 && len(denied) == len(good) && !(v.Op.Atomic && len(v.these(conform.Bad)) > 0) {
		return false, "every good item is told as failed: " + v.rowNode(denied[0]).Excerpt(160)
	}
	return true, ""
}

// special judges a primary call in a form of its own by the one rule that asks for
// it, unless the operation does no better in the ordinary form.
func special(rule, want string) judge {
	return func(s *conform.Subject, v *sight) *conform.Look {
		if ok, got := v.took(); !ok {
			c := behaves(s)
			switch silent := v.silence(c); {
			case silent != rule:
				return some(v.cannot("the answer has no results[] to read (see %s)", silent))
			case c.mute():
				return some(v.cannot("the ordinary form gets no results[] either (see RES-01)"))
			case v.HasRows() && c.flips:
				return some(v.cannot("good items are told as failed in the ordinary form too (see AGG-01, RES-12)"))
			}
			look := v.fail(nil, want, "%s, for the arguments %s", got, rawjson.Cut(string(v.Planned.Arguments), 160))
			return &look
		}
		return some(v.pass())
	}
}

var inp02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "INP-02", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "unknown arguments do no harm",
		Text:   "Tool and validator accept a call with arguments that they do not know, such as query, intent, confirmed, session and target_tool.",
		Impact: "The platform adds such arguments to every call, so every call fails.",
		Source: "agent_platform_oci, argument mapper and runtime: context keys are always sent",
		Needs:  items,
		Good:   `cancel_products({"items":["A-1","A-2"],"query":"cancel both","confirmed":true}) → two rows`,
		Bad:    `cancel_products({"items":["A-1","A-2"],"query":"cancel both","confirmed":true}) → isError "unexpected argument query"`,
		Mend:   "Ignore arguments that the tool does not know.",
		Since:  set,
	},
	Judge: func(s *conform.Subject) []conform.Look {
		extra := func(v *sight) bool { return len(v.Planned.Extra) > 0 && v.N() >= 1 }
		looks := calls(conform.RolePrimary, extra, special("INP-02", "accepted as without the further arguments"))(s)
		return append(looks, calls(conform.RoleValidator, extra, func(s *conform.Subject, v *sight) *conform.Look {
			if _, ok := v.eligible(); ok {
				return some(v.pass())
			}
			if unheard, decides := decisions(s); !decides {
				if unheard == nil {
					return some(v.cannot("`eligible` cannot be read without the further arguments either (see VAL-01)"))
				}
				look := *unheard
				look.Reason = "without the further arguments: " + look.Reason
				return &look
			}
			got := "no `eligible` in the answer"
			if how := v.refusal(); how != "" {
				got = "refused: " + how
			}
			return some(v.fail(nil, "a decision, as without the further arguments", "%s, with %s", got, strings.Join(v.Planned.Extra, ", ")))
		})(s)...)
	},
	Missing: "no call with unknown arguments was answered",
}

// decisions tells whether any ordinary validator call was answered with a decision.
// Where none was and no answer came at all, unheard is what became of the first.
func decisions(s *conform.Subject) (unheard *conform.Look, decides bool) {
	answered := false
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RoleValidator || c.Sent == nil {
			continue
		}
		v := see(s.Operation, c)
		if !ordinary(v) {
			continue
		}
		if _, ok := v.eligible(); ok {
			return nil, true
		}
		if look := v.beyond(s); look == nil {
			answered = true
		} else if unheard == nil {
			unheard = look
		}
	}
	if answered {
		return nil, false
	}
	return unheard, false
}

var inp03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "INP-03", Level: conform.May, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "names or objects, both will do",
		Text:   "The elements of the collection may be strings or canonical objects.",
		Impact: "A call straight from the conversation is refused, because only the validator's objects are understood.",
		Source: "agent_platform_oci, transaction parameters: elements are not normalised; contract decision 14",
		Needs:  items,
		Good:   `{"items":["Product A"]} and {"items":[{"name":"Product A","id":"1001"}]} are both accepted`,
		Bad:    `{"items":["Product A"]} → isError "items[0] must be an object"`,
		Mend:   "Take a string for an item's name or id.",
		Since:  set,
	},
	Applies: collectionsOnly,
	Judge: calls(conform.RolePrimary, func(v *sight) bool {
		return v.Planned.Form == conform.FormStrings || v.Planned.Form == conform.FormObjects
	}, special("INP-03", "accepted, whether the elements are strings or objects")),
	Missing: "no call with the collection in another form was answered",
}

// collectionsOnly says why forms of a collection have no meaning for a scalar tool.
func collectionsOnly(s *conform.Subject) string {
	if s.Operation != nil && s.Operation.Style == conform.StyleScalar {
		return "the target file declares `input.style: scalar`: the tool takes no collection"
	}
	return ""
}

var inp04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "INP-04", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "one element need not be in a list",
		Text:   "A single element works as a list of one, as a bare object, or as a bare string.",
		Impact: "Clients that fold lists of one element break the most common call of all.",
		Source: "agent_platform_oci, MCP client: one-element arrays collapse; contract decision 14",
		Needs:  items,
		Good:   `{"items":{"name":"Product A","id":"1001"}} is taken for a list of one`,
		Bad:    `{"items":{"name":"Product A","id":"1001"}} → isError "items is not iterable"`,
		Mend:   "Wrap a bare value into a list before looping.",
		Since:  set,
	},
	Applies: collectionsOnly,
	Judge: calls(conform.RolePrimary, func(v *sight) bool {
		return v.Planned.Form == conform.FormBareObject || v.Planned.Form == conform.FormBareString
	}, special("INP-04", "accepted as a list of one")),
	Missing: "no call with a bare element was answered",
}

var inp05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "INP-05", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "nothing asked, nothing done",
		Text:   "An empty or missing collection is refused: no success is told and nothing changes.",
		Impact: "A request without items is reported as done, or, at worst, is applied to everything.",
		Source: "agent_platform_oci, multi-item guide, minimum of two rows for recognition; contract decision 10",
		Needs:  itemsAndState,
		Good:   `{"ok":false,"error":"no items were given","result":{"results":[]}}`,
		Bad:    `{"ok":true,"result":{"results":[]}}`,
		Mend:   "Refuse an empty collection with isError (or ok:false) and say that nothing was asked.",
		Since:  set,
	},
	Judge: func(s *conform.Subject) []conform.Look {
		nothing := func(v *sight) bool {
			return v.Planned.Role == conform.RolePrimary && (v.Planned.Form == conform.FormEmpty || v.Planned.Form == conform.FormMissing)
		}
		return append(calls(conform.RolePrimary, nothing, refusesNothing)(s), untouched(s, nothing, "an empty request")...)
	},
	Missing: "no call with an empty or missing collection was answered",
}

// refusesNothing judges calls that ask for nothing.
func refusesNothing(_ *conform.Subject, v *sight) *conform.Look {
	const want = "a refusal: isError, ok: false, or an error"
	if v.HasRows() {
		if _, succeeded, _ := v.Answer.Count(); succeeded > 0 {
			return some(v.fail(v.Answer.List, want, "%s for an empty request", count(succeeded, "success")))
		}
	}
	if v.raised() || v.saysNo() {
		return some(v.pass())
	}
	got := "no sign of a refusal: " + v.show(nil).Excerpt
	if v.Answer.OK.Is(rawjson.Bool) {
		got = "ok: true"
	} else if v.HasRows() {
		got = "an empty list of rows, and no sign of a refusal"
	}
	return some(v.fail(nil, want, "%s", got))
}

// saysNo tells whether an answer refuses, by its flags, an error or a status.
func (v *sight) saysNo() bool {
	if v.Answer.IsError {
		return true
	}
	for _, at := range v.tops() {
		for _, name := range []string{"ok", "success", "eligible", "approved"} {
			if yes, ok := at.Get(name).Bool(); ok && !yes {
				return true
			}
		}
		if !at.Get("error").Empty() || !at.Get("errors").Empty() {
			return true
		}
		word, _ := at.Get("status").Str()
		switch strings.ToUpper(word) {
		case "FAILED", "FAILURE", "ERROR", "INVALID", "REJECTED", "REFUSED", "NOT_ELIGIBLE", "NEEDS_PARAMETER", "INVALID_ARGUMENT", "INVALID_ARGUMENTS", "INVALID_REQUEST", "BAD_REQUEST":
			return true
		}
	}
	return false
}
