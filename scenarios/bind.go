package scenarios

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Bind chooses the items of a play from what is left, and says to the byte what
// will be asked. Where the items do not suffice the play is made smaller
// (BoundPlay.Smaller says how); where even that does not help, it is skipped,
// and the reason names the shortage.
//
// Bind when the play's turn comes: after its reset, and after the supply was
// told what became of the play before.
func (p *Plan) Bind(play *Play, s *Supply) (conform.BoundPlay, *conform.Skipped) {
	b := &binder{plan: p, play: play, supply: s, rules: p.rules[play.Operation]}
	bound, short := b.fit()
	if short != nil {
		return conform.BoundPlay{}, play.skip(short)
	}
	s.next[play.Operation.Name] = b.drawn.many
	switch {
	case bound.Smaller != "":
	case play.declared && b.cut():
		// The tool would take more: that less was asked is told.
		bound.Smaller = play.allowance()
	default:
		bound.Smaller = play.thinned()
	}
	return bound, nil
}

// binder makes one bound play, perhaps in several attempts.
type binder struct {
	plan   *Plan
	play   *Play
	supply *Supply
	rules  *rules

	drawn *draw
	bound conform.BoundPlay
	asked map[string]asked // by step
	needs map[ItemKind]int
	// lacked is why the play could not be made at full size; nil: it could.
	lacked *shortage
}

// asked is what a step asked, for later steps that refer to it.
type asked struct {
	call conform.BoundCall
	ask  ask
}

// size is how much of the full play is tried, in thousandths.
type size struct{ times, counts int }

var full = size{1000, 1000}

// fit makes the largest play that the items allow: first fewer calls of a step
// that asks several times, then smaller batches.
func (b *binder) fit() (conform.BoundPlay, *shortage) {
	bound, short := b.try(full)
	if b.lacked = short; short == nil {
		return bound, nil
	}
	least := func(with func(int) size) (size, bool) {
		if _, short := b.try(with(0)); short != nil {
			return size{}, false
		}
		low, high := 0, 1000
		for high-low > 1 {
			if mid := (low + high) / 2; b.fits(with(mid)) {
				low = mid
			} else {
				high = mid
			}
		}
		return with(low), true
	}
	best, ok := least(func(share int) size { return size{share, 1000} })
	if !ok {
		best, ok = least(func(share int) size { return size{0, share} })
	}
	if !ok {
		_, short = b.try(size{})
		return bound, b.tell(short)
	}
	bound, _ = b.try(best)
	bound.Smaller = b.smaller(bound, short)
	return bound, nil
}

func (b *binder) fits(s size) bool {
	_, short := b.try(s)
	return short == nil
}

// tell words a shortage of items that are there, but not enough.
func (b *binder) tell(short *shortage) *shortage {
	if short.reason != "" {
		return short
	}
	drawn := b.supply.draw(b.play.Operation, b.rules, b.play.Instance)
	drawn.allowed = b.play.allowed
	left, need := drawn.left(short.kind), count(b.needs[short.kind], short.kind)
	told := *short
	o := b.play.Operation
	switch {
	case short.kind == BadItem || !o.consumes():
		told.reason = fmt.Sprintf("needs %s, %s", need, o.has(short.kind, left))
	case b.play.allowed != unlimited && left == b.play.allowed:
		told.reason = fmt.Sprintf("needs %s, its share of what is left is %d, and the target file has no reset or undo", need, left)
	case !o.putsBack():
		told.reason = fmt.Sprintf("needs %s, %d left, and the target file has no reset or undo", need, left)
	case b.supply.refused[o.backID()] && o.ResetID == "":
		told.reason = fmt.Sprintf("needs %s, %d left, and the undo did not bring the others back", need, left)
	case b.supply.refused[o.backID()]:
		told.reason = fmt.Sprintf("needs %s, %d left, and the reset was refused", need, left)
	default:
		told.reason = fmt.Sprintf("needs %s, %d left", need, left)
	}
	if done := b.supply.done[o.Name]; done != "" && short.kind == GoodItem && o.consumes() {
		told.reason += "; " + done
	}
	return &told
}

func (b *binder) smaller(bound conform.BoundPlay, short *shortage) string {
	items, calls, wanted := 0, 0, 0
	for _, c := range bound.Calls() {
		items, calls = max(items, len(c.Planned.Items)), calls+1
	}
	largest := 0
	for _, s := range b.play.Scenario.steps(b.play.Variant) {
		if s.Act == Validate || s.Act == Execute || s.Act == Parallel {
			largest = max(largest, b.batch(s).Size(), b.within(s.Together.Beside).Size())
		}
		wanted += b.tools(s)
	}
	b.needs = b.count(full)
	why := b.tell(short).reason
	var less []string
	if calls < wanted {
		less = append(less, fmt.Sprintf("%d calls in place of %d", calls, wanted))
	}
	if items < largest {
		less = append(less, fmt.Sprintf("%d items in place of %d", items, largest))
	}
	return strings.Join(less, ", ") + ": " + why
}

