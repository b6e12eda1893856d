package scenarios

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// kin is something else in flight with the calls of a play's operation.
type kin struct {
	kin       Kin
	tool      string
	operation *Operation // that reads; nil for the operation's own validator
}

// sessions is over how many sessions a variant is spread.
func (o Options) sessions(v *Variant) int {
	switch {
	case v.Sessions != Several:
		return max(1, v.Sessions)
	case o.Sessions > 0:
		return o.Sessions
	}
	return DefaultSessions
}

// inFlight is how many calls a session has out at once.
func (o Options) inFlight() int {
	if o.InFlight > 0 {
		return o.InFlight
	}
	return DefaultInFlight
}

// crowd is how many calls a parallel step has in flight together, within what the
// target file allows.
func (p *Play) crowd(s Step) int {
	n := p.uncut(s)
	if most := p.Operation.Limits.InFlight; most > 0 {
		n = min(n, most)
	}
	return max(2, n)
}

func (p *Play) uncut(s Step) int {
	if s.Together.Calls > 0 {
		return s.Together.Calls
	}
	return min(MostTogether, p.sessions*p.inFlight)
}

// thinned says that the target file allows fewer calls at a time than a step has;
// empty: it does not.
func (p *Play) thinned() string {
	for _, s := range p.Scenario.steps(p.Variant) {
		if n := p.uncut(s); s.Act == Parallel && p.crowd(s) < n {
			return fmt.Sprintf("%d calls at once in place of %d: `limits.in_flight` in the target file allows no more", p.crowd(s), n)
		}
	}
	return ""
}

// Mixed names the tools that are in flight with those of the play's own operation.
func (p *Play) Mixed() []string {
	var tools []string
	for _, k := range p.kin {
		tools = append(tools, k.tool)
	}
	return tools
}

// gather finds what a play's parallel steps are mixed with. What the target does
// not have is left out; a step that nothing is left for is not played.
func (c *compiler) gather(p *Play) *shortage {
	o := p.Operation
	var among []Kin
	for _, s := range p.Scenario.steps(p.Variant) {
		among = append(among, s.Together.Among...)
	}
	for _, k := range unique(among) {
		switch {
		case k == KinValidate && o.Validator == conform.Present && c.callable(o, o.ValidatorTool):
			p.kin = append(p.kin, kin{k, o.ValidatorTool, nil})
		case k == KinRead:
			at := slices.IndexFunc(c.operations, func(other *Operation) bool {
				return other != o && !other.Write && c.plan.options.Chosen(other.Name) && other.listed() > 0 && c.callable(other, other.Tool)
			})
			if at >= 0 {
				p.kin = append(p.kin, kin{k, c.operations[at].Tool, c.operations[at]})
			}
		}
	}
	if len(among) > 0 && len(p.kin) == 0 {
		if slices.Contains(among, KinValidate) && o.Validator == conform.Unsaid {
			return &shortage{reason: "nothing is known to be mixed with its calls: the target file says nothing of a validator, and has no operation that only reads", key: o.key("validator")}
		}
		return none("there is nothing to mix with its calls: neither a validator nor an operation that only reads")
	}
	return nil
}

// callable tells whether the server lists a tool that can simply be called.
func (c *compiler) callable(o *Operation, tool string) bool {
	if c.tools == nil {
		return true
	}
	listed := find(c.tools, tool)
	return listed != nil && o.untasked(listed) == nil
}

// kinds counts items by kind.
type kinds map[ItemKind]int

// add counts the items of a batch that is drawn so many times. Bad ones may come in
// every call.
func (k kinds) add(batch Batch, times int) {
	once := kinds{}
	for _, e := range batch {
		kind := e.Kind
		if kind == ManyItem {
			kind = GoodItem
		}
		if e.Of == 0 {
			once[kind] += e.Count
		}
	}
	k[BadItem] = max(k[BadItem], once[BadItem])
	k[GoodItem] += times * once[GoodItem]
	k[InformalItem] += times * once[InformalItem]
}

// part is a batch that is drawn several times.
type part struct {
	batch Batch
	times int
}

// parts gives what a parallel step draws of the play's own items.
func (b *binder) parts(s Step, at size) []part {
	batch, n := b.batch(s).cut(at.counts), b.times(s, at)
	own := 0
	for k := range n {
		if b.kinOf(k).operation == nil {
			own++
		}
	}
	common, rest := batch.split(s.Together.shared(batch.Size()))
	all := []part{{common, 1}, {rest, own}}
	if len(s.Together.Beside) > 0 {
		all[1].times = max(0, own-1)
		all = append(all, part{b.within(s.Together.Beside).cut(at.counts), 1})
	}
	return all
}

