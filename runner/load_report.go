package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
)

// report is what was measured, judged.
func (l *loading) report(ended conform.EndClass) reports.Report {
	if l.stop.cause != "" && ended == conform.EndDone {
		ended = l.stop.class
	}
	l.notes = append(l.notes, l.kept()...)
	l.record.Record(conform.Observation{At: l.record.Now(), Kind: conform.KindEnded, Ended: &conform.Ended{
		Partial: ended == conform.EndInterrupted, Cause: l.stop.cause, Class: ended, Elapsed: l.record.Now(), Notes: l.notes, Left: l.left,
	}})
	header, observations := l.record.finish(l.header)
	rec := conform.NewRecording(header, observations)
	r := reports.Begin(header)
	r.Target.Spoke(rec)
	r.Run.Partial = ended != conform.EndDone
	r.Run.Ended = ended
	if rec.Ended != nil {
		r.Run.Seconds, r.Run.Cause = rec.Ended.Elapsed.Seconds(), rec.Ended.Cause
		r.Notes = append(r.Notes, rec.Ended.Notes...)
		r.LeftBehind = append(r.LeftBehind, reports.Left(rec.Ended.Left)...)
	}
	r.Scope = scopeOf(rec)
	r.Load = l.told()
	for _, c := range l.cells {
		for _, kind := range append([]*campaign.Cell{c}, c.Mix...) {
			l.row(&r, kind)
		}
	}
	slices.SortStableFunc(r.Performance, func(a, b measure.Performance) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Concurrency, b.Concurrency), cmp.Compare(a.BatchSize, b.BatchSize), cmp.Compare(a.Loaded.Mix, b.Loaded.Mix))
	})
	if len(l.o.Search) == 0 { // cells at rates of their own say nothing together
		l.curves(r.Load)
		l.compared(r.Load)
	}
	r.Load.Objectives = l.decided()
	r.Load.Searches = l.searches
	if l.bench != nil {
		r.Findings = l.findings()
		r.Load.Refusals = l.refusals()
		r.Notes = append(r.Notes, l.mapped()...)
	}
	r.Summary = reports.Summarise(r.Findings)
	reports.DecideLoad(&r)
	quote(&r, l.o.Evidence, observations)
	return r
}

// row adds a cell's row, or why it has none.
func (l *loading) row(r *reports.Report, c *campaign.Cell) {
	switch {
	case c.Skipped != "":
		r.Load.Skipped = append(r.Load.Skipped, reports.LoadSkipped{Operation: c.Operation, BatchSize: c.Batch, Concurrency: c.Concurrency, Reason: c.Skipped})
	case c.Rounds.Len() > 0:
		row := c.Row()
		row.Protocol = r.Target.Protocol
		row.Loaded.BadShare = l.o.BadShare
		l.above(&row)
		if server := row.Loaded.Server; server != nil {
			for i := range server.Series {
				server.Series[i].Name = string(l.shown([]byte(server.Series[i].Name)))
			}
		}
		r.Performance = append(r.Performance, row)
	}
}

// told is how the server was loaded.
func (l *loading) told() *reports.Load {
	window, warm := l.o.window()
	t := &reports.Load{
		Mode: measure.ModeClosed, Rounds: l.o.Rounds, Window: window.Seconds(), Warm: warm.Seconds(), Way: l.way, Session: l.sessions,
		Verify: "memo", Skipped: l.skipped,
	}
	switch {
	case l.o.Verify.Full:
		t.Verify = "full"
	case l.o.Verify.Every > 1:
		t.Verify = fmt.Sprintf("sample:%d", l.o.Verify.Every)
	}
	if len(l.o.Search) > 0 {
		t.Mode = reports.LoadSearch
	}
	if l.o.Arrivals.Open() {
		t.Mode = measure.ModeOpen
		t.Arrivals = l.o.Arrivals.String()
	}
	return t
}

