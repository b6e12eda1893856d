package fakebackend

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// TaskSupport says whether the task tool must be called as a task.
type TaskSupport string

// The values of execution.taskSupport that the task tool can have.
const (
	TaskRequired TaskSupport = "required"
	TaskOptional TaskSupport = "optional"
)

// taskTool runs as a task where the client can have it so.
func taskTool(o Options) tool {
	return tool{
		name: cancelAsTask, title: "Cancel products as a task",
		description: "Cancels several products in one call, which runs as a task. One row in results[] for each, in the task's result.",
		input:       schema([]string{"items"}, items(o), key()), output: o.Shape.batchSchema(writeRow()),
		run: func(b *Backend, c *call) *answer { return b.write(c, b.cancelling(c)) },
	}
}

// Bounds of tasks.
const (
	// MaxTasks are kept; when they are more, the oldest go.
	MaxTasks     = 10_000
	defaultTTL   = 10 * time.Minute
	longestTTL   = time.Hour
	tasksPerPage = 50
)

// task is a call that is worked on after it was answered.
type task struct {
	id      string
	created time.Time
	ttl     time.Duration
	call    *call
	run     func() *answer
	undone  func() *answer // what it answers where it was cancelled before its work began
	work    *deferred

	// Guarded by tasks.mu.
	status  string // working, ended, cancelled
	updated time.Time
}

const (
	working = "working"
	ended   = "ended" // with an answer, or broken off by an error
)

// tasks are the tasks of a backend. Whoever may call it may see them all.
type tasks struct {
	mu   sync.Mutex
	byID map[string]*task
	ids  []string // the oldest first
}

// hands are the tools that run as tasks with Options.TaskHands.
var hands = []string{resetTool, restoreProducts, restoreSubscriptions, addProducts, removeProducts}

// runsAsTask tells whether a tool runs as a task.
func (o Options) runsAsTask(tool string) bool {
	return o.Tasks != "" && (tool == cancelAsTask || o.TaskHands && slices.Contains(hands, tool))
}

// startTask begins a call as a task.
func (b *Backend) startTask(c *call, ttl time.Duration) *task {
	now := b.clock.Now()
	t := &task{id: rand.Text(), created: now, updated: now, ttl: min(ttl, longestTTL), call: c, status: working}
	if t.ttl <= 0 {
		t.ttl = defaultTTL
	}
	if c.tool == cancelAsTask {
		write := b.cancelling(c)
		t.run = func() *answer { return b.write(c, write) }
		t.undone = func() *answer { return write.tell(write.refuseAll(refused(pending))) }
	} else {
		t.run = func() *answer { return b.tool(c.tool).run(b, c) }
		t.undone = func() *answer {
			return &answer{payload: of("success", false, "error", "cancelled", "message", "It was cancelled before it began."), failed: true}
		}
	}
	t.work = b.deferWork(c, t.run, func() { b.tasks.set(t, ended, b.clock.Now()) })
	b.tasks.keep(t)
	return t
}

func (ts *tasks) keep(t *task) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byID == nil {
		ts.byID = map[string]*task{}
	}
	ts.byID[t.id] = t
	ts.ids = append(ts.ids, t.id)
	for len(ts.ids) > MaxTasks {
		delete(ts.byID, ts.ids[0])
		ts.ids = ts.ids[1:]
	}
}

// set moves a task on; false if it has come to its end before.
func (ts *tasks) set(t *task, status string, now time.Time) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t.status != working {
		return false
	}
	t.status, t.updated = status, now
	return true
}

// find gives a task whose time to live is not over.
func (b *Backend) findTask(id string) (*task, bool) {
	b.tasks.mu.Lock()
	defer b.tasks.mu.Unlock()
	t := b.tasks.byID[id]
	return t, t != nil && !t.over(b.clock.Now())
}

func (t *task) over(now time.Time) bool { return now.Sub(t.created) > t.ttl }

// cancelTask ends a task before its time; false if it was at its end already.
// Work that has not begun is not done, and the answer says so for every item;
// work that has begun ends where it is.
func (b *Backend) cancelTask(t *task) bool {
	if !b.tasks.set(t, cancelledTask, b.clock.Now()) {
		return false
	}
	if t.work.stop() {
		for _, bent := range t.call.bends {
			if bent.deaf {
				_, _ = b.attempt(t.call, t.run) // what becomes of it is not told
			}
		}
		t.work.end(t.undone(), nil)
	} else {
		t.work.cancel()
	}
	return true
}

const cancelledTask = "cancelled"

// page gives the tasks from a place on, the newest last, and the place of the
// next; 0 if there are no more.
func (ts *tasks) page(from int, now time.Time) (page []*task, next int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for i, id := range ts.ids {
		t := ts.byID[id]
		switch {
		case i < from || t.over(now):
		case len(page) == tasksPerPage:
			return page, i
		default:
			page = append(page, t)
		}
	}
	return page, 0
}
