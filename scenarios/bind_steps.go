package scenarios

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// step binds one step; nil: the operation cannot do it, and the play goes on
// without (a probe or a reset that the target does not have).
func (b *binder) step(s Step, at size) (*conform.BoundStep, *shortage) {
	o := b.play.Operation
	step := &conform.BoundStep{Act: conform.ActCalls, Name: s.Name, Phase: s.Phase}
	switch s.Act {
	case Probe:
		if o.Probe != conform.Present {
			return nil, nil
		}
		step.Act = conform.ActProbe
		return step, nil
	case Reset:
		if o.ResetID == "" {
			return nil, nil
		}
		step.Act = conform.ActReset
		return step, nil
	case Restart:
		step.Act = conform.ActRestart
		return step, nil
	case Resolved:
		step.Calls = []conform.BoundCall{b.resolved(s)}
		return step, nil
	case Repeat:
		step.Calls = []conform.BoundCall{b.again(s, false)}
		return step, nil
	case Retry:
		step.Calls = []conform.BoundCall{b.again(s, true)}
		return step, nil
	}
	if s.Act == Regroup {
		call, short := b.regroup(s)
		if call == nil {
			return nil, short
		}
		step.Calls = []conform.BoundCall{*call}
		return step, nil
	}
	if s.Act == Parallel {
		step.Act = conform.ActBurst
		var short *shortage
		step.Calls, short = b.together(s, at)
		return step, short
	}
	for k := range b.times(s, at) {
		items, short := b.items(b.batch(s).cut(at.counts), s.Act == Validate)
		if short != nil {
			return nil, short
		}
		c := making{step: s, items: items, validates: s.Act == Validate}
		if s.Times > 1 {
			c.number = k + 1
		}
		switch from := b.asked[s.KeyOf]; {
		case s.Key:
			c.key = fmt.Sprintf("%s.%d", s.Name, k+1)
		case s.KeyOf != "":
			c.keyOf = &from
		}
		call, short := b.make(c)
		if short != nil {
			return nil, short
		}
		step.Calls = append(step.Calls, call)
		b.drawn.release()
	}
	return step, nil
}

// making is what a call of validate, execute or parallel is made of.
type making struct {
	step      Step
	number    int // among several of the step, from 1; 0: it is the only one
	items     []conform.Item
	validates bool
	key       string // what its idempotency key is made from; empty: none goes along
	keyOf     *asked // whose key goes along in its place; nil: nobody's
}

// make makes a call with items that were drawn.
func (b *binder) make(c making) (conform.BoundCall, *shortage) {
	o, v, s, items := b.play.Operation, b.play.Variant, c.step, c.items
	if v.Form != conform.FormList || o.Style == conform.StyleScalar {
		items = append([]conform.Item{}, items...)
		for i := range items {
			shaped, why := shape(o, items[i], v.Form)
			if why != "" {
				return conform.BoundCall{}, &shortage{reason: why, key: o.key("items.good")}
			}
			items[i] = shaped
		}
	}
	id := b.play.Instance + "/" + s.Name
	if c.number > 0 {
		id = fmt.Sprintf("%s.%d", id, c.number)
	}
	a := ask{tool: o.Tool, items: items, form: v.Form, dry: b.play.DryRun}
	call := conform.BoundCall{ID: id, Session: s.session(), Write: o.Write && !a.dry}
	role, schema := conform.RolePrimary, b.rules.primary
	if c.validates {
		a.tool, role, schema, call.Write, a.dry = o.ValidatorTool, conform.RoleValidator, b.rules.validator, false, false
	}
	if o.Idempotency == conform.Present && o.KeyArgument != "" && !c.validates {
		switch {
		case c.key != "":
			a.key = keyOf(b.plan.options.Run, b.supply.seed, b.play.Instance, c.key)
		case c.keyOf != nil:
			a.key, role = c.keyOf.ask.key, conform.RoleConflict
		}
	}
	a.auxiliary = s.AuxiliaryFails && o.AuxiliaryFailure != nil
	if v.Extras {
		a.extras = undeclared(o, schema)
	}
	call.Planned = b.planned(s, role, a)
	switch role {
	case conform.RolePrimary:
		call.Planned.Items = atomic(o, items)
	case conform.RoleConflict:
		call.Planned.KeyOf = c.keyOf.call.ID
	}
	if c.number <= 1 || s.Act != Parallel { // the first of a burst stands for it
		b.asked[s.Name] = asked{call, a}
	}
	return call, nil
}

func (b *binder) planned(s Step, role conform.Role, a ask) conform.Planned {
	p, o := b.play, b.play.Operation
	return conform.Planned{
		Scenario: p.Scenario.Name, Variant: p.Variant.Name, Instance: p.Instance, Step: s.Name,
		Operation: o.Name, Role: role, Method: "tools/call", Tool: a.tool,
		Items: a.items, Form: a.form, Arguments: arguments(o, a), Extra: a.extras, Key: a.key,
		AuxiliaryFails: a.auxiliary, DryRun: a.dry, Answer: s.Answer, Cancels: s.Cancel, Progress: s.Progress, Sweep: s.Sweep,
	}
}

// atomic gives the truth of a mixed batch of an atomic operation: every row
// false with a reason (contract decision 16).
func atomic(o *Operation, items []conform.Item) []conform.Item {
	bad := false
	for _, item := range items {
		bad = bad || item.Truth == conform.Bad
	}
	if !o.Atomic || !bad {
		return items
	}
	out := append([]conform.Item{}, items...)
	for i := range out {
		if out[i].Truth == conform.Good {
			out[i].Truth, out[i].Because = conform.Bad, "the operation is atomic, and another item of the batch is bad"
		}
	}
	return out
}

