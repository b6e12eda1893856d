package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
)

// judgeSample judges a sample of a load's calls, each by itself and as the load judged
// it: what is not recorded breaks no rule, and none is earned by what is. The verdict
// is nonconformant where an answer is wrong, and else incomplete.
func judgeSample(header conform.Header, observations []conform.Observation, checks []conform.Check) reports.Report {
	rec := conform.NewRecording(header, observations)
	r := reports.Begin(header)
	r.Target.Spoke(rec)
	r.Scope = scopeOf(rec)
	r.Run.Ended, r.Run.Cause, r.Run.Partial = conform.EndInterrupted, "the recording was cut off before its end", true
	if rec.Ended != nil {
		r.Run.Seconds, r.Run.Ended, r.Run.Cause, r.Run.Partial = rec.Ended.Elapsed.Seconds(), rec.Ended.Class, rec.Ended.Cause, rec.Ended.Partial
		r.Notes = append(r.Notes, rec.Ended.Notes...)
		r.LeftBehind = append(r.LeftBehind, reports.Left(rec.Ended.Left)...)
	}
	header.Target.Protocol = cmp.Or(r.Target.Protocol, header.Target.Protocol)
	s := sampled{judge: load.NewJudge(header, listingsOf(observations), checks), at: map[string]int{}}
	for _, call := range callsOf(observations) {
		s.take(call)
	}
	slices.SortStableFunc(s.findings, func(a, b conform.Finding) int { return cmp.Compare(a.ID, b.ID) })
	for i := range s.findings {
		f := &s.findings[i]
		f.Of = s.judged
		low, high := measure.ShareInterval(f.Count, f.Of)
		f.Interval = []float64{low, high}
	}
	r.Findings = s.findings
	r.Summary = reports.Summarise(r.Findings)
	r.Verdict = reports.Incomplete
	what := "none of them is wrong"
	if s.wrong > 0 {
		r.Verdict = reports.Nonconformant
		what = reports.Amount(s.wrong, "is wrong", "are wrong")
		if ids := s.ids(); ids != "" {
			what += " (" + ids + ")"
		}
	}
	r.VerdictLine = reports.Safe(fmt.Sprintf("%s: a sample of a load, each call by itself, and no run: of %s that were judged %s; %s failed", r.Verdict,
		reports.Amount(s.judged, "call", "calls"), what, reports.Amount(s.failed, "further one", "further ones")))
	quote(&r, reports.EvidenceRows, observations)
	return r
}

// sampled is what calls of a sample come to.
type sampled struct {
	judge                 *load.Judge
	judged, wrong, failed int
	findings              []conform.Finding
	at                    map[string]int
}

// take judges one call.
func (s *sampled) take(call []conform.Observation) {
	planned := call[0].Planned
	v, known := s.judge.Recorded(planned.Operation, call)
	if !known {
		return
	}
	switch v.Outcome {
	case load.Failed:
		s.failed++
		return
	case load.Wrong:
		s.wrong++
	}
	s.judged++
	for _, f := range v.Findings {
		if f.Level != conform.Must || v.Outcome != load.Wrong {
			continue
		}
		i, seen := s.at[f.ID]
		if !seen {
			i = len(s.findings)
			s.at[f.ID] = i
			first := f
			first.Count, first.Scenario, first.Reproduce, first.Evidence = 0, "load", "", nil
			s.findings = append(s.findings, first)
		}
		s.findings[i].Count++
		if len(s.findings[i].Evidence) < load.MostExamples && len(f.Evidence) > 0 {
			e := f.Evidence[0]
			e.Call, e.Seq = call[0].Call, call[len(call)-1].Seq
			s.findings[i].Evidence = append(s.findings[i].Evidence, e)
		}
	}
}

// ids are the rules that were broken.
func (s *sampled) ids() string {
	var ids []string
	for _, f := range s.findings {
		ids = append(ids, f.ID)
	}
	return strings.Join(ids, ", ")
}

// listingsOf is what was recorded of tools/list.
func listingsOf(observations []conform.Observation) (all []conform.Observation) {
	for _, o := range observations {
		if strings.HasPrefix(o.Call, "connect/"+main+"/tools-list") {
			all = append(all, o)
		}
	}
	return all
}

// callsOf gives the observations of each call that was planned for an operation and got
// something back, in the order planned.
func callsOf(observations []conform.Observation) [][]conform.Observation {
	var order []string
	of := map[string][]conform.Observation{}
	for _, o := range observations {
		switch {
		case o.Kind == conform.KindPlanned && o.Planned != nil && o.Planned.Operation != "" && o.Planned.Role == conform.RolePrimary:
			order = append(order, o.Call)
			of[o.Call] = []conform.Observation{o}
		case len(of[o.Call]) > 0 && (o.Sent != nil || o.Received != nil):
			of[o.Call] = append(of[o.Call], o)
		}
	}
	var all [][]conform.Observation
	for _, call := range order {
		if len(of[call]) > 1 {
			all = append(all, of[call])
		}
	}
	return all
}
