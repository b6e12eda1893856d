package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
)

// loadReport writes the report of a load run: the verdict, how the server was loaded,
// the figures, what they say together, which answers were wrong, what was left out,
// and the verdict again.
func (p *page) loadReport(r Report) {
	p.verdict(r)
	p.loaded(r)
	p.loadFigures(r)
	p.searches(r)
	p.objectives(r)
	p.overTime(r)
	p.serverSide(r)
	p.loadReadings(r)
	p.failures(r, ClassFail)
	p.failures(r, ClassWarning)
	p.refusals(r)
	p.loadSkipped(r)
	p.leftBehind(r)
	p.loadEnd(r)
}

func (p *page) loaded(r Report) {
	p.blank()
	t, l := r.Target, r.Load
	p.field(2, "target", join(" ", t.Name, bracket(t.File)))
	p.field(2, "server", serverLine(t))
	p.field(2, "load", loadLine(l))
	p.field(2, "way", join("; session: ", l.Way, l.Session))
	p.field(2, "judged", verifiedLine(r))
	p.field(2, "run", runLine(r))
	if r.Run.Cause != "" && r.Verdict != Incomplete { // else the verdict line has said it
		p.field(2, "ended", r.Run.Cause)
	}
	for _, note := range r.Notes {
		p.field(2, "note", note)
	}
}

func loadLine(l *Load) string {
	how := "closed loop: every user waits for its answer before it calls again, and so is blind to stalls (--rate is not)"
	if l.Mode == measure.ModeOpen {
		how = "open loop, " + l.Arrivals + ": latency counts from when a call was due"
	}
	if l.Mode == LoadSearch {
		return "search for the highest rate in an open loop: it grows until a condition breaks, is narrowed to 5 %, and confirmed by three longer windows; latency counts from when a call was due"
	}
	return fmt.Sprintf("%s; %s of %s for each cell", how, Amount(l.Rounds, "round", "rounds"), decimal(&l.Window)+" s")
}

// verifiedLine says how the answers were verified.
func verifiedLine(r Report) string {
	var v measure.Verified
	for _, row := range r.Performance {
		if row.Loaded != nil && !strings.HasPrefix(row.Operation, UnitOf) {
			v.Memory += row.Loaded.Verified.Memory
			v.Pass += row.Loaded.Verified.Pass
			v.Strict += row.Loaded.Verified.Strict
			v.Envelope += row.Loaded.Verified.Envelope
		}
	}
	all := v.Memory + v.Pass + v.Strict + v.Envelope
	if all == 0 {
		return ""
	}
	var parts []string
	for _, p := range []struct {
		n   int
		how string
	}{
		{v.Pass, "read row by row"}, {v.Memory, "the same bytes as an answer judged before"}, {v.Strict, "by all checks"},
		{v.Envelope, "by the envelope alone"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", share(float64(p.n)/float64(all)), p.how))
		}
	}
	first := "every answer"
	if v.Envelope > 0 {
		first = "not every answer"
	}
	return first + ": " + strings.Join(parts, ", ")
}

var loadColumns = []figure{
	{title: "operation", cell: func(p Performance) string { return p.Operation }},
	{title: "users", cell: func(p Performance) string { return thousands(p.Concurrency) }},
	{title: "items", cell: batchOf},
	{title: "in", rare: true, cell: func(p Performance) string {
		if p.Loaded.Mix == "" {
			return "-"
		}
		return p.Loaded.Mix
	}},
	{title: "calls", cell: func(p Performance) string { return thousands(p.Calls) }},
	{title: "wrong", rare: true, cell: func(p Performance) string { return thousands(p.Wrong) }},
	{title: "failed", rare: true, cell: func(p Performance) string { return thousands(p.Failed) }},
	{title: "unjudged", rare: true, cell: func(p Performance) string { return thousands(p.Loaded.Unjudged) }},
	{title: "unsent", rare: true, cell: func(p Performance) string { return thousands(p.Dropped) }},
	{title: "p50", cell: func(p Performance) string { return decimal(p.Latency.P50) }},
	{title: "p95", spare: 2, cell: func(p Performance) string { return decimal(p.Latency.P95) }},
	{title: "p99", cell: func(p Performance) string { return decimal(p.Latency.P99) }},
	{title: "p99.9", spare: 5, rare: true, cell: func(p Performance) string { return decimal(p.Latency.P999) }},
	{title: "max", spare: 4, cell: func(p Performance) string { return decimal(p.Latency.Max) }},
	{title: "due/s", rare: true, cell: func(p Performance) string { return decimal(p.Loaded.Offered) }},
	{title: "calls/s", cell: func(p Performance) string { return decimal(p.CallsPerSecond) }},
	{title: "±", spare: 3, cell: func(p Performance) string { return spread(p.CallsPerSecond, p.Loaded.Intervals.CallsPerSecond) }},
	{title: "items/s", cell: func(p Performance) string { return decimal(p.ItemsPerSecond) }},
	{title: "µs/item", spare: 1, cell: func(p Performance) string { return decimal(p.Loaded.PerItemUS) }},
}

