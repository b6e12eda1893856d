package protocol

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// completed gives the calls of tools whose result is there to judge. Left out:
// JSON-RPC errors, a result that is no object (PRO-05 says so), and answers that
// are not the tool's yet: a question back, a task.
func completed(s *conform.Subject) []*conform.Call {
	var calls []*conform.Call
	for _, c := range s.Calls {
		if c.Planned.Method == "tools/call" && c.Result.Is(rawjson.Object) && !pending(c.Result) {
			calls = append(calls, c)
		}
	}
	return calls
}

// pending tells a result that is not the final one: resultType says so (MCP
// 2026-07-28, basic, ResultType), or it is a task's handle (2025-11-25,
// basic/utilities/tasks).
func pending(result *rawjson.Node) bool {
	if kind := result.Get("resultType"); kind != nil {
		said, _ := kind.Str()
		return said != "complete"
	}
	return result.Get("task").Is(rawjson.Object) && !result.Has("content")
}

// answer is the reception of the call's response, to make looks of.
func answer(c *conform.Call) *reception {
	return &reception{call: c, session: c.Session, in: c.Response.In}
}
