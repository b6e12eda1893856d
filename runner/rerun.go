package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// rerunnable says what keeps a rerun from being one: nothing was left open, or it was
// left open on another target. The error is a *UsageError.
func rerunnable(file *target.File, rerun *conform.Rerun) error {
	if rerun == nil {
		return nil
	}
	if len(rerun.Open) == 0 {
		return &UsageError{Err: fmt.Errorf("--rerun: run %s left nothing open: no rule failed, and none was inconclusive", rerun.Run), Hint: "leave --rerun out to play everything"}
	}
	var there, named []string
	for _, op := range file.Operations {
		there = append(there, op.Name)
	}
	for _, o := range rerun.Open {
		if o.Operation == "" || slices.Contains(there, o.Operation) {
			return nil
		}
		if !slices.Contains(named, o.Operation) {
			named = append(named, o.Operation)
		}
	}
	return &UsageError{Err: fmt.Errorf("--rerun: run %s left something open on %s, and the target has no such operation", rerun.Run, strings.Join(named, ", ")),
		Hint: "name the target as that run did"}
}

// became tells what became of what an earlier run left open; nil: this is no rerun.
func became(rec *conform.Recording, judged []conform.Finding, absent []conform.NotApplicable) *reports.Rerun {
	asked := rec.Header.Run.Rerun
	if asked == nil {
		return nil
	}
	out := &reports.Rerun{Run: asked.Run, Open: len(asked.Open), Outcomes: []reports.Became{}}
	for _, o := range asked.Open {
		b := reports.Became{ID: o.ID, Operation: o.Operation, Before: o.Verdict.String()}
		b.Outcome, b.What = outcome(rec, o, judged, absent)
		if b.Outcome == reports.Mended {
			out.Mended++
		}
		out.Outcomes = append(out.Outcomes, b)
	}
	for _, f := range judged {
		if f.Verdict != conform.Fail || f.Pending || f.Level < conform.Should || slices.ContainsFunc(asked.Open, func(o conform.Open) bool { return o.ID == f.ID && o.Operation == f.Operation }) {
			continue
		}
		out.Outcomes = append(out.Outcomes, reports.Became{ID: f.ID, Operation: f.Operation, Outcome: reports.New, What: cut(f.Got)})
	}
	return out
}

// outcome tells what became of one finding. What passes is mended only if all that
// showed the failure was played again.
func outcome(rec *conform.Recording, o conform.Open, judged []conform.Finding, absent []conform.NotApplicable) (is reports.Outcome, what string) {
	for _, f := range judged {
		if f.ID != o.ID || f.Operation != o.Operation {
			continue
		}
		switch f.Verdict {
		case conform.Fail:
			return reports.Failing, cut(f.Got)
		case conform.NotRun:
			return reports.Unasked, cut(f.Reason)
		case conform.Inconclusive:
			return reports.Untold, cut(f.Reason)
		}
		if missing := unplayed(rec, o); len(missing) > 0 {
			return reports.Unasked, strings.Join(missing, ", ") + ", which showed it, could not be played"
		}
		if o.Verdict == conform.Fail && o.Count < o.Of {
			return reports.Mended, fmt.Sprintf("it does not show in %s; it showed in %d of %d before", reports.Amount(f.Of, "look", "looks"), o.Count, o.Of)
		}
		return reports.Mended, ""
	}
	for _, na := range absent {
		if na.ID == o.ID && (na.Operation == o.Operation || na.Operation == "") {
			return reports.Unasked, "it has no meaning here: " + cut(na.Reason)
		}
	}
	if o.Operation != "" && rec.Operation(o.Operation) == nil {
		return reports.Unasked, "the target has no such operation"
	}
	return reports.Unasked, "it is not among what this run judges"
}

// unplayed gives the scenarios that showed a failure and were not played again.
func unplayed(rec *conform.Recording, o conform.Open) []string {
	var missing []string
	for _, name := range o.Scenarios {
		played := slices.ContainsFunc(rec.Plays, func(p conform.Play) bool {
			return p.Scenario+"/"+p.Variant == name && (o.Operation == "" || p.Operation == o.Operation)
		})
		if !played {
			missing = append(missing, name)
		}
	}
	return missing
}
