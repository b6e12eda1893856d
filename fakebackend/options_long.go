package fakebackend

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Never is a time that does not come.
const Never time.Duration = -1

// MaxConfirmRounds is how often the confirming tool can ask.
const MaxConfirmRounds = 2

// long says what cannot be of the options that make a server ask back, take
// long, or be watched and limited from outside.
func (o Options) long() (errs []error) {
	reject := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if o.ConfirmRounds < 0 || o.ConfirmRounds > MaxConfirmRounds {
		reject("the confirming tool asks 1 to %d times", MaxConfirmRounds)
	}
	speaks := func(revisions ...string) bool {
		return len(o.Revisions) == 0 || slices.ContainsFunc(o.Revisions, func(r string) bool { return slices.Contains(revisions, r) })
	}
	handshakes := speaks("2025-11-25", "2025-06-18")
	switch {
	case o.ConfirmRounds == 0:
	case !handshakes && !speaks(sessionless):
		reject("no revision before 2025-06-18 lets a server ask the user")
	case handshakes && o.JSONAnswers:
		reject("a tool that asks the user during its call answers with text/event-stream: leave the JSON answers out, or speak %s only", sessionless)
	case handshakes && o.Sessions == Stateless && !speaks(sessionless):
		reject("a tool that asks the user during its call needs a session")
	}
	if o.IdleUndo && !o.Undo {
		reject("only tools that restore can be idle at it: switch them on")
	}
	if o.TaskHands && o.Tasks == "" {
		reject("tools that put back run as tasks where there are tasks: switch them on")
	}
	if o.Resume && o.StateFile == "" {
		reject("what is resumed stands in a state file")
	}
	if o.Tasks != "" && !speaks("2025-11-25", sessionless) {
		reject("no revision before 2025-11-25 has tasks")
	}
	if o.Takes < 0 || o.PageRows < 0 || o.SecondWriter.EveryCalls < 0 || o.SecondWriter.Every < 0 {
		reject("how long things take, the rows of a page and the second writer's steps are not negative")
	}
	if o.Takes > 0 && o.Tasks == "" && !o.Jobs {
		reject("only tasks and jobs take a time of their own: switch one of them on")
	}
	if o.VisibleAfter < 0 && o.VisibleAfter != Never {
		reject("effects are visible after a time that is not negative, or never")
	}
	return slices.DeleteFunc(append(errs, o.Limit.check(), o.Weather.check(), o.needs()), func(err error) bool { return err == nil })
}

// needs says which features the faults lack.
func (o Options) needs() error {
	var errs []error
	for _, f := range o.Faults {
		known, err := ParseFault(f.ID)
		if err != nil {
			continue // arm says so
		}
		for _, feature := range known.Needs {
			if !o.has(feature) {
				errs = append(errs, fmt.Errorf("fault %s is one of the option %q, which is off", f.ID, feature))
			}
		}
	}
	return errors.Join(errs...)
}
