package fakebackend

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	tasksCapability = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	takes           = 4 * time.Second
)

// callTask calls the task tool as a client of the revision does for a task.
func (r *raw) callTask(arguments string) map[string]any {
	r.t.Helper()
	if r.revision >= sessionless {
		return r.result("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, cancelAsTask, arguments))
	}
	got := r.result("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"task":{"ttl":60000}}`, cancelAsTask, arguments))
	task, ok := got["task"].(map[string]any)
	if !ok || len(got) != 1 {
		r.t.Fatalf("a call as a task gives %s", quote(got))
	}
	return task
}

func (r *raw) ofTask(method string, task map[string]any) map[string]any {
	r.t.Helper()
	return r.result(method, `{"taskId":`+quote(task["taskId"])+`}`)
}

// outcome is the tools/call result of a task at its end.
func (r *raw) outcome(task map[string]any) map[string]any {
	r.t.Helper()
	if r.revision < sessionless {
		return r.ofTask("tasks/result", task)
	}
	result, ok := r.ofTask("tasks/get", task)["result"].(map[string]any)
	if !ok {
		r.t.Fatalf("the task has no result: %s", quote(r.ofTask("tasks/get", task)))
	}
	return result
}

func tasking(t *testing.T, over, revision string, o Options) *raw {
	t.Helper()
	o.Takes = takes
	return meet(t, over, o.With(Tasking), revision, tasksCapability)
}

func eachTaskEra(t *testing.T, test func(t *testing.T, over, revision string)) {
	eachWay(t, []string{revision2025Nov, sessionless}, test)
}

func TestATaskIsWorkedOnAfterTheCallIsAnswered(t *testing.T) {
	eachTaskEra(t, func(t *testing.T, over, revision string) {
		r := tasking(t, over, revision, Options{})
		task := r.callTask(threeOf)
		times := `"createdAt":"2026-12-01T08:00:00.000Z","lastUpdatedAt":"2026-12-01T08:00:00.000Z",`
		want := times + `"pollInterval":1000,"status":"working","statusMessage":"The products are being cancelled.","taskId":` + quote(task["taskId"]) + `,"ttl":60000}`
		if revision >= sessionless {
			want = times + `"pollIntervalMs":1000,"resultType":"task","status":"working","statusMessage":"The products are being cancelled.","taskId":` + quote(task["taskId"]) + `,"ttlMs":600000}`
			delete(task, "_meta")
		}
		if got := quote(task); got != "{"+want {
			t.Errorf("the task is\n%s\nwant\n{%s", got, want)
		}
		r.clock.advance(takes - time.Millisecond)
		if got := r.ofTask("tasks/get", task); got["status"] != "working" {
			t.Errorf("before its time it is %s", quote(got))
		}
		r.wantEffects()
		r.clock.advance(time.Millisecond)
		got := r.ofTask("tasks/get", task)
		if got["status"] != "completed" || got["lastUpdatedAt"] != "2026-12-01T08:00:04.000Z" {
			t.Errorf("at its time it is %s", quote(got))
		}
		result := r.outcome(task)
		r.wantRows(result, "1001 done", "9999 not_found", "1002 done")
		r.wantEffects("product-cancelled 1001", "product-cancelled 1002")
		if revision < sessionless {
			if meta := quote(result["_meta"]); meta != `{"io.modelcontextprotocol/related-task":{"taskId":`+quote(task["taskId"])+`}}` {
				t.Errorf("_meta is %s", meta)
			}
			if got["result"] != nil {
				t.Error("tasks/get holds the result")
			}
		} else if result["resultType"] != "complete" || got["resultType"] != "complete" {
			t.Errorf("resultType of %s", quote(got))
		}
	})
}

func TestTasksResultWaitsForTheEnd(t *testing.T) {
	r := tasking(t, "http", revision2025Nov, Options{})
	task := r.callTask(threeOf)
	waiting := make(chan struct{})
	go func() { // once somebody waits for the end, it comes
		defer close(waiting)
		r.clock.advance(takes)
	}()
	r.wantRows(r.ofTask("tasks/result", task), "1001 done", "9999 not_found", "1002 done")
	<-waiting
}

func TestATaskOfBadItemsOnly(t *testing.T) {
	for revision, status := range map[string]string{revision2025Nov: "failed", sessionless: "completed"} {
		r := tasking(t, "stdio", revision, Options{})
		task := r.callTask(`{"items":["2001","2002"]}`)
		r.clock.advance(takes)
		if got := r.ofTask("tasks/get", task); got["status"] != status {
			t.Errorf("at %s it is %s", revision, quote(got))
		}
		result := r.outcome(task)
		r.wantRows(result, "2001 already_shipped", "2002 not_cancellable")
		if result["isError"] != true {
			t.Errorf("at %s isError is %v", revision, result["isError"])
		}
	}
}

func TestACancelledTaskDoesNothingAndSaysSo(t *testing.T) {
	eachTaskEra(t, func(t *testing.T, over, revision string) {
		r := tasking(t, over, revision, Options{})
		task := r.callTask(`{"items":["1001","1002"],"idempotency_key":"k"}`)
		answer := r.ofTask("tasks/cancel", task)
		delete(answer, "_meta")
		if revision >= sessionless && quote(answer) != `{"resultType":"complete"}` || revision < sessionless && answer["status"] != "cancelled" {
			t.Errorf("tasks/cancel gives %s", quote(answer))
		}
		r.clock.advance(time.Minute)
		got := r.ofTask("tasks/get", task)
		if got["status"] != "cancelled" || got["statusMessage"] != "Cancelled by request." || got["result"] != nil {
			t.Errorf("it is %s", quote(got))
		}
		r.wantEffects()
		if revision < sessionless {
			r.wantRows(r.ofTask("tasks/result", task), "1001 stopped", "1002 stopped")
		}
		// The key is still new: nothing was done under it.
		task = r.callTask(`{"items":["1001","1002"],"idempotency_key":"k"}`)
		r.clock.advance(takes)
		r.wantRows(r.outcome(task), "1001 done", "1002 done")
	})
}

func TestATaskAtItsEndCannotBeCancelled(t *testing.T) {
	eachTaskEra(t, func(t *testing.T, over, revision string) {
		r := tasking(t, over, revision, Options{})
		task := r.callTask(threeOf)
		r.clock.advance(takes)
		if revision < sessionless {
			if got := r.code("tasks/cancel", `{"taskId":`+quote(task["taskId"])+`}`); got != -32602 {
				t.Errorf("code %v", got)
			}
		} else {
			r.ofTask("tasks/cancel", task)
		}
		if got := r.ofTask("tasks/get", task); got["status"] != "completed" {
			t.Errorf("it is %s", quote(got))
		}
	})
}

func TestTasksThatAreNotThere(t *testing.T) {
	eachTaskEra(t, func(t *testing.T, over, revision string) {
		r := tasking(t, over, revision, Options{})
		methods := []string{"tasks/get", "tasks/cancel", "tasks/result"}
		if revision >= sessionless {
			methods[2] = "tasks/update"
		}
		old := r.callTask(threeOf)["taskId"].(string)
		r.clock.advance(longestTTL)
		for _, id := range []string{"nowhere", "", old} {
			for _, method := range methods {
				if got := r.code(method, fmt.Sprintf(`{"taskId":%q,"inputResponses":{}}`, id)); got != -32602 {
					t.Errorf("%s of %q: code %v", method, id, got)
				}
			}
		}
		if revision < sessionless {
			if got := quote(r.result("tasks/list", `{}`)); got != `{"tasks":[]}` {
				t.Errorf("listed: %s", got)
			}
		}
	})
}

func TestTasksAreListedInPages(t *testing.T) {
	r := tasking(t, "stdio", revision2025Nov, Options{})
	var begun, listed []string
	for i := range tasksPerPage + 3 {
		begun = append(begun, r.callTask(fmt.Sprintf(`{"items":["B%d"]}`, i+1))["taskId"].(string))
	}
	cursor, pages := "", 0
	for {
		page := r.result("tasks/list", `{"cursor":`+quote(cursor)+`}`)
		for _, one := range page["tasks"].([]any) {
			listed = append(listed, one.(map[string]any)["taskId"].(string))
		}
		pages++
		next, more := page["nextCursor"].(string)
		if !more {
			break
		}
		cursor = next
	}
	if pages != 2 || !slices.Equal(begun, listed) {
		t.Errorf("%d pages, listed %q", pages, listed)
	}
	if got := r.code("tasks/list", `{"cursor":"elsewhere"}`); got != -32602 {
		t.Errorf("code %v", got)
	}
}

func TestWhatTheServerSaysOfTasks(t *testing.T) {
	for _, support := range []TaskSupport{TaskRequired, TaskOptional} {
		for _, over := range []string{"http", "stdio"} {
			r := meet(t, over, Options{Tasks: support}, revision2025Nov, `{}`)
			list := quote(r.result("tools/list", `{}`))
			if !strings.Contains(list, `"execution":{"taskSupport":"`+string(support)+`"}`) || strings.Count(list, "execution") != 1 {
				t.Errorf("the tools are %s", list)
			}
		}
	}
	b, err := New(Options{Tasks: TaskRequired, JSONAnswers: true})
	if err != nil {
		t.Fatal(err)
	}
	for revision, want := range map[string]bool{"2025-06-18": false, "2025-11-25": true} {
		h := &overHTTP{t: t, handler: b.Handler()}
		got := h.say(strings.Replace(initialize, "2025-06-18", revision, 1))
		if declared := strings.Contains(got, `"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`); declared != want || strings.Contains(got, "extensions") {
			t.Errorf("at %s: %s", revision, got)
		}
		if list := h.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`); strings.Contains(list, "execution") != want {
			t.Errorf("at %s: %s", revision, list)
		}
	}
	r := meet(t, "http", Options{Tasks: TaskRequired}, sessionless, `{}`)
	if got := quote(r.result("server/discover", `{}`)["capabilities"]); got != `{"extensions":{"io.modelcontextprotocol/tasks":{}},"tools":{}}` {
		t.Errorf("discovered %s", got)
	}
	if list := quote(r.result("tools/list", `{}`)); strings.Contains(list, "execution") {
		t.Errorf("the tools are %s", list)
	}
}

func TestWhoMayCallTheTaskToolHow(t *testing.T) {
	const plainly, asTask = `{"name":"cancel_products_task","arguments":{"items":["1001"]}}`, `{"name":"cancel_products_task","arguments":{"items":["1001"]},"task":{}}`
	for name, c := range map[string]struct {
		support      TaskSupport
		revision     string
		capabilities string
		params       string
		code         float64 // 0: it is done at once
	}{
		"required, plainly":             {TaskRequired, "2025-11-25", `{}`, plainly, -32601},
		"required, not declared":        {TaskRequired, "2026-07-28", `{}`, plainly, -32021},
		"required, before tasks":        {TaskRequired, "2025-06-18", `{}`, plainly, 0},
		"before tasks, as a task":       {TaskRequired, "2025-06-18", `{}`, asTask, 0},
		"optional, plainly":             {TaskOptional, "2025-11-25", `{}`, plainly, 0},
		"optional, not declared":        {TaskOptional, "2026-07-28", `{}`, plainly, 0},
		"another tool as a task":        {TaskOptional, "2025-11-25", `{}`, strings.Replace(asTask, "_task", "", 1), -32601},
		"another tool, params.task now": {TaskRequired, "2026-07-28", tasksCapability, strings.Replace(asTask, "_task", "", 1), 0},
		"arguments that are none":       {TaskRequired, "2025-11-25", `{}`, `{"name":"cancel_products_task","arguments":[],"task":{}}`, -32602},
	} {
		for _, over := range []string{"http", "stdio"} {
			t.Run(name+"/"+over, func(t *testing.T) {
				r := meet(t, over, Options{Tasks: c.support}, c.revision, c.capabilities)
				if c.code == 0 {
					r.wantRows(r.result("tools/call", c.params), "1001 done")
					return
				}
				got := r.request("tools/call", c.params)
				broken, _ := got["error"].(map[string]any)
				if message := fmt.Sprint(broken["message"]); broken["code"] != c.code || !strings.Contains(message, "task") {
					t.Errorf("gives %s", quote(got))
				}
				r.wantEffects()
			})
		}
	}
	t.Run("a server without tasks ignores the wish", func(t *testing.T) {
		r := meet(t, "stdio", Options{}, "2025-11-25", `{}`)
		r.wantRows(r.result("tools/call", strings.Replace(asTask, "_task", "", 1)), "1001 done")
	})
}

func TestMethodsOfTheOtherEra(t *testing.T) {
	for revision, methods := range map[string][]string{
		"2025-06-18": {"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"},
		"2025-11-25": {"tasks/update"},
		"2026-07-28": {"tasks/result", "tasks/list"},
	} {
		for _, over := range []string{"http", "stdio"} {
			r := meet(t, over, Options{Tasks: TaskRequired}, revision, tasksCapability)
			for _, method := range methods {
				if got := r.code(method, `{"taskId":"x"}`); got != -32601 {
					t.Errorf("%s at %s over %s: code %v", method, revision, over, got)
				}
			}
		}
	}
}

func TestTheOldestTaskGoes(t *testing.T) {
	var ts tasks
	for i := range MaxTasks + 1 {
		ts.keep(&task{id: fmt.Sprint(i)})
	}
	if len(ts.byID) != MaxTasks || len(ts.ids) != MaxTasks || ts.byID["0"] != nil {
		t.Errorf("%d tasks are kept", len(ts.byID))
	}
}

func TestAClosedBackendDoesNoMore(t *testing.T) {
	r := tasking(t, "stdio", sessionless, Options{SecondWriter: SecondWriter{Every: time.Second}})
	r.callTask(threeOf)
	r.backend.Close()
	r.backend.Close()
	r.clock.advance(time.Hour)
	r.callTask(threeOf)
	r.clock.advance(time.Hour)
	r.wantEffects()
}

func TestFaultsOfTheTaskTool(t *testing.T) {
	for id, want := range map[string]struct{ rows, effects []string }{
		"RES-02/task-loses-a-row":  {[]string{"1001 done", "9999 not_found"}, []string{"product-cancelled 1001", "product-cancelled 1002"}},
		"EFF-01/task-only-says-so": {rows: []string{"1001 done", "9999 not_found", "1002 done"}},
	} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(id, func(t *testing.T) {
			eachTaskEra(t, func(t *testing.T, over, revision string) {
				r := tasking(t, over, revision, Options{Faults: []Fault{f}})
				task := r.callTask(threeOf)
				r.clock.advance(takes)
				r.wantRows(r.outcome(task), want.rows...)
				r.wantEffects(want.effects...)
			})
		})
	}
	t.Run("EFF-02/cancelled-task-does-it", func(t *testing.T) {
		f, err := ParseFault("EFF-02/cancelled-task-does-it")
		if err != nil {
			t.Fatal(err)
		}
		eachTaskEra(t, func(t *testing.T, over, revision string) {
			r := tasking(t, over, revision, Options{Faults: []Fault{f}})
			task := r.callTask(threeOf)
			r.ofTask("tasks/cancel", task)
			r.clock.advance(takes)
			if got := r.ofTask("tasks/get", task); got["status"] != "cancelled" {
				t.Errorf("it is %s", quote(got))
			}
			r.wantEffects("product-cancelled 1001", "product-cancelled 1002")
		})
	})
	t.Run("LD-02/task-never-ends", func(t *testing.T) {
		f, err := ParseFault("LD-02/task-never-ends")
		if err != nil {
			t.Fatal(err)
		}
		eachTaskEra(t, func(t *testing.T, over, revision string) {
			r := tasking(t, over, revision, Options{Faults: []Fault{f}})
			task := r.callTask(threeOf)
			r.clock.advance(30 * time.Second)
			if got := r.ofTask("tasks/get", task); got["status"] != "working" {
				t.Errorf("it is %s", quote(got))
			}
			r.ofTask("tasks/cancel", task)
			if got := r.ofTask("tasks/get", task); got["status"] != "cancelled" {
				t.Errorf("it is %s", quote(got))
			}
			r.wantEffects()
		})
	})
}
