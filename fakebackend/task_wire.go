package fakebackend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// spoken is a result to the byte, for what the SDK has no type for.
type spoken struct {
	mcp.ResultBase
	body *object
}

// MarshalJSON writes the result, with the _meta that the SDK has put to it.
func (s *spoken) MarshalJSON() ([]byte, error) {
	body := clone(s.body).(*object)
	if len(s.Meta) > 0 {
		meta := body.child("_meta")
		if meta == nil {
			meta = &object{}
			body.add("_meta", meta)
		}
		for name, value := range s.Meta {
			text, err := json.Marshal(value)
			if err != nil {
				return nil, fmt.Errorf("writing _meta: %w", err)
			}
			meta.set(name, json.RawMessage(text))
		}
	}
	return encode(body), nil
}

// asSpoken reads a result of the SDK's as it would be written.
func asSpoken(result mcp.Result) (*spoken, error) {
	text, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("writing a result: %w", err)
	}
	v, err := decode(text)
	body, ok := v.(*object)
	if err != nil || !ok {
		return nil, fmt.Errorf("a result is no object: %w", err)
	}
	return &spoken{body: body}, nil
}

func rpcError(code int64, format string, args ...any) error {
	broken := &jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}
	if code == jsonrpc.CodeMethodNotFound {
		return worded{broken}
	}
	return broken
}

// worded is an error that keeps its words: the SDK puts its own in the place of
// those of an error that it knows to be "method not found".
type worded struct{ broken *jsonrpc.Error }

// Error gives the words.
func (w worded) Error() string { return w.broken.Message }

// As gives the code.
func (w worded) As(target any) bool {
	at, ok := target.(**jsonrpc.Error)
	if ok {
		*at = w.broken
	}
	return ok
}

// serveTasks adds what clients ask of tasks.
func (b *Backend) serveTasks() error {
	add := func(method string, in func(p peer) bool, serve func(context.Context, peer, *taskParams) (*object, error)) error {
		return mcp.AddReceivingCustomMethod(b.server, method, func(ctx context.Context, session *mcp.ServerSession, params *taskParams) (*spoken, error) {
			if params == nil {
				params = &taskParams{}
			}
			p := peerOf(session, params.Meta)
			if !in(p) {
				return nil, rpcError(jsonrpc.CodeMethodNotFound, "%q is no method of revision %s", method, p.revision)
			}
			body, err := serve(ctx, p, params)
			if err != nil {
				return nil, err
			}
			return &spoken{body: body}, nil
		})
	}
	old := func(p peer) bool { return p.revision == revision2025Nov }
	both := func(p peer) bool { return old(p) || p.sessionless() }
	return errors.Join(
		add("tasks/get", both, b.taskGet),
		add("tasks/cancel", both, b.taskCancel),
		add("tasks/result", old, b.taskResult),
		add("tasks/list", old, b.taskList),
		add("tasks/update", peer.sessionless, b.taskUpdate),
	)
}

type taskParams struct {
	mcp.ParamsBase
	TaskID string `json:"taskId"`
	Cursor string `json:"cursor"`
}

func (b *Backend) asked(params *taskParams) (*task, error) {
	t, ok := b.findTask(params.TaskID)
	if !ok {
		return nil, rpcError(jsonrpc.CodeInvalidParams, "there is no task %q", params.TaskID)
	}
	return t, nil
}

func (b *Backend) taskGet(_ context.Context, p peer, params *taskParams) (*object, error) {
	t, err := b.asked(params)
	if err != nil {
		return nil, err
	}
	if !p.sessionless() {
		return b.describe(t), nil
	}
	body := of("resultType", "complete")
	status := b.describeTo(t, body)
	if status != ended {
		return body, nil
	}
	<-t.work.done
	if t.work.err != nil {
		return body.set("status", "failed").add("statusMessage", t.work.err.Error()).
			add("error", of("code", int(jsonrpc.CodeInternalError), "message", t.work.err.Error())), nil
	}
	return body.set("status", "completed").add("result", of("resultType", "complete").with(t.work.answer.result())), nil
}

