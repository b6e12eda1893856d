package scenarios

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Supply knows which items are still good. One supply serves a whole run; it is
// not safe for concurrent use.
//
// An item that any write was sent for is used up, whatever came back: a call
// without a reply may have happened. It is good again when a reset of the same
// reset group was acknowledged, or when it was taken back by itself.
type Supply struct {
	seed uint64
	// spent are the items used up; used holds every name of theirs.
	spent []spent
	used  map[string]strength
	// next is the first number of an operation's template not drawn yet. Numbers
	// begin again only where a reset put them back.
	next map[string]int
	// written counts the items that writes were sent for.
	written int
	refused map[string]bool // what was to put items back, and did not
	// done tells, by operation, of the first good item that was done before the run
	// asked for it.
	done map[string]string
}

// spent is an item used up, as its operation knows it, and by which reset it
// comes back.
type spent struct {
	id    string   // tells it from others
	known []string // every name, the strongest first
	text  bool     // the item is its name and nothing else
	reset string
	open  bool // the server may still be at work on it: it never comes back
}

// strength is how surely a name tells the item.
type strength uint8

const (
	byOther strength = iota // one of several names: a plain text may mean it
	byText                  // the item is this text and nothing else
	byFirst                 // its strongest name
)

// NewSupply gives a supply in which every item is good.
func NewSupply(seed uint64) *Supply {
	return &Supply{seed: seed, used: map[string]strength{}, next: map[string]int{}, refused: map[string]bool{}, done: map[string]string{}}
}

// Spent tells the supply what became of a play: which writes went out.
func (s *Supply) Spent(o *Operation, bound conform.BoundPlay, played conform.Played) {
	if played.Reset {
		s.Restored(o)
	}
	sent := map[string]bool{}
	for _, id := range played.Sent {
		sent[id] = true
	}
	for _, call := range bound.Calls() {
		if !sent[call.ID] || !call.Write {
			continue
		}
		s.written += len(call.Planned.Items)
		if !o.consumes() {
			continue
		}
		for _, item := range call.Planned.Items {
			s.use(o, meant(item))
			// A server may do later what it was told to stop, behind a reset and seen by nobody.
			s.spent[len(s.spent)-1].open = call.Planned.Cancels && !o.Tasks
		}
	}
}

// Broken tells the supply that dry runs of a play changed something after all:
// their items are used up as by a write.
func (s *Supply) Broken(o *Operation, bound conform.BoundPlay) {
	for _, call := range bound.Calls() {
		if !call.Planned.DryRun || !o.consumes() {
			continue
		}
		for _, item := range call.Planned.Items {
			s.use(o, meant(item))
		}
	}
}

// meant is the canonical item.
func meant(item conform.Item) json.RawMessage {
	if item.Means != nil {
		return item.Means
	}
	return item.Given
}

func (s *Supply) use(o *Operation, item json.RawMessage) {
	one := spent{id: o.identity(item), known: o.identities(item), text: !isObject(item), reset: o.ResetID}
	s.spent = append(s.spent, one)
	s.name(one)
}

// name notes the names of an item used up.
func (s *Supply) name(item spent) {
	if len(item.known) == 0 {
		s.used[item.id] = byFirst
		return
	}
	for i, name := range item.known {
		as := byOther
		switch {
		case item.text:
			as = byText
		case i == 0:
			as = byFirst
		}
		if before, ok := s.used[name]; !ok || before < as {
			s.used[name] = as
		}
	}
}

// good tells whether the item was not used up.
func (s *Supply) good(item held) bool {
	if len(s.used) == 0 {
		return true
	}
	if _, used := s.used[item.id]; used {
		return false
	}
	for _, name := range item.known {
		if as, used := s.used[name]; used && as != byOther {
			return false
		}
	}
	return true
}

// Restored tells the supply that the operation's reset was acknowledged: what it
// puts back is good again.
func (s *Supply) Restored(o *Operation) {
	if o.ResetID == "" {
		return
	}
	s.again(func(one spent) bool { return one.reset == o.ResetID })
	delete(s.refused, o.backID())
}

