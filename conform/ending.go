package conform

import (
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Ending is how a call came out that may take several exchanges: rounds with the
// user's answers, looks at a task, further pieces of the answer.
type Ending struct {
	Call     *Call          // the exchange that decided it: the call itself, or one that carries it on
	Response *Arrived       // nil: none came
	Result   *rawjson.Node  // the tool's result; nil: there is none
	Received []*Observation // of all exchanges, in the order received
	// Task is how the task that the call became stood at last, where it holds no
	// result and none was fetched; nil: there is none.
	Task *Task
	// Cancelled is set where we cancelled the task: its time was up, or the scenario
	// has it so.
	Cancelled bool
	// Pieces are the exchanges that asked for what the answer left for later: looks
	// at a job, further pages. The last of them is Call.
	Pieces []*Call
	// Begun is the ending without Pieces; nil: there are none.
	Begun *Ending
}

// The steps of calls that ask for a further piece of an answer.
const (
	StepPoll = "poll" // looks at a job
	StepPage = "page" // asks for further rows
)

// MostCursor bounds, in bytes, a cursor that is sent back to ask for a further page:
// one of the size of an answer would be sent, and recorded, with every page.
const MostCursor = 64 << 10

// Ending gives how the call came out.
func (c *Call) Ending() Ending {
	e := Ending{Call: c, Response: c.Response, Result: c.Result, Received: c.Received}
	for _, next := range c.Further {
		if next.Sent == nil {
			continue
		}
		switch next.Planned.Step {
		case StepPoll, StepPage:
			if e.Begun == nil {
				begun := e
				begun.untask()
				e = Ending{Received: begun.Received, Begun: &begun}
			}
			e.Pieces = append(e.Pieces, next)
		}
		e.Received = append(e.Received[:len(e.Received):len(e.Received)], next.Received...)
		switch next.Planned.Method {
		case "tasks/cancel":
			e.Cancelled = true
			continue
		case "tasks/update":
			continue
		}
		e.Call, e.Response, e.Result = next, next.Response, next.Result
	}
	e.untask()
	return e
}

// untask takes what the call came to out of the task that it became.
func (e *Ending) untask() {
	if task, ok := TaskOf(e.Result); ok {
		e.tells(task)
	}
}

// tells takes out of a task what the call came to.
func (e *Ending) tells(task Task) {
	if e.Result = task.Result; e.Result != nil {
		return
	}
	e.Task = &task
	if task.Error.Is(rawjson.Object) && e.Response != nil {
		refused := *e.Response
		refused.Result, refused.Error = nil, task.Error
		e.Response = &refused
	}
}

// Question is something that a tool asked of the user.
type Question struct {
	Method  string     // elicitation/create, sampling/createMessage, …
	Action  UserAction // what was answered; empty: nothing, or an error
	Message string     // of an elicitation, as the user is shown it
}

// Questions gives what was asked during the call, in order: in the call's own
// stream (up to 2025-11-25), or by input_required results (from 2026-07-28 on).
func (c *Call) Questions() []Question {
	var all []Question
	rounds := append([]*Call{c}, c.Further...)
	for i, round := range rounds {
		for k := range round.Messages {
			if m := &round.Messages[k]; m.Kind == frame.Request && m.Method != "ping" {
				all = append(all, question(m.Method, m.Params, round.reply(m.ID).Get("action")))
			}
		}
		asked := round.Result.Get("inputRequests")
		if !AsksBack(round.Result) || !asked.Is(rawjson.Object) {
			continue
		}
		for _, m := range asked.Members {
			var action *rawjson.Node
			if i+1 < len(rounds) && len(rounds[i+1].asked) > 0 {
				action = rounds[i+1].asked[0].Params.At("inputResponses", m.Name, "action")
			}
			method, _ := m.Value.Get("method").Str()
			all = append(all, question(method, m.Value.Get("params"), action))
		}
	}
	return all
}

// AsksBack tells a result by which a tool asks before it goes on (MCP 2026-07-28).
func AsksBack(result *rawjson.Node) bool {
	kind, _ := result.Get("resultType").Str()
	return kind == "input_required"
}

func question(method string, params, action *rawjson.Node) Question {
	word, _ := action.Str()
	message, _ := params.Get("message").Str()
	return Question{Method: method, Action: UserAction(word), Message: message}
}

// Declined tells whether the user was asked, and agreed to nothing.
func (c *Call) Declined() bool {
	questions := c.Questions()
	for _, q := range questions {
		if q.Action != Decline && q.Action != Cancel {
			return false
		}
	}
	return len(questions) > 0
}

// replied keeps what we answered to a question of the server's.
func (c *Call) replied(body Bytes) {
	for _, m := range frame.ReadMessages(body) {
		if m.Kind == frame.Response {
			c.replies = append(c.replies, m)
		}
	}
}

// reply gives the result by which we answered the server's request of an id; nil
// where that was an error, or nothing.
func (c *Call) reply(id *rawjson.Node) *rawjson.Node {
	for i := range c.replies {
		if frame.Key(c.replies[i].ID) == frame.Key(id) {
			return c.replies[i].Result
		}
	}
	return nil
}
