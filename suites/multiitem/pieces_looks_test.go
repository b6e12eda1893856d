package multiitem_test

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// A look at an answer in pieces says whether no more than its shape is wrong, which
// item is concerned, and shows what the call was answered with at first.
func TestLooksAtAnswersInPieces(t *testing.T) {
	three := good("A-1", "A-2", "A-3")
	done := func(rows ...string) string {
		return `{"job_id":"J-1","status":"done","results":[` + rowsOf(rows...) + `]}`
	}
	for name, c := range map[string]struct {
		id    string
		film  func(*film)
		shape bool
		item  int
		shown string
	}{
		"a job whose rows came": {"RES-01", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, done("A-1+", "A-2+", "A-3+"))
		}, true, 0, "J-1"},
		"a job that was given up": {"RES-01", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
		}, true, 0, "J-1"},
		"a job that ended without rows": {"RES-01", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"failed"}`)
		}, false, 0, "J-1"},
		"one item as a job": {"RES-13", func(f *film) {
			f.begin("c1", accepted, good("A-1"))
			f.further("poll", "c1", 1, done("A-1+"))
		}, true, 1, "J-1"},
		"one item as a job that was given up": {"RES-13", func(f *film) {
			f.begin("c1", accepted, good("A-1"))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
		}, true, 1, "J-1"},
		"one item as a job without a row": {"RES-13", func(f *film) {
			f.begin("c1", accepted, good("A-1"))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"failed"}`)
		}, false, 1, "J-1"},
		"pages": {"RES-02", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("", "A-3+"))
		}, true, 0, "next_cursor"},
		"pages that were given up": {"RES-02", func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("3", "A-2+"))
		}, true, 0, "next_cursor"},
		"pages that lose a row": {"RES-02", func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("", "A-2+"))
		}, false, 3, "next_cursor"},
		"pages with a row twice": {"RES-02", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("", "A-2+", "A-3+"))
		}, false, 2, "next_cursor"},
		"pages with a stranger": {"RES-02", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("", "A-3+", "Z-1+"))
		}, false, 0, "next_cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			op := operations[0]
			op.Results.Async, op.Results.Next = &conform.Async{Tool: "get_job"}, &conform.Next{}
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
			for _, check := range multiitem.Checks() {
				if check.ID != c.id {
					continue
				}
				for _, look := range check.Judge(&conform.Subject{Recording: rec, Operation: &op, Calls: rec.Of("cancel")}) {
					if look.Verdict != conform.Fail {
						continue
					}
					if look.Shape != c.shape || look.Item != c.item || look.Call == nil || look.Call.ID != "c1" {
						t.Errorf("shape %v, item %d, call %v; want %v, %d", look.Shape, look.Item, look.Call, c.shape, c.item)
					}
					if e := look.Evidence[0]; e.Call != "c1" || !strings.Contains(e.Excerpt, c.shown) {
						t.Errorf("it shows %+v", e)
					}
					return
				}
			}
			t.Error("nothing fails")
		})
	}
}

