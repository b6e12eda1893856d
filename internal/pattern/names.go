package pattern

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Names are the texts and numbers of requested items, by which answers name them.
type Names struct {
	values  [][]byte
	numbers []bool // the value is a whole number as JSON writes it, exact in a double
	plain   []bool // the value stands for itself at every level of escaping
	members []string
	items   []int          // how many values each item has
	of      []int          // whose each value is
	at      map[string]int // by value; -1: it comes more than once
	// distinct: no two values are one, letter case aside where the server's is. Else
	// it hangs on the values which row is whose.
	distinct bool
	fold     bool
	keys     map[string]bool
}

// NamesOf gives the names of items; fold says that the server takes letter case
// for equal.
func NamesOf(items []conform.Item, fold bool) *Names {
	n := &Names{at: map[string]int{}, keys: map[string]bool{}, fold: fold, distinct: true}
	for i := range items {
		before := len(n.values)
		n.take(items[i].Given, i)
		n.take(items[i].Means, i)
		n.items = append(n.items, len(n.values)-before)
		for range len(n.values) - before {
			n.of = append(n.of, i)
		}
	}
	return n
}

func (n *Names) take(raw []byte, item int) {
	node, err := rawjson.Parse(raw)
	if err != nil {
		return // there is none, or it is no JSON
	}
	if node.Is(rawjson.Object) {
		for i := range node.Members {
			n.add(node.Members[i].Name, node.Members[i].Value)
		}
		return
	}
	n.add("", node)
}

func (n *Names) add(member string, node *rawjson.Node) {
	value, ok := node.Str()
	if !ok {
		if value, ok = node.Literal(); !ok {
			return
		}
	}
	n.at[value] = len(n.values)
	if key := contract.Key(value, n.fold); n.keys[key] {
		n.at[value], n.distinct = -1, false
	} else {
		n.keys[key] = true
	}
	n.members = append(n.members, strings.ToLower(member))
	n.values = append(n.values, []byte(value))
	n.numbers = append(n.numbers, wholeRun([]byte(value)) == len(value) && value != "-0")
	n.plain = append(n.plain, standsForItself(value))
}

// Fit tells whether a pattern made for these names serves the others too: as many
// items, with the same members.
func (n *Names) Fit(other *Names) bool {
	return slices.Equal(n.items, other.items) && slices.Equal(n.members, other.members) && n.distinct && other.distinct
}

// Len gives how many values there are.
func (n *Names) Len() int { return len(n.values) }

// Value gives a value. Digits in it may be changed for others, as long as all
// values stay distinct and no number begins with a zero.
func (n *Names) Value(i int) []byte { return n.values[i] }

// standsForItself tells a text that no writer of JSON has to escape, or likes to.
func standsForItself(text string) bool {
	for i := range len(text) {
		if !plain[text[i]] || strings.IndexByte("<>&/'", text[i]) >= 0 {
			return false
		}
	}
	return text != ""
}
