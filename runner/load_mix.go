package runner

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/reports"
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
				c, why := l.part(part.Operation, items, users, part.Bad)
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
func (l *loading) part(operation string, items, users int, bad float64) (*campaign.Cell, string) {
	for _, shelf := range l.shelves {
		if shelf.bulk.Operation() != operation {
			continue
		}
		supply, err := shelf.of(items, int(float64(items)*bad+0.5))
		if err != nil {
			return nil, err.Error()
		}
		return l.cell(l.file.Operation(operation), supply, items, users)
	}
	return nil, fmt.Sprintf("%s is left out of this load", operation)
}
