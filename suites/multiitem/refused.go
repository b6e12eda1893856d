package multiitem

import (
	"cmp"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// refusedIsNotThere compares each item that a call refused with its state before
// and after. An item that some call of the play acknowledged, or left untold, may
// have changed by that: a repeat, a duplicate, a call whose answer was lost.
func refusedIsNotThere(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	touched := map[string]map[string]bool{} // by instance: names of items that may have changed
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RolePrimary || c.Sent == nil {
			continue
		}
		v := see(s.Operation, c)
		if touched[c.Planned.Instance] == nil {
			touched[c.Planned.Instance] = map[string]bool{}
		}
		for i, said := range v.words() {
			if said == denied {
				continue
			}
			for _, name := range v.seenAs(v.Planned.Items[i]) {
				touched[c.Planned.Instance][contract.Key(name.Value, v.Op.FoldCase)] = true
			}
		}
	}
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RolePrimary || c.Planned.DryRun {
			continue
		}
		v := see(s.Operation, c)
		seen := eyesOn(s.Recording, c.Planned.Instance)
		if v.lost() != "" {
			continue
		}
		if look := v.asBefore(seen, touched[c.Planned.Instance]); look != nil {
			looks = append(looks, *look)
		}
	}
	return looks
}

func (v *sight) asBefore(seen eyes, touched map[string]bool) *conform.Look {
	before := read(seen.before(v.Sent.Seq), v.Op.FoldCase)
	after := read(seen.after(v.Received[len(v.Received)-1].Seq), v.Op.FoldCase)
	if v.tieOfEffects().By == contract.ByOrder {
		if v.Answer.Has(contract.RowNotObject) != nil {
			return nil // they have no members (see RES-04)
		}
		return some(v.unnamed())
	}
	var moved []string
	var judged, first int
	ambiguous := ""
	for i := range v.Planned.Items {
		names := v.seenAs(v.Planned.Items[i])
		if anyOf(names, touched, v.Op.FoldCase) {
			continue
		}
		was, is := before.of(names), after.of(names)
		if was == nil || is == nil { // also where a reading failed: EFF-01 says so
			continue
		}
		if why := torn(was, is); why != "" {
			ambiguous = cmp.Or(ambiguous, why)
			continue
		}
		judged++
		if !is.Changed(*was) {
			continue
		}
		if len(moved) == 0 {
			first = i + 1
		}
		moved = append(moved, fmt.Sprintf("%s was %s and is %s", is.ID, say(was), say(is)))
	}
	switch {
	case judged == 0 && ambiguous == "":
		return nil
	case seen.shared != "":
		return some(v.unclear("%s", seen.shared))
	case len(moved) == 0 && ambiguous != "":
		return some(v.tornLook(ambiguous))
	case len(moved) == 0:
		return some(v.pass())
	case v.Op.Eventual:
		return some(v.unclear("the target file says `consistency: eventual`: a change may be the late effect of an earlier call"))
	}
	look := v.fail(nil, "every item that the answer calls not done stays as it was",
		"%d of %d refused items changed, by the eyes of %s: %s", len(moved), judged, after.Effect.Eyes, few(moved))
	look.Item = first
	look.Evidence = append(look.Evidence, conform.Evidence{Call: after.Call, Seq: after.Seq, Excerpt: "read afterwards: " + few(moved)})
	return &look
}

func anyOf(names []contract.Identity, touched map[string]bool, fold bool) bool {
	for _, name := range names {
		if touched[contract.Key(name.Value, fold)] {
			return true
		}
	}
	return false
}