// tools is how many tool calls a step makes at full size.
func (b *binder) tools(s Step) int {
	if s.Act == Probe || s.Act == Reset || s.Act == Restart {
		return 0
	}
	return b.times(s, full)
}

// script gives what a step asks for, as the file has it.
func (b *binder) script(s Step) Batch {
	if s.Batch != nil {
		return s.Batch
	}
	return b.play.Variant.Batch
}

// batch gives what a step asks for, within what one call may have.
func (b *binder) batch(s Step) Batch {
	return b.within(b.script(s))
}

// within gives a batch within what one call may have.
func (b *binder) within(batch Batch) Batch {
	if b.play.limit > 0 {
		batch, _ = batch.atMost(b.play.limit)
	}
	return batch
}

// try makes the play at a size.
func (b *binder) try(at size) (conform.BoundPlay, *shortage) {
	p := b.play
	b.drawn = b.supply.draw(p.Operation, b.rules, p.Instance)
	b.drawn.allowed = p.allowed
	b.asked, b.needs = map[string]asked{}, b.count(at)
	b.bound = conform.BoundPlay{Scenario: p.Scenario.Name, Variant: p.Variant.Name, Operation: p.Operation.Name,
		Instance: p.Instance, Checks: p.Checks()}
	burst := ""
	for _, s := range p.Scenario.steps(p.Variant) {
		step, short := b.step(s, at)
		if short != nil {
			return conform.BoundPlay{}, short
		}
		if step == nil {
			continue
		}
		if len(step.Calls) > 0 && burst != "" {
			step.Calls[0].Planned.After, burst = burst, ""
		}
		if step.Act == conform.ActBurst {
			burst = step.Calls[0].Planned.Burst
		}
		b.bound.Steps = append(b.bound.Steps, *step)
	}
	b.bound.Needs = b.drawn.drawn
	b.bracket()
	b.look()
	return b.bound, b.tooMany()
}

// count gives how many items of each kind the play draws at a size.
func (b *binder) count(at size) map[ItemKind]int {
	needs := kinds{}
	for _, s := range b.play.Scenario.steps(b.play.Variant) {
		switch s.Act {
		case Validate, Execute:
			needs.add(b.batch(s).cut(at.counts), b.times(s, at))
		case Parallel:
			for _, part := range b.parts(s, at) {
				needs.add(part.batch, part.times)
			}
		}
	}
	return needs
}

// times is how often a step asks at a size.
func (b *binder) times(s Step, at size) int {
	switch {
	case s.Act == Parallel:
		return max(2, b.play.crowd(s)*at.times/1000)
	case s.Act == Execute && s.Times > 1:
		return max(1, s.Times*at.times/1000)
	}
	return 1
}

// tooMany tells of the bound on written items: of the play's share of it, and of
// what is left of the whole.
func (b *binder) tooMany() *shortage {
	most := b.plan.options.MaxWriteItems
	writes := b.costs(b.bound)
	if most <= 0 || writes == 0 {
		return nil
	}
	left := max(0, most-b.supply.written)
	if writes > left {
		does := "writes "
		if b.play.Operation.SetUpID != "" {
			does = "puts in place and writes "
		}
		return &shortage{reason: does + OverMost(writes, left, most), key: mostKey, wrong: true}
	}
	if share := b.play.mayWrite; share != unlimited && writes > share {
		return &shortage{reason: fmt.Sprintf("its share of the %d items that a run may write is %d", most, share), key: mostKey, wrong: true}
	}
	return nil
}

// mostKey names the bound on written items in the target file.
const mostKey = "safety.max_write_items"

// OverMost says that so many items are more than are left of those that a run may
// write.
func OverMost(items, left, most int) string {
	return fmt.Sprintf("%s, and only %d of the %d that a run may write are left", amount(items), left, most)
}

func amount(items int) string {
	if items == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", items)
}

// costs counts what a play takes of the bound on written items: those of its writes,
// and those that may have to be put in place for it.
func (b *binder) costs(bound conform.BoundPlay) int {
	n := written(bound)
	if b.play.Operation.SetUpID != "" {
		n += len(bound.Needs)
	}
	return n
}

// written counts the items of a play's writes.
func written(bound conform.BoundPlay) int {
	n := 0
	for _, c := range bound.Calls() {
		if c.Write {
			n += len(c.Planned.Items)
		}
	}
	return n
}

// look tells the probe steps whose state to read: every item of the play.
func (b *binder) look() {
	var items []conform.Item
	seen := map[string]bool{}
	for _, c := range b.bound.Calls() {
		if c.Planned.Operation != b.play.Operation.Name {
			continue // these eyes do not see it
		}
		for _, item := range c.Planned.Items {
			if id := b.play.Operation.identity(meant(item)); !seen[id] {
				seen[id] = true
				items = append(items, item)
			}
		}
	}
	for i := range b.bound.Steps {
		if b.bound.Steps[i].Act == conform.ActProbe {
			b.bound.Steps[i].Items = items
		}
	}
}
