package multiitem_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfRows(t *testing.T) {
	two, three, mixed := good("A-1", "A-2"), good("A-1", "A-2", "A-3"), join(good("A-1"), bad("X-1"))
	unknown := conform.Item{Given: json.RawMessage(`{"id":"U-1"}`)}
	const nameless = `{"success":true}`
	corners(t, []corner{
		// RES-01: a batch is answered with rows.
		{"a large batch refused, another taken", "RES-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "too many", three)
		}, conform.Fail, []string{"the whole call was refused", "maxItems"}},
		{"a batch refused, and no other taken", "RES-01", nil, func(f *film) { f.refuse("c1", "too many", two) }, conform.Fail, []string{"the whole call was refused", "!maxItems"}},
		{"a large batch refused for want of a role", "RES-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "permission denied", three)
		}, conform.Fail, []string{"permission problem", "!maxItems"}},
		{"one flag for the whole batch", "RES-01", nil, func(f *film) { f.structured("c1", `{"success":true}`, mixed) }, conform.Fail, []string{`it says success: true for the whole call, and "Product X-1" is known to be bad (not_found)`}},
		{"one flag for the whole batch, and it says no", "RES-01", nil, func(f *film) { f.structured("c1", `{"success":false}`, mixed) }, conform.Fail, []string{"!for the whole call"}},
		{"a shape of its own that tells a bad item as done", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","done":true},{"id":"X-1","done":true},{"id":"X-2","done":true}]}`, join(mixed, bad("X-2")))
		}, conform.Fail, []string{`success is claimed for "Product X-1", "Product X-2", known to be bad (not_found)`}},
		{"a shape of its own that leaves a bad item out", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"present"}}
		}, func(f *film) { f.structured("c1", `{"rows":["A-1"]}`, join(mixed, bad("X-2"))) }, conform.Fail, []string{`left out without a word: "Product X-1", "Product X-2" (not_found)`}},
		{"a shape of its own that tells a failure", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","done":true},{"id":"X-1","done":false}]}`, mixed)
		}, conform.Fail, []string{`that "Product X-1" failed stands only inside a text`}},
		{"a shape of its own with two flags, the first named present", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"present", "done"}}
		}, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","present":true},{"id":"X-1","done":false}]}`, mixed)
		}, conform.Fail, []string{"stands only inside a text"}},
		{"a shape of its own that says nothing of a bad item", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) { f.structured("c1", `{"rows":[{"id":"A-1","done":true}]}`, join(mixed, bad("X-2"))) }, conform.Fail, []string{`nothing is said of "Product X-1", "Product X-2" (not_found)`}},
		{"a shape of its own, and its flag is the mapped one", "RES-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) { f.structured("c1", `{"success":true,"rows":[{"id":"A-1","done":true}]}`, mixed) }, conform.Fail, []string{"!for the whole call", "nothing is said of"}},

		{"one flag for the whole batch, and nobody knows why an item is bad", "RES-01", nil, func(f *film) {
			f.structured("c1", `{"success":true}`, join(good("A-1"), []conform.Item{{Given: json.RawMessage(`{"id":"X-1"}`), Truth: conform.Bad}}))
		}, conform.Fail, []string{`"X-1" is known to be bad`, "!bad ("}},
		{"one batch is answered, another is lost", "RES-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.lose("c2", conform.TimedOut, three)
		}, conform.Inconclusive, []string{"nothing came"}},

		// RES-02: rows and items, one to one.
		{"one item twice, the other not at all", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-1+"), two) }, conform.Fail, []string{`no row for "Product A-2"`, `more than one row for "Product A-1"`}},
		{"two strangers, and an item without a row", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "Z-1+", "Z-2+"), two) }, conform.Fail, []string{`no row for "Product A-2"`, "results[1]", "results[2]"}},
		{"a stranger at an index, and one more", "RES-02", nil, func(f *film) {
			f.call("c1", `{"index":0,"id":"Z-1","success":true},{"index":1,"id":"A-2","success":true},{"id":"Z-2","success":true}`, two)
		}, conform.Fail, []string{`results[0] {"index":0,"id":"Z-1","success":true}, results[2]`}},
		{"a stranger, and a row without a name for three items", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("Z-1+")+","+nameless, three) }, conform.Fail, []string{"no row for", "for nothing that was asked", "!not every row"}},
		{"a stranger, and rows without a name for all others", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("Z-1+")+","+nameless+","+nameless+","+nameless, three) }, conform.Fail, []string{"for nothing that was asked", "!no row for"}},
		{"one row with a name, and too many without", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+")+","+nameless+","+nameless+","+nameless, three) }, conform.Fail, []string{"not every row says which one", "!no row for"}},
		{"no row at all", "RES-02", nil, func(f *film) { f.call("c1", "", two) }, conform.Fail, []string{`no row for "Product A-1", "Product A-2"`, "!not every row"}},
		{"the list is the inner one, and goes on", "RES-02", nil, func(f *film) {
			f.structured("c1", `{"results":null,"result":{"results":[`+rowsOf("A-1+")+`],"next_cursor":"2"}}`, two)
		}, conform.NotRun, []string{"page"}},
		{"eight strangers", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+", "Z-1+", "Z-2+", "Z-3+", "Z-4+", "Z-5+", "Z-6+", "Z-7+", "Z-8+"), two)
		}, conform.Fail, []string{`"Z-6"`, "and 2 more", `!"Z-7"`}},
		{"the validator dropped the item without a row", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, following(`{"items":[{"id":"A-1"}]}`))
		}, conform.NotRun, []string{"see VAL-08"}},
		{"the validator kept the item without a row", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, following(`{"items":[{"id":"A-2"},{"id":"A-1"}]}`))
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"of two items without a row the validator kept one", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-3+"), three, following(`{"items":[{"id":"A-2"},{"id":"A-3"}]}`))
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"the validator dropped one, and another has two rows", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-1+"), two, following(`{"items":[{"id":"A-1"}]}`))
		}, conform.Fail, []string{`more than one row for "Product A-1"`, "!no row for"}},
		{"and there is a stranger too", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-1+", "Z-1+"), two, following(`{"items":[{"id":"A-1"}]}`))
		}, conform.Fail, []string{"more than one row for", "for nothing that was asked"}},
		{"the validator dropped two, and a row has no name", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+")+","+nameless, three, following(`{"items":[{"id":"A-1"}]}`))
		}, conform.Fail, []string{"not every row says which one"}},
		{"what followed the validator is not known", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, following(``))
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"the validator writes in other letters, which is the same", "RES-02", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, following(`{"items":["a-1","a-2"]}`))
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"the validator writes in other letters, which is another", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, following(`{"items":["a-1","a-2"]}`))
		}, conform.NotRun, []string{"see VAL-08"}},
		{"the validator's call is judged no other way", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two)
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"a row of another call in flight", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "A-1+"), good("A-2", "A-4"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight, in other letters", "RES-02", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "a-1+"), good("A-2", "A-4"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"the request calls the items otherwise than the file", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), two, func(p *conform.Planned) { p.Arguments = json.RawMessage(`{"positions":[1,2]}`) })
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"a row too many for an item of its own call", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+"), good("C-1"), together("b"))
			f.call("c2", `{"id":"a","success":true},{"id":"a","success":true}`, []conform.Item{{Given: quote(" a")}, {Given: quote("b")}}, together("b"))
		}, conform.Fail, []string{"for nothing that was asked: results[1]"}},
		{"a stranger's row that names an item of its own call besides", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+"), good("C-1"), together("b"))
			f.call("c2", rowsOf("A-1+")+`,{"id":"Z-1","key":"A-2","success":true}`, two, together("b"))
		}, conform.Fail, []string{"for nothing that was asked: results[1]"}},
		{"a row of a validator's item in flight", "RES-02", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, good("Z-1"), together("b"), asValidator)
			f.call("c2", rowsOf("A-1+", "Z-1+"), two, together("b"))
		}, conform.Fail, []string{"for nothing that was asked"}},
		{"a row of another burst", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("Z-1+", "Z-2+"), good("Z-1", "Z-2"), together("a"))
			f.call("c2", rowsOf("A-1+", "Z-1+"), two, together("b"))
		}, conform.Fail, []string{"for nothing that was asked"}},

		// RES-03: one bad item stops no other.
		{"a good one failed before the bad one, and one behind it", "RES-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2-", "X-1-", "A-3-"), join(two, bad("X-1"), good("A-3")))
		}, conform.NotRun, []string{"see RES-12"}},
		{"nothing behind the bad one but a row without a name", "RES-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-")+","+nameless, join(mixed, good("A-2", "A-3")))
		}, conform.NotRun, []string{"see RES-02"}},
		{"the bad one first and all failed, where other batches are rolled back or not", "RES-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.call("c2", rowsOf("B-1-", "X-1-"), join(good("B-1"), bad("X-1")))
			f.call("c3", rowsOf("X-1-", "A-5-"), join(bad("X-1"), good("A-5")))
		}, conform.NotRun, []string{"see AGG-02"}},
		{"the bad one first and all failed, where other batches go on", "RES-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.call("c3", rowsOf("X-1-", "A-5-"), join(bad("X-1"), good("A-5")))
		}, conform.Fail, []string{`"Product A-5" is told as failed, although it is good`}},

		// RES-08: one name for the flag.
		{"ok first, success then", "RES-08", nil, func(f *film) { f.call("c1", `{"id":"A-1","ok":true},{"id":"A-2","success":true}`, two) }, conform.Fail, []string{"results[1] has success, results[0] has ok"}},
		{"a row without a flag, then both names", "RES-08", nil, func(f *film) {
			f.call("c1", `{"id":"A-1"},{"id":"A-2","success":true},{"id":"A-3","ok":true}`, three)
		}, conform.Fail, []string{"results[1] has success, results[2] has ok"}},

		// RES-09 and RES-10: rows name their items.
		{"no rows at all", "RES-09", nil, func(f *film) { f.call("c1", "", two) }, conform.NotRun, []string{"no batch of two items"}},
		{"a row that is no object", "RES-09", nil, func(f *film) { f.call("c1", rowsOf("A-1+")+",null", two) }, conform.NotRun, []string{"see RES-04"}},
		{"a row for nothing that was asked", "RES-09", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "Z-1+"), two) }, conform.NotRun, []string{"see RES-02"}},
		{"a row that is no object", "RES-10", nil, func(f *film) { f.call("c1", rowsOf("A-1+")+",null", two) }, conform.NotRun, []string{"see RES-04"}},
		{"too few rows without names", "RES-10", nil, func(f *film) { f.call("c1", nameless, two) }, conform.NotRun, []string{"see RES-02"}},
		{"in another order, without names", "RES-10", nil, func(f *film) { f.call("c1", `{"success":false,"error":"x"},{"success":true}`, mixed) }, conform.Fail, []string{"the flags fit only in another order"}},
		{"in order, without names", "RES-10", nil, func(f *film) { f.call("c1", `{"success":true},{"success":false,"error":"x"}`, mixed) }, conform.Fail, []string{"only the position ties", "!another order"}},
		{"all failed, without names", "RES-10", nil, func(f *film) {
			f.call("c1", `{"success":false,"error":"x"},{"success":false,"error":"x"}`, mixed)
		}, conform.Fail, []string{"only the position ties", "!another order"}},
		{"one of which nothing is known, without names", "RES-10", nil, func(f *film) {
			f.call("c1", `{"success":false,"error":"x"},{"success":true},{"success":false,"error":"x"}`, join(mixed, []conform.Item{unknown}))
		}, conform.Fail, []string{"only the position ties", "!another order"}},

		{"in a call with further arguments", "RES-03", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1-"), join(mixed, good("A-2")), extra) }, conform.NotRun, nil},
		{"the bad one first, and no row at all", "RES-03", nil, func(f *film) { f.call("c1", "", join(bad("X-1"), good("A-1"))) }, conform.NotRun, []string{"see RES-02"}},
		{"a row of the bad one alone", "RES-03", nil, func(f *film) { f.call("c1", rowsOf("X-1-"), join(mixed, good("A-2"))) }, conform.NotRun, []string{"see RES-02"}},
		{"no row from the bad one on", "RES-03", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), join(mixed, good("A-2"))) }, conform.Fail, []string{"the rows end at"}},
		{"the bad one first, and no row for the last", "RES-03", nil, func(f *film) { f.call("c1", rowsOf("X-1-", "A-1+"), join(bad("X-1"), two)) }, conform.Pass, nil},
		{"the bad one first, and no row for the last, which is not known", "RES-03", nil, func(f *film) {
			f.call("c1", rowsOf("X-1-", "A-1-"), join(bad("X-1"), good("A-1"), []conform.Item{unknown}))
		}, conform.NotRun, nil},
		{"the bad one first and all failed, and no other batch", "RES-03", nil, func(f *film) { f.call("c1", rowsOf("X-1-", "A-5-"), join(bad("X-1"), good("A-5"))) }, conform.NotRun, []string{"see AGG-02"}},
		{"a plain text without a row", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("a+"), []conform.Item{{Given: quote("a")}, {Given: quote("b c")}}) }, conform.Fail, []string{`no row for "b c"`}},
		{"a number without a row", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("a+"), []conform.Item{{Given: quote("a")}, {Given: json.RawMessage("42")}})
		}, conform.Fail, []string{"no row for 42"}},
		{"eight without a row", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("B-8+"), good("B-0", "B-1", "B-2", "B-3", "B-4", "B-5", "B-6", "B-7", "B-8"))
		}, conform.Fail, []string{`"Product B-5" and 2 more`, `!B-6`}},
		{"a shape of its own that names the item by no name", "RES-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), join(good("A-1"), []conform.Item{{Given: json.RawMessage(`{"sku":7}`)}}))
		}, conform.Fail, []string{`no row for {"sku":7}`}},
	})
}
