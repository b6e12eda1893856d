package selftest

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// exempt are the checks that no server of this version can be made to break,
// each with the reason. One that has a fault all the same is an error: the
// table must not outlive its reasons.
var exempt = []Exempt{
	{"ENV-04", "it is about servers of the legacy REST form, which this version does not play; recorded answers prove it in the tests"},
	{"SCOPE-01", "it is about the target file, not about the server: it says that a run is incomplete and accuses nobody"},
	{"SCOPE-02", "it is about the target file, not about the server: it says that a run is incomplete and accuses nobody"},
}

// unproven compares the catalogue with the faults.
func unproven(checks []conform.Check, faults []fakebackend.Fault, exempt []Exempt) (without, stale []string) {
	without, stale = []string{}, []string{}
	for _, c := range checks {
		has := slices.ContainsFunc(faults, func(f fakebackend.Fault) bool { return f.Check == c.ID })
		excused := slices.ContainsFunc(exempt, func(e Exempt) bool { return e.ID == c.ID })
		switch {
		case !has && !excused:
			without = append(without, c.ID)
		case has && excused:
			stale = append(stale, c.ID)
		}
	}
	for _, e := range exempt {
		if !slices.ContainsFunc(checks, func(c conform.Check) bool { return c.ID == e.ID }) {
			stale = append(stale, e.ID)
		}
	}
	return without, stale
}
