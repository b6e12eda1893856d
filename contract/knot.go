package contract

import "github.com/mcpconform/mcpconform/conform"

// knot is a tying being made.
type knot struct {
	Tying
	*asked
	rows     []Row
	o        Options
	foldCase bool
	claims   []claims
	base     int   // what the first item's index is: 0 or 1
	late     []int // rows whose item was taken by an earlier row
	lateFor  []int // per late row, the item it names
	spoke    bool  // some row was tied by what it says
}

func newKnot(rows []Row, items []conform.Item, o Options, foldCase bool) *knot {
	k := &knot{rows: rows, o: o, foldCase: foldCase, asked: newAsked(items, o, foldCase),
		claims: make([]claims, len(rows))}
	k.Item = make([]int, len(rows))
	k.Rows = make([][]int, len(items))
	for i := range rows {
		k.Item[i] = -1
		k.claims[i] = k.claimsOf(&rows[i], o, foldCase)
	}
	k.dropForeignIndexes()
	k.base = k.indexBase()
	return k
}

// dropForeignIndexes forgets indexes of which none is a position of the request:
// they are a numbering of the server's own.
func (k *knot) dropForeignIndexes() {
	for i := range k.claims {
		if index := k.claims[i].index; index >= 0 && index <= len(k.own) {
			return
		}
	}
	for i := range k.claims {
		k.claims[i].index = -1
	}
}

// indexBase decides whether indexes count from 0, as documented, or from 1. The
// latter is taken where every index fits 1..N, none is 0, and either one is N or
// the names beside the indexes say so.
func (k *knot) indexBase() int {
	count, last, fromZero, fromOne := len(k.Tying.Rows), false, 0, 0
	for i := range k.claims {
		index := k.claims[i].index
		switch {
		case index < 0:
			continue
		case index == 0 || index > count:
			return 0
		case index == count:
			last = true
		}
		if index < count && k.agrees(i, index) {
			fromZero++
		}
		if k.agrees(i, index-1) {
			fromOne++
		}
	}
	if last && fromOne >= fromZero || fromOne > fromZero {
		return 1
	}
	return 0
}

// agrees tells whether some name that a row carries is a name of the item.
func (k *knot) agrees(row, item int) bool {
	for _, c := range k.claims[row].names {
		if k.isCalled(item, c.kind, c.value) {
			return true
		}
	}
	return false
}

func (k *knot) tie(row, item int) {
	k.Item[row] = item
	k.Tying.Rows[item] = append(k.Tying.Rows[item], row)
	k.spoke = true
}

// byMembers ties rows by index, else by identity members. Rows whose item is
// taken wait: an equal item, or another of the same name, may be left for them.
func (k *knot) byMembers() {
	for row := range k.rows {
		item := -1
		if index := k.claims[row].index; index >= k.base && index-k.base < len(k.own) {
			item = index - k.base
			k.tie(row, item)
		} else if item = k.best(row); item >= 0 {
			if len(k.Tying.Rows[item]) == 0 {
				k.tie(row, item)
			} else {
				k.late, k.lateFor = append(k.late, row), append(k.lateFor, item)
			}
		}
		if item >= 0 {
			k.doubt(row, item)
		}
	}
	for i, row := range k.late {
		item := k.lateFor[i]
		if free := k.mates[k.group[item]].free(k.Tying.Rows); free >= 0 {
			item = free
		}
		k.tie(row, item)
	}
}

// lookAhead bounds how many items of one name are tried for a row, so that a
// request full of one name costs no more than another.
const lookAhead = 64

// best gives the item that a row names: of the name that fits the fewest items,
// the first one not yet answered that the row's other names do not deny.
func (k *knot) best(row int) int {
	var fewest *bucket
	var soft bool
	for _, c := range k.claims[row].names {
		b := k.lookUp(c)
		isSoft := k.soft[c.kind]
		if b != nil && (fewest == nil || soft && !isSoft || soft == isSoft && len(b.items) < len(fewest.items)) {
			fewest, soft = b, isSoft
		}
	}
	if fewest == nil {
		return -1
	}
	first := fewest.free(k.Tying.Rows)
	if first < 0 {
		return fewest.items[0]
	}
	for i := fewest.taken; i < len(fewest.items) && i < fewest.taken+lookAhead; i++ {
		if item := fewest.items[i]; len(k.Tying.Rows[item]) == 0 && !k.denied(row, item) {
			return item
		}
	}
	return first
}

