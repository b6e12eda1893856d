// Package suites is the catalogue: the explicit list of all checks, and the one
// function that judges a recording by them. Adding a check touches its group in
// multiitem or protocol, and nothing here.
package suites

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/suites/protocol"
)

// All gives every check of the catalogue, in the order reports show them.
func All() []conform.Check {
	return append(multiitem.Checks(), protocol.Checks()...)
}

// Find gives a check by its id, letter case aside.
func Find(id string) (conform.Check, error) {
	for _, c := range All() {
		if strings.EqualFold(c.ID, id) {
			return c, nil
		}
	}
	if stone, ok := tombstone(withdrawn, id); ok {
		return conform.Check{}, fmt.Errorf("%s was %s", stone.ID, stone)
	}
	return conform.Check{}, fmt.Errorf("no check is called %q", id)
}

// Select narrows checks to those that a keep glob matches (none: all) and no
// drop glob matches. A glob that matches nothing is an error: a typing mistake
// must not turn into a green run.
func Select(checks []conform.Check, keep, drop []string) ([]conform.Check, error) {
	for _, glob := range append(append([]string{}, keep...), drop...) {
		matched := false
		for _, c := range checks {
			ok, err := path.Match(strings.ToUpper(glob), strings.ToUpper(c.ID))
			if err != nil {
				return nil, fmt.Errorf("the pattern %q does not read: %w", glob, err)
			}
			matched = matched || ok
		}
		if stone, ok := tombstone(withdrawn, glob); ok {
			return nil, fmt.Errorf("%s was %s", stone.ID, stone)
		}
		if !matched {
			return nil, fmt.Errorf("no check matches %q; `mcpconform list` shows them all", glob)
		}
	}
	var chosen []conform.Check
	for _, c := range checks {
		if (len(keep) == 0 || anyMatch(keep, c.ID)) && !anyMatch(drop, c.ID) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--checks and --skip leave no check over")
	}
	return chosen, nil
}

func anyMatch(globs []string, id string) bool {
	for _, glob := range globs {
		if ok, _ := path.Match(strings.ToUpper(glob), strings.ToUpper(id)); ok {
			return true
		}
	}
	return false
}
