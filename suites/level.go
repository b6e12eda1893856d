package suites

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// LevelOn gives the level that a check will be judged at on an operation (nil:
// on the server as a whole), as far as it is known before anything was asked: the
// raises of the requirement, and --basis, which takes MUSTs of the bases it
// leaves out for SHOULDs. A finding may come out lower, for what its answers showed.
func LevelOn(check conform.Check, h conform.Header, op *conform.Operation) conform.Level {
	l := check.Level
	for condition, raised := range check.Raise {
		holds := condition == h.Target.Transport ||
			condition == "keys-declared" && op != nil && op.Idempotency == conform.Present ||
			condition == "semantics-declared" && op != nil && op.Semantics != ""
		if holds {
			l = max(l, raised)
		}
	}
	if l == conform.Must && len(h.Run.Bases) > 0 && !slices.Contains(h.Run.Bases, check.Basis) {
		l = conform.Should
	}
	return l
}
