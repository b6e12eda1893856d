package specs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// play is the one run behind the specs of a target.
type play struct {
	options  Options
	subjects []subject
	progress atomic.Pointer[runner.Progress]

	report     reports.Report
	told       map[key]word
	verdictRan bool // the spec "verdict" was not filtered out
}

// key finds what the run says of one subject.
type key struct{ id, operation string }

// word is what the run says of one subject: a finding, or why the rule has no
// meaning here. The zero value is silence.
type word struct {
	finding *conform.Finding
	absent  *conform.NotApplicable
}

// run makes the run. seed is taken where the options name none. The error is the
// one cause for which nothing can be said of any rule.
func (p *play) run(ctx context.Context, seed uint64) error {
	file, run := p.options.Target, p.options.Run
	if p.options.Server != nil {
		server, err := p.options.Server(ctx)
		if err != nil {
			return fmt.Errorf("starting the server under test: %w", err)
		}
		file = file.WithServer(server)
	}
	if run.Seed == 0 {
		run.Seed = seed
	}
	if run.Version == "" {
		run.Version = version()
	}
	run.Builtin = run.Builtin || file.Demonstration
	if run.Selector == "" && !run.Builtin {
		run.Selector = selector(file, p.options.Server != nil)
	}
	if run.Command == "" {
		run.Command = "go test" // the flags of the test binary may hold anything
	}
	then := run.Progress
	run.Progress = func(now runner.Progress) {
		p.progress.Store(&now)
		if then != nil {
			then(now)
		}
	}
	report, err := runner.Run(ctx, file, run)
	if err != nil {
		return fmt.Errorf("running the scenarios: %w", err)
	}
	if err := p.take(report); err != nil {
		return err
	}
	if p.options.Report != nil {
		p.options.Report(report)
	}
	if report.ExitCode() == reports.ExitUnreachable {
		return errors.New(unreached(report))
	}
	return nil
}

// unreached says once why nothing could be asked.
func unreached(r reports.Report) string {
	line := r.VerdictLine
	if !strings.Contains(line, r.Run.Cause) {
		line += ": " + r.Run.Cause
	}
	return reports.Shown(line)
}

// take sorts what the report says by its specs. What no spec would tell of is an
// error: a finding must not get lost.
func (p *play) take(report reports.Report) error {
	p.report, p.told = report, map[key]word{}
	for i := range report.Findings {
		f := &report.Findings[i]
		p.told[key{f.ID, f.Operation}] = word{finding: f}
	}
	for i := range report.NotApplicable {
		n := &report.NotApplicable[i]
		p.told[key{n.ID, n.Operation}] = word{absent: n}
	}
	registered := map[key]bool{}
	for _, s := range p.subjects {
		registered[key{s.ID, s.operation}] = true
	}
	for k := range p.told {
		if !registered[k] {
			return fmt.Errorf("the run speaks of %s on %q, for which there is no spec: this is a fault of mcpconform, please report it", k.id, k.operation)
		}
	}
	return nil
}

// now says how far the run is, for Ginkgo's progress reports.
func (p *play) now() string {
	now := p.progress.Load()
	if now == nil {
		return "mcpconform: connecting to the server under test"
	}
	return fmt.Sprintf("mcpconform: scenario %d of %d: %s", now.Done+1, now.Total, now.Now)
}

// version names the version of this module that the test binary was built with.
func version() string {
	const module = "github.com/mcpconform/mcpconform"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Replace == nil && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}
