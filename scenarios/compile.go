package scenarios

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/filter"
	"github.com/mcpconform/mcpconform/target"
)

// Compile lays the scenarios over the target's operations: what is played, in
// which order, and what is not, and why. tools are what tools/list said; nil: it
// was not answered, and no input schema is known. A filter that takes nothing is
// a *FilterError.
//
// The same target, tools and options give the same plan.
func Compile(f *target.File, tools []conform.Tooling, o Options) (*Plan, error) {
	return compile(operations(f, target.Run{ID: o.Run, Seed: o.Seed}), tools, o)
}

func compile(ops []*Operation, tools []conform.Tooling, o Options) (*Plan, error) {
	if o.Effort == Unset {
		o.Effort = Standard
	}
	o.Repeat = max(1, o.Repeat)
	list := o.Scenarios
	if list == nil {
		var err error
		if list, err = All(); err != nil {
			return nil, err
		}
	}
	list = append([]*Scenario{}, list...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Order < list[j].Order })
	if err := filters(list, ops, o); err != nil {
		return nil, err
	}
	c := compiler{operations: ops, plan: &Plan{options: o, rules: map[*Operation]*rules{}}, tools: tools, known: readSchemas(tools)}
	c.plan.compiler = &c
	for _, op := range ops {
		c.plan.rules[op] = sift(op, c.known)
		c.closeEyes(op)
	}
	c.canaries(ops)
	for _, s := range list {
		for _, op := range ops {
			if o.Chosen(op.Name) {
				c.lay(s, op)
			}
		}
	}
	arrange(c.plan.Plays)
	c.allot()
	return c.plan, nil
}

func filters(list []*Scenario, ops []*Operation, o Options) error {
	var names, variants, operations []string
	for _, s := range list {
		names = append(names, s.Name)
		for _, v := range s.Variants {
			variants = append(variants, s.Name+"/"+v.Name)
		}
	}
	for _, op := range ops {
		operations = append(operations, op.Name)
	}
	if err := filter.Check("--scenario", o.ScenarioGlobs, names, variants); err != nil {
		return err
	}
	return filter.Check("--operation", o.OperationGlobs, operations, nil)
}

type compiler struct {
	plan       *Plan
	operations []*Operation
	tools      []conform.Tooling
	known      schemas
}

// lay plans a scenario on an operation: each variant, or why it is not played.
func (c *compiler) lay(s *Scenario, o *Operation) {
	var skipped, left, unread []conform.Skipped
	var eyes *conform.Skipped
	sizes := map[string]string{} // the variants' sizes as they are played
	round := 0
	for i := range s.Variants {
		v := &s.Variants[i]
		play := &Play{Scenario: s, Variant: v, Operation: o, Repeat: 1, allowed: unlimited, mayWrite: unlimited}
		if narrowed := c.narrowed(play); narrowed != nil {
			left = append(left, *play.skip(narrowed))
			continue
		}
		if short := c.plays(play, sizes); short != nil {
			if short.unread {
				unread = append(unread, *play.skip(short))
			} else {
				skipped = append(skipped, *play.skip(short))
			}
			continue
		}
		if play.scarce() || play.bounded(c.plan.options) {
			round++
			play.round = round
		}
		if unseen := blind(play); unseen != nil {
			if eyes != nil {
				unseen.Checks = unique(append(eyes.Checks, unseen.Checks...))
			}
			eyes = unseen
		}
		times := c.plan.options.Repeat
		if sweeps(s.steps(v)) {
			times = 1 // it repeats by itself
		}
		for n := 1; n <= times; n++ {
			again := *play
			again.Repeat = n
			again.Instance = instance(s, v, o, n)
			c.plan.Plays = append(c.plan.Plays, &again)
		}
	}
	if len(left) == len(s.Variants) {
		skipped = left // what the run was narrowed to is told once, not variant by variant
	}
	if len(skipped) == len(s.Variants) {
		skipped = fold(skipped)
	}
	if eyes != nil {
		skipped = append(skipped, *eyes)
	}
	c.plan.Skipped = append(c.plan.Skipped, skipped...)
	if len(unread) == len(s.Variants) {
		unread = fold(unread)
	}
	c.plan.Unread = append(c.plan.Unread, unread...)
}

