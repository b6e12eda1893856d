package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/filter"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// Load calls the target's operations under load, judges every answer, and reports
// latency and throughput for each operation, batch size and concurrency. The error is
// a *UsageError, or a fault of ours: whatever the server does ends in the report. When
// the context ends, nothing further is sent, Options.Interrupted gets the partial
// report, what was written is put back for at most five seconds, and the report is
// returned.
func Load(ctx context.Context, file *target.File, o LoadOptions) (reports.Report, error) {
	if o.Workload == nil {
		o.Workload = file.Workload
	}
	if o.Workload != nil {
		if err := o.Workload.Fits(file); err != nil {
			return reports.Report{}, &UsageError{Err: err}
		}
	}
	o.settle()
	o.Options.sample = o.sampled()
	set, checks, err := checksOf(o.catalogue(file), o.Checks, o.Skip, o.Levels)
	if err != nil {
		return reports.Report{}, err
	}
	if err := commands(file, o.AllowCommands); err != nil {
		return reports.Report{}, err
	}
	bound, remove, err := file.MakeRunDir()
	if err != nil {
		return reports.Report{}, &UsageError{Err: err}
	}
	l := &loading{run: newRun(bound, o.Options, set), o: o, checks: checks}
	report, err := l.all(ctx)
	if err := errors.Join(err, remove()); err != nil {
		return report, err
	}
	return report, nil
}

// loading is one load run under way.
type loading struct {
	*run
	o          LoadOptions
	checks     []conform.Check
	bench      *campaign.Bench
	cells      []*campaign.Cell
	shelves    []*shelf
	skipped    []reports.LoadSkipped
	objectives []objective.Objective
	floor      map[[2]int]*measure.Floor // by batch size and concurrency
	searches   []reports.RateSearch
	sessions   string // how calls go in sessions
	way        string // how calls travel
	serverPID  int    // 0: not known
	closing    []func()
}

// all is the whole of it: connect, list, prepare, play, put back, report.
func (l *loading) all(ctx context.Context) (reports.Report, error) {
	defer l.launch(ctx)()
	defer func() {
		for _, end := range slices.Backward(l.closing) {
			end()
		}
	}()
	var err error
	if l.stop.cause == "" {
		tape := load.NewTape(l.record)
		l.tape = tape
		err = l.connect(ctx)
		if err == nil && l.stop.cause == "" {
			err = l.play(ctx, tape)
		}
	}
	if err != nil && ctx.Err() == nil {
		l.close(ctx)
		return reports.Report{}, err
	}
	l.notes = append(l.notes, l.heldBack()...)
	if ctx.Err() == nil {
		l.putBackAll(ctx)
		l.close(ctx)
		return l.report(conform.EndDone), nil
	}
	l.stop.cause = context.Cause(ctx).Error()
	report := l.report(conform.EndInterrupted)
	if l.o.Interrupted != nil {
		l.o.Interrupted(report)
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackFor)
	defer cancel()
	l.putBackAll(after)
	l.close(after)
	if len(l.left) > 0 && l.o.LeftBehind != nil {
		l.o.LeftBehind(reports.Left(l.record.told(l.left)))
	}
	return report, nil
}

// play makes the cells, prepares them, and plays them.
func (l *loading) play(ctx context.Context, tape *load.Tape) error {
	l.takeItems(ctx)
	var err error
	s := l.session[main]
	header := l.header
	header.Target.Protocol = s.Protocol
	judge := load.NewJudge(header, listingsOf(l.record.observations()), l.checks)
	l.keepSome(judge)
	judge.Rewrite = func(o *conform.Observation) {
		rewrite(o, l.record.redact)
		if l.record.mask != nil {
			l.record.mask.observation(o)
		}
	}
	l.bench = &campaign.Bench{Session: s, Tape: tape, Judge: judge, Mode: l.o.Verify, Unguarded: l.o.Unguarded, Live: l.o.Live}
	if l.bench.Processes, err = l.processes(s); err != nil {
		return err
	}
	if l.o.Soak {
		l.bench.Parts = measure.Parts
	}
	if l.o.Metrics != "" || len(l.o.OnCell) > 0 {
		l.bench.Around = l.around
	}
	if err := l.reach(ctx, s); err != nil {
		l.stop = stopped{conform.EndUnreachable, err.Error()}
		return nil
	}
	if err := l.choose(ctx); err != nil {
		return err
	}
	if l.objectives, err = l.aims(); err != nil {
		return err
	}
	if err := l.bench.Prepare(ctx, l.cells); err != nil {
		return err
	}
	l.closing = append(l.closing, l.bench.Close)
	l.floored(ctx)
	if len(l.o.Search) > 0 {
		return l.search(ctx)
	}
	window, warm := l.o.window()
	cause, err := campaign.Play(ctx, l.bench, l.cells, campaign.Plan{
		Rounds: l.o.Rounds, Window: window, Warm: warm, Seed: l.o.Seed, Step: l.o.Step,
		Limits: campaign.Limits{Calls: l.o.MaxCalls, Errors: l.o.MaxErrors},
	})
	if cause != "" {
		l.stop = stopped{conform.EndGone, cause}
	}
	l.leftOver(s)
	return err
}

