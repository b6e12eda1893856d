package selftest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// named is a server that breaks no rule, or none but the one that its shape does.
type named struct {
	name, sentence string
	server         server
	// breaks is the rule that a server breaks by the shape of its answers, and
	// cannot keep; empty: it breaks none.
	breaks string
	// unclear are the rules that nothing can be told of on it: each must be
	// inconclusive or not run wherever it applies, and say why.
	unclear []string
	// left are the tools that look multi-item and that its target file does not
	// mention: no others may be told as such, and the run is incomplete for them.
	left []string
	// unsure is set where a run cannot see to its end what the server does: it is not
	// accused, and not called conformant.
	unsure bool
}

// good gives good servers of every transport, revision and kind.
func good() []named {
	var all []named
	add := func(name string, s server) { all = append(all, named{name: name, server: s}) }
	for _, revision := range target.Protocols {
		add("http, event stream, "+revision, server{transport: fakebackend.HTTP, protocol: revision})
		add("http, json, "+revision, server{transport: fakebackend.HTTP, protocol: revision, options: fakebackend.Options{JSONAnswers: true}})
		add("stdio, "+revision, server{transport: fakebackend.Stdio, protocol: revision})
	}
	web := func(name string, o fakebackend.Options) {
		add("http, "+name, server{transport: fakebackend.HTTP, options: o})
	}
	web("always with a session", fakebackend.Options{Sessions: fakebackend.Stateful, Revisions: target.Protocols[:3]})
	web("never with a session", fakebackend.Options{Sessions: fakebackend.Stateless})
	web("never with a session, json", fakebackend.Options{Sessions: fakebackend.Stateless, JSONAnswers: true})
	add("http, streams that break off and are taken up again", server{transport: fakebackend.HTTP, protocol: handshake,
		options: fakebackend.Options{EventIDs: true, Weather: fakebackend.Weather{TearEvery: 5}}})
	web("oldest revision only", fakebackend.Options{Revisions: target.Protocols[:1]})
	web("items one by one downstream", fakebackend.Options{Downstream: fakebackend.Unit})
	web("items four at a time downstream", fakebackend.Options{Downstream: fakebackend.Unit, FanOut: 4, PerItemDelay: time.Millisecond})
	web("two workers, a millisecond an item", fakebackend.Options{Workers: 2, PerItemDelay: time.Millisecond})
	web("effects that show a moment later", fakebackend.Options{VisibleAfter: 20 * time.Millisecond})
	web("at most 100 items a call", fakebackend.Options{MaxItems: 100})
	for _, rounds := range []int{1, 2} {
		asks := server{options: fakebackend.Options{ConfirmRounds: rounds}, features: []fakebackend.Feature{fakebackend.Confirming}}
		for _, revision := range target.Protocols[1:] {
			asks.protocol = revision
			for _, asks.transport = range []fakebackend.Transport{fakebackend.HTTP, fakebackend.Stdio} {
				add(fmt.Sprintf("%s, asks %s, %s", asks.transport, map[int]string{1: "once", 2: "twice"}[rounds], revision), asks)
			}
		}
	}
	for _, support := range []fakebackend.TaskSupport{fakebackend.TaskRequired, fakebackend.TaskOptional} {
		runs := server{options: fakebackend.Options{Tasks: support, Takes: quickly}, features: []fakebackend.Feature{fakebackend.Tasking}}
		for _, runs.protocol = range target.Protocols[2:] {
			runs.transport = fakebackend.HTTP
			add(fmt.Sprintf("http, a task is %s, %s", support, runs.protocol), runs)
		}
	}
	add("stdio, a task is required", server{transport: fakebackend.Stdio, options: fakebackend.Options{Tasks: fakebackend.TaskRequired, Takes: quickly}, features: []fakebackend.Feature{fakebackend.Tasking}})
	pieces := func(name, breaks string, feature fakebackend.Feature, o fakebackend.Options) {
		for _, over := range []fakebackend.Transport{fakebackend.HTTP, fakebackend.Stdio} {
			all = append(all, named{name: string(over) + ", " + name, breaks: breaks, server: server{transport: over, options: o, features: []fakebackend.Feature{feature}}})
		}
	}
	pieces("a job", "RES-01", fakebackend.Jobbing, fakebackend.Options{Jobs: true, Takes: quickly})
	pieces("a slow job", "RES-01", fakebackend.Jobbing, fakebackend.Options{Jobs: true, Takes: 200 * time.Millisecond})
	pieces("pages", "RES-02", fakebackend.Paging, fakebackend.Options{PageRows: fewRows})
	for _, shape := range []fakebackend.Shape{fakebackend.Default, fakebackend.Wrapped} {
		all = append(all, named{
			name: "http, pages, and the target file does not say how more are asked for, " + string(shape), unclear: []string{"RES-02", "AGG-05"},
			server: server{transport: fakebackend.HTTP, options: fakebackend.Options{PageRows: fewRows, Shape: shape}, features: []fakebackend.Feature{fakebackend.Paging},
				amend: func(op *target.Operation) { op.Results.Next = nil }},
		})
	}
	pieces("all on the first page", "", fakebackend.Paging, fakebackend.Options{PageRows: 1000})
	pieces("dry runs", "", fakebackend.DryRunning, fakebackend.Options{DryRuns: true})
	pieces("dry runs, wrapped", "", fakebackend.DryRunning, fakebackend.Options{DryRuns: true, Shape: fakebackend.Wrapped})
	for _, o := range []struct {
		name    string
		options fakebackend.Options
	}{
		{"what was done is taken back item by item, on items put in place for it", fakebackend.Options{}},
		{"the same, and it shows a moment later", fakebackend.Options{VisibleAfter: 20 * time.Millisecond}},
		{"its undo says that it took back what it did not", fakebackend.Options{IdleUndo: true}},
	} {
		o.options.Undo, o.options.Stock, o.options.NoReset = true, true, true
		s := server{transport: fakebackend.HTTP, options: o.options, by: undoing}
		if o.options.IdleUndo {
			s.patience = patience // nothing is worth to be waited for
		}
		add("http, "+o.name, s)
	}
	add("stdio, what was done is taken back item by item", server{transport: fakebackend.Stdio, by: undoing,
		options: fakebackend.Options{Undo: true, Stock: true, NoReset: true}})
	for _, follows := range []bool{false, true} {
		name := map[bool]string{false: "another user changes one thing after another", true: "another user changes what calls have changed"}[follows]
		options := fakebackend.Options{SecondWriter: fakebackend.SecondWriter{EveryCalls: 3, Follows: follows}}
		all = append(all, named{name: "http, " + name, unclear: []string{"EFF-01", "EFF-02", "CON-01"},
			server: server{transport: fakebackend.HTTP, options: options, patience: patience}})
	}
	for _, shape := range []fakebackend.Shape{fakebackend.Bare, fakebackend.Wrapped, fakebackend.NoSummary} {
		web("answers "+string(shape), fakebackend.Options{Shape: shape})
		add("stdio, answers "+string(shape), server{transport: fakebackend.Stdio, options: fakebackend.Options{Shape: shape}})
	}
	return append(all, outlasting()...)
}

