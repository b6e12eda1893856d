package specs

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
)

// place is a position in a scenario file.
type place struct {
	file string
	line int
}

func (p place) location() types.CodeLocation {
	return types.CodeLocation{FileName: p.file, LineNumber: p.line}
}

// places finds the scenario that feeds a check.
type places []*scenarios.Scenario

func findPlaces(folder string) (places, error) {
	var folders []string
	if folder != "" {
		folders = append(folders, folder)
	}
	return scenarios.Load(folders...)
}

// of gives the first scenario in the order of playing that feeds a check on an
// operation; if none is for such operations, the first that feeds it at all.
func (all places) of(check string, op *conform.Operation) place {
	var first place
	for _, s := range all {
		for i := range s.Variants {
			v := &s.Variants[i]
			if !feeds(s, v, check) {
				continue
			}
			here := place{s.File, v.Line}
			if op == nil || fits(v.For, op) {
				return here
			}
			if first == (place{}) {
				first = here
			}
		}
	}
	return first
}

func feeds(s *scenarios.Scenario, v *scenarios.Variant, check string) bool {
	checks, state := s.Checks, s.StateChecks
	if v.Checks != nil {
		checks = v.Checks
	}
	if v.StateChecks != nil {
		state = v.StateChecks
	}
	return slices.Contains(checks, check) || slices.Contains(state, check)
}

func fits(f scenarios.For, op *conform.Operation) bool {
	return (f.Effect == scenarios.AnyEffect || op.Write == (f.Effect == scenarios.Writing)) &&
		(f.Style == "" || f.Style == op.Style)
}
