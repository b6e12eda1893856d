package protocol

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// aboutProgress are the rules of notifications/progress. Telling of it is the
// server's to choose: one that tells of none breaks no rule.
func aboutProgress() []conform.Check {
	of := func(r conform.Requirement, judge func(*conform.Subject) []conform.Look) conform.Check {
		r.Level, r.Basis, r.Group, r.Needs, r.Since = conform.Must, conform.Documented, conform.GroupProtocol, response, set
		r.If = "the server tells of progress"
		return conform.Check{Requirement: r, PerServer: true, Applies: progressApplies, Judge: judge,
			Missing: "no call that asked to be told of progress was answered"}
	}
	return []conform.Check{of(conform.Requirement{
		ID:     "PRO-16",
		Title:  "Progress names the call that asked for it",
		Text:   "A progress notification carries a progressToken that a request of the session has sent, in type and in value.",
		Impact: "One user's bar shows how far another's order is, or a client drops the notice and gives up a call that is at work.",
		Source: "MCP 2025-11-25, basic/utilities/progress, Behavior Requirements",
		Good:   `→ "_meta":{"progressToken":7}  ← "method":"notifications/progress","params":{"progressToken":7,"progress":1}`,
		Bad:    `→ "_meta":{"progressToken":7}  ← "method":"notifications/progress","params":{"progressToken":"7","progress":1}`,
		Mend:   "Keep the request's progressToken as it came, type and all, and write it back; tell of no progress where the request has none.",
	}, judgeTokens), of(conform.Requirement{
		ID:     "PRO-17",
		Title:  "Progress goes forward",
		Text:   "progress is a number that increases with each notification of a call, and total, if it is there, is a number.",
		Impact: "A bar stands still or runs backwards, and whoever watches it cancels work that is nearly done.",
		Source: "MCP 2025-11-25, basic/utilities/progress, Progress Flow and Behavior Requirements",
		Good:   `{"progressToken":7,"progress":1,"total":3}, then {"progressToken":7,"progress":2.5,"total":3}`,
		Bad:    `{"progressToken":7,"progress":2,"total":3}, then {"progressToken":7,"progress":2,"total":3}`,
		Mend:   "Count up, under the lock that the notification is sent under, and send none where nothing was added.",
	}, judgeForward), of(conform.Requirement{
		ID:     "PRO-18",
		Title:  "Progress ends with the answer",
		Text:   "No progress is told of a call that has been answered, unless the answer is a task that is still at work.",
		Impact: "A notice comes for a call that nobody keeps any more: clients log it as an error, or take it for that of the next call with this token.",
		Source: "MCP 2025-11-25, basic/utilities/progress, Implementation Notes",
		Good:   "progress 1, progress 2, the answer",
		Bad:    "progress 1, the answer, progress 2",
		Mend:   "Wait for whatever tells of progress, or stop it, before the answer is written, and write both through one queue.",
	}, judgeLate)}
}

const progressMethod = "notifications/progress"

// telling is one notification of progress, and the call that it is about.
type telling struct {
	in    *reception
	m     frame.Message
	place int           // of the message in its reception
	token *rawjson.Node // nil: it names none
	about *conform.Call // the last one before it that has sent this token; nil: none has
	value *rawjson.Node // progress
	call  *conform.Call // that it came in the answer to; nil over stdio
}

type tellingsKey struct{}

// tellings gives what was told of progress, in the order in which it came.
func tellings(rec *conform.Recording) []telling {
	all := receptions(rec) // before Memo: it must not be entered twice
	return rec.Memo(tellingsKey{}, func() any {
		asks := map[spot][]*conform.Call{}
		for _, c := range rec.Calls {
			if token := tokenOf(c); token != nil {
				at := spot{c.Session, frame.Key(token)}
				asks[at] = append(asks[at], c)
			}
		}
		var list []telling
		for _, r := range all {
			for i, m := range r.messages {
				if m.Kind != frame.Notification || m.Method != progressMethod || !r.spoken(m) {
					continue
				}
				t := telling{in: r, m: m, place: i, token: m.Params.Get("progressToken"), value: m.Params.Get("progress"), call: r.call}
				if r.in.Received.Channel != conform.ChannelHTTP {
					t.call = nil
				}
				if t.token != nil {
					for _, c := range asks[spot{r.session, frame.Key(t.token)}] {
						if c.Sent.Seq < r.in.Seq {
							t.about = c
						}
					}
				}
				list = append(list, t)
			}
		}
		return list
	}).([]telling)
}