// taskCancel is answered with the task at 2025-11-25, with nothing afterwards.
func (b *Backend) taskCancel(_ context.Context, p peer, params *taskParams) (*object, error) {
	t, err := b.asked(params)
	if err != nil {
		return nil, err
	}
	stopped := b.cancelTask(t)
	switch {
	case p.sessionless():
		return of("resultType", "complete"), nil
	case !stopped:
		return nil, rpcError(jsonrpc.CodeInvalidParams, "task %s is at its end already", t.id)
	}
	return b.describe(t), nil
}

// taskResult waits for the end and gives what the call would have given.
func (b *Backend) taskResult(ctx context.Context, _ peer, params *taskParams) (*object, error) {
	t, err := b.asked(params)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.work.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t.work.err != nil {
		return nil, rpcError(jsonrpc.CodeInternalError, "%v", t.work.err)
	}
	return t.work.answer.result().add("_meta", of("io.modelcontextprotocol/related-task", of("taskId", t.id))), nil
}

func (b *Backend) taskList(_ context.Context, _ peer, params *taskParams) (*object, error) {
	from := 0
	if params.Cursor != "" {
		var err error
		if from, err = strconv.Atoi(params.Cursor); err != nil || from < 0 {
			return nil, rpcError(jsonrpc.CodeInvalidParams, "the cursor %q is none of this server's", params.Cursor)
		}
	}
	page, next := b.tasks.page(from, b.clock.Now())
	list := make([]any, len(page))
	for i, t := range page {
		list[i] = b.describe(t)
	}
	body := of("tasks", list)
	if next > 0 {
		body.add("nextCursor", strconv.Itoa(next))
	}
	return body, nil
}

// taskUpdate takes answers to questions; a task of this server asks none.
func (b *Backend) taskUpdate(_ context.Context, _ peer, params *taskParams) (*object, error) {
	if _, err := b.asked(params); err != nil {
		return nil, err
	}
	return of("resultType", "complete"), nil
}

// describe tells a task as 2025-11-25 does.
func (b *Backend) describe(t *task) *object {
	body := &object{}
	if b.describeTo(t, body) == ended {
		<-t.work.done
		status := "completed"
		if t.work.err != nil || t.work.answer.failed {
			status = "failed"
		}
		body.set("status", status)
	}
	body.rename("ttlMs", "ttl")
	body.rename("pollIntervalMs", "pollInterval")
	return body
}

// describeTo tells a task as the extension does, without its result.
func (b *Backend) describeTo(t *task, body *object) (status string) {
	b.tasks.mu.Lock()
	defer b.tasks.mu.Unlock()
	body.add("taskId", t.id).add("status", t.status)
	switch t.status {
	case working:
		doing := "The products are being cancelled."
		if t.call.tool != cancelAsTask {
			doing = t.call.tool + " is at work."
		}
		body.add("statusMessage", doing)
	case cancelledTask:
		body.add("statusMessage", "Cancelled by request.")
	}
	body.add("createdAt", stamp(t.created)).add("lastUpdatedAt", stamp(t.updated)).
		add("ttlMs", int(t.ttl.Milliseconds())).add("pollIntervalMs", int(b.pollEvery().Milliseconds()))
	return t.status
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// pollEvery is how often it is of use to ask for a task or a job.
func (b *Backend) pollEvery() time.Duration {
	return max(20*time.Millisecond, min(time.Second, b.options.Takes/4))
}

// created answers the call that a task was made for.
func (b *Backend) created(t *task, p peer) *spoken {
	if p.sessionless() {
		body := of("resultType", "task")
		b.describeTo(t, body)
		return &spoken{body: body}
	}
	return &spoken{body: of("task", b.describe(t))}
}
