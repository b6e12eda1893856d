package multiitem_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// One answer, and what one rule says of it.
func TestOneAnswerAndOneRule(t *testing.T) {
	const one, other = `{"id":"A-1","success":true}`, `{"id":"X-1","success":false,"error":"not_found"}`
	const rows = `"results":[` + one + `,` + other + `]`
	mixed := join(good("A-1"), bad("X-1"))
	three := good("A-1", "A-2", "A-3")
	nothing := []string{}
	mapped := func(r conform.Results) func(*conform.Operation) {
		return func(op *conform.Operation) { op.Results = r }
	}
	for _, c := range []struct {
		name, id string
		items    []conform.Item
		payload  string // structuredContent
		op       func(*conform.Operation)
		verdict  conform.Verdict
		words    []string
	}{
		// AGG-05: published totals equal what the rows give.
		{"every name, right", "AGG-05", mixed, `{"total":2,"count":2,"items_count":2,"succeeded":1,"successful":1,"success_count":1,"failed":1,"failure_count":1,"failed_count":1,"all_succeeded":false,"status":"PARTIAL_SUCCESS",` + rows + `}`, nil, conform.Pass, nothing},
		{"total is wrong", "AGG-05", mixed, `{"total":3,` + rows + `}`, nil, conform.Fail, []string{"total is 3, the rows give 2"}},
		{"count is wrong", "AGG-05", mixed, `{"count":1,` + rows + `}`, nil, conform.Fail, []string{"the rows give 2"}},
		{"items_count is wrong", "AGG-05", mixed, `{"items_count":1,` + rows + `}`, nil, conform.Fail, []string{"the rows give 2"}},
		{"succeeded is wrong", "AGG-05", mixed, `{"succeeded":2,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"successful is wrong", "AGG-05", mixed, `{"successful":0,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"success_count is wrong", "AGG-05", mixed, `{"success_count":2,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"failed is wrong", "AGG-05", mixed, `{"failed":0,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"failure_count is wrong", "AGG-05", mixed, `{"failure_count":0,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"failed_count is wrong", "AGG-05", mixed, `{"failed_count":0,` + rows + `}`, nil, conform.Fail, []string{"the rows give 1"}},
		{"all_succeeded is wrong", "AGG-05", mixed, `{"all_succeeded":true,` + rows + `}`, nil, conform.Fail, []string{"the rows give false"}},
		{"status is wrong", "AGG-05", mixed, `{"status":"SUCCESS",` + rows + `}`, nil, conform.Fail, []string{"the rows give PARTIAL_SUCCESS"}},
		{"two are wrong", "AGG-05", mixed, `{"total":3,"failed":0,` + rows + `}`, nil, conform.Fail, []string{"total is 3", "failed is 0"}},
		{"the second is wrong", "AGG-05", mixed, `{"total":2,"failed":0,` + rows + `}`, nil, conform.Fail, []string{"failed is 0"}},
		{"with a fraction of nothing", "AGG-05", mixed, `{"total":2.0,` + rows + `}`, nil, conform.Pass, nothing},
		{"with a fraction", "AGG-05", mixed, `{"total":2.5,` + rows + `}`, nil, conform.Fail, []string{"total is 2.5"}},
		{"in summary", "AGG-05", mixed, `{"summary":{"failed":0},` + rows + `}`, nil, conform.Fail, []string{"failed is 0"}},
		{"in counts", "AGG-05", mixed, `{"counts":{"failed":0},` + rows + `}`, nil, conform.Fail, []string{"failed is 0"}},
		{"in stats", "AGG-05", mixed, `{"stats":{"failed":0},` + rows + `}`, nil, conform.Fail, []string{"failed is 0"}},
		{"a summary in words", "AGG-05", mixed, `{"summary":"1 of 2","failed":1,` + rows + `}`, nil, conform.Pass, nothing},
		{"in meta it is something else", "AGG-05", mixed, `{"meta":{"failed":0},` + rows + `}`, nil, conform.NotRun, nothing},
		{"a list named failed is no count", "AGG-05", mixed, `{"failed":["X-1"],` + rows + `}`, nil, conform.NotRun, nothing},
		{"a status of its own vocabulary", "AGG-05", mixed, `{"status":"done",` + rows + `}`, nil, conform.NotRun, nothing},
		{"all_succeeded as a text", "AGG-05", mixed, `{"all_succeeded":"no",` + rows + `}`, nil, conform.NotRun, nothing},
		{"totals beside rows that cannot be read", "AGG-05", mixed, `{"failed":0,"results":[` + one + `,{"id":"X-1"}]}`, nil, conform.NotRun, []string{"no status can be derived"}},
		{"a name that the file adds, of failures", "AGG-05", mixed, `{"itemErrors":0,` + rows + `}`, mapped(conform.Results{Add: []string{"itemErrors"}}), conform.Fail, []string{"the rows give 1"}},
		{"and another", "AGG-05", mixed, `{"failedItems":0,` + rows + `}`, mapped(conform.Results{Add: []string{"failedItems"}}), conform.Fail, []string{"the rows give 1"}},
		{"a name that the file adds, of successes", "AGG-05", mixed, `{"itemsSucceeded":2,` + rows + `}`, mapped(conform.Results{Add: []string{"itemsSucceeded"}}), conform.Fail, []string{"the rows give 1"}},
		{"and of what is done", "AGG-05", mixed, `{"doneItems":2,` + rows + `}`, mapped(conform.Results{Add: []string{"doneItems"}}), conform.Fail, []string{"the rows give 1"}},
		{"and completed", "AGG-05", mixed, `{"completedItems":2,` + rows + `}`, mapped(conform.Results{Add: []string{"completedItems"}}), conform.Fail, []string{"the rows give 1"}},
		{"and ok", "AGG-05", mixed, `{"ok_items":2,` + rows + `}`, mapped(conform.Results{Add: []string{"ok_items"}}), conform.Fail, []string{"the rows give 1"}},
		{"and of all", "AGG-05", mixed, `{"size":1,` + rows + `}`, mapped(conform.Results{Add: []string{"size"}}), conform.Fail, []string{"the rows give 2"}},
		{"a name that the file takes away", "AGG-05", mixed, `{"total":7,"failed":1,` + rows + `}`, mapped(conform.Results{Remove: []string{"total"}}), conform.Pass, nothing},
		{"the others stay", "AGG-05", mixed, `{"total":7,` + rows + `}`, mapped(conform.Results{Remove: []string{"failed"}}), conform.Fail, []string{"total is 7"}},

		// AGG-06: the framework's names are left to it.
		{"multi_item_status, right", "AGG-06", mixed, `{"multi_item_status":"PARTIAL_SUCCESS","partial_success":true,` + rows + `}`, nil, conform.Pass, nothing},
		{"partial_success, wrong", "AGG-06", mixed, `{"partial_success":false,` + rows + `}`, nil, conform.Fail, []string{"partial_success is false"}},
		{"original_ok", "AGG-06", mixed, `{"original_ok":true,` + rows + `}`, nil, conform.Fail, []string{"original_ok is sent"}},
		{"secondary_error", "AGG-06", mixed, `{"secondary_error":"x",` + rows + `}`, nil, conform.Fail, []string{"secondary_error is sent"}},
		{"inside result", "AGG-06", mixed, `{"ok":true,"result":{"multi_item_status":"SUCCESS",` + rows + `}}`, nil, conform.Fail, []string{"multi_item_status"}},
		{"metadata.multi_item, right", "AGG-06", mixed, `{"metadata":{"multi_item":{"status":"PARTIAL_SUCCESS","items_count":2,"items_succeeded_count":1,"items_failed_count":1,"primary_tool":"cancel_products"}},` + rows + `}`, nil, conform.Pass, nothing},
		{"its status, wrong", "AGG-06", mixed, `{"metadata":{"multi_item":{"status":"SUCCESS"}},` + rows + `}`, nil, conform.Fail, []string{"status is"}},
		{"its count, wrong", "AGG-06", mixed, `{"metadata":{"multi_item":{"items_count":3}},` + rows + `}`, nil, conform.Fail, []string{"items_count is 3"}},
		{"its successes, wrong", "AGG-06", mixed, `{"metadata":{"multi_item":{"items_succeeded_count":2}},` + rows + `}`, nil, conform.Fail, []string{"items_succeeded_count is 2"}},
		{"its failures, wrong", "AGG-06", mixed, `{"metadata":{"multi_item":{"items_failed_count":2}},` + rows + `}`, nil, conform.Fail, []string{"items_failed_count is 2"}},
		{"its tool, wrong", "AGG-06", mixed, `{"metadata":{"multi_item":{"primary_tool":"other"}},` + rows + `}`, nil, conform.Fail, []string{"primary_tool is"}},
		{"rows that give no status forge none", "AGG-06", mixed, `{"multi_item_status":"SUCCESS","results":[` + one + `,{"id":"X-1"}]}`, nil, conform.Pass, nothing},

		// AGG-08: no workflow's word.
		{"paused", "AGG-08", mixed, `{"status":"PAUSED",` + rows + `}`, nil, conform.Fail, []string{`"PAUSED" with 1 done and 1 failed`}},
		{"needs clarification", "AGG-08", mixed, `{"status":"NEEDS_CLARIFICATION",` + rows + `}`, nil, conform.Fail, []string{"NEEDS_CLARIFICATION"}},
		{"completed, rows of both kinds", "AGG-08", mixed, `{"status":"COMPLETED",` + rows + `}`, nil, conform.Fail, []string{"COMPLETED"}},
		{"completed, and all are done", "AGG-08", good("A-1"), `{"status":"COMPLETED","results":[` + one + `]}`, nil, conform.Pass, nothing},
		{"completed, and all failed", "AGG-08", bad("X-1"), `{"status":"COMPLETED","results":[` + other + `]}`, nil, conform.Pass, nothing},
		{"failed, beside the rows", "AGG-08", mixed, `{"status":"FAILED",` + rows + `}`, nil, conform.NotRun, []string{"see AGG-05"}},
		{"failed, beside the rows, and the file frees it", "AGG-08", mixed, `{"status":"FAILED",` + rows + `}`, mapped(conform.Results{Remove: []string{"status"}}), conform.Fail, []string{"FAILED"}},
		{"failed, above the rows", "AGG-08", mixed, `{"status":"FAILED","ok":true,"result":{` + rows + `}}`, nil, conform.Fail, []string{"FAILED"}},
		{"a word of the contract's", "AGG-08", mixed, `{"status":"PARTIAL_SUCCESS",` + rows + `}`, nil, conform.Pass, nothing},

		// RES-02: rows and items, one to one.
		{"two are missing", "RES-02", three, `{"results":[{"id":"A-3","success":true}]}`, nil, conform.Fail, []string{"no row for", "A-1", "A-2"}},
		{"one is doubled", "RES-02", mixed, `{"results":[` + one + `,` + one + `,` + other + `]}`, nil, conform.Fail, []string{"more than one row for", "A-1"}},
		{"one is a stranger's", "RES-02", mixed, `{"results":[` + one + `,` + other + `,{"id":"Z-1","success":true}]}`, nil, conform.Fail, []string{"for nothing that was asked: results[2]", "Z-1"}},
		{"another id at its index", "RES-02", mixed, `{"results":[{"index":0,"id":"Z-1","success":true},{"index":1,"id":"X-1","success":false,"error":"x"}]}`, nil, conform.Fail, []string{"results[0]"}},
		{"too few, and no names", "RES-02", three, `{"results":[{"success":true},{"success":true}]}`, nil, conform.Fail, []string{"3 items were asked for, and not every row says which one"}},
		{"too many, and no names", "RES-02", mixed, `{"results":[{"success":true},{"success":true},{"success":true}]}`, nil, conform.Fail, []string{"not every row says which one"}},
		{"one name, and too many others", "RES-02", three, `{"results":[{"id":"A-1","success":true},{"success":true}]}`, nil, conform.Fail, []string{"no row for"}},
		{"one name, and rows too many without", "RES-02", mixed, `{"results":[` + one + `,` + other + `,{"success":true}]}`, nil, conform.Fail, []string{"not every row says which one"}},
		{"a stranger, and rows without a name for the rest", "RES-02", three, `{"results":[{"id":"Z-1","success":true},{"success":true},{"success":true},{"success":true}]}`, nil, conform.Fail, []string{"for nothing that was asked"}},
		{"in order, without names", "RES-02", mixed, `{"results":[{"success":true},{"success":false,"error":"x"}]}`, nil, conform.Pass, nothing},
		{"one page of the rows", "RES-02", three, `{"results":[{"id":"A-1","success":true}],"next_cursor":"2"}`, nil, conform.NotRun, []string{"page"}},
		{"has_more", "RES-02", three, `{"results":[{"id":"A-1","success":true}],"has_more":true}`, nil, conform.NotRun, []string{"page"}},
		{"has_more is false", "RES-02", three, `{"results":[{"id":"A-1","success":true}],"has_more":false}`, nil, conform.Fail, []string{"no row for"}},
		{"an empty cursor", "RES-02", three, `{"results":[{"id":"A-1","success":true}],"nextCursor":""}`, nil, conform.Fail, []string{"no row for"}},
	} {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			f := &film{}
			f.ask("c1", c.items)
			f.answer("c1", `{"content":[],"structuredContent":`+c.payload+`}`)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			if c.op != nil {
				c.op(&op)
			}
			hold(t, f, op, c.id, c.verdict, c.words)
		})
	}
}

// hold judges a film and holds what one rule says of it against what was
// expected.
func hold(t *testing.T, f *film, op conform.Operation, id string, verdict conform.Verdict, words []string) {
	t.Helper()
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
	judged := suites.Judge(rec, multiitem.Checks())
	for _, n := range judged.NotApplicable {
		if n.ID == id && verdict == conform.NotRun && n.Reason != "" {
			return // it is not asked, with a reason
		}
	}
	for _, finding := range judged.Findings {
		if finding.ID != id {
			continue
		}
		said := finding.Got + finding.Reason
		if finding.Verdict != verdict {
			t.Errorf("%s, it says %q; want %s", finding.Verdict, said, verdict)
		}
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("%q does not say %q", said, w)
			}
		}
		return
	}
	t.Errorf("%s does not speak", id)
}

// Servers of another shape: the target file says how their words are read, and
// effects are judged by them.
func TestWordsOfAnotherShape(t *testing.T) {
	two := good("A-1", "A-2")
	before, first, neither := []string{"A-1=ACTIVE", "A-2=ACTIVE"}, []string{"A-1=DONE", "A-2=ACTIVE"}, []string{"A-1=ACTIVE", "A-2=ACTIVE"}
	path := func(r conform.Results) conform.Results { r.Path = "$.rows[*]"; return r }
	present, call := conform.Results{Success: []string{"present"}}, conform.Results{Success: []string{"call"}}
	flagged := conform.Results{Success: []string{"done", "okay"}}
	split := conform.Results{Split: "\n", RowID: `item (\S+)`, RowFailed: "failed"}
	conformingRows := conform.Results{}
	for _, c := range []struct {
		name    string
		results conform.Results
		fold    bool
		answer  string
		after   []string
		verdict conform.Verdict
		words   string
	}{
		{"a flag of its own, done", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1","done":true},{"id":"A-2","done":false}]}}`, first, conform.Pass, ""},
		{"a flag of its own, and it is not there", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1","done":true},{"id":"A-2","done":true}]}}`, first, conform.Fail, "A-2"},
		{"its second flag", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1","done":1,"okay":true},{"id":"A-2","okay":true}]}}`, first, conform.Fail, "A-2"},
		{"the first flag outweighs the second", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1","done":true},{"id":"A-2","done":false,"okay":true}]}}`, first, conform.Pass, ""},
		{"no flag claims nothing", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1"},{"id":"A-2"}]}}`, neither, conform.NotRun, ""},
		{"by an id of its own", path(conform.Results{Success: []string{"done"}, ID: []string{"sku", "code"}}), false, `{"content":[],"structuredContent":{"rows":[{"code":"A-1","done":true},{"code":"A-2","done":true}]}}`, first, conform.Fail, "A-2"},
		{"by name", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"name":"Product A-1","done":true},{"name":"Product A-2","done":true}]}}`, first, conform.Fail, "A-2"},
		{"by subject", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"subject":"A-2","done":true}]}}`, neither, conform.Fail, "A-2"},
		{"by key", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"key":"A-2","done":true}]}}`, neither, conform.Fail, "A-2"},
		{"letter case folded", path(flagged), true, `{"content":[],"structuredContent":{"rows":[{"id":"a-2","done":true}]}}`, neither, conform.Fail, "A-2"},
		{"letter case kept", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"a-2","done":true}]}}`, neither, conform.NotRun, ""},
		{"of two rows the first counts", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-2","done":false},{"id":"A-2","done":true}]}}`, neither, conform.NotRun, ""},
		{"what is there is done", path(present), false, `{"content":[],"structuredContent":{"rows":["A-1","A-2"]}}`, first, conform.Fail, "A-2"},
		{"what is not there is not", path(present), false, `{"content":[],"structuredContent":{"rows":["A-1"]}}`, first, conform.Pass, ""},
		{"the path gives one list", conform.Results{Path: "$.rows", Success: []string{"present"}}, false, `{"content":[],"structuredContent":{"rows":["A-1","A-2"]}}`, first, conform.Fail, "A-2"},
		{"in a bare array", conform.Results{Path: "$[*]", Success: []string{"present"}}, false, `{"content":[{"type":"text","text":"[\"A-1\",\"A-2\"]"}]}`, first, conform.Fail, "A-2"},
		{"in a bare array of structuredContent", conform.Results{Path: "$[*]", Success: []string{"present"}}, false, `{"content":[],"structuredContent":["A-1","A-2"]}`, first, conform.Fail, "A-2"},
		{"no data denies nothing", conform.Results{Path: "$[*]", Success: []string{"present"}}, false, `{"content":[{"type":"text","text":"thank you"}]}`, first, conform.NotRun, ""},
		{"rows beside the path are not read", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"A-1","done":true}],"results":[{"id":"A-2","success":true}]}}`, first, conform.Pass, ""},
		{"no answer to look into", path(flagged), false, `{"content":[]}`, neither, conform.NotRun, ""},
		{"the call acknowledges all", call, false, `{"content":[],"structuredContent":{"message":"ok"}}`, first, conform.Fail, "A-2"},
		{"the call was an error", call, false, `{"isError":true,"content":[],"structuredContent":{"message":"no"}}`, neither, conform.NotRun, ""},
		{"in a text, a row a line", split, false, `{"content":[{"type":"text","text":"item A-1 done\nitem A-2 done"}]}`, first, conform.Fail, "A-2"},
		{"in a text, one failed", split, false, `{"content":[{"type":"text","text":"item A-1 done\nno item\nitem A-2 failed"}]}`, first, conform.Pass, ""},
		{"in the second text", split, false, `{"content":[{"type":"text","text":"hello"},{"type":"text","text":"item A-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"in a text, letter case folded", split, true, `{"content":[{"type":"text","text":"item a-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"in a text, nothing fails", conform.Results{Split: "\n", RowID: `item (\S+)`}, false, `{"content":[{"type":"text","text":"item A-2 failed"}]}`, neither, conform.Fail, "A-2"},
		{"rows of the contract need no mapping", conform.Results{}, false, `{"content":[],"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}`, first, conform.Fail, "A-2"},
		{"an empty list does not", call, false, `{"content":[],"structuredContent":{"results":[]}}`, first, conform.Fail, "A-2"},
		{"a stranger's row among the contract's", conformingRows, false, `{"content":[],"structuredContent":{"results":[{"id":"Z-1","success":true},{"id":"A-1","success":true},{"id":"A-2","success":true}]}}`, first, conform.Fail, "A-2"},
		{"by the second of its names", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":"7","name":"Product A-2","done":true}]}}`, neither, conform.Fail, "A-2"},
		{"a name of another kind", path(flagged), false, `{"content":[],"structuredContent":{"rows":[{"id":["A-2"],"done":true}]}}`, neither, conform.NotRun, ""},
		{"capital letters folded", path(flagged), true, `{"content":[],"structuredContent":{"rows":[{"id":"A-2","done":true}]}}`, neither, conform.Fail, "A-2"},
		{"present without a path says nothing", present, false, `{"content":[],"structuredContent":{"rows":["A-1","A-2"]}}`, neither, conform.NotRun, ""},
		{"a path that does not read", conform.Results{Path: "$[", Success: []string{"done"}}, false, `{"content":[],"structuredContent":{"rows":[{"id":"A-2","done":true}]}}`, neither, conform.NotRun, ""},
		{"a split that does not read", conform.Results{Split: "(", RowID: `item (\S+)`}, false, `{"content":[{"type":"text","text":"item A-2 done"}]}`, neither, conform.NotRun, ""},
		{"a row that does not read", conform.Results{Split: "\n", RowID: `item (`}, false, `{"content":[{"type":"text","text":"item A-2 done"}]}`, neither, conform.NotRun, ""},
		{"a failure that does not read", conform.Results{Split: "\n", RowID: `item (\S+)`, RowFailed: "("}, false, `{"content":[{"type":"text","text":"item A-2 done"}]}`, neither, conform.NotRun, ""},
		{"in a text, by the second of its names", conform.Results{Split: "\n", RowID: `item (.+) done`}, false, `{"content":[{"type":"text","text":"item Product A-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"in a text, by the first of its names", conform.Results{Split: "\n", RowID: `item (.+) done`}, false, `{"content":[{"type":"text","text":"item A-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"in a text, capital letters folded", split, true, `{"content":[{"type":"text","text":"item A-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"in a text, a line of nothing first", split, false, `{"content":[{"type":"text","text":"hello\nitem A-2 done"}]}`, neither, conform.Fail, "A-2"},
		{"and outweigh a text's", split, false, `{"content":[{"type":"text","text":"item A-2 done"}],"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"x"}]}}`, first, conform.Pass, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &film{}
			f.look(conform.Before, before...)
			f.ask("c1", two)
			f.answer("c1", c.answer)
			f.look(conform.After, c.after...)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			op.Results, op.FoldCase = c.results, c.fold
			hold(t, f, op, "EFF-01", c.verdict, []string{c.words})
		})
	}
}

// SCOPE: which tools are meant.
func TestTheScopeOfARun(t *testing.T) {
	tool := func(name, properties string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{` + properties + `}}}`
	}
	known := tool("cancel_products", `"items":{"type":"array","items":{"type":"string"}}`) + "," + tool("validate_products", "")
	keyed := tool("cancel_products", `"items":{"type":"array","items":{"type":"string"}},"idempotencyKey":{"type":"string"}`)
	validator := func(name string) string {
		return tool("cancel_products", `"items":{"type":"string"}`) + "," + tool(name, `"items":{"type":"string"}`)
	}
	// without has the target file say `none` of some things, and nothing of the others.
	without := func(keys ...string) func(*conform.Operation) {
		return func(op *conform.Operation) {
			op.ValidatorTool = ""
			for key, said := range map[string]*conform.Presence{"validator": &op.Validator, "workflow": &op.Workflow, "idempotency": &op.Idempotency} {
				*said = conform.Unsaid
				if slices.Contains(keys, key) {
					*said = conform.Absent
				}
			}
		}
	}
	for name, c := range map[string]struct {
		tools   string
		noFile  bool
		ignore  []string
		op      func(*conform.Operation)
		listing map[string]string // per rule: the verdict, and what is said
	}{
		"nothing else":              {known, false, nil, nil, map[string]string{"SCOPE-01": "pass", "SCOPE-02": "pass"}},
		"a list of texts":           {known + "," + tool("bulk", `"n":{"type":"integer"},"ids":{"type":"array","items":{"type":"string"}}`), false, nil, nil, map[string]string{"SCOPE-01": `fail bulk (its argument "ids" takes a list)`, "SCOPE-02": "pass", "SCOPE-01 paste": "# under operations:\n"}},
		"a list of objects":         {known + "," + tool("bulk", `"ids":{"type":"array","items":{"type":"object"}}`), false, nil, nil, map[string]string{"SCOPE-01": "fail bulk"}},
		"a list of whole numbers":   {known + "," + tool("bulk", `"ids":{"type":["array","null"],"items":{"type":["null","integer"]}}`), false, nil, nil, map[string]string{"SCOPE-01": "fail bulk"}},
		"a list of numbers":         {known + "," + tool("bulk", `"ids":{"type":"array","items":{"type":"number"}}`), false, nil, nil, map[string]string{"SCOPE-01": "fail bulk"}},
		"a list of lists":           {known + "," + tool("matrix", `"rows":{"type":"array","items":{"type":"array"}}`), false, nil, nil, map[string]string{"SCOPE-01": "pass"}},
		"a list of words to choose": {known + "," + tool("search", `"fields":{"type":"array","items":{"type":"string","enum":["a"]}}`), false, nil, nil, map[string]string{"SCOPE-01": "pass"}},
		"words to choose, and ids":  {known + "," + tool("search", `"fields":{"type":"array","items":{"type":"string","enum":["a"]}},"ids":{"type":"array","items":{"type":"string"}}`), false, nil, nil, map[string]string{"SCOPE-01": `fail search (its argument "ids"`}},
		"no arguments":              {known + `,{"name":"ping","inputSchema":{"type":"object"}}`, false, nil, nil, map[string]string{"SCOPE-01": "pass"}},
		"ignored":                   {known + "," + tool("bulk", `"ids":{"type":"array","items":{"type":"string"}}`), false, []string{"bulk"}, nil, map[string]string{"SCOPE-01": "pass"}},
		"another one ignored":       {known + "," + tool("bulk", `"ids":{"type":"array","items":{"type":"string"}}`), false, []string{"old", "older"}, nil, map[string]string{"SCOPE-01": "fail bulk"}},
		"two of them":               {known + "," + tool("b1", `"ids":{"type":"array","items":{"type":"string"}}`) + "," + tool("b2", `"ids":{"type":"array","items":{"type":"string"}}`), false, nil, nil, map[string]string{"SCOPE-01": "fail b1", "SCOPE-01 paste": "# ignore:\n#   - {tool: b1, because: FILL-IN}\n#   - {tool: b2, because: FILL-IN}"}},
		"a probe that takes a list": {known + "," + tool("get", `"ids":{"type":"array","items":{"type":"string"}}`), false, nil, func(op *conform.Operation) { op.ProbeTool = "get" }, map[string]string{"SCOPE-01": "pass", "SCOPE-02": "pass"}},
		"a reset that takes a list": {known + "," + tool("undo", `"ids":{"type":"array","items":{"type":"string"}}`), false, nil, func(op *conform.Operation) { op.ResetTool = "undo" }, map[string]string{"SCOPE-01": "pass", "SCOPE-02": "pass"}},
		"the tool is gone":          {tool("validate_products", ""), false, nil, nil, map[string]string{"SCOPE-02": "fail not listed: cancel_products (the tool of cancel)"}},
		"the validator is gone":     {tool("cancel_products", ""), false, nil, nil, map[string]string{"SCOPE-02": "fail not listed: validate_products (the validator of cancel)"}},
		"the probe is gone":         {known, false, nil, func(op *conform.Operation) { op.ProbeTool = "get" }, map[string]string{"SCOPE-02": "fail not listed: get (the probe of cancel)"}},
		"the reset is gone":         {known, false, nil, func(op *conform.Operation) { op.ResetTool = "undo" }, map[string]string{"SCOPE-02": "fail not listed: undo (the reset of cancel)"}},
		"one tool in two roles":     {known, false, nil, func(op *conform.Operation) { op.ProbeTool, op.ResetTool = "both", "both" }, map[string]string{"SCOPE-02": "fail not listed: both (the probe of cancel)"}},
		"nothing is absent": {known + "," + tool("validate_other_products", `"items":{"type":"string"}`), false, nil, func(op *conform.Operation) {
			op.Validator, op.Workflow, op.Idempotency = conform.Present, conform.Unsaid, conform.Present
		}, map[string]string{"SCOPE-03": ""}},
		"no key, as declared":          {known, false, nil, without("idempotency"), map[string]string{"SCOPE-03": "pass"}},
		"a key after all":              {keyed, false, nil, without("idempotency"), map[string]string{"SCOPE-03": `fail cancel_products takes an argument "idempotencyKey"`, "SCOPE-03 hint": "write `idempotency: {argument: idempotencyKey}`", "SCOPE-03 bytes": "properties/idempotencyKey {"}},
		"a key that is not denied":     {keyed, false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"another kind of key":          {tool("cancel_products", `"items":{"type":"string"},"partition_key":{"type":"string"}`), false, nil, without("idempotency"), map[string]string{"SCOPE-03": "pass"}},
		"items called like a key":      {tool("cancel_products", `"items":{"type":"string"}`), false, nil, func(op *conform.Operation) { op.Argument = "idempotent_items"; without("idempotency")(op) }, map[string]string{"SCOPE-03": "pass"}},
		"the tool is gone, none told":  {tool("other", ""), false, nil, without("idempotency"), map[string]string{"SCOPE-03": "not-run"}},
		"no validator, as declared":    {tool("cancel_products", ""), false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"a validator after all":        {validator("validate_products"), false, nil, without("validator"), map[string]string{"SCOPE-03": `fail the tool validate_products, which takes "items" too`, "SCOPE-03 hint": `ignore: [{tool: validate_products, because: "…"}]`}},
		"a validator in camel case":    {validator("previewProductCancellation"), false, nil, without("validator"), map[string]string{"SCOPE-03": "fail the tool previewProductCancellation"}},
		"a validator in Portuguese":    {validator("validar_products"), false, nil, without("validator"), map[string]string{"SCOPE-03": "fail the tool validar_products"}},
		"a validator that is ignored":  {validator("validate_products"), false, []string{"validate_products"}, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"a validator of other things":  {validator("validate_addresses"), false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"a validator of other input":   {known, false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"a tool that looks things up":  {validator("check_products"), false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"only the verb is the same":    {validator("validate_cancel"), false, nil, without("validator"), map[string]string{"SCOPE-03": "pass"}},
		"a short word is the same":     {tool("cancel_an_id", `"items":{}`) + "," + tool("validate_an_id", `"items":{}`), false, nil, func(op *conform.Operation) { op.Tool = "cancel_an_id"; without("validator")(op) }, map[string]string{"SCOPE-03": "pass"}},
		"a tool of one word":           {tool("cancellation", `"items":{}`) + "," + tool("validate-cancellation", `"items":{}`), false, nil, func(op *conform.Operation) { op.Tool = "cancellation"; without("validator")(op) }, map[string]string{"SCOPE-03": "fail the tool validate-cancellation"}},
		"no workflow, nothing asked":   {known, false, nil, without("workflow"), map[string]string{"SCOPE-03": "not-run"}},
		"two declarations, one broken": {keyed, false, nil, without("validator", "idempotency"), map[string]string{"SCOPE-03": "fail cancel_products takes"}},
		"no target file":               {known, true, nil, nil, map[string]string{"SCOPE-01": "", "SCOPE-02": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			f.add(conform.Observation{Kind: conform.KindPlanned, Call: "list", Planned: &conform.Planned{Role: conform.RoleList, Method: "tools/list"}})
			f.add(conform.Observation{Kind: conform.KindSent, Call: "list", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: conform.Bytes(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)}})
			f.answer("list", `{"tools":[`+c.tools+`]}`)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			if c.op != nil {
				c.op(&op)
			}
			target := conform.Target{Name: "film", Transport: "streamable-http", HasFile: !c.noFile, Operations: []conform.Operation{op}}
			for _, tool := range c.ignore {
				target.Ignore = append(target.Ignore, conform.Ignored{Tool: tool})
			}
			said := map[string]string{}
			for _, finding := range suites.Judge(conform.NewRecording(conform.Header{Target: target}, f.seen), multiitem.Checks()).Findings {
				said[finding.ID] = strings.TrimSpace(finding.Verdict.String() + " " + finding.Got)
				said[finding.ID+" hint"], said[finding.ID+" paste"] = finding.Hint, finding.Paste
				if len(finding.Evidence) > 0 {
					e := finding.Evidence[0]
					said[finding.ID+" bytes"] = e.Call + " " + e.Pointer + " " + e.Excerpt
				}
			}
			for id, want := range c.listing {
				if got := said[id]; !strings.Contains(got, want) || (want == "") != (got == "") || want == "pass" && got != want {
					t.Errorf("%s: %q, want %q", id, got, want)
				}
			}
		})
	}
}

func TestARecordedAnswerIsJudgedAsItStands(t *testing.T) {
	items := []json.RawMessage{json.RawMessage(`"a"`), json.RawMessage(`"b"`)}
	rec := multiitem.Case("cancel", items, []byte(`{"content":[],"structuredContent":{"results":[{"id":"a","success":true}]}}`), []byte(`{"type":"object"}`), "2025-11-25")
	if len(rec.Calls) == 0 || rec.Revision() != "2025-11-25" || rec.Tool("cancel") == nil {
		t.Errorf("%d calls, revision %q", len(rec.Calls), rec.Revision())
	}
}
