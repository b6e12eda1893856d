package contract

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// column is a member, of any name, whose values may be names of requested items:
// "order", say, or "sku".
type column struct {
	name   string
	count  map[string]int // how often a value that names an item comes
	hits   int
	unfair bool // a value comes more often than it was asked for
}

// maxColumns bounds how many columns are tried: one is usual, a second happens
// where refused rows are shaped otherwise.
const maxColumns = 8

// byOtherMembers ties rows that no identity member ties, by any other member
// whose value is the name of a requested item. Members are weighed over all
// rows, so that a word that merely looks like a name ties nothing.
func (k *knot) byOtherMembers() {
	var columns []*column
	byName := map[string]*column{}
	for row := range k.rows {
		k.otherMembers(row, func(name, value string, b *bucket) {
			c := byName[name]
			if c == nil {
				c = &column{name: name, count: map[string]int{}}
				byName[name] = c
				columns = append(columns, c)
			}
			c.hits++
			c.count[value]++
			c.unfair = c.unfair || c.count[value] > len(b.items)
		})
	}
	columns = slices.DeleteFunc(columns, func(c *column) bool { return c.unfair })
	slices.SortStableFunc(columns, func(x, y *column) int { return y.hits - x.hits })
	for _, c := range columns[:min(len(columns), maxColumns)] {
		for row := range k.rows {
			k.otherMembers(row, func(name, _ string, b *bucket) {
				if name != c.name || k.Item[row] >= 0 {
					return
				}
				if item := b.free(k.Tying.Rows); item >= 0 {
					k.tie(row, item)
					k.doubt(row, item)
				}
			})
		}
	}
}

// otherMembers visits the members of a row not yet tied whose value is the name
// of a requested item, identity members left out: one of a kind that the items
// have was looked at, one of another kind ties nothing. A number is a name only
// under a member that says so.
func (k *knot) otherMembers(row int, visit func(name, value string, b *bucket)) {
	if k.Item[row] >= 0 || k.claims[row].index >= 0 {
		return
	}
	for _, m := range k.rows[row].Node.Members {
		if isItem(m.Name) || k.o.names(m.Name) && len(k.soft) == 0 || k.soft[strings.ToLower(m.Name)] {
			continue
		}
		if m.Value.Is(rawjson.Number) && !strings.HasSuffix(strings.ToLower(m.Name), "id") {
			continue
		}
		text, ok := scalar(m.Value)
		if !ok {
			continue
		}
		value := comparableForm(text, k.foldCase)
		if b := k.any[value]; b != nil {
			visit(m.Name, value, b)
		}
	}
}
