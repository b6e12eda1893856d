package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Scenario is one script, as its file has it.
type Scenario struct {
	Name  string // of the file too: "partial" is partial.yaml
	Title string
	Why   string // what is asked, and why, in prose
	File  string // as it was opened; for built-in ones their place in the repository
	Line  int    // of the scenario's name
	// Order sorts the plays: the lowest first. Items that cannot be put back go
	// to the first comers.
	Order  int
	Effort Effort
	For    For
	Needs  []Need
	// DryRun tells that its answers are judged rather than what they did: where an
	// operation knows dry runs it is played by them.
	DryRun bool
	// Checks are those that the answers feed; StateChecks those that need eyes
	// as well, and get nothing from an operation without a probe.
	Checks      []string
	StateChecks []string
	Steps       []Step
	Variants    []Variant
}

// Variant is one size, position or form of a scenario.
type Variant struct {
	Name   string
	Line   int
	Effort Effort
	For    For // narrows the scenario's
	Needs  []Need
	Batch  Batch
	Form   conform.Form
	Extras bool // arguments that the tool's schema does not know are sent along
	// Sessions is over how many sessions a parallel step is spread; 0: one. Several:
	// as many as the run's options say.
	Sessions int
	Steps    []Step // in place of the scenario's
	// Checks and StateChecks take the place of the scenario's.
	Checks      []string
	StateChecks []string
}

// For says which operations a scenario is for.
type For struct {
	Effect Effect
	Style  conform.Style // empty: any
}

// Effect is whether an operation changes anything.
type Effect string

// The effects.
const (
	AnyEffect Effect = ""
	ReadOnly  Effect = "read"
	Writing   Effect = "write"
)

// Need is something of the target that a scenario cannot be played without.
type Need string

// The needs.
const (
	NeedValidator   Need = "validator"
	NeedWorkflow    Need = "workflow"
	NeedAuxiliary   Need = "auxiliary_failure"
	NeedIdempotency Need = "idempotency"
	NeedProbe       Need = "probe"
	NeedFoldCase    Need = "fold_case"
	NeedAnswers     Need = "answers"
	NeedTasks       Need = "tasks"
	NeedNoTasks     Need = "no_tasks" // the calls are answered themselves
)

var needs = []Need{NeedValidator, NeedWorkflow, NeedAuxiliary, NeedIdempotency, NeedProbe, NeedFoldCase, NeedAnswers, NeedTasks, NeedNoTasks}

// Effort is how much of the scenarios is played. Each includes the one before.
type Effort uint8

// The efforts. The zero value is none given: standard.
const (
	Unset Effort = iota
	Quick
	Standard
	Full
)

var effortNames = [...]string{"", "quick", "standard", "full"}

func (e Effort) String() string { return effortNames[e] }

// ParseEffort reads an effort's word.
func ParseEffort(word string) (Effort, error) {
	for e := Quick; e <= Full; e++ {
		if e.String() == word {
			return e, nil
		}
	}
	return Unset, fmt.Errorf("effort %q is none of quick, standard, full", word)
}

// Step is one step of a script. Exactly one of the acts is set.
type Step struct {
	Name string // "as", or the act's word
	Line int
	Act  StepAct
	// Batch is what is asked for, of validate, execute and parallel. Nil: the
	// variant's.
	Batch Batch
	// Of names the earlier step, of resolved, repeat, retry and regroup.
	Of string
	// Places are the places of the earlier step's items that regroup asks for, from 1,
	// in their new order; nil: all, the last first.
	Places []int
	Phase  conform.Phase // of probe
	Key    bool          // of execute: an idempotency key goes along, where the operation takes one
	// KeyOf names the earlier step whose key goes along, although it stands for other
	// items; of execute.
	KeyOf string
	// AuxiliaryFails asks the workflow's auxiliary step to fail.
	AuxiliaryFails bool
	Answer         conform.UserAction // of execute: what the user does with every question; empty: as the target file says
	Cancel         bool               // of execute: the call is cancelled in its middle, or the task that it becomes at once
	Progress       bool               // of execute: the call asks to be told how far it is
	Together       Together           // of parallel
	Times          int                // of execute: how many calls, one after another, items of their own each
	Sweep          bool
	// OtherSession says that the call goes out on another session than that of the
	// calls before; of execute, repeat and retry.
	OtherSession bool
}

// session names the session that a step's call goes out on.
func (s Step) session() string {
	if s.OtherSession {
		return "s2"
	}
	return "s1"
}

// StepAct is what a step does.
type StepAct string

// The acts of a script.
const (
	Probe    StepAct = "probe"
	Reset    StepAct = "reset"
	Validate StepAct = "validate" // the validator is asked
	Execute  StepAct = "execute"  // the operation is asked, with the items as given
	Resolved StepAct = "resolved" // the operation is asked, with what the validator resolved, verbatim
	Repeat   StepAct = "repeat"   // the same bytes again
	Retry    StepAct = "retry"    // the same items again, under a new key
	Parallel StepAct = "parallel" // several calls together
	Regroup  StepAct = "regroup"  // items of an earlier step once more, in other company
	Restart  StepAct = "restart"  // the server that the run started is ended and started again
)

var stepActs = []StepAct{Probe, Reset, Validate, Execute, Resolved, Repeat, Retry, Regroup, Parallel, Restart}

// Variant gives a variant by name; nil if there is none.
func (s *Scenario) Variant(name string) *Variant {
	for i := range s.Variants {
		if s.Variants[i].Name == name {
			return &s.Variants[i]
		}
	}
	return nil
}

// AllChecks gives the ids of every check that some variant feeds, without
// doubles, in the order written, then that of dry runs.
func (s *Scenario) AllChecks() []string {
	var all []string
	for i := range s.Variants {
		v := &s.Variants[i]
		all = append(all, s.checks(v)...)
		all = append(all, s.stateChecks(v)...)
	}
	if s.DryRun {
		all = append(all, DryRunCheck)
	}
	return unique(all)
}

func (s *Scenario) checks(v *Variant) []string {
	if v.Checks != nil {
		return v.Checks
	}
	return s.Checks
}

func (s *Scenario) stateChecks(v *Variant) []string {
	if v.StateChecks != nil {
		return v.StateChecks
	}
	return s.StateChecks
}

func (s *Scenario) steps(v *Variant) []Step {
	if v.Steps != nil {
		return v.Steps
	}
	return s.Steps
}

func (s *Scenario) effort(v *Variant) Effort {
	if v.Effort != Unset {
		return v.Effort
	}
	if s.Effort != Unset {
		return s.Effort
	}
	return Standard
}

// needs gives what the scenario needs and what the variant needs besides.
func (s *Scenario) needs(v *Variant) []Need {
	return unique(append(append([]Need{}, s.Needs...), v.Needs...))
}

// does tells whether some step does this.
func does(steps []Step, act StepAct) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Act == act })
}

func unique[T comparable](list []T) []T {
	seen := map[T]bool{}
	var out []T
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// place is a position in a scenario file, as errors say it.
type place struct {
	file         string
	line, column int
}

func (p place) String() string {
	return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column)
}

// Error is something wrong in a scenario file.
type Error struct {
	File         string
	Line, Column int
	Problem      string // what is wrong
	Mend         string // what to do; may be empty
}

func (e *Error) Error() string {
	where := place{e.File, e.Line, e.Column}.String()
	if e.Mend == "" {
		return where + ": " + e.Problem
	}
	return where + ": " + e.Problem + ": " + e.Mend
}

func words[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}
