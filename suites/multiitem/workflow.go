package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func workflow() []conform.Check { return []conform.Check{wf01, wf02, wf03, wf04} }

// noWorkflow says why rules about workflows have no meaning.
func noWorkflow(s *conform.Subject) string {
	if s.Operation != nil && s.Operation.Workflow == conform.Absent {
		return "the target file declares `workflow: none`"
	}
	return ""
}

// ofWorkflow accepts calls of operations that are workflows.
func ofWorkflow(v *sight) bool { return v.Op.Workflow == conform.Present && v.N() >= 2 }

const noAuxiliary = "no call made an auxiliary step of the workflow fail"

var wf01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "WF-01", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupWorkflow,
		Title:  "rows stand under the tool's own name",
		Text:   "A workflow answers with results[] at output[tool], where the key is exactly the tool's name.",
		Impact: "The platform looks under the tool's name, finds nothing, and loses every outcome.",
		Source: "agent_platform_oci, Multi_Item_MCP README, workflow-backed tools; normalizer test 1",
		Needs:  items,
		Good:   `{"status":"COMPLETED","output":{"cancel_products":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}}`,
		Bad:    `{"status":"COMPLETED","output":{"step1":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}}`,
		Mend:   "Name the workflow's primary node like the tool, or copy its output under that key.",
		Since:  set,
	},
	Applies: noWorkflow,
	Judge: calls(conform.RolePrimary, func(v *sight) bool { return ofWorkflow(v) && v.plain() }, func(s *conform.Subject, v *sight) *conform.Look {
		want := fmt.Sprintf("results[] at output[%q]", v.Planned.Tool)
		switch {
		case v.HasRows() && v.Answer.Place == contract.Workflow:
			return some(v.pass())
		case v.HasRows():
			return some(v.fail(v.Answer.List, want, "results[] outside `output`"))
		case v.misplaced() == "WF-01":
			key := v.otherOutput()
			look := v.fail(v.output(), want, "results[] at output[%q]", rawjson.Cut(key, 60))
			if key == "" {
				look.Got = "results[] in another place: " + v.Answer.Has(contract.Misplaced).Pointer
			}
			return &look
		}
		return v.without(s)
	}),
	Missing: "no batch of the workflow was answered (the target file says `workflow: true` for one)",
}

// auxiliary accepts calls that made an auxiliary step fail.
func auxiliary(v *sight) bool { return ofWorkflow(v) && v.Planned.AuxiliaryFails }

var wf02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "WF-02", Level: conform.Must, Basis: conform.Tested, Group: conform.GroupWorkflow,
		Title:  "a failing side step leaves the rows alone",
		Text:   "Where an auxiliary step fails, the rows and their flags are what they would have been without it.",
		Impact: "Because a notification failed, a cancellation that was done is told as failed.",
		Source: "agent_platform_oci, tests/test_multi_item_result_normalization.py, test 2",
		Needs:  items,
		Good:   `{"ok":false,"error":"notify failed","result":{"output":{"cancel_products":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]},"notify":{"success":false,"error":"down"}}}}`,
		Bad:    `{"ok":false,"error":"notify failed","result":{"output":{"cancel_products":{"results":[{"id":"A-1","success":false},{"id":"A-2","success":false}]},"notify":{"success":false,"error":"down"}}}}`,
		Mend:   "Fix each row when its item is done; later steps report under their own key.",
		Since:  set,
	},
	Applies: noWorkflow,
	Judge:   rows(auxiliary, rowsUntouched),
	Missing: noAuxiliary,
}

// rowsUntouched judges rows of a workflow whose auxiliary step failed.
func rowsUntouched(s *conform.Subject, v *sight) *conform.Look {
	if len(v.auxiliaryRows()) > 0 {
		return some(v.cannot("rows of another step are among these (see WF-04)"))
	}
	if why := v.unreadable(); why != "" {
		return some(v.cannot("%s", why))
	}
	if v.paged() {
		return some(v.onePage())
	}
	good, bad := v.these(conform.Good), v.these(conform.Bad)
	if m := v.mismatch(); !m.none() {
		if why := v.leftOut(behaves(s), m); why != "" {
			return some(v.cannot("%s", why))
		}
		look := v.fail(v.Answer.List, count(v.N(), "row")+", as without the failing step", "%s", v.mismatched(m))
		return &look
	}
	flipped := append(v.where(good, false), v.where(bad, true)...)
	switch {
	case len(good)+len(bad) == 0:
		return nil
	case len(flipped) == 0:
		return some(v.pass())
	case behaves(s).flips:
		return some(v.cannot("good items are told as failed without the failing step too (see AGG-01, RES-12)"))
	}
	return v.failItem(flipped[0], v.rowNode(flipped[0]), "the flags that the items have without the failing step",
		"%s told the other way round", was(len(flipped), v.names(flipped)))
}

