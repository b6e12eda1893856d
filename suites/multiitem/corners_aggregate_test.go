package multiitem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfTotals(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	unknown := conform.Item{Given: json.RawMessage(`{"id":"U-1"}`)}
	corners(t, []corner{
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

		{"totals, and no rows", "AGG-05", nil, func(f *film) { f.structured("c1", `{"total":2}`, two) }, conform.NotRun, []string{"no answer publishes totals"}},
		{"two names that the file adds", "AGG-05", func(op *conform.Operation) { op.Results.Add = []string{"size", "extent"} }, func(f *film) {
			f.structured("c1", `{"size":2,"extent":7,"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Fail, []string{"extent is 7"}},
		{"two names that the file takes away", "AGG-05", func(op *conform.Operation) { op.Results.Remove = []string{"count", "total"} }, func(f *film) {
			f.structured("c1", `{"count":7,"total":7,"failed":0,"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Pass, nil},
		{"one name added, another taken away", "AGG-05", func(op *conform.Operation) { op.Results.Add, op.Results.Remove = []string{"size"}, []string{"total"} }, func(f *film) {
			f.structured("c1", `{"size":7,"total":7,"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Fail, []string{"size is 7", "!total is"}},
		{"a workflow's word beside no row", "AGG-08", nil, func(f *film) { f.structured("c1", `{"status":"PAUSED","results":[]}`, two) }, conform.NotRun, nil},
		{"a workflow's word inside result", "AGG-08", nil, func(f *film) {
			f.structured("c1", `{"ok":true,"result":{"status":"PAUSED","results":[`+rowsOf("A-1+", "A-2+")+`]}}`, two)
		}, conform.Fail, []string{"PAUSED"}},
		{"bad items, and one of which nothing is known", "AGG-03", nil, func(f *film) {
			f.call("c1", rowsOf("X-1+", "U-1+"), join(bad("X-1"), []conform.Item{unknown}))
		}, conform.NotRun, nil},
		{"good items, and one of which nothing is known", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "U-1+"), join(good("A-1"), []conform.Item{unknown}))
		}, conform.NotRun, nil},
		{"a mix that is written again, and all is told as failed", "AGG-02", nil, func(f *film) { f.call("c1", rowsOf("A-1-", "X-1-"), mixed, repeating("c0")) }, conform.NotRun, nil},
		{"a mix that is retried, and all is told as failed", "AGG-02", nil, func(f *film) { f.call("c1", rowsOf("A-1-", "X-1-"), mixed, retrying("c0")) }, conform.NotRun, nil},
		{"a mix that is read again, and all is told as failed", "AGG-02", reading, func(f *film) { f.call("c1", rowsOf("A-1-", "X-1-"), mixed, repeating("c0")) }, conform.Fail, nil},
	})
}

// Of one page of the rows only what cannot be, whatever the other pages hold, is
// wrong of a total.
func TestTotalsBesideOnePage(t *testing.T) {
	four := good("A-1", "A-2", "A-3", "A-4")
	for name, c := range map[string]struct {
		totals, rows string
		verdict      conform.Verdict
	}{
		"of all pages":                         {`"status":"SUCCESS","total":4,"succeeded":4,"failed":0`, rowsOf("A-1+", "A-2+"), conform.NotRun},
		"of this page":                         {`"status":"SUCCESS","total":2,"succeeded":2,"failed":0,"all_succeeded":true`, rowsOf("A-1+", "A-2+"), conform.Pass},
		"others failed":                        {`"status":"PARTIAL_SUCCESS","total":4,"succeeded":2,"failed":2,"all_succeeded":false`, rowsOf("A-1+", "A-2+"), conform.NotRun},
		"fewer than on the page":               {`"succeeded":1`, rowsOf("A-1+", "A-2+"), conform.Fail},
		"more than asked for":                  {`"total":5`, rowsOf("A-1+", "A-2+"), conform.Fail},
		"more failed than are left":            {`"failed":3`, rowsOf("A-1+", "A-2+"), conform.Fail},
		"all succeeded, and one did not":       {`"all_succeeded":true`, rowsOf("A-1+", "A-2-"), conform.Fail},
		"success, and one failed":              {`"status":"SUCCESS"`, rowsOf("A-1-", "A-2-"), conform.Fail},
		"partial, and on this page all failed": {`"status":"PARTIAL_SUCCESS"`, rowsOf("A-1-", "A-2-"), conform.NotRun},
		"failed, and one succeeded":            {`"status":"FAILED"`, rowsOf("A-1+", "A-2-"), conform.Fail},
		"one that cannot be beside one of all": {`"total":4,"succeeded":0`, rowsOf("A-1+", "A-2+"), conform.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			f.structured("c1", `{`+c.totals+`,"next_cursor":"2","results":[`+c.rows+`]}`, four)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: operations[:1]}}, f.seen)
			verdict, said := saidBy(rec, "AGG-05")
			if verdict != c.verdict || verdict == conform.NotRun && !strings.Contains(said, "results.next") {
				t.Errorf("%s: %s", verdict, said)
			}
		})
	}
}

func TestTheFrameworksNamesBesideOnePage(t *testing.T) {
	f := &film{}
	f.structured("c1", `{"metadata":{"multi_item":{"items_count":3}},"next_cursor":"2","results":[`+rowsOf("A-1+", "A-2-")+`]}`, good("A-1", "A-2", "A-3"))
	rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: operations[:1]}}, f.seen)
	if verdict, said := saidBy(rec, "AGG-06"); verdict != conform.NotRun {
		t.Errorf("%s: %s", verdict, said)
	}
}