// plays gives the scenarios that a good server is played: those whose tools ask
// or take long get the ones of the odd servers, and are asked to decline. They
// are the same server behind, which the others show in full.
func (n named) plays(scenarios []string) []string {
	switch {
	case n.server.plays != nil:
		return n.server.plays
	case len(n.server.features) == 0:
		return scenarios
	}
	return append(slices.Clone(oddPlays), "declined", "cancelled")
}

// innocent runs against a server that breaks no rule.
func innocent(ctx context.Context, n named, o Options, scenarios []string) (Lawful, error) {
	r, err := record(ctx, n.server, o.Self, scenarios)
	if err != nil {
		return Lawful{}, fmt.Errorf("playing %s: %w", n.name, err)
	}
	told := alarms(r.report.Findings)
	l := Lawful{Name: n.name, Sentence: n.sentence, Verdict: r.report.Verdict.String(), Seconds: r.took.Seconds(), passed: passed(r.report.Findings)}
	l.Alarms = slices.DeleteFunc(slices.Clone(told), func(a Accused) bool { return a.ID == n.breaks })
	if l.Alarms == nil {
		l.Alarms = []Accused{}
	}
	idle := n.server.options.IdleUndo
	switch {
	case !n.unsure && !idle && len(r.report.LeftBehind) > 0:
		l.Trouble = "it was left behind that " + r.report.LeftBehind[0].What
	case n.unsure:
		if n.breaks == "" && r.report.Verdict != reports.Incomplete && len(l.Alarms) == 0 {
			l.Trouble = "the verdict is " + l.Verdict + ", and nobody could see what it did to its end"
		}
	case n.breaks != "" && len(l.Alarms) == len(told):
		l.Trouble = n.breaks + " does not fail, which its answers break by their shape"
	case !slices.Equal(n.left, leftOut(r.report.Scope)):
		l.Trouble = fmt.Sprintf("told as left out: %v, wanted %v", leftOut(r.report.Scope), n.left)
	case len(n.left) > 0:
		if r.report.Verdict != reports.Incomplete {
			l.Trouble = "tools are left out, and the verdict is " + l.Verdict
		}
	case len(n.unclear) > 0:
		l.Trouble = untold(n.unclear, r.report.Findings)
	case n.breaks == "" && r.report.Verdict != reports.Conformant && len(l.Alarms) == 0:
		l.Trouble = cmp.Or(r.report.VerdictLine, "the verdict is "+l.Verdict)
	}
	return l, nil
}

// leftOut gives the tools that a report tells as left out, in its order.
func leftOut(s reports.Scope) []string {
	var names []string
	for _, t := range s.Tools {
		if t.Left() {
			names = append(names, t.Name)
		}
	}
	return names
}

// untold says which of the rules that nothing can be told of was told all the same,
// or never came up; empty: none was.
func untold(rules []string, findings []conform.Finding) string {
	for _, id := range rules {
		met := false
		for _, f := range findings {
			if f.ID != id {
				continue
			}
			if f.Verdict != conform.Inconclusive && f.Verdict != conform.NotRun || f.Reason == "" {
				return fmt.Sprintf("%s on %s is %s, and nothing can be told of it", id, f.Operation, f.Verdict)
			}
			met = true
		}
		if !met {
			return id + " was not judged"
		}
	}
	return ""
}

// answer judges a recorded answer that breaks no rule.
func answer(c runner.CaseVerdict, sentence string) Lawful {
	l := Lawful{Name: c.File, Sentence: sentence, Verdict: c.Verdict, Alarms: alarms(c.Findings)}
	if l.Alarms == nil {
		l.Alarms = []Accused{}
	}
	return l
}

// passed gives the ids of the checks that passed somewhere.
func passed(findings []conform.Finding) []string {
	var all []string
	for _, f := range findings {
		if f.Verdict == conform.Pass {
			all = append(all, f.ID)
		}
	}
	return all
}
