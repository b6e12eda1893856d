package multiitem_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// structured plays a call that is answered with this structuredContent.
func (f *film) structured(id, payload string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.answer(id, `{"content":[],"structuredContent":`+payload+`}`)
}

// refuse plays a call that is refused as a whole, in words.
func (f *film) refuse(id, words string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.answer(id, `{"isError":true,"content":[{"type":"text","text":`+string(quote(words))+`}]}`)
}

// raise plays a call that is answered with a JSON-RPC error.
func (f *film) raise(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.received(id, 200, "application/json", `{"jsonrpc":"2.0","id":"`+id+`","error":{"code":-32603,"message":"X-1 not found"}}`)
}

// page plays a call that an intermediary answers with a page for a browser.
func (f *film) page(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.received(id, 502, "text/html", `<html>bad gateway</html>`)
}

func (f *film) received(id string, status int, media, body string) {
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, Status: status, End: conform.Complete,
		Header: []conform.HeaderField{{Name: "Content-Type", Value: media}}, Body: conform.Bytes(body)}})
}

// othersWrite shows an item that moves while nothing of ours is under way.
func (f *film) othersWrite() {
	f.look(conform.Quiet, "Z-9=ACTIVE")
	f.look(conform.Quiet, "Z-9=DONE")
}

// following makes a call one that executes what a validator decided.
func following(arguments string) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Follows, p.Arguments = "v1", json.RawMessage(arguments) }
}

func asValidator(p *conform.Planned) { p.Role, p.Tool = conform.RoleValidator, "validate_products" }

// in gives the request another form.
func in(form conform.Form) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Form = form }
}

func extra(p *conform.Planned) { p.Extra = []string{"query"} }

func reading(op *conform.Operation)     { op.Write = false }
func foldingCase(op *conform.Operation) { op.FoldCase = true }
func atomically(op *conform.Operation)  { op.Atomic = true }

