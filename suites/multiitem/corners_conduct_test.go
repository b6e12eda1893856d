package multiitem_test

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

func asWorkflow(op *conform.Operation) { op.Workflow = conform.Present }

// sideFails makes an auxiliary step of the workflow fail.
func sideFails(p *conform.Planned) { p.AuxiliaryFails = true }

// asks plays a call in which the tool asks the user, who answers so; the tool
// then says result.
func (f *film) asks(id, action, result string, items []conform.Item) {
	f.ask(id, items)
	f.received(id, 200, "application/json", `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Sure?"}}`)
	f.add(conform.Observation{Kind: conform.KindSent, Call: id, Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST",
		Body: conform.Bytes(`{"jsonrpc":"2.0","id":"q1","result":{"action":"` + action + `"}}`)}})
	f.answer(id, result)
}

// How an operation behaves over all its calls decides which one rule speaks.
func TestCornersOfConduct(t *testing.T) {
	two, mixed, allBad := good("A-1", "A-2"), join(good("A-1"), bad("X-1")), bad("X-1", "X-2")
	taken := func(f *film) { f.call("c0", rowsOf("B-1+", "B-2+"), good("B-1", "B-2")) }
	one := func(f *film) { f.call("c00", rowsOf("B-1+"), good("B-1")) }
	// badFirst is told as failed as a whole: what else was seen decides whether
	// processing stopped or was rolled back.
	badFirst := func(before ...func(*film)) func(*film) {
		return func(f *film) {
			for _, b := range before {
				b(f)
			}
			f.call("last", rowsOf("X-1-", "A-5-"), join(bad("X-1"), good("A-5")))
		}
	}
	mix := func(id string, items []conform.Item, rows string) func(*film) {
		return func(f *film) { f.call(id, rows, items) }
	}
	keeps := mix("k", join(good("K-1"), bad("X-9")), rowsOf("K-1+", "X-9-"))
	rollsBack := mix("r", join(good("R-1"), bad("X-8")), rowsOf("R-1-", "X-8-"))
	neither := mix("n", join(good("N-1"), bad("X-7"), good("N-2")), rowsOf("N-1-", "X-7-", "N-2+"))
	corners(t, []corner{
		{"a single item gets an empty list, batches are refused", "RES-01", nil, func(f *film) {
			f.call("c0", "", good("B-1"))
			f.refuse("c1", "no", two)
		}, conform.Fail, nil},
		{"a single item is taken, batches are refused", "RES-01", nil, func(f *film) { one(f); f.refuse("c1", "no", two) }, conform.NotRun, []string{"see INP-01"}},
		{"a single item and a batch are taken, another is refused", "RES-01", nil, func(f *film) { one(f); taken(f); f.refuse("c1", "no", two) }, conform.Fail, nil},
		{"a single item is taken, and only a mixed batch gets no rows", "RES-01", nil, func(f *film) { one(f); f.structured("c1", `{"message":"hm"}`, mixed) }, conform.Fail, nil},
		{"a single item is taken, a good batch gets no rows and is not refused", "RES-01", nil, func(f *film) { one(f); f.structured("c1", `{"message":"hm"}`, two) }, conform.Fail, nil},
		{"only bad items, refused", "AGG-03", nil, func(f *film) { f.refuse("c1", "no", allBad) }, conform.Fail, []string{"no rows"}},
		{"only bad items, and no rows", "AGG-03", nil, func(f *film) { f.structured("c1", `{"message":"hm"}`, allBad) }, conform.NotRun, []string{"see RES-01"}},
		{"a lost batch is no silence", "RES-13", nil, func(f *film) { f.lose("c0", conform.TimedOut, two); f.refuse("c1", "no", good("A-1")) }, conform.Fail, nil},
		{"a batch without rows is", "RES-13", nil, func(f *film) { f.refuse("c0", "no", two); f.refuse("c1", "no", good("A-1")) }, conform.NotRun, []string{"see RES-01"}},

		{"the bad one first, all failed, others go on", "RES-03", nil, badFirst(keeps), conform.Fail, nil},
		{"others go on, and one does neither", "RES-03", nil, badFirst(keeps, neither), conform.Fail, nil},
		{"others are rolled back, and one does neither, and one goes on", "RES-03", nil, badFirst(rollsBack, neither, keeps), conform.Pass, nil},
		{"one does neither", "RES-03", nil, badFirst(neither), conform.Pass, nil},
		{"one goes on behind its bad item only", "RES-03", nil, badFirst(mix("b", join(bad("X-6"), good("B-6")), rowsOf("X-6-", "B-6+"))), conform.Pass, nil},
		{"of one the second good item tells", "RES-03", nil, badFirst(mix("s", join(good("S-1", "S-2"), bad("X-6")), `{"id":"S-1"},`+rowsOf("S-2+", "X-6-"))), conform.Fail, nil},
		{"others go on, and of one the row before the bad item cannot be read", "RES-03", nil, badFirst(keeps, mix("u", join(good("W-1"), bad("X-6")), `{"id":"W-1"},`+rowsOf("X-6-"))), conform.Fail, nil},
		{"of one the rows contradict themselves", "RES-03", nil, badFirst(mix("w", join(good("W-1"), bad("X-6")),
			`{"index":0,"id":"X-6","success":false,"error":"x"},{"index":1,"id":"W-1","success":true}`)), conform.NotRun, nil},

		{"our own good items fail, and then they do not", "VAL-10", nil, func(f *film) {
			f.call("c1", rowsOf("B-1-", "B-2+"), good("B-1", "B-2"))
			f.call("c2", rowsOf("B-3+", "B-4+"), good("B-3", "B-4"))
			f.call("c9", rowsOf("A-1-", "A-2-"), two, following(`{"items":[]}`))
		}, conform.NotRun, []string{"see AGG-01, RES-12"}},

		// Which rule speaks where there are no rows.
		{"an empty request, answered in prose", "ENV-01", nil, func(f *film) {
			f.ask("c1", nil, in(conform.FormEmpty))
			f.answer("c1", `{"content":[{"type":"text","text":"nothing to do"}]}`)
		}, conform.NotRun, nil},
		{"a request, answered in prose", "ENV-01", nil, func(f *film) { f.ask("c1", two); f.answer("c1", `{"content":[{"type":"text","text":"done"}]}`) }, conform.Fail, nil},
		{"refused in prose", "ENV-01", nil, func(f *film) { f.refuse("c1", "no", two) }, conform.NotRun, nil},
		{"refused by a bare list", "ENV-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":[1]}`)
		}, conform.Fail, nil},
		{"refused by a list in a text", "ENV-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[{"type":"text","text":"no"},{"type":"text","text":"[1]"}]}`)
		}, conform.Fail, nil},
		{"a repeat is refused", "ENV-05", nil, func(f *film) { f.refuse("c1", "no", two, repeating("c0")) }, conform.NotRun, []string{"see IDM-02"}},
		{"the user says no, and the tool gives no rows", "RES-01", func(op *conform.Operation) { op.Answers = true }, func(f *film) {
			f.asks("c0", "accept", `{"content":[],"structuredContent":{"results":[`+rowsOf("B-1+", "B-2+")+`]}}`, good("B-1", "B-2"))
			f.asks("c1", "decline", `{"isError":true,"content":[{"type":"text","text":"cancelled by the user"}]}`, two)
		}, conform.Fail, []string{"cancelled by the user"}},
		{"the user says no, and the tool tells it by rows", "RES-12", func(op *conform.Operation) { op.Answers = true }, func(f *film) {
			f.asks("c1", "decline", `{"content":[],"structuredContent":{"results":[`+rowsOf("A-1-", "A-2-")+`]}}`, two)
		}, conform.Pass, nil},
		{"the user says no, and the tool does the second all the same", "RES-12", func(op *conform.Operation) { op.Answers = true }, func(f *film) {
			f.asks("c1", "decline", `{"content":[],"structuredContent":{"results":[`+rowsOf("A-1-", "A-2+")+`]}}`, two)
		}, conform.Fail, []string{`success for "Product A-2"`, "did not agree"}},
		{"the user says no, and nothing is known of the items", "RES-12", func(op *conform.Operation) { op.Answers = true }, func(f *film) {
			f.asks("c1", "decline", `{"content":[],"structuredContent":{"results":[`+rowsOf("U-1+", "U-2+")+`]}}`, []conform.Item{{Given: quote("U-1")}, {Given: quote("U-2")}})
		}, conform.NotRun, nil},
		{"a mixed query is refused, and so is a good one", "RES-01", reading, func(f *film) { taken(f); f.refuse("c1", "no", two) }, conform.Fail, nil},
		{"a mixed query is refused", "RES-01", reading, func(f *film) { taken(f); f.refuse("c1", "no", mixed) }, conform.Pass, nil},
		{"a mixed query is an error", "RES-01", reading, func(f *film) { taken(f); f.raise("c1", mixed) }, conform.Fail, nil},
		{"a mixed write is refused", "RES-01", nil, func(f *film) { taken(f); f.refuse("c1", "no", mixed) }, conform.Fail, nil},
		{"rows beside the content", "ENV-04", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"content":[],"results":[`+rowsOf("A-1+", "A-2+")+`]}`)
		}, conform.NotRun, nil},
		{"rows beside the content", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"content":[],"results":[`+rowsOf("A-1+", "A-2+")+`]}`)
		}, conform.NotRun, []string{"see ENV-0", "!ENV-04"}},

		{"rows beside a structure that has none", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"content":[],"structuredContent":{"x":1},"results":[`+rowsOf("A-1+", "A-2+")+`]}`)
		}, conform.Fail, nil},

		// Rows of a workflow.
		{"under another key", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"first":{"x":1},"second":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}`, two)
		}, conform.Fail, []string{`output["second"]`}},
		{"under another key, inside result", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"ok":true,"result":{"output":{"second":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}}`, two)
		}, conform.Fail, []string{`output["second"]`}},
		{"deeper under another key", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"step":{"data":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}}`, two)
		}, conform.Fail, []string{"in another place: /structuredContent/output/step/data/results"}},
		{"deeper under the tool's own key", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"data":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}}`, two)
		}, conform.NotRun, []string{"see RES-01"}},
		{"under another key, beside the tool's own", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"x":1},"step":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}}`, two)
		}, conform.NotRun, []string{"see RES-01"}},
		{"an empty list under another key", "WF-01", asWorkflow, func(f *film) { f.structured("c1", `{"output":{"step":{"results":[]}}}`, two) }, conform.Fail, []string{`output["step"]`}},
		{"not under the output at all", "WF-01", asWorkflow, func(f *film) {
			f.structured("c1", `{"data":{"results":[`+rowsOf("A-1+", "A-2+")+`]}}`, two)
		}, conform.NotRun, []string{"see ENV-02"}},
		{"at the top level", "WF-01", asWorkflow, func(f *film) { f.structured("c1", `{"results":[`+rowsOf("A-1+", "A-2+")+`]}`, two) }, conform.Fail, []string{"outside `output`"}},

		{"a side step fails for one item", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1-")+`]}}}`, good("A-1"), sideFails)
		}, conform.NotRun, []string{"no call made an auxiliary step"}},
		{"a side step fails, and a row cannot be read", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[{"id":"A-1"},`+rowsOf("A-2+")+`]}}}`, two, sideFails)
		}, conform.NotRun, []string{"see RES-05"}},
		{"a side step fails, and a row is missing", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+")+`]}}}`, two, sideFails)
		}, conform.Fail, []string{`no row for "Product A-2"`}},
		{"a side step fails, and so does the good item", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1-", "X-1-")+`]}}}`, mixed, sideFails)
		}, conform.Fail, []string{`"Product A-1" is told the other way round`}},
		{"a side step fails, and the bad item is done", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+", "X-1+")+`]}}}`, mixed, sideFails)
		}, conform.Fail, []string{`"Product X-1" is told the other way round`}},
		{"a side step fails, and the good item fails as it does without", "WF-02", asWorkflow, func(f *film) {
			f.structured("c0", `{"output":{"cancel_products":{"results":[`+rowsOf("B-1-", "B-2+")+`]}}}`, good("B-1", "B-2"))
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1-", "X-1-")+`]}}}`, mixed, sideFails)
		}, conform.NotRun, []string{"see AGG-01, RES-12"}},
		{"a side step fails, and nothing is known of the items", "WF-02", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("U-1-", "U-2+")+`]}}}`, []conform.Item{{Given: quote("U-1")}, {Given: quote("U-2")}}, sideFails)
		}, conform.NotRun, nil},
		{"a side step fails, and the output is gone", "WF-03", asWorkflow, func(f *film) { taken(f); f.structured("c1", `{"message":"notify failed"}`, two, sideFails) }, conform.Fail, []string{"no output in the answer\n"}},
		{"a side step fails, and the output is a text", "WF-03", asWorkflow, func(f *film) {
			taken(f)
			f.structured("c1", `{"result":{"output":"x"}}`, two, sideFails)
		}, conform.Fail, []string{"no output in the answer\n"}},
		{"a side step fails, and the rows are gone", "WF-03", asWorkflow, func(f *film) {
			taken(f)
			f.structured("c1", `{"ok":false,"result":{"output":{"notify":{}}}}`, two, sideFails)
		}, conform.Fail, []string{"no rows under output: `ok: false`"}},
		{"a side step fails, and the top level's rows are gone", "WF-03", asWorkflow, func(f *film) {
			taken(f)
			f.structured("c1", `{"output":{"notify":{}}}`, two, sideFails)
		}, conform.Fail, []string{"no rows under output\n"}},
		{"a side step fails, and the call is an error", "WF-03", asWorkflow, func(f *film) { taken(f); f.raise("c1", two, sideFails) }, conform.Fail, []string{"no output in the answer: JSON-RPC error"}},

		{"two strangers that name something", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+", "Z-1+", "Z-2+")+`]},"notify":{"success":true}}}`, two)
		}, conform.Pass, nil},
		{"an entry that names nothing, beside all rows", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+")+`,{"step":"mail","success":true}]}}}`, two)
		}, conform.Fail, []string{"results[2]"}},
		{"an entry that names nothing, and rows are missing", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+")+`,{"step":"mail","success":true}]}}}`, good("A-1", "A-2", "A-3"))
		}, conform.Pass, nil},
		{"that entry stands under the third key too", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+")+`,{"step":"mail","success":true}]},"a":{"x":1},"notify":{"results":[{"success":true,"step":"mail"},{"x":2}]},"z":{"y":2}}}`, good("A-1", "A-2", "A-3"))
		}, conform.Fail, []string{"results[1]"}},
		{"and there is no output", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"results":[`+rowsOf("A-1+")+`,{"step":"mail","success":true}]}`, good("A-1", "A-2", "A-3"))
		}, conform.Pass, nil},
		{"a null among the rows, and another step says null", "WF-04", asWorkflow, func(f *film) {
			f.structured("c1", `{"output":{"cancel_products":{"results":[`+rowsOf("A-1+")+`,null]},"notify":null}}`, good("A-1", "A-2", "A-3"))
		}, conform.Pass, nil},
	})
}

