package export

import "github.com/mcpconform/mcpconform/internal/campaign"

// series puts cells together that have the same labels, as two parts of a workload may
// that differ in their items alone: no series may stand there twice.
func series(s campaign.Sight) []campaign.CellSight {
	var all []campaign.CellSight
	at := map[string]int{}
	for _, c := range s.Cells {
		name := labels(c.Cell)
		i, seen := at[name]
		if !seen {
			at[name] = len(all)
			all = append(all, c)
			continue
		}
		all[i].Merge(&c.Pulses)
		all[i].Dropped += c.Dropped
	}
	return all
}
