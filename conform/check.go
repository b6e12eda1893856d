package conform

// Check is a requirement and the function that judges it. A check is judged
// once per operation of the target (PerServer: once for the whole server).
type Check struct {
	Requirement
	// PerServer is set for rules about the server as a whole.
	PerServer bool
	// Pending is set where the catalogue set in use does not have the check: its
	// findings are told apart and decide nothing.
	Pending bool
	// Applies says why the rule has no meaning for this subject; empty: it applies.
	// What the target file merely fails to provide is not said here: Judge then
	// finds nothing to look at, and the check is not run.
	Applies func(*Subject) string
	// Judge looks at everything it has evidence on, and returns one Look for
	// each thing it looked at. No look at all means: not run.
	Judge func(*Subject) []Look
	// Whole is set where one thing that could not be observed leaves the check
	// inconclusive although others passed. Elsewhere a lost call takes its own
	// evidence away and no more: it is told once, by the rule that is Whole.
	Whole bool
	// Missing says what evidence was missing when Judge returned no look and no
	// skipped scenario explains it: "no batch with good and bad items was answered".
	Missing string
}

// Subject is what a check is asked about.
type Subject struct {
	Recording *Recording
	Operation *Operation // nil for a rule about the server as a whole
	Calls     []*Call    // of the operation; of the whole recording where Operation is nil
}

// Look is a check's word on one thing it looked at: a call, a row, a pair of
// calls. The zero value is inconclusive.
type Look struct {
	Verdict Verdict // Pass, Fail, Inconclusive, or NotRun: this call cannot be judged for Reason
	Call    *Call   // the call that decided it; may be nil for rules about the server
	// Item is the position of the requested item concerned plus one; 0: the whole answer.
	Item     int
	Want     string
	Got      string
	Reason   string // of Inconclusive and NotRun
	Hint     string // a mend closer than the requirement's own
	Evidence []Evidence
	// Paste is YAML for the target file: lines to be copied as they stand, with
	// Placeholder where somebody has to say what only they know.
	Paste string
	// Key is set with NotRun where the call could be judged if the target file had
	// this key: then what passes elsewhere is not the whole, and the check is not
	// run.
	Key string
	// Shape is set with Fail where the answer is wrong by its shape alone, and the
	// target file says how to read that shape: what it says may still be right.
	Shape bool
	// History is set with Fail where no order explains what happened to an item: the part
	// of it that shows it.
	History *History
	// As lowers the finding's level for what this look saw; None leaves it.
	As Level
}

// Placeholder stands in YAML that is offered for the target file where only its
// author knows what to write. A target file that still holds it is refused.
const Placeholder = "FILL-IN"
