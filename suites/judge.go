package suites

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// Judgement is what the checks say of a recording.
type Judgement struct {
	Findings      []conform.Finding
	NotApplicable []conform.NotApplicable
	// Wrong are the calls that a failed MUST names, by id.
	Wrong map[string]bool
}

// judged is a finding with the looks that decided it.
type judged struct {
	conform.Finding
	looks []conform.Look // the failing ones
}

// Judge judges a recording: every check once per operation of the target, or
// once for the server. It is a pure function: the same recording and checks give
// the same judgement, whether the run has just ended or ended last year.
func Judge(rec *conform.Recording, checks []conform.Check) Judgement {
	multiitem.Doubt(rec)
	var all []judged
	var absent []conform.NotApplicable
	for _, check := range checks {
		for _, subject := range subjects(rec, check) {
			if reason := inapplicable(check, subject); reason != "" {
				absent = append(absent, conform.NotApplicable{ID: check.ID, Operation: name(subject), Reason: reason})
				continue
			}
			j, na := one(check, subject)
			if na != nil {
				absent = append(absent, *na)
				continue
			}
			all = append(all, j)
		}
	}
	fold(all)
	out := Judgement{Findings: make([]conform.Finding, len(all)), NotApplicable: absent, Wrong: map[string]bool{}}
	for i := range all {
		for _, look := range all[i].looks {
			if all[i].Level == conform.Must && !all[i].Pending && look.Call != nil && !look.Shape && !onlyShape(rec, all[i].Finding) {
				out.Wrong[look.Call.ID] = true
			}
		}
		all[i].Reproduce = reproduce(rec.Header, all[i].Finding)
		out.Findings[i] = all[i].Finding
	}
	return out
}

// onlyShape tells a finding about the shape of answers whose shape the target
// file maps: such a server is nonconformant, and still worth measuring.
func onlyShape(rec *conform.Recording, f conform.Finding) bool {
	op := rec.Operation(f.Operation)
	return op != nil && op.Results.Mapped() && (f.Group == conform.GroupCore || f.Group == conform.GroupReadOnly)
}

func name(s *conform.Subject) string {
	if s.Operation == nil {
		return ""
	}
	return s.Operation.Name
}

// subjects gives what a check is asked about.
func subjects(rec *conform.Recording, check conform.Check) []*conform.Subject {
	operations := rec.Header.Target.Operations
	answered := func(calls []*conform.Call) []*conform.Call {
		return slices.DeleteFunc(slices.Clone(calls), rec.MadeAgain)
	}
	if check.PerServer || len(operations) == 0 {
		return []*conform.Subject{{Recording: rec, Calls: answered(rec.Calls)}}
	}
	var all []*conform.Subject
	for i := range operations {
		op := &operations[i]
		if !chosen(rec.Header.Run.Operations, op.Name) {
			continue
		}
		all = append(all, &conform.Subject{Recording: rec, Operation: op, Calls: answered(rec.Of(op.Name))})
	}
	return all
}

func chosen(globs []string, name string) bool { return len(globs) == 0 || anyMatch(globs, name) }

// inapplicable asks the check whether it has a meaning here. Without a target
// file no operation is known, and only rules about the server can be asked.
func inapplicable(check conform.Check, s *conform.Subject) string {
	if check.Applies == nil || (!check.PerServer && s.Operation == nil) {
		return ""
	}
	return check.Applies(s)
}

// NoOperations is the reason of every rule about operations where no target file
// names any.
const NoOperations = "no target file names the server's multi-item operations"

// one judges one check on one subject.
func one(check conform.Check, s *conform.Subject) (judged, *conform.NotApplicable) {
	j := judged{Finding: conform.Finding{
		ID: check.ID, Level: LevelOn(check, s.Recording.Header, s.Operation), Basis: check.Basis, Group: check.Group, Title: check.Title, Impact: check.Impact,
		Operation: name(s), Source: check.Source, Evidence: []conform.Evidence{}, Pending: check.Pending,
	}}
	if !check.PerServer && s.Operation == nil {
		j.Verdict, j.Reason = conform.NotRun, NoOperations
		return j, nil
	}
	if ended := s.Recording.Ended; ended != nil && ended.Class == conform.EndUnreachable {
		// What never spoke the protocol is no server that broke a rule of it.
		j.Verdict, j.Reason = conform.NotRun, ended.Cause
		return j, nil
	}
	count := tally(check.Judge(s))
	gone := departed(s.Recording)
	left := gone != nil && check.ID != tellsTheEnd && gone.without(&count, check.Whole)
	switch {
	case len(count.failed) > 0:
		j.fail(check, count)
	case len(count.keyless) > 0:
		first := count.keyless[0]
		j.Verdict, j.Reason, j.Hint = conform.NotRun, first.Reason, "add `"+first.Key+"` to the target file"
		if first.Hint != "" {
			j.Hint = first.Hint
		}
		j.Evidence = append(j.Evidence, first.Evidence...)
	case len(count.unclear) > 0 && (check.Whole || count.passed == 0):
		first := count.unclear[0]
		j.Verdict, j.Count, j.Of = conform.Inconclusive, len(count.unclear), count.passed+len(count.unclear)
		j.Reason, j.Scenario, j.Hint = first.Reason, scenario(first), first.Hint
		j.Evidence = append(j.Evidence, first.Evidence...)
	case left:
		j.Verdict, j.Reason = conform.NotRun, gone.cause
	case count.passed > 0:
		j.Verdict, j.Count, j.Of = conform.Pass, count.passed, count.passed
		if n := len(count.unclear); n > 0 {
			j.Reason = fmt.Sprintf("%d more could not be observed: %s", n, count.unclear[0].Reason)
		}
	case len(count.blind) > 0:
		j.Verdict, j.Reason, j.Hint = conform.NotRun, count.blind[0].Reason, count.blind[0].Hint
	default:
		return unasked(j, check, s)
	}
	return j, nil
}

func scenario(look conform.Look) string {
	if look.Call == nil || look.Call.Planned.Scenario == "" {
		return ""
	}
	if look.Call.Planned.Variant == "" {
		return look.Call.Planned.Scenario
	}
	return look.Call.Planned.Scenario + "/" + look.Call.Planned.Variant
}
