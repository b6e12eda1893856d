package fakebackend

// The tools of options, one each.
var (
	confirmed  = scope{cancelConfirmed}
	asTask     = scope{cancelAsTask}
	asJob      = scope{cancelAsJob}
	jobAsked   = scope{getJob}
	inPages    = scope{cancelPaged}
	rehearsals = scope{cancelRehearsed}
)

// unrowed leaves the last item of two or more without a row.
func unrowed() *bend {
	return &bend{finish: func(_ *Backend, _ *call, j *job) {
		if n := len(j.outcomes); n > 1 {
			j.outcomes[n-1].untold = true
		}
	}}
}

// undone says of everything that it was done, and does none of it.
func undone() *bend {
	return &bend{decide: func(_ *call, _ resolved, _ state, d *decision) { d.times = 0 }}
}

// confirmFaults are wrong where the user does not agree.
func confirmFaults() []Fault {
	needs := []Feature{Confirming}
	after := func(change func(b *Backend, c *call, w write, a *answer) *answer) how {
		return how{on: confirmed, undeclared: true, bend: func() *bend { return &bend{declined: change} }}
	}
	return []Fault{
		{
			ID: "EFF-02/cancels-what-was-declined", Sentence: "What the user declines is cancelled all the same, and told as declined.", Needs: needs,
			how: after(func(b *Backend, c *call, w write, a *answer) *answer {
				b.cancelAll(c, w.shelf, w.refs)
				return a
			}),
		},
		{
			ID: "RES-01/declined-without-rows", Sentence: "Where the user declines, the answer is a sentence without rows.", Needs: needs,
			Consequences: []string{"AGG-03", "RES-13"},
			how: after(func(*Backend, *call, write, *answer) *answer {
				return &answer{payload: of("message", "The user declined."), failed: true}
			}),
		},
		{
			ID: "RES-02/declined-loses-a-row", Sentence: "Where the user declines, the last of two or more items has no row.", Needs: needs,
			how: after(func(_ *Backend, _ *call, w write, a *answer) *answer {
				rows, _ := rowsOf(a.payload)
				if len(rows) < 2 {
					return a
				}
				return w.tell(rows[:len(rows)-1])
			}),
		},
		{
			ID: "RES-12/declined-as-done", Sentence: "What the user declines is told as done, and is not done.", Needs: needs,
			Consequences: []string{"AGG-03"},
			how: after(func(b *Backend, c *call, w write, _ *answer) *answer {
				quiet := *c
				quiet.bends = []*bend{undone()}
				return w.tell(b.cancelAll(&quiet, w.shelf, w.refs))
			}),
		},
	}
}

// rowsOf gives the rows of a payload, in any shape of a direct tool.
func rowsOf(payload *object) ([]any, bool) {
	if result := payload.child("result"); result != nil {
		payload = result
	}
	rows, ok := payload.get("results").([]any)
	return rows, ok
}

// taskFaults are wrong in what becomes of a task.
func taskFaults() []Fault {
	needs := []Feature{Tasking}
	return []Fault{
		{
			ID: "RES-02/task-loses-a-row", Sentence: "The result of a task has no row for the last of two or more items.", Needs: needs,
			how: how{on: asTask, bend: unrowed},
		},
		{
			ID: "EFF-01/task-only-says-so", Sentence: "A task is told as completed, every item done, and nothing was done.", Needs: needs,
			Consequences: []string{"IDM-03"},
			how:          how{on: asTask, bend: undone},
		},
		{
			ID: "EFF-02/cancelled-task-does-it", Sentence: "A task that was cancelled is told as cancelled, and does everything all the same.", Needs: needs,
			how: how{on: asTask, bend: func() *bend { return &bend{deaf: true} }},
		},
		{
			ID: "LD-02/task-never-ends", Sentence: "A task is at work for ever.", Needs: needs, Consequences: []string{"RES-01"},
			how: how{on: asTask, bend: func() *bend { return &bend{endless: true} }},
		},
	}
}

// jobFaults are wrong in what becomes of a job.
func jobFaults() []Fault {
	needs := []Feature{Jobbing}
	return []Fault{
		{
			ID: "RES-02/job-loses-a-row", Sentence: "A job that is done has no row for the last of two or more items.", Needs: needs,
			how: how{on: asJob, bend: unrowed},
		},
		{
			ID: "RES-01/job-ends-without-rows", Sentence: "A job that is done tells no rows, in no member at all.", Needs: needs,
			how: how{on: jobAsked, result: func(_ *exchange, result *object) bool {
				told := result.child("structuredContent")
				if told == nil || told.text("status") != "done" {
					return false
				}
				result.set("structuredContent", of("job_id", told.get("job_id"), "status", "done")).set("content", texts("The job is done."))
				return true
			}},
		},
		{
			ID: "EFF-01/job-only-says-so", Sentence: "A job is told as done, every item with it, and nothing was done.", Needs: needs,
			Consequences: []string{"IDM-03"},
			how:          how{on: asJob, bend: undone},
		},
		{
			ID: "LD-01/rows-of-another-job", Sentence: "get_job tells the rows of the job that was begun before.", Needs: needs,
			Consequences: []string{"RES-02", "RES-12", "RES-13", "EFF-01", "IDM-02", "IDM-04", "LD-02", "CON-05"},
			how:          how{on: jobAsked, bend: func() *bend { return &bend{confuse: true} }},
		},
		{
			ID: "LD-02/job-never-ends", Sentence: "A job is running for ever.", Needs: needs, Consequences: []string{"RES-01"},
			how: how{on: asJob, bend: func() *bend { return &bend{endless: true} }},
		},
	}
}

// pageFaults are wrong where one page ends and the next begins.
func pageFaults() []Fault {
	needs := []Feature{Paging}
	turning := func(turn func(from, to, n int) (first, next int)) how {
		return how{on: inPages, bend: func() *bend { return &bend{turn: turn} }}
	}
	return []Fault{
		{
			ID: "RES-02/page-repeats-a-row", Sentence: "Every page but the first begins with the last row of the one before.", Needs: needs,
			Consequences: []string{"AGG-05", "IDM-04"},
			how: turning(func(from, to, _ int) (first, next int) {
				return max(0, from-1), to
			}),
		},
		{
			ID: "RES-02/page-loses-a-row", Sentence: "The first row after each page is on none.", Needs: needs,
			Consequences: []string{"RES-03", "RES-14", "AGG-05"},
			how: turning(func(from, to, n int) (first, next int) {
				if to == n {
					return from, to
				}
				return from, to + 1
			}),
		},
		{
			ID: "RES-02/pages-without-end", Sentence: "The last page has a next, which is the same again.", Needs: needs,
			Consequences: []string{"RES-13", "AGG-05", "IDM-04"},
			how: turning(func(from, to, n int) (first, next int) {
				if to == n && from < n {
					return from, from
				}
				return from, to
			}),
		},
	}
}
