package runner

import (
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
)

// unitOf begins the name of a row that is about an operation's unit tool.
const unitOf = reports.UnitOf

// units adds a cell for the unit tool of each operation that has one, for each
// concurrency: what one item costs without a batch.
func (l *loading) units() {
	if len(l.o.Batches) == 0 && !l.o.Largest {
		return // only the calls of a workload are asked for
	}
	for _, shelf := range l.shelves {
		if !shelf.bulk.Units() {
			continue
		}
		supply, err := shelf.of(1, 0)
		if err != nil {
			continue // told of the batches
		}
		supply.unit = true
		op := l.file.Operation(shelf.bulk.Operation())
		for _, users := range l.o.Concurrency {
			if c, why := l.cell(op, supply, 1, users); why == "" {
				c.Operation, c.Plain = unitOf+op.Name, true
				l.cells = append(l.cells, c)
			}
		}
	}
}

// compared puts what single calls take beside what one batch takes: so many calls of the
// unit tool one after the other, at its median, against one call of the batch.
func (l *loading) compared(to *reports.Load) {
	median := func(c *campaign.Cell) (float64, bool) {
		medians := c.Rounds.Medians()
		return measure.Median(medians), len(medians) > 0
	}
	for _, unit := range l.cells {
		single, ok := median(unit)
		if !unit.Plain || !ok {
			continue
		}
		for _, c := range l.cells {
			if unitOf+c.Operation != unit.Operation || c.Concurrency != unit.Concurrency {
				continue
			}
			if batch, ok := median(c); ok && batch > 0 {
				to.Units = append(to.Units, reports.UnitRow{
					Operation: c.Operation, BatchSize: c.Batch, Concurrency: c.Concurrency, BatchMS: batch, SinglesMS: single * float64(c.Batch), Ratio: single * float64(c.Batch) / batch,
				})
			}
		}
	}
}
