package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/scenarios"
)

type runFlags struct {
	target    targetFlags
	output    outputFlags
	seed      uint64
	effort    string
	catalogue string
	checks    globs
	skip      globs
	level     globs
	scenario  globs
	operation globs
	rerun     string
	scenarios string
	repeat    int
	sessions  int
	inFlight  int
	readOnly  bool
	maxTime   time.Duration
	wait      time.Duration
	commands  bool
	strict    bool
	basis     []string
	labels    []string
	record    string
	call      bool
	baseline  string
	generate  generateFlags
	profiles  []string
	server    string
	gate      bool
	allowed   string
}

func newRun(w world) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [--target FILE | --url URL | -- CMD ARG...]",
		Short: "Connect, play the scenarios, judge every answer, measure, report",
		Long: `run connects to a server, plays the scenarios, judges every answer by the
results[] contract, measures a short sweep of batch sizes, and reports.

Without a target it starts the built-in demonstration backend and runs against
that, so that you see everything work. With --url or -- CMD alone it calls
nothing but list methods, and says what mcpconform init would add.`,
		Example: `  mcpconform run
  mcpconform run --target accounts.yaml
  mcpconform run --target accounts.yaml --url http://127.0.0.1:8080/mcp
  mcpconform run --target accounts.yaml -- node dist/server.js
  mcpconform run --target builtin:server-memory --output junit=report.xml`,
		RunE: func(cmd *cobra.Command, args []string) error { return runMain(cmd, args, f, w) },
	}
	f.target.declare(cmd)
	f.output.declare(cmd)
	f.declarePlay(cmd)
	f.generate.declare(cmd)
	flags := cmd.Flags()
	flags.Var(&f.checks, "checks", "judge only the checks that match `GLOB`, or one in @FILE (repeatable)")
	flags.Var(&f.skip, "skip", "leave out the checks that match `GLOB`, or one in @FILE (repeatable)")
	flags.Var(&f.level, "level", "judge only the checks of `LEVEL`: MUST, SHOULD or MAY (repeatable)")
	flags.BoolVar(&f.commands, "allow-commands", false, "run the commands of a target file (probe, reset, …) although they are not of the working tree")
	flags.BoolVar(&f.strict, "strict", false, "a failed SHOULD makes the server nonconformant")
	flags.StringSliceVar(&f.basis, "basis", nil, "bases whose MUSTs count (`LIST` of seed, documented, tested, code, issue, third-party, inferred); others become warnings")
	flags.StringArrayVar(&f.labels, "label", nil, "a label for the report, `K=V` (repeatable)")
	flags.BoolVar(&f.call, "call-read-only", false, "without a target file: guess the operations, and play those that only read by the server's word")
	flags.StringVar(&f.baseline, "baseline", "", "known failures: exit 1 for what is not in `FILE`, or no longer so (see mcpconform baseline)")
	flags.StringSliceVar(&f.profiles, "profile", nil, "also say what works on the client platforms of `LIST` (see mcpconform profile --list)")
	flags.StringVar(&f.server, "server-name", "", "the `NAME` that the server has in a client's configuration, for --profile")
	flags.StringVar(&f.allowed, "allowed-tools", "", "play as a client with the allow-list `FILE` would: its tools only, with the parameters that it sets (see docs/profiles.md)")
	flags.BoolVar(&f.gate, "gate-profile", false, "an error on a platform of --profile makes the run nonconformant")
	flags.StringVar(&f.record, "transcript", "", "write everything sent and received to `FILE` (JSON Lines), for `mcpconform judge`")
	return cmd
}

