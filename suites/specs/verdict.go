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
	lines = append(lines, listed("failed", r, func(f conform.Finding, class reports.Class) bool {
		return class == reports.ClassFail || class == reports.ClassWarning && r.Run.Strict
	})...)
	lines = append(lines, listed("not verified", r, func(f conform.Finding, class reports.Class) bool {
		return f.Level == conform.Must && class == reports.ClassNotRun ||
			(f.Level == conform.Must || f.Level == conform.None) && class == reports.ClassInconclusive
	})...)
	for _, t := range r.Scope.Tools {
		if t.Unlisted {
			lines = append(lines, fmt.Sprintf("  not tested: the tool %s looks multi-item (%s); list it under `operations` or `ignore` in the target file",
				reports.Safe(t.Name), reports.Safe(t.Because)))
		}
	}
	if r.Run.Cause != "" {
		lines = append(lines, "  the run ended early: "+reports.Safe(r.Run.Cause))
	}
	return outcome{text: strings.Join(append(lines, asides(r)...), "\n")}
}

// listed gives a line for each finding of a kind.
func listed(kind string, r reports.Report, is func(conform.Finding, reports.Class) bool) []string {
	var lines []string
	more := 0
	for _, f := range r.Findings {
		if !is(f, reports.ClassOf(f)) {
			continue
		}
		if len(lines) == mostLines {
			more++
			continue
		}
		why := cmp.Or(f.Reason, f.Got, f.Title) + hint(f)
		if f.ConsequenceOf != "" {
			why += " (follows from " + f.ConsequenceOf + ")"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s on %s: %s", kind, f.ID, cmp.Or(f.Operation, "the server"), reports.Safe(why)))
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("  %s: and %d more", kind, more))
	}
	return lines
}

// asides are told whatever the verdict is.
func asides(r reports.Report) []string {
	var lines []string
	for _, n := range r.Notes {
		lines = append(lines, "  note: "+reports.Safe(n))
	}
	for _, l := range r.LeftBehind {
		words := strings.Join(strings.Fields(l.Operation+" "+l.Item+" "+l.What), " ")
		lines = append(lines, "  left behind: "+reports.Safe(words))
	}
	return lines
}
