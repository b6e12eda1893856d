package runner

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// unlike names the rules that say something else of the masked recording than of
// what was really said. There should be none; where there is one, nobody is to
// take the report at its word.
func (r *run) unlike() []string {
	if r.record.mask == nil {
		return nil
	}
	header, both := r.record.both(r.header, conform.Observation{At: r.record.Now(), Kind: conform.KindEnded, Ended: &conform.Ended{
		Cause: r.stop.cause, Class: r.stop.class, Left: r.left,
	}})
	plain, err := Judge(r.header, both[0])
	if err != nil {
		return nil // so will the judgement that counts, and tell
	}
	masked, err := Judge(header, both[1])
	if err != nil {
		return nil
	}
	return differing(plain.Findings, masked.Findings)
}

// differing says where findings of the same rules come to something else.
func differing(plain, masked []conform.Finding) []string {
	type subject struct{ id, operation string }
	other := map[subject]conform.Finding{}
	for _, f := range masked {
		other[subject{f.ID, f.Operation}] = f
	}
	var notes []string
	for _, f := range plain {
		m, there := other[subject{f.ID, f.Operation}]
		if there && m.Verdict == f.Verdict && m.Count == f.Count && m.Of == f.Of {
			continue
		}
		says := "nothing"
		if there {
			says = fmt.Sprintf("%s, %d of %d", m.Verdict, m.Count, m.Of)
		}
		on := ""
		if f.Operation != "" {
			on = " on " + f.Operation
		}
		notes = append(notes, fmt.Sprintf("%s%s says %s here because values are masked, and says %s, %d of %d without: leave the path out of `privacy`, or keep the values",
			f.ID, on, says, f.Verdict, f.Count, f.Of))
	}
	return notes
}
