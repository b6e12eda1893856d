package suites

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// unasked says why a check had nothing to look at: a scenario that was not
// played, a run that ended early, or else what the check itself says it lacked.
// What kept a planned play back comes before what was never planned; that a play
// would have been no other than another one comes last, since it says nothing of
// that one.
func unasked(j judged, check conform.Check, s *conform.Subject) (judged, *conform.NotApplicable) {
	var absent, lacking, narrowed *conform.Skipped
	for i := range s.Recording.Skips {
		skip := &s.Recording.Skips[i]
		if skip.Operation != "" && j.Operation != "" && skip.Operation != j.Operation || !slices.Contains(skip.Checks, check.ID) {
			continue
		}
		switch {
		case skip.Narrowed:
			if narrowed == nil {
				narrowed = skip
			}
		case skip.NotApplicable && absent == nil && !wasPlayed(s, check.ID):
			absent = skip
		case !skip.NotApplicable && (lacking == nil || nearness(skip) > nearness(lacking)):
			lacking = skip
		}
	}
	j.Verdict = conform.NotRun
	switch ended := s.Recording.Ended; {
	case lacking != nil:
		j.Reason, j.Scenario = lacking.Reason, lacking.Scenario
		switch {
		case lacking.Wrong:
			j.Hint = "correct `" + lacking.Key + "` in the target file"
		case lacking.Key != "":
			j.Hint = "add `" + lacking.Key + "` to the target file"
		}
	case narrowed != nil:
		j.Reason, j.Scenario, j.Narrowed = narrowed.Reason, narrowed.Scenario, true
	case absent != nil:
		return judged{}, &conform.NotApplicable{ID: check.ID, Operation: j.Operation, Reason: absent.Reason}
	case ended == nil:
		j.Reason = "the recording was cut off before this was asked"
	case ended.Cause != "":
		j.Reason = ended.Cause
	default:
		j.Reason = check.Missing
	}
	return j, nil
}

// nearness ranks why a check had nothing to look at: the nearest cause is told.
func nearness(skip *conform.Skipped) int {
	switch {
	case skip.Planned:
		return 2
	case skip.As == "":
		return 1
	}
	return 0
}

// wasPlayed tells whether some play on the subject's operation fed the check.
func wasPlayed(s *conform.Subject, check string) bool {
	for _, p := range s.Recording.Plays {
		if (s.Operation == nil || p.Operation == s.Operation.Name) && slices.Contains(p.Checks, check) {
			return true
		}
	}
	return false
}
