package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Words are what batches for an operation are made of.
type Words struct {
	Operation string
	Items     []string // words of one item that can be drawn; the first is the most ordinary
	Again     []string // how an item may come again: "again", "with outer space"
	Most      int      // items of a call
	Regroup   bool     // items may be asked for twice
}

// Sizes of batches: most are small, since most mistakes need no more, some are past
// what a page or a worker takes at a time, and a few are as large as may be, up to a
// bound: larger ones are what the scenarios for large batches are for.
const (
	small  = 6
	medium = 40
	large  = 300
)

// Draw makes a case.
func (w Words) Draw(r *rand.Rand) Case {
	n := 1 + r.IntN(small)
	switch r.IntN(20) {
	case 0, 1, 2, 3, 4, 5:
		n = 1 + r.IntN(medium)
	case 6:
		n = 1 + r.IntN(min(w.Most, large))
	}
	n = min(n, w.Most)
	c := Case{Operation: w.Operation}
	// Of some batches every item is of one sort, of others each may be of another.
	mixed := 1 + r.IntN(4)
	sorts := []string{w.Items[0]}
	for len(sorts) < mixed {
		sorts = append(sorts, w.Items[r.IntN(len(w.Items))])
	}
	for i := range n {
		if i > 0 && len(w.Again) > 0 && r.IntN(12) == 0 {
			if of := r.IntN(i); plain(c.Items[of]) && c.Items[of] == w.Items[0] {
				c.Items = append(c.Items, fmt.Sprintf("%d %s", of+1, w.Again[r.IntN(len(w.Again))]))
				continue
			}
		}
		c.Items = append(c.Items, sorts[r.IntN(len(sorts))])
	}
	if w.Regroup {
		c.Places = places(r, n)
	}
	return c
}

// places draws how items are grouped anew: all in another order, one part of them, one
// alone, all but one, or as they were.
func places(r *rand.Rand, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	switch r.IntN(6) {
	case 0:
		slices.Reverse(all)
	case 1:
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	case 2:
		return all[:(n+1)/2]
	case 3:
		return all[n/2:]
	case 4:
		one := r.IntN(n)
		return all[one : one+1]
	case 5:
		if n > 1 {
			one := r.IntN(n)
			return slices.Delete(all, one, one+1)
		}
	}
	return all
}