// Undone tells the supply that some items of an operation, in their canonical form,
// are as they were before: they are good again.
func (s *Supply) Undone(o *Operation, items []json.RawMessage) {
	back := map[string]bool{}
	for _, item := range items {
		back[o.identity(item)] = true
	}
	s.again(func(one spent) bool { return back[one.id] })
}

// again makes items good again.
func (s *Supply) again(which func(spent) bool) {
	s.spent = slices.DeleteFunc(s.spent, func(one spent) bool { return !one.open && which(one) })
	s.used = map[string]strength{}
	for _, one := range s.spent {
		s.name(one)
	}
}

// Refused tells the supply that the operation's reset was refused, or got no
// answer, or that its undo did not bring all items back. It counts as no reset.
func (s *Supply) Refused(o *Operation) { s.refused[o.backID()] = true }

// AlreadyDone tells the supply of a good item that was done before the run asked for
// it: it is used up, and state is what was seen of it.
func (s *Supply) AlreadyDone(o *Operation, item conform.Item, id, state string) {
	s.use(o, meant(item))
	if s.done[o.Name] == "" {
		s.done[o.Name] = fmt.Sprintf("good item %s was already done before it was asked for (%s): reset it, or give fresh items", id, state)
	}
}

// Unended tells the supply of items of an operation, in their canonical form, that
// the server may still be at work on: whatever puts items back, they are not good
// any more.
func (s *Supply) Unended(o *Operation, items []json.RawMessage) {
	open := map[string]bool{}
	for _, item := range items {
		open[o.identity(item)] = true
	}
	for i := range s.spent {
		s.spent[i].open = s.spent[i].open || open[s.spent[i].id]
	}
}

// Wrote tells the supply of items that were written outside of a play.
func (s *Supply) Wrote(items int) { s.written += items }

// shortage is why a play's items could not be drawn.
type shortage struct {
	kind     ItemKind
	reason   string // empty: there are not enough
	key      string
	wrong    bool   // the key is there and wrong
	unread   bool   // it is not known before a run
	narrowed bool   // the run's own options left it out
	as       string // the variant that the play would have been no other than
	absent   bool   // it has no meaning here, rather than that something is missing
}

// draw chooses items for one play. The same seed, instance and supply give the
// same items.
type draw struct {
	s        *Supply
	o        *Operation
	rules    *rules
	taken    map[string]bool
	good     []held // the list's, those still good, shuffled
	bad      []held
	informal []held
	many     int // next number of the template
	allowed  int // how many good items may still be drawn; unlimited: any number
	drawn    []conform.Item
}

func (s *Supply) draw(o *Operation, r *rules, instance string) *draw {
	h := fnv.New64a()
	_, _ = h.Write([]byte(instance))
	random := rand.New(rand.NewPCG(s.seed, h.Sum64()))
	d := &draw{s: s, o: o, rules: r, taken: map[string]bool{}, many: s.next[o.Name], allowed: unlimited}
	left := func(items []held, sift bool) []held {
		var out []held
		for _, item := range items {
			if !sift || s.good(item) {
				out = append(out, item)
			}
		}
		random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	}
	d.good = left(r.good, o.consumes())
	d.bad = left(r.bad, false)
	d.informal = left(r.informal, o.consumes())
	for _, item := range d.good {
		if anyOf(r.watched, item.known) {
			d.taken[item.id] = true
		}
	}
	return d
}

// takeGood draws one good item from the list.
func (d *draw) takeGood(fits func(held) bool) (held, bool) {
	return d.take(d.good, "", fits)
}

// take draws the first item of a list that is free and fits.
func (d *draw) take(from []held, mark string, fits func(held) bool) (held, bool) {
	for _, item := range from {
		if !d.taken[mark+item.id] && fits(item) {
			d.taken[mark+item.id] = true
			return item, true
		}
	}
	return held{}, false
}

// takeMany draws one good item from the template. Items that were used up are
// passed over; at the template's end it begins again, for what a reset put back.
func (d *draw) takeMany(fits func(held) bool) (held, bool) {
	if d.rules.many != "" {
		return held{}, false
	}
	// No more can be in the way than were used or taken; a name that does not fit
	// will not fit with another number either.
	for range min(d.o.Many.Len, len(d.s.used)+len(d.taken)+16) {
		if d.many >= d.o.Many.Len {
			d.many = 0
		}
		item := d.rules.number(d.o, d.many)
		d.many++
		if !d.taken[item.id] && !anyOf(d.rules.watched, item.known) && (!d.o.consumes() || d.s.good(item)) && fits(item) {
			d.taken[item.id] = true
			return item, true
		}
	}
	return held{}, false
}

