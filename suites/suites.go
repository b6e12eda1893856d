// Package suites is the catalogue: the explicit list of all checks, and the one
// function that judges a recording by them. Adding a check touches its group in
// multiitem or protocol, and nothing here.
package suites

import (
	"fmt"
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
