package runner

import (
	"io"
	"time"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/mcpconform/mcpconform/target"
)

// LoadOptions say how a server is to be loaded. What a zero value means is said with
// each member; Options are those of a run, as far as load has a use for them.
type LoadOptions struct {
	Options
	Batches []int // items of a call; empty: 1, 10, 100 and 1,000
	// Largest finds, for each operation, the largest batch that is answered in full, and
	// takes that and its decades for Batches.
	Largest     bool
	Concurrency []int         // virtual users, or the most calls in flight; empty: 8
	BadShare    float64       // of the items, those that the operation must refuse
	Choice      string        // of items: one of Choices; empty: by the operation
	Rounds      int           // 0: 5
	Duration    time.Duration // measured, of each cell, all rounds together; 0: 5 s
	Warm        time.Duration // before each window, not measured; below 0: none; 0: a fifth of the window
	Think       time.Duration // of a closed loop: between an answer and the next call
	// Arrivals make the loop an open one; the zero value: a closed one.
	Arrivals Arrivals
	Verify   load.Mode
	// Workload is a mix of calls that is loaded besides; nil: the target file's, if it has
	// one. Without Batches, the cells are those of its parts.
	Workload *target.Workload
	// Search, where it is not empty, has the highest rate found at which these hold.
	Search []objective.Condition
	// Require are objectives besides those of the target file.
	Require   []objective.Objective
	MaxCalls  int     // 0: no bound but time
	MaxErrors float64 // the share of failed calls of a window that ends the run; 0: none does
	// Anew opens a connection for each call over HTTP.
	Anew bool
	// Processes gives every virtual user of a stdio server a process of its own; else
	// they share the pipe of one, with so many calls in flight.
	Processes bool
	// Floor gives a server that does next to nothing, with FloorOperation, and what ends
	// it: what the harness takes by itself is measured on it; nil: it is not.
	Floor func() (file *target.File, stop func(), err error)
	// Unguarded has figures stand although this process was busy: for a server that is
	// in the same process.
	Unguarded bool
	// Soak measures each cell in one long window, and tells what moved in its course: it
	// goes with one round.
	Soak bool
	// ServerPID is the server's process, where the load did not start it itself; 0: it is
	// not known.
	ServerPID int
	// Metrics is the URL where the server tells its own metrics in the text format of
	// Prometheus, read before and after each window; empty: nowhere. Series are those that
	// are told, by globs on the metric's name or the name with its labels; empty:
	// DefaultSeries.
	Metrics string
	Series  []string
	// OnCell is a program and its arguments, run before and after each window, with the
	// window's cell in its environment; empty: none.
	OnCell []string
	Step   func(LoadStep) // told before each window; nil: nobody is told
	// TranscriptMax bounds the sample of calls that Options.Transcript gets, in bytes of
	// requests and answers; 0: 64 MiB.
	TranscriptMax int64
	// Traceparent has every call over HTTP name a trace of its own, which follows from
	// the seed and the call's id.
	Traceparent bool
	// Live may be looked at while the load is under way; nil: nobody looks.
	Live *LoadLive
}

// What is seen of a load while it is under way.
type (
	LoadLive      = campaign.Live
	LoadSight     = campaign.Sight
	LoadCellSight = campaign.CellSight
	LoadCell      = *campaign.Cell
)

// LoadStep is a window that is about to begin.
type LoadStep = campaign.Step

// Arrivals are when the calls of an open loop come, Stage is a part of them.
type (
	Arrivals = campaign.Arrivals
	Stage    = campaign.Stage
)

// ReadArrivals reads the instants of a log's calls, for Arrivals.Replay: one a line, in
// seconds or as a time. An error names the line.
func ReadArrivals(in io.Reader) ([]time.Duration, error) { return campaign.ReadArrivals(in) }

// The ways to choose items.
const (
	ChooseUnique = "unique" // no call asks for items that another asked for, as long as there are any
	ChooseCycle  = "cycle"  // all items in turn, again and again
	ChooseSame   = "same"   // every user repeats two batches of its own
	ChooseZipf   = "zipf"   // some batches are asked for far more often than others
)

// Choices are all of them.
func Choices() []string { return []string{ChooseUnique, ChooseCycle, ChooseSame, ChooseZipf} }

func (o *LoadOptions) settle() {
	if len(o.Batches) == 0 && o.Workload == nil && !o.Largest {
		o.Batches = []int{1, 10, 100, 1000}
	}
	if len(o.Concurrency) == 0 {
		o.Concurrency = []int{8}
	}
	if o.Rounds == 0 {
		o.Rounds = 5
	}
	if o.Duration == 0 {
		o.Duration = 5 * time.Second
	}
}

// longestWarm is how long a soak is warmed up: what changes later is what it looks for.
const longestWarm = 10 * time.Second

// window is the measured time of a cell in one round, warm what comes before.
func (o *LoadOptions) window() (window, warm time.Duration) {
	window = o.Duration / time.Duration(o.Rounds)
	switch {
	case o.Arrivals.Varies():
		if length := o.Arrivals.Length(); length > 0 {
			window = length
		}
	case o.Warm > 0:
		warm = o.Warm
	case o.Warm == 0:
		warm = max(window/5, 50*time.Millisecond)
		if o.Soak {
			warm = min(warm, longestWarm)
		}
	}
	return window, warm
}
