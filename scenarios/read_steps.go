package scenarios

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/mcpconform/mcpconform/conform"
)

var stepKeys = []string{"probe", "reset", "validate", "execute", "resolved", "repeat", "retry", "regroup", "parallel", "restart",
	"as", "key", "key_of", "auxiliary_fails", "answer", "cancel", "progress", "calls", "items", "beside", "among", "times", "sweep", "session", "places"}

// keysOfActs says which acts a step's further keys belong to.
var keysOfActs = []struct {
	key  string
	acts []StepAct
}{{"key", []StepAct{Execute, Parallel}}, {"key_of", []StepAct{Execute}}, {"auxiliary_fails", []StepAct{Execute}}, {"answer", []StepAct{Execute}},
	{"cancel", []StepAct{Execute}}, {"progress", []StepAct{Execute}}, {"calls", []StepAct{Parallel}}, {"items", []StepAct{Parallel}}, {"beside", []StepAct{Parallel}},
	{"among", []StepAct{Parallel}}, {"times", []StepAct{Execute}}, {"sweep", []StepAct{Execute}},
	{"session", []StepAct{Execute, Repeat, Retry}}, {"places", []StepAct{Regroup}}}

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
	s := Step{Times: 1}
	var key, keyOf entry
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
			key = e // what it may say hangs on the act
		case "key_of":
			keyOf = e
		case "auxiliary_fails":
			s.AuxiliaryFails = r.yes(e)
		case "answer":
			s.Answer = oneOf(r, e, conform.Decline, conform.Cancel)
		case "cancel":
			s.Cancel = r.yes(e)
		case "progress":
			s.Progress = r.yes(e)
		case "calls", "items", "beside", "among":
			r.together(&s.Together, e)
		case "times":
			s.Times = r.number(e, 1, 1000)
		case "sweep":
			s.Sweep = r.yes(e)
		case "places":
			s.Places = r.places(e)
		case "session":
			s.OtherSession = oneOf(r, e, "other") != ""
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
		if given[rule.key] && !slices.Contains(rule.acts, s.Act) {
			r.fail(tokenOf(n), fmt.Sprintf("%s has no meaning in a step that does %s", rule.key, s.Act), "it goes with "+words(rule.acts))
		}
	}
	switch {
	case given["key"] && given["key_of"]:
		r.fail(keyOf.at, "the step has a key of its own and that of another step", "leave one out")
	case given["key"] && s.Act == Parallel:
		s.Together.Key = oneOf(r, key, KeySame, KeyOwn)
	case given["key"]:
		s.Key = r.yes(key)
	case given["key_of"]:
		s.KeyOf = r.keyed(keyOf, earlier)
	}
	if s.Act == Parallel {
		r.fits(s, n)
	}
	return s
}

// keyed reads the name of an earlier step that has a key.
func (r reader) keyed(e entry, earlier []Step) string {
	name := r.text(e)
	var names []string
	for _, known := range earlier {
		if known.Key && known.Times == 1 {
			names = append(names, known.Name)
		}
	}
	if !slices.Contains(names, name) {
		r.fail(r.at(e), fmt.Sprintf("key_of: no step named %q with a key stands before", name), suggestion(name, names))
	}
	return name
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
	case Resolved, Repeat, Retry, Regroup:
		s.Of = r.text(e)
		var names []string
		for _, known := range earlier {
			names = append(names, known.Name)
			if known.Name != s.Of {
				continue
			}
			ok := known.Act == Validate
			switch s.Act {
			case Resolved:
			case Regroup:
				ok = known.Act == Execute && known.Times == 1
			default:
				ok = known.Act == Execute && known.Times == 1 || known.Act == Parallel || known.Act == Validate && s.Act == Repeat
			}
			if !ok {
				r.fail(r.at(e), fmt.Sprintf("%s cannot follow step %s, which does %s", s.Act, known.Name, known.Act), "")
			}
			return
		}
		r.fail(r.at(e), fmt.Sprintf("no step named %q stands before", s.Of), suggestion(s.Of, names))
	}
}

// places reads where the items of a regrouping stood, from 1.
func (r reader) places(e entry) []int {
	var places []int
	for _, n := range r.list(e) {
		at := entry{e.key, e.at, n}
		place := r.number(at, 1, MaxBatch)
		if slices.Contains(places, place) {
			r.fail(r.at(at), fmt.Sprintf("place %d stands twice", place), "name each place once")
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		r.fail(e.at, "places is empty", "leave it out for all places, the last first")
	}
	return places
}