// declarePlay declares what decides which scenarios are played.
func (f *runFlags) declarePlay(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "repeat a run: the same plan and the same bytes (default: a new one, reported)")
	flags.StringVar(&f.effort, "effort", "standard", "quick, standard or full: how many sizes and positions are played")
	flags.Var(&f.scenario, "scenario", "play only scenarios that match `GLOB`: name or name/variant, or one in @FILE (repeatable)")
	flags.Var(&f.operation, "operation", "play only operations that match `GLOB`, or one in @FILE (repeatable)")
	flags.StringVar(&f.rerun, "rerun", "", "play only what failed or was inconclusive in the report `FILE` (JSON), with its seed and effort")
	flags.StringVar(&f.scenarios, "scenarios", "", "add the scenario files of `DIR`")
	flags.IntVar(&f.repeat, "repeat", 1, "play every scenario `N` times")
	flags.IntVar(&f.sessions, "sessions", scenarios.DefaultSessions, "spread calls in flight together over `N` sessions, in scenarios that use several")
	flags.IntVar(&f.inFlight, "in-flight", scenarios.DefaultInFlight, "have `N` calls of each session in flight, in scenarios that do not say how many")
	flags.DurationVar(&f.maxTime, "max-time", 0, "play no further scenario after this time; those that tell most come first")
	flags.DurationVar(&f.wait, "wait", 0, "wait so long for a server at a URL to take connections")
	flags.StringVar(&f.catalogue, "catalogue", "", "judge by the catalogue `SET` (default: the target file's, else the newest)")
	flags.BoolVar(&f.readOnly, "read-only", false, "play no operation that writes")
}

func runMain(cmd *cobra.Command, args []string, f runFlags, w world) error {
	opts, err := f.options(cmd, w)
	if err != nil {
		return err
	}
	before, err := f.again(cmd, &opts)
	if err != nil {
		return err
	}
	known, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	out, err := f.output.open(w)
	if err != nil {
		return err
	}
	reach, err := f.target.reach(cmd, args, w, f.strict)
	if err != nil {
		return err
	}
	defer reach.close()
	if known != nil && reach.file.Demonstration {
		return usage(errors.New("--baseline is given without a target"), "name the server with --target FILE: the built-in demonstration backend breaks no rule")
	}
	if err := sameTarget(before, reach.builtin); err != nil {
		return err
	}
	opts.Selector, opts.Builtin, opts.Secrets = reach.selector, reach.builtin, reach.secrets
	opts.SecretHeaders = reach.secretHeaders
	opts.Command = reach.commandLine(w.args)
	if opts.Evidence, err = f.output.evidence(); err != nil {
		return err
	}

	if f.record != "" {
		file, err := openTranscript(f.record)
		if err != nil {
			return err
		}
		defer file.Close()
		opts.Transcript = file
	}
	if err := f.playAllowed(&reach, &opts); err != nil {
		return err
	}
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	if f.call {
		if err := guess(ctx, &reach, opts, w); err != nil {
			return err
		}
	}
	if err := f.generate.apply(&opts); err != nil {
		return err
	}
	view := newProgress(w, f.output.quiet, f.output.verbose)
	opts.Progress = view.show
	opts.Writing = func(what runner.Writing) { fmt.Fprintln(w.err, reports.Shown(what.String())) } // before the first step of progress
	written := false
	opts.Interrupted = func(r reports.Report) {
		view.end()
		fmt.Fprintln(w.err, "interrupted: the report below is partial")
		out.write(r)
		written = true
	}
	opts.PuttingBack = func(what string) { fmt.Fprintf(w.err, "putting back for at most 5 s: %s\n", reports.Shown(what)) }
	opts.LeftBehind = func(left []reports.LeftBehind) { tellLeft(w.err, left) }
	report, err := runner.Run(ctx, reach.file, opts)
	view.end()
	if err != nil {
		return runError(located(err, f.globs()))
	}
	for _, unmet := range report.Unmasked {
		fmt.Fprintln(w.err, "warning: "+reports.Shown(unmet.String()))
	}
	if err := f.generate.keep(w); err != nil {
		return err
	}
	if known != nil {
		known.Apply(&report, time.Now())
	}
	if !written {
		if err := out.write(report); err != nil {
			return err
		}
	}
	var by signalled
	if errors.As(context.Cause(ctx), &by) {
		return &exitError{code: by.code()}
	}
	return status(report, reach)
}

