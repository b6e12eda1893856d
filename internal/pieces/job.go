package pieces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/rawpath"
)

// begins recognises an answer that hands out a job in place of rows; nil if it
// does not, or if the job has ended already.
func (g *Gathering) begins(a *contract.Answer) *job {
	async := g.op.Results.Async
	if async == nil || a.List.Is(rawjson.Array) || a.IsError {
		return nil
	}
	at, where := choose(a.Payload, async.ID, JobMembers)
	if !names(at) {
		return nil
	}
	j := &job{id: at, handle: where, member: lastName(where)}
	word, told := choose(a.Payload, async.State, States)
	if word != nil {
		j.state, j.handle = text(word), j.handle+", "+told
	}
	if g.good(j.state) || g.bad(j.state) {
		return nil
	}
	return j
}

// poll is a look at the job.
func (g *Gathering) poll() *Ask {
	async := g.op.Results.Async
	argument, wait := async.Argument, async.Every
	if argument == "" {
		argument = g.job.member
	}
	if wait <= 0 {
		wait = usually
	}
	return &Ask{Step: conform.StepPoll, Tool: async.Tool, Arguments: merged(async.Arguments, member{argument, g.job.id.Raw}), Wait: wait}
}

// looked takes what a look at the job was answered with.
func (g *Gathering) looked(t taken) {
	async := g.op.Results.Async
	word := ""
	if at, _ := choose(t.answer.Payload, async.State, States); at != nil {
		word = text(at)
		g.job.state = word
	}
	ended, at := g.outcome(t)
	rows := false
	if ended != nil {
		rows = contract.Read(ended.root, g.options).List.Is(rawjson.Array)
	}
	switch {
	case g.good(word), g.bad(word):
	case t.answer.IsError && !rows && !Unfinished(word):
		g.job.refused = true
	case Unfinished(word) || len(async.Done) > 0 || !rows:
		if len(g.taken) > mostPolls {
			g.problem = fmt.Sprintf("the job had not ended after %d looks at it", mostPolls)
			return
		}
		g.next = g.poll()
		return
	}
	g.job.ended = true
	if ended == nil {
		g.problem = fmt.Sprintf("the job has ended, and nothing stands at %s (`results.async.result`)", at)
		return
	}
	g.starts(*ended)
}

// outcome is the answer that a look at the job holds; nil if nothing stands where
// the target file says. That it is there does not say that the job has ended.
func (g *Gathering) outcome(t taken) (found *answered, at string) {
	async := g.op.Results.Async
	if async.Result == "" {
		return withoutJob(t, len(g.taken)-1, g.job.member, stateMember(t.answer.Payload, async.State)), ""
	}
	node, _ := choose(t.answer.Payload, async.Result, nil)
	if node == nil || node.Is(rawjson.Null) {
		return nil, async.Result
	}
	return inside(t, len(g.taken)-1, node), ""
}

func (g *Gathering) good(word string) bool {
	return says(word, g.op.Results.Async.Done, done.MatchString)
}
func (g *Gathering) bad(word string) bool {
	return says(word, g.op.Results.Async.Failed, failed.MatchString)
}

// says tells whether a word is one of those given; none given: one that servers
// usually have.
func says(word string, given []string, usual func(string) bool) bool {
	word = strings.TrimSpace(word)
	if len(given) == 0 {
		return usual(word)
	}
	return slices.ContainsFunc(given, func(one string) bool { return strings.EqualFold(one, word) })
}

// choose gives a value of a payload and the member or path that leads to it: what
// the target file names, else the first of the usual members that says something.
func choose(payload *rawjson.Node, given string, usual []string) (at *rawjson.Node, where string) {
	switch {
	case strings.HasPrefix(given, "$"):
		found, err := rawpath.Select(given, payload)
		if err != nil || len(found) != 1 {
			return nil, given
		}
		return found[0], given
	case given != "":
		return payload.Get(given), given
	}
	for _, name := range usual {
		if n := payload.Get(name); names(n) {
			return n, name
		}
	}
	return nil, ""
}

// lastName is the name of the member that a path or a name leads to.
func lastName(where string) string {
	cut := strings.LastIndexAny(where, ".[")
	return strings.Trim(where[cut+1:], `]'"`)
}

// stateMember is the member of the payload that says how far the job is; empty if
// it stands deeper, or nowhere.
func stateMember(payload *rawjson.Node, given string) string {
	at, _ := choose(payload, given, States)
	if at == nil || at.Within() != payload {
		return ""
	}
	for _, m := range payload.Members {
		if m.Value == at {
			return m.Name
		}
	}
	return ""
}

// text is a string's value, or a number's or boolean's exact text.
func text(n *rawjson.Node) string {
	if s, ok := n.Str(); ok {
		return s
	}
	return string(n.Raw)
}