// fits tells whether an item is one that an entry asks for. A comma in a name
// cannot be told from the one between two names, so a text takes no such item.
func (d *draw) fits(e Entry, item held) bool {
	if !e.Having.has(item.name) {
		return false
	}
	for _, how := range []Spelling{e.Spelling, e.Later} {
		if how.ofName() && spell(item.name, how) == item.name {
			return false
		}
	}
	return d.o.Style != conform.StyleScalar || item.name != "" && !strings.Contains(item.name, ",")
}

// one draws the item of an entry.
func (d *draw) one(e Entry) (conform.Item, *shortage) {
	fits := func(item held) bool { return d.fits(e, item) }
	var item held
	var ok bool
	switch e.Kind {
	case BadItem:
		item, ok = d.take(d.bad, "bad ", fits)
		item.Truth = conform.Bad
	case InformalItem:
		item, ok = d.take(d.informal, "", fits)
		item.Truth = conform.Good
	case GoodItem, ManyItem:
		if d.allowed == 0 {
			return conform.Item{}, d.short(Entry{Kind: GoodItem})
		}
		first, second := d.takeGood, d.takeMany
		if e.Kind == ManyItem {
			first, second = second, first
		}
		if item, ok = first(fits); !ok {
			item, ok = second(fits)
		}
		item.Truth = conform.Good
	}
	if !ok {
		return conform.Item{}, d.short(e)
	}
	if d.allowed > 0 && e.Kind != BadItem && e.Kind != InformalItem {
		d.allowed--
	}
	if e.Kind != BadItem {
		d.drawn = append(d.drawn, item.Item)
	}
	return item.Item, nil
}

// release makes bad items free again: unlike good ones they may come in every call.
func (d *draw) release() {
	for _, item := range d.bad {
		delete(d.taken, "bad "+item.id)
	}
}

// short says why an entry's item cannot be had; where there are too few, the
// caller counts them.
func (d *draw) short(e Entry) *shortage {
	switch e.Kind {
	case BadItem:
		s := &shortage{kind: BadItem, key: d.o.key("items.bad")}
		switch {
		case d.o.Bad.Len == 0:
			s.reason = d.o.missing(BadItem)
		case len(d.rules.bad) == 0:
			s.reason, s.absent = "the tool's own input schema forbids every bad item ("+d.rules.badWhy+")", d.rules.badEnum
		}
		return s
	case InformalItem:
		s := &shortage{kind: InformalItem, key: d.o.key("items.informal")}
		if d.o.Informal.Len == 0 {
			s.reason = d.o.missing(InformalItem)
		}
		return s
	}
	s := &shortage{kind: GoodItem, key: d.o.key("items.good")}
	switch {
	case d.o.Good.Len+d.o.Many.Len == 0:
		s.reason = d.o.missing(GoodItem)
	case len(d.rules.good) == 0 && (d.o.Many.Len == 0 || d.rules.many != ""):
		s.reason = "the tool's own input schema forbids every good item (" + d.rules.goodWhy + ")"
	case e.Having != Anything || e.Spelling != AsIs || e.Later != AsIs:
		want := fmt.Sprintf("a good item whose name is written %s", e.Having)
		how := e.Spelling
		if how == AsIs {
			how = e.Later
		}
		if e.Having == Anything {
			want = fmt.Sprintf("a good item whose name reads differently when written %s", how)
		}
		s.reason = "needs " + want + ", and none is left"
		if !slices.ContainsFunc(d.rules.good, func(item held) bool { return d.fits(e, item) }) {
			s.reason = "needs " + want + ", and the target file has none"
		}
	}
	return s
}

// left counts the items of a kind that can still be drawn.
func (d *draw) left(kind ItemKind) int {
	for n := 0; ; n++ {
		if _, short := d.one(Entry{Kind: kind, Count: 1}); short != nil {
			return n
		}
	}
}
