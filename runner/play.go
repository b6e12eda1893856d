package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/internal/filter"
	"github.com/mcpconform/mcpconform/scenarios"
)

// compile makes the plan.
func (r *run) compile() (*scenarios.Plan, error) {
	effort, err := scenarios.ParseEffort(r.header.Run.Effort)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	var folders []string
	if r.opts.ScenarioDir != "" {
		folders = append(folders, r.opts.ScenarioDir)
	}
	list, err := scenarios.Load(folders...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	o := scenarios.Options{
		Seed: r.opts.Seed, Run: r.header.Run.ID, Effort: effort, Repeat: r.opts.Repeat, Sessions: r.opts.Sessions, InFlight: r.opts.InFlight, MaxWriteItems: r.file.Safety.MaxWriteItems,
		CanRestart:    r.canRestart(),
		ScenarioGlobs: r.opts.Scenarios, OperationGlobs: r.opts.Operations, Again: r.opts.Rerun, Scenarios: list,
	}
	if r.opts.ReadOnly {
		o.NoWrites = "--read-only"
	} else if may, why := r.file.MayWrite(r.file.Host()); !may {
		o.NoWrites, o.NoWritesKey = why, "safety.write_hosts"
	}
	r.noWrites = o.NoWrites != ""
	plan, err := scenarios.Compile(r.file, r.tools(), o)
	var wrong *filter.Error
	if errors.As(err, &wrong) {
		return nil, &UsageError{Err: err, Hint: "`mcpconform list scenarios` shows them all; operations are named in the target file"}
	}
	return plan, err
}

// play plays the plan, one scenario after another.
func (r *run) play(ctx context.Context) error {
	r.takeItems(ctx)
	plan, err := r.compile()
	if err != nil {
		return err
	}
	for i := range plan.Skipped {
		r.skip(plan.Skipped[i])
	}
	if w, ok := r.writing(plan); ok && r.opts.Writing != nil {
		r.opts.Writing(w)
	}
	if r.opts.MaxTime > 0 {
		plan.ByGain(r.must)
	}
	for _, p := range plan.Plays {
		r.blind[p.Operation.Name] = p.Operation.Blind()
		r.canaries[p.Operation.Name] = plan.Canaries(p.Operation)
	}
	r.notes = append(r.notes, plan.Unwatched...)
	supply := scenarios.NewSupply(r.opts.Seed)
	late := false
	for i, p := range plan.Plays {
		if r.opts.Generating.Only {
			r.skip(conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Reason: onlyCases, Narrowed: true, Checks: p.Checks()})
			continue
		}
		if ctx.Err() != nil {
			return nil // interrupted: all() says so
		}
		if r.opts.Progress != nil {
			r.opts.Progress(Progress{Done: i, Total: len(plan.Plays), Now: p.Scenario.Name + "/" + p.Variant.Name + " on " + p.Operation.Name})
		}
		switch {
		case r.stop.cause != "":
			r.unplayed(conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Reason: r.stop.cause, Checks: p.Checks()})
		case r.timeLeft() <= 0:
			reason := fmt.Sprintf("time budget: --max-time %s was over", r.opts.MaxTime)
			if !late {
				late = true
				r.notes = append(r.notes, fmt.Sprintf("%s after %d of %d plays; the others were not played", reason, i, len(plan.Plays)))
			}
			r.unplayed(conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Reason: reason, Checks: p.Checks()})
		default:
			r.one(ctx, plan, p, supply)
		}
	}
	if err := r.generate(ctx, plan, supply); err != nil {
		return err
	}
	r.shutOutOfAll()
	return nil
}

