package runner

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/exposition"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/process"
)

// DefaultSeries are the metrics that are told unless others are named: those that the
// client libraries of Prometheus give every process.
var DefaultSeries = []string{"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"}

// Bounds of what is asked around a window.
const (
	metricsTimeout = 2 * time.Second
	mostMetrics    = 1 << 20 // bytes of a page
	mostSeries     = 64
	onCellTimeout  = 10 * time.Second
)

// The events that a program of Options.OnCell is told.
const (
	eventBegin = "begin"
	eventEnd   = "end"
)

// around runs the program of OnCell and reads the server's metrics before a window,
// and the other way round after it. Whatever fails there is a note, and never the
// server's fault.
func (l *loading) around(ctx context.Context, c *campaign.Cell, round int) (after func(calls int) measure.Readings) {
	l.onCell(ctx, c, round, eventBegin)
	before := l.metrics(ctx)
	return func(calls int) measure.Readings {
		read := readings(before, l.metrics(ctx), calls)
		// A profiler is ended also when the load is interrupted.
		l.onCell(context.WithoutCancel(ctx), c, round, eventEnd)
		return read
	}
}

// onCell runs the program, if there is one.
func (l *loading) onCell(ctx context.Context, c *campaign.Cell, round int, event string) {
	if len(l.o.OnCell) == 0 || ctx.Err() != nil {
		return
	}
	cell := []string{
		"MCPCONFORM_CELL=" + c.Operation, "MCPCONFORM_BATCH=" + strconv.Itoa(c.Batch), "MCPCONFORM_CONCURRENCY=" + strconv.Itoa(c.Concurrency),
		"MCPCONFORM_ROUND=" + strconv.Itoa(round), "MCPCONFORM_EVENT=" + event,
	}
	if l.serverPID > 0 {
		cell = append(cell, "MCPCONFORM_SERVER_PID="+strconv.Itoa(l.serverPID))
	}
	if err := process.Run(ctx, l.o.OnCell, cell, onCellTimeout); err != nil && ctx.Err() == nil {
		l.trouble(fmt.Sprintf("--on-cell %s at %s: %v", l.o.OnCell[0], event, err))
	}
}

// metrics reads the series that were asked for, by name; nil: they could not be read.
func (l *loading) metrics(ctx context.Context) map[string]exposition.Sample {
	if l.o.Metrics == "" || ctx.Err() != nil {
		return nil
	}
	samples, err := l.scrape(ctx)
	if err != nil {
		if ctx.Err() == nil {
			l.trouble("the server's metrics could not be read: " + err.Error())
		}
		return nil
	}
	globs := l.o.Series
	if len(globs) == 0 {
		globs = DefaultSeries
	}
	chosen := map[string]exposition.Sample{}
	left := 0
	for _, s := range samples {
		switch {
		case !slices.ContainsFunc(globs, func(glob string) bool { return takes(glob, s) }):
		case len(chosen) == mostSeries:
			left++
		default:
			chosen[s.Series()] = s
		}
	}
	if left > 0 {
		l.trouble(fmt.Sprintf("%d further series of the server's metrics are left out, %d are the most: --server-series names fewer", left, mostSeries))
	}
	if len(chosen) == 0 {
		l.trouble(fmt.Sprintf("the server's metrics have no series of those that are asked for, among %d: --server-series names others", len(samples)))
	}
	return chosen
}

func takes(glob string, s exposition.Sample) bool {
	if glob == s.Series() {
		return true
	}
	matched, err := path.Match(glob, s.Name)
	return err == nil && matched
}

func (l *loading) scrape(ctx context.Context) ([]exposition.Sample, error) {
	page, err := l.asideFor().Request(ctx, "GET", l.o.Metrics, []conform.HeaderField{{Name: "Accept", Value: "text/plain;version=0.0.4"}}, nil, metricsTimeout)
	switch {
	case err != nil:
		return nil, err
	case len(page) > mostMetrics:
		return nil, fmt.Errorf("the page is longer than %d bytes", mostMetrics)
	}
	samples, err := exposition.Parse(string(page))
	if err != nil {
		return nil, fmt.Errorf("they are not in the text format of Prometheus: %w", err)
	}
	if len(samples) == 0 {
		return nil, errors.New("the page is empty")
	}
	return samples, nil
}

// readings are the series that are there before and after; a counter that came to be
// meanwhile began at 0.
func readings(before, after map[string]exposition.Sample, calls int) measure.Readings {
	read := measure.Readings{Calls: calls}
	if before == nil {
		return read
	}
	for name, s := range after {
		read.Each = append(read.Each, measure.Reading{Name: name, Counter: s.Counter, Before: before[name].Value, After: s.Value})
	}
	return read
}

// trouble notes what failed around a window, once.
func (l *loading) trouble(note string) {
	if note = string(l.shown([]byte(note))); !slices.Contains(l.notes, note) {
		l.notes = append(l.notes, note)
	}
}
