package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// PlanSchema names the format of a plan in JSON.
const PlanSchema = "mcpconform.plan/v1"

// Plan is what a run would do, and what not.
type Plan struct {
	Schema string `json:"schema"`
	Target string `json:"target"`
	Effort string `json:"effort"`
	Seed   uint64 `json:"seed"`
	// Calls are those of the scenarios, Besides those that read the state, put it
	// back and items in place, Written the items of the writes among Calls.
	Calls   int `json:"calls"`
	Besides int `json:"besides"`
	Written int `json:"written"`
	// Seconds is the sum of Estimate.
	Seconds    float64            `json:"seconds"`
	Estimate   Estimate           `json:"estimate"`
	Operations []PlannedOperation `json:"operations"`
	// Scenarios come in the order of what they gain.
	Scenarios []PlannedScenario `json:"scenarios"`
	LeftOut   []LeftOut         `json:"left_out"`
	// Unread is what depends on items that a tool of the server gives once a run
	// begins: whether it is played is not known before.
	Unread []LeftOut `json:"unread,omitempty"`
	// Unasked are the MUST rules that nothing would ask about, and why.
	Unasked []Unasked `json:"unasked"`
}

// Estimate is what the time of a plan is made of. How long the tools work is not
// known before they are called: one that takes longer than a list adds to it.
type Estimate struct {
	// CallSeconds is what all calls take one after the other, EachSeconds what one of
	// them was taken to take: as long as the slowest list call.
	CallSeconds float64 `json:"call_seconds"`
	EachSeconds float64 `json:"each_seconds"`
	// RateSeconds is what the limits of the target file add to that.
	RateSeconds float64 `json:"rate_seconds"`
	// WaitSeconds are the pauses between two looks at the same state.
	WaitSeconds float64 `json:"wait_seconds"`
}

func (e Estimate) sum() float64 { return e.CallSeconds + e.RateSeconds + e.WaitSeconds }

// PlannedOperation is what a plan does with an operation.
type PlannedOperation struct {
	Name    string `json:"name"`
	Tool    string `json:"tool"`
	Write   bool   `json:"write"`
	Calls   int    `json:"calls"`
	Written int    `json:"written"`
	DryRuns int    `json:"dry_runs,omitempty"` // among Calls: they are to do nothing
	Good    int    `json:"good"`               // items at hand
	Bad     int    `json:"bad"`
	Many    int    `json:"many"`
	// UsedUp: what was written stays so, each good item serves once.
	UsedUp bool `json:"used_up"`
	// ReadFrom are the tools that give items once a run begins, by list: "good",
	// "bad", "many". Their number is not known.
	ReadFrom map[string]string `json:"read_from,omitempty"`
	// PutBack is what brings items back: "reset", "undo", or nothing; PutBackBy is
	// whose hands do, and how often they would be asked at least.
	PutBack   string `json:"put_back,omitempty"`
	PutBackBy string `json:"put_back_by,omitempty"`
	PutBacks  int    `json:"put_backs"`
	// SetUp is how many items would be put in place at most, SetUpBy by whose hands,
	// and TakenAwayBy whose hands take away again at the end what those made.
	SetUp       int    `json:"set_up"`
	SetUpBy     string `json:"set_up_by,omitempty"`
	TakenAwayBy string `json:"taken_away_by,omitempty"`
}

// PlannedScenario is a scenario on an operation, all its variants together.
type PlannedScenario struct {
	Scenario  string `json:"scenario"`
	Operation string `json:"operation"`
	Plays     int    `json:"plays"`
	Calls     int    `json:"calls"`
	Written   int    `json:"written"`
	// Mixed are the tools, besides the operation's own, that are in flight with it.
	Mixed []string `json:"mixed,omitempty"`
	// Gains are the MUST rules that nothing before it asks about.
	Gains int `json:"gains"`
}

// LeftOut is what is not played, for one reason.
type LeftOut struct {
	Reason    string   `json:"reason"`
	Key       string   `json:"key,omitempty"` // of the target file, that would change it
	Scenarios []string `json:"scenarios"`     // "duplicates/thrice on cancel-products"
}

