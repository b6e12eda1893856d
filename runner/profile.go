package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites/platforms"
)

// profile judges a recording for the client platforms that its header names. The day
// is the run's, so that a recording is judged the same whenever that is done.
func profile(r *reports.Report, rec *conform.Recording) error {
	run := rec.Header.Run
	if len(run.Profiles) == 0 || !rec.Listed {
		return nil
	}
	data, err := platforms.Builtin()
	if err != nil {
		return fmt.Errorf("reading the built-in platforms: %w", err)
	}
	s := platforms.Of(rec, "")
	s.ServerName = run.ServerName
	for _, name := range run.Profiles {
		p := data.Find(name)
		if p == nil {
			r.Notes = append(r.Notes, fmt.Sprintf("the platform %s is not known to this mcpconform, and was not judged", name))
			continue
		}
		r.Profiles = append(r.Profiles, data.Judge(p, s, platforms.Options{Now: run.Started}))
	}
	return nil
}

// gateProfiles makes the errors of platforms the run's, where that was asked for.
func gateProfiles(r *reports.Report, gate bool) {
	if !gate || r.Run.Ended == conform.EndUnreachable {
		return
	}
	var broken []string
	for _, p := range r.Profiles {
		var ids []string
		for _, f := range p.Findings {
			if f.Verdict == conform.Fail && f.Severity == conform.Error && !slices.Contains(ids, f.ID) {
				ids = append(ids, f.ID)
			}
		}
		if len(ids) > 0 {
			broken = append(broken, p.Platform+" ("+strings.Join(ids, ", ")+")")
		}
	}
	if len(broken) == 0 {
		return
	}
	r.Verdict = reports.Nonconformant
	r.VerdictLine = fmt.Sprintf("nonconformant: errors on the platforms %s; by the contract: %s", strings.Join(broken, ", "), r.VerdictLine)
}
