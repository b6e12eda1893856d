package multiitem

import "github.com/mcpconform/mcpconform/conform"

func readOnly() []conform.Check { return []conform.Check{ro01, ro02} }

var ro01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RO-01", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupReadOnly,
		Title:  "one missing item hides no other",
		Text:   "A bulk query answers the items that it finds although others are not available, and changes nothing.",
		Impact: "One unknown order number, and the customer is told nothing about all the others.",
		Source: "agent_platform_oci, multi-item guide, read-only operations",
		Needs:  itemsAndState,
		Good:   `{"results":[{"id":"1001","success":true,"status":"SHIPPED"},{"id":"9999","success":false,"error":"not_found"}]}`,
		Bad:    `{"isError":true,"content":[{"type":"text","text":"order 9999 not found"}]}`,
		Mend:   "Look up each item on its own, and give the ones that are not found a row with success false.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Write {
			return "the target file declares `effect: write`"
		}
		return ""
	},
	Judge: func(s *conform.Subject) []conform.Look {
		looks := calls(conform.RolePrimary, func(v *sight) bool { return batch(v) && v.mixed() }, stillAnswersTheGood)(s)
		reading := func(v *sight) bool { return v.Planned.Role == conform.RolePrimary && v.read() && v.N() > 0 }
		return append(looks, untouched(s, reading, "a query")...)
	},
	Missing: "no query with good and bad items was answered",
}

// stillAnswersTheGood judges queries for good and bad items together.
func stillAnswersTheGood(s *conform.Subject, v *sight) *conform.Look {
	good, bad := v.these(conform.Good), v.these(conform.Bad)
	if v.HasRows() {
		switch {
		case len(v.where(good, true)) > 0:
			return some(v.pass())
		case v.unreadable() != "":
			return some(v.cannot("%s", v.unreadable()))
		case !v.mismatch().none():
			return some(v.cannot("rows and items do not match one to one (see RES-02)"))
		}
		return some(v.cannot("every item is told as failed (see AGG-02)"))
	}
	c := behaves(s)
	switch rule := v.silence(c); {
	case v.raised() && !c.mute():
		return some(v.cannot("the answer is a protocol error (see ENV-06)"))
	case rule != "RO-01":
		return some(v.cannot("the answer has no results[] to read (see %s)", rule))
	}
	got := "no results in the answer"
	if how := v.refusal(); how != "" {
		got = "the whole query was refused: " + how
	}
	look := v.failItem(bad[0], nil, "rows for "+v.names(good)+" although "+v.names(bad)+" cannot be found", "%s", got)
	look.Hint = v.credentialsHint()
	return look
}