// reach chooses the way on which calls travel.
func (l *loading) reach(ctx context.Context, s *wire.Session) error {
	if l.client.Transport() == wire.Stdio {
		l.way, l.bench.Way = lean.WayStdio, load.Lines{}
		if l.o.Traceparent {
			l.notes = append(l.notes, "calls have no traceparent: over stdio there are no header fields")
		}
		l.bench.Connect = func(ctx context.Context, users int) ([]lean.Conn, error) { return l.pipes(ctx, s, users) }
		return nil
	}
	frozen, err := s.Freeze()
	if err != nil {
		return err
	}
	way, err := lean.Plan(ctx, frozen, lean.Options{Now: l.record.Now, Anew: l.o.Anew})
	if err != nil {
		return err
	}
	l.closing = append(l.closing, way.Close)
	if len(l.client.Redirected()) > 0 {
		l.notes = append(l.notes, "calls of the load followed no redirect: they went straight to "+conform.WithoutSecrets(frozen.URL.String()))
	}
	l.way, l.bench.Way = way.Name, way
	if l.o.Anew {
		l.way += ", one for each call"
	}
	l.sessions = "none"
	if _, fields := s.Encode(wire.Request{Method: "ping"}); conform.Field(fields, "Mcp-Session-Id") != "" {
		l.sessions = "one, which all users share"
	}
	if l.o.Traceparent {
		l.bench.Way = load.Traces{Way: way, Seed: l.o.Seed}
		l.notes = append(l.notes, "every call has a traceparent of its own; the trace ids of this run begin with "+load.TracePrefix(l.o.Seed))
	}
	l.bench.Connect = func(_ context.Context, users int) ([]lean.Conn, error) {
		conns := make([]lean.Conn, users)
		for i := range conns {
			conns[i] = way.Open()
		}
		return conns, nil
	}
	return nil
}

// pipes gives users the pipes of a stdio server: of one process that all share, or of
// one for each.
func (l *loading) pipes(ctx context.Context, s *wire.Session, users int) ([]lean.Conn, error) {
	frozen, err := s.Freeze()
	if err != nil {
		return nil, err
	}
	if !l.o.Processes {
		pipes, err := s.TakeOver(ctx)
		if err != nil {
			return nil, err
		}
		most := users
		for _, c := range l.cells {
			most = max(most, c.Concurrency)
		}
		return lean.OpenShared(pipes, frozen.Bounds.MaxLine, l.record.Now, most), nil
	}
	var conns []lean.Conn
	for range users {
		l.askings++
		own, err := l.client.Open(ctx, fmt.Sprintf("user/%d", l.askings))
		if err != nil {
			return nil, err
		}
		pipes, err := own.TakeOver(ctx)
		if err != nil {
			return nil, err
		}
		l.takeIn(pipes.PID)
		conns = append(conns, lean.OpenStdio(pipes, frozen.Bounds.MaxLine, l.record.Now))
	}
	return conns, nil
}

// choose makes the cells of what the target has, and says what is left out.
func (l *loading) choose(ctx context.Context) error {
	may, why := l.file.MayWrite(l.file.Host())
	if l.o.ReadOnly {
		may, why = false, "--read-only"
	}
	var names []string
	for _, op := range l.file.Operations {
		names = append(names, op.Name)
	}
	if len(names) == 0 {
		return &UsageError{Err: errors.New("the target names no operations, so nothing can be loaded"), Hint: "name them in a target file: --target FILE"}
	}
	if err := filter.Check("--operation", l.o.Operations, names, nil); err != nil {
		return &UsageError{Err: err}
	}
	chosen := scenarios.Options{OperationGlobs: l.o.Operations}
	for i, bulk := range scenarios.Bulks(l.file, target.Run{ID: l.header.Run.ID, Seed: l.o.Seed}, l.tools()) {
		op := l.file.Operations[i]
		if !chosen.Chosen(bulk.Operation()) {
			continue
		}
		skip := func(items, users int, reason string) {
			l.skipped = append(l.skipped, reports.LoadSkipped{Operation: op.Name, BatchSize: items, Concurrency: users, Reason: reason})
		}
		if why, key := bulk.Unplayable(); why != "" {
			if key != "" {
				why += " (" + key + ")"
			}
			skip(0, 0, why)
			continue
		}
		if bulk.Write() && !may {
			skip(0, 0, why)
			continue
		}
		shelf := l.shelf(bulk, op)
		l.shelves = append(l.shelves, shelf)
		for _, items := range l.sizes(ctx, shelf, op) {
			bad := int(float64(items)*l.o.BadShare + 0.5)
			supply, err := shelf.of(items, bad)
			if err != nil {
				skip(items, 0, err.Error())
				continue
			}
			for _, users := range l.o.Concurrency {
				c, why := l.cell(op, supply, items, users)
				if why != "" {
					skip(items, users, why)
					continue
				}
				l.cells = append(l.cells, c)
			}
		}
	}
	l.units()
	l.mixes()
	return nil
}

