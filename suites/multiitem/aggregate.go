package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func aggregate() []conform.Check {
	return []conform.Check{agg01, agg02, agg03, agg04, agg05, agg06, agg07, agg08}
}

var agg01 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-01", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "all good gives SUCCESS",
		Text:   "A batch of good items is told as done in every row, so that its status is SUCCESS.",
		Impact: "Work that was done is reported as a failure and done again, or a good request is refused.",
		Source: "agent_platform_oci, Multi_Item_MCP README, status table",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"busy"}]} where both are good`,
		Mend:   "Find out why a good item failed: a limit per batch, a shared resource, a race between items.",
		Since:  set,
	},
	Judge:   rows(func(v *sight) bool { return batch(v) && v.allGood() }, allDone),
	Missing: "no batch of good items was answered with rows",
}

// allDone judges batches of good items.
func allDone(s *conform.Subject, v *sight) *conform.Look {
	good := v.these(conform.Good)
	denied := v.where(good, false)
	switch {
	case v.tangled(s):
		return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
	case len(denied) > 0:
		look := v.failItem(denied[0], v.rowNode(denied[0]), fmt.Sprintf("SUCCESS: %d of %d done", len(good), len(good)),
			"failed for %s: %s", v.names(denied), v.rowNode(denied[0]).Excerpt(160))
		look.Hint = "find out why a good item failed: a limit per batch, a shared resource, a race between items. If the items are not good any more, correct `items.good` in the target file (or give it a `reset`)."
		return look
	case v.blurred() != "":
		return some(v.cannot("%s", v.blurred()))
	}
	return some(v.pass())
}

var agg02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-02", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "a mix gives PARTIAL_SUCCESS",
		Text:   "A batch of good and bad items is told as done for the good and failed for the bad ones, so that its status is PARTIAL_SUCCESS with the right counts.",
		Impact: "One bad item makes everything count as failed: what was done is hidden and done again.",
		Source: "agent_platform_oci, Multi_Item_MCP README, status table; normalizer test 1; contract decision 16",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":false,"error":"batch failed"},{"id":"X-9","success":false,"error":"not_found"}]}`,
		Mend:   "Keep the outcome of each item. If one bad item really rolls the whole batch back, say `atomic: true` in the target file.",
		Since:  set,
	},
	Applies: notAtomic,
	Judge:   rows(func(v *sight) bool { return batch(v) && v.mixed() }, partly),
	Missing: "no batch of good and bad items was answered with rows",
}

// partly judges mixed batches. Single lies are RES-12's business; here the batch
// counts as failed as a whole.
func partly(s *conform.Subject, v *sight) *conform.Look {
	good, bad := v.these(conform.Good), v.these(conform.Bad)
	_, _, unknown := v.truths()
	want := fmt.Sprintf("PARTIAL_SUCCESS: %d done, %d failed", len(good), len(bad))
	switch {
	case v.tangled(s):
		return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
	case v.stops(behaves(s)) != goesThrough:
		return some(v.cannot("nothing behind the first bad item was processed (see RES-03)"))
	case v.blurred() != "":
		return some(v.cannot("%s", v.blurred()))
	}
	_, succeeded, failed := v.Answer.Count()
	switch {
	case succeeded == 0:
		return v.failItem(good[0], v.rowNode(good[0]), want, "every row says failed: FAILED, 0 done, %d failed, although %s good", failed, was(len(good), v.names(good)))
	case unknown > 0:
		return nil
	case succeeded != len(good) || v.Tie.By == contract.ByIdentity && len(v.where(good, true)) != len(good):
		return some(v.cannot("the flags are not true to the items (see RES-12)"))
	}
	return some(v.pass())
}

var agg03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-03", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "all bad gives FAILED, with rows",
		Text:   "A batch of bad items is answered with its rows too, each failed, so that its status is FAILED.",
		Impact: "When everything fails nobody learns why each item failed.",
		Source: "agent_platform_oci, Multi_Item_MCP README, status table; contract decisions 6 and 8",
		Needs:  items,
		Good:   `{"ok":false,"result":{"results":[{"id":"X-8","success":false,"error":"not_found"},{"id":"X-9","success":false,"error":"locked"}]}}`,
		Bad:    `{"isError":true,"content":[{"type":"text","text":"nothing could be cancelled"}]}`,
		Mend:   "Send the rows also when none succeeded; isError or ok:false beside them is right then.",
		Since:  set,
	},
	Judge:   calls(conform.RolePrimary, func(v *sight) bool { return batch(v) && v.allBad() }, noneDone),
	Missing: "no batch of bad items was answered",
}

// noneDone judges batches of bad items.
func noneDone(s *conform.Subject, v *sight) *conform.Look {
	if !v.HasRows() {
		if rule := v.silence(behaves(s)); rule != "AGG-03" {
			return some(v.cannot("the answer has no results[] to read (see %s)", rule))
		}
		got := "no results in the answer"
		if how := v.refusal(); how != "" {
			got = "no rows: " + how
		}
		look := v.failItem(0, nil, fmt.Sprintf("FAILED with %s", count(v.N(), "row")), "%s", got)
		look.Hint = v.credentialsHint()
		return look
	}
	switch {
	case v.tangled(s):
		return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
	case v.blurred() != "":
		return some(v.cannot("%s", v.blurred()))
	case len(v.where(v.these(conform.Bad), true)) > 0:
		return some(v.cannot("the flags are not true to the items (see RES-12)"))
	}
	return some(v.pass())
}

