package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// revisionTasks is the one revision at which a call asks to be run as a task.
const revisionTasks = "2025-11-25"

// asTask gives the params of a call that is to run as a task: its own, and the
// wish for one where the revision has it so and the tool knows tasks.
func (r *run) asTask(s *wire.Session, p conform.Planned, params json.RawMessage) json.RawMessage {
	op := r.file.Operation(p.Operation)
	if op == nil || !op.Tasks || s.Protocol != revisionTasks || !r.knowsTasks(p.Tool) {
		return params
	}
	return append(bytes.TrimSuffix(bytes.Clone(params), []byte("}")), `,"task":{}}`...)
}

// knowsTasks tells whether the server lists a tool as one that may run as a task.
func (r *run) knowsTasks(tool string) bool {
	support := r.taskSupport(tool)
	return support == "required" || support == "optional"
}

// taskSupport is what the server lists of a tool as execution.taskSupport.
func (r *run) taskSupport(tool string) string {
	support, _ := r.listedTool(tool).Node.At("execution", "taskSupport").Str()
	return support
}

// listedTool gives a tool as the server lists it; an empty one if it does not.
func (r *run) listedTool(name string) conform.Tooling {
	r.listing.Do(func() { r.listed = r.tools() })
	for _, t := range r.listed {
		if t.Name == name {
			return t
		}
	}
	return conform.Tooling{}
}

// How often a task is looked at, where its server does not say or says too much.
const (
	usualPoll    = 250 * time.Millisecond
	shortestPoll = 20 * time.Millisecond
	longestPoll  = 5 * time.Second
	// afterCancel is how long a task that was cancelled may take to say so.
	afterCancel = 2 * time.Second
)

// follow polls the task that a call has become until it has ended, and gives the
// reply that holds the result. One that has not ended when the call's time is up
// is cancelled. Every look is recorded as a call of its own that continues the
// first.
func (r *run) follow(ctx context.Context, s *wire.Session, call conform.BoundCall, first wire.Request, reply *wire.Reply) (*wire.Session, *wire.Reply) {
	op := r.file.Operation(call.Planned.Operation)
	task, made := conform.TaskOf(reply.Result)
	if op == nil || !op.Tasks || !made {
		return s, reply
	}
	begun := time.Now()
	deadline := begun.Add(first.Timeout)
	on := &continuing{run: r, session: s, call: call, first: first}
	ask := func(method string, k int, params json.RawMessage, patience time.Duration) *wire.Reply {
		ask := on.read
		if method == "tasks/update" {
			ask = on.ask
		}
		return ask(ctx, fmt.Sprintf("%s.%d", method, k), conform.Planned{Step: "task", Method: method, Tool: call.Planned.Tool}, params, patience)
	}
	id := json.RawMessage(`{"taskId":` + string(task.ID.Raw) + `}`)
	if call.Planned.Cancels {
		ask("tasks/cancel", 1, id, afterCancel)
	}
	for k := 1; ; k++ {
		left := time.Until(deadline)
		if left <= 0 || ctx.Err() != nil {
			cancelled := ask("tasks/cancel", 2, id, afterCancel)
			last := ask("tasks/get", k, id, afterCancel)
			if ended, ok := conform.TaskOf(last.Result); ok && ended.Status == "completed" {
				return on.session, last // it was done in the moment that it was given up
			}
			// To whoever counts the calls that nothing answers, this is one.
			late := *cancelled
			late.End, late.Result = conform.TimedOut, nil
			late.Problem = fmt.Sprintf("the task of %s had not ended within %s, and was cancelled", call.Planned.Tool, first.Timeout)
			return on.session, &late
		}
		pause(ctx, min(left, task.Poll(usualPoll, shortestPoll, longestPoll)))
		reply = ask("tasks/get", k, id, max(left, afterCancel))
		now, ok := conform.TaskOf(reply.Result)
		if !ok {
			return on.session, reply // lost, or an error in place of the task
		}
		if task = now; task.Ended() {
			r.took(op, time.Since(begun))
		}
		switch {
		case task.Status == "input_required" && s.Protocol > revisionTasks:
			params, ok := answered(id, reply.Result, first.Asked)
			if !ok {
				return on.session, reply
			}
			ask("tasks/update", k, params, afterCancel)
		case task.Ended() && s.Protocol > revisionTasks:
			return on.session, reply
		case task.Ended() || task.Status == "input_required":
			// The result waits for the end, and its stream carries what is asked.
			reply = ask("tasks/result", 1, id, max(time.Until(deadline), afterCancel))
			return on.session, reply
		}
	}
}

// pause waits, or until the run is interrupted.
func pause(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

// unfinished says why a task of hands came to no result.
func unfinished(tool string, task conform.Task, played bool) string {
	message, _ := task.Error.Get("message").Str()
	switch {
	case !played:
		return tool + " answered with a task, which is awaited where the target file says `tasks: true`"
	case !task.Ended():
		return fmt.Sprintf("the task of %s did not come to its end (%s)", tool, cut(task.Status))
	case message != "":
		return fmt.Sprintf("the task of %s ended as %s: %s", tool, cut(task.Status), cut(message))
	}
	return fmt.Sprintf("the task of %s ended as %s", tool, cut(task.Status))
}

// resultOf gives the tool's result in a reply that a call ended with.
func resultOf(reply *wire.Reply) *rawjson.Node {
	if task, ok := conform.TaskOf(reply.Result); ok {
		return task.Result
	}
	return reply.Result
}