// What one operation does is not held against another.
func TestConductIsThatOfOneOperation(t *testing.T) {
	f := &film{}
	other := func(p *conform.Planned) { p.Operation = "other" }
	f.refuse("c1", "no", good("A-1", "A-2"))
	f.call("c2", rowsOf("B-1+", "B-2+"), good("B-1", "B-2"), other)
	f.refuse("c3", "no", bad("X-1", "X-2"), other)
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	second := operations[0]
	second.Name = "other"
	rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: []conform.Operation{operations[0], second}}}, f.seen)
	for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
		if finding.ID == "AGG-03" && finding.Operation == "other" && finding.Verdict != conform.Fail {
			t.Errorf("%s: %s %s", finding.Verdict, finding.Got, finding.Reason)
		}
	}
}

// What became of a call decides whether there is anything to judge.
func TestCornersOfWhatBecameOfACall(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	got := func(status int, media, body string) func(*film) {
		return func(f *film) { f.ask("c1", two); f.received("c1", status, media, body) }
	}
	const whole = `{"jsonrpc":"2.0","id":"c1","result":{"content":[],"structuredContent":{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}}}`
	const refused = `{"jsonrpc":"2.0","id":"c1","error":{"code":-32603,"message":"no"}}`
	const json = "application/json"
	padded := strings.Repeat("x", 600) + " permission denied " + strings.Repeat("y", 600)
	unlisted := func(f *film) { f.lists(`{"name":"another"}`) }
	taskOnly := func(f *film) { f.lists(`{"name":"cancel_products","execution":{"taskSupport":"required"}}`) }
	first := func(before func(*film), then func(*film)) func(*film) { return func(f *film) { before(f); then(f) } }
	asTasks := func(op *conform.Operation) { op.Tasks = true }
	task := func(status string) func(*film) {
		return func(f *film) {
			f.ask("c1", two)
			f.at += 3e9
			f.answer("c1", `{"resultType":"task","taskId":"t","status":"`+status+`"}`)
		}
	}
	corners(t, []corner{
		{"rows beside HTTP 502", "RES-02", nil, got(502, json, whole), conform.Pass, nil},
		{"rows beside HTTP 400", "RES-02", nil, got(400, json, whole), conform.Pass, nil},
		{"HTTP 502", "RES-01", nil, got(502, json, `{}`), conform.Inconclusive, []string{"an intermediary"}},
		{"HTTP 504", "RES-01", nil, got(504, json, `{}`), conform.Inconclusive, []string{"an intermediary"}},
		{"a page", "RES-01", nil, got(200, "text/html", `<html>`), conform.Inconclusive, []string{"an intermediary"}},
		{"HTTP 401", "RES-01", nil, got(401, json, `{}`), conform.NotRun, []string{"credentials (HTTP 401)", "--token-env"}},
		{"HTTP 403", "RES-01", nil, got(403, json, `{}`), conform.NotRun, []string{"credentials (HTTP 403)"}},
		{"HTTP 429", "RES-01", nil, got(429, json, `{}`), conform.Inconclusive, []string{"busy (HTTP 429)"}},
		{"HTTP 503", "RES-01", nil, got(503, json, `{}`), conform.Inconclusive, []string{"busy (HTTP 503)"}},
		{"HTTP 503, and the server's own error", "RES-01", nil, got(503, json, refused), conform.Fail, []string{"JSON-RPC error"}},
		{"HTTP 400", "RES-01", nil, got(400, json, `{}`), conform.Fail, []string{"HTTP status 400"}},
		{"HTTP 300", "RES-01", nil, got(300, json, `{}`), conform.Fail, []string{"HTTP status 300"}},
		{"HTTP 299", "RES-01", nil, got(299, json, ``), conform.NotRun, []string{"see PRO-04"}},
		{"HTTP 400, and the server's own error", "RES-01", nil, got(400, json, refused), conform.Fail, []string{"JSON-RPC error"}},
		{"a response of nothing", "RES-01", nil, got(200, json, `{"jsonrpc":"2.0","id":"c1"}`), conform.NotRun, []string{"see PRO-05"}},
		{"an empty request, HTTP 400", "INP-05", nil, func(f *film) {
			f.ask("c1", nil, in(conform.FormEmpty))
			f.received("c1", 400, json, `{}`)
		}, conform.Pass, nil},
		{"an empty request, told as done beside HTTP 400", "INP-05", nil, func(f *film) {
			f.ask("c1", nil, in(conform.FormEmpty))
			f.received("c1", 400, json, `{"jsonrpc":"2.0","id":"c1","result":{"content":[],"structuredContent":{"message":"hm"}}}`)
		}, conform.Fail, nil},
		{"an empty request, a JSON-RPC error", "INP-05", nil, func(f *film) { f.raise("c1", nil, in(conform.FormEmpty)) }, conform.Pass, nil},

		{"the tool is not listed", "RES-01", nil, first(unlisted, func(f *film) { f.refuse("c1", "no", two) }), conform.NotRun, []string{"does not list a tool named", "correct the tool's name"}},
		{"the tool is not listed, and gives no rows", "RES-01", nil, first(unlisted, func(f *film) { f.structured("c1", `{"message":"hm"}`, two) }), conform.Fail, nil},
		{"the tool is not listed, and gives an empty list", "RES-02", nil, first(unlisted, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"results":[]}}`)
		}), conform.Fail, nil},
		{"a tool for tasks only, and a page", "RES-01", nil, first(taskOnly, got(502, "text/html", "<html>")), conform.Inconclusive, []string{"an intermediary"}},
		{"a tool for tasks only, and a refusal", "RES-01", nil, first(taskOnly, func(f *film) { f.refuse("c1", "no", two) }), conform.NotRun, []string{"execution.taskSupport"}},
		{"a tool for tasks only, and all rows failed", "RES-02", nil, first(taskOnly, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"results":[`+rowsOf("A-1-", "A-2-")+`]}}`)
		}), conform.Pass, nil},
		{"a tool for tasks only, and no refusal", "RES-01", nil, first(taskOnly, func(f *film) { f.structured("c1", `{"message":"hm"}`, two) }), conform.Fail, nil},
		{"a tool for tasks at will, and a refusal", "RES-01", nil, first(func(f *film) {
			f.lists(`{"name":"cancel_products","execution":{"taskSupport":"optional"}}`)
		}, func(f *film) { f.refuse("c1", "no", two) }), conform.Fail, nil},

		{"refused, and no text", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"code":7}}`)
		}, conform.Fail, []string{`{\"code\":7}`}},
		{"permission, in the middle of a long text", "RES-01", nil, func(f *film) { f.refuse("c1", padded, two) }, conform.Fail, []string{"permission problem"}},
		{"permission, in the middle of a long second text", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[{"type":"text","text":"no"},{"type":"text","text":"`+padded+`"}]}`)
		}, conform.Fail, []string{"permission problem"}},
		{"permission, by a JSON-RPC error", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.received("c1", 200, json, strings.Replace(refused, `"no"`, `"permission denied"`, 1))
		}, conform.Fail, []string{"permission problem"}},
		{"no word of permission", "RES-01", nil, func(f *film) { f.refuse("c1", "no", two) }, conform.Fail, []string{"!permission problem"}},

		// Tasks that are played to their end.
		{"a task at work", "RES-01", asTasks, task("working"), conform.Inconclusive, []string{"stood at status working", "after 3s"}},
		{"a task that ended", "RES-01", asTasks, task("completed"), conform.Inconclusive, []string{"the task ended after 3s (status completed) and has no result"}},
		{"a task that we gave up", "RES-01", asTasks, func(f *film) {
			task("working")(f)
			f.ask("x", nil, as(conform.RoleLifecycle), func(p *conform.Planned) { p.Method, p.Continues = "tasks/cancel", "c1" })
			f.answer("x", `{}`)
		}, conform.Inconclusive, []string{"had not ended after 3s, and was cancelled"}},
		{"a task that failed by an error", "RES-01", asTasks, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"resultType":"task","taskId":"t","status":"failed","error":{"code":-32603,"message":"no"}}`)
		}, conform.Fail, []string{"JSON-RPC error"}},

		{"the connection was lost after the answer", "RES-02", nil, func(f *film) {
			got(200, json, whole)(f)
			f.seen[len(f.seen)-1].Received.End, f.seen[len(f.seen)-1].Received.Problem = conform.Cut, "lost"
		}, conform.Pass, nil},
		{"accepted, and a word on it", "RES-01", nil, func(f *film) {
			got(202, "", "")(f)
			f.seen[len(f.seen)-1].Received.Problem = "a word"
		}, conform.NotRun, []string{"see PRO-04"}},

		// Letters.
		{"rows in other letters", "RES-02", nil, func(f *film) { f.call("c1", rowsOf("a-1+", "A-2+"), two) }, conform.Fail, nil},
		{"rows in other letters that are the same", "RES-02", foldingCase, func(f *film) { f.call("c1", rowsOf("a-1+", "A-2+"), two) }, conform.Pass, nil},
		{"a validator was only planned", "VAL-01", nil, func(f *film) { f.plan("v1", mixed, asValidator) }, conform.NotRun, []string{"no call of a validator"}},
	})
}

