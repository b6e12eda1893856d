package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfTheEnvelope(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	corners(t, []corner{
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

		{"rows in two places", "ENV-02", nil, func(f *film) {
			f.structured("c1", `{"results":[`+rowsOf("A-1+", "A-2+")+`],"result":{"results":[`+rowsOf("A-1+", "A-2-")+`]}}`, two)
		}, conform.Fail, []string{"send the rows once"}},
		{"a workflow's output beside ok", "ENV-05", func(op *conform.Operation) { op.Workflow = conform.Present }, func(f *film) {
			f.structured("c1", `{"ok":true,"output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}`, two)
		}, conform.Fail, []string{"`output` stands at the top level"}},
		{"a batch with a bad item was only planned", "ENV-06", nil, func(f *film) { f.plan("c1", mixed) }, conform.NotRun, []string{"no batch with items known to be bad"}},
		{"twice a page, and then an answer", "ENV-06", nil, func(f *film) {
			f.page("c1", mixed)
			f.page("c2", mixed)
			f.call("c3", rowsOf("A-1+", "X-1-"), mixed)
		}, conform.Fail, []string{"2 of 3"}},
		{"twice a page, and then an error", "ENV-06", nil, func(f *film) {
			f.call("c0", rowsOf("B-1+", "B-2+"), good("B-1", "B-2"))
			f.page("c1", mixed)
			f.page("c2", mixed)
			f.raise("c3", join(good("A-9"), bad("X-9")))
		}, conform.Fail, []string{"3 of 3"}},
		{"an error beside rows of another step", "ENV-07", func(op *conform.Operation) { op.Workflow = conform.Present }, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+")+`,{"step":"mail","success":true}]}}}}`)
		}, conform.NotRun, []string{"see WF-04"}},
		{"JSON behind a sentence", "ENV-08", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"structuredContent":{"results":[`+rowsOf("A-1+", "A-2+")+`]},"content":[{"type":"text","text":"Done."},{"type":"text","text":`+string(quote(`{"results":[`+rowsOf("A-1+", "A-2+")+`]}`))+`}]}`)
		}, conform.Pass, nil},
	})
}
