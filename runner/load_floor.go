package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/target"
)

// FloorOperation is the operation of the floor server that is loaded: it reads.
const FloorOperation = "query-orders"

// The floor is measured in one short window for each batch size and concurrency.
const (
	floorWindow = 300 * time.Millisecond
	floorWarm   = 60 * time.Millisecond
)

// leastFloor is how many calls make a floor; a row that is noFloor times as fast shows
// that it was none.
const (
	leastFloor = 100
	noFloor    = 1.2
)

// atFloor is the share of the floor's rate from which on a row says more of this machine
// than of the server.
const atFloor = 0.8

// floored measures what the harness and this machine take by themselves: the same
// batches and users against a server that does next to nothing.
func (l *loading) floored(ctx context.Context) {
	if l.o.Floor == nil {
		return
	}
	file, stop, err := l.o.Floor()
	if err == nil {
		defer stop()
		err = l.measureFloor(ctx, file)
	}
	if err != nil && ctx.Err() == nil {
		l.notes = append(l.notes, "the floor was not measured: "+err.Error())
	}
}

func (l *loading) measureFloor(ctx context.Context, file *target.File) error {
	o := LoadOptions{
		Options:     Options{Seed: l.o.Seed, Operations: []string{FloorOperation}, Version: l.o.Version},
		Concurrency: l.o.Concurrency, Choice: ChooseCycle, Rounds: 1, Duration: floorWindow, Warm: floorWarm, Verify: l.o.Verify, Unguarded: true,
	}
	for _, c := range l.cells {
		o.Batches = append(o.Batches, c.Batch)
	}
	report, err := Load(ctx, file, o)
	if err != nil {
		return err
	}
	if report.Run.Cause != "" {
		return fmt.Errorf("%s", report.Run.Cause)
	}
	l.floor = map[[2]int]*measure.Floor{}
	for _, row := range report.Performance {
		if row.OK >= leastFloor && row.CallsPerSecond != nil {
			l.floor[[2]int{row.BatchSize, row.Concurrency}] = &measure.Floor{P50MS: row.Latency.P50, CallsPerSecond: *row.CallsPerSecond}
		}
	}
	return nil
}

// above puts the floor beside a row, and says where the row is not clear of it.
func (l *loading) above(row *measure.Performance) {
	floor := l.floor[[2]int{row.BatchSize, row.Concurrency}]
	if floor == nil || row.CallsPerSecond != nil && *row.CallsPerSecond > noFloor*floor.CallsPerSecond {
		return
	}
	row.Loaded.Floor = floor
	if row.Mode == measure.ModeClosed && row.CallsPerSecond != nil && *row.CallsPerSecond > atFloor*floor.CallsPerSecond {
		row.Generator.Valid = false
		row.Doubt("a server that does nothing is called %.3g times a second from here, and this one %.3g: mcpconform and this machine are the limit", floor.CallsPerSecond, *row.CallsPerSecond)
	}
}