// What was seen, and what one rule says of it: its verdict, and words of what was
// got, of the reason or of the hint. Words behind a "!" are not said.
func TestCornersOfWhatWasSeen(t *testing.T) {
	two, three, mixed := good("A-1", "A-2"), good("A-1", "A-2", "A-3"), join(good("A-1"), bad("X-1"))
	unknown := conform.Item{Given: json.RawMessage(`{"id":"U-1"}`)}
	nameless, twice := `{"success":true}`, good("C-1", "C-1")
	var many, all []string
	for i := range 25 {
		many, all = append(many, fmt.Sprintf("B-%d", i)), append(all, fmt.Sprintf("B-%d+", i))
	}
	// A burst in which the second call is answered with a row of the first.
	mixedUp := func(f *film, first, second []conform.Item, rows string) {
		f.call("c1", rowsOf("A-1+", "A-3+"), first, together("b"))
		f.call("c2", rows, second, together("b"))
	}
	for _, c := range []struct {
		name, id string
		op       func(*conform.Operation)
		film     func(*film)
		verdict  conform.Verdict
		words    []string
	}{
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

		// Rows of another call in flight say nothing of this one's outcome.
		{"a stranger that no call in flight asked for", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-4+", "Z-1+"))
		}, conform.Fail, []string{"A-2"}},
		{"a stranger, and a row of another call in flight", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-3", "A-1"), good("A-2", "A-4"), rowsOf("A-2-", "Z-1+", "A-1+"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of the third call in flight", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-5+"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("A-2+", "A-4+"), good("A-2", "A-4"), together("b"))
			f.call("c3", rowsOf("A-5+"), good("A-5"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row in other letters than another call's item", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-4+", "a-1+"))
		}, conform.Fail, []string{"A-2"}},
		{"a call that was not in flight with it", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-3+"), good("A-1", "A-3"))
			f.call("c2", rowsOf("A-2-", "A-1+"), good("A-2", "A-4"))
		}, conform.Fail, []string{"A-2"}},
		{"a row of another call in flight", "RES-09", nil, func(f *film) { mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2+", "A-1+")) }, conform.NotRun, []string{"no batch of two items"}},
		{"a row of another call in flight", "AGG-01", nil, func(f *film) { mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-1+")) }, conform.NotRun, []string{"see LD-01"}},
		{"rows of another call in flight, both ways", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2-"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("A-2-", "A-1+"), good("A-2", "A-4"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "AGG-02", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), join(good("A-2"), bad("X-1")), rowsOf("A-2-", "A-1-", "X-1-"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "AGG-03", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), bad("X-1", "X-2"), rowsOf("X-1+", "A-1+", "X-2+"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "RES-12", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1+"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("X-1+", "A-1+"), bad("X-1", "X-2"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "RES-13", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+", "A-2+"), good("A-2"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},

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

		// RES-11: a failed row says why.
		{"an error that is empty", "RES-11", nil, func(f *film) { f.call("c1", `{"id":"X-1","success":false,"error":""}`, bad("X-1")) }, conform.Fail, []string{"no member says why"}},
		{"an error that is only true", "RES-11", nil, func(f *film) { f.call("c1", `{"id":"X-1","success":false,"error":true}`, bad("X-1")) }, conform.Fail, []string{"no member says why"}},
		{"an empty error, and a reason", "RES-11", nil, func(f *film) {
			f.call("c1", `{"id":"X-1","success":false,"error":"","failed":true,"reason":"gone"}`, bad("X-1"))
		}, conform.Pass, nil},

		// RES-12: the flags are true to the items.
		{"after a validator, and a side step fails", "RES-12", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1+"), mixed, following(`{}`), func(p *conform.Planned) { p.AuxiliaryFails = true })
		}, conform.NotRun, []string{"no item known"}},
		{"after a validator, repeated", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1+"), mixed, following(`{}`), repeating("c0")) }, conform.NotRun, []string{"no item known"}},
		{"after a validator, retried", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1+"), mixed, following(`{}`), retrying("c0")) }, conform.NotRun, []string{"no item known"}},
		{"after a validator, success for a bad item", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1+"), mixed, following(`{}`)) }, conform.Fail, []string{`success for "Product X-1"`}},
		{"after a validator, one good item of two denied", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2-"), two, following(`{}`)) }, conform.Fail, []string{`failed for "Product A-2"`}},
		{"after a validator, both good items denied", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2-"), two, following(`{}`)) }, conform.NotRun, []string{"see VAL-10"}},
		{"rows that contradict themselves", "RES-12", nil, func(f *film) {
			f.call("c1", `{"index":0,"id":"A-2","success":true},{"index":1,"id":"A-1","success":true}`, two)
		}, conform.NotRun, []string{"no item known"}},
		{"without names, one success too few", "RES-12", nil, func(f *film) {
			f.call("c1", `{"success":true},{"success":false,"error":"x"},{"success":false,"error":"x"}`, join(two, bad("X-1")))
		}, conform.Fail, []string{"1 of 3"}},
		{"without names, one success too many", "RES-12", nil, func(f *film) { f.call("c1", nameless+","+nameless, mixed) }, conform.Fail, []string{"2 of 2"}},
		{"without names, all failed", "RES-12", nil, func(f *film) { f.call("c1", `{"success":false,"error":"x"},{"success":false,"error":"x"}`, mixed) }, conform.NotRun, []string{"see AGG-02"}},
		{"without names, a good one of two denied", "RES-12", nil, func(f *film) { f.call("c1", `{"success":false,"error":"x"},{"success":true}`, two) }, conform.NotRun, []string{"see AGG-01"}},
		{"without a name, the only one denied", "RES-12", nil, func(f *film) { f.call("c1", `{"success":false,"error":"x"}`, good("A-1")) }, conform.NotRun, []string{"see AGG-02"}},
		{"without names, rolled back, and the operation is atomic", "RES-12", atomically, func(f *film) {
			f.call("c1", `{"success":false,"error":"x"},{"success":false,"error":"x"}`, mixed)
		}, conform.Pass, nil},
		{"without names, all good, and the operation is atomic", "RES-12", atomically, func(f *film) { f.call("c1", nameless+","+nameless, two) }, conform.Pass, nil},

		// RES-13: one item, one row.
		{"done, beside ok: false", "RES-13", nil, func(f *film) { f.structured("c1", `{"ok":false,"results":[`+rowsOf("A-1+")+`]}`, good("A-1")) }, conform.Fail, []string{"ok: false beside"}},
		{"failed, beside ok: true", "RES-13", nil, func(f *film) { f.structured("c1", `{"ok":true,"results":[`+rowsOf("X-1-")+`]}`, bad("X-1")) }, conform.Fail, []string{"ok: true beside"}},

		// RES-14: equal items are told as such.
		{"and another item has no row", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1-"), join(twice, good("A-2"))) }, conform.NotRun, []string{"see RES-02"}},
		{"and a row is for nothing that was asked", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1-", "Z-1+"), twice) }, conform.NotRun, []string{"see RES-02"}},
		{"one row, for the second of them", "RES-14", nil, func(f *film) { f.call("c1", `{"index":1,"id":"C-1","success":true}`, twice) }, conform.Fail, []string{"one row for both"}},
		{"one row for the second of them, which says so", "RES-14", nil, func(f *film) {
			f.call("c1", `{"index":1,"id":"C-1","success":true,"note":"merged with the first"}`, twice)
		}, conform.Pass, nil},
		{"of two pairs the second is done twice", "RES-14", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+", "C-1-", "D-1+", "D-1+"), join(twice, good("D-1", "D-1")))
		}, conform.Fail, []string{"both are told as done"}},
		{"the first row names another item", "RES-14", nil, func(f *film) {
			f.call("c1", `{"index":0,"id":"D-1","success":true},{"index":1,"id":"C-1","success":true},{"index":2,"id":"D-1","success":true}`, join(twice, good("D-1")))
		}, conform.Pass, nil},
		{"the first row says that it was merged", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true,"merged_with":1},{"id":"C-1","success":true}`, twice)
		}, conform.Pass, nil},
		{"deep in the row it is told as a duplicate", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true},{"id":"C-1","success":true,"meta":{"duplicate":true},"note":"x"}`, twice)
		}, conform.Pass, nil},
		{"told as the same in words", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true},{"id":"C-1","success":true,"note":"Same as the first"}`, twice)
		}, conform.Pass, nil},
		{"told as no duplicate", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true},{"id":"C-1","success":true,"duplicate":false,"repeat_of":null}`, twice)
		}, conform.Fail, []string{"both are told as done"}},
		{"told as no duplicate, but as merged", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true},{"id":"C-1","success":true,"duplicate":false,"merged":1}`, twice)
		}, conform.Pass, nil},
		{"both read, where reading twice is no harm", "RES-14", func(op *conform.Operation) { op.Write = false }, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1+"), twice) }, conform.Pass, nil},
		{"both appended, where that is meant", "RES-14", func(op *conform.Operation) { op.Semantics = "append" }, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1+"), twice) }, conform.Pass, nil},
		{"both done, where twice is like once", "RES-14", func(op *conform.Operation) { op.Semantics = "idempotent" }, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1+"), twice) }, conform.Pass, nil},
		{"both done", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1+"), twice) }, conform.Fail, []string{"both are told as done"}},

		// AGG: what the rows add up to.
		{"one good, one bad, one of which nothing is known", "AGG-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-", "U-1+"), join(mixed, []conform.Item{unknown}))
		}, conform.NotRun, []string{"!RES-12"}},
		{"one good, one bad, one of which nothing is known, all failed", "AGG-02", nil, func(f *film) {
			f.call("c0", rowsOf("B-1+", "X-2-"), join(good("B-1"), bad("X-2")))
			f.call("c1", rowsOf("A-1-", "X-1-", "U-1-"), join(mixed, []conform.Item{unknown}))
		}, conform.Fail, []string{"every row says failed: FAILED, 0 done, 3 failed, although \"Product A-1\" is good"}},
		{"all bad, and an answer without rows", "AGG-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.structured("c2", `{"message":"nothing could be done"}`, bad("X-1", "X-2"))
		}, conform.Fail, []string{"no results in the answer"}},
		{"all bad, and a refusal", "AGG-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "nothing could be done", bad("X-1", "X-2"))
		}, conform.Fail, []string{`no rows: isError with "nothing could be done"`}},
		{"all good told as failed, and the operation is atomic", "AGG-04", atomically, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2-"), two) }, conform.NotRun, []string{"see AGG-01, AGG-02"}},
		{"a mix rolled back, and the operation is atomic", "AGG-04", atomically, func(f *film) { f.call("c1", rowsOf("A-1-", "X-1-"), mixed) }, conform.Fail, []string{"neither, and every row says failed"}},

		{"all bad, and refused for want of a role", "AGG-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "permission denied", bad("X-1", "X-2"))
		}, conform.Fail, []string{"permission problem"}},
		{"nothing behind the bad one is told", "AGG-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1-"), join(mixed, good("A-2"))) }, conform.NotRun, []string{"see RES-03"}},
		{"in order, without names, the right number", "AGG-02", nil, func(f *film) { f.call("c1", `{"success":true},{"success":false,"error":"x"}`, mixed) }, conform.Pass, nil},
		{"in another order, without names, the right number", "AGG-02", nil, func(f *film) { f.call("c1", `{"success":false,"error":"x"},{"success":true}`, mixed) }, conform.Pass, nil},
		{"terminal inside result", "AGG-07", nil, func(f *film) {
			f.structured("c1", `{"ok":true,"result":{"terminal":true,"results":[`+rowsOf("A-1+")+`]}}`, good("A-1"))
		}, conform.Fail, []string{"terminal: true beside 1 row that say success"}},
		{"result is no object", "AGG-07", nil, func(f *film) {
			f.structured("c1", `{"result":[{"terminal":true}],"results":[`+rowsOf("A-1+")+`]}`, good("A-1"))
		}, conform.Pass, nil},

		// ENV: what is around the rows.
		{"refused in two texts that are JSON", "ENV-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[{"type":"text","text":"{\"a\":1}"},{"type":"text","text":"{\"b\":1}"}]}`)
		}, conform.NotRun, nil},
		{"rows beside a result that holds none", "ENV-05", nil, func(f *film) {
			f.structured("c1", `{"ok":true,"result":{},"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Fail, []string{"results[] stands at the top level"}},
		{"a workflow's output inside result, without ok", "ENV-05", func(op *conform.Operation) { op.Workflow = conform.Present }, func(f *film) {
			f.structured("c1", `{"result":{"status":"COMPLETED","output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}}`, two)
		}, conform.Fail, []string{"there is no boolean `ok` beside `result`"}},
		{"a workflow's output at the top level", "ENV-05", func(op *conform.Operation) { op.Workflow = conform.Present }, func(f *film) {
			f.structured("c1", `{"status":"COMPLETED","output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}`, two)
		}, conform.Fail, []string{"`output` stands at the top level"}},
		{"a page twice for the same items, and no other answer", "ENV-06", nil, func(f *film) {
			f.page("c1", mixed)
			f.page("c2", mixed)
		}, conform.Inconclusive, []string{"an intermediary answered"}},
		{"a page twice for the same items, and another answer", "ENV-06", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.page("c1", mixed)
			f.page("c2", mixed)
		}, conform.Fail, []string{"HTTP status 502 (text/html), 2 times"}},
		{"one item is taken, and no batch", "ENV-06", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"))
			f.raise("c2", two)
			f.raise("c3", mixed)
		}, conform.NotRun, []string{"see INP-01"}},
		{"no batch is taken", "ENV-06", nil, func(f *film) {
			f.raise("c2", two)
			f.raise("c3", mixed)
		}, conform.NotRun, []string{"see RES-01"}},
		{"a batch with two bad items raises", "ENV-06", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.raise("c2", join(mixed, bad("X-2")))
		}, conform.Fail, []string{`for a batch with the bad items "Product X-1", "Product X-2"`}},

		// INP: forms of a request.
		{"names for objects, and an empty list comes", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", "", two, in(conform.FormStrings))
		}, conform.Fail, []string{"no rows in the answer"}},
		{"names of bad items", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("X-1-", "X-2-"), bad("X-1", "X-2"), in(conform.FormStrings))
		}, conform.Pass, nil},
		{"names, a mix rolled back, and the operation is atomic", "INP-03", atomically, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "X-1-"), mixed, in(conform.FormStrings))
		}, conform.Pass, nil},
		{"names of good items denied, and the operation is atomic", "INP-03", atomically, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "A-2-"), two, in(conform.FormStrings))
		}, conform.Fail, []string{"every good item is told as failed"}},
		{"names of good items denied, and objects too", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "A-2-"), two, in(conform.FormStrings))
		}, conform.NotRun, []string{"in the ordinary form too"}},
		{"objects for names", "INP-03", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two, in(conform.FormObjects)) }, conform.Pass, nil},
		{"a bare name", "INP-04", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), good("A-1"), in(conform.FormBareString)) }, conform.Pass, nil},
		{"objects for names are refused", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "items must be strings", two, in(conform.FormObjects))
		}, conform.Fail, []string{"refused: isError"}},
		{"a bare name is refused", "INP-04", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "items must be a list", good("A-1"), in(conform.FormBareString))
		}, conform.Fail, []string{"refused: isError"}},
		{"further arguments and one item", "INP-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), good("A-1"), extra) }, conform.Pass, nil},
		{"further arguments and nothing asked", "INP-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), nil, extra, in(conform.FormEmpty)) }, conform.NotRun, []string{"no call with unknown arguments"}},
		{"further arguments, and the validator says nothing", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator, extra)
		}, conform.Fail, []string{"no `eligible` in the answer, with query"}},
		{"further arguments, and the validator refuses", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, two, asValidator)
			f.refuse("v2", "unexpected argument query", two, asValidator, extra)
		}, conform.Fail, []string{"refused: isError"}},
		{"further arguments or not, the validator says nothing", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"message":"hello"}`, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator, extra)
		}, conform.NotRun, []string{"see VAL-01"}},
		{"nothing asked, success: false", "INP-05", nil, func(f *film) { f.structured("c1", `{"success":false}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, an error inside result", "INP-05", nil, func(f *film) { f.structured("c1", `{"result":{"error":"nothing given"}}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, errors", "INP-05", nil, func(f *film) { f.structured("c1", `{"errors":["nothing given"]}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, and the status refuses", "INP-05", nil, func(f *film) { f.structured("c1", `{"status":"rejected"}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, and no word of it", "INP-05", nil, func(f *film) {
			f.structured("c1", `{"status":"done","success":true,"errors":[]}`, nil, in(conform.FormEmpty))
		}, conform.Fail, []string{"no sign of a refusal"}},

		// RO-01: a query still answers the good.
		{"the good one's row cannot be read", "RO-01", reading, func(f *film) { f.call("c1", `{"id":"A-1"},`+rowsOf("X-1-"), mixed) }, conform.NotRun, []string{"see RES-05"}},
		{"the whole query raises", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.raise("c2", mixed)
		}, conform.NotRun, []string{"see ENV-06"}},
		{"a query without rows", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.structured("c2", `{"message":"X-1 was not found"}`, mixed)
		}, conform.Fail, []string{"no results in the answer"}},

		// IDM: repeats and retries.
		{"the repeat asks for fewer items", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1"), good("A-1"), repeating("c1"))
		}, conform.Pass, nil},
		{"a count that moves, read in other letters", "IDM-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "a-1=DONE*1", "a-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "a-1=DONE*1", "a-2=DONE*11")
		}, conform.Fail, []string{`moved from "DONE"`, "(counted 2)"}},
		{"an item that is not shown afterwards", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "Z-1=DONE*1")
		}, conform.NotRun, []string{"neither a count", "probe.count"}},
		{"an item that is not shown between", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "Z-1=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count that is not shown afterwards", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE", "A-2=DONE")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count that was not shown between", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE", "A-2=DONE")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count read before the first call tells nothing", "IDM-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"the first call moved what was read before it", "IDM-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*1")
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Pass, nil},
		{"the second answer has no protocol", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, []string{"neither a count"}},
		{"a row of the first cannot be read, and the other is done again", "IDM-01", nil, func(f *film) {
			f.call("c1", `{"id":"A-1"},`+rowsOf("A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, []string{"P3"}},
		{"a row of the second cannot be read, and the other is done again", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", `{"id":"A-1"},`+rowsOf("A-2+P3"), two, repeating("c1"))
		}, conform.Fail, []string{"P3"}},
		{"the first answer has no rows", "IDM-03", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the second answer has no rows", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE")
			f.structured("c2", `{"ok":true}`, two, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"no results[]"}},
		{"the first answer has no rows", "IDM-02", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the second answer has no rows", "IDM-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.structured("c2", `{"ok":true}`, two, repeating("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the state moves, read in other letters", "IDM-03", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "a-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "a-1=UNDONE")
		}, conform.Fail, []string{"a-1 moved"}},
		{"a first row that cannot be read, and the other is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", `{"id":"A-1"},`+rowsOf("A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"no second row for the first item, and the other is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"the retry shows no protocol any more", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
		}, conform.NotRun, []string{"nothing tells"}},
		{"only the retry shows protocols", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, retrying("c1"))
		}, conform.NotRun, []string{"nothing tells"}},
		{"the retry does not show the item", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, "Z-1=DONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"the first call moved what was read before it", "IDM-03", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"the first item failed, and the second is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"the file says that there are protocols, and no answer has one", "IDM-04", func(op *conform.Operation) { op.ProtocolIDs = true }, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.Fail, []string{"row 0 has none"}},
		{"one protocol for the whole answer", "IDM-04", nil, func(f *film) {
			f.structured("c1", `{"protocol":"P1","results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Fail, []string{"row 0 has none"}},
		{"a protocol that is empty is none", "IDM-04", nil, func(f *film) {
			f.call("c1", `{"id":"A-1","success":true,"protocol":" "},{"id":"A-2","success":true,"protocol":{"no":1}}`, two)
		}, conform.NotRun, []string{"no answer shows a protocol"}},
		{"of two such members the second has it", "IDM-04", nil, func(f *film) {
			f.call("c1", `{"id":"A-1","success":true,"receipt":null,"operation_id":"P1"},{"id":"A-2","success":true,"receipt":null,"operation_id":"P1"}`, two)
		}, conform.Fail, []string{"P1, which c1#0 has already"}},
		{"only a validator's answer has one", "IDM-04", nil, func(f *film) {
			f.structured("v1", `{"eligible":true,"protocol":"P1"}`, two, asValidator)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.NotRun, []string{"no answer shows a protocol"}},

		// EFF-01: what is acknowledged is there.
		{"an item that is not shown afterwards", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, nil},
		{"five that did not change", "EFF-01", nil, func(f *film) {
			before := []string{"B-0=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE", "B-3=ACTIVE", "B-4=ACTIVE"}
			f.look(conform.Before, before...)
			f.call("c1", rowsOf(all[:5]...), good(many[:5]...))
			f.look(conform.After, before...)
		}, conform.Fail, []string{`B-4 is "ACTIVE"`, "!more"}},

		{"calls in flight together are another matter", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.NotRun, []string{"no acknowledged write"}},
		{"it was waited for", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
			f.seen[len(f.seen)-1].Effect.Waited = 3 * time.Second
		}, conform.Fail, []string{"up to 3s were waited for it"}},
		{"it was not waited for", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, []string{"!waited"}},
		{"somebody else writes there", "EFF-01", nil, func(f *film) {
			f.othersWrite()
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Inconclusive, []string{"shared target"}},
		{"somebody else writes there", "IDM-01", nil, func(f *film) {
			f.othersWrite()
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Inconclusive, []string{"shared target"}},
		{"somebody else writes there", "IDM-03", nil, func(f *film) {
			f.othersWrite()
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Inconclusive, []string{"shared target"}},

		// EFF-02: what is refused is not there.
		{"the refused one stays", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Pass, nil},
		{"the refused one is done", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Fail, []string{`1 of 1 refused items changed, by the eyes of the tool get_products: X-1 was "ACTIVE" and is "DONE"`}},
		{"of three refused the last two are done", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "X-1=ACTIVE", "X-2=ACTIVE", "X-3=ACTIVE")
			f.call("c1", rowsOf("X-1-", "X-2-", "X-3-"), bad("X-1", "X-2", "X-3"))
			f.look(conform.After, "X-1=ACTIVE", "X-2=DONE", "X-3=DONE")
		}, conform.Fail, []string{"2 of 3 refused items", "X-2 was", "X-3 was"}},
		{"the refused one is not shown afterwards", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, nil},
		{"the refused one was not shown before", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.NotRun, nil},
		{"another call has done the refused one", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2-"), two)
			f.call("c2", rowsOf("A-1+"), good("A-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Pass, nil},
		{"another call has done the refused one, in other letters", "EFF-02", foldingCase, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2-"), two)
			f.call("c2", rowsOf("a-1+"), good("a-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Pass, nil},
		{"the state follows late, and the refused one is done", "EFF-02", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Inconclusive, []string{"consistency: eventual"}},
		{"the state follows late, and the refused one stays", "EFF-02", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Pass, nil},
		{"somebody else writes there", "EFF-02", nil, func(f *film) {
			f.othersWrite()
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Inconclusive, []string{"shared target"}},
		{"the eyes were blind afterwards", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.blind(conform.After)
		}, conform.NotRun, nil},

		// LD: many items, many calls.
		{"a large batch that was never sent", "LD-02", nil, func(f *film) { f.plan("c1", good(many...)) }, conform.NotRun, []string{"no batch of 25 items"}},
		{"a large batch that became a job", "LD-02", nil, func(f *film) { f.structured("c1", `{"job_id":"j-1","status":"queued"}`, good(many...)) }, conform.NotRun, []string{"a job to poll"}},
		{"a large batch that became a job, and one that lost a row", "LD-02", nil, func(f *film) {
			f.structured("c1", `{"job_id":"j-1","status":"queued"}`, good(many...))
			f.call("c2", rowsOf(all[:24]...), good(many...))
		}, conform.Fail, []string{"24 rows, 1 items unanswered"}},
		{"a large batch to which nothing came", "LD-02", nil, func(f *film) { f.ask("c1", good(many...)) }, conform.Inconclusive, []string{"nothing was received"}},
		{"a large batch in order, without names", "LD-02", nil, func(f *film) {
			f.call("c1", strings.Repeat(nameless+",", 24)+nameless, good(many...))
		}, conform.Pass, nil},
		{"a large batch late in the run", "LD-02", nil, func(f *film) {
			f.at = time.Hour
			f.call("c1", rowsOf(all...), good(many...))
		}, conform.Pass, nil},
		{"a validator beside one call is no burst", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, good("A-2"), together("b"), asValidator)
			f.call("c1", rowsOf("A-2+"), good("A-1"), together("b"))
		}, conform.NotRun, []string{"no calls with items of their own"}},
		{"a validator beside two calls is not judged", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true,"results":[{"id":"A-1"}]}`, good("A-3"), together("b"), asValidator)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, nil},
		{"an answer without any list", "LD-01", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"which only the call c1 asked for"}},
		{"the other call's row in a shape of its own", "LD-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) {
			f.structured("c1", `{"results":[],"rows":[{"id":"A-2","done":true}]}`, good("A-1"), together("b"))
			f.structured("c2", `{"results":[],"rows":[{"id":"A-2","done":true}]}`, good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for A-2, which only the call c2 asked for"}},
		{"the other call's row in other letters", "LD-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "a-1+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for a-1, which only the call c1 asked for"}},
	} {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			op.Idempotency = conform.Present
			if c.op != nil {
				c.op(&op)
			}
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
			verdict, said := saidBy(rec, c.id)
			if verdict != c.verdict {
				t.Errorf("%s, it says %q; want %s", verdict, said, c.verdict)
			}
			for _, w := range c.words {
				unwanted, not := strings.CutPrefix(w, "!")
				if not && strings.Contains(said, unwanted) || !not && !strings.Contains(said, w) {
					t.Errorf("it says %q, want %q", said, w)
				}
			}
		})
	}
}

