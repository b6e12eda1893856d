package conform

import "fmt"

// Verdict is what a check says. Silence is never a pass: the zero value is
// Inconclusive.
type Verdict uint8

// The verdicts of a finding.
const (
	Inconclusive Verdict = iota // asked, but could not tell
	Pass
	Fail
	NotRun // was not asked, with the reason
)

var verdictNames = [...]string{"inconclusive", "pass", "fail", "not-run"}

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
	return fmt.Errorf("verdict %q is none of pass, fail, inconclusive, not-run", text)
}

// Evidence points at the bytes that decided a finding.
type Evidence struct {
	Call    string `json:"call,omitempty"`    // the planned call's id
	Seq     int64  `json:"seq,omitempty"`     // the observation's number in the transcript
	Pointer string `json:"pointer,omitempty"` // RFC 6901, from the tool result (or, for PRO rules, the message)
	Offset  *int   `json:"offset,omitempty"`  // of the value's first byte, from the same start
	Excerpt string `json:"excerpt,omitempty"` // the bytes, shortened
	Body    string `json:"body,omitempty"`    // the whole message that Seq received, where a report was asked for it
	// Note says what was got here, where it is not what the finding's Got says.
	Note string `json:"note,omitempty"`
}

// Finding is one check's word on one operation, or on the server as a whole.
type Finding struct {
	ID            string     `json:"id"`
	Level         Level      `json:"level"`
	Basis         Basis      `json:"basis"`
	Group         Group      `json:"group,omitempty"`
	Verdict       Verdict    `json:"verdict"`
	Title         string     `json:"title"`
	Impact        string     `json:"impact"`
	Scenario      string     `json:"scenario,omitempty"`  // scenario/variant of the first call that decided it
	Scenarios     []string   `json:"scenarios,omitempty"` // of a failure: all that showed it, where there is more than one
	Operation     string     `json:"operation,omitempty"` // empty: the server as a whole
	Count         int        `json:"count"`               // how many of the things looked at decided it so
	Of            int        `json:"of"`                  // how many were looked at
	Interval      []float64  `json:"interval,omitempty"`  // 95 % Wilson interval of Count/Of, where a failure is intermittent
	Common        string     `json:"common,omitempty"`    // what the failing calls have in common
	Want          string     `json:"want,omitempty"`
	Got           string     `json:"got,omitempty"`
	Reason        string     `json:"reason,omitempty"`   // of an inconclusive or not-run finding
	Narrowed      bool       `json:"narrowed,omitempty"` // not run because the run was narrowed, by a filter or its effort
	Evidence      []Evidence `json:"evidence"`
	History       *History   `json:"history,omitempty"` // of an item, where no order explains what happened to it
	Hint          string     `json:"hint,omitempty"`    // the mend
	Paste         string     `json:"paste,omitempty"`   // YAML for the target file, in lines
	Source        string     `json:"source"`
	Reproduce     string     `json:"reproduce,omitempty"`
	ConsequenceOf string     `json:"consequence_of,omitempty"` // id of the root finding this one follows from
	// Known is set where a baseline of the user's expects the finding as it is.
	Known *Known `json:"known,omitempty"`
	// Pending is set for a check newer than the catalogue set in use: it is told
	// apart, and has no influence on verdict and exit code.
	Pending bool `json:"pending,omitempty"`
}

// Known is what a baseline says of a finding.
type Known struct {
	Because string  `json:"because"`
	Until   string  `json:"until,omitempty"` // the last day on which it counts, YYYY-MM-DD
	Rate    float64 `json:"rate,omitempty"`  // the greatest share that may fail, of a failure that comes and goes
	At      string  `json:"at"`              // where it says so: file:line
}

// NotApplicable is a check that has no meaning for this target.
type NotApplicable struct {
	ID        string `json:"id"`
	Operation string `json:"operation,omitempty"`
	Reason    string `json:"reason"`
}