// tokenOf gives the progress token that a request has sent; nil: it has sent none.
func tokenOf(c *conform.Call) *rawjson.Node {
	m := asked(c)
	if m.Kind != frame.Request {
		return nil
	}
	return m.Params.At("_meta", "progressToken")
}

// progressApplies: a server that was asked to tell of progress and tells of none
// is as lawful as one that does.
func progressApplies(s *conform.Subject) string {
	if why := notREST(s); why != "" {
		return why
	}
	if len(tellings(s.Recording)) > 0 {
		return ""
	}
	for _, c := range s.Calls {
		if tokenOf(c) != nil && c.Response != nil {
			return "the server was asked to tell of progress, and told of none"
		}
	}
	for i := range s.Recording.Skips {
		if slices.Contains(s.Recording.Skips[i].Checks, "PRO-16") {
			return "" // it was to be asked, and was not
		}
	}
	return "the server told of no progress, and no call asked it to"
}

func judgeTokens(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, t := range tellings(s.Recording) {
		const want = "the progressToken of a request of this session"
		switch {
		case t.about != nil:
			looks = append(looks, of(t.about, t.in.passed()))
		case t.token == nil:
			looks = append(looks, t.in.failed(fault{want: want, got: "no progressToken", message: t.m}))
		default:
			got := fmt.Sprintf("%s, %s, which no request has sent", rawjson.Cut(string(t.token.Raw), 60), a(t.token))
			looks = append(looks, t.in.failed(fault{want: want, got: got, message: t.m, node: t.token}))
		}
	}
	return looks
}

// judgeForward compares what was told of a call, where it came in one order: on the
// pipe, or in the answer to that call.
func judgeForward(s *conform.Subject) []conform.Look {
	before := map[*conform.Call]*rawjson.Node{}
	var looks []conform.Look
	for _, t := range tellings(s.Recording) {
		if t.about == nil {
			continue // PRO-16
		}
		look := t.in.passed()
		now, ok := number(t.value)
		switch total := t.m.Params.Get("total"); {
		case !ok:
			look = t.in.failed(fault{want: "progress, a number", got: a(t.value), message: t.m, node: t.value})
		case total != nil && !total.Is(rawjson.Number):
			look = t.in.failed(fault{want: "total, a number, or none", got: a(total), message: t.m, node: total})
		case t.call != nil && t.call != t.about:
		default:
			earlier := before[t.about]
			before[t.about] = t.value
			was, known := number(earlier)
			// What is written differently and reads the same differs by less than we can read.
			if known && (now < was || now == was && string(earlier.Raw) == string(t.value.Raw)) {
				look = t.in.failed(fault{want: "more than the " + rawjson.Cut(string(earlier.Raw), 30) + " that was told before", got: rawjson.Cut(string(t.value.Raw), 30),
					message: t.m, node: t.value})
			}
		}
		looks = append(looks, of(t.about, look))
	}
	return looks
}

func number(n *rawjson.Node) (float64, bool) {
	if !n.Is(rawjson.Number) {
		return 0, false
	}
	literal, _ := n.Literal()
	f, err := strconv.ParseFloat(literal, 64)
	return f, err == nil
}

func judgeLate(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, t := range tellings(s.Recording) {
		if t.about == nil || t.about.Result.Has("task") || t.about.Result.Has("taskId") {
			continue
		}
		look := t.in.passed()
		if t.late() {
			look = t.in.failed(fault{want: "nothing more of a call that was answered", got: "progress of " + t.about.ID + " behind its answer", message: t.m})
		}
		looks = append(looks, of(t.about, look))
	}
	return looks
}

// late tells whether the call had been answered for certain. Two streams have no
// order between them.
func (t telling) late() bool {
	answer := t.about.Response
	switch {
	case answer == nil:
		return false
	case answer.In == t.in.in:
		for _, m := range t.in.messages[:t.place] {
			if isResponse(m) && frame.Key(m.ID) == frame.Key(asked(t.about).ID) {
				return true
			}
		}
		return false
	case t.call == nil || t.call == t.about:
		return answer.In.Seq < t.in.in.Seq
	}
	return t.call.Sent != nil && answer.In.Seq < t.call.Sent.Seq
}
