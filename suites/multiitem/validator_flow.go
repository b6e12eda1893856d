package multiitem

import (
	"bytes"
	"sort"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var val05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-05", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupValidator,
		Title:  "validating changes nothing",
		Text:   "A validator has no side effect, however often it is called.",
		Impact: "Things are cancelled, booked or reserved before the customer has said yes.",
		Source: "agent_platform_oci, multi-item guide and IMPLEMENTACAO_MULTI_ITEM_MCP, step 4",
		Needs:  []conform.Need{conform.NeedState},
		Good:   "A-1 is ACTIVE before the validator is called twice, and ACTIVE afterwards",
		Bad:    "A-1 is ACTIVE before the validator is called, and RESERVED afterwards",
		Mend:   "Only read in the validator; whatever writes, reserves or counts belongs into the tool itself.",
		Since:  set,
	},
	Applies: withValidator(func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Probe == conform.Absent {
			return "the target file declares that nothing shows the state (`probe: none`): answers only"
		}
		return ""
	}),
	Judge: func(s *conform.Subject) []conform.Look {
		return untouched(s, func(v *sight) bool { return v.Planned.Role == conform.RoleValidator }, "the validator was called")
	},
	Missing: "no validator call was bracketed by two readings of the state",
}

// untouched compares the state between two readings with nothing between them
// but calls that must change nothing: at least one, and no other that could.
func untouched(s *conform.Subject, harmless func(*sight) bool, what string) []conform.Look {
	var looks []conform.Look
	done := map[string]bool{}
	for _, c := range s.Calls {
		instance := c.Planned.Instance
		if done[instance] {
			continue
		}
		done[instance] = true
		seen := eyesOn(s.Recording, instance)
		for _, before := range seen.all {
			after := seen.after(before.Seq) // the last reading of the phase: an effect may take a while to show
			if after != nil {
				if between := harmlessBetween(s, instance, before.Seq, after.Seq, harmless); len(between) > 0 {
					looks = append(looks, still(s, between, before, after, what))
				}
			}
		}
	}
	return looks
}

// harmlessBetween gives the calls sent between two readings, if all that could
// change the state are harmless.
func harmlessBetween(s *conform.Subject, instance string, from, to int64, harmless func(*sight) bool) []*sight {
	var found []*sight
	for _, c := range playsOf(s.Recording)[instance] {
		if c.Sent == nil || c.Sent.Seq < from || c.Sent.Seq > to {
			continue
		}
		switch v := seenBy(s, c); {
		case s.Operation != nil && c.Planned.Operation != s.Operation.Name: // in flight with those of this one
			if c.Planned.Role != conform.RoleProbe {
				return nil
			}
		case harmless(v):
			found = append(found, v)
		case c.Planned.Role == conform.RolePrimary || c.Planned.Role == conform.RoleValidator || c.Planned.Role == conform.RoleReset || c.Planned.Role == conform.RoleUnit || c.Planned.Role == conform.RoleConflict:
			return nil
		}
	}
	return found
}

// still judges that the items of some calls are as they were.
func still(s *conform.Subject, calls []*sight, before, after *conform.Observation, what string) conform.Look {
	first := calls[0]
	if others := shared(s.Recording); others != "" {
		return first.unclear("%s", others)
	}
	for _, o := range []*conform.Observation{before, after} {
		if o.Effect.Problem != "" {
			return first.unclear("the state could not be read by %s: %s", o.Effect.Eyes, o.Effect.Problem)
		}
	}
	var moved []string
	compared, item, at := 0, 0, first
	was, is := read(before, first.Op.FoldCase), read(after, first.Op.FoldCase)
	for _, v := range calls {
		for i := range v.Planned.Items {
			names := v.seenAs(v.Planned.Items[i])
			a, b := was.of(names), is.of(names)
			if a == nil || b == nil {
				continue
			}
			if why := torn(a, b); why != "" {
				return v.tornLook(why)
			}
			compared++
			if !b.Changed(*a) {
				continue
			}
			if len(moved) == 0 {
				item, at = i+1, v
			}
			moved = append(moved, v.name(i)+": "+say(a)+" before, "+say(b)+" afterwards")
		}
	}
	if len(calls[0].Planned.Items) == 0 { // nothing was asked for: none of our items may move
		if first.Op.Eventual {
			return first.cannot("the state follows late (`consistency: eventual`): a change may be that of an earlier call")
		}
		compared, moved = ownItems(s, was, is)
	}
	switch {
	case len(moved) > 0:
		sort.Strings(moved)
		look := at.fail(nil, "the same state before and after "+what, "%s", few(moved))
		look.Item = item
		look.Evidence = append(look.Evidence, conform.Evidence{Seq: before.Seq}, conform.Evidence{Seq: after.Seq})
		return look
	case compared == 0:
		return first.cannot("the readings by %s show none of the items asked for", after.Effect.Eyes)
	}
	for _, v := range calls {
		if v.beyond(s) == nil {
			return v.pass()
		}
	}
	return *first.beyond(s) // what was not answered may not have been done at all
}

// ownItems compares the state of every item that any call of the operation asks
// for. Others, on a shared server, may be moved by other people.
func ownItems(s *conform.Subject, was, is *reading) (compared int, moved []string) {
	seen := map[*conform.State]bool{}
	for _, c := range s.Calls {
		v := see(s.Operation, c)
		for i, item := range c.Planned.Items {
			names := v.seenAs(item)
			a, b := was.of(names), is.of(names)
			if a == nil || b == nil || seen[a] || torn(a, b) != "" {
				continue
			}
			seen[a] = true
			compared++
			if b.Changed(*a) {
				moved = append(moved, v.name(i)+": "+say(a)+" before, "+say(b)+" afterwards")
			}
		}
	}
	return compared, moved
}

