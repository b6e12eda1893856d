package multiitem

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

var ro02 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RO-02", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupReadOnly,
		Title:  "what an item is told does not hang on its company",
		Text:   "A query tells the same of an item wherever it stands in the batch, whatever stands beside it, and if it stands alone.",
		Impact: "The same question has another answer in another order: nobody can rely on either, and nobody can say why.",
		Source: "agent_platform_oci, multi-item guide, every item has an outcome of its own",
		Needs:  []conform.Need{conform.NeedItems},
		Good:   "asked for A, B and C: B is not found; asked for C, B and A: B is not found",
		Bad:    "asked for A, B and C: B is not found; asked for C, B and A: B is found",
		Mend:   "Look up each item by itself, with nothing carried over from the item before: no cursor, no last match, no cache of the whole request.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		switch {
		case s.Operation == nil:
		case s.Operation.Write:
			return "the target file declares `effect: write`"
		case s.Operation.Atomic:
			return "the target file declares `atomic: true`: items share an outcome"
		}
		return ""
	},
	Judge:   whateverItsCompany,
	Missing: "no items of which nothing is known were asked for twice, in other company",
}

// whateverItsCompany judges calls that ask for items of an earlier one once more. Of
// items that are known to be good or bad other rules tell.
func whateverItsCompany(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		if c.Planned.Regroups == "" || c.Sent == nil {
			continue
		}
		first := s.Recording.Call(c.Planned.Regroups)
		if first == nil || first.Sent == nil {
			continue
		}
		if look := see(s.Operation, c).besides(see(s.Operation, first)); look != nil {
			looks = append(looks, *look)
		}
	}
	return looks
}

// besides compares what is told of items with what an earlier call was told of them;
// nil: nothing can be compared.
func (v *sight) besides(first *sight) *conform.Look {
	for _, one := range []*sight{first, v} {
		if one.HasRows() && one.N() > 1 && one.Tie.By != contract.ByIdentity {
			return some(v.cannot("rows do not say which item they are about (see RES-09)"))
		}
	}
	unclear := 0
	for i, place := range v.Planned.Places {
		was := place - 1
		if v.Planned.Items[i].Truth != conform.Unknown || v.doubled(i) || first.doubled(was) {
			continue
		}
		before, _, ok := first.told(was)
		now, row, also := v.told(i)
		if !ok || !also {
			unclear++
			continue
		}
		if before != now {
			want := fmt.Sprintf("%s, as in the earlier call, where it stood at place %d of %d", outcomeWord(before), place, first.N())
			return v.failItem(i, row.Node, want, "%s, at place %d of %d", outcomeWord(now), i+1, v.N())
		}
		unclear = -v.N()
	}
	switch {
	case unclear > 0:
		return some(v.cannot("the items' rows cannot be read in both calls (see RES-02)"))
	case unclear < 0:
		return some(v.pass())
	}
	return nil
}

// doubled tells whether another item of the call is the same.
func (v *sight) doubled(item int) bool {
	return slices.ContainsFunc(v.repeated(), func(pair [2]int) bool { return pair[0] == item || pair[1] == item })
}

func outcomeWord(done bool) string {
	if done {
		return "success"
	}
	return "failure"
}
