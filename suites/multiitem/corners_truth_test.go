package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfFlagsAndTheTruth(t *testing.T) {
	two, mixed, twice := good("A-1", "A-2"), join(good("A-1"), bad("X-1")), good("C-1", "C-1")
	const nameless = `{"success":true}`
	corners(t, []corner{
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

		// RES-12.
		{"nothing is known of the items, and a row cannot be read", "RES-12", nil, func(f *film) {
			f.call("c1", `{"id":"U-1"},`+rowsOf("U-2+"), []conform.Item{{Given: quote("U-1")}, {Given: quote("U-2")}})
		}, conform.NotRun, []string{"no item known"}},
		{"a bad item of no known reason is told as done", "RES-12", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1+"), join(good("A-1"), []conform.Item{{Given: quote("X-1"), Truth: conform.Bad}}))
		}, conform.Fail, []string{`failed for "X-1" (bad)`}},
		{"a bad item of a known reason is told as done", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "X-1+"), mixed) }, conform.Fail, []string{`failed for "Product X-1" (not_found)`}},
		{"one good item is told as failed", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1-"), good("A-1")) }, conform.Fail, []string{`failed for "Product A-1"`}},
		{"a good one is told as failed before the bad one", "RES-12", nil, func(f *film) { f.call("c1", rowsOf("A-1-", "A-2+", "X-1-"), join(two, bad("X-1"))) }, conform.Fail, nil},
		{"without names, a row that cannot be read", "RES-12", nil, func(f *film) { f.call("c1", `{"success":true},{}`, mixed) }, conform.NotRun, []string{"see RES-05"}},

		// RES-13.
		{"refused", "RES-13", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c1", "permission denied", bad("X-1"))
		}, conform.Fail, []string{"the whole call was refused", "permission problem"}},
		{"no row", "RES-13", nil, func(f *film) { f.call("c1", "", good("A-1")) }, conform.Fail, []string{"0 rows\n"}},
		{"a row too many", "RES-13", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "Z-1+"), good("A-1")) }, conform.Fail, []string{"2 rows: for nothing that was asked"}},
		{"results is a text", "RES-13", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.structured("c1", `{"results":"done"}`, good("A-1"))
		}, conform.Fail, []string{"results is a string"}},

		// RES-14.
		{"in a call that is repeated", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1+", "C-1+"), twice, repeating("c0")) }, conform.NotRun, []string{"no batch with equal items"}},
		{"in other letters that are the same", "RES-14", foldingCase, func(f *film) {
			f.call("c1", rowsOf("C-1+", "c-1+"), []conform.Item{{Given: quote("C-1")}, {Given: quote("c-1")}})
		}, conform.Fail, nil},
		{"in other letters", "RES-14", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+", "c-1+"), []conform.Item{{Given: quote("C-1")}, {Given: quote("c-1")}})
		}, conform.NotRun, []string{"no batch with equal items"}},
		{"one row for both, and none for another", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1+"), join(twice, good("A-2"))) }, conform.NotRun, []string{"not every item has a row"}},
		{"of two pairs one is told as merged", "RES-14", nil, func(f *film) {
			f.call("c1", `{"id":"C-1","success":true,"note":"merged"},`+rowsOf("D-1+"), join(twice, good("D-1", "D-1")))
		}, conform.Fail, []string{"one row for both"}},
		{"another row speaks of merging", "RES-14", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+")+`,{"id":"A-2","success":true,"note":"merged"}`, join(twice, good("A-2")))
		}, conform.Fail, []string{"one row for both"}},
		{"the first failed, the second is done", "RES-14", nil, func(f *film) { f.call("c1", rowsOf("C-1-", "C-1+"), twice) }, conform.Pass, nil},
		{"the second row names another item", "RES-14", nil, func(f *film) {
			f.call("c1", `{"index":0,"id":"C-1","success":true},{"index":1,"id":"D-1","success":true},{"index":2,"id":"D-1","success":true}`, join(twice, good("D-1")))
		}, conform.Pass, nil},
		{"written in two ways", "RES-14", nil, func(f *film) {
			f.call("c1", `{"index":0,"id":"Ana","success":true},{"index":1,"id":"Ana","success":true}`, []conform.Item{{Given: quote("Ana")}, {Given: quote(" Ana")}})
		}, conform.Fail, []string{`the equal items "Ana" and " Ana" done`}},

		{"both told as done by a task that we cancelled", "RES-14", nil, func(f *film) {
			f.call("c1", rowsOf("C-1+", "C-1+"), twice, func(p *conform.Planned) { p.Cancels = true })
		}, conform.NotRun, nil},
	})
}
