package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// summary is the comparison in one line.
func (r *Report) summary() string {
	count := map[string]int{}
	for _, c := range r.Comparisons {
		count[c.word()]++
	}
	differences := count[string(TheirsIsWrong)] + count[string(Ambiguous)] + count[untriaged]
	return fmt.Sprintf("%d servers, %d comparisons: %d agree, %d not comparable, %d differ (theirs %d, ambiguous %d, untriaged %d); %s",
		len(r.Heard), len(r.Comparisons), count[agreed], count[silent], differences,
		count[string(TheirsIsWrong)], count[string(Ambiguous)], count[untriaged], amount(len(r.Problems), "problem"))
}

func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// The words on a comparison, besides its triage.
const (
	agreed    = "agree"
	silent    = "not comparable" // nobody accuses, and not both passed it
	untriaged = "untriaged"
)

func (c Comparison) word() string {
	switch {
	case c.Differs() && c.Triage == "":
		return untriaged
	case c.Differs():
		return string(c.Triage)
	case c.Theirs == c.Ours:
		return agreed
	}
	return silent
}

// markdown gives the report as a document. It holds nothing that differs from run
// to run.
func (r *Report) markdown() []byte {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# Calibration\n")
	p("The official conformance suite of MCP (`%s`) and our protocol checks, on the same servers.", r.Suite)
	p("This file is made by `go run ./internal/tools/calibrate -o docs/calibration.md`; with `-check` the command fails where the file is not what it would write.")
	p("The suite is a witness, not a judge: where the two differ, the triage says who is right by the words of the specification.\n")
	p("%s.\n", r.summary())
	r.explained(p)
	r.table(p)
	r.differences(p)
	r.theirsAlone(p)
	r.oursAlone(p)
	return b.Bytes()
}

type printer = func(format string, args ...any)

func (r *Report) explained(p printer) {
	p("## What is compared\n")
	p("A difference is where exactly one side accuses the server. `not verified` is never a pass: a check that was skipped, that is absent, or that")
	p("the suite calls not testable. `wire-schema-valid` counts for nothing, because it is a success too where nothing was received.\n")
	p("| rule | what it says | the suite's checks | ours |\n|---|---|---|---|")
	for _, rule := range r.rules.Rules {
		var theirs []string
		for _, revision := range r.rules.revisions() {
			for _, c := range rule.Theirs[revision] {
				if name := "`" + c + "`"; !slices.Contains(theirs, name) {
					theirs = append(theirs, name)
				}
			}
		}
		p("| %s | %s | %s | %s |", rule.Name, cell(rule.Sentence), strings.Join(theirs, ", "), strings.Join(rule.Ours, ", "))
	}
	p("")
}

func (r *Report) table(p printer) {
	p("## Verdicts, per server and rule\n")
	p("The suite's verdict, then ours: ✓ pass, ✗ fail, ? not verified, – not applicable. A difference has its triage beside it.\n")
	head, line := "| server | revision |", "|---|---|"
	for _, rule := range r.rules.Rules {
		head, line = head+" "+rule.Name+" |", line+"---|"
	}
	p("%s\n%s", head, line)
	for _, h := range r.Heard {
		if h.Server.Kind == Closed || h.Server.unasked {
			continue
		}
		row := fmt.Sprintf("| %s | %s |", h.Server.Name, h.Server.Revision)
		for _, rule := range r.rules.Rules {
			row += " "
			if c := r.find(h.Server, rule.Name); c != nil {
				row += signs[c.Theirs] + signs[c.Ours]
				if c.Differs() {
					row += " " + c.word()
				}
				row += " "
			}
			row += "|"
		}
		p("%s", row)
	}
	p("\nThe servers named after a rule are the fake backend with that fault (`mcpconform fakebackend --list-faults`). `everywhere/…` break a rule in every")
	p("response, so that both sides meet it:\n")
	for _, f := range allFronts() {
		p("- `everywhere/%s`: %s Our rule is %s.", f.name, f.sentence, f.breaks)
	}
	p("\nA port that nobody listens on is judged too: no rule passes there, on either side.\n")
}

var signs = map[Verdict]string{Pass: "✓", Fail: "✗", Unverified: "?", Inapplicable: "–"}

func (r *Report) find(s Server, rule string) *Comparison {
	for i, c := range r.Comparisons {
		if c.Server == s.Name && c.Revision == s.Revision && c.Rule == rule {
			return &r.Comparisons[i]
		}
	}
	return nil
}

func (r *Report) differences(p printer) {
	p("## Differences and their triage\n")
	p("| rule | servers | the suite | ours | triage | why | source |\n|---|---|---|---|---|---|---|")
	type key struct {
		rule, reason, source string
		theirs, ours         Verdict
		triage               string
	}
	var keys []key
	servers := map[key][]string{}
	for _, c := range r.Comparisons {
		if !c.Differs() {
			continue
		}
		k := key{c.Rule, c.Reason, c.Source, c.Theirs, c.Ours, c.word()}
		if servers[k] == nil {
			keys = append(keys, k)
		}
		servers[k] = append(servers[k], c.Server+" at "+c.Revision)
	}
	for _, k := range keys {
		p("| %s | %s | %s | %s | %s | %s | %s |", k.rule, strings.Join(servers[k], ", "), k.theirs, k.ours, k.triage, cell(k.reason), cell(k.source))
	}
	p("")
}

func (r *Report) theirsAlone(p printer) {
	p("## Checks that only the suite has\n")
	p("With what it says of the good and the foreign servers, where that is not a pass.\n")
	p("| check | not a pass on | why we have no such rule |\n|---|---|---|")
	for _, only := range r.rules.OnlyTheirs {
		for _, c := range only.Checks {
			var not []string
			for _, h := range r.Heard {
				if h.Server.Kind != Good && h.Server.Kind != Foreign || !slices.Contains(r.rules.onlyTheirs(h.Server.Revision), c) {
					continue
				}
				if v := h.theirs([]string{c}); v != Pass {
					not = append(not, fmt.Sprintf("%s at %s: %s", h.Server.Name, h.Server.Revision, v))
				}
			}
			p("| `%s` | %s | %s |", c, strings.Join(not, "; "), cell(only.Because))
		}
	}
	p("")
}

func (r *Report) oursAlone(p printer) {
	p("## Rules that only we have\n")
	p("With the servers that we accuse by them.\n")
	p("| rule | fails on | why the suite says nothing |\n|---|---|---|")
	for _, only := range r.rules.OnlyOurs {
		for _, id := range only.IDs {
			failed := map[string]bool{}
			for _, h := range r.Heard {
				if h.Ours[id] == Fail {
					failed[h.Server.Name] = true
				}
			}
			p("| %s | %s | %s |", id, strings.Join(slices.Sorted(maps.Keys(failed)), ", "), cell(only.Because))
		}
	}
}

// cell makes a text fit for a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
