package conform

import (
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Task is a task as a result tells it: of 2025-11-25 (the call is answered with
// {"task": …}, tasks/get with the members alone), or of the tasks extension.
type Task struct {
	ID     *rawjson.Node
	Status string        // working, input_required, completed, failed, cancelled
	Result *rawjson.Node // the tool's result, parsed by itself; nil where the task does not hold it
	Error  *rawjson.Node // of a failed task, a JSON-RPC error; nil: none is told
	poll   *rawjson.Node
}

// TaskOf reads a task; ok is false where the result tells none.
func TaskOf(result *rawjson.Node) (task Task, ok bool) {
	at := result
	if inner := result.Get("task"); inner.Is(rawjson.Object) {
		at = inner
	}
	status, named := at.Get("status").Str()
	if id := at.Get("taskId"); !id.Is(rawjson.String) || !named {
		return Task{}, false
	}
	task = Task{ID: at.Get("taskId"), Status: status, Error: at.Get("error"), poll: at.Get("pollIntervalMs")}
	if task.poll == nil {
		task.poll = at.Get("pollInterval")
	}
	if held := at.Get("result"); held.Is(rawjson.Object) {
		// Pointers and offsets of findings count from the tool's result.
		task.Result, _ = rawjson.Parse(held.Raw)
	}
	return task, true
}

// Ended tells whether nothing more becomes of the task.
func (t Task) Ended() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

// Poll gives how long to wait before the next look: what the server asks for,
// within bounds.
func (t Task) Poll(usual, least, most time.Duration) time.Duration {
	text, _ := t.poll.Literal()
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || !(ms > 0) {
		return usual
	}
	if ms > float64(most.Milliseconds()) {
		return most
	}
	return max(least, time.Duration(ms*float64(time.Millisecond)))
}