// spread writes an interval as how far it reaches from the value, in percent.
func spread(value *float64, interval *[2]float64) string {
	if value == nil || interval == nil || *value == 0 {
		return "-"
	}
	far := 100 * max(interval[1]-*value, *value-interval[0]) / *value
	return fmt.Sprintf("%.0f%%", far)
}

func (p *page) loadFigures(r Report) {
	rows := loadRows(r)
	if len(rows) == 0 {
		return
	}
	p.heading(bold, "FIGURES")
	p.text(2, dim, "Latency in ms per call; ± is the interval of the median of the rounds"+machine(r)+".")
	p.blank()
	p.table(tabled(loadColumns, rows, p.width-2), len(rows))
	p.loadDoubts(rows)
}

// loadRows are the rows that a load run measured.
func loadRows(r Report) []Performance {
	return slices.DeleteFunc(slices.Clone(r.Performance), func(p Performance) bool { return p.Loaded == nil })
}

// loadDoubts writes the rows' warnings, each once, with the batch sizes it is about.
func (p *page) loadDoubts(rows []Performance) {
	doubts, few := doubtsOf(rows)
	if few {
		p.blank()
		s := measure.Loaded
		p.text(2, dim, fmt.Sprintf("A quantile is shown from so many calls on: p50 %d, p95 %d, p99 %d, p99.9 %s. --duration gives each cell more time.", s.P50, s.P95, s.P99, thousands(s.P999)))
	}
	for _, g := range doubts.groups {
		p.blank()
		line := g.reason
		if g.total < len(rows) {
			line += " (items per call: " + g.rules() + ")"
		}
		p.text(2, yellow, line)
	}
}

// loadReadings says what the rows of several sizes or concurrencies say together.
func (p *page) loadReadings(r Report) {
	l := r.Load
	if len(l.Curves)+len(l.Scaling)+len(l.Units) == 0 {
		return
	}
	p.heading(bold, "WHAT A CALL AND AN ITEM COST")
	for _, c := range l.Curves {
		fixed, item, rate := c.FixedMS, c.PerItemUS, c.BestRate
		line := fmt.Sprintf("%s, %s: ", c.Operation, Amount(c.Concurrency, "user", "users"))
		if c.FixedMS > 0 && c.PerItemUS > 0 {
			line += fmt.Sprintf("%s ms a call and %s µs an item (the line is off by %s in the middle)", decimal(&fixed), decimal(&item), share(c.Error))
			if c.BreakEven >= 1 {
				line += fmt.Sprintf("; from %s items on the items cost more than the call", thousands(int(c.BreakEven+0.5)))
			}
		} else {
			line += "latency does not grow in a line with the batch size"
		}
		line += fmt.Sprintf("; most items a second at %s a call: %s", Amount(c.Best, "item", "items"), decimal(&rate))
		p.item(bold, "•", line)
		if c.SuperLinear {
			p.text(2, yellow, fmt.Sprintf("large batches grow more than in proportion: ten times the items take %.0f times as long", math.Pow(10, c.Slope)))
		}
	}
	for _, u := range l.Units {
		batch, singles, ratio := u.BatchMS, u.SinglesMS, u.Ratio
		p.item(bold, "•", fmt.Sprintf("%s, %s, %s: one call takes %s ms, %s of the unit tool one after the other %s ms: %s times as long", u.Operation,
			Amount(u.BatchSize, "item", "items"), Amount(u.Concurrency, "user", "users"), decimal(&batch), Amount(u.BatchSize, "call", "calls"), decimal(&singles), decimal(&ratio)))
	}
	for _, s := range l.Scaling {
		line := fmt.Sprintf("%s, %s a call: one user alone makes %s calls a second; %s of a call's work waits for others", s.Operation, Amount(s.BatchSize, "item", "items"),
			decimal(&s.Lambda), share(s.Sigma))
		if s.Peak > 0 {
			line += fmt.Sprintf("; beyond about %.0f users throughput falls", s.Peak)
		}
		p.item(bold, "•", line)
	}
}

