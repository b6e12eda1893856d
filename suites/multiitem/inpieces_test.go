package multiitem_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// further plays a call that asks for a further piece of another call's answer.
func (f *film) further(step, whole string, k int, payload string) {
	id := fmt.Sprintf("%s/%s.%d", whole, step, k)
	f.continues(id, whole, step)
	f.at += time.Second
	f.answer(id, `{"content":[],"structuredContent":`+payload+`}`)
}

func (f *film) continues(id, whole, step string, change ...func(*conform.Planned)) {
	f.ask(id, nil, append(change, func(p *conform.Planned) { p.Role, p.Continues, p.Step = conform.RoleContinue, whole, step })...)
}

// begin plays a call that is answered with something else than all of its rows.
func (f *film) begin(id, payload string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.at += time.Second
	f.answer(id, `{"content":[],"structuredContent":`+payload+`}`)
}

const accepted = `{"job_id":"J-1","status":"accepted"}`

func page(cursor string, rows ...string) string {
	next := ""
	if cursor != "" {
		next = fmt.Sprintf(`,"next_cursor":%q`, cursor)
	}
	return `{"results":[` + rowsOf(rows...) + `]` + next + `}`
}

// saying is what rules are to say: "fail: words", "not run: words".
type saying map[string]string

func TestAnswersInPiecesAreJudgedAsAWhole(t *testing.T) {
	three, mixed := good("A-1", "A-2", "A-3"), join(good("A-1", "A-2"), bad("X-1"))
	var many, all []string
	for i := range 25 {
		many, all = append(many, fmt.Sprintf("B-%d", i)), append(all, fmt.Sprintf("B-%d+", i))
	}
	for _, c := range []struct {
		name string
		film func(*film)
		says saying
	}{
		{"a job and its rows", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "X-1=SHIPPED")
			f.begin("c1", accepted, mixed)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
			f.further("poll", "c1", 2, `{"job_id":"J-1","status":"done","total":3,"succeeded":2,"failed":1,"results":[`+rowsOf("A-1+", "A-2+", "X-1-")+`]}`)
			f.look(conform.After, "A-1=DONE", "A-2=DONE", "X-1=SHIPPED")
		}, saying{
			"RES-01": "fail: a job to poll (job_id, status); the rows came by polling get_job",
			"RES-02": "not run: the answer came as a job that was polled (see RES-01)", "RES-05": "not run: the answer came as a job",
			"AGG-02": "not run: the answer came as a job", "AGG-05": "not run: the answer came as a job", "AGG-08": "not run: the answer came as a job",
			"EFF-01": "pass:", "EFF-02": "pass:",
		}},
		{"a job that loses a row", func(f *film) {
			f.begin("c1", accepted, mixed)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-1+", "A-2+")+`]}`)
		}, saying{
			"RES-01": "fail: a job to poll", "RES-02": `fail: 2 rows: no row for "Product X-1", even in what the job came to`, "RES-05": "not run: the answer came as a job",
		}},
		{"a job that lacks the effect", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-1+", "A-2+", "A-3+")+`]}`)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE", "A-3=DONE")
		}, saying{"EFF-01": "fail: 1 of 3 acknowledged items did not change"}},
		{"a job with a flag that is none", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","results":[{"id":"A-1","success":true},{"id":"A-2","success":"yes"},{"id":"A-3","success":true}]}`)
		}, saying{"RES-06": "fail: the flag is the string \"yes\""}},
		{"a job that fails without rows", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"failed","error":"out of memory"}`)
		}, saying{
			"RES-01": "fail: a job to poll (job_id, status); by what get_job says it has ended, and has no rows (status failed)",
			"RES-02": "not run: the answer has no results[] to read (see RES-01)",
		}},
		{"a job whose look is refused", func(f *film) {
			f.begin("c1", accepted, three)
			f.continues("c1/poll.1", "c1", "poll")
			f.answer("c1/poll.1", `{"content":[{"type":"text","text":"no such job"}],"isError":true}`)
		}, saying{"RES-01": "fail: a job to poll (job_id, status); get_job refuses to tell of it", "RES-02": "not run: the answer has no results[]"}},
		{"a job that was given up", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"queued"}`)
		}, saying{
			"RES-01": "fail: a job to poll (job_id, status); it had not ended when get_job was asked last",
			"RES-02": "inconclusive: the job had not ended after 2s, and was given up (status queued)",
		}},
		{"a job that nobody could look at", func(f *film) {
			f.begin("c1", accepted, three)
			f.continues("c1/poll.1", "c1", "poll")
			f.add(conform.Observation{Kind: conform.KindReceived, Call: "c1/poll.1", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "the connection was lost"}})
		}, saying{"RES-01": "fail: a job to poll", "RES-02": "inconclusive: the connection was lost"}},
		{"a look that was lost and made once more", func(f *film) {
			f.begin("c1", accepted, three)
			f.continues("c1/poll.1", "c1", "poll")
			f.add(conform.Observation{Kind: conform.KindReceived, Call: "c1/poll.1", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "the connection was lost"}})
			f.continues("c1/poll.1.again", "c1", "poll", repeating("c1/poll.1"))
			f.answer("c1/poll.1.again", `{"content":[],"structuredContent":{"status":"done","results":[`+rowsOf("A-1+", "A-2+")+`]}}`)
		}, saying{"RES-01": "fail: a job to poll (job_id, status); the rows came by polling get_job", "RES-02": `fail: 2 rows: no row for "Product A-3"`}},
		{"one item as a job, and batches at once", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.begin("c2", accepted, good("A-3"))
			f.further("poll", "c2", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-3+")+`]}`)
		}, saying{"RES-01": "pass:", "RES-02": "pass:", "RES-13": "fail: a job to poll (job_id, status)"}},
		{"one item as a job, and batches too", func(f *film) {
			f.begin("c1", accepted, three)
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-1+", "A-2+", "A-3+")+`]}`)
			f.begin("c2", accepted, good("A-4"))
			f.further("poll", "c2", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-4+")+`]}`)
		}, saying{"RES-01": "fail: a job to poll", "RES-13": "not run: the answer came as a job"}},
		{"answered at once although jobs are polled", func(f *film) {
			f.begin("c1", `{"job_id":"J-1","status":"done","results":[`+rowsOf("A-1+", "A-2+", "A-3+")+`]}`, three)
		}, saying{"RES-01": "pass:", "RES-02": "pass:", "AGG-01": "pass:"}},
		{"a job of a shape that the key does not fit", func(f *film) {
			f.begin("c1", `{"job":{"name":"J-1"},"status":"running"}`, three)
		}, saying{"RES-01": "not run: the tool answered with a job to poll (job, status)"}},

		{"pages", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.begin("c1", `{"count":2,"results":[`+rowsOf("A-1+", "A-2+")+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, `{"count":1,"results":[`+rowsOf("A-3+")+`]}`)
			f.look(conform.After, "A-1=DONE", "A-2=DONE", "A-3=DONE")
		}, saying{
			"RES-01": "pass:", "RES-02": "fail: 2 rows on the first page; the others came on 1 further page",
			"RES-05": "not run: the answer came on 2 pages (see RES-02)", "AGG-01": "not run: the answer came on 2 pages",
			"AGG-05": "not run: the answer came on 2 pages", "EFF-01": "pass:",
		}},
		{"totals of neither the page nor the whole", func(f *film) {
			f.begin("c1", `{"count":9,"results":[`+rowsOf("A-1+", "A-2+")+`],"next_cursor":"2"}`, three)
			f.further("page", "c1", 1, `{"count":1,"results":[`+rowsOf("A-3+")+`]}`)
		}, saying{"AGG-05": "fail: count is 9, the rows give 3"}},
		{"a row lost between pages", func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("", "A-3+"))
		}, saying{"RES-02": `fail: 1 row on the first page; no row for "Product A-2", even over all 2 pages`}},
		{"a row on two pages", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("", "A-2+", "A-3+"))
		}, saying{"RES-02": `fail: 2 rows on the first page; more than one row for "Product A-2", even over all 2 pages`}},
		{"a row on two pages that contradicts itself accuses no effect", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("", "A-2-", "A-3+"))
			f.look(conform.After, "A-1=DONE", "A-2=DONE", "A-3=DONE")
		}, saying{"RES-02": `fail:`, "EFF-01": "pass:", "EFF-02": "not run:"}},
		{"the same page again", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page("3", "A-3+"))
			f.further("page", "c1", 2, page("4", "A-3+"))
		}, saying{"RES-02": `fail: 2 rows on the first page; more than one row for "Product A-3", even over all 3 pages; page 3 is page 2 again`}},
		{"the same cursor again", func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("2", "A-2+"))
		}, saying{"RES-02": `fail: 1 row on the first page; no row for "Product A-3", even over all 2 pages; page 2 has the cursor of page 1 again`}},
		{"an empty last page", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+", "A-3+"), three)
			f.further("page", "c1", 1, page(""))
		}, saying{"RES-01": "pass:", "RES-02": "pass:", "AGG-01": "pass:"}},
		{"rows that never come", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.further("page", "c1", 1, page(""))
		}, saying{"RES-02": `fail: 2 rows: no row for "Product A-3", even over all 2 pages`}},
		{"all on one page", func(f *film) { f.begin("c1", page("", "A-1+", "A-2+", "A-3+"), three) }, saying{"RES-02": "pass:", "RES-05": "pass:"}},
		{"a page that is refused", func(f *film) {
			f.begin("c1", page("2", "A-1+", "A-2+"), three)
			f.continues("c1/page.1", "c1", "page")
			f.answer("c1/page.1", `{"content":[{"type":"text","text":"too old"}],"isError":true}`)
		}, saying{"RES-02": `fail: 2 rows: no row for "Product A-3"; page 2 has no list of rows`}},
		{"pages that were given up", func(f *film) {
			f.begin("c1", page("2", "A-1+"), three)
			f.further("page", "c1", 1, page("3", "A-2+"))
		}, saying{
			"RES-02": "fail: 1 row on the first page; only 2 pages had come after 2s, and the next was not asked for any more",
			"RES-05": "inconclusive: only 2 pages had come after 2s",
		}},
		{"a job that takes longer than the platform waits", func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.at += 30 * time.Second
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
			f.further("poll", "c1", 2, `{"job_id":"J-1","status":"done","results":[`+rowsOf(all...)+`]}`)
		}, saying{"RES-01": "fail:", "LD-02": "fail: the answer took 32s"}},
		{"a job that may have ended in time, before it was looked at again", func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.at += 28 * time.Second
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
			f.further("poll", "c1", 2, `{"job_id":"J-1","status":"done","results":[`+rowsOf(all...)+`]}`)
		}, saying{"LD-02": "pass:"}},
		{"a job within that time", func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","results":[`+rowsOf(all...)+`]}`)
		}, saying{"LD-02": "pass:"}},
		{"a large job that was given up in vain", func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.at += 30 * time.Second
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
		}, saying{"RES-01": "fail:", "LD-02": "fail: the job had not ended after 32s"}},
		{"a large job that was given up early", func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
		}, saying{"LD-02": "inconclusive: the job had not ended after 2s, and was given up (status running); the platform would have waited for 30s"}},
		{"large pages", func(f *film) {
			f.begin("c1", page("2", all[:20]...), good(many...))
			f.further("page", "c1", 1, page("", all[20:]...))
		}, saying{"LD-02": "pass:", "RES-02": "fail: 20 rows on the first page; the others came on 1 further page"}},
		{"has_more without a cursor", func(f *film) {
			f.begin("c1", `{"results":[`+rowsOf("A-1+")+`],"has_more":true}`, three)
		}, saying{"RES-02": "not run: the answer is one page of the rows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := operations[0]
			op.Results.Async, op.Results.Next = &conform.Async{Tool: "get_job"}, &conform.Next{}
			c.says.judge(t, op, c.film)
		})
	}
}

