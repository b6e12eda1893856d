package suites

import (
	"maps"
	"slices"
	"strings"
)

// Change is one difference between two sets.
type Change struct {
	ID   string `json:"id"`
	What string `json:"what"` // added | withdrawn | level | basis | meaning
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// Diff gives what changed from one set to another, in the order of the new set;
// what was withdrawn comes last.
func Diff(from, to Set) []Change {
	changes := []Change{}
	for _, now := range to.Rules {
		was, held := from.rule(now.ID)
		if !held {
			changes = append(changes, Change{now.ID, "added", "", levelWords(now) + ": " + now.Text})
			continue
		}
		for _, c := range []Change{
			{now.ID, "level", levelWords(was), levelWords(now)},
			{now.ID, "basis", string(was.Basis), string(now.Basis)},
			{now.ID, "meaning", meaning(was), meaning(now)},
		} {
			if c.Old != c.New {
				changes = append(changes, c)
			}
		}
	}
	for _, was := range from.Rules {
		if _, held := to.rule(was.ID); held {
			continue
		}
		gone := Change{was.ID, "withdrawn", levelWords(was) + ": " + was.Text, ""}
		if stone, ok := tombstone(withdrawn, was.ID); ok {
			gone.New = stone.String()
		}
		changes = append(changes, gone)
	}
	return changes
}

// levelWords is a rule's level with the conditions that raise it.
func levelWords(r Rule) string {
	words := []string{r.Level.String()}
	for _, condition := range slices.Sorted(maps.Keys(r.Raise)) {
		words = append(words, r.Raise[condition].String()+" where "+condition)
	}
	return strings.Join(words, ", ")
}

func meaning(r Rule) string {
	text := r.Text
	if r.If != "" {
		text += " (" + r.If + ")"
	}
	return text + " [" + string(r.Group) + "]"
}