var val06 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-06", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupValidator,
		Title:  "the same question, the same decision",
		Text:   "A validator that is asked the same twice decides the same twice.",
		Impact: "What the customer confirmed is not what the second check resolves.",
		Source: "agent_platform_oci, runtime: the validator may be called more than once in a turn",
		Needs:  items,
		Good:   `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"id":"1001"}]}}} both times`,
		Bad:    `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"id":"tmp-1"}]}}}, then the same with "tmp-2"`,
		Mend:   "Resolve to stable ids of the domain, not to counters or random values.",
		Since:  set,
	},
	Applies: noValidator,
	Judge: func(s *conform.Subject) []conform.Look {
		again := func(v *sight) bool {
			first := s.Recording.Repeated(v.Call)
			return first != nil && first.Planned.Role == conform.RoleValidator
		}
		return calls(conform.RoleValidator, again, sameDecision)(s)
	},
	Missing: "no validator call was repeated",
}

// sameDecision compares a validator's decision with that of the call that it repeats.
func sameDecision(s *conform.Subject, v *sight) *conform.Look {
	first := see(s.Operation, s.Recording.Repeated(v.Call))
	if look := first.beyond(s); look != nil {
		look.Reason = "the first call: " + look.Reason
		return look
	}
	yes1, ok1 := first.eligible()
	yes2, ok2 := v.eligible()
	switch {
	case !ok1 || !ok2:
		return some(v.cannot("`eligible` cannot be read (see VAL-01)"))
	case yes1 != yes2:
		return some(v.fail(v.decision(), "the same decision", "eligible: %t, then %t", yes1, yes2))
	case !sameJSON(first.resolved(), v.resolved()):
		return some(v.fail(v.resolved(), "the same resolved_arguments", "%s, then %s", first.resolved().Excerpt(120), v.resolved().Excerpt(120)))
	}
	return some(v.pass())
}

// sameJSON tells whether two values are equal, the order of members aside.
func sameJSON(a, b *rawjson.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	switch a.Kind {
	case rawjson.Object:
		for _, m := range a.Members {
			if other := b.Get(m.Name); !sameJSON(m.Value, other) {
				return false
			}
		}
		return true
	case rawjson.Array:
		for i := range a.Items {
			if !sameJSON(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case rawjson.String:
		x, _ := a.Str()
		y, _ := b.Str()
		return x == y
	}
	return bytes.Equal(a.Raw, b.Raw)
}

var val10 = conform.Check{
	Requirement: conform.Requirement{
		ID: "VAL-10", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupValidator,
		Title:  "the tool takes what its validator resolved",
		Text:   "The operation's tool accepts the validator's resolved_arguments as they are.",
		Impact: "After the customer has said yes, the call that was checked is refused.",
		Source: "agent_platform_oci, runtime: the resolved arguments are frozen and executed verbatim",
		Needs:  items,
		Good:   `cancel_products({"items":[{"name":"Product A","id":"1001"}]}), as resolved → {"results":[{"id":"1001","success":true}]}`,
		Bad:    `cancel_products({"items":[{"name":"Product A","id":"1001"}]}), as resolved → isError "items must be strings"`,
		Mend:   "Let the tool take the canonical objects that its validator writes, with their extra members and marks.",
		Since:  set,
	},
	Applies: noValidator,
	Judge:   calls(conform.RolePrimary, func(v *sight) bool { return v.Planned.Follows != "" && v.N() >= 1 }, takesResolved),
	Missing: "no resolved_arguments of a validator were executed",
}

// takesResolved judges calls that send a validator's arguments on.
func takesResolved(s *conform.Subject, v *sight) *conform.Look {
	c := behaves(s)
	want := "the resolved arguments are accepted"
	if !v.HasRows() {
		switch rule := v.silence(c); {
		case rule != "VAL-10":
			return some(v.cannot("the answer has no results[] to read (see %s)", rule))
		case c.mute():
			return some(v.cannot("the tool gives no results[] for arguments of our own either (see RES-01)"))
		}
		got := "no results in the answer"
		if how := v.refusal(); how != "" {
			got = "refused: " + how
		}
		look := v.fail(nil, want, "%s, for the arguments %s", got, rawjson.Cut(string(v.Planned.Arguments), 160))
		return &look
	}
	good, bad := v.these(conform.Good), v.these(conform.Bad)
	if why := v.unreadable(); why != "" {
		return some(v.cannot("%s", why))
	}
	denied := v.where(good, false)
	if len(denied) == 0 || len(denied) < len(good) {
		return some(v.pass()) // single lies are RES-12's
	}
	switch {
	case v.Op.Atomic && len(bad) > 0:
		return some(v.pass())
	case len(bad) > 0 && c.rollsBack:
		return some(v.cannot("mixed batches are told as failed as a whole (see AGG-02)"))
	case c.flips:
		return some(v.cannot("good items are told as failed for arguments of our own too (see AGG-01, RES-12)"))
	}
	look := v.failItem(denied[0], v.rowNode(denied[0]), want+": "+v.names(good)+" done", "every row says failed: %s", strings.TrimSpace(v.rowNode(denied[0]).Excerpt(160)))
	return look
}
