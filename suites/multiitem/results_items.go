package multiitem

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var res09 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-09", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "every row names its item",
		Text:   "Every row carries an index, or an id, name, subject or key of the item that it is about.",
		Impact: "Successes and failures are told of the wrong items as soon as the order changes.",
		Source: "agent_platform_oci, multi-item guide, reporting item by item; contract decision 15",
		Needs:  items,
		Good:   `{"results":[{"id":"A-2","success":true},{"id":"A-1","success":false,"error":"locked"}]}`,
		Bad:    `{"results":[{"success":true},{"success":false,"error":"locked"}]}`,
		Mend:   "Repeat in each row what the request called the item: its id or name as given, or its index.",
		Since:  set,
	},
	Judge:   rows(completable, namesItsItem),
	Missing: "no batch of two items or more was answered with rows",
}

// namesItsItem judges rows that are objects; the others are RES-04's business.
func namesItsItem(s *conform.Subject, v *sight) *conform.Look {
	const want = "an index, id, name, subject or key of the requested item in every row"
	if len(v.Answer.Rows) == 0 || v.tangled(s) || len(v.auxiliaryRows()) > 0 {
		return nil
	}
	if v.Answer.Has(contract.RowNotObject) != nil {
		return some(v.cannot("a row is no object (see RES-04)"))
	}
	if len(v.Tie.Wrong) > 0 {
		row := v.Tie.Wrong[0]
		return some(v.fail(v.Answer.Rows[row].Node, want, "%s: the members of the row name two different items", rowNumbers(v.Tie.Wrong)))
	}
	if len(v.Tie.Surplus) > 0 {
		return some(v.cannot("rows are for items that nobody asked for (see RES-02)"))
	}
	loose := v.Tie.Nameless
	if len(loose) == 0 {
		return some(v.pass())
	}
	return some(v.fail(v.Answer.Rows[loose[0]].Node, want, "nothing in %s names a requested item", rowNumbers(loose)))
}

var res10 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-10", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "rows can be tied to items without counting",
		Text:   "Order decides nothing: rows that carry no name of their item follow the order of the request at best.",
		Impact: "Only the position links a row to its item, and nothing shows when it is wrong.",
		Source: "contract decision 3, inferred",
		Needs:  items,
		Good:   `{"results":[{"index":1,"success":true},{"index":0,"success":true}]}`,
		Bad:    `{"results":[{"success":true},{"success":true}]}`,
		Mend:   "Add an index or the item's id to each row; then the order is free.",
		Since:  set,
	},
	Judge:   rows(completable, tiedByName),
	Missing: "no batch of two items or more was answered with rows",
}

// tiedByName advises where order alone ties the rows.
func tiedByName(_ *conform.Subject, v *sight) *conform.Look {
	switch {
	case v.Answer.Has(contract.RowNotObject) != nil:
		return some(v.cannot("a row is no object (see RES-04)"))
	case v.Tie.By == contract.ByIdentity:
		return some(v.pass())
	case v.Tie.By == contract.ByNothing:
		return some(v.cannot("rows and items do not match one to one (see RES-02)"))
	}
	look := v.fail(v.Answer.List, "rows that name their items", "only the position ties the rows to the items")
	done := 0
	good := v.these(conform.Good)
	for _, row := range v.Answer.Rows {
		if row.Flag == contract.Succeeded {
			done++
		}
	}
	if _, _, unknown := v.truths(); unknown == 0 && done == len(good) && len(v.where(good, false)) > 0 {
		look.Got += ", and the order is not that of the request: the flags fit only in another order"
	}
	return &look
}

