package contract

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// bucket is a list of requested items with a memory of how many of the first
// ones are taken, so that dealing them out takes linear time in all.
type bucket struct {
	items []int
	taken int
}

// free gives the bucket's first item that no row answers yet; -1 if none is left.
func (b *bucket) free(rows [][]int) int {
	for b.taken < len(b.items) {
		if item := b.items[b.taken]; len(rows[item]) == 0 {
			return item
		}
		b.taken++
	}
	return -1
}

// asked is what was requested, ready to be looked up by name.
type asked struct {
	own   [][]Identity         // per item; member names in lower case, values comparable
	by    map[Identity]*bucket // the items of a name, by kind and value
	any   map[string]*bucket   // the items of a name, whatever its kind
	kinds map[string]bool      // identity kinds that the items have
	soft  map[string]bool      // members that name items only because they have no identity member
	plain bool                 // some item is a plain string or number: it is compared with every kind
	group []int                // per item, the first equal one
	mates map[int]*bucket      // per first item, all equal ones
}

func newAsked(items []conform.Item, o Options, foldCase bool) *asked {
	decoded := decodeItems(items)
	q := &asked{own: make([][]Identity, len(items)), by: map[Identity]*bucket{}, any: map[string]*bucket{},
		kinds: map[string]bool{}, soft: map[string]bool{}, group: groups(items, decoded, foldCase), mates: map[int]*bucket{}}
	for i := range items {
		for _, name := range decoded[i].allNames(o) {
			name = Identity{strings.ToLower(name.Member), comparableForm(name.Value, foldCase)}
			q.own[i] = append(q.own[i], name)
			switch {
			case name.Member == "":
				q.plain = true
			case o.names(name.Member):
				q.kinds[name.Member] = true
			default:
				q.soft[name.Member] = true
			}
			put(q.by, name, i)
			put(q.any, name.Value, i)
		}
		put(q.mates, q.group[i], i)
	}
	return q
}

func put[K comparable](m map[K]*bucket, key K, item int) {
	b := m[key]
	if b == nil {
		b = &bucket{}
		m[key] = b
	}
	if n := len(b.items); n == 0 || b.items[n-1] != item {
		b.items = append(b.items, item)
	}
}

// named gives the items that a member of that kind and value names.
func (q *asked) named(kind, value string) *bucket {
	if b := q.by[Identity{kind, value}]; b != nil {
		return b
	}
	if !q.soft[kind] {
		return q.by[Identity{"", value}]
	}
	return nil
}

// isCalled tells whether an item, or one equal to it, has that name.
func (q *asked) isCalled(item int, kind, value string) bool {
	for _, at := range [2]int{item, q.group[item]} {
		for _, own := range q.own[at] {
			if own.Value == value && (own.Member == kind || own.Member == "" || kind == "") {
				return true
			}
		}
	}
	return false
}

// has tells whether an item has an identity of that very kind.
func (q *asked) has(item int, kind string) bool {
	for _, own := range q.own[item] {
		if own.Member == kind {
			return true
		}
	}
	return false
}

// accuses tells whether a row's member of that kind, naming nothing that was
// asked for, is a row for something nobody asked for. A member of a kind that
// the requested items do not have accuses nothing (contract decision 15).
func (q *asked) accuses(kind string) bool {
	if kind == "" { // the member item, holding a name
		return q.plain && len(q.kinds) == 0
	}
	return q.kinds[kind] || q.plain && !q.soft[kind]
}
