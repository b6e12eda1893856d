package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// Doubt takes back what was held to be true of good items that were refused: on a
// target that others write to as well, where they may have been changed the moment
// before, and where the look before the call shows that an item was done already.
// That breaks no rule. What succeeded stays good, and every rule that does not
// hang on the item's being good is judged as ever.
func Doubt(rec *conform.Recording) {
	others := shared(rec) != ""
	for _, c := range rec.Calls {
		op := rec.Operation(c.Planned.Operation)
		if op == nil || c.Planned.Role != conform.RolePrimary && c.Planned.Role != conform.RoleValidator {
			continue
		}
		v := &sight{Op: op, Planned: c.Planned}
		refused := func(int) bool { return true }
		if c.Result != nil {
			v.Answer = contract.Read(c.Result, v.options())
			v.Tie = v.Answer.Tie(c.Planned.Items, v.options(), op.FoldCase)
			refused = v.refuses
		}
		done := v.doneBefore(rec, c)
		if !others && len(done) == 0 {
			continue
		}
		items := append([]conform.Item(nil), c.Planned.Items...)
		spent := map[int]*conform.State{}
		for i := range items {
			if state := done[i]; items[i].Truth == conform.Good && (others || state != nil) && refused(i) {
				items[i].Truth = conform.Unknown
				if state != nil && !others {
					spent[i] = state
				}
			}
		}
		c.Planned.Items = items
		c.Memo(spentKey{}, func() any { return spent })
	}
}

// doneBefore gives the items of a call that were in a state of done before the
// first call of its scenario, and that a server may refuse for it.
func (v *sight) doneBefore(rec *conform.Recording, c *conform.Call) map[int]*conform.State {
	if c.Sent == nil || !v.Op.Write || v.Op.StaysGood() {
		return nil
	}
	var before *conform.Observation
	for _, o := range rec.Effects {
		if o.Effect.Instance == c.Planned.Instance && o.Effect.Phase == conform.Before && o.Seq < c.Sent.Seq {
			before = o
		}
	}
	look := read(before, v.Op.FoldCase)
	done := map[int]*conform.State{}
	for i, item := range c.Planned.Items {
		if s := look.of(v.seenAs(item)); s != nil && s.Done != nil && *s.Done {
			done[i] = s
		}
	}
	return done
}

type spentKey struct{}

// spent gives the items of a call that would be held to be good, had they not been
// done already, by their positions.
func spent(c *conform.Call) map[int]*conform.State {
	return c.Memo(spentKey{}, func() any { return map[int]*conform.State(nil) }).(map[int]*conform.State)
}

// hangs gives the look of a rule that has nothing to say of a call, and would have
// had, were the items good that were done already; nil where they are not why.
func (v *sight) hangs(word func(*sight) *conform.Look) *conform.Look {
	gone := spent(v.Call)
	if len(gone) == 0 {
		return nil
	}
	sure := *v
	sure.Planned.Items = append([]conform.Item(nil), v.Planned.Items...)
	first := -1
	for i := range sure.Planned.Items {
		if gone[i] == nil {
			continue
		}
		sure.Planned.Items[i].Truth = conform.Good
		if first < 0 {
			first = i
		}
	}
	if word(&sure) == nil {
		return nil
	}
	words := fmt.Sprintf("good item %s was already done before it was asked for (%s)", gone[first].ID, say(gone[first]))
	if n := len(gone); n > 1 {
		words = fmt.Sprintf("%d good items were already done before they were asked for (%s is %s)", n, gone[first].ID, say(gone[first]))
	}
	return some(v.cannot("%s: reset it, or give fresh items (`operations.%s.items.good`)", words, v.Op.Name))
}

// refuses tells whether the answer says of an item, or of the whole call, that it
// cannot be done.
func (v *sight) refuses(item int) bool {
	if yes, ok := v.Answer.Payload.Get("eligible").Bool(); ok && !yes {
		return true
	}
	if !v.HasRows() {
		return v.Answer.IsError
	}
	row := v.rowFor(item)
	return row != nil && row.Flag == contract.Failed
}
