package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// Bulk is what load asks an operation for: batches of any size, as many as there are
// items, with as many bad items among them as wanted. It is not changed once made.
type Bulk struct {
	o *Operation
	r *rules
	// items are the good items as load takes them: those of a template by their
	// numbers, or a list.
	items List
	// first and last are the numbers that are taken, all of one width; 0: the items
	// are taken from a list, by their place.
	first, last int
}

// Bulks gives what load asks each of a target's operations for, by the run's items
// and the input schemas of tools/list.
func Bulks(f *target.File, run target.Run, tools []conform.Tooling) []*Bulk {
	known := readSchemas(tools)
	var all []*Bulk
	for _, o := range operations(f, run) {
		b := &Bulk{o: o, r: sift(o, known)}
		b.choose()
		all = append(all, b)
	}
	return all
}

// choose takes the numbered list with the most numbers of one width, or else a list
// by places.
func (b *Bulk) choose() {
	for _, l := range []List{b.o.Many, b.o.Good} {
		if first, last := ofOneWidth(l); last-first > b.last-b.first {
			b.items, b.first, b.last = l, first, last
		}
	}
	if b.first == 0 {
		good := make([]conform.Item, 0, len(b.r.good))
		for _, held := range b.r.good {
			good = append(good, held.Item)
		}
		more := 0
		if b.r.many == "" {
			more = b.o.Many.Len
		}
		b.items = List{Len: len(good) + more, At: func(i int) conform.Item {
			if i < len(good) {
				return good[i]
			}
			return b.o.Many.At(i - len(good))
		}}
	}
}

// ofOneWidth gives the numbers of one width that a list's items differ by, and by
// nothing else; 0, 0: they differ otherwise. All the digits of the first two numbers
// that are compared differ, so that no digit that stays the same is taken for one.
func ofOneWidth(l List) (first, last int) {
	for width, least := 1, 1; least <= l.Len; width, least = width+1, least*10 {
		ones := 0
		for range width {
			ones = ones*10 + 1
		}
		most := min(l.Len, least*10-1)
		if least+ones > most || most-least <= last-first {
			continue
		}
		a, b := string(l.At(least-1).Given), string(l.At(least+ones-1).Given)
		if a != b && strings.ReplaceAll(a, strconv.Itoa(least), strconv.Itoa(least+ones)) == b {
			first, last = least, most
		}
	}
	return first, last
}

// First is the number of the first good item of all, or its place.
func (b *Bulk) First() int { return b.first }

// Operation is the operation's name.
func (b *Bulk) Operation() string { return b.o.Name }

// Write tells whether calls change something.
func (b *Bulk) Write() bool { return b.o.Write }

// Validates tells whether the operation has a validator.
func (b *Bulk) Validates() bool { return b.o.ValidatorTool != "" }

// Units tells whether the operation has a tool that does the same to one item a call.
func (b *Bulk) Units() bool {
	if b.o.Unit == nil || b.items.Len == 0 {
		return false
	}
	_, ok := b.o.Unit(meant(b.items.At(max(0, b.first-1))))
	return ok
}

// Spends tells whether a call uses its good items up, so that they are good no more
// until they are put back.
func (b *Bulk) Spends() bool {
	return b.o.consumes() && !b.o.StaysGood()
}

// Unplayable says why the operation cannot be loaded at all, and the key that would
// mend it; empty: it can.
func (b *Bulk) Unplayable() (why, key string) {
	if short := misnamed(b.o, b.r.primary); short != nil {
		return short.reason, short.key
	}
	if b.items.Len == 0 {
		short := (&draw{o: b.o, rules: b.r}).short(Entry{Kind: GoodItem, Count: 1})
		if short.reason == "" {
			short.reason = b.o.missing(GoodItem)
		}
		return short.reason, short.key
	}
	return "", ""
}

