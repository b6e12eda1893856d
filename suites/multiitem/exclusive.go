package multiitem

import (
	"cmp"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/history"
)

var con02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "CON-02", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupConcurrency,
		Title:  "what succeeds once succeeds once in a crowd",
		Text:   "An item that this server refuses when it was done before, or answers with the protocol of the first time, is acknowledged once among calls in flight together; a further call may be told the same protocol, or the same key's answer.",
		Impact: "Two people are each told that they got the last seat, and one of them learns at the door that he did not.",
		Source: "contract 8b, concurrency",
		Needs:  []conform.Need{conform.NeedConcurrency, conform.NeedItems},
		Good:   "8 calls in flight for 1001: one is told success, seven already_cancelled",
		Bad:    "8 calls in flight for 1001: eight are told success, under eight protocols; a ninth one afterwards is told already_cancelled",
		Mend:   "Look whether it is done and do it in one step: a lock on the item, a unique constraint, or an update that names the state it expects and checks that it changed a row.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.StaysGood() {
			return "the target file says `semantics: " + s.Operation.Semantics + "`: each call may succeed"
		}
		return writesOnly(s)
	},
	Judge:   acknowledgedOnce,
	Missing: "no item was asked for by several calls in flight together",
}

// acknowledgedOnce judges the calls of each burst that share items with others of it.
func acknowledgedOnce(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, b := range bursts(s) {
		wanted := b.wanted()
		for _, v := range b.own {
			if look := v.once(s, wanted); look != nil {
				looks = append(looks, *look)
			}
		}
	}
	return looks
}

// once judges one call in flight by the items that others of the burst ask for too; nil
// where there are none.
func (v *sight) once(s *conform.Subject, wanted map[string][]position) *conform.Look {
	if v.Planned.Role != conform.RolePrimary || v.Planned.DryRun {
		return nil
	}
	met, lost := false, ""
	for i, item := range v.Planned.Items {
		asked := wanted[v.called(i)]
		if len(asked) < 2 || item.Truth == conform.Bad {
			continue
		}
		for _, p := range asked {
			if why := p.v.lost(); why != "" {
				lost = why
			}
		}
		if !met {
			if why := shared(s.Recording); why != "" {
				return some(v.unclear("%s", why))
			}
			if why := neverAgain(s); why != "" {
				if answer := unheardAgain(s, v.Planned.Instance); lost != "" || answer != "" {
					return some(v.unclear("%s", cmp.Or(lost, answer)))
				}
				return some(v.cannot("%s", why))
			}
		}
		met = true
		if all := deedsOf(asked); len(all) > 1 && v.words()[i] == claimed {
			return v.failItem(i, rowNode(v.rowFor(i)), fmt.Sprintf("one call is told that %s is done, and the others that it was done already", v.name(i)),
				"%d calls in flight asked for %s, and %d were told that they did it: %s", len(asked), v.name(i), len(all), calledBy(all))
		}
	}
	switch {
	case !met:
		return nil
	case lost != "":
		return some(v.unclear("of calls in flight for the same item one has no answer: %s", lost))
	}
	return some(v.pass())
}

// neverAgain says why it is not known that an item succeeds once on this server; empty:
// it is.
func neverAgain(s *conform.Subject) string {
	semantics, known := learned(s)
	switch {
	case semantics == history.Once:
		return ""
	case known != "":
		return "an item may succeed more than once here (" + known + "); a server that must not do so breaks IDM-03"
	}
	for _, a := range askedAgain(s) {
		if a.said == claimed {
			return fmt.Sprintf("asked for again, one call after the other, %s was acknowledged again (%s), and nothing tells whether it was done again: a protocol in the rows or `probe.count` would", a.second.name(a.item), a.second.ID)
		}
	}
	return "nobody saw what this server makes of an item that was done already: play a scenario as well that asks for one again, one call after the other (`concurrent-same` and `retry` do)"
}

// unheardAgain says why a call of a playing that asked for its items once more, and would
// have shown what the server makes of that, has no answer, or was not made any more; empty:
// it has, or there is none.
func unheardAgain(s *conform.Subject, instance string) string {
	for _, c := range s.Calls {
		if c.Planned.Instance == instance && c.Planned.Retries != "" && c.Planned.Burst == "" && c.Sent != nil {
			if why := see(s.Operation, c).lost(); why != "" {
				return why
			}
		}
	}
	if ended := s.Recording.Ended; ended != nil && ended.Class == conform.EndGone {
		return ended.Cause
	}
	return ""
}

// wanted gives by item the calls of the operation in flight together that ask for it.
func (b *burst) wanted() map[string][]position {
	by := map[string][]position{}
	for _, v := range b.own {
		if v.Planned.Role != conform.RolePrimary || v.Planned.DryRun {
			continue
		}
		met := map[string]bool{}
		for i := range v.Planned.Items {
			if name := v.called(i); !met[name] {
				met[name] = true
				by[name] = append(by[name], position{v, i})
			}
		}
	}
	return by
}

// deedsOf gives, of calls for one item, those that were told that they did it: of those
// that share a key or a protocol the first alone, since the others may have been told
// what it did.
func deedsOf(asked []position) []position {
	var all []position
	keys, protocols := map[string]bool{}, map[string]bool{}
	for _, p := range asked {
		if p.v.words()[p.item] != claimed {
			continue
		}
		protocol := ""
		if p.v.Answer != nil {
			protocol, _ = protocolOf(rowNode(p.v.rowFor(p.item)))
		}
		key := p.v.Planned.Key
		if !(key != "" && keys[key]) && !(protocol != "" && protocols[protocol]) {
			all = append(all, p)
		}
		keys[key], protocols[protocol] = true, true
	}
	return all
}

// calledBy names calls, with the protocols that they were given.
func calledBy(all []position) string {
	var words []string
	for _, p := range all[:min(len(all), atMost)] {
		word := p.v.ID
		if row := p.v.rowFor(p.item); row != nil {
			if protocol, _ := protocolOf(row.Node); protocol != "" {
				word += " (" + protocol + ")"
			}
		}
		words = append(words, word)
	}
	return listing(words, len(all))
}
