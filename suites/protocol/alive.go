package protocol

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

func alive() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-15", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "The server survives lawful calls",
			Text:   "A server is still there after a lawful call, and answers the next one.",
			Impact: "One user's request ends the service for all of them, and nobody knows what was done before it went.",
			Source: "MCP 2025-11-25, basic/lifecycle, Operation and Shutdown",
			Needs:  response,
			Good:   "a call, its answer, the next call, its answer",
			Bad:    "a call, and the server process ends with exit code 1 instead of an answer",
			Mend:   "Catch the error where the tool is called and answer with isError; look at the server's standard error for where it ended.",
			Since:  set,
		},
		PerServer: true, Whole: true,
		Applies: notREST,
		Judge: func(s *conform.Subject) []conform.Look {
			looks := survived(s)
			looks = append(looks, exits(s)...)
			return append(looks, refusals(s)...)
		},
		Missing: "no two calls were answered one after the other",
	}
}

// line is what a call that was sent is answered over: one process, or one server
// behind a URL.
func line(c *conform.Call) string {
	if c.Sent.Sent.Channel == conform.ChannelStdin {
		return c.Session
	}
	return ""
}

// survived passes every request that was answered before a later one, sent
// after that answer, was answered too.
func survived(s *conform.Subject) []conform.Look {
	last := map[string]int64{} // line: when its last answered request was sent
	for _, c := range s.Calls {
		if c.Response != nil {
			last[line(c)] = max(last[line(c)], c.Sent.Seq)
		}
	}
	var looks []conform.Look
	for _, c := range s.Calls {
		if c.Response != nil && c.Response.In.Seq < last[line(c)] {
			looks = append(looks, answer(c).passed())
		}
	}
	return looks
}

// exits judges the end of each child process by the calls that were out.
func exits(s *conform.Subject) []conform.Look {
	rec := s.Recording
	var looks []conform.Look
	for i := range rec.Observations {
		o := &rec.Observations[i]
		if o.Received == nil || o.Received.Channel != conform.ChannelExit {
			continue
		}
		c := leftOut(s.Calls, o.Session, o.Seq)
		if c == nil {
			// What ended because its input was closed, ended for us.
			if next := missed(s.Calls, o.Session, o.Seq); next != nil && o.Received.End != conform.Complete && !stoppedByUs(rec, o.Received) {
				looks = append(looks, lost(next, "target gone: the server process ended between two calls, as it may"))
			}
			continue
		}
		if stoppedByUs(rec, o.Received) {
			looks = append(looks, lost(c, "the run was stopped while the call was out"))
			continue
		}
		if !anyAnswered(s.Calls) {
			// A program that cannot start is not a server that a call ended.
			looks = append(looks, lost(c, "the server process ended before its first answer"))
			continue
		}
		if by := outside(o.Received); by != "" {
			look := lost(c, "the server process was ended from outside ("+by+") while this call was out: target gone")
			look.Hint = "Run again. If this call ends the server again, look at how much memory it takes: a system that runs out of it ends processes so, and so does whoever stops them."
			looks = append(looks, look)
			continue
		}
		r := &reception{call: c, session: o.Session, in: o}
		got := "the process ended"
		if exit := o.Received.Exit; exit != nil && *exit >= 0 {
			got += fmt.Sprintf(" with exit code %d", *exit)
		} else if exit != nil {
			got += " by a signal"
		}
		if o.Received.Problem != "" {
			got += ": " + o.Received.Problem
		}
		looks = append(looks, r.failed(fault{want: "an answer, and a server that goes on", got: got, text: o.Received.Body}))
	}
	return looks
}

// outsiders are the signals that somebody else sends, a person, a supervisor or a
// system without memory, and the exit status by which a shell or a wrapper passes
// them on. A program that breaks down ends by another one, or by none.
var outsiders = map[string]int{"killed": 137, "terminated": 143, "interrupt": 130, "hangup": 129}

