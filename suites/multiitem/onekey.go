package multiitem

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

var idm05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "IDM-05", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupIdempotency,
		Title:  "one key has one effect in a crowd",
		Text:   "The same call several times at once, under one idempotency key, is done once: the others wait for its answer, or are told that it is under way.",
		Impact: "A client that hears nothing and sends again while the first call is still at work pays twice, key or no key.",
		Source: "contract section 6, concurrent identical calls",
		Needs:  []conform.Need{conform.NeedConcurrency, conform.NeedItems},
		Good:   "8 calls in flight under one key: all are told protocol P-77, and 1001 was cancelled once",
		Bad:    "8 calls in flight under one key: P-77 to P-84, and 1001 was cancelled eight times",
		Mend:   "Store the key before the work begins, under a unique constraint, and let whoever finds it there wait for the stored answer.",
		Since:  set,
	},
	Applies: keysDeclared,
	Judge:   oneEffect,
	Missing: "no calls were in flight together under one idempotency key",
}

// oneEffect judges the calls of each burst that share a key.
func oneEffect(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, b := range bursts(s) {
		byKey := map[string][]*sight{}
		var keys []string
		for _, v := range b.own {
			if v.Planned.Role != conform.RolePrimary || v.Planned.Key == "" {
				continue
			}
			if byKey[v.Planned.Key] == nil {
				keys = append(keys, v.Planned.Key)
			}
			byKey[v.Planned.Key] = append(byKey[v.Planned.Key], v)
		}
		for _, key := range keys {
			if all := byKey[key]; len(all) > 1 {
				looks = append(looks, underOneKey(s, all))
			}
		}
	}
	return looks
}

// underOneKey judges calls in flight together under one key: by how often their items
// were done, where somebody counted, and else by the protocols that they were told.
func underOneKey(s *conform.Subject, all []*sight) conform.Look {
	last := all[len(all)-1]
	alone := repeats(noSecondEffect)(s)
	if slices.ContainsFunc(alone, func(l conform.Look) bool { return l.Verdict == conform.Fail }) {
		return last.cannot("calls one after the other under one key are each done too (see IDM-01)")
	}
	if moreThanSaid(s) {
		return last.cannot(twiceAlone)
	}
	seen := eyesOn(s.Recording, last.Planned.Instance)
	if seen.shared != "" {
		return last.unclear("%s", seen.shared)
	}
	first, over := all[0].Sent.Seq, int64(0)
	for _, v := range all {
		if why := v.lost(); why != "" {
			return v.unclear("%s", why)
		}
		first, over = min(first, v.Sent.Seq), max(over, v.over())
	}
	before, after := read(seen.before(first), operationOf(s).FoldCase), read(seen.after(over), operationOf(s).FoldCase)
	told := false
	for i, item := range last.Planned.Items {
		if item.Truth == conform.Bad {
			continue
		}
		var asked []position
		for _, v := range all {
			if i < v.N() && v.called(i) == last.called(i) {
				asked = append(asked, position{v, i})
			}
		}
		names := last.seenAs(item)
		was, is := before.of(names), after.of(names)
		if was != nil && is != nil && was.Count != nil && is.Count != nil && torn(was, is) == "" {
			told = true
			if more := *is.Count - *was.Count; more > 1 {
				look := *last.failItem(i, rowNode(last.rowFor(i)), fmt.Sprintf("%s is done once", last.name(i)),
					"it was done %s by %d calls under one key, by the eyes of %s", times(more), len(all), after.Effect.Eyes)
				look.Evidence = append(look.Evidence, conform.Evidence{Call: after.Call, Seq: after.Seq, Excerpt: "read afterwards: " + is.ID + " is " + say(is)})
				return look
			}
			continue
		}
		protocols := map[string]bool{}
		acknowledged := 0
		for _, p := range asked {
			if p.v.words()[i] != claimed {
				continue
			}
			acknowledged++
			if row := p.v.rowFor(i); row != nil {
				protocol, _ := protocolOf(row.Node)
				protocols[protocol] = true
			}
		}
		switch {
		case acknowledged == 1, len(protocols) == 1 && !protocols[""]:
			told = told || acknowledged > 0
		case len(protocols) > 1 && !protocols[""]:
			return *last.failItem(i, rowNode(last.rowFor(i)), fmt.Sprintf("all calls under one key are told one protocol for %s", last.name(i)),
				"%d of them were told that they did it, under %d protocols", acknowledged, len(protocols))
		}
	}
	if !told {
		look := last.cannot("neither a count in the probe nor protocol ids in the rows tell how often it was done")
		look.Hint = "name the member that counts executions as `probe.count`"
		return look
	}
	return last.pass()
}
