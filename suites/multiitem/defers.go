package multiitem

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pieces"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// The keys of the target file that let a call be played to its end.
const (
	keyAnswers = "answers"
	keyTasks   = "tasks"
	keyAsync   = "results.async"
	keyNext    = "results.next"
)

// keyless is the look at a call that cannot be judged before the target file has
// a key.
func (v *sight) keyless(key, why string) conform.Look {
	look := v.cannot("%s", why)
	look.Key = "operations." + v.Op.Name + "." + key
	look.Evidence = []conform.Evidence{v.show(nil)}
	switch {
	case key == keyAnswers && v.Op.Answers:
		look.Hint = "add an answer that fits to `" + look.Key + "` in the target file"
	case key == keyAsync && v.Op.Results.Async != nil, key == keyNext && v.Op.Results.Next != nil:
		look.Hint = "correct `" + look.Key + "` in the target file: what it says does not fit this answer"
	}
	if v.Planned.Step == recorded {
		look.Hint = "judge the answer that the call ends with"
	}
	return look
}

// defers recognises a tool that does not answer the batch but asks back, must be
// run as a task, or hands out a job to poll; key is what the target file would
// have to say, why what was seen.
func (v *sight) defers(rec *conform.Recording) (key, why string) {
	if key, why := v.asks(rec); key != "" {
		return key, why
	}
	if key, why := v.tasks(rec); key != "" || v.HasRows() || v.whole != nil {
		return key, why
	}
	if handle := v.handle(); handle != "" {
		return keyAsync, "the tool answered with a job to poll (" + handle + ")"
	}
	return "", ""
}

// handle names the member by which an answer hands out a job that has not ended;
// empty if it does not.
func (v *sight) handle() string {
	if v.Answer == nil || v.refusal() != "" {
		return ""
	}
	return cmp.Or(jobHandle(v.Answer.Payload), jobHandle(v.Answer.Result))
}

// asks tells a call that the tool answered with a question, or would not answer
// without one: a client that declares no such capability must not be asked, and
// what it is told in place of a question is no outcome of the batch.
func (v *sight) asks(rec *conform.Recording) (key, why string) {
	// A tool that was not answered, and did what was asked all the same, is judged.
	if !v.HasRows() || len(v.where(v.these(conform.Good), false)) > 0 {
		for _, q := range v.Questions() {
			if q.Action == "" && (strings.HasPrefix(q.Method, "elicitation/") || strings.HasPrefix(q.Method, "sampling/")) {
				return keyAnswers, v.unanswered(q)
			}
		}
	}
	if conform.AsksBack(v.Result) {
		if rounds := len(v.Further); rounds == conform.MostRounds {
			return keyAnswers, fmt.Sprintf("the tool asked back %d times, and was not answered any more", rounds+1)
		}
		return keyAnswers, "the tool asked back (resultType input_required)"
	}
	if v.Op.Answers && rec.Revision() >= "2025-06-18" {
		return "", "" // it was told that this client can be asked
	}
	if wants := v.wants("elicitation"); wants {
		return keyAnswers, "the tool has to ask back, and refuses a client that declares no elicitation"
	}
	if how := v.refusal(); unasked.MatchString(how) && !v.HasRows() {
		return keyAnswers, "the tool has to ask back: " + how
	}
	if good := v.these(conform.Good); len(good) > 0 && len(v.where(good, false)) == len(good) {
		for _, i := range good {
			_, row, _ := v.told(i)
			if !unasked.MatchString(string(row.Node.Raw)) {
				return "", ""
			}
		}
		_, row, _ := v.told(good[0])
		return keyAnswers, "the tool has to ask back, and did nothing for a client that cannot be asked (" + saysSo(row.Node) + ")"
	}
	return "", ""
}

