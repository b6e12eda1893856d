package multiitem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func results() []conform.Check {
	return []conform.Check{res01, res02, res03, res04, res05, res06, res07, res08, res09, res10,
		res11, res12, res13, res14, res15, res16, res17}
}

var res01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-01", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "a batch is answered with results[]",
		Text:   "A request for two items or more is answered with a list named results.",
		Impact: "Nobody learns which items were done and which were not, so the whole batch is repeated or given up.",
		Source: "agent_platform_oci, Multi_Item_MCP README, expected MCP result; multi-item guide, anti-patterns",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]}`,
		Bad:    `{"approved":false,"error":"X-9 was not found"}`,
		Mend:   res01Mend,
		Since:  set,
	},
	Judge:   begun(conform.RolePrimary, batch, jobForRows, listOfRows),
	Whole:   true,
	Missing: "no batch of two items or more was answered",
}

const res01Mend = "Answer with results[]: one object per requested item, with its id and success true or false."

// listOfRows judges batches; where another rule says why there is no list, that
// rule speaks alone.
func listOfRows(s *conform.Subject, v *sight) *conform.Look {
	if v.HasRows() {
		return some(v.pass())
	}
	want := "a list named results with " + count(v.N(), "row")
	if v.Answer != nil && v.Answer.List != nil {
		return some(v.problem(v.Answer.Has(contract.NotAList), want))
	}
	if rule := v.silence(behaves(s)); rule != "RES-01" {
		return some(v.cannot("the answer has no results[] to read (see %s)", rule))
	}
	var look conform.Look
	if how := v.refusal(); how != "" {
		look = v.fail(nil, want, "the whole call was refused: %s", how)
		look.Hint = v.credentialsHint()
		if look.Hint == "" && v.mixed() {
			look.Got += ", because of " + v.names(v.these(conform.Bad)) + v.because(v.these(conform.Bad))
			look.Hint = "let one bad item fail alone: do the others, and give the bad one a row of its own with success: false and the reason; if the tool rolls the whole batch back on purpose, declare `atomic: true` in the target file, and still answer with rows"
		} else if look.Hint == "" && behaves(s).batches > 0 {
			look.Hint = "answer with a row for each item; if the server takes no batch of this size, say so with `maxItems` in its inputSchema"
		}
		return &look
	}
	look = v.fail(v.Answer.Payload, want, "no results in the answer")
	if p := v.Answer.Has(contract.NoResults); p != nil {
		look = v.problem(p, want)
		look.Evidence = []conform.Evidence{v.show(v.Answer.Payload)}
	}
	look.Got += v.unrowed()
	if v.Op.Results.Mapped() {
		look.Hint = res01Mend + mapped
	}
	return &look
}

var res02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-02", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "one row for every item",
		Text:   "Every requested item has exactly one row, whether it succeeded or not, and no row is for anything else.",
		Impact: "Items are lost without a word: the answer looks complete and is not.",
		Source: "agent_platform_oci, Multi_Item_MCP README, partial validation steps 2 and 4; contract decisions 2 and 15",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]} for A-1 and X-9`,
		Bad:    `{"results":[{"id":"A-1","success":true}]} for A-1 and X-9`,
		Mend:   "Build the rows from the requested items, not from what the backend returned: one row each, the failed and unknown ones too.",
		Since:  set,
	},
	Judge: begun(conform.RolePrimary, completable, firstPage, func(s *conform.Subject, v *sight) *conform.Look {
		if !v.HasRows() {
			return v.without(s)
		}
		return oneRowPerItem(s, v)
	}),
	Missing: "no batch of two items or more was answered with rows",
}

// completable accepts batches whose rows can be counted against the request. What
// was cancelled may be told of in part. A failing auxiliary step is WF-02's business.
func completable(v *sight) bool { return v.N() >= 2 && !v.Planned.AuxiliaryFails && !v.Planned.Cancels }

// oneRowPerItem judges rows against items, one to one.
func oneRowPerItem(s *conform.Subject, v *sight) *conform.Look {
	m := v.mismatch()
	if m.none() {
		return some(v.pass())
	}
	switch {
	case v.paged():
		return some(v.onePage())
	case v.tangled(s):
		return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
	case len(v.auxiliaryRows()) > 0:
		return some(v.cannot("rows of another step are among these (see WF-04)"))
	}
	if v.Planned.Follows != "" {
		kept := v.reached(m.missing)
		if len(kept) == 0 && len(m.doubled)+len(m.surplus) == 0 && !m.number {
			return some(v.cannot("the validator dropped the items that have no row (see VAL-08)"))
		}
		m.missing = kept
	}
	look := v.fail(v.Answer.List, fmt.Sprintf("%s, one for each requested item", count(v.N(), "row")), "%s: %s", count(len(v.Answer.Rows), "row"), v.mismatched(m)+v.evenOver())
	switch {
	case len(m.missing) > 0:
		look.Item = m.missing[0] + 1
	case len(m.doubled) > 0:
		look.Item = m.doubled[0] + 1
	}
	return &look
}