// status is the exit status of a report, with a hint where one helps.
func status(r reports.Report, reach reached) error {
	code := r.ExitCode()
	if code == 0 {
		return nil
	}
	e := &exitError{code: code}
	if code == reports.ExitUnreachable {
		e.cause = errors.New(reports.Shown(r.Run.Cause)) // in one line: a server may have worded it
		e.hint = reach.hint(r.Run.Ended, r.Run.Cause)
	}
	return e
}

// runError sorts an error of the runner: a wrong word of the user's, or a fault
// of ours.
func runError(err error) error {
	var wrong *runner.UsageError
	if errors.As(err, &wrong) {
		return usage(err, wrong.Hint)
	}
	return &exitError{code: exitInternal, cause: err}
}

func (f runFlags) options(cmd *cobra.Command, w world) (runner.Options, error) {
	o := runner.Options{
		Version: version(), Seed: f.seed, Effort: f.effort, Repeat: f.repeat, ReadOnly: f.readOnly, AllowCommands: f.commands,
		Catalogue: f.catalogue, Checks: f.checks.list, Skip: f.skip.list, Scenarios: f.scenario.list, Operations: f.operation.list,
		MaxTime: f.maxTime, Wait: f.wait,
		Sessions: f.sessions, InFlight: f.inFlight,
		ScenarioDir: f.scenarios, Strict: f.strict, Started: time.Now(),
	}
	if err := f.chooseProfiles(&o); err != nil {
		return o, err
	}
	if !cmd.Flags().Changed("seed") {
		// Small enough to be typed again.
		o.Seed = uint64(rand.Uint32N(900_000) + 100_000)
	}
	switch f.effort {
	case "quick", "standard", "full":
	default:
		return o, usage(fmt.Errorf("--effort %q is none of quick, standard, full", f.effort), "")
	}
	if f.repeat < 1 || f.repeat > 1000 {
		return o, usage(fmt.Errorf("--repeat %d is not between 1 and 1000", f.repeat), "")
	}
	if f.sessions < 1 || f.sessions > scenarios.MostSessions {
		return o, usage(fmt.Errorf("--sessions %d is not between 1 and %d", f.sessions, scenarios.MostSessions), "")
	}
	if most := scenarios.MostTogether; f.inFlight < 1 || f.inFlight > most {
		return o, usage(fmt.Errorf("--in-flight %d is not between 1 and %d", f.inFlight, most), "")
	}
	if most := scenarios.MostTogether; f.sessions*f.inFlight > most {
		return o, usage(fmt.Errorf("--sessions %d with --in-flight %d are %d calls at once, and %d are the most", f.sessions, f.inFlight, f.sessions*f.inFlight, most), "")
	}
	if !cmd.Flags().Changed("sessions") {
		o.Sessions = 0
	}
	if !cmd.Flags().Changed("in-flight") {
		o.InFlight = 0
	}
	for _, name := range []string{"max-time", "wait"} {
		if d, _ := cmd.Flags().GetDuration(name); d < 0 || d == 0 && cmd.Flags().Changed(name) { // it is a flag for a duration
			return o, usage(fmt.Errorf("--%s %s is not above 0", name, d), "write it like 30s or 5m")
		}
	}
	for _, name := range f.basis {
		b, err := basis(name)
		if err != nil {
			return o, err
		}
		o.Bases = append(o.Bases, b)
	}
	var err error
	if o.Levels, err = f.levels(); err != nil {
		return o, err
	}
	o.Labels, err = labels(f.labels)
	return o, err
}

func basis(name string) (conform.Basis, error) {
	known := []conform.Basis{conform.Seed, conform.Documented, conform.Tested, conform.Code, conform.Issue, conform.ThirdParty, conform.Inferred}
	for _, b := range known {
		if string(b) == name {
			return b, nil
		}
	}
	return "", usage(fmt.Errorf("--basis %q is none of seed, documented, tested, code, issue, third-party, inferred", name), "")
}