// saidBy gives the verdict of one rule, and its words: what was got, the reason
// and the hint.
func saidBy(rec *conform.Recording, id string) (conform.Verdict, string) {
	judged := suites.Judge(rec, multiitem.Checks())
	for _, n := range judged.NotApplicable {
		if n.ID == id {
			return conform.NotRun, n.Reason
		}
	}
	for _, finding := range judged.Findings {
		if finding.ID == id {
			return finding.Verdict, strings.Join([]string{finding.Got, finding.Reason, finding.Hint}, "\n")
		}
	}
	return conform.Inconclusive, id + " does not speak"
}

// Where nobody knows the operation, nothing is held against what a target file
// would say, and no rule breaks down.
func TestTheOperationMayBeUnknown(t *testing.T) {
	f := &film{}
	two := good("A-1", "A-2")
	f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
	f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
	f.look(conform.Middle, "A-1=DONE", "A-2=DONE")
	f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
	f.call("c3", rowsOf("A-1+P1", "A-2+P2"), two, retrying("c1"))
	f.look(conform.After, "A-1=DONE", "A-2=DONE")
	f.call("c4", rowsOf("X-1-", "A-3+P3"), join(bad("X-1"), good("A-3")))
	f.structured("v1", `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"id":"A-1"},{"id":"A-2"}]}}}`, two, asValidator)
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	rec := conform.NewRecording(conform.Header{}, f.seen)
	spoke := map[string]bool{}
	for _, check := range multiitem.Checks() {
		if check.Judge == nil {
			continue
		}
		s := &conform.Subject{Recording: rec, Calls: rec.Of("cancel")}
		if check.Applies != nil && check.Applies(s) != "" {
			continue
		}
		for _, look := range check.Judge(s) {
			spoke[check.ID] = true
			if look.Verdict == conform.Fail && check.Level == conform.Must {
				t.Errorf("%s: %s", check.ID, look.Got)
			}
		}
	}
	for _, id := range []string{"RES-01", "RES-02", "RES-03", "AGG-02", "IDM-01", "IDM-03", "IDM-04", "EFF-01", "VAL-01"} {
		if !spoke[id] {
			t.Errorf("%s does not speak", id)
		}
	}
}
