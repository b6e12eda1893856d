package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
)

// DecideLoad gives a load run's verdict and its line: nonconformant where an answer
// was wrong, incomplete where something could not be told, else conformant, which
// here says no more than that every answer under load was right.
func DecideLoad(r *Report) {
	c := countLoad(r.Performance)
	for _, o := range r.Load.Objectives {
		if o.Verdict == objective.Broken {
			c.broken++
		}
	}
	doubts := loadDoubts(r, c)
	switch {
	case r.Run.Ended == conform.EndUnreachable:
		r.Verdict = Incomplete
		r.VerdictLine = "incomplete: the target could not be reached" + after(r.Run.Cause)
	case r.Run.Ended == conform.EndUnauthorized:
		r.Verdict = Incomplete
		r.VerdictLine = "incomplete: the target refused the credentials" + after(r.Run.Cause)
	case c.wrong > 0:
		r.Verdict = Nonconformant
		low, high := measure.ShareInterval(c.wrong, c.judged())
		r.VerdictLine = fmt.Sprintf("nonconformant under load: %s of %s answers were wrong (%s; 95 %% interval %s to %s)", thousands(c.wrong), thousands(c.judged()),
			share(float64(c.wrong)/float64(c.judged())), share(low), share(high))
		if broken := brokenRules(r.Findings); broken != "" {
			r.VerdictLine += ": " + broken
		}
	case c.broken > 0:
		r.Verdict = Nonconformant
		r.VerdictLine = fmt.Sprintf("nonconformant: %s of %s broken: %s", thousands(c.broken), Amount(len(r.Load.Objectives), "objective is", "objectives are"), brokenObjectives(r.Load.Objectives))
	case len(doubts) > 0:
		r.Verdict = Incomplete
		r.VerdictLine = "incomplete: no answer was wrong, but " + strings.Join(doubts, "; ")
	default:
		r.Verdict = Conformant
		r.VerdictLine = fmt.Sprintf("every answer was right: %s with %s", Amount(c.ok, "call", "calls"), Amount(c.items, "item", "items"))
		if n := len(r.Load.Objectives); n > 0 {
			r.VerdictLine += "; " + verb(n, "the objective holds", fmt.Sprintf("all %d objectives hold", n))
		}
		if c.failed > 0 {
			r.VerdictLine += fmt.Sprintf("; %s failed", Amount(c.failed, "call", "calls"))
		}
	}
	if r.Target.Builtin {
		r.VerdictLine += " (the built-in demonstration backend, not your server)"
	}
	r.VerdictLine = Safe(r.VerdictLine)
}

// loadCount is what came of all calls of a load run.
type loadCount struct{ ok, failed, wrong, unjudged, items, broken int }

func countLoad(rows []Performance) loadCount {
	var c loadCount
	for _, row := range rows {
		if row.Loaded != nil && row.Loaded.Mix != "" {
			continue // the mix as a whole has a row too
		}
		c.ok += row.OK
		c.failed += row.Failed
		c.wrong += row.Wrong
		c.items += row.Items
		if row.Loaded != nil {
			c.unjudged += row.Loaded.Unjudged
		}
	}
	return c
}

func (c loadCount) judged() int { return c.ok + c.wrong }

// loadDoubts says what a load run cannot tell.
func loadDoubts(r *Report, c loadCount) []string {
	var doubts []string
	add := func(n int, one, many string) {
		if n > 0 {
			doubts = append(doubts, fmt.Sprintf("%s of %s %s", thousands(n), Amount(len(r.Performance), "cell", "cells"), verb(n, one, many)))
		}
	}
	if r.Run.Cause != "" {
		doubts = append(doubts, r.Run.Cause)
	}
	if len(r.Performance) == 0 {
		doubts = append(doubts, "nothing was measured")
	}
	silent, early, limited, unjudged, failing := 0, 0, 0, 0, 0
	for _, row := range r.Performance {
		switch {
		case row.Generator != nil && !row.Generator.Valid:
			limited++
		case row.Loaded != nil && row.Loaded.Unjudged > 0 && row.OK == 0:
			unjudged++
		case slices.Contains(row.Warnings, measure.NoneBegan):
			early++
		case row.OK == 0:
			silent++
		case row.Failed > row.OK+row.Wrong:
			failing++
		}
	}
	open := 0
	for _, o := range r.Load.Objectives {
		if o.Verdict == objective.CannotTell {
			open++
		}
	}
	if open > 0 {
		doubts = append(doubts, fmt.Sprintf("%s of %s cannot be told", thousands(open), Amount(len(r.Load.Objectives), "objective", "objectives")))
	}
	add(limited, "is mcpconform's own limit, and not the server's", "are mcpconform's own limit, and not the server's")
	add(unjudged, "has answers of a shape that nobody knows (results in the target file says where rows are)", "have answers of a shape that nobody knows (results in the target file says where rows are)")
	add(failing, "has more calls that failed than answers", "have more calls that failed than answers")
	add(early, "is shorter than its calls (--duration)", "are shorter than their calls (--duration)")
	add(silent, "has no answer that is no failure", "have no answer that is no failure")
	return doubts
}

// brokenObjectives names the first broken ones.
func brokenObjectives(all []Objective) string {
	var broken []string
	for _, o := range all {
		if o.Verdict == objective.Broken {
			broken = append(broken, fmt.Sprintf("%s on %s with %s (%s)", o.Condition, o.Operation, Amount(o.BatchSize, "item", "items"), o.Got))
		}
	}
	const most = 3
	rest := ""
	if n := len(broken) - most; n > 0 {
		rest = fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(broken[:min(len(broken), most)], "; ") + rest
}

func brokenRules(findings []conform.Finding) string {
	var ids []string
	for _, f := range findings {
		if ClassOf(f) == ClassFail && !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return strings.Join(ids[:min(len(ids), mostIDs)], ", ")
}

// share writes a part of a whole.
func share(of float64) string {
	v := 100 * of
	return decimal(&v) + " %"
}