// narrowed says that the run's own options leave the play out.
func (c *compiler) narrowed(p *Play) *shortage {
	if !filter.Takes(c.plan.options.ScenarioGlobs, p.Scenario.Name, p.Scenario.Name+"/"+p.Variant.Name) {
		return &shortage{reason: "left out by --scenario", narrowed: true}
	}
	if !p.again(c.plan.options.Again) {
		return &shortage{reason: "left out by --rerun: nothing that it feeds was left open", narrowed: true}
	}
	if e := p.Scenario.effort(p.Variant); e > c.plan.options.Effort {
		return &shortage{reason: fmt.Sprintf("played from --effort %s on", e), narrowed: c.plan.options.Effort < Standard}
	}
	return nil
}

func instance(s *Scenario, v *Variant, o *Operation, repeat int) string {
	return fmt.Sprintf("%s/%s/%s#%d", s.Name, v.Name, o.Name, repeat)
}

func sweeps(steps []Step) bool {
	for _, s := range steps {
		if s.Sweep {
			return true
		}
	}
	return false
}

// fold makes one of the skips of all variants, where all say the same.
func fold(skipped []conform.Skipped) []conform.Skipped {
	first := skipped[0]
	for _, s := range skipped[1:] {
		if s.Reason != first.Reason || s.Key != first.Key || s.NotApplicable != first.NotApplicable {
			return skipped
		}
		first.Checks = unique(append(first.Checks, s.Checks...))
	}
	if len(skipped) > 1 {
		first.Variant = ""
	}
	return []conform.Skipped{first}
}

// blind says which checks get nothing because nobody looks at the state.
func blind(p *Play) *conform.Skipped {
	checks := p.Scenario.stateChecks(p.Variant)
	o := p.Operation
	if len(checks) == 0 || o.Probe == conform.Present || !does(p.Scenario.steps(p.Variant), Probe) {
		return nil
	}
	skip := &conform.Skipped{Scenario: p.Scenario.Name, Operation: o.Name, Checks: checks}
	switch {
	case o.blind != nil:
		skip.Reason, skip.Key, skip.Wrong = o.blind.reason, o.blind.key, o.blind.wrong
	case !o.Write:
		skip.Reason, skip.NotApplicable = "the operation only reads, and has no probe", true
	case o.Probe == conform.Absent:
		skip.Reason, skip.NotApplicable = "the target file declares probe: none", true
	default:
		skip.Reason, skip.Key = "the target file names no probe, so nothing is known of the state", o.key("probe")
	}
	return skip
}

// plays settles whether a play is played, and what of it.
func (c *compiler) plays(p *Play, sizes map[string]string) *shortage {
	o, options := p.Operation, c.plan.options
	p.Instance = instance(p.Scenario, p.Variant, o, 1)
	p.sessions, p.inFlight = options.sessions(p.Variant), options.inFlight()
	if short := suits(p); short != nil {
		return short
	}
	if short := c.gather(p); short != nil {
		return short
	}
	if short := c.listed(p); short != nil {
		return short
	}
	if short := misnamed(o, c.plan.rules[o].primary); short != nil {
		return short
	}
	if does(p.Scenario.steps(p.Variant), Restart) && !options.CanRestart {
		return &shortage{reason: "the scenario restarts the server, and this run did not start it", key: "server.start"}
	}
	if p.writes() {
		p.DryRun = p.Scenario.DryRun && o.DryRun != nil
		if options.NoWrites != "" {
			return &shortage{reason: "no write is played: " + options.NoWrites, key: options.NoWritesKey}
		}
		if short := c.irreversible(o); short != nil {
			return short
		}
		if p.DryRun {
			if short := undeclaredDryRun(o, c.plan.rules[o].primary, c.tools != nil); short != nil {
				return short
			}
		}
		p.Reset = o.ResetID != "" && !p.DryRun
	}
	if short := c.rehearse(p, sizes); short != nil {
		return short
	}
	if p.SetUp > 0 && options.NoWrites != "" {
		return &shortage{reason: "its items are put in place by a setup, which writes: " + options.NoWrites, key: options.NoWritesKey}
	}
	if p.SetUp > 0 {
		if short := c.misspelt(o, puttingInPlace); short != nil {
			return short
		}
		if o.blind != nil { // nobody would see what is there already, and is not to be taken away again
			short := *o.blind
			return &short
		}
	}
	return nil
}

