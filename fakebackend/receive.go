package fakebackend

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// receive is the part of MCP that the SDK does not speak: tasks, which it has no
// types for, and input_required results without a content of null.
func (b *Backend) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if r, ok := request.(*mcp.CallToolRequest); ok {
			if result, err := b.receiveCall(ctx, r); result != nil || err != nil {
				return result, err
			}
		}
		result, err := next(ctx, method, request)
		if err != nil {
			return nil, err
		}
		switch r := result.(type) {
		case *mcp.CallToolResult:
			if r.NeedsInput() {
				return rewritten(r, func(body *object) { body.drop("content") })
			}
		case *mcp.InitializeResult:
			if b.options.Tasks != "" {
				return rewritten(r, func(body *object) {
					capabilities := body.child("capabilities")
					capabilities.drop("extensions") // of later revisions
					if r.ProtocolVersion == revision2025Nov {
						capabilities.add("tasks", of("list", of(), "cancel", of(), "requests", of("tools", of("call", of()))))
					}
				})
			}
		case *mcp.ListToolsResult:
			session, _ := request.GetSession().(*mcp.ServerSession)
			if b.options.Tasks != "" && peerOf(session, request.GetParams().GetMeta()).revision == revision2025Nov {
				return rewritten(r, b.declareTasks)
			}
		}
		return result, nil
	}
}

func rewritten(result mcp.Result, change func(body *object)) (mcp.Result, error) {
	s, err := asSpoken(result)
	if err != nil {
		return nil, err
	}
	change(s.body)
	return s, nil
}

// declareTasks says which tools run as tasks, as 2025-11-25 does.
func (b *Backend) declareTasks(body *object) {
	list, _ := body.get("tools").([]any)
	for _, one := range list {
		if listed, ok := one.(*object); ok && b.options.runsAsTask(listed.text("name")) {
			listed.add("execution", of("taskSupport", string(b.options.Tasks)))
		}
	}
}

// receiveCall answers a call of a tool that becomes a task, or that cannot be
// called as it was. It gives nothing for all the others.
func (b *Backend) receiveCall(ctx context.Context, r *mcp.CallToolRequest) (mcp.Result, error) {
	if b.options.Tasks == "" {
		return nil, nil
	}
	p := peerOf(r.Session, r.Params.Meta)
	wish, asTask := r.Params.Meta[taskMark]
	ours, required := b.options.runsAsTask(r.Params.Name), b.options.Tasks == TaskRequired
	switch {
	case p.sessionless():
		switch {
		case !ours:
			return nil, nil
		case p.takesTasks():
			return b.receiveTask(ctx, r, p, 0)
		case required:
			return nil, &jsonrpc.Error{
				Code: mcp.CodeMissingRequiredClientCapabilities, Message: r.Params.Name + " runs as a task, which this client has not declared",
				Data: json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + tasksExtension + `":{}}}}`),
			}
		}
	case p.revision == revision2025Nov:
		switch {
		case asTask && !ours:
			return nil, rpcError(jsonrpc.CodeMethodNotFound, "%s does not run as a task", r.Params.Name)
		case asTask:
			return b.receiveTask(ctx, r, p, timeToLive(wish))
		case ours && required:
			return nil, rpcError(jsonrpc.CodeMethodNotFound, "%s runs as a task only: the call needs params.task", r.Params.Name)
		}
	}
	return nil, nil
}

func (b *Backend) receiveTask(ctx context.Context, r *mcp.CallToolRequest, p peer, ttl time.Duration) (mcp.Result, error) {
	c, err := b.begin(ctx, r.Params.Name, r)
	if err != nil {
		return nil, err
	}
	return b.created(b.startTask(c, ttl), p), nil
}

// timeToLive reads params.task.
func timeToLive(wish any) time.Duration {
	task, _ := wish.(map[string]any)
	ttl, _ := task["ttl"].(float64)
	if !(ttl > 0 && ttl < float64(longestTTL.Milliseconds())) {
		return longestTTL
	}
	return time.Duration(ttl) * time.Millisecond
}

// taskMark is where params.task is put for the SDK to pass it on: it drops what
// it does not know, but hands _meta on as it is.
const taskMark = ownPrefix + "params.task"

// ownPrefix begins the names of what is put into _meta on the way.
const ownPrefix = "fakebackend.example/"

// lifted moves params.task of a request into its _meta.
func lifted(text []byte) []byte {
	if !bytes.Contains(text, []byte(`"task"`)) {
		return text
	}
	v, err := decode(text)
	message, ok := v.(*object)
	if err != nil || !ok || message.text("method") != "tools/call" {
		return text
	}
	params := message.child("params")
	if !params.has("task") {
		return text
	}
	meta := params.child("_meta")
	if meta == nil {
		meta = &object{}
		params.add("_meta", meta)
	}
	meta.set(taskMark, params.get("task"))
	params.drop("task")
	return encode(message)
}

// liftHTTP lifts in front of a handler.
func (b *Backend) liftHTTP(next http.Handler) http.Handler {
	if b.options.Tasks == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			if text, err := body(r); err == nil {
				setBody(r, lifted(text))
			}
		}
		next.ServeHTTP(w, r)
	})
}

// liftLines lifts in front of a reader of lines.
func (b *Backend) liftLines(in io.Reader) io.Reader {
	if b.options.Tasks == "" {
		return in
	}
	return newLineChanger(in, lifted)
}
