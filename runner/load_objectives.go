package runner

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/mcpconform/mcpconform/reports"
)

// Aim adds an objective, as it would be written in a target file.
func (o *LoadOptions) Aim(text string) error {
	aim, err := objective.Parse(text)
	if err == nil {
		o.Require = append(o.Require, aim)
	}
	return err
}

// aims are the objectives of the target file and of the options; an error names one
// that is about no cell.
func (l *loading) aims() ([]objective.Objective, error) {
	for _, o := range l.o.Require {
		if !l.named(o) {
			var cells []string
			for _, c := range l.cells {
				cells = append(cells, fmt.Sprintf("%s batch=%d concurrency=%d", c.Operation, c.Batch, c.Concurrency))
			}
			return nil, &UsageError{Err: fmt.Errorf("the objective %q is about no cell of this load", o.Text), Hint: "there are " + strings.Join(cells[:min(len(cells), 6)], "; ")}
		}
	}
	aims := append([]objective.Objective{}, l.o.Require...)
	for _, o := range l.file.Objectives {
		// Who narrows a load asks about a part of what the file asks about.
		if l.named(o) {
			aims = append(aims, o)
		}
	}
	return aims, nil
}

func (l *loading) named(o objective.Objective) bool {
	for _, c := range l.cells {
		if o.Names(c.Operation, c.Batch, c.Concurrency) {
			return true
		}
	}
	return false
}

// decided decides every objective on every cell that it is about.
func (l *loading) decided() []reports.Objective {
	var all []reports.Objective
	for _, o := range l.objectives {
		for _, c := range l.cells {
			if !o.Names(c.Operation, c.Batch, c.Concurrency) {
				continue
			}
			for _, condition := range o.Conditions {
				d := l.decide(condition, c)
				all = append(all, reports.Objective{
					Objective: o.Text, Condition: condition.String(), Operation: c.Operation, BatchSize: c.Batch, Concurrency: c.Concurrency,
					Verdict: d.Verdict, Got: d.Got, Need: d.Need,
				})
			}
		}
	}
	return all
}

// decide decides a condition on a cell. Where the harness was the limit, its latencies
// and rates are not the server's.
func (l *loading) decide(condition objective.Condition, c *campaign.Cell) objective.Decision {
	if c.Skipped != "" {
		return objective.Decision{Verdict: objective.CannotTell, Got: "not loaded: " + c.Skipped, Need: "a load"}
	}
	d := condition.Decide(&c.Rounds)
	if limit := c.Limit(); limit != "" && condition.Figure != objective.Wrong && condition.Figure != objective.Errors {
		return objective.Decision{Verdict: objective.CannotTell, Got: d.Got, Need: "a machine that is not busy: " + limit}
	}
	return d
}