func (k *knot) lookUp(c claim) *bucket {
	if c.kind == "" {
		return k.any[c.value]
	}
	return k.named(c.kind, c.value)
}

// denied tells whether a name of the row belongs to other items only.
func (k *knot) denied(row, item int) bool {
	for _, c := range k.claims[row].names {
		if !k.isCalled(item, c.kind, c.value) && k.isOther(k.lookUp(c), item) {
			return true
		}
	}
	return false
}

// isOther tells whether the items of a name are others than the item and those
// equal to it.
func (k *knot) isOther(b *bucket, item int) bool {
	return b != nil && k.group[b.items[0]] != k.group[item]
}

// doubt marks a row that contradicts the item it is tied to: by a name of
// another item, or by an id of its own kind that nobody asked for.
func (k *knot) doubt(row, item int) {
	wrong, strange := false, false
	for i, c := range k.claims[row].names {
		switch {
		case k.soft[c.kind]:
		case c.again:
			wrong, strange = true, true
		case k.lookUp(c) != nil:
			wrong = wrong || k.isOther(k.lookUp(c), item) && !k.sameKindFits(row, item, i)
		case k.o.strong(c.kind) && k.has(item, c.kind) && !k.sameKindFits(row, item, i):
			wrong, strange = true, true
		}
	}
	if wrong {
		k.Wrong = append(k.Wrong, row)
	}
	if strange {
		k.Strange = append(k.Strange, row)
	}
}

// sameKindFits tells whether a name of the row, or another member of its kind,
// names the item: the item's own id beside one of the whole row, say.
func (k *knot) sameKindFits(row, item, name int) bool {
	names := k.claims[row].names
	for _, c := range names {
		if c.kind == names[name].kind && k.isCalled(item, c.kind, c.value) {
			return true
		}
	}
	return false
}

// sortOutUntied tells rows for something nobody asked for from rows that name
// nothing.
func (k *knot) sortOutUntied() {
	for row := range k.rows {
		if k.Item[row] >= 0 {
			continue
		}
		if k.accused(row) {
			k.Surplus = append(k.Surplus, row)
		} else {
			k.Nameless = append(k.Nameless, row)
		}
	}
}

func (k *knot) accused(row int) bool {
	if k.claims[row].index >= 0 {
		return true // no position of the request: it was not tied
	}
	for _, c := range k.claims[row].names {
		if c.value != "" && k.accuses(c.kind) {
			return true
		}
	}
	return false
}

// byElimination ties rows that name nothing, in order, to the items that no
// other row answers, if their number is right and no row is for anything else.
func (k *knot) byElimination() {
	if len(k.Surplus) > 0 {
		return
	}
	var all, unmerged []int
	for item := range k.Tying.Rows {
		if len(k.Tying.Rows[item]) > 0 {
			continue
		}
		all = append(all, item)
		if len(k.Tying.Rows[k.group[item]]) == 0 {
			unmerged = append(unmerged, item)
		}
	}
	spoke := k.spoke
	for _, left := range [][]int{all, unmerged} {
		if len(left) == len(k.Nameless) {
			for i, item := range left {
				k.tie(k.Nameless[i], item)
			}
			k.By = ByOrder // what rows say outweighs it: see finish
			break
		}
	}
	k.spoke = spoke
}

// finish finds the items that share an equal item's row.
func (k *knot) finish() {
	if k.spoke {
		k.By = ByIdentity
	}
	answered := map[int]bool{}
	for item := range k.Tying.Rows {
		if len(k.Tying.Rows[item]) > 0 {
			answered[k.group[item]] = true
		}
	}
	for item := range k.Tying.Rows {
		if len(k.Tying.Rows[item]) == 0 && answered[k.group[item]] {
			k.Merged = append(k.Merged, item)
		}
	}
}
