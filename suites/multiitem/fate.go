package multiitem

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// status is the HTTP status of the last answer; 0 on other channels, or where no
// response head came.
func (v *sight) status() int {
	in := v.Last()
	if in == nil || in.Channel != conform.ChannelHTTP {
		return 0
	}
	return in.Status
}

// gatewayPage tells whether an intermediary answered in the server's place:
// status 502 or 504, or a page for a browser.
func (v *sight) gatewayPage() bool {
	s := v.status()
	if s == 0 || v.Response != nil {
		return false
	}
	return s == 502 || s == 504 || conform.MediaType(v.Last().Header) == "text/html"
}

// ownHTTPError tells whether the server itself refused the call by an HTTP
// status, without a JSON-RPC message.
func (v *sight) ownHTTPError() bool {
	s := v.status()
	return s >= 300 && v.Response == nil && v.Answer == nil && !v.gatewayPage()
}

// beyond gives the look of a call whose answer says nothing of the contract: it
// was lost, the credentials were refused, an intermediary answered, the server
// was busy, or the tool wants something else first. Nil: the answer can be
// judged (a refusal is an answer).
func (v *sight) beyond(s *conform.Subject) *conform.Look {
	if !v.HasRows() {
		if key, why := v.defers(s.Recording); key != "" {
			look := v.cannot("%s: it would need `%s` in the target file, which this version does not serve yet", why, key)
			return &look
		}
	}
	switch status := v.status(); {
	case status == 401 || status == 403:
		look := v.cannot("the server refused the credentials (HTTP %d)", status)
		look.Hint = "give credentials with --header or --token-env, or under `server.headers` in the target file"
		return &look
	case v.lost() != "":
		return some(v.unclear("%s", v.lost()))
	case (status == 429 || status == 503) && v.Response == nil:
		return some(v.unclear("the server was busy (HTTP %d)", status))
	case v.gatewayPage():
		return some(v.unclear("an intermediary answered in the server's place (HTTP %d, %s)", status, conform.MediaType(v.Last().Header)))
	case v.Response == nil && v.Answer == nil && !v.ownHTTPError():
		return some(v.cannot("no JSON-RPC response answers the call (see PRO-04)"))
	case v.Response != nil && v.Response.Error == nil && v.Answer == nil:
		return some(v.cannot("the response has neither result nor error (see PRO-05)"))
	}
	if !v.HasRows() && s.Recording.Listed && s.Recording.Tool(v.Planned.Tool) == nil && v.refusal() != "" {
		look := v.cannot("the server does not list a tool named %q", v.Planned.Tool)
		look.Hint = "correct the tool's name in the target file (`operations." + v.Op.Name + "`)"
		return &look
	}
	return nil
}

// defers recognises a tool that does not answer the batch but asks back, must be
// run as a task, or hands out a job to poll; key is what the target file would
// have to say. A recorded answer stands for itself: nothing can follow it.
func (v *sight) defers(rec *conform.Recording) (key, why string) {
	if v.Planned.Step == recorded {
		return "", ""
	}
	for _, m := range v.Messages {
		if m.Kind == frame.Request && (strings.HasPrefix(m.Method, "elicitation/") || strings.HasPrefix(m.Method, "sampling/")) {
			return "answers", "the tool asked back (" + m.Method + ")"
		}
	}
	if v.Result.Is(rawjson.Object) {
		switch kind, _ := v.Result.Get("resultType").Str(); {
		case kind == "input_required":
			return "answers", "the tool asked back (resultType input_required)"
		case kind == "task" || v.Result.At("task", "taskId") != nil:
			return "tasks", "the tool answered with a task"
		}
	}
	if tool := rec.Tool(v.Planned.Tool); tool != nil && v.refusal() != "" {
		if support, _ := tool.Node.At("execution", "taskSupport").Str(); support == "required" {
			return "tasks", "the tool must be run as a task (execution.taskSupport)"
		}
	}
	if v.Answer != nil && v.refusal() == "" {
		for _, at := range []*rawjson.Node{v.Answer.Payload, v.Answer.Result} {
			if handle := jobHandle(at); handle != "" {
				return "results.async", "the tool answered with a job to poll (" + handle + ")"
			}
		}
	}
	return "", ""
}

var jobMembers = []string{"job_id", "jobId", "task_id", "taskId", "operation_id", "operationId", "batch_id", "batchId", "run_id", "runId", "job"}

var unfinished = regexp.MustCompile(`(?i)^(pending|queued|accepted|submitted|scheduled|started|running|processing|in[ _-]?progress|working)$`)

// jobHandle names the member by which an object hands out a job that has not
// ended; empty if it does not.
func jobHandle(n *rawjson.Node) string {
	word := ""
	for _, name := range []string{"status", "state"} {
		if s, ok := n.Get(name).Str(); ok && unfinished.MatchString(strings.TrimSpace(s)) {
			word = name
		}
	}
	if word == "" {
		return ""
	}
	for _, name := range jobMembers {
		if !n.Get(name).Empty() {
			return name + ", " + word
		}
	}
	return ""
}

// refusal says how the server refused the whole call, where it gave no rows;
// empty if it did not refuse.
func (v *sight) refusal() string {
	switch {
	case v.HasRows() && len(v.Answer.Rows) > 0:
		return ""
	case v.Response != nil && v.Response.Error != nil:
		code := v.Response.Error.Get("code").Excerpt(20)
		message, _ := v.Response.Error.Get("message").Str()
		return fmt.Sprintf("JSON-RPC error %s %q", code, rawjson.Cut(message, 120))
	case v.ownHTTPError():
		return fmt.Sprintf("HTTP status %d", v.status())
	case v.Answer == nil:
		return ""
	case v.Answer.IsError:
		return fmt.Sprintf("isError with %q", rawjson.Cut(v.said(), 120))
	}
	if yes, ok := v.Answer.OK.Bool(); ok && !yes {
		return "`ok: false`"
	}
	return ""
}

// raised tells whether the refusal came as a JSON-RPC error or an HTTP status.
func (v *sight) raised() bool {
	return v.Response != nil && v.Response.Error != nil || v.ownHTTPError()
}

// said is what a person reads of the answer: its text blocks, else its bytes.
func (v *sight) said() string {
	if v.Answer == nil {
		return v.show(nil).Excerpt
	}
	var parts []string
	for _, t := range v.Answer.Texts {
		if s, ok := t.Node.Str(); ok {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return v.Answer.Root.Excerpt(excerpt)
	}
	return strings.Join(parts, "\n")
}

var permission = regexp.MustCompile(`(?i)permission|forbidden|unauthori[sz]ed|not authori[sz]ed|unauthenticated|access (is )?denied|credential|\b(access|bearer|api)[ -]?(token|key)\b|\b(lacks?|missing|requires?) (the |a )?[\w-]+ (role|scope)\b|\blog ?in\b`)

// credentialsHint is the mend of a refusal that looks like a permission problem.
func (v *sight) credentialsHint() string {
	texts := v.show(nil).Excerpt
	if v.Answer != nil {
		texts += "\n" + v.said()
	}
	if !permission.MatchString(texts) {
		return ""
	}
	return "the refusal reads like a permission problem: check the credentials and the role of the account first; with rows, tell it per item: {\"success\": false, \"error\": \"forbidden\"}"
}