// What is put together by the target file's mapping keeps no rule of shape by it.
func TestCornersOfAnswersInPieces(t *testing.T) {
	three := good("A-1", "A-2", "A-3")
	polled := func(op *conform.Operation) {
		op.Results.Async, op.Results.Next = &conform.Async{Tool: "get_job"}, &conform.Next{}
	}
	reads := func(op *conform.Operation) { polled(op); op.Write = false }
	flows := func(op *conform.Operation) { polled(op); op.Workflow = conform.Present }
	done := func(rows ...string) string {
		return `{"job_id":"J-1","status":"done","results":[` + rowsOf(rows...) + `]}`
	}
	// totals plays a first page with totals, behind which the other outcome follows.
	totals := func(said string, rows ...string) func(*film) {
		last := "A-3-"
		if strings.HasSuffix(rows[0], "-") {
			last = "A-3+"
		}
		return func(f *film) {
			f.begin("c1", `{`+said+`,"results":[`+rowsOf(rows...)+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, page("", last))
		}
	}
	job := func(id string, items []conform.Item, rows ...string) func(*film) {
		return func(f *film) { f.begin(id, accepted, items); f.further("poll", id, 1, done(rows...)) }
	}
	corners(t, []corner{
		{"a job that could not be looked at, after it was", "RES-02", polled, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
			f.continues("c1/poll.2", "c1", "poll")
			f.add(conform.Observation{Kind: conform.KindReceived, Call: "c1/poll.2", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "the connection was lost"}})
		}, conform.Inconclusive, []string{"the connection was lost"}},
		{"a job that could not be looked at", "RES-02", polled, func(f *film) {
			f.begin("c1", `{"job_id":"J-1","status":"accepted"}`, three)
			f.continues("c1/poll.1", "c1", "poll")
			f.add(conform.Observation{Kind: conform.KindReceived, Call: "c1/poll.1", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "the connection was lost"}})
		}, conform.Inconclusive, []string{"the connection was lost"}},
		{"the call itself was lost", "RES-02", polled, func(f *film) { f.lose("c1", conform.TimedOut, three) }, conform.Inconclusive, []string{"nothing came: timeout"}},
		{"a single job without a row, where batches are jobs", "RES-13", polled, func(f *film) {
			job("c1", three, "A-1+", "A-2+", "A-3+")(f)
			f.begin("c2", accepted, good("A-4"))
			f.further("poll", "c2", 1, `{"job_id":"J-1","status":"failed"}`)
		}, conform.NotRun, []string{"the answer is a job and has no row (see RES-01)"}},
		{"two jobs, and both keep the rule", "RES-05", polled, func(f *film) {
			job("c1", three, "A-1+", "A-2+", "A-3+")(f)
			job("c2", three, "A-1+", "A-2+", "A-3+")(f)
		}, conform.NotRun, []string{"the answer came as a job"}},
		{"a call that is answered at once, and a job", "RES-05", polled, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			job("c1", three, "A-1+", "A-2+", "A-3+")(f)
		}, conform.Pass, []string{"1 of 1"}},
		{"a job that fails the rule, and one that keeps it", "RES-05", polled, func(f *film) {
			f.begin("c0", accepted, good("A-1", "A-2"))
			f.further("poll", "c0", 1, `{"job_id":"J-1","status":"done","results":[{"id":"A-1"},{"id":"A-2","success":true}]}`)
			job("c1", three, "A-1+", "A-2+", "A-3+")(f)
		}, conform.Fail, []string{"1 of 1"}},
		{"a query by a job", "RO-01", reads, job("c1", join(good("A-1"), bad("X-1")), "A-1+", "X-1-"), conform.NotRun, []string{"the answer came as a job"}},
		{"a workflow by a job", "WF-04", flows, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","output":{"cancel_products":{"results":[`+rowsOf("A-1+", "A-2+", "A-3+")+`]}}}`)
		}, conform.NotRun, []string{"the answer came as a job"}},
		{"an empty request that begins a job which refuses it", "INP-05", polled, func(f *film) {
			f.begin("c1", accepted, nil, in(conform.FormEmpty))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"failed","error":"nothing asked"}`)
		}, conform.Pass, nil},
		{"a mere page mark, and all rows", "RES-02", polled, func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+", "A-3+"), three)
			f.further("page", "c1", 1, page("", "Z-1+"))
		}, conform.Fail, []string{"for nothing that was asked"}},
		{"no list on the first page", "RES-02", polled, func(f *film) { f.begin("c1", `{"next_cursor":"2"}`, three) }, conform.NotRun, nil},

		{"a job that the key does not fit", "RES-01", polled, func(f *film) { f.begin("c1", `{"job":{"name":"J-1"},"status":"running"}`, three) }, conform.NotRun, []string{"correct `operations.cancel.results.async`"}},
		{"a page that the key does not fit", "RES-02", polled, func(f *film) { f.begin("c1", `{"has_more":true,"results":[`+rowsOf("A-1+")+`]}`, three) }, conform.NotRun, []string{"correct `operations.cancel.results.next`"}},
		{"a question, which neither key fits", "RES-01", polled, func(f *film) { f.wonders("c1", `{"content":[]}`, three, "elicitation/create") }, conform.NotRun, []string{"add `operations.cancel.answers`"}},
		{"a job, where answers are given", "RES-01", func(op *conform.Operation) { op.Answers = true }, func(f *film) { f.begin("c1", accepted, three) }, conform.NotRun, []string{"add `operations.cancel.results.async`"}},
		{"a job that came to one page", "RES-02", func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job"} }, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","next_cursor":"2","results":[`+rowsOf("A-1+")+`]}`)
		}, conform.NotRun, []string{"one page of the rows"}},

		// Totals of the first page are its own.
		{"a page of successes", "AGG-05", polled, totals(`"succeeded":2,"status":"SUCCESS","failed":0`, "A-1+", "A-2+"), conform.NotRun, []string{"came on 2 pages"}},
		{"a page of failures", "AGG-05", polled, totals(`"failed":2,"status":"FAILED"`, "A-1-", "A-2-"), conform.NotRun, []string{"came on 2 pages"}},
		{"a page of both", "AGG-05", polled, totals(`"failed":1,"succeeded":1,"count":2`, "A-1+", "A-2-"), conform.NotRun, []string{"came on 2 pages"}},
		{"a page of both, told as a success", "AGG-05", polled, totals(`"status":"SUCCESS"`, "A-1+", "A-2-"), conform.Fail, []string{"status is"}},
		{"a page of both, told as failed", "AGG-05", polled, totals(`"status":"FAILED"`, "A-1+", "A-2-"), conform.Fail, []string{"status is"}},
		{"a page of successes, told as failed", "AGG-05", polled, totals(`"status":"FAILED"`, "A-1+", "A-2+"), conform.Fail, []string{"status is"}},
		{"a page of successes, told as of both", "AGG-05", polled, func(f *film) {
			f.begin("c1", `{"status":"PARTIAL_SUCCESS","results":[`+rowsOf("A-1+", "A-2+")+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, page("", "A-3+"))
		}, conform.Fail, []string{"status is"}},
		{"a page of failures, told as of both", "AGG-05", polled, func(f *film) {
			f.begin("c1", `{"status":"PARTIAL_SUCCESS","results":[`+rowsOf("A-1-", "A-2-")+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, page("", "A-3-"))
		}, conform.Fail, []string{"status is"}},
		{"a page of both, told so, and failures follow", "AGG-05", polled, func(f *film) {
			f.begin("c1", `{"failed":1,"results":[`+rowsOf("A-1+", "A-2-")+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, page("", "A-3-"))
		}, conform.NotRun, []string{"came on 2 pages"}},

		{"a job that ended with nothing where its rows should be", "RES-01", func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job", Result: "out"} }, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done"}`)
		}, conform.Fail, []string{"nothing stands at out"}},
		{"a job that ended with nothing where its rows should be", "RES-02", func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job", Result: "out"} }, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done"}`)
		}, conform.NotRun, []string{"no results[]"}},
		{"a job whose rows stand on pages that were given up", "RES-02", polled, func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","next_cursor":"2","results":[`+rowsOf("A-1+")+`]}`)
		}, conform.Fail, []string{"only 1 pages had come"}},
		{"a job of which no state is told", "RES-02", func(op *conform.Operation) {
			op.Results.Async = &conform.Async{Tool: "get_job", ID: "job_id", State: "phase", Done: []string{"over"}}
		}, func(f *film) { f.begin("c1", `{"job_id":"J-1"}`, three) }, conform.Inconclusive, []string{"was given up\n"}},
		{"a job that nobody looked at", "RES-02", polled, func(f *film) { f.begin("c1", accepted, three) }, conform.Inconclusive, []string{"given up (status accepted)\n"}},
		{"a first page, and no other was asked for", "RES-02", polled, func(f *film) { f.begin("c1", page("2", "A-1+"), three) }, conform.Fail, []string{"1 row on the first page; only 1 pages had come"}},
		{"all rows on the first page, and a stranger on the second", "RES-02", polled, func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+", "A-3+"), three)
			f.further("page", "c1", 1, page("", "Z-1+"))
		}, conform.Fail, []string{"!on the first page"}},
		{"a row lost between pages", "RES-02", polled, func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("", "A-3+"))
		}, conform.Fail, []string{"even over all 2 pages\n"}},
		{"a page mark above the rows", "RES-02", nil, func(f *film) {
			f.structured("c1", `{"ok":true,"next_cursor":"p","result":{"results":[`+rowsOf("A-1+")+`]}}`, three)
		}, conform.NotRun, []string{"one page of the rows"}},

		// A task that we cancelled: how much was done is the server's to say.
		{"cancelled, and a bad item told as done", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1+"), join(good("A-1"), bad("X-1")), func(p *conform.Planned) { p.Cancels = true })
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Fail, []string{"1 of 2 acknowledged items"}},
		{"an answer to what was never sent", "RES-01", nil, func(f *film) {
			f.plan("c1", three)
			f.received("c1", 200, "application/json", page("", "A-1+"))
			f.refuse("c2", "no", three)
		}, conform.Fail, []string{"1 of 1"}},
	})
}

