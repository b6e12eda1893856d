package runner

import (
	"context"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/mcpconform/mcpconform/reports"
)

// Seek has the highest rate searched at which conditions hold: p99=200ms,wrong=0.
func (o *LoadOptions) Seek(conditions string) (err error) {
	o.Search, err = objective.ParseConditions(conditions)
	return err
}

// search finds the highest rate of every cell.
func (l *loading) search(ctx context.Context) error {
	window, warm := l.o.window()
	for i, c := range l.cells {
		if c.Skipped != "" || ctx.Err() != nil {
			continue
		}
		s := campaign.Search{Conditions: l.o.Search, Window: window, Warm: warm, Limits: campaign.Limits{Errors: l.o.MaxErrors}}
		if l.o.Step != nil {
			s.Step = func(c *campaign.Cell, rate float64, sure bool) {
				step := campaign.Step{Cell: c, Round: 1, Rounds: 1, Done: i, Total: len(l.cells), Note: fmt.Sprintf("trying %.4g calls a second", rate)}
				if sure {
					step.Note = fmt.Sprintf("confirming %.4g calls a second", rate)
				}
				l.o.Step(step)
			}
		}
		found, cause, err := l.bench.Find(ctx, c, s)
		if err != nil {
			return err
		}
		l.searches = append(l.searches, l.searched(c, found))
		if cause != "" {
			l.stop = stopped{conform.EndGone, cause}
			return nil
		}
	}
	return nil
}

// searched is what a search found, for the report.
func (l *loading) searched(c *campaign.Cell, found campaign.Found) reports.RateSearch {
	s := reports.RateSearch{Operation: c.Operation, BatchSize: c.Batch, Rate: found.Rate, Limit: found.Limit}
	for _, condition := range l.o.Search {
		s.Conditions = append(s.Conditions, condition.String())
	}
	for _, step := range found.Steps {
		s.Steps = append(s.Steps, reports.SearchStep(step))
	}
	return s
}