// MostItems is the largest batch that may be asked for, and what sets that bound:
// limits.batch of the target file, maxItems of the tool's schema, or the items at hand.
func (b *Bulk) MostItems() (n int, by string) {
	n, by = b.items.Len, "the items at hand"
	if b.first > 0 {
		n, by = b.last-b.first+1, "the items at hand whose numbers have one width"
	}
	if most := b.o.Limits.Batch; most > 0 && most < n {
		n, by = most, b.o.limitKey("batch", b.o.OwnBatch)+" of the target file"
	}
	if most := b.r.primary.maxItems(b.o.Argument); most > 0 && most < n && b.o.Style != conform.StyleScalar {
		n, by = most, "maxItems of the tool's input schema"
	}
	return n, by
}

// Batches are the calls of one size.
type Batches struct {
	bulk      *Bulk
	size, bad int
	digits    int
}

// Of gives the calls of so many items, so many bad ones among them. An error says
// what there are too few of.
func (b *Bulk) Of(size, bad int) (*Batches, error) {
	if bad > len(b.r.bad) {
		return nil, fmt.Errorf("needs %s, %s", count(bad, BadItem), b.o.has(BadItem, len(b.r.bad)))
	}
	if most, by := b.MostItems(); size > most {
		return nil, fmt.Errorf("%d items are more than %d (%s)", size, most, by)
	}
	s := &Batches{bulk: b, size: size, bad: bad}
	if b.first > 0 && size > bad {
		s.digits = len(strconv.Itoa(b.first))
	}
	if most := b.o.Limits.Payload; most > 0 {
		if n := len(s.At(uint64(s.First())).Arguments); n > most {
			return nil, fmt.Errorf("%d items are %d bytes of arguments, more than %d (%s of the target file)", size, n, most, b.o.limitKey("payload", b.o.OwnPayload))
		}
	}
	return s, nil
}

// Digits is the width of the numbers in the good items; 0: they have none, and
// batches are told by their place.
func (s *Batches) Digits() int { return s.digits }

// Good is how many good items a batch takes.
func (s *Batches) Good() int { return s.size - s.bad }

// First is the number of the first good item of all, or its place.
func (s *Batches) First() int { return s.bulk.First() }

// Room is how many batches there are that share no good item.
func (s *Batches) Room() int {
	if s.Good() == 0 {
		return 1 << 30
	}
	n := s.bulk.items.Len
	if s.bulk.first > 0 {
		n = s.bulk.last - s.bulk.first + 1
	}
	return n / s.Good()
}

// At gives the call whose good items begin at a number (with Digits) or a place. The
// bad ones stand spread among them, and are the same in every call.
func (s *Batches) At(first uint64) conform.Planned {
	o := s.bulk.o
	at := int(first)
	if s.bulk.first > 0 {
		at-- // numbers count from 1
	}
	items := make([]conform.Item, 0, s.size)
	for i := range s.size {
		var item conform.Item
		if placed := (i + 1) * s.bad / s.size; placed > i*s.bad/s.size {
			item = s.bulk.r.bad[placed-1].Item
			item.Truth = conform.Bad
		} else {
			item = s.bulk.items.At(at)
			item.Truth = conform.Good
			at++
		}
		items = append(items, item)
	}
	if o.Style == conform.StyleScalar {
		for i := range items {
			items[i], _ = shape(o, items[i], "")
		}
	}
	return s.call(conform.RolePrimary, o.Tool, items)
}

// Validated is the call of the validator for the items of At.
func (s *Batches) Validated(first uint64) conform.Planned {
	return s.call(conform.RoleValidator, s.bulk.o.ValidatorTool, s.At(first).Items)
}

// Unit is the call of the unit tool for the first good item of At.
func (s *Batches) Unit(first uint64) conform.Planned {
	planned := s.At(first)
	planned.Tool = s.bulk.o.UnitTool
	planned.Arguments, _ = s.bulk.o.Unit(meant(planned.Items[0])) // Units tried it
	return planned
}

func (s *Batches) call(role conform.Role, tool string, items []conform.Item) conform.Planned {
	o := s.bulk.o
	return conform.Planned{
		Operation: o.Name, Role: role, Method: "tools/call", Step: "load", Tool: tool, Items: items, Arguments: arguments(o, ask{tool: tool, items: items}),
	}
}