// one plays one scenario on one operation.
func (r *run) one(ctx context.Context, plan *scenarios.Plan, p *scenarios.Play, supply *scenarios.Supply) {
	if why := cmp.Or(r.silence.of(p.Operation.Tool), r.barred.of(p.Operation.Tool), r.drifts(p)); why != "" {
		r.unplayed(conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Reason: why, Checks: p.Checks()})
		return
	}
	if p.DryRun && r.earnest[p.Operation.Name] {
		r.unplayed(conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Checks: p.Checks(),
			Reason: "something changed during a dry run of " + p.Operation.Tool + ": no further one is played (see " + scenarios.DryRunCheck + ")"})
		return
	}
	bound, lacking := plan.Ready(p, supply, turn{r, ctx})
	if why := r.drifts(p); why != "" {
		lacking = &conform.Skipped{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name, Reason: why, Checks: p.Checks()}
	}
	if lacking == nil {
		bound, lacking = r.fresh(ctx, plan, p, bound, supply)
	}
	if lacking != nil {
		r.unplayed(*lacking)
		return
	}
	r.record.learn(bound.Calls())
	if bound.Smaller != "" && !r.smaller[bound.Smaller] {
		r.smaller[bound.Smaller] = true
		r.notes = append(r.notes, fmt.Sprintf("%s/%s on %s was made smaller: %s", p.Scenario.Name, p.Variant.Name, p.Operation.Name, bound.Smaller))
	}
	if lacking := r.setUp(ctx, p, bound, supply); lacking != nil {
		r.unplayed(*lacking)
		return
	}
	r.quiet(ctx, p, bound)
	r.beforeUndo(ctx, p, bound)
	r.playing, r.seen, r.feeds = r.record.mark(), nil, bound.Checks
	r.standing, r.landed = r.landed, nil
	r.Record(conform.Observation{Kind: conform.KindPlay, Play: &conform.Play{
		Scenario: bound.Scenario, Variant: bound.Variant, Operation: bound.Operation, Instance: bound.Instance,
		Checks: bound.Checks, Smaller: bound.Smaller, Mixed: p.Mixed(),
	}})
	// An interrupt is told by all(), anything else by Stopped.
	played, _ := drive.Play(ctx, bound, r)
	supply.Spent(p.Operation, bound, played)
	if open := r.kept().opened(p.Operation.Name); len(open) > 0 {
		items := make([]json.RawMessage, len(open))
		for i, e := range open {
			items[i] = e.item
		}
		supply.Unended(p.Operation, items)
	}
	if p.DryRun {
		r.rehearsed(p, bound, supply)
	}
	if op := r.file.Operation(p.Operation.Name); op != nil && op.Write {
		r.untold.settle(op, conform.NewRecording(r.header, r.record.since(r.playing)))
	}
	if played.Stopped != "" && ctx.Err() == nil {
		r.gone(played.Stopped)
	}
	r.undoPlay(ctx, p.Operation, supply)
}

// turn is what a play's turn needs of a run.
type turn struct {
	run *run
	ctx context.Context
}

func (t turn) Reset(p *scenarios.Play) bool {
	return t.run.reset(t.ctx, p.Operation.Name, p.Instance+"/reset-first", p.Instance)
}

func (t turn) Unreset(p *scenarios.Play) bool {
	return t.run.kept().unresetBy(t.run.file.Operation(p.Operation.Name))
}

// undoPlay takes back what a play wrote, where that is done item by item.
func (r *run) undoPlay(ctx context.Context, o *scenarios.Operation, supply *scenarios.Supply) {
	r.kept() // nothing is kept twice for longer than a play
	op := r.file.Operation(o.Name)
	if op == nil || !r.undoes(op) {
		return
	}
	back, whole := r.undo(ctx, op)
	supply.Undone(o, back)
	if !whole {
		supply.Refused(o)
	}
}

func (r *run) gone(cause string) {
	if r.stop.cause != "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop = stopped{conform.EndGone, cause}
	if r.shutOut {
		r.stop.class = conform.EndExpired
	}
}

// unplayed records that a play could not be played when its turn came.
func (r *run) unplayed(s conform.Skipped) {
	s.Planned = true
	r.skip(s)
}

func (r *run) skip(s conform.Skipped) {
	r.Record(conform.Observation{Kind: conform.KindSkipped, Skipped: &s})
}

// timeLeft is what --max-time leaves for further scenarios.
func (r *run) timeLeft() time.Duration {
	if r.opts.MaxTime <= 0 {
		return math.MaxInt64
	}
	return r.opts.MaxTime - r.record.Now()
}

// must tells the checks that are MUSTs.
func (r *run) must(id string) bool { return r.set.Level(id) == conform.Must }