// searches tells the highest rates, and what broke above them.
func (p *page) searches(r Report) {
	if len(r.Load.Searches) == 0 {
		return
	}
	p.heading(bold, "HIGHEST RATES")
	for _, s := range r.Load.Searches {
		line := fmt.Sprintf("%s, %s a call: ", s.Operation, Amount(s.BatchSize, "item", "items"))
		if s.Rate == 0 {
			line += "no rate holds " + strings.Join(s.Conditions, ", ")
		} else {
			line += fmt.Sprintf("%s calls and %s items a second hold %s", decimal(&s.Rate), thousands(int(s.Rate*float64(s.BatchSize))), strings.Join(s.Conditions, ", "))
		}
		least := SearchStep{}
		for _, step := range s.Steps {
			if !step.Held && (least.Rate == 0 || step.Rate < least.Rate) {
				least = step
			}
		}
		if least.Rate > 0 {
			line += fmt.Sprintf("; at %s a second not: %s", decimal(&least.Rate), least.Why)
		}
		look, sign := green, "✓"
		switch {
		case s.Limit == "harness":
			look, sign = yellow, "?"
			line += "; this machine was the limit, and not the server"
		case s.Limit == "bound":
			line += "; nothing broke up to there"
		case s.Rate == 0:
			look, sign = red, "✗"
		}
		p.item(look, sign, line)
	}
}

// objectives tells what was to be achieved, and whether it was.
func (p *page) objectives(r Report) {
	if len(r.Load.Objectives) == 0 {
		return
	}
	p.heading(bold, "OBJECTIVES")
	for _, o := range r.Load.Objectives {
		sign, look, says := "?", yellow, "cannot tell"
		switch o.Verdict {
		case objective.Holds:
			sign, look, says = "✓", green, "holds"
		case objective.Broken:
			sign, look, says = "✗", red, "broken"
		}
		line := fmt.Sprintf("%s %s on %s, %s, %s: %s", o.Condition, says, o.Operation, Amount(o.BatchSize, "item", "items"), Amount(o.Concurrency, "user", "users"), o.Got)
		if o.Need != "" {
			line += "; it needs " + o.Need
		}
		p.item(look, sign, line)
	}
}

// refusals tells of calls that failed without breaking a rule.
func (p *page) refusals(r Report) {
	if len(r.Load.Refusals) == 0 {
		return
	}
	p.heading(yellow, "FAILED CALLS")
	for _, f := range r.Load.Refusals {
		p.entry(yellow, "!", f.What, fmt.Sprintf("%s, first of %s with %s", Amount(f.Calls, "call", "calls"), f.Operation, Amount(f.BatchSize, "item", "items")))
		p.field(2, "problem", f.Problem)
		p.field(2, "answer", f.Answer)
		p.field(2, "trace", f.Trace)
	}
}

func (p *page) loadSkipped(r Report) {
	if len(r.Load.Skipped) == 0 {
		return
	}
	p.heading(dim, "NOT LOADED")
	for _, s := range r.Load.Skipped {
		what := s.Operation
		if s.BatchSize > 0 {
			what += ", " + Amount(s.BatchSize, "item", "items") + " a call"
		}
		p.item(dim, "·", what+": "+s.Reason)
	}
}

func (p *page) loadEnd(r Report) {
	code := r.ExitCode()
	sign, look := r.Verdict.mark()
	p.blank()
	meanings := map[int]string{
		ExitConformant: "every answer under load was right", ExitNonconformant: "answers were wrong, or an objective is broken",
		ExitIncomplete: "no answer was wrong, but something that matters could not be told", ExitUnreachable: meaning(r, code),
	}
	line := fmt.Sprintf("%s exit %d: %s", sign, code, meanings[code])
	if r.Run.Ended == conform.EndInterrupted {
		// The process ends with the signal's status, whatever was found before.
		line = sign + " as far as it went: the load was interrupted"
	}
	p.line(0, p.put(look, mute(line)))
	if r.Target.Builtin {
		p.line(0, "This was the demonstration backend, not your server.")
		p.line(0, "Yours: mcpconform load --target FILE [--url URL | -- CMD]")
	}
}

// batchOf writes a row's batch size.
func batchOf(p Performance) string {
	if p.BatchSize == 0 {
		return "mix"
	}
	return thousands(p.BatchSize)
}
