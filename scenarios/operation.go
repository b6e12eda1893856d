package scenarios

import (
	"encoding/json"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// Operation is what planning must know of one operation of a target.
type Operation struct {
	conform.Operation
	Good, Bad, Informal, Many List
	// Members are those by which the target file itself tells one item from another,
	// best first. What is usual comes behind them.
	Members []string
	// Consumes is whether a write uses a good item up, so that it is good no more.
	Consumes bool
	// ResetID is equal for operations that one reset puts back together; empty:
	// the operation has no reset.
	ResetID string
	// Limits are the narrower of the file's and the operation's own. OwnBatch and
	// OwnPayload tell that those are the operation's.
	Limits               target.Limits
	OwnBatch, OwnPayload bool
	// UndoID is equal for operations whose effects the same hands take back, item by
	// item; empty: nothing does.
	UndoID string
	// SetUpID is equal for operations whose good items the same hands put in place
	// before they are asked for; empty: nothing does.
	SetUpID string
	// UndoOneByOne and SetUpOneByOne say that those hands take one item at a time.
	UndoOneByOne, SetUpOneByOne bool
	// EyesID is equal for operations whose items the same eyes see; empty: nobody looks.
	EyesID string
	// Alone says that every session has a server of its own: over stdio each is a
	// child process.
	Alone bool

	// Unit gives the arguments of the unit tool for one item; ok is false where there are
	// none.
	Unit func(item json.RawMessage) (arguments json.RawMessage, ok bool)

	inOrder bool // Many are the good items, which are too many to be chosen from
	means   []means
	blind   *shortage // why nobody looks, where the probe's tool cannot be asked
}

// List is a row of items; the zero value has none.
type List struct {
	Len int
	At  func(int) conform.Item // from 0 to Len-1
	// From is the tool of the server that gives them; empty: the target file has
	// them. Unread says that it was not asked yet, Lacks why it gave none.
	From   string
	Unread bool
	Lacks  string
}

// manyGood is how many good items are too many to be chosen from one by one:
// they are then drawn in order, as those of a template.
const manyGood = 2000

// operations gives the target's operations, with the items of this run.
func operations(f *target.File, run target.Run) []*Operation {
	var all []*Operation
	for _, t := range f.Operations {
		list := func(s *target.Supply) List {
			l := List{Len: s.Len(), At: func(i int) conform.Item { return s.Item(i, run) }}
			l.From, l.Unread, l.Lacks = s.From()
			return l
		}
		o := &Operation{Operation: t.Operation, Members: t.IDMembers(), Consumes: t.Consumes, Alone: f.Server.Transport == target.Stdio,
			Good: list(&t.Items.Good), Bad: list(&t.Items.Bad), Informal: list(&t.Items.Informal), Many: list(&t.Items.Many)}
		o.Limits = f.Limits.Narrower(t.Limits)
		o.OwnBatch, o.OwnPayload = o.Limits.Batch != f.Limits.Batch, o.Limits.Payload != f.Limits.Payload
		if t.Reset != nil {
			o.ResetID = t.Reset.Key()
		}
		if t.Undo != nil {
			o.UndoID, o.UndoOneByOne = t.Undo.Key(), t.Undo.Single()
		}
		if t.Setup != nil {
			o.SetUpID, o.SetUpOneByOne = t.Setup.Key(), t.Setup.Single()
		}
		if t.Probe != nil {
			o.EyesID = t.Probe.Key()
		}
		o.Unit = t.UnitCall
		o.means = meansOf(t)
		o.settle()
		all = append(all, o)
	}
	return all
}

// settle puts very many good items where they are drawn in order.
func (o *Operation) settle() {
	if o.Good.Len > manyGood && o.Many.Len == 0 {
		o.Many, o.Good, o.inOrder = o.Good, List{}, true
	}
}

// listed is how many good items the target file lists.
func (o *Operation) listed() int {
	if o.inOrder {
		return o.Many.Len
	}
	return o.Good.Len
}

// lists gives the lists that items of a kind are drawn from.
func (o *Operation) lists(kind ItemKind) []*List {
	switch kind {
	case BadItem:
		return []*List{&o.Bad}
	case InformalItem:
		return []*List{&o.Informal}
	}
	return []*List{&o.Good, &o.Many}
}

// missing says of a kind of which there is no item why there is none.
func (o *Operation) missing(kind ItemKind) string {
	for _, l := range o.lists(kind) {
		if l.Lacks != "" {
			return fmt.Sprintf("no %s items: %s", kind, l.Lacks)
		}
	}
	return fmt.Sprintf("the target file names no %s items", kind)
}

// unread gives a tool that items of a kind are read from when a run begins;
// empty: there is none, or it was asked.
func (o *Operation) unread(kind ItemKind) string {
	for _, l := range o.lists(kind) {
		if l.Unread {
			return l.From
		}
	}
	return ""
}

// has says how many items of a kind somebody has: "the target file has 2".
func (o *Operation) has(kind ItemKind, n int) string {
	tool, own, lacks := "", false, ""
	for _, l := range o.lists(kind) {
		switch {
		case l.Lacks != "":
			lacks = " (" + l.Lacks + ")"
		case l.From != "":
			tool = l.From
		default:
			own = own || l.Len > 0
		}
	}
	switch {
	case tool == "":
		return fmt.Sprintf("the target file has %d%s", n, lacks)
	case own:
		return fmt.Sprintf("the target file and the tool %s have %d%s", tool, n, lacks)
	}
	return fmt.Sprintf("the tool %s gave %d%s", tool, n, lacks)
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

// putsBack tells whether items come back that a write used up.
func (o *Operation) putsBack() bool { return o.ResetID != "" || o.UndoID != "" }

// backID names what puts items back.
func (o *Operation) backID() string {
	if o.ResetID != "" {
		return "reset " + o.ResetID
	}
	return "undo " + o.UndoID
}

// looked gives how many looks there are where there would be so many.
func (o *Operation) looked(n int) int {
	if o.Probe != conform.Present {
		return 0
	}
	return n
}

// key names a key of the operation in the target file.
func (o *Operation) key(rest string) string { return "operations." + o.Name + "." + rest }
