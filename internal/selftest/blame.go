package selftest

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// Word is what became of a fault.
type Word string

// The words. Each fault gets exactly one.
const (
	Caught        Word = "caught"        // its own check fails, and nothing else is accused
	Missed        Word = "missed"        // its own check does not fail
	Misattributed Word = "misattributed" // its own check fails, and so do others without cause
)

// Accused is a failing finding, as far as a selftest looks at it.
type Accused struct {
	ID        string        `json:"id"`
	Level     conform.Level `json:"level"`
	Operation string        `json:"operation,omitempty"`
	Got       string        `json:"got,omitempty"`
	Scenario  string        `json:"scenario,omitempty"`
}

func (a Accused) place() [2]string { return [2]string{a.ID, a.Operation} }

// blame is how the failing findings of one run divide.
type blame struct {
	word    Word
	own     []Accused // of the fault's own check
	follow  []string  // ids that follow from it, sorted
	others  []Accused // accused without cause
	ownSays string    // where the own check does not fail: what it says instead
}

// assign divides the findings of a run on a faulty server. usual is what the
// same server is told without the fault: that a fault changes nothing about it
// is no sign of the fault. Where its shape alone breaks the fault's own check, the
// finding must say something else than without it.
func assign(fault fakebackend.Fault, findings []conform.Finding, usual []Accused) blame {
	var b blame
	for _, f := range findings {
		mine := f.ID == fault.Check
		if f.Verdict != conform.Fail {
			if mine && b.ownSays == "" {
				b.ownSays = f.Verdict.String()
				if f.Reason != "" {
					b.ownSays += ": " + f.Reason
				}
			}
			continue
		}
		a := accused(f)
		known := slices.ContainsFunc(usual, func(u Accused) bool { return u.place() == a.place() && (!mine || u.Got == a.Got) })
		switch {
		case mine && known:
			b.ownSays = "the good server fails it as well"
		case known:
		case mine && f.ConsequenceOf == "":
			b.own = append(b.own, a)
		case mine:
			b.ownSays = "fails as a consequence of " + f.ConsequenceOf
		case f.ConsequenceOf != "" || slices.Contains(fault.Consequences, f.ID):
			b.follow = append(b.follow, f.ID)
		default:
			b.others = append(b.others, a)
		}
	}
	slices.Sort(b.follow)
	b.follow = slices.Compact(b.follow)
	switch {
	case len(b.own) == 0:
		b.word = Missed
	case len(b.others) > 0:
		b.word = Misattributed
	default:
		b.word = Caught
	}
	if b.word != Missed {
		b.ownSays = ""
	}
	return b
}

// explain says of a check that had nothing to say why it had not.
func (b *blame) explain(fault fakebackend.Fault, absent []conform.NotApplicable) {
	if b.word != Missed || b.ownSays != "" {
		return
	}
	b.ownSays = "nothing"
	for _, n := range absent {
		if n.ID == fault.Check {
			b.ownSays = "not applicable: " + n.Reason
			return
		}
	}
}

func accused(f conform.Finding) Accused {
	return Accused{ID: f.ID, Level: f.Level, Operation: f.Operation, Got: f.Got, Scenario: f.Scenario}
}

// failing gives every failing finding.
func failing(findings []conform.Finding) []Accused {
	var all []Accused
	for _, f := range findings {
		if f.Verdict == conform.Fail {
			all = append(all, accused(f))
		}
	}
	return all
}

// alarms gives what a server that breaks no rule is accused of: everything above
// advice.
func alarms(findings []conform.Finding) []Accused {
	return slices.DeleteFunc(failing(findings), func(a Accused) bool { return a.Level <= conform.May })
}