// A body is a legacy REST answer only where the request was one, and the answer
// came well and whole.
func TestWhatIsNoLegacyRESTAnswer(t *testing.T) {
	const body = `{"ok":true,"result":{` + twoRows + `}}`
	for name, c := range map[string]struct {
		request string
		change  func(*conform.Received)
		judged  bool
	}{
		"one":                {`{"tool_name":"cancel_products"}`, func(*conform.Received) {}, true},
		"an HTTP error":      {`{"tool_name":"cancel_products"}`, func(in *conform.Received) { in.Status = 404 }, false},
		"cut off":            {`{"tool_name":"cancel_products"}`, func(in *conform.Received) { in.End = conform.Cut }, false},
		"no JSON":            {`{"tool_name":"cancel_products"}`, func(in *conform.Received) { in.Body = conform.Bytes("done") }, false},
		"no tool is named":   {`{"name":"cancel_products"}`, func(*conform.Received) {}, false},
		"a JSON-RPC request": {`{"jsonrpc":"2.0","tool_name":"cancel_products"}`, func(*conform.Received) {}, false},
		"a request in prose": {`cancel_products`, func(*conform.Received) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			rec := legacy(body)
			seen := rec.Observations
			seen[1].Sent.Body = conform.Bytes(c.request)
			c.change(seen[2].Received)
			if verdict, said := saidBy(conform.NewRecording(rec.Header, seen), "RES-02"); (verdict == conform.Pass) != c.judged {
				t.Errorf("%s: %s", verdict, said)
			}
		})
	}
}