// judge holds what the rules say of a film against what they are to say.
func (says saying) judge(t *testing.T, op conform.Operation, play func(*film)) {
	t.Helper()
	f := &film{}
	play(f)
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	target := conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}
	rec := conform.NewRecording(conform.Header{Target: target}, f.seen)
	spoke := map[string]bool{}
	for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
		want, asked := says[finding.ID]
		if !asked {
			continue
		}
		spoke[finding.ID] = true
		got := strings.ReplaceAll(finding.Verdict.String(), "-", " ") + ": " + finding.Got + finding.Reason
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s says %q, want %q", finding.ID, got, want)
		}
		pointsAtBytes(t, rec, finding)
	}
	for id := range says {
		if !spoke[id] {
			t.Errorf("%s does not speak", id)
		}
	}
}

// pointsAtBytes holds a finding's evidence against the answers that it names.
func pointsAtBytes(t *testing.T, rec *conform.Recording, finding conform.Finding) {
	t.Helper()
	for _, e := range finding.Evidence {
		c := rec.Call(e.Call)
		if e.Offset == nil || c == nil || strings.Contains(e.Excerpt, " bytes … ") {
			continue
		}
		if at := *e.Offset; c.Result == nil || at+len(e.Excerpt) > len(c.Result.Raw) || string(c.Result.Raw[at:at+len(e.Excerpt)]) != e.Excerpt {
			t.Errorf("%s points at byte %d of %s, where not %q stands", finding.ID, at, e.Call, e.Excerpt)
		}
	}
}

