package specs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// mostLines bounds how many rules the verdict's message lists of a kind.
const mostLines = 40

// verdictOf is the outcome of the spec "verdict": green for a conformant run only.
func verdictOf(r reports.Report) outcome {
	line := reports.Safe(cmp.Or(r.VerdictLine, r.Verdict.String()))
	if r.Verdict == reports.Conformant {
		return outcome{state: passed, entry: "verdict", body: strings.Join(append([]string{line}, asides(r)...), "\n"), shown: true}
	}
	lines := []string{line}
	lines = append(lines, listed("failed", r, func(_ conform.Finding, class reports.Class) bool {
		return class == reports.ClassFail || class == reports.ClassWarning && r.Run.Strict
	})...)
	lines = append(lines, listed("not verified", r, func(f conform.Finding, class reports.Class) bool {
		return f.Level == conform.Must && class == reports.ClassNotRun ||
			(f.Level == conform.Must || f.Level == conform.None) && class == reports.ClassInconclusive
	})...)
	for _, t := range r.Scope.Tools {
		if t.Left() {
			lines = append(lines, fmt.Sprintf("  not tested: the tool %s looks multi-item (%s); list it under `operations` or `ignore` in the target file",
				reports.Shown(t.Name), reports.Shown(t.Because)))
		}
	}
	if r.Run.Cause != "" {
		lines = append(lines, "  the run ended early: "+reports.Shown(r.Run.Cause))
	}
	return outcome{text: strings.Join(append(lines, asides(r)...), "\n")}
}

// listed gives a line for each reason of a kind, with the operations and the rules
// it is told of.
func listed(kind string, r reports.Report, is func(conform.Finding, reports.Class) bool) []string {
	operations := newGrouping() // by rule and reason
	for _, f := range r.Findings {
		if is(f, reports.ClassOf(f)) {
			operations.add([2]string{f.ID, why(f)}, cmp.Or(f.Operation, "the server"))
		}
	}
	rules := newGrouping() // by operations and reason
	for _, k := range operations.keys {
		rules.add([2]string{operations.of(k), k[1]}, k[0])
	}
	var lines []string
	for i, k := range rules.keys {
		if i == mostLines {
			lines = append(lines, fmt.Sprintf("  %s: and %d more", kind, len(rules.keys)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("  %s: %s on %s: %s", kind, rules.of(k), k[0], reports.Shown(k[1])))
	}
	return lines
}

// why is what decided a finding, in a line.
func why(f conform.Finding) string {
	line := cmp.Or(f.Reason, f.Got, f.Title)
	if f.Verdict == conform.NotRun {
		line += hint(f) // the key of the target file that would make it run
	}
	if f.ConsequenceOf != "" {
		line += " (follows from " + f.ConsequenceOf + ")"
	}
	return line
}

// grouping holds words by key, both in the order in which they came.
type grouping struct {
	keys  [][2]string
	words map[[2]string][]string
}

func newGrouping() *grouping { return &grouping{words: map[[2]string][]string{}} }

func (g *grouping) add(key [2]string, word string) {
	if g.words[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.words[key] = append(g.words[key], word)
}

func (g *grouping) of(key [2]string) string { return strings.Join(g.words[key], ", ") }

// asides are told whatever the verdict is.
func asides(r reports.Report) []string {
	var lines []string
	for _, n := range r.Notes {
		lines = append(lines, "  note: "+reports.Shown(n))
	}
	for _, l := range reports.LeftLines(r.LeftBehind) {
		words := strings.Join(strings.Fields(l.Operation+": "+l.What), " ")
		lines = append(lines, "  left behind: "+reports.Shown(words))
	}
	return lines
}
