package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

type loadFlags struct {
	target      targetFlags
	output      outputFlags
	seed        uint64
	operation   globs
	batch       []string
	concurrency []int
	mix         string
	items       string
	rounds      int
	duration    time.Duration
	warm        time.Duration
	think       time.Duration
	rate        string
	arrivals    string
	verify      string
	maxCalls    int
	maxErrors   string
	require     []string
	slo         string
	workload    string
	floor       bool
	processes   bool
	anew        bool
	server      serverFlags
	export      exportFlags
	record      recordFlags
	soak        time.Duration
	confirm     []string
	wait        time.Duration
	commands    bool
	readOnly    bool
	catalogue   string
	labels      []string
}

func newLoad(w world) *cobra.Command {
	f := loadFlags{target: targetFlags{apart: true}}
	cmd := &cobra.Command{
		Use:   "load [--target FILE [--url URL | -- CMD ARG...]]",
		Short: "Latency and throughput per batch size and concurrency, every answer judged",
		Long: `load calls the operations of a target file under load, for each batch size and
concurrency, and judges every answer: a wrong one is counted as wrong, and improves
no latency.

In a closed loop (the default) so many virtual users call, wait for the answer, and
call again. With --rate calls are made at the instants of a plan, whatever the server
does, and latency counts from when a call was due: a server that stalls is seen.

Without a target it starts the built-in demonstration backend in a process of its
own, and loads that.`,
		Example: `  mcpconform load
  mcpconform load --target accounts.yaml --batch 1,10,100 --concurrency 1,8,64
  mcpconform load --target accounts.yaml --operation query-orders --rate 200 --arrivals poisson
  mcpconform load --target accounts.yaml --rate 100..1000 --duration 60s
  mcpconform load --target builtin:server-memory --batch 1,10,100 --concurrency 4`,
		RunE: func(cmd *cobra.Command, args []string) error { return loadMain(cmd, args, f, w) },
	}
	f.target.declare(cmd)
	f.output.declare(cmd)
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "repeat a run: the same order of cells, the same items, the same arrivals (default: a new one, reported)")
	flags.Var(&f.operation, "operation", "load only operations that match `GLOB`, or one in @FILE (repeatable)")
	flags.StringSliceVar(&f.batch, "batch", nil, "items of a call, `N,N,…` (default 1,10,100,1000); auto finds the largest that is answered in full")
	flags.IntSliceVar(&f.concurrency, "concurrency", nil, "virtual users, `N,N,…`; with --rate the most calls in flight (default 8; with --rate 64)")
	flags.StringVar(&f.mix, "mix", "", "which items: good=0.9,bad=0.1 has every tenth item be one that the operation must refuse")
	flags.StringVar(&f.items, "items", "", "how items are chosen: "+strings.Join(runner.Choices(), ", ")+" (default unique where calls use items up, else cycle)")
	flags.IntVar(&f.rounds, "rounds", 0, "how often each cell is measured, with the other cells between (default 5; 3 of the built-in backend)")
	flags.DurationVar(&f.duration, "duration", 0, "how long each cell is measured, all rounds together (default 5s; 1.5s of the built-in backend)")
	flags.DurationVar(&f.warm, "warm-up", 0, "how long each round's calls are made before they count (default a fifth of the round)")
	flags.DurationVar(&f.think, "think", 0, "how long a user waits between an answer and its next call (closed loop)")
	flags.StringVar(&f.rate, "rate", "", "calls a second, whatever the server does: `R`, a ramp R..R, or stages 10s@100,20s@100..500 (open loop)")
	flags.StringVar(&f.arrivals, "arrivals", "constant", "how the calls of --rate come: constant, poisson, or bursts:N; or FILE.csv, whose lines begin with the times of a log's calls, which are replayed")
	flags.StringVar(&f.verify, "verify", "memo", "memo: an answer of the same bytes as one judged before is as right; full: every row is read every time; sample:K: so for every K-th call of a user")
	flags.StringVar(&f.workload, "workload", "", "load a mix of calls besides, from `FILE` (default: the target file's workload)")
	flags.StringVar(&f.slo, "slo", "", "find the highest rate at which `CONDITIONS` hold, like p99=200ms,errors=0.1%,wrong=0; --duration is then that of one step")
	flags.StringArrayVar(&f.require, "require", nil, "an objective, like `'cancel-products batch=100 p95<=800ms wrong=0'`: broken is exit status 1 (repeatable)")
	flags.BoolVar(&f.floor, "floor", true, "measure first what mcpconform itself takes, against a server that does next to nothing")
	flags.IntVar(&f.maxCalls, "max-calls", 0, "end after so many calls")
	flags.StringVar(&f.maxErrors, "max-errors", "", "end when more than this share of a round's calls failed: `5%`")
	flags.BoolVar(&f.anew, "new-connections", false, "over HTTP: a connection for each call, instead of one for each user")
	flags.BoolVar(&f.processes, "processes", false, "over stdio: a process for each user, instead of one that all share")
	f.server.declare(cmd)
	f.export.declare(cmd)
	f.record.declare(cmd)
	flags.DurationVar(&f.soak, "soak", 0, "measure each cell for so long in one window, and tell what drifts: latency, and the memory of the server's processes")
	flags.StringArrayVar(&f.confirm, "confirm", nil, "load this `HOST`, which is not this machine (repeatable)")
	flags.DurationVar(&f.wait, "wait", 0, "wait so long for a server at a URL to take connections")
	flags.BoolVar(&f.commands, "allow-commands", false, "run the commands of a target file (reset, …) although they are not of the working tree")
	flags.BoolVar(&f.readOnly, "read-only", false, "load no operation that writes")
	flags.StringVar(&f.catalogue, "catalogue", "", "judge by the catalogue `SET` (default: the target file's, else the newest)")
	flags.StringArrayVar(&f.labels, "label", nil, "a label for the report, `K=V` (repeatable)")
	return cmd
}

