package runner

import (
	"context"
	"fmt"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/target"
)

// upTo finds the largest batch that an operation answers in full, and gives it and the
// decades below it.
func (l *loading) upTo(ctx context.Context, shelf *shelf, op *target.Operation) []int {
	most, by := shelf.bulk.MostItems()
	why := ""
	largest := largest(most, func(items int) bool {
		ok, problem := l.inFull(ctx, shelf, op, items)
		if !ok {
			why = problem
		}
		return ok
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case largest == 0:
		l.notes = append(l.notes, fmt.Sprintf("%s answers no batch in full, not one of a single item: %s", op.Name, why))
		return []int{1}
	case largest == most:
		l.notes = append(l.notes, fmt.Sprintf("%s answers a batch of %d items in full: there are no larger ones (%s)", op.Name, most, by))
	default:
		l.notes = append(l.notes, fmt.Sprintf("%s answers batches of up to about %d items in full; beyond: %s", op.Name, largest, why))
	}
	var sizes []int
	for n := 1; n < largest; n *= 10 {
		sizes = append(sizes, n)
	}
	return append(sizes, largest)
}

// largest finds the largest number up to most that is full, to a tenth of it: by decades
// up, then between.
func largest(most int, full func(int) bool) int {
	low, high := 0, 0
	for n := 1; high == 0; n *= 10 {
		n = min(n, most)
		if !full(n) {
			high = n
		} else if low = n; n == most {
			return most
		}
	}
	for high-low > max(1, low/10) {
		if middle := (low + high) / 2; full(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// inFull makes one call of a size, and tells whether the checks find it all right.
func (l *loading) inFull(ctx context.Context, shelf *shelf, op *target.Operation, items int) (ok bool, why string) {
	supply, err := shelf.of(items, 0)
	if err != nil {
		return false, err.Error()
	}
	sources, err := supply.Sources(1)
	if err != nil {
		return false, err.Error()
	}
	v, err := l.bench.Try(ctx, sources[0])
	if supply.Spends() && op.Reset != nil {
		l.askings++
		if l.reset(ctx, op.Name, fmt.Sprintf("load/largest/reset.%d", l.askings), "load") {
			shelf.restocked()
		}
	}
	switch {
	case err != nil:
		return false, err.Error()
	case v.Outcome == load.OK:
		return true, ""
	case len(v.Rules) > 0:
		return false, "the answer breaks " + v.Rules[0]
	}
	return false, v.Why
}
