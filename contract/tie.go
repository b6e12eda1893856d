package contract

import "github.com/mcpconform/mcpconform/conform"

// By says what ties rows to requested items (contract decision 15).
type By uint8

// The ties, weakest first.
const (
	ByNothing  By = iota // nothing does: wrong number of rows and no identity
	ByOrder              // no row names its item, the number is right
	ByIdentity           // index, id, name, subject, key, or a name of results.id
)

func (b By) String() string { return [...]string{"nothing", "order", "identity"}[b] }

// Tying says which row answers which requested item.
type Tying struct {
	By By
	// Item gives, per row, the position of the requested item; -1: none.
	Item []int
	// Rows gives, per requested item, the rows that answer it, in order.
	Rows [][]int
	// Surplus are rows whose identity, of a kind the requested items have,
	// names nothing that was asked for. Where nothing was asked for, all are.
	Surplus []int
	// Nameless are rows without any member that could name an item. Beside rows
	// that have one, they are tied to the items left over if their number is right.
	Nameless []int
	// Wrong are rows that two members tie to two different items, or that an
	// index (or a name) ties to an item whose identity they contradict. They are
	// tied all the same, by the index if there is one; what their flag says of
	// that item is not to be trusted.
	Wrong []int
	// Merged are requested items that share the one row of an equal item. Their
	// own Rows are empty.
	Merged []int

	// Strange are rows of Wrong with an id, of a kind the requested items have,
	// that nobody asked for (decision 15).
	Strange []int
}

// Missing gives the requested items that no row answers, merged ones not counted.
func (t Tying) Missing() []int {
	merged := make(map[int]bool, len(t.Merged))
	for _, item := range t.Merged {
		merged[item] = true
	}
	var missing []int
	for item := range t.Rows {
		if len(t.Rows[item]) == 0 && !merged[item] {
			missing = append(missing, item)
		}
	}
	return missing
}

// Doubled gives the requested items that more than one row answers.
func (t Tying) Doubled() []int {
	var doubled []int
	for item := range t.Rows {
		if len(t.Rows[item]) > 1 {
			doubled = append(doubled, item)
		}
	}
	return doubled
}

// Tie finds which row answers which item. Identities are compared after NFC
// only, numbers by their exact text, and 88 is the same item as "88"; with
// foldCase letter case is equal too.
//
// A row is tied by its index; else by a member of a kind that the requested items
// have (id, name, subject, key, the names of Options.ID; a plain string is
// compared with all of them; item may hold the item itself); else by any other
// member whose value is the name of a requested item. Items that are equal after
// canonicalization are one to one with the rows that name them, in order.
func (a *Answer) Tie(items []conform.Item, o Options, foldCase bool) Tying {
	k := newKnot(a.Rows, items, o, foldCase)
	if len(items) == 0 {
		for i := range a.Rows {
			k.Surplus = append(k.Surplus, i)
		}
		return k.Tying
	}
	k.byMembers()
	k.byOtherMembers()
	k.byTrimming()
	k.sortOutUntied()
	k.byElimination()
	k.finish()
	return k.Tying
}