// A job is looked at ten thousand times, and then no more.
func TestAJobIsNotLookedAtForEver(t *testing.T) {
	f := &film{}
	f.begin("c1", accepted, good("A-1", "A-2"))
	for k := range 10_001 {
		f.further("poll", "c1", k+1, `{"job_id":"J-1","status":"running"}`)
	}
	op := operations[0]
	op.Results.Async = &conform.Async{Tool: "get_job"}
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
	for _, check := range multiitem.Checks() {
		if check.ID != "RES-05" {
			continue
		}
		looks := check.Judge(&conform.Subject{Recording: rec, Operation: &op, Calls: rec.Of("cancel")})
		if len(looks) != 1 || looks[0].Verdict != conform.Inconclusive || !strings.Contains(looks[0].Reason, "after 10000 looks at it (status running)") {
			t.Errorf("%+v", looks)
		}
	}
}

// A look that judges nothing says of which call.
func TestALookThatJudgesNothingNamesItsCall(t *testing.T) {
	f := &film{}
	f.refuse("c1", "no", good("A-1", "A-2"))
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: operations[:1]}}, f.seen)
	for _, check := range multiitem.Checks() {
		if check.ID != "RES-02" {
			continue
		}
		looks := check.Judge(&conform.Subject{Recording: rec, Operation: &operations[0], Calls: rec.Of("cancel")})
		if len(looks) != 1 || looks[0].Verdict != conform.NotRun || looks[0].Call == nil {
			t.Errorf("%+v", looks)
		}
	}
}