// mismatch is how rows and items fail to match one to one.
type mismatch struct {
	missing []int // items without a row
	doubled []int // items with more than one
	surplus []int // rows for nothing that was asked
	number  bool  // the number is wrong, and the rows do not say which
}

func (m mismatch) none() bool {
	return len(m.missing)+len(m.doubled)+len(m.surplus) == 0 && !m.number
}

// mismatch compares rows and items. A row that names no item may answer one that
// seems to be missing, so only what is certain is told.
func (v *sight) mismatch() mismatch {
	t := v.Tie
	m := mismatch{missing: t.Missing(), doubled: t.Doubled(), surplus: slices.Concat(t.Surplus, t.Strange)}
	slices.Sort(m.surplus)
	accused := map[int]bool{}
	for _, r := range t.Surplus {
		accused[r] = true
	}
	loose := 0
	for r, item := range t.Item {
		if item < 0 && !accused[r] {
			loose++
		}
	}
	switch {
	case loose == 0:
	case loose == len(m.missing):
		m.missing = nil
	case t.By == contract.ByNothing && len(t.Surplus) == 0:
		m = mismatch{number: true}
	case loose > len(m.missing):
		m.missing, m.number = nil, true
	default:
		m.number = true
	}
	return m
}

// mismatched puts a mismatch into words.
func (v *sight) mismatched(m mismatch) string {
	var said []string
	if len(m.missing) > 0 {
		said = append(said, "no row for "+v.names(m.missing))
	}
	if len(m.doubled) > 0 {
		said = append(said, "more than one row for "+v.names(m.doubled))
	}
	if len(m.surplus) > 0 {
		var shown []string
		for _, r := range m.surplus {
			shown = append(shown, fmt.Sprintf("results[%d] %s", r, v.Answer.Rows[r].Node.Excerpt(80)))
			if len(shown) == atMost {
				break
			}
		}
		said = append(said, "for nothing that was asked: "+listing(shown, len(m.surplus)))
	}
	if m.number && len(m.missing) == 0 {
		said = append(said, fmt.Sprintf("%s were asked for, and not every row says which one it is about", count(v.N(), "item")))
	}
	return strings.Join(said, "; ")
}

// reached keeps the items that a call after a validator really asked for: its
// arguments are the validator's, and the validator may have dropped some.
func (v *sight) reached(items []int) []int {
	sent, err := rawjson.Parse(v.Planned.Arguments)
	if err != nil {
		return items
	}
	var kept []int
	for _, i := range items {
		found := false
		sent.Walk(func(n *rawjson.Node) bool {
			found = found || named(n, v.Planned.Items[i], v.options(), v.Op.FoldCase)
			return !found
		})
		if found {
			kept = append(kept, i)
		}
	}
	return kept
}

// holder is the object in which the list of rows stands; the payload where there
// is no list.
func (v *sight) holder() *rawjson.Node {
	p := v.Answer.Payload
	candidates := []*rawjson.Node{p, p.Get("result"), v.Answer.Result, v.output().Get(v.Planned.Tool)}
	for _, at := range candidates {
		if at.Get("results") == v.Answer.List {
			return at
		}
	}
	return nil
}

// tangled tells whether any call of this call's burst was answered with rows
// for items that another one of them asked for: then lengths and rows of the
// whole burst are LD-01's business.
func (v *sight) tangled(s *conform.Subject) bool {
	if v.Planned.Burst == "" {
		return false
	}
	type burstKey struct{ name string }
	return s.Recording.Memo(burstKey{v.Planned.Burst}, func() any {
		var together []*sight
		for _, c := range s.Calls {
			if c.Planned.Burst == v.Planned.Burst && c.Planned.Role == conform.RolePrimary {
				together = append(together, see(s.Operation, c))
			}
		}
		for _, one := range together {
			for _, r := range one.Tie.Surplus {
				for _, other := range together {
					if other != one && other.asksFor(one.Answer.Rows[r].Node) {
						return true
					}
				}
			}
		}
		return false
	}).(bool)
}

// asksFor tells whether a row names an item that this call asked for.
func (v *sight) asksFor(row *rawjson.Node) bool {
	for _, item := range v.Planned.Items {
		if named(row, item, v.options(), v.Op.FoldCase) {
			return true
		}
	}
	return false
}
