package multiitem

import (
	"github.com/mcpconform/mcpconform/conform"
)

var res03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-03", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "one bad item stops no other",
		Text:   "Items after a failing one are processed like those before it.",
		Impact: "One wrong entry near the top, and the rest of the list is silently left undone.",
		Source: "agent_platform_oci, IMPLEMENTACAO_MULTI_ITEM_MCP, backends with a unit API",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"},{"id":"A-2","success":true}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]} for A-1, X-9 and A-2`,
		Mend:   "Catch the failure inside the loop over the items, write its row, and go on; if the batch is all-or-nothing by design, say `atomic: true` in the target file.",
		Since:  set,
	},
	Applies: notAtomic,
	Judge:   rows(failsEarly, goesOn),
	Missing: "no batch with a good item behind a bad one was answered with rows",
}

// notAtomic says why rules about mixed batches have no meaning where one bad
// item rolls all others back by design (contract decision 16).
func notAtomic(s *conform.Subject) string {
	if s.Operation != nil && s.Operation.Atomic {
		return "the target file declares `atomic: true`: a mixed batch is refused item by item"
	}
	return ""
}

// failsEarly accepts ordinary batches with a good item behind a bad one.
func failsEarly(v *sight) bool {
	if !batch(v) {
		return false
	}
	bad, good := v.these(conform.Bad), v.these(conform.Good)
	return len(bad) > 0 && len(good) > 0 && good[len(good)-1] > bad[0]
}

// goesOn judges the good items behind the first bad one.
func goesOn(s *conform.Subject, v *sight) *conform.Look {
	first := v.these(conform.Bad)[0]
	behind := v.behind(first)
	how := v.stops(behaves(s))
	want := "the items behind the bad item " + v.name(first) + " are processed too"
	switch {
	case how == truncated:
		return v.failItem(behind[0], v.Answer.List, want, "the rows end at %s: nothing for %s", v.name(first), v.names(behind))
	case how == abandoned:
		return v.failItem(behind[0], v.rowNode(behind[0]), want, "%s told as failed, although %s good",
			was(len(behind), v.names(behind)), map[bool]string{true: "it is", false: "they are"}[len(behind) == 1])
	case len(v.where(behind, true)) > 0:
		return some(v.pass())
	case v.blurred() != "":
		return some(v.cannot("%s", v.blurred()))
	case len(v.where(v.these(conform.Good), true)) == 0:
		return some(v.cannot("every item is told as failed (see AGG-02)"))
	}
	return some(v.cannot("good items are told as failed (see RES-12)"))
}

// was joins names with the verb that fits their number.
func was(n int, names string) string {
	if n == 1 {
		return names + " is"
	}
	return names + " are"
}

// behind gives the good items behind a position.
func (v *sight) behind(position int) []int {
	var found []int
	for _, i := range v.these(conform.Good) {
		if i > position {
			found = append(found, i)
		}
	}
	return found
}

// stop is how an answer ends at its first bad item.
type stop uint8

const (
	goesThrough stop = iota
	truncated        // no row for anything behind it
	abandoned        // every good item behind it told as failed, those before it done
)

// stops tells whether processing ended at the first bad item. There are rows, and
// the operation is not atomic or nothing bad was asked for. Where the bad item
// came first and every row says failed, rollback looks the same: then the other
// mixed batches of the operation decide.
func (v *sight) stops(c *conduct) stop {
	if !failsEarly(v) || v.paged() {
		return goesThrough
	}
	first := v.these(conform.Bad)[0]
	without, ahead := true, false
	for i := range v.Planned.Items {
		has := len(v.Tie.Rows[i]) > 0
		switch {
		case i < first && !has:
			return goesThrough // something else is missing too
		case i <= first:
			ahead = ahead || has
		default:
			without = without && !has
		}
	}
	if without && ahead && v.certain() {
		if first == v.N()-2 && c.cutClean && c.lastTold == 0 {
			return goesThrough // the last one has no row where nothing bad precedes it either
		}
		return truncated
	}
	behind := v.behind(first)
	if len(v.where(behind, false)) != len(behind) {
		return goesThrough
	}
	var before []int
	for _, i := range v.these(conform.Good) {
		if i < first {
			before = append(before, i)
		}
	}
	if len(before) > 0 && len(v.where(before, true)) == len(before) || len(before) == 0 && c.keeps && !c.rollsBack {
		return abandoned
	}
	return goesThrough
}

// certain tells whether every row is tied to an item, so that an item without a
// row really has none.
func (v *sight) certain() bool {
	for _, item := range v.Tie.Item {
		if item < 0 {
			return false
		}
	}
	return true
}
