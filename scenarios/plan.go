package scenarios

import (
	"fmt"
	"io"

	"github.com/mcpconform/mcpconform/conform"
)

// Plan is what a run will play, in order, and what it will not, and why.
type Plan struct {
	Plays   []*Play
	Skipped []conform.Skipped
	// Unread is what depends on items that a tool of the server gives once a run
	// begins. In a run, which has asked it, there is none.
	Unread []conform.Skipped
	// Ending are the calls behind the last play that put back and take away; Foresee
	// counts them.
	Ending int
	// Calmed is how many eyes look twice before the first write, with a pause between;
	// Foresee counts them.
	Calmed int
	// Unwatched says of operations with enough good items why none of them is a canary.
	Unwatched []string

	compiler *compiler // for plays that come up while the plan is played
	options  Options
	rules    map[*Operation]*rules
	watched  map[string]bool // every name of every canary
}

// Play is one playing of a scenario's variant on an operation. Its items are
// chosen by Plan.Bind when its turn comes.
type Play struct {
	Instance  string // "partial/bad-first/cancel-products#1"
	Scenario  *Scenario
	Variant   *Variant
	Operation *Operation
	Repeat    int // 1, 2, …
	// Reset tells that the state is to be put back before the play is bound: it
	// may write, and the operation has a reset.
	Reset bool
	// DryRun tells that the operation is only asked for dry runs: nothing is used
	// up, and nothing has to be put back.
	DryRun bool
	// Undo tells that what it wrote is taken back behind it, item by item, and SetUp
	// how many items it needs in place, at full size; those of earlier plays may be
	// among them.
	Undo  bool
	SetUp int
	// Besides are the calls that come with it to look at the state, to put it back
	// and items in place; Compile does not count them yet, Foresee does.
	Besides int
	// Calls are the tool calls of the play at full size, WriteCalls those that
	// write, WriteItems their items, DryCalls those that are dry runs. Probes and
	// resets come besides.
	Calls, WriteCalls, WriteItems, DryCalls int

	// limit is how many items one call may have; 0: any number. declared: it is
	// the target file that says so, not the tool's schema.
	limit    int
	declared bool
	// least and most are how many good items the play draws at its smallest and at
	// full size; allowed is its share of what cannot be put back.
	least, most, allowed int
	// costsLeast and costsMost are what the play takes of safety.max_write_items at its
	// smallest and at full size; mayWrite is its share.
	costsLeast, costsMost, mayWrite int
	// sessions is how many sessions a parallel step is spread over, inFlight how many
	// calls each has out where the step does not say how many there are.
	sessions, inFlight int
	// kin are what else is in flight with the calls of a parallel step.
	kin []kin
	// round sorts the plays of what there is not enough of for all.
	round int
}

// tally counts the calls of the play as it is bound.
func (p *Play) tally(bound conform.BoundPlay) {
	p.Calls, p.WriteCalls, p.WriteItems, p.DryCalls = 0, 0, written(bound), 0
	for _, call := range bound.Calls() {
		p.Calls++
		if call.Write {
			p.WriteCalls++
		}
		if call.Planned.DryRun {
			p.DryCalls++
		}
	}
}

// writes tells whether some step of the play may change the state.
func (p *Play) writes() bool {
	if !p.Operation.Write {
		return false
	}
	for _, s := range p.Scenario.steps(p.Variant) {
		switch s.Act {
		case Execute, Resolved, Repeat, Retry, Parallel:
			return true
		}
	}
	return false
}

// Checks gives the checks that the play's evidence feeds on its operation.
func (p *Play) Checks() []string {
	all := append([]string{}, p.Scenario.checks(p.Variant)...)
	if p.Operation.Probe != conform.Present {
		return unique(all)
	}
	for _, check := range p.Scenario.stateChecks(p.Variant) {
		if !p.DryRun || !ofDeeds[check] {
			all = append(all, check)
		}
	}
	if p.DryRun {
		all = append(all, DryRunCheck)
	}
	return unique(all)
}

// ofDeeds are checks of what was really done, which a dry run tells nothing of.
var ofDeeds = map[string]bool{"EFF-01": true, "EFF-02": true}

// DryRunCheck is the check that every dry run feeds, where the state can be seen.
const DryRunCheck = "EFF-04"

// skip says that the play is not played.
func (p *Play) skip(s *shortage) *conform.Skipped {
	return &conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name,
		Reason: s.reason, Key: s.key, Wrong: s.wrong, Checks: p.Checks(), NotApplicable: s.absent, Narrowed: s.narrowed, As: s.as}
}

// Calls gives the number of tool calls at full size, probes and resets left out.
func (p *Plan) Calls() int {
	n := 0
	for _, play := range p.Plays {
		n += play.Calls
	}
	return n
}

// Text writes the plan for a person to read: a line a play, then what is skipped.
func (p *Plan) Text(w io.Writer) error {
	for _, play := range p.Plays {
		reset := ""
		if play.Reset {
			reset = ", after a reset"
		}
		if _, err := fmt.Fprintf(w, "%s: %d calls%s\n", play.Instance, play.Calls, reset); err != nil {
			return err
		}
	}
	for _, s := range p.Skipped {
		where := s.Scenario
		if s.Variant != "" {
			where += "/" + s.Variant
		}
		word := "not run"
		if s.NotApplicable {
			word = "not applicable"
		}
		key := ""
		if s.Key != "" {
			key = " [" + s.Key + "]"
		}
		if _, err := fmt.Fprintf(w, "%s on %s: %s: %s%s %v\n", where, s.Operation, word, s.Reason, key, s.Checks); err != nil {
			return err
		}
	}
	return nil
}