// Unasked is a MUST rule that nothing would ask about.
type Unasked struct {
	Check     string `json:"check"`
	Operation string `json:"operation"`
	Reason    string `json:"reason"`
	Key       string `json:"key,omitempty"`
}

// UnreachedError is a server that did not answer, or not to us.
type UnreachedError struct {
	Class conform.EndClass
	Cause string
}

func (e *UnreachedError) Error() string { return e.Cause }

// MakePlan connects, lists the tools, and says what a run would do. It calls no
// tool. The error is a *UsageError, an *UnreachedError, the context's, or a fault
// of ours.
func MakePlan(ctx context.Context, file *target.File, o Options) (Plan, error) {
	set, _, err := checksOf(o.catalogue(file), o.Checks, o.Skip, o.Levels)
	if err != nil {
		return Plan{}, err
	}
	if err := rerunnable(file, o.Rerun); err != nil {
		return Plan{}, err
	}
	bound, remove, err := file.MakeRunDir()
	if err != nil {
		return Plan{}, &UsageError{Err: err}
	}
	r := newRun(bound, o, set)
	defer r.launch(ctx)()
	defer r.close(ctx)
	if r.stop.cause == "" {
		err = r.connect(ctx)
	}
	switch {
	case err != nil:
		return Plan{}, errors.Join(err, remove())
	case ctx.Err() != nil:
		return Plan{}, errors.Join(context.Cause(ctx), remove())
	case r.stop.cause != "":
		return Plan{}, errors.Join(&UnreachedError{r.stop.class, r.stop.cause}, remove())
	}
	plan, err := r.compile()
	if err != nil {
		return Plan{}, errors.Join(err, remove())
	}
	return r.tell(plan), remove()
}

// tell sums a plan up.
func (r *run) tell(plan *scenarios.Plan) Plan {
	out := Plan{Schema: PlanSchema, Target: r.file.Name, Effort: r.header.Run.Effort, Seed: r.opts.Seed,
		Operations: []PlannedOperation{}, Scenarios: []PlannedScenario{}, LeftOut: []LeftOut{}, Unasked: []Unasked{}}
	if r.opts.MaxTime > 0 {
		plan.ByGain(r.must) // as a run does
	}
	plan = plan.Foresee()
	gains := plan.ByGain(r.must)
	fed := map[scenarios.Fed]bool{}
	for i, p := range plan.Plays {
		out.add(p, gains[i])
		for _, check := range p.Checks() {
			fed[scenarios.Fed{Check: check, Operation: p.Operation.Name}] = true
		}
	}
	for _, op := range r.file.Operations {
		line := PlannedOperation{Name: op.Name, Tool: op.Tool, Write: op.Write, Good: op.Items.Good.Len(), Bad: op.Items.Bad.Len(),
			Many: op.Items.Many.Len(), UsedUp: op.Consumes && op.Reset == nil && op.Undo == nil, ReadFrom: op.Items.Unread()}
		line.hands(op, plan.Plays)
		for _, s := range out.Scenarios {
			if s.Operation == op.Name {
				line.Calls, line.Written = line.Calls+s.Calls, line.Written+s.Written
			}
		}
		for _, p := range plan.Plays {
			if p.Operation.Name == op.Name {
				line.DryRuns += p.DryCalls
			}
		}
		out.Operations = append(out.Operations, line)
	}
	for _, s := range plan.Unread {
		out.Unread = leave(out.Unread, s)
		for _, check := range s.Checks {
			fed[scenarios.Fed{Check: check, Operation: s.Operation}] = true // perhaps; nothing says that it will not be
		}
	}
	told := map[scenarios.Fed]bool{}
	for _, s := range plan.Skipped {
		if !s.NotApplicable {
			out.LeftOut = leave(out.LeftOut, s)
		}
		for _, check := range s.Checks {
			lacks := scenarios.Fed{Check: check, Operation: s.Operation}
			if r.must(check) && !s.NotApplicable && !fed[lacks] && !told[lacks] {
				told[lacks] = true
				out.Unasked = append(out.Unasked, Unasked{check, s.Operation, s.Reason, s.Key})
			}
		}
	}
	out.Besides += plan.Ending
	out.Estimate = r.estimate(plan)
	out.Seconds = out.Estimate.sum()
	return out
}