// resolved binds the call that executes what an earlier validator call resolved.
// Its arguments are those that the resolved ones are merged over.
func (b *binder) resolved(s Step) conform.BoundCall {
	o, from := b.play.Operation, b.asked[s.Of]
	a := ask{tool: o.Tool, items: from.ask.items, dry: b.play.DryRun}
	call := conform.BoundCall{ID: b.play.Instance + "/" + s.Name, Session: from.call.Session, Write: o.Write && !a.dry, Follows: from.call.ID}
	if a.dry {
		call.Keep = o.DryRun
	}
	call.Planned = b.planned(s, conform.RolePrimary, a)
	call.Planned.Items = atomic(o, a.items)
	call.Planned.Follows = from.call.ID
	return call
}

// again binds the call that asks once more what an earlier one asked: the same
// bytes, or the same items under a new key.
func (b *binder) again(s Step, retry bool) conform.BoundCall {
	o, from := b.play.Operation, b.asked[s.Of]
	a := from.ask
	call := conform.BoundCall{ID: b.play.Instance + "/" + s.Name, Session: from.call.Session, Write: from.call.Write}
	if s.OtherSession {
		call.Session = s.session()
	}
	if retry && a.key != "" {
		a.key = keyOf(b.plan.options.Run, b.supply.seed, b.play.Instance, s.Name)
	}
	call.Planned = b.planned(s, from.call.Planned.Role, a)
	call.Planned.Items = once(o, from.call)
	if retry {
		call.Planned.Retries = from.call.ID
	} else {
		call.Planned.Repeats = from.call.ID
	}
	b.asked[s.Name] = asked{call, a}
	return call
}

// once gives what is known of items that are asked for a second time. What a
// write did once, the server may refuse to do again, or say again that it is
// done: only where the target file says which is anything known.
func once(o *Operation, first conform.BoundCall) []conform.Item {
	if !first.Write || o.StaysGood() {
		return first.Planned.Items
	}
	return unsure(first.Planned.Items)
}

// unsure gives items of which it is not known that they are good.
func unsure(items []conform.Item) []conform.Item {
	out := append([]conform.Item{}, items...)
	for i := range out {
		if out[i].Truth == conform.Good {
			out[i].Truth = conform.Unknown
		}
	}
	return out
}

// items draws a batch. For the validator, informal and differently spelled items
// are given by name alone, as a person would.
func (b *binder) items(batch Batch, toValidator bool) ([]conform.Item, *shortage) {
	var items []conform.Item
	for _, e := range batch {
		if e.Of > 0 {
			item, short := b.repeated(items, e)
			if short != nil {
				return nil, short
			}
			items = append(items, item)
			continue
		}
		for range e.Count {
			item, short := b.drawn.one(e)
			if short != nil {
				return nil, short
			}
			item, short = b.spelled(item, e, toValidator)
			if short != nil {
				return nil, short
			}
			items = append(items, item)
		}
	}
	return items, nil
}

// spelled writes an item the way its entry asks for.
func (b *binder) spelled(item conform.Item, e Entry, toValidator bool) (conform.Item, *shortage) {
	o := b.play.Operation
	if e.Kind == InformalItem {
		if !toValidator {
			item.Truth = conform.Unknown // the validator is who knows informal names
		}
		return b.byName(item, o.nameOf(item.Given))
	}
	if e.Spelling == AsIs {
		return item, nil
	}
	spelled := conform.Item{Means: meant(item), Truth: conform.Unknown}
	if o.FoldCase && (e.Spelling == UpperCase || e.Spelling == LowerCase) {
		spelled.Truth = conform.Good
	}
	if toValidator {
		return b.byName(spelled, spell(o.nameOf(item.Given), e.Spelling))
	}
	var ok bool
	if e.Spelling.ofName() {
		spelled.Given, _ = o.respell(item.Given, e.Spelling)
		ok = spelled.Given != nil
	} else {
		spelled.Given, ok = o.reshaped(item.Given, e.Spelling, b.rules.primary)
	}
	if !ok {
		return item, b.cannotSpell(e)
	}
	if e.Spelling.odd() {
		if against := element(b.rules.primary, o, spelled.Given); against != nil {
			return item, &shortage{reason: fmt.Sprintf("the tool's own input schema forbids an item %s (inputSchema%s)", e.Spelling, against.pointer), absent: true}
		}
	}
	return spelled, nil
}

func (b *binder) cannotSpell(e Entry) *shortage {
	return &shortage{reason: fmt.Sprintf("the items cannot be written %s", e.Spelling), key: b.play.Operation.key("items.good")}
}

func (b *binder) byName(item conform.Item, name string) (conform.Item, *shortage) {
	switch b.rules.named {
	case byString:
		item.Given = quote(name)
	case byObject:
		item.Given = nameObject(name)
	default:
		return item, &shortage{reason: b.rules.namedWhy, absent: true}
	}
	return item, nil
}

// repeated gives an earlier item of the batch once more. Its fate is the
// server's to decide: refused as a double, or answered like the first.
func (b *binder) repeated(items []conform.Item, e Entry) (conform.Item, *shortage) {
	first := items[e.Of-1]
	item := conform.Item{Given: first.Given, Means: first.Means, Truth: first.Truth, Because: first.Because, Equals: e.Of}
	if item.Truth == conform.Good {
		item.Truth = conform.Unknown
	}
	if e.Spelling == AsIs {
		return item, nil
	}
	given, ok := b.play.Operation.respell(first.Given, e.Spelling)
	if !ok {
		return item, b.cannotSpell(e)
	}
	item.Given, item.Means = given, meant(first)
	return item, nil
}