var res11 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-11", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "a failed row says why",
		Text:   "A row that failed has a non-empty member that explains it: reason, error, errors, message, code, detail or status.",
		Impact: "The customer hears \"failed\" and neither people nor programs know what to do next.",
		Source: "agent_platform_oci, multi-item guide, examples; contract 8b",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false}]}`,
		Mend:   "Add error or reason to every failed row, with a code or a sentence.",
		Since:  set,
	},
	Judge:   rows(atLeast(1), saysWhy),
	Missing: "no answer held a row that says failed",
}

// saysWhy judges the rows that failed.
func saysWhy(_ *conform.Subject, v *sight) *conform.Look {
	var bare []int
	failed := 0
	for i, row := range v.Answer.Rows {
		if row.Flag != contract.Failed {
			continue
		}
		failed++
		if !explains(row.Node) {
			bare = append(bare, i)
		}
	}
	switch {
	case failed == 0:
		return nil
	case len(bare) == 0:
		return some(v.pass())
	}
	return some(v.fail(v.Answer.Rows[bare[0]].Node, "a reason or error in each failed row", "%s: failed, and no member says why", rowNumbers(bare)))
}

var explaining = []string{"reason", "error", "message", "code", "detail", "status", "cause", "explanation", "problem", "failure"}

// explains tells whether a row has a member that can explain a failure.
func explains(row *rawjson.Node) bool {
	for _, m := range row.Members {
		if m.Value.Empty() || m.Value.Is(rawjson.Bool) {
			continue
		}
		name := strings.ToLower(m.Name)
		for _, word := range explaining {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}

var res12 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-12", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "the flags are true to the items",
		Text:   "An item known to be good is told as done, an item known to be bad as failed.",
		Impact: "People are told that something was done which was not, or the other way round.",
		Source: "agent_platform_oci, multi-item guide, purpose of results[]; contract decisions 16 and 17",
		Needs:  items,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"not_found"}]} where X-9 does not exist`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":true}]} where X-9 does not exist`,
		Mend:   "Set each flag from the backend's own answer for that item; an unknown id is a failure.",
		Since:  set,
	},
	Judge:   rows(truthsKnown, tellsTheTruth),
	Missing: "no item known to be good or bad was answered with a row",
}

// truthsKnown accepts calls whose rows can be held against what is known. What
// another form, further arguments or a failing auxiliary step do to the flags is
// the business of the rules that ask for it.
func truthsKnown(v *sight) bool {
	p := v.Planned
	if p.Follows != "" {
		return !p.AuxiliaryFails && p.Repeats == "" && p.Retries == ""
	}
	return v.plain()
}

// tellsTheTruth judges item by item. Lies that make up a pattern of the whole
// batch have a rule of their own, which is named.
func tellsTheTruth(s *conform.Subject, v *sight) *conform.Look {
	good, bad := v.these(conform.Good), v.these(conform.Bad)
	if len(good)+len(bad) == 0 {
		return nil
	}
	if v.tangled(s) {
		return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
	}
	if v.Tie.By == contract.ByOrder {
		return v.tellsTheNumber(good, bad)
	}
	if v.Op.Atomic && len(bad) > 0 { // all of them are to be told as failed
		good, bad = nil, append(good, bad...)
	}
	denied, invented := v.where(good, false), v.where(bad, true)
	switch {
	case len(invented) > 0:
		at := invented[0]
		because := v.Planned.Items[at].Because
		if because == "" {
			because = "bad"
		}
		if v.Planned.Items[at].Truth == conform.Good {
			because = "rolled back: the operation is atomic and the batch holds a bad item"
		}
		return v.failItem(at, v.rowNode(at), "failed for "+v.names(invented)+" ("+because+")", "success for %s", v.names(invented))
	case len(v.where(good, true))+len(v.where(bad, false)) == 0 && len(denied) == 0:
		if why := v.blurred(); why != "" {
			return some(v.cannot("%s", why))
		}
		return nil
	case len(denied) == 0:
		return some(v.pass())
	}
	if rule := v.patternOf(s, denied, good, bad); rule != "" {
		return some(v.cannot("good items are told as failed in a pattern of its own (see %s)", rule))
	}
	look := v.failItem(denied[0], v.rowNode(denied[0]), "success for "+v.names(denied), "failed for %s: %s", v.names(denied), v.rowNode(denied[0]).Excerpt(160))
	look.Hint = "if the items are not good any more, correct `items.good` in the target file (or give it a `reset`)"
	return look
}

