package multiitem

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

var con06 = conform.Check{
	Requirement: conform.Requirement{
		ID: "CON-06", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupConcurrency,
		Title:  "a cancelled call does not take the session along",
		Text:   "After a call was cancelled while it was out, the next call is answered.",
		Impact: "One user presses stop, and everybody's assistant waits for a service that does not come back.",
		Source: "contract 8b, time and trouble; MCP 2025-11-25, basic/utilities/cancellation, Timing Considerations",
		If:     "a call could be cancelled while it was out",
		Needs:  []conform.Need{conform.NeedResponse},
		Good:   "a call, notifications/cancelled, silence or an answer; the next call, its answer",
		Bad:    "a call, notifications/cancelled, silence; the next call, silence",
		Mend:   "Give back what the cancelled call holds, its locks and its place in the queue, where it ends in any way; and let a cancellation that comes too late pass.",
		Since:  set,
	},
	Applies: couldCancel,
	Judge:   afterCancelling,
	Missing: "no call was cancelled while it was out",
}

// couldCancel says why nothing was to be cancelled, or could be, although it was
// tried.
func couldCancel(s *conform.Subject) string {
	switch {
	case s.Operation == nil:
	case s.Operation.Tasks:
		return "the target file says `tasks: true`: what the calls become is cancelled as a task"
	case s.Operation.Write && s.Operation.Probe == conform.Absent:
		return "the target file declares `probe: none`: nobody could see what a cancelled write has done"
	}
	tried := false
	for _, c := range s.Calls {
		if !toCancel(s, c) {
			continue
		}
		if cancelled(s.Recording, c) {
			return ""
		}
		tried = true
	}
	if tried {
		return "each call that was to be cancelled was answered before that"
	}
	return ""
}

// toCancel tells a call that went out to be cancelled, and not as a task.
func toCancel(s *conform.Subject, c *conform.Call) bool {
	return s.Operation != nil && c.Planned.Cancels && c.Planned.Role == conform.RolePrimary && c.Sent != nil
}

// cancelled tells whether the server was told that a call is cancelled: by a
// notification, or by closing the request, which leaves it without an answer.
func cancelled(rec *conform.Recording, c *conform.Call) bool {
	if in := c.Last(); in != nil && in.End == conform.Withdrawn {
		return true
	}
	told := rec.Call(c.ID + conform.CancelledSuffix)
	return told != nil && told.Sent != nil
}

// alone tells a call beside which no other can have been at work: it was not in flight
// with others, and none of its play was cancelled before it and never answered, for that
// one the server may be at work on still.
func alone(s *conform.Subject, c *conform.Call) bool {
	if c.Planned.Burst != "" || c.Sent == nil {
		return c.Planned.Burst == ""
	}
	since, some := unansweredSince(s.Recording)[c.Planned.Instance]
	return !some || c.Sent.Seq <= since
}

type unansweredKey struct{}

// unansweredSince gives, by play, when the first call went out that was cancelled and
// never answered.
func unansweredSince(rec *conform.Recording) map[string]int64 {
	return rec.Memo(unansweredKey{}, func() any {
		since := map[string]int64{}
		for _, c := range rec.Calls {
			if !c.Planned.Cancels || c.Sent == nil || c.Last() == nil || c.Last().End != conform.Withdrawn {
				continue
			}
			if first, some := since[c.Planned.Instance]; !some || c.Sent.Seq < first {
				since[c.Planned.Instance] = c.Sent.Seq
			}
		}
		return since
	}).(map[string]int64)
}

// afterCancelling looks at the call behind each one that was cancelled.
func afterCancelling(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for i, c := range s.Calls {
		if !toCancel(s, c) || !cancelled(s.Recording, c) {
			continue
		}
		next := slices.IndexFunc(s.Calls[i+1:], func(other *conform.Call) bool {
			return other.Planned.Instance == c.Planned.Instance && other.Planned.Role == conform.RolePrimary && other.Sent != nil
		})
		if next < 0 {
			looks = append(looks, see(s.Operation, c).unclear("no call was made after it was cancelled, to see whether the server still works"))
			continue
		}
		looks = append(looks, see(s.Operation, s.Calls[i+1+next]).wentOn("the call after one that was cancelled is answered"))
	}
	return looks
}

// wentOn judges a call that shows whether the server still works.
func (v *sight) wentOn(want string) conform.Look {
	reason := v.lost()
	switch {
	case reason == "":
		return v.pass()
	case v.Last() == nil || v.Last().End != conform.TimedOut:
		return v.unclear("%s", reason)
	}
	if look := v.impatient(reason); look != nil {
		return *look
	}
	return v.fail(nil, want, "%s", reason)
}
