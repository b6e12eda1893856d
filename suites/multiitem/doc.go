// Package multiitem holds the checks of the batch contract: what a multi-item
// answer must say, and whether it is true. Each file is one group of the
// catalogue. Every check is a pure function of a recording.
package multiitem

import "github.com/mcpconform/mcpconform/conform"

// set is the catalogue set that the checks of this package first came out in.
const set = "2026-12-draft"

// Checks gives the checks in the catalogue's order.
func Checks() []conform.Check {
	var all []conform.Check
	for _, group := range [][]conform.Check{
		envelope(), results(), aggregate(), validator(), input(), workflow(),
		idempotency(), readOnly(), load(), effects(), concurrency(), scope(),
	} {
		all = append(all, group...)
	}
	for i := range all {
		if ofShape(all[i].Requirement) {
			all[i].Judge = neverByMapping(all[i].Judge)
		}
	}
	return all
}
