package specs

import (
	"cmp"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// state is what becomes of a spec.
type state uint8

// The states. The zero value fails: silence is never a pass.
const (
	failed state = iota
	passed
	skipped
)

// outcome is what a spec comes to, and what it says.
type outcome struct {
	state state
	text  string // the failure's message, or why it is skipped
	// entry and shown are a report entry of a spec that passes; shown is printed
	// without -v.
	entry string
	body  string
	shown bool
}

// outcomeOf turns the run's word on a rule into a spec's. excused says that the
// spec "verdict" runs, and is red for every MUST that was not run.
func outcomeOf(w word, strict, excused bool) outcome {
	if w.absent != nil {
		return outcome{state: skipped, text: "not applicable: " + reports.Shown(w.absent.Reason)}
	}
	if w.finding == nil {
		return outcome{text: "the run says nothing of this rule: this is a fault of mcpconform, please report it"}
	}
	f := *w.finding
	reason := reports.Shown(cmp.Or(f.Reason, f.Got, "no reason was recorded"))
	switch class := reports.ClassOf(f); class {
	case reports.ClassPass:
		return outcome{state: passed}
	case reports.ClassFail:
		return outcome{text: inFull(f)}
	case reports.ClassWarning:
		if strict {
			return outcome{text: inFull(f)}
		}
		return outcome{state: passed, entry: "warning", body: inFull(f), shown: true}
	case reports.ClassAdvice:
		return outcome{state: passed, entry: "advice", body: inFull(f)}
	case reports.ClassPending:
		return outcome{state: skipped, text: "pending, newer than the catalogue set in use: " + f.Verdict.String()}
	case reports.ClassNotRun:
		if f.Level != conform.Must || excused {
			return outcome{state: skipped, text: "not run: " + reason + hint(f)}
		}
		return outcome{text: "could not be verified: not run: " + reason + hint(f)}
	default: // could not tell
		if f.Level == conform.Should || f.Level == conform.May {
			return outcome{state: skipped, text: "could not be verified: " + reason}
		}
		return outcome{text: "could not be verified: " + reason + "\n" + inFull(f)}
	}
}

// inFull is a finding as a failure's message. The first line stands alone where
// a tool shows one only.
func inFull(f conform.Finding) string {
	return fmt.Sprintf("%s %s: %s\n%s", f.ID, f.Level, reports.Shown(cmp.Or(f.Got, f.Title)), reports.FindingText(f))
}

func hint(f conform.Finding) string {
	if f.Hint == "" {
		return ""
	}
	return "; " + reports.Shown(f.Hint)
}
