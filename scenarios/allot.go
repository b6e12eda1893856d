package scenarios

import (
	"fmt"
	"sort"
)

// allot shares the good items of operations that use them up and cannot put them
// back. Every play of a run has a least and a full size: in the order of worth
// each gets its least, then each is enlarged from what is left over. So a few
// items make many small plays, and not one large one.
func (c *compiler) allot() {
	byOperation := map[*Operation][]*Play{}
	for _, p := range c.plan.Plays {
		p.allowed = unlimited
		if p.scarce() {
			byOperation[p.Operation] = append(byOperation[p.Operation], p)
		}
	}
	dropped := map[*Play]*shortage{}
	for o, plays := range byOperation { // each on its own: their order does not matter
		shared := share(c.stock(o), plays, func(p *Play) (least, most int) { return p.least, p.most })
		for i, p := range plays {
			if p.allowed = shared[i]; p.allowed == nothing {
				dropped[p] = &shortage{
					reason: fmt.Sprintf("needs %s; the %d of the target file are used up by the scenarios before, and it has no reset or undo", count(p.least, GoodItem), c.stock(o)),
					key:    o.key("items.good")}
			}
		}
	}
	c.allotWrites(dropped)
	var kept []*Play
	for _, p := range c.plan.Plays {
		if short := dropped[p]; short != nil {
			c.plan.Skipped = append(c.plan.Skipped, *p.skip(short))
			continue
		}
		kept = append(kept, p)
	}
	c.plan.Plays = kept
}

// allotWrites shares what a run may write in the same way.
func (c *compiler) allotWrites(dropped map[*Play]*shortage) {
	var plays []*Play
	for _, p := range c.plan.Plays {
		p.mayWrite = unlimited
		if p.bounded(c.plan.options) && dropped[p] == nil {
			plays = append(plays, p)
		}
	}
	most := c.plan.options.MaxWriteItems
	left := most
	for o, r := range c.plan.rules {
		if o.SetUpID != "" {
			left -= len(r.canaries) // they are put in place too
		}
	}
	shared := share(left, plays, func(p *Play) (int, int) { return p.costsLeast, p.costsMost })
	for i, p := range plays {
		if p.mayWrite = shared[i]; p.mayWrite == nothing {
			dropped[p] = &shortage{key: mostKey, wrong: true,
				reason: fmt.Sprintf("writes %s at least, and the %d that a run may write are used up by the scenarios before", amount(p.costsLeast), most)}
		}
	}
}

const (
	unlimited = -1
	nothing   = -2 // not even the least
)

// bounded tells whether the play counts for what a run may write.
func (p *Play) bounded(o Options) bool { return o.MaxWriteItems > 0 && p.writes() && !p.DryRun }

// scarce tells whether the play uses up good items that nothing puts back.
func (p *Play) scarce() bool {
	return p.Operation.consumes() && !p.Operation.putsBack() && p.writes() && !p.DryRun
}

func (c *compiler) stock(o *Operation) int {
	r := c.plan.rules[o]
	n := 0
	for _, item := range r.good {
		if !anyOf(r.watched, item.known) {
			n++
		}
	}
	if r.many == "" {
		n += o.Many.Len
		if o.inOrder {
			n -= len(r.canaries)
		}
	}
	return n
}

// share gives each play its share of what there is, in their order: first the least
// that each needs, then more for those that have it. Who gets not even that gets
// nothing.
func share(left int, plays []*Play, needs func(*Play) (least, most int)) []int {
	shares := make([]int, len(plays))
	for i, p := range plays {
		least, _ := needs(p)
		if least > left {
			shares[i] = nothing
			continue
		}
		shares[i] = least
		left -= least
	}
	for i, p := range plays {
		if shares[i] == nothing {
			continue
		}
		least, most := needs(p)
		more := min(left, most-least)
		shares[i] += more
		left -= more
	}
	return shares
}

// arrange puts the plays in the order in which they are played. Dry runs come
// first, as long as every item is as the target file says. What cannot be put back
// goes to the first comers, so a second playing waits until everything
// was played once; and where nothing is put back, or little may be written, plays that only look go first,
// then one variant of every scenario, then the others.
func arrange(plays []*Play) {
	sort.SliceStable(plays, func(i, j int) bool {
		a, b := plays[i], plays[j]
		if a.DryRun != b.DryRun {
			return a.DryRun
		}
		if a.Repeat != b.Repeat {
			return a.Repeat < b.Repeat
		}
		return a.round < b.round
	})
}

func count(n int, kind ItemKind) string {
	if n == 1 {
		return fmt.Sprintf("1 %s item", kind)
	}
	return fmt.Sprintf("%d %s items", n, kind)
}