// findings gives one finding for each rule that answers broke, with some of the calls
// as evidence. They are of all calls that were answered, also while warming up.
func (l *loading) findings() []conform.Finding {
	judged := map[string]int{}
	for _, c := range l.cells {
		for _, kind := range append([]*campaign.Cell{c}, c.Mix...) {
			judged[strings.TrimPrefix(kind.Operation, journeyOf)] += kind.Answered()
		}
	}
	_, count := l.bench.Judge.Examples.Rules()
	at := map[string]int{}
	var findings []conform.Finding
	for _, x := range l.bench.Judge.Examples.All() {
		if x.Finding.ID == "" || strings.HasPrefix(x.Rule, load.Mapped) {
			continue
		}
		i, seen := at[x.Rule]
		if !seen {
			i = len(findings)
			at[x.Rule] = i
			f := x.Finding
			f.Scenario, f.Reproduce, f.Evidence = "load", "", nil
			f.Count, f.Of = int(count[x.Rule]), max(judged[x.Operation], int(count[x.Rule]))
			low, high := measure.ShareInterval(f.Count, f.Of)
			f.Interval = []float64{low, high}
			findings = append(findings, f)
		}
		note := fmt.Sprintf("%s with %d items, after %.1f s", x.Operation, x.Items, x.At.Seconds())
		if x.Trace != "" {
			note += ", trace " + x.Trace
		}
		for _, e := range x.Finding.Evidence {
			e.Call, e.Seq, e.Note = "", 0, strings.Join(nonEmpty(note, e.Note), ": ")
			if l.o.Evidence == reports.EvidenceFull {
				e.Body = string(l.shown(x.Answer))
			}
			findings[i].Evidence = append(findings[i].Evidence, e)
			if x.Before != nil && l.o.Evidence == reports.EvidenceFull {
				findings[i].Evidence = append(findings[i].Evidence, conform.Evidence{Note: "the earlier call's answer", Body: string(l.shown(x.Before))})
			}
			break // one call, one entry
		}
	}
	slices.SortStableFunc(findings, func(a, b conform.Finding) int { return cmp.Compare(a.ID, b.ID) })
	return findings
}

func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// shown gives bytes as a report may show them: secrets redacted, values masked.
func (l *loading) shown(b []byte) []byte {
	b = l.record.redact.body(b)
	if l.record.mask != nil {
		b = l.record.mask.body(b)
	}
	return b
}

// mapped says which rules answers break by their shape, that are right as the target
// file maps them: the mapping turns no MUST green.
func (l *loading) mapped() []string {
	rules, _ := l.bench.Judge.Examples.Rules()
	var broken []string
	for _, rule := range rules {
		if id, ok := strings.CutPrefix(rule, load.Mapped); ok {
			broken = append(broken, id)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	slices.Sort(broken)
	return []string{"answers were judged as `results` of the target file maps them; by the contract their shape breaks " + strings.Join(broken, ", ") + ", which `mcpconform run` tells in full"}
}

// refusals gives an example of each way in which calls failed without breaking a rule.
func (l *loading) refusals() []reports.Refusal {
	_, count := l.bench.Judge.Examples.Rules()
	var list []reports.Refusal
	seen := map[string]bool{}
	for _, x := range l.bench.Judge.Examples.All() {
		if x.Finding.ID != "" || seen[x.Rule] {
			continue
		}
		seen[x.Rule] = true
		answer := ""
		if l.o.Evidence != reports.EvidenceNone {
			answer = cut(string(l.shown(x.Answer)))
		}
		list = append(list, reports.Refusal{
			What: x.Rule, Operation: x.Operation, BatchSize: x.Items, Calls: int(count[x.Rule]), Problem: string(l.shown([]byte(x.Problem))), Answer: answer, Trace: x.Trace,
		})
	}
	return list
}

// curves puts the cells of one operation side by side.
func (l *loading) curves(to *reports.Load) {
	type place struct {
		operation string
		n         int
	}
	var sizes, users []place
	bySize, byUsers := map[place][]measure.Point{}, map[place][]measure.Point{}
	best := map[place]measure.Point{}
	for _, c := range l.cells {
		if c.Rounds.Len() == 0 || len(c.Mix) > 0 || c.Plain {
			continue
		}
		at := place{c.Operation, c.Concurrency}
		if bySize[at] == nil {
			sizes = append(sizes, at)
		}
		for _, median := range c.Rounds.Medians() {
			bySize[at] = append(bySize[at], measure.Point{X: float64(c.Batch), Y: median})
		}
		if rate := c.Rounds.ItemRate(); rate > best[at].Y {
			best[at] = measure.Point{X: float64(c.Batch), Y: rate}
		}
		of := place{c.Operation, c.Batch}
		if byUsers[of] == nil {
			users = append(users, of)
		}
		for _, rate := range c.Rounds.Rates() {
			byUsers[of] = append(byUsers[of], measure.Point{X: float64(c.Concurrency), Y: rate})
		}
	}
	for _, at := range sizes {
		line, ok := measure.TheilSen(bySize[at])
		if !ok || best[at].Y == 0 {
			continue
		}
		slope, more, _ := measure.LastDecade(bySize[at])
		to.Curves = append(to.Curves, reports.Curve{
			Operation: at.operation, Concurrency: at.n, FixedMS: line.A, PerItemUS: line.B * 1000, Error: line.Error, BreakEven: line.BreakEven(),
			Slope: slope, SuperLinear: more, Best: int(best[at].X), BestRate: best[at].Y,
		})
	}
	for _, at := range users {
		if law, ok := measure.FitScaling(byUsers[at]); ok && !l.o.Arrivals.Open() {
			to.Scaling = append(to.Scaling, reports.ScalingRow{Operation: at.operation, BatchSize: at.n, Scaling: law})
		}
	}
}
