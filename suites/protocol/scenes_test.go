package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// step adds to a tape what a run would have recorded next.
type step func(*tape)

func (t *tape) then(steps ...step) *tape {
	for _, s := range steps {
		s(t)
	}
	return t
}

// in is where a call stands: its own id, in session s1 unless the id says
// otherwise, as in "s2/c1".
func in(call string) string {
	if session, _, named := strings.Cut(call, "/"); named && session[0] == 's' {
		return session
	}
	return "s1"
}

func sends(call string, p conform.Planned, body string) step {
	return func(t *tape) { t.ask(call, in(call), p, body, alias) }
}

func gets(call, body string) step { return func(t *tape) { t.get(call, in(call), body) } }

func getsHTTP(call string, status int, media, body string) step {
	return func(t *tape) { t.http(call, in(call), status, media, body) }
}

// ends records a reception that the harness gave an end of its own.
func ends(call string, end conform.End) step {
	return func(t *tape) {
		channel := conform.ChannelHTTP
		if t.header.Target.Transport == stdio {
			channel = conform.ChannelStdout
		}
		t.receive(call, in(call), conform.Received{Channel: channel, End: end, Problem: "it ended: " + string(end)})
	}
}

// processEnds records the end of a session's process.
func processEnds(session string, code *int, end conform.End) step {
	return func(t *tape) {
		t.receive("", session, conform.Received{Channel: conform.ChannelExit, Exit: code, End: end, Problem: "it ended: " + string(end)})
	}
}

// processIsEnded is the same by a signal, as the system names it.
func processIsEnded(session, signal string) step {
	return func(t *tape) {
		code := -1
		t.receive("", session, conform.Received{Channel: conform.ChannelExit, Exit: &code, Signal: signal, End: conform.Cut, Problem: "it ended"})
	}
}

func runEnds(class conform.EndClass) step {
	return func(t *tape) {
		t.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{Class: class}})
	}
}

func planned(call string, p conform.Planned) step {
	return func(t *tape) {
		t.add(conform.Observation{Kind: conform.KindPlanned, Call: call, Session: in(call), Planned: &p})
	}
}

// deletes asks for a session's end; status 0: nothing answers.
func deletes(call string, status int) step {
	return func(t *tape) {
		t.then(planned(call, conform.Planned{Role: conform.RoleLifecycle}))
		t.add(conform.Observation{Kind: conform.KindSent, Call: call, Session: in(call), Sent: &conform.Sent{
			Channel: conform.ChannelHTTP, Method: "DELETE", Header: []conform.HeaderField{alias},
		}})
		if status != 0 {
			t.http(call, in(call), status, "", "")
		}
	}
}

// Messages under an id.
func askedAs(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{}}`, id, method)
}

func cancelAs(id int) string {
	return strings.Replace(askCancel, `"id":3`, fmt.Sprintf(`"id":%d`, id), 1)
}

func answerAs(id int) string {
	return strings.Replace(goodAnswer, `"id":3`, fmt.Sprintf(`"id":%d`, id), 1)
}

// scene is a recording, and what one rule says of it: a word and a call for every
// look, in order.
type scene struct {
	tape *tape
	says string
}

// play judges scenes by a rule.
func play(t *testing.T, rule string, scenes map[string]scene) {
	checks := slices.DeleteFunc(Checks(), func(c conform.Check) bool { return c.ID != rule })
	for name, c := range scenes {
		t.Run(name, func(t *testing.T) {
			said, looks := verdictsOf(t, c.tape.recording(), checks)
			var words []string
			for _, l := range looks[rule] {
				word := l.Verdict.String()
				if l.As != conform.None {
					word += " as " + l.As.String()
				}
				if l.Call != nil {
					word += " " + l.Call.ID
				}
				words = append(words, word)
			}
			if said[rule] == "not applicable" {
				words = append(words, said[rule])
			}
			if got := strings.Join(words, ", "); got != c.says {
				t.Errorf("%s says\n %s\nwanted\n %s\n%+v", rule, got, c.says, looks[rule])
			}
		})
	}
}

// A recording may hold an answer to what was never sent: nobody is accused of it,
// and nothing breaks down.
func TestAnAnswerToNothingThatWasSent(t *testing.T) {
	for _, transport := range []string{stdio, streamable} {
		c := newTape(transport).then(planned("c1", cancel), gets("c1", answerAs(3)), planned("n", notify), gets("n", goodInit), processEnds("s1", one(), conform.Cut))
		for _, check := range Checks() {
			s := &conform.Subject{Recording: c.recording(), Operation: &c.header.Target.Operations[0]}
			s.Calls = s.Recording.Calls
			for _, look := range check.Judge(s) {
				if look.Verdict == conform.Fail && check.ID != "PRO-06" {
					t.Errorf("%s, %s: %+v", transport, check.ID, look)
				}
			}
		}
	}
}