// patternOf names the rule that speaks of good items told as failed together.
func (v *sight) patternOf(s *conform.Subject, denied, good, bad []int) string {
	all := len(denied) == len(good)
	switch {
	case v.Planned.Follows != "":
		if all {
			return "VAL-10"
		}
	case v.N() >= 2 && len(bad) == 0:
		return "AGG-01"
	case v.stops(behaves(s)) != goesThrough:
		return "RES-03"
	case len(bad) > 0 && all:
		return "AGG-02"
	}
	return ""
}

// tellsTheNumber judges rows that only their position ties: then no more than
// the number of successes can be held against the truth.
func (v *sight) tellsTheNumber(good, bad []int) *conform.Look {
	if why := v.unreadable(); why != "" {
		return some(v.cannot("%s", why))
	}
	if _, _, unknown := v.truths(); unknown > 0 {
		return nil
	}
	_, done, _ := v.Answer.Count()
	want := len(good)
	if v.Op.Atomic && len(bad) > 0 {
		want = 0
	}
	switch {
	case done == want:
		return some(v.pass())
	case len(bad) == 0 && v.N() >= 2:
		return some(v.cannot("good items are told as failed (see AGG-01)"))
	case done == 0:
		return some(v.cannot("every item is told as failed (see AGG-02)"))
	}
	return some(v.fail(v.Answer.List, fmt.Sprintf("%d of %d rows say success", want, v.N()), "%d of %d", done, len(v.Answer.Rows)))
}

var res13 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-13", Level: conform.Must, Basis: conform.Tested, Group: conform.GroupCore,
		Title:  "one item, one row",
		Text:   "A call for one item is answered with exactly one row, and an `ok` that is sent does not say the opposite of it.",
		Impact: "The most common request of all, a single item, is told wrongly.",
		Source: "agent_platform_oci, tests/test_multi_item_result_normalization.py, single item; contract 8b",
		Needs:  items,
		Good:   `{"ok":false,"result":{"results":[{"id":"X-9","success":false,"error":"not_found"}]}}`,
		Bad:    `{"ok":true,"result":{"results":[{"id":"X-9","success":false,"error":"not_found"}]}}`,
		Mend:   "Treat one item as a batch of one: one row, and `ok` (if you send it) equal to its flag.",
		Since:  set,
	},
	Judge:   begun(conform.RolePrimary, func(v *sight) bool { return v.N() == 1 && v.plain() }, jobForOne, oneRowForOne),
	Missing: "no call for one item was answered",
}

// oneRowForOne judges calls for one item.
func oneRowForOne(s *conform.Subject, v *sight) *conform.Look {
	const want = "exactly one row"
	if !v.HasRows() {
		rule := v.silence(behaves(s))
		if rule != "RES-13" {
			return some(v.cannot("the answer has no results[] to read (see %s)", rule))
		}
		got := "no results in the answer"
		if how := v.refusal(); how != "" {
			got = "the whole call was refused: " + how
		} else if v.Answer.List != nil {
			got = "results is " + v.Answer.List.Kind.Article()
		}
		look := v.failItem(0, nil, want, "%s", got)
		look.Hint = v.credentialsHint()
		return look
	}
	if len(v.Answer.Rows) != 1 || len(v.Tie.Surplus) > 0 {
		if v.tangled(s) {
			return some(v.cannot("rows of another call in flight are among these (see LD-01)"))
		}
		if why := behaves(s).loses(v, 0, len(v.these(conform.Good)) == 0); why != "" && len(v.Answer.Rows) == 0 {
			return some(v.cannot("%s", why))
		}
		got := count(len(v.Answer.Rows), "row")
		if len(v.Tie.Surplus) > 0 {
			got += ": " + v.mismatched(mismatch{surplus: v.Tie.Surplus})
		}
		return v.failItem(0, v.Answer.List, want+" for "+v.name(0), "%s", got)
	}
	row := v.Answer.Rows[0]
	if ok, is := v.Answer.OK.Bool(); is && row.Readable() && ok != (row.Flag == contract.Succeeded) {
		return v.failItem(0, v.Answer.OK, fmt.Sprintf("ok: %t, as its only row says", !ok), "ok: %t beside %s", ok, row.Node.Excerpt(120))
	}
	return some(v.pass())
}

