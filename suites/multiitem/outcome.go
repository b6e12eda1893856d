package multiitem

import (
	"net/http"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Outcome is what is known of one item of a write from the answer alone.
type Outcome uint8

// The outcomes. Unknown is the zero value: a call without an answer may have
// done all of it.
const (
	Unknown Outcome = iota
	Done            // the answer says so
	Refused         // the answer says that it was not done
)

// Outcomes gives what the answer to a call says of each of its items, for whoever
// has to put back what was done. It decides no check.
func Outcomes(op *conform.Operation, c *conform.Call) []Outcome {
	v := see(op, c)
	all := make([]Outcome, v.N())
	whole := c.Declined() || TurnedAway(c) || v.refusal() != "" && !v.ownHTTPError() && !v.brokeDown()
	for i, said := range v.words() {
		switch {
		case said == claimed:
			all[i] = Done
		case said == denied, whole:
			all[i] = Refused
		}
	}
	return all
}

// atTheDoor are the statuses by which an HTTP server refuses a request before it
// begins with it (RFC 9110, section 15.5; RFC 6585, section 4).
var atTheDoor = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
	http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusTooManyRequests,
}

// TurnedAway tells a call that was refused by its HTTP status alone, before
// anything was begun, or that found no server to connect to.
func TurnedAway(c *conform.Call) bool {
	in := c.Last()
	return in != nil && (slices.Contains(atTheDoor, in.Status) || in.End == conform.Refused) && c.Result == nil
}

// HandsOutcomes is Outcomes for the answer of a tool that puts items back or in
// place. Without rows that can be read a result speaks for all its items, and
// whole says so.
func HandsOutcomes(tool string, items []conform.Item, result *rawjson.Node) (all []Outcome, whole bool) {
	call := &conform.Call{Planned: conform.Planned{Tool: tool, Items: items}, Result: result}
	v := see(nil, call)
	all, whole = make([]Outcome, len(items)), len(v.Answer.Rows) == 0
	for i, said := range v.words() {
		done := said == claimed
		if whole {
			done = !v.Answer.IsError
		}
		if all[i] = Refused; done {
			all[i] = Done
		}
	}
	return all, whole
}

// brokeDown tells a JSON-RPC error that says that something went wrong on the
// way, so that a part may have been done (JSON-RPC 2.0, internal error).
func (v *sight) brokeDown() bool {
	if v.Response == nil {
		return false
	}
	code, _ := v.Response.Error.Get("code").Literal()
	return code == "-32603"
}

// Unended says why the server may still be at work on a call that was sent; empty:
// it has ended, or its connection did. It decides no check.
func Unended(op *conform.Operation, c *conform.Call) string {
	v := see(op, c)
	switch task := v.Ending.Task; {
	case c.Sent == nil || v.HasRows():
		return ""
	case task != nil:
		if task.Ended() {
			return ""
		}
		return "the task that it became had not ended when it was looked at last"
	case v.job() && !v.whole.Ended && v.unended() != "":
		return v.unended()
	case v.Response == nil && v.Last() != nil && (v.Last().End == conform.TimedOut || v.Last().End == conform.Withdrawn):
		return v.Last().Problem
	case v.Response == nil && v.Ending.Call.Planned.Method == "tasks/get":
		return "the task that it became was lost sight of"
	case v.whole == nil:
		if handle := v.handle(); handle != "" {
			return "nobody asked what became of the job that it was answered with (" + handle + ")"
		}
	}
	return ""
}