// The evidence is the answer, whatever else came for the call and however it came.
func TestEvidenceIsTheAnswer(t *testing.T) {
	f := &film{}
	f.call("c1", rowsOf("A-1+"), good("A-1", "A-2"))
	answer := f.seen[len(f.seen)-1].Seq
	f.received("c1", 202, "", "")
	f.ask("c2", good("A-1", "A-2"))
	f.received("c2", 200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":\"c2\",\"error\":{\"code\":-32603,\"message\":\"no\"}}\n\n")
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: operations[:1]}}, f.seen)
	for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
		if finding.ID == "RES-02" && (finding.Verdict != conform.Fail || finding.Evidence[0].Seq != answer) {
			t.Errorf("%s: %+v, want number %d", finding.ID, finding.Evidence, answer)
		}
		if finding.ID == "RES-01" && (finding.Verdict != conform.Fail || !strings.HasPrefix(finding.Evidence[0].Excerpt, `{"jsonrpc"`)) {
			t.Errorf("%s: %+v", finding.ID, finding.Evidence)
		}
	}
}

// A call of a burst that was never sent is not looked at.
func TestWhatWasNeverSentIsNotLookedAt(t *testing.T) {
	f := &film{}
	f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
	f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
	f.plan("c3", good("A-3"), together("b"))
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: operations[:1]}}, f.seen)
	for _, check := range multiitem.Checks() {
		if check.ID == "LD-01" {
			if looks := check.Judge(&conform.Subject{Recording: rec, Operation: &operations[0], Calls: rec.Of("cancel")}); len(looks) != 2 {
				t.Errorf("%+v", looks)
			}
		}
	}
}