// hands tells who would put things back and in place, and how often.
func (line *PlannedOperation) hands(op *target.Operation, plays []*scenarios.Play) {
	for _, p := range plays {
		if p.Operation.Name != op.Name {
			continue
		}
		if p.Reset || p.Undo {
			line.PutBacks++
		}
		line.SetUp += p.SetUp
	}
	switch {
	case line.PutBacks == 0:
	case op.Reset != nil:
		line.PutBack, line.PutBackBy = "reset", op.Reset.Whose()
	default:
		line.PutBack, line.PutBackBy = "undo", op.Undo.Whose()
	}
	if op.Setup == nil || line.SetUp == 0 {
		return
	}
	line.SetUp = min(line.SetUp, op.Items.Good.Len()+op.Items.Many.Len())
	line.SetUpBy = op.Setup.Whose()
	if op.Setup.Undo != nil {
		line.TakenAwayBy = op.Setup.Undo.Whose()
	}
}

func (p *Plan) add(play *scenarios.Play, gains int) {
	p.Calls, p.Besides, p.Written = p.Calls+play.Calls, p.Besides+play.Besides, p.Written+play.WriteItems
	at := slices.IndexFunc(p.Scenarios, func(s PlannedScenario) bool {
		return s.Scenario == play.Scenario.Name && s.Operation == play.Operation.Name
	})
	if at < 0 {
		at = len(p.Scenarios)
		p.Scenarios = append(p.Scenarios, PlannedScenario{Scenario: play.Scenario.Name, Operation: play.Operation.Name})
	}
	s := &p.Scenarios[at]
	for _, tool := range play.Mixed() {
		if !slices.Contains(s.Mixed, tool) {
			s.Mixed = append(s.Mixed, tool)
		}
	}
	s.Plays, s.Calls, s.Written, s.Gains = s.Plays+1, s.Calls+play.Calls, s.Written+play.WriteItems, s.Gains+gains
}

// leave adds a skip to those for the same reason.
func leave(all []LeftOut, s conform.Skipped) []LeftOut {
	name := s.Scenario
	if s.Variant != "" {
		name += "/" + s.Variant
	}
	if s.Operation != "" {
		name += " on " + s.Operation
	}
	at := slices.IndexFunc(all, func(l LeftOut) bool { return l.Reason == s.Reason && l.Key == s.Key })
	if at < 0 {
		at = len(all)
		all = append(all, LeftOut{Reason: s.Reason, Key: s.Key})
	}
	all[at].Scenarios = append(all[at].Scenarios, name)
	return all
}

// estimate is how long the calls of a plan take, one after the other.
func (r *run) estimate(plan *scenarios.Plan) Estimate {
	slowest := time.Duration(0)
	for _, c := range conform.NewRecording(r.header, r.record.observations()).Calls {
		if n := len(c.Received); c.Planned.Role == conform.RoleList && c.Sent != nil && n > 0 {
			slowest = max(slowest, c.Received[n-1].At-c.Sent.At)
		}
	}
	var calls, rate, waits time.Duration
	add := func(n int, l target.Limits) {
		calls += time.Duration(n) * slowest
		if l.Rate > 0 {
			rate += time.Duration(n) * max(0, time.Duration(float64(time.Second)/l.Rate)-slowest)
		}
	}
	for _, p := range plan.Plays {
		add(p.Calls, p.Operation.Limits)
		add(p.Besides, r.file.Limits)
	}
	add(plan.Ending, r.file.Limits)
	waits = time.Duration(plan.Calmed) * r.apart()
	return Estimate{CallSeconds: calls.Seconds(), EachSeconds: slowest.Seconds(), RateSeconds: rate.Seconds(), WaitSeconds: waits.Seconds()}
}
