package fakebackend

import (
	"fmt"
	"sync"
)

// jobTools are the tool that begins a job, and the one that tells of it.
func jobTools(o Options) []tool {
	accepted := schema([]string{"job_id", "status"}, prop("job_id", kind("string")), prop("status", of("type", "string", "enum", []any{"accepted"})),
		prop("message", kind("string")))
	told := schema([]string{"job_id", "status"}, append([]property{
		{"job_id", kind("string")}, {"status", of("type", "string", "enum", []any{"running", "done", "failed", "unknown"})},
		{"message", kind("string")}, {"error", kind("string")}, {"results", writeRow().list()},
	}, countMembers()...)...)
	return []tool{
		{
			name: cancelAsJob, title: "Cancel products as a job",
			description: "Begins to cancel several products and answers with a job_id at once. get_job tells how far it is, and at the end one row for each in results[].",
			input:       schema([]string{"items"}, items(o), key()), output: accepted,
			run: (*Backend).startJob,
		},
		{
			name: getJob, title: "Look at a job",
			description: "How far a job is: running or done. When it is done, results[] has one row for each product.",
			input:       schema([]string{"job_id"}, prop("job_id", text("The job_id that cancel_products_job gave."))), output: told,
			readOnly: true, idempotent: true,
			run: (*Backend).tellJob,
		},
	}
}

// MaxJobs are kept; when they are more, the oldest go.
const MaxJobs = 10_000

type jobs struct {
	mu    sync.Mutex
	last  int
	byID  map[string]*deferred
	ids   []string // the oldest first
	since string   // the last that was begun before everything was put back
}

func (js *jobs) keep(d *deferred) (id string) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if js.byID == nil {
		js.byID = map[string]*deferred{}
	}
	js.last++
	id = fmt.Sprintf("J-%06d", js.last)
	js.byID[id] = d
	js.ids = append(js.ids, id)
	for len(js.ids) > MaxJobs {
		delete(js.byID, js.ids[0])
		js.ids = js.ids[1:]
	}
	return id
}

// restart says that everything was put back: what was begun earlier is told as ever, and
// is no neighbour of what comes.
func (js *jobs) restart() {
	js.mu.Lock()
	defer js.mu.Unlock()
	if n := len(js.ids); n > 0 {
		js.since = js.ids[n-1]
	}
}

// find gives a job, and the one that was begun before it, since everything was put back
// last; nil for those that are not there.
func (js *jobs) find(id string) (found, before *deferred) {
	js.mu.Lock()
	defer js.mu.Unlock()
	for i, one := range js.ids {
		if one == id {
			if i > 0 && js.ids[i-1] != js.since {
				before = js.byID[js.ids[i-1]]
			}
			return js.byID[id], before
		}
	}
	return nil, nil
}

// startJob accepts a job. What is wrong with its items is told when it is done.
func (b *Backend) startJob(c *call) *answer {
	w := b.cancelling(c)
	id := b.jobs.keep(b.deferWork(c, func() *answer { return b.write(c, w) }, func() {}))
	return &answer{payload: of("job_id", id, "status", "accepted",
		"message", fmt.Sprintf("%d %s to cancel; get_job tells how far it is.", len(w.refs), plural(len(w.refs), "product")))}
}

func (b *Backend) tellJob(c *call) *answer {
	id, _ := c.args.text("job_id")
	d, before := b.jobs.find(id)
	if d == nil {
		return &answer{payload: of("job_id", id, "status", "unknown", "error", "no_such_job", "message", "There is no such job."), failed: true}
	}
	for _, bent := range c.bends {
		if bent.confuse && before != nil {
			d = before
		}
	}
	select {
	case <-d.done:
	default:
		return &answer{payload: of("job_id", id, "status", "running", "message", "Not done yet.")}
	}
	if d.err != nil {
		return &answer{payload: of("job_id", id, "status", "failed", "error", "internal", "message", d.err.Error()), failed: true}
	}
	// In the shape that says everything, whatever the other tools' shape is: the
	// job's own status stands where theirs would.
	return &answer{payload: jobDone(id, d.answer), failed: d.answer.failed}
}

func jobDone(id string, a *answer) *object {
	inner := a.payload
	if result := inner.child("result"); result != nil {
		inner = result
	}
	body := of("job_id", id, "status", "done")
	for _, m := range inner.members {
		if m.name != "status" {
			body.add(m.name, m.value)
		}
	}
	return body
}
