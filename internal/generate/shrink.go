package generate

import (
	"slices"
	"strconv"
	"strings"
)

// Shrink makes a case smaller as long as it still fails: it leaves items out, first many
// at once, makes the others more ordinary, and leaves the second call out. fails plays a
// case; it says false of all where no more may be played. The smallest failing case is
// one of which no single item can be left out.
func Shrink(c Case, ordinary string, fails func(Case) bool) Case {
	for {
		before := c
		if len(c.Places) > 0 {
			if once := (Case{Operation: c.Operation, Items: c.Items}); fails(once) {
				c = once
			}
		}
		c = shorter(c, fails)
		c = simpler(c, ordinary, fails)
		if equal(before, c) {
			return c
		}
	}
}

func equal(a, b Case) bool { return slices.Equal(a.Items, b.Items) && slices.Equal(a.Places, b.Places) }

// shorter leaves out runs of items: half of them, a quarter, and so on down to one.
func shorter(c Case, fails func(Case) bool) Case {
	for run := (len(c.Items) + 1) / 2; run > 0; {
		left := false
		for at := 0; at < len(c.Items) && len(c.Items) > 1; {
			if less, ok := c.without(at, min(run, len(c.Items)-at)); ok && fails(less) {
				c, left = less, true
				continue
			}
			at += run
		}
		switch {
		case run > 1:
			run /= 2
		case left:
		default:
			return c
		}
		run = min(run, len(c.Items))
	}
	return c
}

// simpler makes items ordinary, all that can be.
func simpler(c Case, ordinary string, fails func(Case) bool) Case {
	for at, word := range c.Items {
		if word == ordinary || c.named(at+1) {
			continue
		}
		other := Case{Operation: c.Operation, Items: slices.Clone(c.Items), Places: c.Places}
		other.Items[at] = ordinary
		if fails(other) {
			c = other
		}
	}
	return c
}

// named tells whether another item is that of a place once more.
func (c Case) named(place int) bool {
	return slices.ContainsFunc(c.Items, func(word string) bool { return of(word) == place })
}

// of gives the place that a word names; 0: none.
func of(word string) int {
	number, _, _ := strings.Cut(word, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n
}

// without leaves out n items from a position on. Items that would come again once they
// are gone are left out too; ok is false where nothing is left.
func (c Case) without(at, n int) (Case, bool) {
	stays := map[int]int{} // old place to new
	less := Case{Operation: c.Operation}
	for i, word := range c.Items {
		if i >= at && i < at+n {
			continue
		}
		if first := of(word); first > 0 {
			now, there := stays[first]
			if !there {
				continue
			}
			word = strconv.Itoa(now) + strings.TrimPrefix(word, strconv.Itoa(first))
		}
		less.Items = append(less.Items, word)
		stays[i+1] = len(less.Items)
	}
	for _, place := range c.Places {
		if now, there := stays[place]; there {
			less.Places = append(less.Places, now)
		}
	}
	return less, len(less.Items) > 0 && (len(c.Places) == 0 || len(less.Places) > 0)
}