// rehearse binds the play with every item still good, to see that it can be
// played at all, how large it is, and what the input schemas say of its calls.
func (c *compiler) rehearse(p *Play, sizes map[string]string) *shortage {
	c.limit(p)
	b := &binder{plan: c.plan, play: p, supply: NewSupply(c.plan.options.Seed), rules: c.plan.rules[p.Operation]}
	if short := b.overfull(); short != nil {
		return short
	}
	bound, short := b.fit()
	if tool := b.unread(bound, short); tool != "" {
		return &shortage{reason: fmt.Sprintf("items are read from the tool %s when a run begins; their number is not known", tool), unread: true}
	}
	if short != nil {
		return short
	}
	p.least, p.most = b.count(size{})[GoodItem], b.count(full)[GoodItem]
	p.tally(bound)
	p.Undo = p.WriteCalls > 0 && !p.Reset && p.Operation.UndoID != ""
	p.costsMost = b.costs(bound)
	p.costsLeast = p.costsMost
	if least, short := b.try(size{}); short == nil {
		p.costsLeast = b.costs(least)
	}
	shape := ""
	for _, call := range bound.Calls() {
		shape += fmt.Sprintf("%d %s %s ", len(call.Planned.Items), call.Session, call.Planned.Tool)
		if most := p.Operation.Limits.Payload; most > 0 && len(call.Planned.Arguments) > most {
			return &shortage{reason: fmt.Sprintf("a call's arguments take %d bytes, and `%s` in the target file allows %d",
				len(call.Planned.Arguments), p.Operation.limitKey("payload", p.Operation.OwnPayload), most), absent: true}
		}
		if short := c.lawful(p, call); short != nil {
			return short
		}
	}
	if p.Operation.SetUpID != "" {
		p.SetUp = len(bound.Needs)
	}
	return b.same(bound, shape, sizes)
}

// unread names a tool whose items, once it is asked, may be those that a play
// lacks; empty: there is none.
func (b *binder) unread(bound conform.BoundPlay, short *shortage) string {
	switch {
	case short != nil && short.kind != "":
		return b.play.Operation.unread(short.kind)
	case short == nil && bound.Smaller != "":
		return cmp.Or(b.play.Operation.unread(GoodItem), b.play.Operation.unread(BadItem))
	}
	return ""
}

// same says that a play that was cut down is, so, no other than an earlier
// variant of the scenario.
func (b *binder) same(bound conform.BoundPlay, shape string, sizes map[string]string) *shortage {
	p := b.play
	before, again := sizes[shape]
	sizes[shape] = p.Scenario.Name + "/" + p.Variant.Name
	switch {
	case !again:
		return nil
	case b.cut(): // with more items it would be no other either
		sizes[shape] = before
		return &shortage{reason: fmt.Sprintf("%s: played as %s", p.allowance(), before), as: before, absent: true}
	case bound.Smaller != "":
		sizes[shape] = before
		short := &shortage{reason: bound.Smaller + ": played as " + before, as: before, key: p.Operation.key("items.many")}
		if b.lacked.wrong { // the bound that the target file sets, and no lack of items
			short.key, short.wrong = b.lacked.key, true
		}
		return short
	}
	return nil
}

// limit takes the smallest of the target file's limits.batch, the operation's own,
// and the maxItems of the schemas of the tools that the play calls.
func (c *compiler) limit(p *Play) {
	r, o := c.plan.rules[p.Operation], p.Operation
	p.limit, p.declared = o.Limits.Batch, true
	if o.Style == conform.StyleScalar {
		return
	}
	for _, s := range p.Scenario.steps(p.Variant) {
		schema := r.primary
		if s.Act == Validate {
			schema = r.validator
		}
		if most := schema.maxItems(o.Argument); most > 0 && (p.limit == 0 || most < p.limit) {
			p.limit, p.declared = most, false
		}
	}
}

// allowance says who allows how many items.
func (p *Play) allowance() string {
	if p.declared {
		return fmt.Sprintf("`%s` in the target file allows %d items", p.Operation.limitKey("batch", p.Operation.OwnBatch), p.limit)
	}
	return fmt.Sprintf("the tool's own input schema allows %d items (inputSchema/properties/%s/maxItems)", p.limit, p.Operation.Argument)
}

// cut tells whether the limit makes some batch smaller than the script has it.
func (b *binder) cut() bool {
	for _, s := range b.play.Scenario.steps(b.play.Variant) {
		if b.play.limit > 0 && max(b.script(s).Size(), s.Together.Beside.Size()) > b.play.limit {
			return true
		}
	}
	return false
}

// overfull tells of a batch that cannot be made as small as the schema wants it.
func (b *binder) overfull() *shortage {
	for _, s := range b.play.Scenario.steps(b.play.Variant) {
		if n := max(b.batch(s).Size(), b.within(s.Together.Beside).Size()); b.play.limit > 0 && n > b.play.limit {
			return &shortage{reason: fmt.Sprintf("%s, and the scenario asks for %d", b.play.allowance(), n), absent: true}
		}
	}
	return nil
}