// outside says by what a process was ended that did not end itself; empty: nothing
// speaks for that.
func outside(in *conform.Received) string {
	for signal, status := range outsiders {
		switch {
		case in.Signal == signal:
			return "signal: " + signal
		case in.Exit != nil && *in.Exit == status:
			return fmt.Sprintf("exit status %d, which stands for the signal: %s", status, signal)
		}
	}
	return ""
}

func anyAnswered(calls []*conform.Call) bool {
	return slices.ContainsFunc(calls, func(c *conform.Call) bool { return c.Response != nil })
}

func stoppedByUs(rec *conform.Recording, in *conform.Received) bool {
	if in.End == conform.Stopped {
		return true
	}
	return rec.Ended != nil && (rec.Ended.Class == conform.EndInterrupted || rec.Ended.Class == conform.EndTerminated)
}

// leftOut gives the first request of a session that was out when its process
// ended: sent before, not answered, and not given up by us either.
func leftOut(calls []*conform.Call, session string, ended int64) *conform.Call {
	for _, c := range calls {
		if c.Session != session || c.Response != nil || c.Sent == nil || c.Sent.Seq > ended {
			continue
		}
		m := asked(c)
		if m.Kind != frame.Request || m.Method == "server/discover" {
			continue // an older server need not know that question
		}
		if in := c.Last(); in == nil || in.End == conform.Cut || in.End == conform.Refused || in.End == conform.Complete {
			return c
		}
	}
	return nil
}

// missed gives the first call that was meant for a process already gone.
func missed(calls []*conform.Call, session string, ended int64) *conform.Call {
	for _, c := range calls {
		if c.Session == session && c.Response == nil && c.PlannedAt.Seq > ended {
			return c
		}
	}
	return nil
}

// episode is a time an HTTP server was away, and the call it went with.
type episode struct {
	refused *conform.Call // the first call that found nobody
	with    *conform.Call // the call that was cut off before; nil: none was
}

// refusals judges connections that were refused after answers had come. Whoever
// went away may have been restarted by its owner; twice with the same call is
// the call's doing.
func refusals(s *conform.Subject) []conform.Look {
	episodes := absences(s.Calls)
	var looks []conform.Look
	for i, e := range episodes {
		for _, earlier := range episodes[:i] {
			if e.with != nil && earlier.with != nil && sameAsk(e.with, earlier.with) {
				looks = append(looks, again(e, earlier))
				break
			}
		}
	}
	if len(looks) > 0 {
		return looks
	}
	for _, e := range episodes {
		looks = append(looks, lost(e.refused, "target gone: it had answered, and then refused the connection"))
	}
	return looks
}

func again(e, earlier episode) conform.Look {
	r := ofCall(e.with)
	look := r[len(r)-1].failed(fault{
		want: "an answer, and a server that goes on",
		got:  "the connection was cut, and then refused; the same call, " + earlier.with.ID + ", had ended the server before",
	})
	look.Evidence = append(look.Evidence, conform.Evidence{Call: earlier.with.ID, Seq: earlier.with.Received[len(earlier.with.Received)-1].Seq})
	return look
}

func absences(calls []*conform.Call) []episode {
	var episodes []episode
	var cut *conform.Call
	there := false // it answers
	for _, c := range calls {
		in := c.Last()
		switch {
		case in == nil || in.Channel != conform.ChannelHTTP:
		case in.End == conform.Complete:
			there, cut = true, nil
		case in.End == conform.Cut:
			cut = c
		case in.End == conform.Refused && there:
			there = false
			episodes = append(episodes, episode{c, cut})
		}
	}
	return episodes
}

func sameAsk(a, b *conform.Call) bool {
	if a.Planned.Tool == "" || a.Planned.Tool != b.Planned.Tool {
		return false
	}
	return bytes.Equal(a.Planned.Arguments, b.Planned.Arguments)
}
