package runner

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// Options say how a run is to be made. The zero value plays everything of
// effort standard once, with seed 0.
type Options struct {
	Version string // of the tool, for the report
	Seed    uint64
	Effort  string // quick | standard | full; empty: standard
	Repeat  int    // how often each scenario is played; 0: once
	// Sessions and InFlight are over how many sessions calls in flight together are
	// spread, and how many each has out at once, where a scenario does not say it
	// itself; 0: the defaults of the scenarios.
	Sessions, InFlight int

	Catalogue             string          // the set of checks; empty: the target file's, else the default
	Checks, Skip          []string        // globs over check ids
	Scenarios, Operations []string        // globs
	Levels                []conform.Level // of the checks; empty: all
	// Rerun is what an earlier run left open, of which alone scenarios are played; nil:
	// everything is. See reports.Opened.
	Rerun       *conform.Rerun
	ScenarioDir string // further scenario files; empty: none
	ReadOnly    bool
	Generating  Generating
	// MaxTime is how long the run may go on before it plays no further scenario;
	// 0: as long as it takes. With it the scenarios that tell most come first.
	MaxTime time.Duration
	// Wait is how long a server at a URL is waited for until it takes
	// connections; 0: it must be there.
	Wait time.Duration
	// AllowCommands lets a target file from outside the working tree, or one that
	// names programs from outside, run commands as eyes and hands.
	AllowCommands bool
	Strict        bool
	// Profiles are client platforms to judge for besides; ServerName is what the server
	// is called there. Their errors break the run with GateProfile only.
	Profiles    []string
	ServerName  string
	GateProfile bool
	Bases       []conform.Basis // see conform.Run
	Labels      map[string]string

	Command  string // the command line for the report, without secrets
	Selector string // how a command line names the target
	Builtin  bool   // the target is the demonstration backend

	Secrets       []Secret // besides those of the target file
	SecretHeaders []string // header names whose values are secret
	Transcript    io.Writer
	sample        *conform.Sample // what it holds of a load; nil: it is whole
	Started       time.Time       // wall clock; zero: now

	// Evidence is how much of the server's words the report quotes.
	Evidence reports.Evidence
	// Progress is told before each scenario; nil: nobody is told.
	Progress func(Progress)
	// Writing is told before the first write to a host that is not this machine;
	// nil: nobody is told.
	Writing func(Writing)
	// Interrupted is given the partial report as soon as the context ends,
	// before anything is put back; nil: nobody is told.
	Interrupted func(reports.Report)
	// PuttingBack is told by whom things will be put back after an interruption.
	PuttingBack func(what string)
	// LeftBehind is told what could not be put back after it.
	LeftBehind func([]reports.LeftBehind)
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int
	Now         string // "partial/bad-first on cancel-products"
}

// runID is a short id made from the seed, so that a repeated run sends the same
// bytes. It goes into templates as {run} and into idempotency keys.
func runID(seed uint64) string {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "run %d", seed)
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	id := make([]byte, 6)
	for i, n := 0, sum.Sum64(); i < len(id); i, n = i+1, n/uint64(len(letters)) {
		id[i] = letters[n%uint64(len(letters))]
	}
	return string(id)
}

// catalogue is the name of the set that was asked for; empty: none was.
func (o Options) catalogue(file *target.File) string { return cmp.Or(o.Catalogue, file.Catalogue) }

func (o Options) header(t conform.Target, started time.Time) conform.Header {
	effort := o.Effort
	if effort == "" {
		effort = "standard"
	}
	t.Selector, t.Builtin = o.Selector, o.Builtin
	return conform.Header{
		Schema: conform.TranscriptSchema,
		Tool:   conform.Tool{Version: o.Version},
		Run: conform.Run{
			ID: runID(o.Seed), Started: started.UTC().Truncate(time.Millisecond), Seed: o.Seed, Effort: effort, Repeat: max(1, o.Repeat),
			Sessions: o.Sessions, InFlight: o.InFlight,
			Command: o.Command, Labels: o.Labels, Checks: o.Checks, Skip: o.Skip, Scenarios: o.Scenarios, Operations: o.Operations, Levels: o.Levels, Rerun: o.Rerun,
			Strict: o.Strict, Bases: o.Bases, ReadOnly: o.ReadOnly, Replay: o.Generating.replay(),
			Profiles: o.Profiles, ServerName: o.ServerName, GateProfile: o.GateProfile,
		},
		Environment: environment(),
		Target:      t,
		Sample:      o.sample,
	}
}
