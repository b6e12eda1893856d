package multiitem_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfManyItemsAndCalls(t *testing.T) {
	const nameless = `{"success":true}`
	many, all := manyItems(25)
	corners(t, []corner{
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
		{"the row of what a validator was asked beside it", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, good("A-2"), together("b"), asValidator)
			f.call("c1", rowsOf("A-2+"), good("A-1"), together("b"))
		}, conform.Fail, []string{"a row for A-2, which only the call v1 asked for"}},
		{"a validator that resolved another call's item", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"id":"A-1"}]}}}`, good("A-2"), together("b"), asValidator)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
		}, conform.Fail, []string{"a row for A-1, which only the call c1 asked for"}},
		{"a call alone under a burst's name", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
		}, conform.NotRun, []string{"no calls with items of their own"}},
		{"a number of one's own row that is another's name", "LD-01", nil, func(f *film) {
			f.call("c1", `{"id":"1","quantity":2,"success":true}`, good("1"), together("b"))
			f.call("c2", `{"id":2,"quantity":1,"success":true}`, good("2"), together("b"))
		}, conform.Pass, []string{"2 of 2"}},
		{"a number that names another's item", "LD-01", nil, func(f *film) {
			f.call("c1", `{"name":"1","id":2,"success":true}`, good("1"), together("b"))
			f.call("c2", `{"id":2,"success":true}`, good("2"), together("b"))
		}, conform.Fail, []string{"a row for 2"}},
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
		{"an id of the server's own that is another's name", "LD-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"present"}, ID: []string{"title"}}
		}, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-2","title":"A-1"}]}`, good("A-1"), together("b"))
			f.structured("c2", `{"rows":[{"id":"A-3","title":"A-2"}]}`, good("A-2"), together("b"))
		}, conform.Pass, nil},
		{"another's name under the member that names", "LD-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"present"}, ID: []string{"title"}}
		}, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","title":"A-2"}]}`, good("A-1"), together("b"))
			f.structured("c2", `{"rows":[{"id":"A-3","title":"A-2"}]}`, good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for A-2, which only the call c2 asked for"}},
		{"the other call's row in other letters", "LD-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "a-1+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for a-1, which only the call c1 asked for"}},

		// LD-01.
		{"the first of three has a row of the third", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-3+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("A-3+"), good("A-9", "A-3"), together("b"))
		}, conform.Fail, []string{"a row for A-3, which only the call c3 asked for", "1 of 3"}},
		{"a row that has the other's name, under its second member", "LD-01", nil, func(f *film) {
			f.call("c1", `{"success":true,"note":null,"of":"Product A-2"}`, good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for Product A-2"}},
		{"a row for what both asked for", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+"), good("A-1"), together("b"))
		}, conform.Pass, nil},
		{"a row for the second that both asked for", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-3+"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("A-3+"), good("A-3"), together("b"))
		}, conform.Pass, nil},
		{"a row in other letters than the other call's", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("a-2+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, nil},
		{"two calls that are alone, with each other's rows", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-2+"), good("A-1"))
			f.call("c2", rowsOf("A-1+"), good("A-2"))
		}, conform.NotRun, []string{"no calls with items of their own"}},
		{"one of two was only planned", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.plan("c2", good("A-2"), together("b"))
		}, conform.NotRun, []string{"no calls with items of their own"}},
		{"one of three was only planned", "LD-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.plan("c3", good("A-3"), together("b"))
		}, conform.Pass, []string{"2 of 2"}},
		{"one of three is lost, and another mixed up", "LD-01", nil, func(f *film) {
			f.lose("c1", conform.TimedOut, good("A-1"), together("b"))
			f.call("c2", rowsOf("A-3+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("A-3+"), good("A-3"), together("b"))
		}, conform.Fail, nil},
		{"one of two is an error", "LD-01", nil, func(f *film) {
			f.raise("c1", good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, []string{"1 of 1"}},

		// LD-02.
		{"a small call, a large one of another role, and a large one", "LD-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"))
			f.structured("v1", `{"eligible":true}`, good(many...), asValidator)
			f.call("c2", rowsOf(all[:24]...), good(many...))
		}, conform.Fail, []string{"24 rows, 1 items unanswered", "1 of 1"}},
		{"a large one was only planned", "LD-02", nil, func(f *film) { f.plan("c1", good(many...)) }, conform.NotRun, []string{"!not sent"}},
		{"two large ones, the second without rows", "LD-02", nil, func(f *film) {
			f.call("c1", rowsOf(all...), good(many...))
			f.structured("c2", `{"message":"hm"}`, good(many...))
		}, conform.Pass, []string{"1 of 1"}},
		{"a large one that asks back, and one that is slow", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.answer("c1", `{"resultType":"input_required"}`)
			f.ask("c2", good(many...))
			f.at += 31 * time.Second
			f.answer("c2", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
		}, conform.Fail, []string{"the answer took 31s"}},
		{"exactly in time", "LD-02", nil, func(f *film) {
			f.ask("c2", good(many...))
			f.at += 30 * time.Second
			f.answer("c2", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
		}, conform.Pass, nil},
		{"one page of many", "LD-02", nil, func(f *film) {
			f.structured("c1", `{"next_cursor":"p","results":[`+rowsOf(all[:10]...)+`]}`, good(many...))
		}, conform.NotRun, []string{"page"}},
		{"given up before the platform would", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 20 * time.Second
			f.times("c1")
		}, conform.Inconclusive, []string{"the platform would have waited", "timeouts.call"}},
		{"given up when the platform would", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 30*time.Second - 250*time.Millisecond
			f.times("c1")
		}, conform.Fail, nil},
		{"cut off", "LD-02", nil, func(f *film) { f.lose("c1", conform.Cut, good(many...)) }, conform.Inconclusive, []string{"nothing came"}},

		{"all rows, and a further page", "LD-02", nil, func(f *film) {
			f.structured("c1", `{"next_cursor":"p","results":[`+rowsOf(all...)+`]}`, good(many...))
		}, conform.Pass, nil},

		{"two large ones, and the second loses a row", "LD-02", nil, func(f *film) {
			f.call("c1", rowsOf(all...), good(many...))
			f.call("c2", rowsOf(all[:24]...), good(many...))
		}, conform.Fail, []string{"1 of 2"}},
		{"a large validator's call that is lost", "LD-02", nil, func(f *film) { f.lose("v1", conform.TimedOut, good(many...), asValidator) }, conform.NotRun, []string{"no batch of 25 items"}},
		{"cut off early", "LD-02", nil, func(f *film) { f.lose("c1", conform.Cut, good(many...)) }, conform.Inconclusive, []string{"nothing came", "!platform would have waited"}},
		{"cut off late", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 40 * time.Second
			f.times("c1")
			f.seen[len(f.seen)-1].Received.End = conform.Cut
		}, conform.Inconclusive, []string{"no answer in time"}},
		{"given up early, late in the run", "LD-02", nil, func(f *film) {
			f.at = time.Hour
			f.ask("c1", good(many...))
			f.at += 20 * time.Second
			f.times("c1")
		}, conform.Inconclusive, []string{"the platform would have waited"}},
		{"given up after a first notice", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 5 * time.Second
			f.received("c1", 200, "application/json", `{"jsonrpc":"2.0","method":"notifications/progress"}`)
			f.at += 26 * time.Second
			f.times("c1")
		}, conform.Fail, nil},
		{"given up early, and the answer came too late", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 20 * time.Second
			f.times("c1")
			f.at += time.Second
			f.received("c1", 200, "application/json", `{"half`)
			f.seen[len(f.seen)-1].Received.End = conform.Cut
			f.at += time.Second
			f.received("c1", 202, "", "")
			f.at += 10 * time.Second
			f.answer("c1", `{"content":[]}`)
			f.at -= 5 * time.Second
			f.answer("c1", `{"content":[]}`)
		}, conform.Fail, nil},
		{"given up early, and the answer came in time", "LD-02", nil, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 20 * time.Second
			f.times("c1")
			f.at += time.Second
			f.answer("c1", `{"content":[]}`)
			f.at += 20 * time.Second
			f.answer("c1", `{"content":[]}`)
		}, conform.Inconclusive, []string{"the platform would have waited"}},
		{"a task that we gave up late", "LD-02", func(op *conform.Operation) { op.Tasks = true }, func(f *film) {
			f.ask("c1", good(many...))
			f.at += 31 * time.Second
			f.answer("c1", `{"resultType":"task","taskId":"t","status":"working"}`)
			f.ask("x", nil, as(conform.RoleLifecycle), func(p *conform.Planned) { p.Method, p.Continues = "tasks/cancel", "c1" })
			f.answer("x", `{}`)
		}, conform.Fail, []string{"was cancelled"}},
		{"a job, late in the run", "LD-02", func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job"} }, func(f *film) {
			f.at = time.Hour
			f.begin("c1", accepted, good(many...))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"running"}`)
			f.further("poll", "c1", 2, `{"job_id":"J-1","status":"done","results":[`+rowsOf(all...)+`]}`)
		}, conform.Pass, nil},
		{"a job whose last look but one was lost", "LD-02", func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job"} }, func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.continues("c1/poll.1", "c1", "poll")
			f.times("c1/poll.1")
			f.seen[len(f.seen)-1].Received.End = conform.Cut
			f.continues("c1/poll.1.again", "c1", "poll", repeating("c1/poll.1"))
			f.at += 31 * time.Second
			f.answer("c1/poll.1.again", `{"content":[],"structuredContent":{"status":"done","results":[`+rowsOf(all...)+`]}}`)
		}, conform.Pass, nil},
		{"a job whose rows stand on two pages", "LD-02", func(op *conform.Operation) {
			op.Results.Async, op.Results.Next = &conform.Async{Tool: "get_job"}, &conform.Next{}
		}, func(f *film) {
			f.begin("c1", accepted, good(many...))
			f.further("poll", "c1", 1, `{"job_id":"J-1","status":"done","next_cursor":"2","results":[`+rowsOf(all[:20]...)+`]}`)
			f.at += 31 * time.Second
			f.further("page", "c1", 2, page("", all[20:]...))
		}, conform.Fail, []string{"the answer took 34s"}},
		{"the other call's row behind a value of one's own", "LD-01", nil, func(f *film) {
			f.call("c1", `{"id":"A-1","of":"A-2","success":true}`, good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for A-2"}},
		{"the other call's row in capital letters", "LD-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-2+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for A-2"}},
		{"two alone, with each other's rows, beside a burst", "LD-01", nil, func(f *film) {
			f.call("x1", rowsOf("B-2+"), good("B-1"))
			f.call("x2", rowsOf("B-1+"), good("B-2"))
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, []string{"2 of 2"}},
	})
}
