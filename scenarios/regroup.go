package scenarios

import (
	"bytes"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// regroup binds a call that asks for items of an earlier one once more, in other
// company; nil: none of them is left in a play that was made smaller.
func (b *binder) regroup(s Step) (*conform.BoundCall, *shortage) {
	if b.play.Operation.Write {
		return nil, &shortage{reason: "the same items are asked for again, and a write changes what is true of them", absent: true}
	}
	from := b.asked[s.Of]
	all := from.ask.items
	places := s.Places
	if places == nil {
		for at := range all {
			places = append(places, len(all)-at)
		}
	}
	places = slices.DeleteFunc(slices.Clone(places), func(at int) bool { return at > len(all) })
	if len(places) == 0 {
		return nil, nil
	}
	a := from.ask
	a.items = regrouped(all, places)
	a.key = ""
	call := &conform.BoundCall{ID: b.play.Instance + "/" + s.Name, Session: from.call.Session}
	call.Planned = b.planned(s, conform.RolePrimary, a)
	call.Planned.Items = atomic(b.play.Operation, a.items)
	call.Planned.Regroups, call.Planned.Places = from.call.ID, places
	b.asked[s.Name] = asked{*call, a}
	return call, nil
}

// regrouped gives items in another order, each with what is known of it there: the
// first of several equal ones is no double.
func regrouped(all []conform.Item, places []int) []conform.Item {
	first := map[int]int{} // by where the first of equal ones stood: where it stands now, from 1
	items := make([]conform.Item, len(places))
	for i, at := range places {
		origin := at
		for all[origin-1].Equals > 0 {
			origin = all[origin-1].Equals
		}
		item := all[at-1]
		switch before, double := first[origin]; {
		case double:
			item.Equals = before
			if item.Truth == conform.Good {
				item.Truth = conform.Unknown
			}
		default:
			item.Equals, first[origin] = 0, i+1
			if bytes.Equal(item.Given, all[origin-1].Given) {
				item.Truth = all[origin-1].Truth
			}
		}
		items[i] = item
	}
	return items
}
