package multiitem_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// agrees plays the handshake on a revision.
func (f *film) agrees(revision string) {
	f.add(conform.Observation{Kind: conform.KindPlanned, Call: "init", Planned: &conform.Planned{Role: conform.RoleLifecycle, Method: "initialize"}})
	f.add(conform.Observation{Kind: conform.KindSent, Call: "init", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: conform.Bytes(`{"jsonrpc":"2.0","id":"init","method":"initialize"}`)}})
	f.answer("init", `{"protocolVersion":"`+revision+`"}`)
}

// wonders plays a call in which the tool asks something that nobody answers.
func (f *film) wonders(id, result string, items []conform.Item, methods ...string) {
	f.ask(id, items)
	for i, method := range methods {
		f.received(id, 200, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":{"message":"Which one?"}}`, i, method))
	}
	f.answer(id, result)
}

// needs plays a call that is refused for want of a client's capability.
func (f *film) needs(id string, code int, data string, items []conform.Item) {
	f.ask(id, items)
	f.received(id, 200, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":%d,"message":"no","data":%s}}`, id, code, data))
}

func TestCornersOfWhatAKeyWouldShow(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	answering := func(op *conform.Operation) { op.Answers = true }
	rows := func(said ...string) string {
		return `{"content":[],"structuredContent":{"results":[` + rowsOf(said...) + `]}}`
	}
	const no = `{"isError":true,"content":[{"type":"text","text":"no"}]}`
	const shy = `{"id":"A-1","success":false,"error":"confirmation_impossible"}`
	const answers, tasks, async, next = "add `operations.cancel.answers` to the target file", "add `operations.cancel.tasks` to the target file",
		"add `operations.cancel.results.async` to the target file", "add `operations.cancel.results.next` to the target file"
	elicit := func(f *film) { f.refuse("c1", "this client cannot do elicitation", two) }
	at := func(revision string, then func(*film)) func(*film) {
		return func(f *film) { f.agrees(revision); then(f) }
	}
	rounds := func(n int) func(*film) {
		return func(f *film) {
			f.structured("c1", `{}`, two)
			f.seen[len(f.seen)-1].Received.Body = conform.Bytes(`{"jsonrpc":"2.0","id":"c1","result":{"resultType":"input_required"}}`)
			for i := range n {
				id := fmt.Sprintf("c1/%d", i)
				f.ask(id, two, func(p *conform.Planned) { p.Continues = "c1" }, as(conform.RoleLifecycle))
				f.answer(id, `{"resultType":"input_required"}`)
			}
		}
	}
	corners(t, []corner{
		// Questions that nobody answered.
		{"asked, and refused then", "RES-01", nil, func(f *film) { f.wonders("c1", no, two, "elicitation/create") }, conform.NotRun, []string{"the tool asked back (elicitation/create)", answers}},
		{"asked, and answers are there", "RES-01", answering, func(f *film) { f.wonders("c1", no, two, "elicitation/create") }, conform.NotRun,
			[]string{`no entry of ` + "`answers`" + ` fits what the tool asked: "Which one?"`, "add an answer that fits to `operations.cancel.answers`"}},
		{"asked the model", "RES-01", answering, func(f *film) { f.wonders("c1", no, two, "sampling/createMessage") }, conform.NotRun, []string{"does not give (sampling/createMessage)"}},
		{"asked something else", "RES-01", nil, func(f *film) { f.wonders("c1", no, two, "roots/list") }, conform.Fail, nil},
		{"asked something else first", "RES-01", nil, func(f *film) { f.wonders("c1", no, two, "roots/list", "elicitation/create") }, conform.NotRun, []string{answers}},
		{"asked, and answered", "RES-01", answering, func(f *film) { f.asks("c1", "accept", no, two) }, conform.Fail, nil},
		{"asked, and done all the same", "RES-02", nil, func(f *film) { f.wonders("c1", rows("A-1+", "A-2+"), two, "elicitation/create") }, conform.Pass, nil},
		{"asked, and a good one was not done", "RES-02", nil, func(f *film) { f.wonders("c1", rows("A-1-", "A-2+"), two, "elicitation/create") }, conform.NotRun, []string{answers}},
		{"asked, and only the bad one was not done", "RES-02", nil, func(f *film) { f.wonders("c1", rows("A-1+", "X-1-"), mixed, "elicitation/create") }, conform.Pass, nil},
		{"asked by a result", "RES-01", nil, rounds(0), conform.NotRun, []string{"the tool asked back (resultType input_required)", answers}},
		{"asked by results, again and again", "RES-01", nil, rounds(conform.MostRounds), conform.NotRun, []string{fmt.Sprintf("asked back %d times", conform.MostRounds+1), answers}},
		{"asked by results, once less", "RES-01", nil, rounds(conform.MostRounds - 1), conform.NotRun, []string{"the tool asked back (resultType input_required)"}},

		// Tools that would ask, and cannot.
		{"refused for want of elicitation", "RES-01", nil, elicit, conform.NotRun, []string{`the tool has to ask back: isError with "this client cannot do elicitation"`, answers}},
		{"and it was told that it can ask", "RES-01", answering, at("2025-11-25", elicit), conform.Fail, nil},
		{"since the revision that has it", "RES-01", answering, at("2025-06-18", elicit), conform.Fail, nil},
		{"and the revision has no questions", "RES-01", answering, at("2025-03-26", elicit), conform.NotRun, nil},
		{"and it was not told", "RES-01", nil, at("2025-11-25", elicit), conform.NotRun, nil},
		{"an error for want of elicitation", "RES-01", nil, func(f *film) { f.needs("c1", -32021, `{"requiredCapabilities":{"elicitation":{}}}`, two) }, conform.NotRun, []string{"refuses a client that declares no elicitation", answers}},
		{"an error for want of something else", "RES-01", nil, func(f *film) { f.needs("c1", -32021, `{"requiredCapabilities":{"roots":{}}}`, two) }, conform.Fail, nil},
		{"another error", "RES-01", nil, func(f *film) { f.needs("c1", -32602, `{"requiredCapabilities":{"elicitation":{}}}`, two) }, conform.Fail, nil},
		{"an empty list beside a refusal", "RES-02", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[{"type":"text","text":"elicitation"}],"structuredContent":{"results":[]}}`)
		}, conform.Fail, nil},
		{"a row for a client that cannot be asked", "RES-13", nil, func(f *film) { f.call("c1", shy, good("A-1")) }, conform.NotRun, []string{`cannot be asked (error "confirmation_impossible")`, answers}},
		{"a row that says it somewhere", "RES-13", nil, func(f *film) { f.call("c1", `{"id":"A-1","elicitation_failed":true,"success":false}`, good("A-1")) }, conform.NotRun, []string{`cannot be asked ({"id":"A-1","elicitation_failed":true,"success":false})`}},
		{"one row says it, another something else", "RES-02", nil, func(f *film) { f.call("c1", shy+","+rowsOf("A-2-"), two) }, conform.Pass, nil},
		{"one row says it, another is done", "RES-02", nil, func(f *film) { f.call("c1", shy+","+rowsOf("A-2+"), two) }, conform.Pass, nil},

		// Tasks and jobs.
		{"an error for want of tasks", "RES-01", nil, func(f *film) {
			f.needs("c1", -32021, `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`, two)
		}, conform.NotRun, []string{"must be run as a task (error -32021)", tasks}},
		{"an error for want of another extension", "RES-01", nil, func(f *film) { f.needs("c1", -32021, `{"requiredCapabilities":{"extensions":{"x":{}}}}`, two) }, conform.Fail, nil},
		{"a job", "RES-01", nil, func(f *film) { f.structured("c1", `{"job_id":"j","status":"queued"}`, two) }, conform.NotRun, []string{"job_id, status", async}},
		{"a job inside result", "RES-01", nil, func(f *film) { f.structured("c1", `{"ok":true,"result":{"jobId":"j","state":"running"}}`, two) }, conform.NotRun, []string{"jobId, state", async}},
		{"a job without a name", "RES-01", nil, func(f *film) { f.structured("c1", `{"status":"queued"}`, two) }, conform.Fail, nil},
		{"a job of which nothing is told", "RES-01", nil, func(f *film) { f.structured("c1", `{"job_id":"j","status":null}`, two) }, conform.Fail, nil},
		{"a job beside a refusal", "RES-01", nil, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"isError":true,"content":[],"structuredContent":{"job_id":"j","status":"queued"}}`)
		}, conform.Fail, nil},
		{"a job beside rows", "RES-02", nil, func(f *film) {
			f.structured("c1", `{"job_id":"j","status":"running","results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Pass, nil},
		{"all rows, and a further page", "RES-02", nil, func(f *film) { f.structured("c1", `{"next_cursor":"p","results":[`+rowsOf("A-1+", "A-2+")+`]}`, two) }, conform.Pass, nil},
		{"one page", "RES-02", nil, func(f *film) { f.structured("c1", `{"next_cursor":"p","results":[`+rowsOf("A-1+")+`]}`, two) }, conform.NotRun, []string{next}},
	})
	f := &film{}
	f.structured("c1", `{"job_id":"j","status":"queued"}`, two)
	for _, finding := range suites.Judge(conform.NewRecording(conform.Header{Target: conform.Target{Operations: operations[:1]}}, f.seen), multiitem.Checks()).Findings {
		if finding.ID == "RES-01" && (len(finding.Evidence) == 0 || finding.Evidence[0].Call != "c1") {
			t.Errorf("it shows %+v", finding.Evidence)
		}
	}
	if why := multiitem.PendingCase(multiitem.Case("t", []json.RawMessage{[]byte(`"a"`), []byte(`"b"`)}, []byte(`{"content":[],"structuredContent":{"next_cursor":"p"}}`), nil, "")); why != "" {
		t.Errorf("a page without rows is one of %q", why)
	}
	if _, said := saidBy(multiitem.Case("t", []json.RawMessage{[]byte(`"a"`), []byte(`"b"`)}, []byte(`{"content":[],"structuredContent":{"job_id":"j","status":"queued"}}`), nil, ""), "RES-01"); !strings.Contains(said, "judge the answer that the call ends with") {
		t.Errorf("of a recorded job it says %q", said)
	}
}

// Outcomes are known only where the answer says them.
func TestOutcomesOfACall(t *testing.T) {
	two := good("A-1", "A-2")
	got := func(status int, body string) func(*film) {
		return func(f *film) { f.ask("c1", two); f.received("c1", status, "application/json", body) }
	}
	problem := func(code string) string {
		return `{"jsonrpc":"2.0","id":"c1","error":{"code":` + code + `,"message":"no"}}`
	}
	for name, c := range map[string]struct {
		film func(*film)
		want string
	}{
		"rows":                         {func(f *film) { f.call("c1", rowsOf("A-1+", "A-2-"), two) }, "[1 2]"},
		"one row":                      {func(f *film) { f.call("c1", rowsOf("A-2-"), two) }, "[0 2]"},
		"nothing":                      {func(f *film) { f.lose("c1", conform.TimedOut, two) }, "[0 0]"},
		"nobody was there":             {func(f *film) { f.lose("c1", conform.Refused, two) }, "[2 2]"},
		"a lost connection":            {func(f *film) { f.lose("c1", conform.Cut, two) }, "[0 0]"},
		"a refusal":                    {func(f *film) { f.refuse("c1", "no", two) }, "[2 2]"},
		"no refusal":                   {func(f *film) { f.structured("c1", `{"message":"hm"}`, two) }, "[0 0]"},
		"HTTP 400":                     {got(400, `{}`), "[0 0]"},
		"an error":                     {got(200, problem("-32602")), "[2 2]"},
		"an error beside HTTP 400":     {got(400, problem("-32602")), "[2 2]"},
		"an error of the server's own": {got(200, problem("-32603")), "[0 0]"},
		"the user declined":            {func(f *film) { f.asks("c1", "decline", `{"content":[]}`, two) }, "[2 2]"},
		"the user accepted":            {func(f *film) { f.asks("c1", "accept", `{"content":[]}`, two) }, "[0 0]"},
	} {
		f := &film{}
		c.film(f)
		op := operations[0]
		rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
		if said := fmt.Sprint(multiitem.Outcomes(&op, rec.Call("c1"))); said != c.want {
			t.Errorf("%s: %s, want %s", name, said, c.want)
		}
	}
}

// A legacy REST answer speaks for itself.
func TestOutcomesOverLegacyREST(t *testing.T) {
	for body, want := range map[string]string{`{"ok":false,"error":"no"}`: "[2 2]", `{"ok":true}`: "[0 0]", `{"ok":true,"result":{` + twoRows + `}}`: "[1 1]"} {
		rec := legacy(body)
		if said := fmt.Sprint(multiitem.Outcomes(&operations[0], rec.Call("c"))); said != want {
			t.Errorf("%s: %s, want %s", body, said, want)
		}
	}
}

// A tool that puts items back speaks by its rows, else by its whole result.
func TestOutcomesOfHands(t *testing.T) {
	two := good("A-1", "A-2")
	for result, want := range map[string]string{
		`{"content":[],"structuredContent":{"results":[` + rowsOf("A-1+", "A-2-") + `]}}`:             "[1 2] false",
		`{"content":[],"structuredContent":{"results":[` + rowsOf("A-2+") + `]}}`:                     "[2 1] false",
		`{"content":[],"structuredContent":{"output":{"undo":{"results":[` + rowsOf("A-1+") + `]}}}}`: "[1 2] false",
		`{"content":[],"structuredContent":{"results":[]}}`:                                           "[1 1] true",
		`{"content":[]}`:                                        "[1 1] true",
		`{"content":[],"isError":true}`:                         "[2 2] true",
		`{"content":[],"structuredContent":{"results":"none"}}`: "[1 1] true",
	} {
		n, err := rawjson.Parse([]byte(result))
		if err != nil {
			t.Fatal(err)
		}
		all, whole := multiitem.HandsOutcomes("undo", two, n)
		if said := fmt.Sprint(all, whole); said != want {
			t.Errorf("%s: %s, want %s", result, said, want)
		}
	}
}

// What the server may still be at work on is not over by being given up.
func TestWhatHasNotEnded(t *testing.T) {
	two := good("A-1", "A-2")
	const job, task = `{"job_id":"J-1","status":"accepted"}`, `{"resultType":"task","taskId":"T-1","status":`
	polled := func(op *conform.Operation) { op.Results.Async = &conform.Async{Tool: "get_job"} }
	asTask := func(op *conform.Operation) { op.Tasks = true }
	looked := func(f *film, method, result string) {
		f.ask("c1/get.1", nil, func(p *conform.Planned) {
			p.Role, p.Continues, p.Method = conform.RoleContinue, "c1", method
		})
		if result == "" {
			f.add(conform.Observation{Kind: conform.KindReceived, Call: "c1/get.1", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut, Problem: "lost"}})
			return
		}
		f.answer("c1/get.1", result)
	}
	for name, c := range map[string]struct {
		change func(*conform.Operation)
		film   func(*film)
		want   string
	}{
		"answered":                   {nil, func(f *film) { f.call("c1", twoRows, two) }, ""},
		"refused":                    {nil, func(f *film) { f.refuse("c1", "no", two) }, ""},
		"never sent":                 {nil, func(f *film) { f.plan("c1", two) }, ""},
		"cut off":                    {nil, func(f *film) { f.lose("c1", conform.Cut, two) }, ""},
		"given up":                   {nil, func(f *film) { f.lose("c1", conform.TimedOut, two) }, "nothing came: timeout"},
		"a job that nobody looks at": {nil, func(f *film) { f.structured("c1", job, two) }, "nobody asked what became of the job that it was answered with (job_id, status)"},
		"a job that is done": {polled, func(f *film) {
			f.structured("c1", job, two)
			f.further("poll", "c1", 1, `{"status":"done","results":[`+twoRows+`]}`)
		}, ""},
		"a job that was given up":     {polled, func(f *film) { f.structured("c1", job, two); f.further("poll", "c1", 1, job) }, "the job had not ended after"},
		"a task that nobody looks at": {nil, func(f *film) { f.ask("c1", two); f.answer("c1", task+`"working"}`) }, "the task that it became had not ended"},
		"a task at work": {asTask, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", task+`"working"}`)
			looked(f, "tasks/get", task+`"working"}`)
		}, "the task that it became had not ended"},
		"a task that failed": {asTask, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", task+`"working"}`)
			looked(f, "tasks/get", task+`"failed"}`)
		}, ""},
		"a task that was cancelled": {asTask, func(f *film) {
			f.ask("c1", two)
			f.answer("c1", task+`"working"}`)
			looked(f, "tasks/get", task+`"cancelled"}`)
		}, ""},
		"a task that was lost sight of": {asTask, func(f *film) { f.ask("c1", two); f.answer("c1", task+`"working"}`); looked(f, "tasks/get", "") }, "the task that it became was lost sight of"},
	} {
		f := &film{}
		c.film(f)
		op := operations[0]
		if c.change != nil {
			c.change(&op)
		}
		rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
		if said := multiitem.Unended(&op, rec.Call("c1")); (said == "") != (c.want == "") || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}