var res14 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-14", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "equal items are told as such",
		Text:   "Requested items that are equal after canonicalization are not merged, run twice, or answered under one identity without the answer saying so.",
		Impact: "A thing named twice is done twice: two orders, two payments, two cancellations.",
		Source: "contract decision 2 and 8b; modelcontextprotocol/servers pull 4383",
		Needs:  response,
		Good:   `{"results":[{"index":0,"name":"Ana","success":true},{"index":1,"name":"Ana","success":false,"error":"duplicate_of_0"}]}`,
		Bad:    `{"results":[{"index":0,"name":"Ana","success":true},{"index":1,"name":" Ana","success":true}]}`,
		Mend:   "Canonicalize first (NFC, outer space), do the item once, and give the second request its own row that says it repeats the first.",
		Since:  set,
	},
	Judge:   rows(func(v *sight) bool { return v.plain() && len(v.repeated()) > 0 }, toldApart),
	Missing: "no batch with equal items was answered with rows",
}

// repeated gives the requested items that equal an earlier one, each with it:
// the position of the first, then its own.
func (v *sight) repeated() [][2]int { return contract.EqualItems(v.Planned.Items, v.Op.FoldCase) }

// toldApart judges each item that repeats an earlier one.
func toldApart(s *conform.Subject, v *sight) *conform.Look {
	if why := v.unreadable(); why != "" {
		return some(v.cannot("%s", why))
	}
	if v.paged() {
		return some(v.onePage())
	}
	if len(v.Tie.Missing()) > 0 {
		return some(v.cannot("not every item has a row (see RES-02)"))
	}
	merged := map[int]bool{}
	for _, i := range v.Tie.Merged {
		merged[i] = true
	}
	for _, pair := range v.repeated() {
		first, again := pair[0], pair[1]
		switch {
		case !merged[again] && !merged[first]:
		case saysRepeated(v.rowNode(first)) || saysRepeated(v.rowNode(again)):
		case behaves(s).loses(v, again, true) != "": // a repetition may be refused as such
			return some(v.cannot("%s", behaves(s).loses(v, again, true)))
		default:
			return v.failItem(again, v.Answer.List, "a row of its own for "+v.name(again)+", which repeats "+v.name(first),
				"one row for both, and nothing says that they were taken for one")
		}
	}
	if !v.mismatch().none() {
		return some(v.cannot("rows and items do not match one to one (see RES-02)"))
	}
	for _, pair := range v.repeated() {
		first, again := pair[0], pair[1]
		done1, row1, ok1 := v.told(first)
		done2, row2, ok2 := v.told(again)
		if ok1 && ok2 && done1 && done2 && !saysRepeated(row1.Node) && !saysRepeated(row2.Node) && v.countsTwice() {
			return v.failItem(again, row2.Node, "one of the equal items "+v.name(first)+" and "+v.name(again)+" done, and the other told as its repetition",
				"both are told as done, and nothing says that they are one")
		}
	}
	return some(v.pass())
}

// countsTwice tells whether doing an item twice differs from doing it once.
func (v *sight) countsTwice() bool {
	return v.Op.Write && v.Op.Semantics != "idempotent" && v.Op.Semantics != "append"
}

var repeatedWords = []string{"duplicate", "duplicado", "duplicada", "repeat", "merged", "already", "same as", "same_as", "sameas", "identical", "deduplicated", "dedup", "conflict"}

// saysRepeated tells whether a row speaks of a repetition.
func saysRepeated(row *rawjson.Node) bool {
	found := false
	if !row.Is(rawjson.Object) {
		return false
	}
	row.Walk(func(n *rawjson.Node) bool {
		for _, m := range n.Members {
			if yes, ok := m.Value.Bool(); ok && !yes {
				continue
			}
			found = found || speaksOf(m.Name) && !m.Value.Empty()
		}
		text, _ := n.Str()
		found = found || speaksOf(text)
		return true
	})
	return found
}

func speaksOf(text string) bool {
	text = strings.ToLower(text)
	for _, word := range repeatedWords {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
