package reports

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// Outcome is what became of a finding that an earlier run left open.
type Outcome string

// The outcomes of a rerun.
const (
	Mended  Outcome = "mended"       // it was asked again, and holds
	Failing Outcome = "fails"        // it was asked again, and does not hold
	Untold  Outcome = "inconclusive" // it was asked again, and could not be told
	Unasked Outcome = "not-asked"    // it could not be asked again
	New     Outcome = "new"          // it fails, and did not before
)

// Rerun is what became of what an earlier run left open. A run with it is never
// conformant: what held before was not asked again.
type Rerun struct {
	Run      string   `json:"run"` // the id of the earlier run
	Open     int      `json:"open"`
	Mended   int      `json:"mended"`
	Outcomes []Became `json:"outcomes"` // of what was open, in its order; then what is new
}

// Became is the outcome of one finding.
type Became struct {
	ID        string  `json:"id"`
	Operation string  `json:"operation,omitempty"`
	Before    string  `json:"before,omitempty"` // "fail", "inconclusive"; empty: it is new
	Outcome   Outcome `json:"outcome"`
	What      string  `json:"what,omitempty"` // more of it, in words
}

// Opened gives what a report left open: the MUST and SHOULD rules that failed or were
// inconclusive, and of a rerun what could not be asked again. What was not run, counts
// neither way, or is advice, is not among it.
func Opened(r Report) conform.Rerun {
	again := conform.Rerun{Run: r.Run.ID, Open: []conform.Open{}}
	for _, f := range r.Findings {
		if f.Narrowed || f.Pending || f.Level < conform.Should {
			continue
		}
		open := conform.Open{ID: f.ID, Operation: f.Operation, Verdict: f.Verdict}
		switch f.Verdict {
		case conform.Fail:
			open.Count, open.Of = f.Count, f.Of
			if open.Scenarios = slices.Clone(f.Scenarios); len(open.Scenarios) == 0 && f.Scenario != "" {
				open.Scenarios = []string{f.Scenario}
			}
		case conform.Inconclusive:
		default:
			continue
		}
		again.Open = append(again.Open, open)
	}
	if r.Rerun == nil {
		return again
	}
	// What a rerun could not ask again is as open as before.
	for _, b := range r.Rerun.Outcomes {
		if b.Outcome != Unasked || slices.ContainsFunc(again.Open, func(o conform.Open) bool { return o.ID == b.ID && o.Operation == b.Operation }) {
			continue
		}
		open := conform.Open{ID: b.ID, Operation: b.Operation, Verdict: conform.Inconclusive}
		if b.Before == conform.Fail.String() {
			open.Verdict = conform.Fail
		}
		again.Open = append(again.Open, open)
	}
	return again
}

// String says how much is mended.
func (r *Rerun) String() string {
	line := fmt.Sprintf("%d of the %d findings that run %s left open %s mended", r.Mended, r.Open, name(r.Run), verb(r.Mended, "is", "are"))
	switch {
	case r.Open > 1 && r.Mended == r.Open:
		line = fmt.Sprintf("all %d findings that run %s left open are mended", r.Open, name(r.Run))
	case r.Open > 1 && r.Mended == 0:
		line = fmt.Sprintf("none of the %d findings that run %s left open is mended", r.Open, name(r.Run))
	case r.Open == 1:
		line = fmt.Sprintf("the finding that run %s left open is %s", name(r.Run), map[int]string{0: "not mended", 1: "mended"}[r.Mended])
	}
	if n := r.count(New); n > 0 {
		line += fmt.Sprintf(", and %d %s that did not before", n, verb(n, "fails", "fail"))
	}
	return line
}

func (r *Rerun) count(outcome Outcome) int {
	n := 0
	for _, b := range r.Outcomes {
		if b.Outcome == outcome {
			n++
		}
	}
	return n
}

// rerun writes what became of each finding that was open, a line each.
func (p *page) rerun(r Report) {
	if r.Rerun == nil {
		return
	}
	_, look := r.Verdict.mark()
	p.heading(look, "ASKED AGAIN, OF RUN "+name(r.Rerun.Run))
	for _, b := range r.Rerun.Outcomes {
		sign, look := b.Outcome.mark()
		p.entry(look, sign, b.ID, join(" ", b.words(), bracket(b.Operation)))
	}
}

func (o Outcome) mark() (sign string, look paint) {
	switch o {
	case Mended:
		return ClassPass.mark()
	case Failing, New:
		return ClassFail.mark()
	}
	return "?", dim
}

// words says in a line what became of a finding.
func (b Became) words() string {
	text := map[Outcome]string{
		Mended: "mended", Failing: "fails still", Untold: "cannot be told", Unasked: "could not be asked again", New: "fails, and did not before",
	}[b.Outcome]
	if b.Before == conform.Inconclusive.String() {
		switch b.Outcome {
		case Mended:
			text = "could not be told before, and holds"
		case Failing:
			text = "could not be told before, and fails"
		case Untold:
			text = "cannot be told still"
		}
	}
	if b.What != "" {
		text += ": " + b.What
	}
	return text
}