var agg04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-04", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "a batch that failed says so",
		Text:   "Where every row says failed, `ok` is false or isError is true.",
		Impact: "Clients that look at the whole call only record a completed operation of which nothing was done.",
		Source: "agent_platform_oci, runtime: COMPLETED if ok; contract decision 8",
		Needs:  items,
		Good:   `{"isError":true,"structuredContent":{"results":[{"id":"X-8","success":false,"error":"locked"},{"id":"X-9","success":false,"error":"locked"}]}}`,
		Bad:    `{"structuredContent":{"ok":true,"results":[{"id":"X-8","success":false,"error":"locked"},{"id":"X-9","success":false,"error":"locked"}]}}`,
		Mend:   "Set isError (or ok:false) when no item succeeded, and keep the rows.",
		Since:  set,
	},
	Judge:   rows(batch, saysFailed),
	Missing: "no batch of which every row says failed was answered",
}

// saysFailed judges batches in which nothing succeeded, rightly as far as is known.
func saysFailed(_ *conform.Subject, v *sight) *conform.Look {
	if status, _ := v.Status(); status != contract.AllFailed {
		return nil
	}
	if good, bad, _ := v.truths(); good > 0 && !(v.Op.Atomic && bad > 0) {
		return some(v.cannot("good items are told as failed (see AGG-01, AGG-02)"))
	}
	ok, is := v.Answer.OK.Bool()
	switch {
	case v.Answer.IsError, is && !ok:
		return some(v.pass())
	case is:
		return some(v.fail(v.Answer.OK, "ok: false or isError: true", "ok: true, and every row says failed"))
	}
	return some(v.fail(v.Answer.List, "ok: false or isError: true", "neither, and every row says failed"))
}

var agg07 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-07", Level: conform.Should, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "no `terminal: true` beside a success",
		Text:   "`terminal: true` is not sent on an answer in which an item succeeded.",
		Impact: "The transaction is closed as blocked although part of it was done.",
		Source: "agent_platform_oci, runtime: a terminal payload ends the transaction as BLOCKED",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Bad:    `{"terminal":true,"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Mend:   "Send terminal only where nothing succeeded and nothing more can be done.",
		Since:  set,
	},
	Judge: rows(atLeast(1), func(_ *conform.Subject, v *sight) *conform.Look {
		_, succeeded, _ := v.Answer.Count()
		if succeeded == 0 {
			return nil
		}
		for _, at := range v.tops() {
			if yes, _ := at.Get("terminal").Bool(); yes {
				return some(v.fail(at.Get("terminal"), "no terminal: true", "terminal: true beside %s", count(succeeded, "row")+" that say success"))
			}
		}
		return some(v.pass())
	}),
	Missing: "no answer held a row that says success",
}

// tops are the objects whose members a client takes for the answer's own: the
// payload, its `result`, and the object that holds the rows. They may be one and
// the same, and some of them missing.
func (v *sight) tops() []*rawjson.Node {
	return []*rawjson.Node{v.Answer.Payload, v.Answer.Result, v.holder()}
}

var agg08 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-08", Level: conform.May, Basis: conform.Code, Group: conform.GroupCore,
		Title:  "no workflow word in `status`",
		Text:   "A direct tool's top-level status is not PAUSED or NEEDS_CLARIFICATION, and not COMPLETED or FAILED beside rows of both kinds.",
		Impact: "The platform takes the answer for a workflow's and closes or parks the conversation.",
		Source: "agent_platform_oci, runtime, workflow detection; contract 8b",
		Needs:  response,
		Good:   `{"status":"PARTIAL_SUCCESS","results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Bad:    `{"status":"COMPLETED","results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Mend:   "Use SUCCESS, PARTIAL_SUCCESS or FAILED as the rows say, or leave status out.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Workflow == conform.Present {
			return "the target file declares `workflow: true`: status is the workflow's own"
		}
		return ""
	},
	Judge:   rows(atLeast(1), noWorkflowWord),
	Missing: "no answer held rows",
}

// noWorkflowWord judges the top-level status of a direct tool's answer.
func noWorkflowWord(_ *conform.Subject, v *sight) *conform.Look {
	if len(v.Answer.Rows) == 0 {
		return nil
	}
	for _, at := range v.tops() {
		word, _ := at.Get("status").Str()
		_, succeeded, failed := v.Answer.Count()
		both := succeeded > 0 && failed > 0
		switch {
		case word == "PAUSED" || word == "NEEDS_CLARIFICATION" || word == "COMPLETED" && both:
			return some(v.fail(at.Get("status"), "another word, or no status", "status %q with %d done and %d failed", word, succeeded, failed))
		case word == "FAILED" && both:
			if at == v.holder() && v.aggregates()["status"] != "" {
				return some(v.cannot("status contradicts the rows (see AGG-05)"))
			}
			return some(v.fail(at.Get("status"), "another word, or no status", "status %q with %d done and %d failed", word, succeeded, failed))
		}
	}
	return some(v.pass())
}
