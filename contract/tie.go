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

// Tying says which row answers which requested item.
type Tying struct {
	By By
	// Item gives, per row, the position of the requested item; -1: none.
	Item []int
	// Rows gives, per requested item, the rows that answer it, in order.
	Rows [][]int
	// Surplus are rows whose identity, of a kind the requested items have,
	// names nothing that was asked for.
	Surplus []int
	// Nameless are rows without any member that could name an item.
	Nameless []int
	// Wrong are rows that two members tie to two different items, or that an
	// index ties to an item whose identity they contradict.
	Wrong []int
	// Merged are requested items that share the one row of an equal item.
	Merged []int
}

// Missing gives the requested items that no row answers, merged ones not counted.
func (t Tying) Missing() []int { panic("not built") }

// Doubled gives the requested items that more than one row answers.
func (t Tying) Doubled() []int { panic("not built") }

// Tie finds which row answers which item. Identities are compared after NFC
// only, numbers by their exact text, and 88 is the same item as "88"; with
// foldCase letter case is equal too.
func (a *Answer) Tie(items []conform.Item, o Options, foldCase bool) Tying { panic("not built") }

// Status is the outcome of a batch, derived from its rows alone.
type Status string

// The statuses; empty: unknown (contract decision 9).
const (
	StatusUnknown Status = ""
	Success       Status = "SUCCESS"
	Partial       Status = "PARTIAL_SUCCESS"
	AllFailed     Status = "FAILED"
)

// Derive gives the status, or why there is none: it is derived only when every
// row is readable and no missing or surplus row could change it. A list of
// fewer than two rows gives none.
func (a *Answer) Derive(items []conform.Item, t Tying) (status Status, why string) {
	panic("not built")
}

// Identity is one name of an item: the member it stands under (empty for a plain
// string) and its value in comparable form.
type Identity struct{ Member, Value string }

// Identities gives all names of an item: of Given, then of Means.
func Identities(item conform.Item, o Options) []Identity { panic("not built") }

// SameValue tells whether two identity values name the same thing: equal after
// NFC, and after case folding if foldCase.
func SameValue(a, b string, foldCase bool) bool { panic("not built") }