func TestAFindingPointsAtTheRowsOwnPage(t *testing.T) {
	f := &film{}
	f.begin("c1", page("2", "A-1+", "A-2+"), good("A-1", "A-2", "A-3"))
	f.further("page", "c1", 1, `{"results":[{"id":"A-3","success":"yes"}]}`)
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	op := operations[0]
	op.Results.Next = &conform.Next{}
	rec := conform.NewRecording(conform.Header{Target: conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
	for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
		if finding.ID != "RES-06" {
			continue
		}
		e := finding.Evidence[0]
		raw := rec.Call("c1/page.1").Result.Raw
		if e.Call != "c1/page.1" || e.Pointer != "/structuredContent/results/0/success" || !strings.HasPrefix(string(raw[*e.Offset:]), `"yes"`) {
			t.Errorf("%+v", e)
		}
		return
	}
	t.Error("RES-06 does not speak")
}

func TestACancelledTaskIsHeldAgainstWhatHappened(t *testing.T) {
	cancels := func(p *conform.Planned) { p.Cancels = true }
	two := good("A-1", "A-2")
	before := []string{"A-1=ACTIVE", "A-2=ACTIVE"}
	ended := func(f *film, result string) {
		f.look(conform.Before, before...)
		f.ask("c1", two, cancels)
		f.answer("c1", `{"task":{"taskId":"t-1","status":"working"}}`)
		for _, method := range []string{"tasks/cancel", "tasks/get", "tasks/result"} {
			f.ask("c1/"+method, nil, func(p *conform.Planned) {
				p.Role, p.Continues, p.Step, p.Method = conform.RoleContinue, "c1", "task", method
			})
			said := `{"taskId":"t-1","status":"cancelled"}`
			if method == "tasks/result" {
				said = result
			}
			if said != "" {
				f.answer("c1/"+method, said)
			}
		}
	}
	stopped := `{"isError":true,"content":[],"structuredContent":{"results":[` + rowsOf("A-1-", "A-2-") + `]}}`
	for _, c := range []struct {
		name string
		film func(*film)
		says saying
	}{
		{"nothing was done", func(f *film) { ended(f, stopped); f.look(conform.After, before...) }, saying{"EFF-02": "pass:", "RES-12": "not run:", "AGG-01": "not run:", "RES-05": "pass:"}},
		{"it was done all the same", func(f *film) {
			ended(f, stopped)
			f.look(conform.After, "A-1=DONE", "A-2=DONE")
		}, saying{"EFF-02": "fail: 2 of 2 refused items changed"}},
		{"a part was done, and is told", func(f *film) {
			ended(f, `{"content":[],"structuredContent":{"results":[`+rowsOf("A-1+", "A-2-")+`]}}`)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, saying{"EFF-01": "pass:", "EFF-02": "pass:", "RES-12": "not run:"}},
		{"only what was done is told", func(f *film) {
			ended(f, `{"content":[],"structuredContent":{"results":[`+rowsOf("A-1+")+`]}}`)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, saying{"EFF-01": "pass:", "RES-02": "not run:"}},
		{"no rows", func(f *film) {
			ended(f, `{"isError":true,"content":[{"type":"text","text":"cancelled"}]}`)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, saying{"RES-01": "not run:", "ENV-01": "not run: the run cancelled the call", "EFF-02": "not run:"}},
		{"no answer", func(f *film) {
			ended(f, "")
			f.look(conform.After, before...)
		}, saying{"RES-01": "not run:", "ENV-01": "not run: the run cancelled the call"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := operations[0]
			op.Tasks = true
			c.says.judge(t, op, c.film)
		})
	}
}
