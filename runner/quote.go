package runner

import (
	"cmp"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// quote gives a report as much of the server's words as is asked for.
func quote(r *reports.Report, e reports.Evidence, observations []conform.Observation) {
	r.Evidence = cmp.Or(e, reports.EvidenceRows)
	r.Findings = reports.Quote(r.Findings, e, func(seq int64) []byte {
		for i := range observations {
			if o := &observations[i]; o.Seq == seq && o.Received != nil {
				return o.Received.Body
			}
		}
		return nil
	})
	r.Quotes = ""
	if e == reports.EvidenceNone {
		for i := range r.Notes {
			r.Notes[i] = reports.Unquoted(r.Notes[i])
		}
		return
	}
	if host := r.Target.Host; host != "" && !target.Loopback(host) {
		for _, f := range r.Findings {
			for _, e := range f.Evidence {
				if e.Excerpt != "" || e.Body != "" {
					r.Quotes = host
				}
			}
		}
	}
}

// Quote gives what was judged as much of the server's words as is asked for. Rows
// is what it has; it can be asked once.
func (j *Judged) Quote(e reports.Evidence) {
	if j.Report != nil {
		quote(j.Report, e, j.observations)
	}
	if j.Case != nil {
		j.Case.Findings = reports.Quote(j.Case.Findings, e, func(int64) []byte { return j.source })
	}
}
