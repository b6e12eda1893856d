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
	dropped := map[*Play]bool{}
	for o, plays := range byOperation { // each on its own: their order does not matter
		c.share(o, plays, dropped)
	}
	var kept []*Play
	for _, p := range c.plan.Plays {
		if dropped[p] {
			need := p.least
			c.plan.Skipped = append(c.plan.Skipped, *p.skip(&shortage{
				reason: fmt.Sprintf("needs %s; the %d of the target file are used up by the scenarios before, and it has no reset or undo", count(need, GoodItem), c.stock(p.Operation)),
				key:    p.Operation.key("items.good")}))
			continue
		}
		kept = append(kept, p)
	}
	c.plan.Plays = kept
}

const unlimited = -1

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

func (c *compiler) share(o *Operation, plays []*Play, dropped map[*Play]bool) {
	left := c.stock(o)
	for _, p := range plays {
		if p.least > left {
			dropped[p] = true
			continue
		}
		p.allowed = p.least
		left -= p.least
	}
	for _, p := range plays {
		if dropped[p] {
			continue
		}
		more := min(left, p.most-p.least)
		p.allowed += more
		left -= more
	}
}

// arrange puts the plays in the order in which they are played. Dry runs come
// first, as long as every item is as the target file says. What cannot be put back
// goes to the first comers, so a second playing waits until everything
// was played once; and where nothing is put back, plays that only look go first,
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
