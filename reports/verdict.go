package reports

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// Verdict is a run's verdict in one word. Silence is never a pass: the zero
// value is Incomplete.
type Verdict uint8

// The verdicts of a run.
const (
	Incomplete    Verdict = iota // nothing failed, but something that matters could not be verified
	Conformant                   // every MUST that applies passed
	Nonconformant                // a MUST failed (under --strict, a SHOULD)
)

var verdictNames = [...]string{"incomplete", "conformant", "nonconformant"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the verdict's word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's word.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("verdict %q is none of conformant, nonconformant, incomplete", text)
}

// The exit codes that a report can ask for. Usage errors (2), our own fault (5)
// and signals (130, 143) are the command's to give.
const (
	ExitConformant    = 0
	ExitNonconformant = 1
	ExitIncomplete    = 3
	ExitUnreachable   = 4
)

// ExitCode is the exit code of `run` and `judge` for the report. Against a baseline it
// says whether that holds. A target that
// never answered is 4 whatever else was said: nothing can rest on an answer.
// Refused credentials are 4 unless something it did answer broke a rule.
func (r Report) ExitCode() int {
	if r.Baseline != nil {
		return r.Baseline.exit(r)
	}
	switch {
	case r.Run.Ended == conform.EndUnreachable:
		return ExitUnreachable
	case r.Verdict == Nonconformant:
		return ExitNonconformant
	case r.Run.Ended == conform.EndUnauthorized:
		return ExitUnreachable
	case r.Verdict == Conformant:
		return ExitConformant
	}
	return ExitIncomplete
}
