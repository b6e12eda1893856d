package selftest

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// SchemaName names the format of a selftest's report in JSON.
const SchemaName = "mcpconform.selftest/v1"

// Report is a whole selftest.
type Report struct {
	Schema    string            `json:"schema"`
	Catalogue conform.Catalogue `json:"catalogue"`
	Seconds   float64           `json:"seconds"`
	Narrowed  string            `json:"narrowed,omitempty"` // the --fault glob
	Summary   Summary           `json:"summary"`
	Faults    []Faulty          `json:"faults"`
	Good      []Lawful          `json:"good"`
	Oddities  []Lawful          `json:"oddities"`
	// Exempt are the checks that no server of this version can be made to break.
	Exempt []Exempt `json:"exempt"`
	// Ahead are faults of rules that this version does not judge; they are not
	// played.
	Ahead []string `json:"ahead"`
	// Unproven are checks that neither have a fault nor are exempt.
	Unproven []string `json:"unproven"`
	// Unshown are checks that no good and no odd server passes:
	// nothing shows that they can be kept.
	Unshown []string `json:"unshown"`
	// Stale are exempt checks that have a fault.
	Stale []string `json:"stale"`
}

// Summary counts. Faults is the sum of Caught, Missed and Misattributed. What is
// caught, and judged otherwise under other names, is misattributed: it was caught
// by its example.
type Summary struct {
	Checks        int `json:"checks"` // checks that a fault was played for
	Faults        int `json:"faults"` // plays: a fault over a transport
	Caught        int `json:"caught"`
	Missed        int `json:"missed"`
	Misattributed int `json:"misattributed"`
	FalseAlarms   int `json:"false_alarms"` // good and odd servers and answers that were accused
}

// Faulty is one fault, played over one transport.
type Faulty struct {
	Fault     string                `json:"fault"`
	Check     string                `json:"check"`
	Level     conform.Level         `json:"level"`
	Sentence  string                `json:"sentence"`
	Transport fakebackend.Transport `json:"transport"`
	Word      Word                  `json:"outcome"`
	// Caught are the accusations of the fault's own check.
	Caught []Accused `json:"caught"`
	// Consequences are the other rules that cannot hold then.
	Consequences []string `json:"consequences"`
	// Blamed are rules that were accused without cause.
	Blamed []Accused `json:"blamed"`
	// Instead is what a check says that misses its fault.
	Instead string `json:"instead,omitempty"`
	// Rejudged is empty where the transcript alone gave the same findings; else
	// what was different.
	Rejudged string  `json:"rejudged,omitempty"`
	Seconds  float64 `json:"seconds"`
}

// Lawful is a server or an answer that breaks no rule.
type Lawful struct {
	Name     string    `json:"name"`
	Sentence string    `json:"sentence,omitempty"`
	Verdict  string    `json:"verdict"`
	Alarms   []Accused `json:"alarms"`
	// Trouble is why it was not found conformant although nothing was accused.
	Trouble string  `json:"trouble,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`

	passed []string // the checks that it passes
}

// FalseAlarm tells whether a lawful thing was accused, or could not be judged.
func (l Lawful) FalseAlarm() bool { return len(l.Alarms) > 0 || l.Trouble != "" }

// Exempt is a check that no server of this version can be made to break.
type Exempt struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Holds tells whether everything was caught, nothing else accused, and no check
// left without a proof.
func (r Report) Holds() bool {
	s := r.Summary
	return s.Faults > 0 && s.Missed == 0 && s.Misattributed == 0 && s.FalseAlarms == 0 && len(r.Unproven) == 0 && len(r.Unshown) == 0 && len(r.Stale) == 0
}

// Line is the report in a line.
func (r Report) Line() string {
	s := r.Summary
	return fmt.Sprintf("%d checks, %d faults, %d caught, %d missed, %d misattributed, %d false alarms",
		s.Checks, s.Faults, s.Caught, s.Missed, s.Misattributed, s.FalseAlarms)
}

// unshown gives the checks that nothing lawful passes.
func unshown(checks []conform.Check, exempt []Exempt, lawful ...[]Lawful) []string {
	passed := map[string]bool{}
	for _, list := range lawful {
		for _, l := range list {
			for _, id := range l.passed {
				passed[id] = true
			}
		}
	}
	without := []string{}
	for _, c := range checks {
		if !passed[c.ID] && !slices.ContainsFunc(exempt, func(e Exempt) bool { return e.ID == c.ID }) {
			without = append(without, c.ID)
		}
	}
	return without
}

// sum counts.
func (r *Report) sum() {
	s := Summary{Faults: len(r.Faults)}
	checks := map[string]bool{}
	for _, f := range r.Faults {
		checks[f.Check] = true
		switch {
		case f.Word == Misattributed, f.Word == Caught && f.Rejudged != "":
			s.Misattributed++
		case f.Word == Caught:
			s.Caught++
		default:
			s.Missed++
		}
	}
	s.Checks = len(checks)
	for _, list := range [][]Lawful{r.Good, r.Oddities} {
		for _, l := range list {
			if l.FalseAlarm() {
				s.FalseAlarms++
			}
		}
	}
	r.Summary = s
}
