package reports

import "github.com/mcpconform/mcpconform/conform"

// Class is how a finding counts.
type Class uint8

// The classes. Each finding is of exactly one.
const (
	ClassInconclusive Class = iota
	ClassPass
	ClassFail    // a MUST that failed
	ClassWarning // a SHOULD that failed
	ClassAdvice  // a MAY that failed
	ClassNotRun
	ClassPending // of a check newer than the catalogue set in use: no influence
)

// ClassOf tells how a finding counts. A failed rule without a level (SCOPE-*)
// only leaves the run incomplete, so it counts as inconclusive. A consequence
// counts like its root.
func ClassOf(f conform.Finding) Class {
	switch {
	case f.Pending:
		return ClassPending
	case f.Verdict == conform.Pass:
		return ClassPass
	case f.Verdict == conform.NotRun:
		return ClassNotRun
	case f.Verdict != conform.Fail || f.Level == conform.None:
		return ClassInconclusive
	case f.Level == conform.Must:
		return ClassFail
	case f.Level == conform.Should:
		return ClassWarning
	}
	return ClassAdvice
}

// Breaks tells whether a finding makes a run nonconformant: a MUST that failed, under
// strict a SHOULD too.
func Breaks(f conform.Finding, strict bool) bool {
	class := ClassOf(f)
	return class == ClassFail || class == ClassWarning && strict
}

// Unverified tells whether a finding leaves a run incomplete: a MUST that could not be
// verified, or a rule without a level that did not hold.
func Unverified(f conform.Finding) bool {
	class := ClassOf(f)
	return class == ClassInconclusive && f.Level == conform.None ||
		f.Level == conform.Must && (class == ClassInconclusive || class == ClassNotRun)
}

// Summary counts findings by class. The counts sum to the number of findings.
type Summary struct {
	Pass         int `json:"pass"`
	Fail         int `json:"fail"`
	Warning      int `json:"warning"`
	Advice       int `json:"advice"`
	Inconclusive int `json:"inconclusive"`
	NotRun       int `json:"not_run"`
	Pending      int `json:"pending"`
}

// Summarise counts findings.
func Summarise(findings []conform.Finding) Summary {
	var s Summary
	for _, f := range findings {
		switch ClassOf(f) {
		case ClassPass:
			s.Pass++
		case ClassFail:
			s.Fail++
		case ClassWarning:
			s.Warning++
		case ClassAdvice:
			s.Advice++
		case ClassNotRun:
			s.NotRun++
		case ClassPending:
			s.Pending++
		default:
			s.Inconclusive++
		}
	}
	return s
}