func loadMain(cmd *cobra.Command, args []string, f loadFlags, w world) error {
	opts, err := f.options(cmd, w)
	if err != nil {
		return err
	}
	out, err := f.output.open(w)
	if err != nil {
		return err
	}
	reach, err := f.target.reach(cmd, args, w, false)
	if err != nil {
		return err
	}
	defer reach.close()
	if err := f.confirmed(reach.file.Host()); err != nil {
		return err
	}
	if reach.builtin {
		f.small(&opts)
	}
	if f.workload != "" {
		if opts.Workload, err = target.LoadWorkload(f.workload, w.getenv); err != nil {
			return usage(err, "")
		}
	}
	var ofMetrics []runner.Secret
	if opts.Metrics, ofMetrics, err = f.server.at(w, f.named); err != nil {
		return err
	}
	reach.secrets = append(reach.secrets, ofMetrics...)
	opts.Selector, opts.Builtin, opts.Secrets, opts.SecretHeaders = reach.selector, reach.builtin, reach.secrets, reach.secretHeaders
	opts.Command = reach.commandLine(w.args)
	if opts.Evidence, err = f.output.evidence(); err != nil {
		return err
	}
	exports, err := f.export.open(f.named)
	if err != nil {
		return err
	}
	defer exports.stop()
	closeTranscript, err := f.record.open(&opts)
	if err != nil {
		return err
	}
	defer closeTranscript()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	if !f.output.quiet || exports.wanted() {
		opts.Live = &runner.LoadLive{}
	}
	exports.start(opts.Live, w, f.output.quiet)
	view := newLoadProgress(w, f.output.quiet, f.output.verbose, opts.Live)
	defer view.end()
	opts.Step = view.show
	if f.floor && f.slo == "" && !opts.Arrivals.Open() {
		opts.Floor = floor
	}
	written := false
	opts.Interrupted = func(r reports.Report) {
		view.end()
		fmt.Fprintln(w.err, "interrupted: the report below is partial")
		out.write(r)
		written = true
	}
	opts.LeftBehind = func(left []reports.LeftBehind) { tellLeft(w.err, left) }
	report, err := runner.Load(ctx, reach.file, opts)
	view.end()
	if err != nil {
		return runError(located(err, map[string]*globs{"--operation": &f.operation}))
	}
	if note := exports.stop(); note != "" {
		report.Notes = append(report.Notes, note)
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

// confirmed asks for a word of consent before a host is loaded that is not this
// machine: load may take it down.
func (f *loadFlags) confirmed(host string) error {
	if host == "" || target.Loopback(host) || f.named(host) {
		return nil
	}
	name := reports.Safe(target.HostName(host))
	return usage(fmt.Errorf("%s is not this machine, and a load may take it down", name), "if it is yours to load, give --confirm "+name)
}

// named tells that a host was confirmed.
func (f *loadFlags) named(host string) bool {
	return slices.ContainsFunc(f.confirm, func(h string) bool { return target.HostName(h) == target.HostName(host) })
}

// small makes the demonstration short, where the flags do not say otherwise.
func (f *loadFlags) small(o *runner.LoadOptions) {
	if f.rounds == 0 && f.slo == "" && !o.Soak && !o.Arrivals.Varies() {
		o.Rounds = 3
	}
	if f.duration == 0 && f.slo == "" && !o.Soak {
		o.Duration = 1500 * time.Millisecond
	}
	if len(f.operation.list) == 0 {
		o.Operations = []string{"cancel-products", "query-orders"}
	}
}

func (f *loadFlags) options(cmd *cobra.Command, w world) (runner.LoadOptions, error) {
	o := runner.LoadOptions{
		Options: runner.Options{Version: version(), Seed: f.seed, Operations: f.operation.list, Catalogue: f.catalogue, Wait: f.wait,
			AllowCommands: f.commands, ReadOnly: f.readOnly, Started: time.Now()},
		Concurrency: f.concurrency, Choice: f.items, Rounds: f.rounds, Duration: f.duration, Warm: f.warm, Think: f.think,
		Traceparent: f.export.trace, MaxCalls: f.maxCalls, Processes: f.processes, Anew: f.anew,
	}
	if !cmd.Flags().Changed("seed") {
		o.Seed = uint64(rand.Uint32N(900_000) + 100_000)
	}
	for _, check := range []func(*runner.LoadOptions) error{f.sizes, f.times, f.choice, f.verification, f.arrival, f.errorShare, f.objectives, f.search, f.soaking, f.server.into} {
		if err := check(&o); err != nil {
			return o, err
		}
	}
	var err error
	o.Labels, err = labels(f.labels)
	return o, err
}

// Bounds of what may be asked for.
const (
	mostUsers  = 4096
	mostRounds = 1000
	mostRate   = 1e6
)

func (f *loadFlags) sizes(o *runner.LoadOptions) error {
	for _, word := range f.batch {
		if word == "auto" && len(f.batch) == 1 {
			o.Largest = true
			break
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > 100_000 {
			return usage(fmt.Errorf("--batch %s is not a number between 1 and 100,000", word), "for example --batch 1,10,100, or --batch auto")
		}
		o.Batches = append(o.Batches, n)
	}
	for _, n := range f.concurrency {
		if n < 1 || n > mostUsers {
			return usage(fmt.Errorf("--concurrency %d is not between 1 and %d", n, mostUsers), "for example --concurrency 1,8,64")
		}
	}
	slices.Sort(o.Batches)
	slices.Sort(o.Concurrency)
	o.Batches, o.Concurrency = slices.Compact(o.Batches), slices.Compact(o.Concurrency)
	return nil
}

func (f *loadFlags) times(o *runner.LoadOptions) error {
	if f.rounds < 0 || f.rounds > mostRounds {
		return usage(fmt.Errorf("--rounds %d is not between 1 and %d", f.rounds, mostRounds), "")
	}
	for _, d := range []struct {
		name string
		at   time.Duration
	}{{"duration", f.duration}, {"warm-up", f.warm}, {"think", f.think}, {"wait", f.wait}} {
		if d.at < 0 {
			return usage(fmt.Errorf("--%s %s is negative", d.name, d.at), "write it like 30s or 5m")
		}
	}
	if f.duration > 24*time.Hour {
		return usage(fmt.Errorf("--duration %s is more than a day", f.duration), "")
	}
	if f.maxCalls < 0 {
		return usage(fmt.Errorf("--max-calls %d is negative", f.maxCalls), "")
	}
	return nil
}

func (f *loadFlags) choice(o *runner.LoadOptions) error {
	if f.items != "" && !slices.Contains(runner.Choices(), f.items) {
		return usage(fmt.Errorf("--items %q is none of %s", f.items, strings.Join(runner.Choices(), ", ")), "")
	}
	if f.mix == "" {
		return nil
	}
	shares := map[string]float64{}
	sum := 0.0
	for part := range strings.SplitSeq(f.mix, ",") {
		name, text, _ := strings.Cut(part, "=")
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || share < 0 || share > 1 || name != "good" && name != "bad" {
			return usage(fmt.Errorf("--mix %q is no shares of good and bad items", f.mix), "for example --mix good=0.9,bad=0.1")
		}
		shares[name] += share
		sum += share
	}
	if sum < 0.999 || sum > 1.001 {
		return usage(fmt.Errorf("the shares of --mix %s make %g, and must make 1", f.mix, sum), "for example --mix good=0.9,bad=0.1")
	}
	o.BadShare = shares["bad"]
	return nil
}

func (f *loadFlags) verification(o *runner.LoadOptions) error {
	how, text, _ := strings.Cut(f.verify, ":")
	switch {
	case f.verify == "memo":
	case f.verify == "full":
		o.Verify.Full = true
	case how == "sample":
		k, err := strconv.Atoi(text)
		if err != nil || k < 2 {
			return usage(fmt.Errorf("--verify %q does not say which calls", f.verify), "for example --verify sample:10 for every tenth")
		}
		o.Verify.Every = k
	default:
		return usage(fmt.Errorf("--verify %q is none of memo, full, sample:K", f.verify), "")
	}
	return nil
}

func (f *loadFlags) errorShare(o *runner.LoadOptions) error {
	if f.maxErrors == "" {
		return nil
	}
	text, isPercent := strings.CutSuffix(f.maxErrors, "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if isPercent {
		share /= 100
	}
	if err != nil || share <= 0 || share > 1 {
		return usage(fmt.Errorf("--max-errors %q is no share above 0", f.maxErrors), "for example --max-errors 5%")
	}
	o.MaxErrors = share
	return nil
}

func (f *loadFlags) objectives(o *runner.LoadOptions) error {
	for _, text := range f.require {
		if err := o.Aim(text); err != nil {
			return usage(fmt.Errorf("--require %q: %w", text, err), "for example --require 'cancel-products batch=100 p95<=800ms wrong=0'")
		}
	}
	return nil
}

func (f *loadFlags) search(o *runner.LoadOptions) error {
	if f.slo == "" {
		return nil
	}
	if f.rate != "" || f.think > 0 || f.rounds > 0 {
		return usage(errors.New("--slo searches the rate itself: leave out --rate, --think and --rounds"), "")
	}
	if err := o.Seek(f.slo); err != nil {
		return usage(fmt.Errorf("--slo %q: %w", f.slo, err), "for example --slo p99=200ms,errors=0.1%,wrong=0")
	}
	o.Rounds = 1
	if f.duration == 0 {
		o.Duration = 2 * time.Second
	}
	if len(f.batch) == 0 {
		o.Batches = []int{1, 100}
	}
	if len(f.concurrency) == 0 {
		o.Concurrency = []int{256}
	}
	return nil
}

// labels reads --label.
func labels(words []string) (map[string]string, error) {
	var all map[string]string
	for _, label := range words {
		key, value, found := strings.Cut(label, "=")
		if !found || key == "" {
			return nil, usage(fmt.Errorf("--label %q is not of the form K=V", label), "")
		}
		if all == nil {
			all = map[string]string{}
		}
		all[key] = value
	}
	return all, nil
}
