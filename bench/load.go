package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// figures are what one measurement gave; 0: it does not tell.
type figures struct {
	Calls, Rate float64 // calls counted, and a second
	CPU         float64 // of the client, µs a call
	Share       float64 // of the client, of its processor time and the server's together
	Allocations float64 // a call
	Held        float64 // by a tally, in bytes
	Growth      float64 // of a tally, in bytes
	Lag         float64 // of the pacer, 99th percentile, ms
	Latency     measure.Quantiles
	Limit       string // why the figures are those of the client and not the server's
}

// plan says how our load is to be used.
type plan struct {
	URL     string
	Command []string // of a server over stdio
	Server  int      // process id of the one at URL; 0: it is not known
	Backend bool     // it is the fake backend, and not the bare server
	Batch   int
	Users   int
	Rate    float64 // of an open loop
	For     time.Duration
	Warm    time.Duration
	Windows int    // 0: one. With two the server's processor time is known, with three allocations
	Profile string // a file for the profile of the processor
}

// The tools of the bare server and of the fake backend, as target files.
const (
	bareTarget = `version: 1
operations:
  query:
    tool: query
    effect: read
    input: {argument: items}
    items: {good: {template: {id: "B{n}"}, count: 900000}}
`
	backendTarget = `version: 1
operations:
  query-orders:
    tool: query_orders
    effect: read
    input: {argument: order_ids}
    items: {good: {template: "OB{n}", count: 50000}}
`
)

// items are the ids that our load asks the bare server for first.
func items(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("B%06d", 100_000+i)
	}
	return ids
}

func (p *plan) target() (*target.File, error) {
	text := bareTarget
	if p.Backend {
		text = backendTarget
	}
	file, err := target.Parse("bench.yaml", []byte(text), os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return file.WithServer(target.Server{URL: p.URL, Command: p.Command}), nil
}

// useLoad uses our load as `mcpconform load` does, and gives what its report says.
func useLoad(p plan) (figures, error) {
	file, err := p.target()
	if err != nil {
		return figures{}, err
	}
	o := runner.LoadOptions{
		Options: runner.Options{Version: "bench", Seed: 1, Started: time.Now()},
		Batches: []int{p.Batch}, Concurrency: []int{p.Users}, Choice: runner.ChooseSame,
		Rounds: max(p.Windows, 1), Duration: time.Duration(max(p.Windows, 1)) * p.For, Warm: p.Warm,
	}
	if p.Rate > 0 {
		o.Arrivals = runner.Arrivals{Stages: []runner.Stage{{From: p.Rate, To: p.Rate}}}
	}
	var theirs []processorTime // as each window began
	var mallocs []uint64
	o.Step = func(runner.LoadStep) {
		if len(theirs) < 2 { // more are not wanted, and would be among the allocations
			theirs = append(theirs, spent(p.Server))
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		mallocs = append(mallocs, m.Mallocs)
	}
	if p.Profile != "" {
		to, err := os.Create(p.Profile)
		if err != nil {
			return figures{}, err
		}
		defer to.Close()
		if err := pprof.StartCPUProfile(to); err != nil {
			return figures{}, err
		}
		defer pprof.StopCPUProfile()
	}
	report, err := runner.Load(context.Background(), file, o)
	if err != nil {
		return figures{}, err
	}
	f, err := told(report)
	if err != nil {
		return figures{}, err
	}
	row := report.Performance[0]
	if len(theirs) > 1 {
		own := row.Generator.CPUShare * (p.For + p.Warm).Seconds()
		if server := theirs[1].since(theirs[0]); server > 0 {
			f.Share = own / (own + server)
		}
	}
	if len(mallocs) > 2 {
		f.Allocations = float64(mallocs[2]-mallocs[1]) / (f.Calls / float64(len(mallocs)))
	}
	return f, nil
}

// told are the figures of a report. One in which not every answer was right has none.
func told(r reports.Report) (figures, error) {
	if len(r.Performance) != 1 {
		return figures{}, fmt.Errorf("%s: there are %d rows: %s", r.VerdictLine, len(r.Performance), r.Run.Cause)
	}
	row := r.Performance[0]
	if row.OK != row.Calls || row.CallsPerSecond == nil || row.Calls == 0 {
		return figures{}, fmt.Errorf("%d of %d calls were right: %s", row.OK, row.Calls, r.VerdictLine)
	}
	f := figures{Calls: float64(row.Calls), Rate: *row.CallsPerSecond, Lag: row.Generator.LagP99MS, Latency: row.Latency}
	f.CPU = row.Generator.CPUShare / f.Rate * 1e6
	if !row.Generator.Valid {
		f.Limit = strings.Join(row.Warnings, "; ")
	}
	return f, nil
}
