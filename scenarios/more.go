package scenarios

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// Operation gives an operation of the plan by name; nil: there is none, or the run was
// narrowed to others.
func (p *Plan) Operation(name string) *Operation {
	for _, op := range p.compiler.operations {
		if op.Name == name && p.options.Chosen(name) {
			return op
		}
	}
	return nil
}

// Operations gives the operations that the plan is for, in the order of the target file.
func (p *Plan) Operations() []*Operation {
	var all []*Operation
	for _, op := range p.compiler.operations {
		if p.options.Chosen(op.Name) {
			all = append(all, op)
		}
	}
	return all
}

// More lays a scenario of one variant over an operation, beside the plays of the plan,
// as the number-th of its kind; or says why it cannot be played.
func (p *Plan) More(s *Scenario, o *Operation, number int) (*Play, *conform.Skipped) {
	play := &Play{Scenario: s, Variant: &s.Variants[0], Operation: o, Repeat: 1, allowed: unlimited, mayWrite: unlimited}
	short := p.compiler.plays(play, map[string]string{})
	play.Instance = fmt.Sprintf("%s/%d/%s#1", s.Name, number, o.Name)
	if short != nil {
		return nil, play.skip(short)
	}
	return play, nil
}

// MostItems is how many items one call of an operation may have, and as many different
// ones as there are to ask for.
func (p *Plan) MostItems(o *Operation) int {
	play := &Play{Scenario: &Scenario{}, Variant: &Variant{Steps: []Step{{Act: Execute}}}, Operation: o}
	p.compiler.limit(play)
	rules := p.rules[o]
	most := len(rules.good)
	if rules.many == "" {
		most += o.Many.Len
	}
	if play.limit > 0 {
		most = min(most, play.limit)
	}
	return min(most, MaxBatch)
}