// cell makes a cell, within the limits of the target file; why says that they do not
// let it be played.
func (l *loading) cell(op *target.Operation, s *supply, items, users int) (c *campaign.Cell, why string) {
	limits := l.file.Limits.Narrower(op.Limits)
	c = &campaign.Cell{Operation: op.Name, Batch: items, Concurrency: users, Supply: s, Think: l.o.Think, Arrivals: l.o.Arrivals}
	if most := limits.InFlight; most > 0 && users > most {
		return nil, fmt.Sprintf("%d calls in flight are more than limits.in_flight of the target file, %d", users, most)
	}
	if limits.Rate == 0 {
		return c, ""
	}
	if l.o.Arrivals.Open() {
		if rate := l.o.Arrivals.Peak(); rate > limits.Rate {
			return nil, fmt.Sprintf("%g calls a second are more than limits.rate of the target file, %g", rate, limits.Rate)
		}
		return c, ""
	}
	c.Gates = []wire.Gate{l.pace}
	if own := l.lane(op.Name); own != nil {
		c.Gates = []wire.Gate{own, l.pace}
	}
	return c, ""
}

// sizes are the batch sizes that the operation takes. One beyond what it takes becomes
// the largest, and is told.
func (l *loading) sizes(ctx context.Context, shelf *shelf, op *target.Operation) []int {
	bulk := shelf.bulk
	if l.o.Largest {
		return l.upTo(ctx, shelf, op)
	}
	most, by := bulk.MostItems()
	var sizes []int
	for _, n := range l.o.Batches {
		if n > most {
			l.skipped = append(l.skipped, reports.LoadSkipped{Operation: bulk.Operation(), BatchSize: n, Reason: fmt.Sprintf("%d items are the most: %s", most, by)})
			n = most
		}
		if !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

func (l *loading) shelf(bulk *scenarios.Bulk, op *target.Operation) *shelf {
	s := &shelf{bulk: bulk, choice: l.o.Choice, timeout: l.file.Timeouts.For, taken: map[int]bool{}, seed: l.o.Seed}
	s.allow = func(items int) bool { return l.overMost(items) == "" }
	if s.choice == "" {
		s.choice = ChooseCycle
		if bulk.Spends() {
			s.choice = ChooseUnique
		}
	}
	if op.Reset != nil {
		s.reset = func(ctx context.Context) error { return l.resetFor(ctx, op) }
		s.kin = func() (kin []*shelf) {
			for _, other := range l.shelves {
				if by := l.file.Operation(other.bulk.Operation()); by != nil && by.Reset != nil && by.Reset.Key() == op.Reset.Key() {
					kin = append(kin, other)
				}
			}
			return kin
		}
	}
	return s
}

// resetFor asks for a reset, over a connection of the load where it is a tool.
func (l *loading) resetFor(ctx context.Context, op *target.Operation) error {
	l.bench.Judge.Restocked()
	if op.Reset.Tool == "" {
		if !l.resetAside(ctx, op.Name, &op.Reset.Means) {
			return fmt.Errorf("the reset by %s did not put the items back", op.Reset.Whose())
		}
		return nil
	}
	if err := l.bench.Ask(op.Reset.Tool, whole(op.Reset.Arguments), l.file.Timeouts.For(0)); err != nil {
		return fmt.Errorf("the reset did not put the items back: %w", err)
	}
	return nil
}

// putBackAll resets what was written, and says what stays.
func (l *loading) putBackAll(ctx context.Context) {
	for _, s := range l.shelves {
		what := s.leftBehind()
		op := l.file.Operation(s.bulk.Operation())
		if what == "" || op.Operation.Reset == conform.Absent && op.Operation.Undo != conform.Present {
			continue // nothing was written, or the file says that it may stay
		}
		if s.reset != nil {
			if err := s.reset(ctx); err == nil {
				continue
			} else {
				what = err.Error()
			}
		}
		l.left = append(l.left, conform.Left{Operation: s.bulk.Operation(), What: what})
	}
}