// kinOf gives what the call of a number, from 0, is; the zero value: one of the
// operation's own.
func (b *binder) kinOf(k int) kin {
	if turn := k % (len(b.play.kin) + 1); turn > 0 {
		return b.play.kin[turn-1]
	}
	return kin{}
}

// split cuts a batch in two, the first of n items.
func (b Batch) split(n int) (first, rest Batch) {
	for _, e := range b {
		here := min(n, e.Count)
		if n -= here; here > 0 {
			part := e
			part.Count = here
			first = append(first, part)
		}
		if left := e.Count - here; left > 0 {
			part := e
			part.Count = left
			rest = append(rest, part)
		}
	}
	return first, rest
}

// together makes the calls of a parallel step.
func (b *binder) together(s Step, at size) ([]conform.BoundCall, *shortage) {
	var calls []conform.BoundCall
	batch, n := b.batch(s).cut(at.counts), b.times(s, at)
	common, rest := batch.split(s.Together.shared(batch.Size()))
	if s.Together.Items == Overlapping && len(rest) == 0 {
		return nil, &shortage{reason: b.play.allowance() + ", and calls that overlap in part have two or more", absent: true}
	}
	shared, short := b.items(common, false)
	if short != nil {
		return nil, short
	}
	shared = b.contended(s, shared)
	readers := map[*Operation]*binder{}
	for k := range n {
		c := making{step: s, number: k + 1, validates: b.kinOf(k).kin == KinValidate, key: s.Together.Key.of(s, k)}
		by := b
		if reads := b.kinOf(k).operation; reads != nil {
			if readers[reads] == nil {
				readers[reads] = b.reader(reads)
			}
			by = readers[reads]
		}
		own := rest
		switch {
		case by != b:
			own = by.reads(rest)
		case k == n-1 && len(s.Together.Beside) > 0:
			own = b.within(s.Together.Beside).cut(at.counts)
		}
		if c.items, short = by.items(own, c.validates); short != nil {
			return nil, short.of(by)
		}
		c.items = woven(k, shared, c.items)
		call, short := by.make(c)
		if short != nil {
			return nil, short
		}
		call.Planned.Burst, call.Planned.InFlight = b.play.Instance+"/"+s.Name, n
		call.Session = fmt.Sprintf("s%d", 1+k%b.play.sessions)
		calls = append(calls, call)
		by.drawn.release()
	}
	return calls, nil
}

// of gives what the key of a call is made from; empty: none goes along.
func (k Keying) of(s Step, call int) string {
	switch k {
	case KeySame:
		return s.Name
	case KeyOwn:
		return fmt.Sprintf("%s.%d", s.Name, call+1)
	}
	return ""
}

// woven puts the items that all calls ask for before a call's own; in every second
// call behind them and the other way round, as callers that know nothing of each
// other would.
func woven(k int, shared, own []conform.Item) []conform.Item {
	if k%2 == 0 || len(own) == 0 {
		return append(slices.Clip(shared), own...)
	}
	backwards := slices.Clone(shared)
	slices.Reverse(backwards)
	return append(slices.Clip(own), backwards...)
}

// contended gives what is known of items that several calls in flight together ask
// for. Who comes first is the server's to say, and under one key the others may be
// told to wait.
func (b *binder) contended(s Step, items []conform.Item) []conform.Item {
	if o := b.play.Operation; !o.Write || o.StaysGood() && s.Together.Key != KeySame {
		return items
	}
	return unsure(items)
}

// reader gives a binder for calls of another operation of the same play.
func (b *binder) reader(o *Operation) *binder {
	play := *b.play
	play.Operation, play.DryRun, play.allowed = o, false, unlimited
	r := &binder{plan: b.plan, play: &play, supply: b.supply, rules: b.plan.rules[o], asked: b.asked, needs: map[ItemKind]int{}}
	r.drawn = b.supply.draw(o, r.rules, play.Instance)
	r.play.limit = o.Limits.Batch
	if most := r.rules.primary.maxItems(o.Argument); most > 0 && (r.play.limit == 0 || most < r.play.limit) {
		r.play.limit = most
	}
	return r
}

// reads gives what a call that only reads asks for: as many good items as the
// others do, and no more than its own operation takes.
func (b *binder) reads(like Batch) Batch {
	n := 0
	for _, e := range like {
		if e.Kind != BadItem {
			n += e.Count
		}
	}
	return b.within(Batch{{Kind: GoodItem, Count: max(1, n), Counted: true}})
}

// of tells whose items lack, where they are another operation's.
func (s *shortage) of(b *binder) *shortage {
	if s.reason == "" && s.kind != "" && len(b.needs) == 0 {
		told := *s
		told.reason = fmt.Sprintf("too few %s items of %s, which is in flight with it", s.kind, b.play.Operation.Name)
		return &told
	}
	return s
}
