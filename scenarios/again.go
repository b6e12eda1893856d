package scenarios

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// again tells whether a rerun plays the play: what showed a failure, and for a finding
// that no scenario is named for, all that feeds its check.
func (p *Play) again(rerun *conform.Rerun) bool {
	if rerun == nil {
		return true
	}
	name := p.Scenario.Name + "/" + p.Variant.Name
	return slices.ContainsFunc(rerun.Open, func(o conform.Open) bool {
		if o.Operation != "" && o.Operation != p.Operation.Name {
			return false
		}
		if len(o.Scenarios) > 0 {
			return slices.Contains(o.Scenarios, name)
		}
		return slices.Contains(p.Checks(), o.ID)
	})
}
