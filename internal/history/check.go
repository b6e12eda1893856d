package history

import (
	"math"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/mcpconform/mcpconform/conform"
)

// Verdict is what can be said of a history.
type Verdict uint8

// The verdicts.
const (
	Unknown   Verdict = iota // it is too long, or has too many orders
	Explained                // some order explains it
	Illegal                  // none does
)

// Longest is how many happenings of one item are judged at most.
const Longest = 2_000

// Check tells whether some order explains a history that begins with a look; without
// one nothing is known of how it began, and it is unknown.
func Check(semantics string, events []conform.Happening) Verdict {
	return check(semantics, events, nil)
}

// check is Check where further writes, whose words are not looked at, may each have been
// done at any time, or never.
func check(semantics string, events, loose []conform.Happening) Verdict {
	if len(events) == 0 || len(events)+len(loose) > Longest || events[0].Kind != conform.Looked {
		return Unknown
	}
	initial := begin(events[0])
	for _, e := range loose {
		initial, _ = step(semantics, initial, input{conform.Happening{Kind: conform.Write, Said: conform.Unanswered, Key: e.Key}, 1})
	}
	steps := 0
	m := model(semantics, initial, &steps)
	if porcupine.CheckOperations(m, operations(merged(events[1:]))) {
		return Explained
	}
	if steps > mostSteps {
		return Unknown
	}
	return Illegal
}

// begin gives the state that a first look shows.
func begin(look conform.Happening) state {
	s := state{done: look.Done}
	if look.Count != nil {
		s.n = *look.Count
	}
	return s
}

// operations puts happenings as the search wants them. A call without an answer is taken
// in at the instant when it is sent: from then on it may have been done.
func operations(all []input) []porcupine.Operation {
	ops := make([]porcupine.Operation, len(all))
	for i, in := range all {
		call, back := interval(in.Happening)
		if in.Said == conform.Unanswered {
			back = call
		}
		ops[i] = porcupine.Operation{Input: in, Call: call, Return: back}
	}
	return ops
}

// interval gives when a happening came about as the search has it, whose intervals are
// closed: after the one observation, and before the other.
func interval(e conform.Happening) (from, to int64) { return 2*e.Begun + 1, 2 * e.Over }

// merged leaves out what explains itself, and makes one of happenings that are alike and
// have no look between or beside them, in whose order nothing lies. What is left is
// searched in few steps: a hundred calls that were all told the same in one burst would
// have more orders than can be gone through.
func merged(events []conform.Happening) []input {
	var looks, writes []conform.Happening
	for _, e := range events {
		switch {
		case e.Kind == conform.Looked:
			looks = append(looks, e)
		case e.Said == conform.Denied: // a server may refuse at any time: it is busy, or done already
		default:
			writes = append(writes, e)
		}
	}
	own := protocolsOfOneKey(writes)
	type alike struct {
		said          conform.Said
		key, protocol string
		at            int // how many looks were over before it
	}
	first := map[alike]int{}
	var all []input
	for _, w := range writes {
		if own[w.Protocol] == w.Key && w.Key != "" {
			w.Protocol = "" // the key says it all
		}
		from, to := interval(w)
		if w.Said == conform.Unanswered {
			to = from
		}
		before, begun := 0, 0
		for _, l := range looks {
			began, over := interval(l)
			if over < from {
				before++
			}
			if began <= to {
				begun++
			}
		}
		kind := alike{w.Said, w.Key, w.Protocol, before}
		i, seen := first[kind]
		if before != begun || !seen {
			if before == begun {
				first[kind] = len(all)
			}
			all = append(all, input{w, 1})
			continue
		}
		one := &all[i]
		one.times++
		one.Begun = min(one.Begun, w.Begun)
		one.Over = max(one.Over, w.Over)
	}
	for _, l := range looks {
		all = append(all, input{l, 1})
	}
	return all
}

// protocolsOfOneKey gives the protocols that came under one key alone, with that key.
func protocolsOfOneKey(writes []conform.Happening) map[string]string {
	keys := map[string]string{}
	for _, w := range writes {
		if w.Protocol == "" {
			continue
		}
		if key, seen := keys[w.Protocol]; seen && key != w.Key {
			keys[w.Protocol] = ""
			continue
		}
		keys[w.Protocol] = w.Key
	}
	return keys
}

// Smallest gives a part of a history without an explanation that has none either,
// whatever the calls that it leaves out did: as few happenings as can be, in the order
// in which they began. The first look stays, and one call that may have done something:
// what was seen before and after it says nothing to a reader without it.
func Smallest(semantics string, events []conform.Happening) []conform.Happening {
	if Check(semantics, events) != Illegal {
		return nil
	}
	kept := slices.Clone(events)
	var loose []conform.Happening
	// Calls first: two looks that contradict each other say more than one and a call.
	for _, kind := range []conform.HappeningKind{conform.Write, conform.Looked} {
		for i := len(kept) - 1; i > 0; i-- {
			if kept[i].Kind != kind {
				continue
			}
			fewer := slices.Delete(slices.Clone(kept), i, i+1)
			more := loose
			if acts(kept[i]) {
				more = append(slices.Clip(loose), kept[i])
			}
			if check(semantics, fewer, more) == Illegal {
				kept, loose = fewer, more
			}
		}
	}
	if !slices.ContainsFunc(kept, acts) {
		if i := slices.IndexFunc(events, acts); i >= 0 {
			kept = append(kept, events[i])
		}
	}
	slices.SortStableFunc(kept, func(a, b conform.Happening) int { return int(max(math.MinInt32, min(math.MaxInt32, a.Begun-b.Begun))) })
	return kept
}

// acts tells a call that may have done something.
func acts(e conform.Happening) bool { return e.Kind == conform.Write && e.Said != conform.Denied }
