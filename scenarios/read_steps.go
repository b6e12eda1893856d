package scenarios

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/mcpconform/mcpconform/conform"
)

var stepKeys = []string{"probe", "reset", "validate", "execute", "resolved", "repeat", "retry", "parallel", "restart",
	"as", "key", "auxiliary_fails", "answer", "cancel", "calls", "times", "sweep"}

// keysOfActs says which act a step's further keys belong to.
var keysOfActs = []struct {
	key string
	act StepAct
}{{"key", Execute}, {"auxiliary_fails", Execute}, {"answer", Execute}, {"cancel", Execute}, {"calls", Parallel}, {"times", Execute}, {"sweep", Execute}}

func (r reader) steps(e entry) []Step {
	steps := []Step{}
	for _, n := range r.list(e) {
		steps = append(steps, r.step(n, steps))
	}
	if len(steps) == 0 {
		r.fail(e.at, "steps is empty", "")
	}
	return steps
}

// step reads one step; earlier are those that stand before it.
func (r reader) step(n ast.Node, earlier []Step) Step {
	s := Step{Calls: 1, Times: 1}
	if at := tokenOf(n); at != nil {
		s.Line = at.Position.Line
	}
	given := map[string]bool{}
	for _, e := range r.mapping(n, "a step", stepKeys...) {
		given[e.key] = true
		switch e.key {
		case "as":
			s.Name = r.name(e)
		case "key":
			s.Key = r.yes(e)
		case "auxiliary_fails":
			s.AuxiliaryFails = r.yes(e)
		case "answer":
			s.Answer = oneOf(r, e, conform.Decline, conform.Cancel)
		case "cancel":
			s.Cancel = r.yes(e)
		case "calls":
			s.Calls = r.number(e, 2, 1000)
		case "times":
			s.Times = r.number(e, 1, 1000)
		case "sweep":
			s.Sweep = r.yes(e)
		default:
			if s.Act != "" {
				r.fail(e.at, fmt.Sprintf("the step says %s and %s", s.Act, e.key), "make them two steps")
			}
			s.Act = StepAct(e.key)
			r.act(&s, e, earlier)
		}
	}
	if s.Act == "" {
		r.fail(tokenOf(n), "the step does not say what to do", "one of "+words(stepActs))
	}
	if s.Name == "" {
		s.Name = string(s.Act)
		if s.Act == Probe {
			s.Name += "-" + string(s.Phase)
		}
	}
	for _, known := range earlier {
		if known.Name == s.Name {
			r.fail(tokenOf(n), fmt.Sprintf("a second step named %s", s.Name), "name it apart with as:")
		}
	}
	for _, rule := range keysOfActs {
		if given[rule.key] && s.Act != rule.act {
			r.fail(tokenOf(n), fmt.Sprintf("%s has no meaning in a step that does %s", rule.key, s.Act), fmt.Sprintf("it goes with %s", rule.act))
		}
	}
	if s.Act == Parallel && !given["calls"] {
		r.fail(tokenOf(n), "the parallel step does not say how many calls", "write calls: 8")
	}
	return s
}

// act reads what the step's own key says.
func (r reader) act(s *Step, e entry, earlier []Step) {
	switch s.Act {
	case Probe:
		s.Phase = oneOf(r, e, conform.Before, conform.Middle, conform.After)
	case Reset, Restart:
		if !r.yes(e) {
			r.fail(r.at(e), fmt.Sprintf("%s: false does nothing", s.Act), "leave the step out")
		}
	case Validate, Execute, Parallel:
		if list, ok := e.value.(*ast.SequenceNode); ok {
			s.Batch = r.batch(list.Values, e.at)
			if len(s.Batch) == 0 {
				r.fail(r.at(e), "the batch is empty", "use a variant with form: empty")
			}
		} else if r.text(e) != "batch" {
			r.fail(r.at(e), fmt.Sprintf("%s: %q", s.Act, r.text(e)), "write the word batch for the variant's, or a list of items")
		}
	case Resolved, Repeat, Retry:
		s.Of = r.text(e)
		var names []string
		for _, known := range earlier {
			names = append(names, known.Name)
			if known.Name != s.Of {
				continue
			}
			ok := known.Act == Validate
			if s.Act != Resolved {
				ok = known.Act == Execute && known.Times == 1 || known.Act == Validate && s.Act == Repeat
			}
			if !ok {
				r.fail(r.at(e), fmt.Sprintf("%s cannot follow step %s, which does %s", s.Act, known.Name, known.Act), "")
			}
			return
		}
		r.fail(r.at(e), fmt.Sprintf("no step named %q stands before", s.Of), suggestion(s.Of, names))
	}
}
