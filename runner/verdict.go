package runner

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// decide gives the run's verdict (design section 3): nonconformant if a MUST
// failed (with --strict a SHOULD); else incomplete if a MUST that applies was
// not verified, if no check applied, or if a tool that looks multi-item is
// neither listed nor ignored; else conformant.
// A run on guessed operations, or of what an earlier one left open, is never conformant.
func decide(r *reports.Report, operations int, guessed bool) {
	passed, verified := 0, true
	for _, f := range r.Findings {
		switch {
		case f.Narrowed: // whoever narrowed the run knows; the verdict line says of what it speaks
		case reports.Breaks(f, r.Run.Strict):
			r.Verdict = reports.Nonconformant
		case f.Level == conform.Must && reports.ClassOf(f) == reports.ClassPass:
			passed++
		case reports.Unverified(f):
			verified = false
		}
	}
	for _, t := range r.Scope.Tools {
		verified = verified && !t.Left()
	}
	if r.Run.Ended == conform.EndUnreachable {
		r.Verdict = reports.Incomplete // nothing can rest on what never answered
	}
	if r.Verdict != reports.Nonconformant {
		r.Verdict = reports.Incomplete
		if passed > 0 && verified && !guessed && r.Rerun == nil && r.Run.Ended == conform.EndDone && !r.Run.Partial {
			r.Verdict = reports.Conformant
		}
	}
	r.VerdictLine = reports.VerdictLine(reports.VerdictInput{
		Verdict: r.Verdict, Builtin: r.Target.Builtin, Earned: earned(r.Findings), Scope: r.Scope, Findings: r.Findings, NoOperations: operations == 0, Guessed: guessed,
		Narrowed: r.Run.Narrowed, Rerun: r.Rerun, Strict: r.Run.Strict, Ended: r.Run.Ended, Cause: r.Run.Cause,
	})
}

// earned gives the groups of which a MUST was judged and every MUST passed.
func earned(findings []conform.Finding) []conform.Group {
	passed, spoilt := map[conform.Group]bool{}, map[conform.Group]bool{}
	for _, f := range findings {
		if f.Level != conform.Must || f.Narrowed || f.Pending {
			continue
		}
		if f.Verdict == conform.Pass {
			passed[f.Group] = true
		} else {
			spoilt[f.Group] = true
		}
	}
	var list []conform.Group
	for _, g := range conform.Groups() {
		if passed[g] && !spoilt[g] {
			list = append(list, g)
		}
	}
	return list
}