var wf03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "WF-03", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupWorkflow,
		Title:  "a failing side step does not take the output away",
		Text:   "Where an auxiliary step fails, the answer still holds `output` with the rows of the primary step.",
		Impact: "Work that is finished is forgotten because of a failure that came later.",
		Source: "agent_platform_oci, Multi_Item_MCP README, workflow-backed tools; fix note of 2026-09-18",
		Needs:  items,
		Good:   `{"ok":false,"error":"notify failed","result":{"output":{"cancel_products":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}}}`,
		Bad:    `{"ok":false,"error":"notify failed"}`,
		Mend:   "Answer with the last snapshot of the steps that were completed, and put the failure beside it.",
		Since:  set,
	},
	Applies: noWorkflow,
	Judge: calls(conform.RolePrimary, auxiliary, func(s *conform.Subject, v *sight) *conform.Look {
		if v.HasRows() {
			return some(v.pass())
		}
		c := behaves(s)
		switch rule := v.silence(c); {
		case rule != "WF-03":
			return some(v.cannot("the answer has no results[] to read (see %s)", rule))
		case c.mute():
			return some(v.cannot("there are no rows without the failing step either (see RES-01, WF-01)"))
		}
		got := "no output in the answer"
		if v.output() != nil {
			got = "no rows under output"
		}
		if how := v.refusal(); how != "" {
			got += ": " + how
		}
		return some(v.fail(nil, "`output` with the rows of the primary step", "%s", got))
	}),
	Missing: noAuxiliary,
}

var wf04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "WF-04", Level: conform.Must, Basis: conform.Tested, Group: conform.GroupWorkflow,
		Title:  "other steps keep their own rows",
		Text:   "Entries of other steps never stand among the rows of the primary step, nor in place of them.",
		Impact: "The success of a side step is told as the success of the thing that was asked for.",
		Source: "agent_platform_oci, tests/test_multi_item_result_normalization.py, test 4",
		Needs:  items,
		Good:   `{"output":{"cancel_products":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]},"notify":{"results":[{"step":"mail","success":true}]}}}`,
		Bad:    `{"output":{"cancel_products":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true},{"step":"mail","success":true}]}}}`,
		Mend:   "Leave each step's entries under its own key of output.",
		Since:  set,
	},
	Applies: noWorkflow,
	Judge: rows(ofWorkflow, func(_ *conform.Subject, v *sight) *conform.Look {
		foreign := v.auxiliaryRows()
		if len(foreign) == 0 {
			return some(v.pass())
		}
		return some(v.fail(v.Answer.Rows[foreign[0]].Node, "rows of the requested items only", "%s: an entry of another step, %s",
			rowNumbers(foreign), v.Answer.Rows[foreign[0]].Node.Excerpt(120)))
	}),
	Missing: "no batch of the workflow was answered with rows",
}

// auxiliaryRows are the rows of a workflow's answer that another step wrote: they
// answer no requested item, and either stand under another key of output too, or
// come beside a row for every item and name nothing of the kind that was asked for.
func (v *sight) auxiliaryRows() []int {
	if v.Op.Workflow != conform.Present {
		return nil
	}
	accused := map[int]bool{}
	for _, r := range v.Tie.Surplus {
		accused[r] = true
	}
	complete := len(v.Tie.Missing()) == 0
	var found []int
	for r, item := range v.Tie.Item {
		if item >= 0 {
			continue
		}
		if v.elsewhereInOutput(v.Answer.Rows[r].Node) || complete && !accused[r] {
			found = append(found, r)
		}
	}
	return found
}

// elsewhereInOutput tells whether an entry stands under another step's key too.
func (v *sight) elsewhereInOutput(entry *rawjson.Node) bool {
	out := v.output()
	if out == nil {
		return false
	}
	found := false
	for _, m := range out.Members {
		if m.Name == v.Planned.Tool {
			continue
		}
		m.Value.Walk(func(n *rawjson.Node) bool {
			found = found || n.Is(rawjson.Object) && sameJSON(n, entry)
			return true
		})
	}
	return found
}
