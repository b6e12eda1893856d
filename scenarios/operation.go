package scenarios

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// Operation is what planning must know of one operation of a target.
type Operation struct {
	conform.Operation
	Good, Bad, Informal, Many List
	// Consumes is whether a write uses a good item up, so that it is good no more.
	Consumes bool
	// ResetID is equal for operations that one reset puts back together; empty:
	// the operation has no reset.
	ResetID string
	// Limits are the narrower of the file's and the operation's own. OwnBatch and
	// OwnPayload tell that those are the operation's.
	Limits               target.Limits
	OwnBatch, OwnPayload bool
	// Alone says that every session has a server of its own: over stdio each is a
	// child process.
	Alone bool
}

// List is a row of items; the zero value has none.
type List struct {
	Len int
	At  func(int) conform.Item // from 0 to Len-1
}

// manyGood is how many good items are too many to be chosen from one by one:
// they are then drawn in order, as those of a template.
const manyGood = 2000

// operations gives the target's operations, with the items of this run.
func operations(f *target.File, run target.Run) []*Operation {
	var all []*Operation
	for _, t := range f.Operations {
		list := func(s *target.Supply) List {
			return List{s.Len(), func(i int) conform.Item { return s.Item(i, run) }}
		}
		o := &Operation{Operation: t.Operation, Consumes: t.Consumes, Alone: f.Server.Transport == target.Stdio,
			Good: list(&t.Items.Good), Bad: list(&t.Items.Bad), Informal: list(&t.Items.Informal), Many: list(&t.Items.Many)}
		o.Limits = f.Limits.Narrower(t.Limits)
		o.OwnBatch, o.OwnPayload = o.Limits.Batch != f.Limits.Batch, o.Limits.Payload != f.Limits.Payload
		if t.Reset != nil {
			o.ResetID = t.Reset.Key()
		}
		o.settle()
		all = append(all, o)
	}
	return all
}

// settle puts very many good items where they are drawn in order.
func (o *Operation) settle() {
	if o.Good.Len > manyGood && o.Many.Len == 0 {
		o.Many, o.Good = o.Good, List{}
	}
}

// consumes tells whether calling the operation uses good items up.
func (o *Operation) consumes() bool { return o.Write && o.Consumes }

// limitKey names a limit, where it stands in the target file.
func (o *Operation) limitKey(limit string, own bool) string {
	if own {
		return o.key("limits." + limit)
	}
	return "limits." + limit
}

// key names a key of the operation in the target file.
func (o *Operation) key(rest string) string { return "operations." + o.Name + "." + rest }
