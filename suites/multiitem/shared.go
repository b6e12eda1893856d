package multiitem

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// Doubt takes back what was held to be true of items on a target that others
// write to as well: a good item that was refused may have been changed by them
// the moment before, and breaks no rule. What succeeded stays good, and every
// rule that does not hang on the item's being good is judged as ever.
func Doubt(rec *conform.Recording) {
	if rec.Shared() == "" {
		return
	}
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
		items := append([]conform.Item(nil), c.Planned.Items...)
		for i := range items {
			if items[i].Truth == conform.Good && refused(i) {
				items[i].Truth = conform.Unknown
			}
		}
		c.Planned.Items = items
	}
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
