package runner

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// mixes adds the workload, as one cell for each concurrency, and beside it each of its
// parts alone.
func (l *loading) mixes() {
	w := l.o.Workload
	if w == nil {
		return
	}
	for _, users := range l.o.Concurrency {
		mix := &campaign.Cell{Operation: w.Name, Concurrency: users, Think: l.o.Think, Arrivals: l.o.Arrivals}
		for _, part := range w.Parts {
			for _, items := range part.Batches {
				c, why := l.part(part, items, users)
				if why != "" {
					l.skipped = append(l.skipped, reports.LoadSkipped{Operation: part.Operation, BatchSize: items, Concurrency: users, Reason: why})
					continue
				}
				alone := *c
				if !slices.ContainsFunc(l.cells, func(other *campaign.Cell) bool {
					return other.Operation == alone.Operation && other.Batch == alone.Batch && other.Concurrency == alone.Concurrency
				}) {
					l.cells = append(l.cells, &alone)
				}
				c.In, c.Weight = w.Name, part.Weight/float64(len(part.Batches))
				mix.Gates = c.Gates
				mix.Mix = append(mix.Mix, c)
			}
		}
		if len(mix.Mix) > 0 {
			l.cells = append(l.cells, mix)
		}
	}
}

// part makes one kind of call of a workload.
func (l *loading) part(part target.Part, items, users int) (*campaign.Cell, string) {
	for _, shelf := range l.shelves {
		if shelf.bulk.Operation() != part.Operation {
			continue
		}
		supply, err := shelf.of(items, int(float64(items)*part.Bad+0.5))
		if err != nil {
			return nil, err.Error()
		}
		c, why := l.cell(l.file.Operation(part.Operation), supply, items, users)
		if c != nil && part.Journey {
			c.Operation, c.Journey, c.Pause = journeyOf+part.Operation, true, part.Think
		}
		return c, why
	}
	return nil, fmt.Sprintf("%s is left out of this load", part.Operation)
}

// journeyOf begins the name of a row that is about journeys of an operation.
const journeyOf = "journey:"
