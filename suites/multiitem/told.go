package multiitem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// recorded is the step of a planned call that stands for a recorded answer.
const recorded = "recorded"

// read tells whether the target file says that the operation only reads.
func (v *sight) read() bool { return v.Op.Name != "" && !v.Op.Write }

// plain tells whether the call asks for its items in the ordinary way. Other
// calls are the business of the one rule they were planned for: another form or
// further arguments (INP), a validator's arguments (VAL-10), a failing auxiliary
// step (WF), a write that is repeated (IDM), a task that is cancelled (EFF-02).
func (v *sight) plain() bool {
	p := v.Planned
	return p.Role == conform.RolePrimary && p.Form == conform.FormList && len(p.Extra) == 0 && p.Follows == "" &&
		!p.AuxiliaryFails && !p.Cancels && (v.read() || p.Repeats == "" && p.Retries == "")
}

// batch accepts ordinary calls of two items or more.
func batch(v *sight) bool { return v.plain() && v.N() >= 2 }

// mixed tells whether good and bad items were asked for together; allGood and
// allBad, of a call that asks for something, whether all is known to be of one kind.
func (v *sight) mixed() bool   { g, b, _ := v.truths(); return g > 0 && b > 0 }
func (v *sight) allGood() bool { _, b, u := v.truths(); return b == 0 && u == 0 }
func (v *sight) allBad() bool  { g, _, u := v.truths(); return g == 0 && u == 0 }

// told gives what the one row of a requested item says of it. Where no row, or
// more than one, one that cannot be read, or one that contradicts the item
// answers it, ok is false.
func (v *sight) told(item int) (done bool, row *contract.Row, ok bool) {
	if item >= len(v.Tie.Rows) || len(v.Tie.Rows[item]) != 1 {
		return false, nil, false
	}
	row = &v.Answer.Rows[v.Tie.Rows[item][0]]
	return row.Flag == contract.Succeeded, row, row.Readable() && !slices.Contains(v.Tie.Wrong, row.Index)
}

// these gives the positions of the requested items of one truth.
func (v *sight) these(truth conform.Truth) []int {
	var found []int
	for i, item := range v.Planned.Items {
		if item.Truth == truth {
			found = append(found, i)
		}
	}
	return found
}

// where gives the positions among items for which the rows say done, or say not
// done; items without a readable row are in neither.
func (v *sight) where(items []int, done bool) []int {
	var found []int
	for _, i := range items {
		if d, _, ok := v.told(i); ok && d == done {
			found = append(found, i)
		}
	}
	return found
}

// blurred says why the rows cannot be compared with the truth of every item: a
// row that cannot be read, or an item without a row. It names the rule that
// speaks of it. Empty: every item is told by one readable row.
func (v *sight) blurred() string {
	if why := v.unreadable(); why != "" {
		return why
	}
	if v.paged() {
		return v.onePage().Reason
	}
	if !v.mismatch().none() {
		return "rows and items do not match one to one (see RES-02)"
	}
	return ""
}

// unreadable names the rule that says why a row has no outcome; empty if every
// row has one.
func (v *sight) unreadable() string {
	if v.AllReadable() {
		return ""
	}
	rule := "PRO-14" // a flag that is sent twice
	for _, k := range []struct {
		code contract.Code
		rule string
	}{{contract.FlagsDiffer, "RES-07"}, {contract.FlagNotBoolean, "RES-06"}, {contract.RowNoFlag, "RES-05"}, {contract.RowNotObject, "RES-04"}} {
		if v.Answer.Has(k.code) != nil {
			rule = k.rule
		}
	}
	return "not every row has an outcome that can be read (see " + rule + ")"
}

// name gives a requested item as a person knows it, without its JSON where a
// name or id says enough.
func (v *sight) name(item int) string {
	n, _ := rawjson.Parse(v.Planned.Items[item].Given) // what is asked for is JSON
	for _, member := range append([]string{"name", "id", "subject", "key"}, v.Op.Results.ID...) {
		if s, ok := scalar(n.Get(member)); ok {
			return fmt.Sprintf("%q", rawjson.Cut(s, 60))
		}
	}
	return n.Excerpt(60)
}

// called tells an item from others across calls: two calls for the same item have
// the same.
func (v *sight) called(item int) string {
	if i := v.Planned.Items[item]; i.Means != nil {
		return string(i.Means)
	}
	return string(v.Planned.Items[item].Given)
}

// atMost bounds how many names a finding lists.
const atMost = 6

// names lists requested items.
func (v *sight) names(items []int) string {
	words := make([]string, 0, atMost)
	for _, i := range items[:min(len(items), atMost)] {
		words = append(words, v.name(i))
	}
	return listing(words, len(items))
}

// rowNumbers lists rows as pointers into the list.
func rowNumbers(rows []int) string {
	words := make([]string, 0, atMost)
	for _, r := range rows[:min(len(rows), atMost)] {
		words = append(words, fmt.Sprintf("results[%d]", r))
	}
	return listing(words, len(rows))
}

func listing(words []string, of int) string {
	text := strings.Join(words, ", ")
	if more := of - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// count puts a number before a word.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// failItem is fail about one requested item: its position is kept, so that what
// follows from it can be folded under it.
func (v *sight) failItem(item int, at *rawjson.Node, want, got string, args ...any) *conform.Look {
	look := v.fail(at, want, got, args...)
	look.Item = item + 1
	return &look
}

// rowNode is the node of the first row that answers an item; nil where there is none.
func (v *sight) rowNode(item int) *rawjson.Node {
	if item < len(v.Tie.Rows) && len(v.Tie.Rows[item]) > 0 {
		return v.Answer.Rows[v.Tie.Rows[item][0]].Node
	}
	return nil
}
