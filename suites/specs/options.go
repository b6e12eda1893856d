package specs

import (
	"context"
	"errors"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// Options say what is tested and how.
type Options struct {
	// Target is the server under test and its operations. It is read when the
	// specs are registered; nothing is sent before the first spec runs.
	Target *target.File
	// Server, if set, is called once when the first spec is about to run, and says
	// where the server is: for a server that the suite itself starts. It may call
	// ginkgo.DeferCleanup to stop it; that happens after the last spec of the target.
	Server func(context.Context) (target.Server, error)
	// Run is how the run is made: checks, scenarios, effort, strictness. Where
	// Seed is 0 the run takes Ginkgo's random seed, so that `ginkgo --seed N`
	// repeats it. Selector, Builtin and Version are filled in where they are empty.
	Run runner.Options
	// Text names the container; empty: "mcpconform" and the target's name.
	Text string
	// Report, if set, is given the report as soon as the run has ended: to keep it
	// in a file, or to ask more of it.
	Report func(reports.Report)
}

// check says what is missing or cannot be.
func (o Options) check() error {
	if o.Target == nil {
		return errors.New("registering specs: Options.Target is nil; read a target file with target.Load, or name a server with target.FromURL")
	}
	if o.Server != nil {
		return nil
	}
	return o.Target.Reachable()
}

func (o Options) text() string {
	switch {
	case o.Text != "":
		return o.Text
	case o.Target.Name != "":
		return "mcpconform " + o.Target.Name
	}
	return "mcpconform"
}
