package suites

import (
	"fmt"
	"slices"
	"strings"
)

// Withdrawn is the tombstone of a rule: its id is never used again, and whoever
// asks for it is told what became of it.
type Withdrawn struct {
	ID      string `json:"id"`
	In      string `json:"in"` // the set without it
	Because string `json:"because"`
	Instead string `json:"instead,omitempty"` // the id of the rule that took its place
}

func (w Withdrawn) String() string {
	text := fmt.Sprintf("withdrawn in %s: %s", w.In, w.Because)
	if w.Instead != "" {
		text += "; see " + w.Instead
	}
	return text
}

// withdrawn are the tombstones, in the order they were set. Nothing was
// withdrawn so far.
var withdrawn []Withdrawn

func tombstone(stones []Withdrawn, id string) (Withdrawn, bool) {
	i := slices.IndexFunc(stones, func(w Withdrawn) bool { return strings.EqualFold(w.ID, id) })
	if i < 0 {
		return Withdrawn{}, false
	}
	return stones[i], true
}
