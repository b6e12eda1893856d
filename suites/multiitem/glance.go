package multiitem

import "github.com/mcpconform/mcpconform/conform"

// Word is what an answer comes to, for those who measure.
type Word struct {
	// Refused says how the whole call was refused, without a row for any item of which
	// one was to succeed; empty: it was not.
	Refused string
	// Unknown is set where the answer has rows neither by the contract nor by the
	// target file's mapping; a validator's, where it decides nothing.
	Unknown bool
	// Mapped is set where the target file's mapping was read. Untrue counts the items
	// of which it then says nothing, or something else than is known of them.
	Mapped bool
	Untrue int
}

// Glance gives what the answer to a call comes to. It judges no rule.
func Glance(rec *conform.Recording, op *conform.Operation, c *conform.Call) Word {
	v := see(op, c)
	if look := v.beyond(&conform.Subject{Recording: rec}); look != nil {
		return Word{Refused: look.Reason}
	}
	if how := v.refusal(); how != "" && (len(v.these(conform.Bad)) < v.N() || v.raised()) {
		return Word{Refused: how}
	}
	if c.Planned.Role == conform.RoleValidator {
		_, decided := v.eligible()
		return Word{Unknown: !decided}
	}
	if !op.Results.Mapped() {
		return Word{Unknown: v.Answer.List == nil && v.refusal() == ""}
	}
	w := Word{Mapped: true}
	for i, said := range v.words() {
		truth := v.Planned.Items[i].Truth
		if said == silent || truth == conform.Good && said != claimed || truth == conform.Bad && said != denied {
			w.Untrue++
		}
	}
	return w
}