// unasked matches what servers say where they had to ask and could not. That a
// confirmation is required alone is not enough: often an argument gives it.
var unasked = regexp.MustCompile(`(?i)elicit|\bsampling\b|confirmation[ _-]*(is[ _-]*)?(impossible|unavailable|unsupported|not[ _-]*(possible|available|supported))|` +
	`(cannot|can't|can not|unable to|could not)[ _-]+(ask|prompt)[ _-]+(the[ _-]*)?(user|client)|(client|user)[ _-]+(cannot|can't|can not|could not)[ _-]+be[ _-]+asked`)

// unanswered says why a question of the tool's has no answer.
func (v *sight) unanswered(q conform.Question) string {
	switch {
	case !strings.HasPrefix(q.Method, "elicitation/"):
		return "the tool asked for what mcpconform does not give (" + q.Method + ")"
	case v.Op.Answers:
		return fmt.Sprintf("no entry of `answers` fits what the tool asked: %q", rawjson.Cut(q.Message, 160))
	}
	return "the tool asked back (" + q.Method + ")"
}

// saysSo quotes the member of a row by which a server says that it could not ask.
func saysSo(row *rawjson.Node) string {
	for _, m := range row.Members {
		if unasked.Match(m.Value.Raw) {
			return m.Name + " " + m.Value.Excerpt(80)
		}
	}
	return row.Excerpt(80)
}

// wants tells whether the call was refused for want of a client's capability
// (MCP 2026-07-28, error -32021).
func (v *sight) wants(capability ...string) bool {
	if v.Response == nil {
		return false
	}
	code, _ := v.Response.Error.Get("code").Literal()
	return code == "-32021" && v.Response.Error.At(append([]string{"data", "requiredCapabilities"}, capability...)...) != nil
}

// tasks tells a call that became a task, or that must be made as one.
func (v *sight) tasks(rec *conform.Recording) (key, why string) {
	if v.Op.Tasks {
		return "", ""
	}
	kind, _ := v.Call.Result.Get("resultType").Str()
	if kind == "task" || v.Call.Result.At("task", "taskId") != nil {
		return keyTasks, "the tool answered with a task"
	}
	if v.wants("extensions", "io.modelcontextprotocol/tasks") {
		return keyTasks, "the tool must be run as a task (error -32021)"
	}
	if tool := rec.Tool(v.Planned.Tool); tool != nil && v.refusal() != "" {
		if support, _ := tool.Node.At("execution", "taskSupport").Str(); support == "required" {
			return keyTasks, "the tool must be run as a task (execution.taskSupport)"
		}
	}
	return "", ""
}

// jobHandle names the member by which an object hands out a job that has not
// ended; empty if it does not.
func jobHandle(n *rawjson.Node) string {
	word := ""
	for _, name := range pieces.States {
		if s, _ := n.Get(name).Str(); pieces.Unfinished(s) {
			word = name
		}
	}
	if word == "" {
		return ""
	}
	for _, name := range pieces.JobMembers {
		if !n.Get(name).Empty() {
			return name + ", " + word
		}
	}
	return ""
}

// paged tells whether the answer says that more rows follow, which nobody asked
// for.
func (v *sight) paged() bool {
	if len(v.Answer.Rows) >= v.N() || v.whole != nil && v.whole.Pages > 0 {
		return false
	}
	return pieces.MoreFollow(v.Answer.Payload) || pieces.MoreFollow(v.holder())
}

// onePage is the look of rules about completeness where more rows follow.
func (v *sight) onePage() conform.Look {
	return v.keyless(keyNext, "the answer is one page of the rows: there are fewer than items, and a mark that more follow")
}

// PendingCase tells why a recorded answer is not the one that its call ends with;
// empty: it is.
func PendingCase(rec *conform.Recording) string {
	c := rec.Call("answer")
	if c == nil {
		return ""
	}
	v := see(rec.Operation(caseOperation), c)
	if _, why := v.defers(rec); why != "" {
		return why
	}
	if v.HasRows() && v.paged() {
		return v.onePage().Reason
	}
	return ""
}
