package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// figure is one column of the table.
type figure struct {
	title string
	cell  func(Performance) string
	rare  bool // left out where every cell is empty or 0
	spare int  // above 0: left out where the page is too narrow, the highest first
}

var figureColumns = []figure{
	{title: "operation", cell: func(p Performance) string { return p.Operation }},
	{title: "items", cell: func(p Performance) string { return thousands(p.BatchSize) }},
	{title: "calls", cell: func(p Performance) string { return thousands(p.Calls) }},
	{title: "ok", cell: func(p Performance) string { return thousands(p.OK) }},
	{title: "failed", rare: true, cell: func(p Performance) string { return thousands(p.Failed) }},
	{title: "wrong", rare: true, cell: func(p Performance) string { return thousands(p.Wrong) }},
	{title: "unsent", rare: true, cell: func(p Performance) string { return thousands(p.Dropped) }},
	{title: "min", spare: 5, cell: func(p Performance) string { return decimal(p.Latency.Min) }},
	{title: "p50", cell: func(p Performance) string { return decimal(p.Latency.P50) }},
	{title: "p90", rare: true, cell: func(p Performance) string { return decimal(p.Latency.P90) }},
	{title: "p95", spare: 3, rare: true, cell: func(p Performance) string { return decimal(p.Latency.P95) }},
	{title: "p99", spare: 1, rare: true, cell: func(p Performance) string { return decimal(p.Latency.P99) }},
	{title: "p99.9", spare: 4, rare: true, cell: func(p Performance) string { return decimal(p.Latency.P999) }},
	{title: "max", cell: func(p Performance) string { return decimal(p.Latency.Max) }},
	{title: "calls/s", spare: 2, cell: func(p Performance) string { return decimal(p.CallsPerSecond) }},
	{title: "items/s", cell: func(p Performance) string { return decimal(p.ItemsPerSecond) }},
}

// figures writes the table of latencies and rates.
func (p *page) figures(r Report) {
	rows := r.Performance
	if len(rows) == 0 {
		return
	}
	title, how := "FIGURES", "Latency in ms per call"
	if slices.ContainsFunc(rows, func(r Performance) bool { return r.Mode == measure.ModeSweep }) {
		title, how = "FIGURES: a short sample, not a load test", "Calls one after the other; latency in ms per call"
	}
	p.heading(bold, title)
	p.text(2, dim, how+machine(r)+".")
	p.blank()
	p.table(tabled(figureColumns, rows, p.width-2), len(rows))
	p.doubts(rows)
}

// table writes columns, and their titles above.
func (p *page) table(table []filledColumn, rows int) {
	for i := range rows + 1 {
		var line strings.Builder
		for n, c := range table {
			if n == 0 {
				line.WriteString(pad(c.cells[i], c.room))
			} else {
				line.WriteString("  " + strings.Repeat(" ", c.room-columns(c.cells[i])) + c.cells[i])
			}
		}
		if i == 0 {
			p.line(2, p.put(dim, line.String()))
		} else {
			p.line(2, line.String())
		}
	}
}

// machine says where the harness ran: figures of two machines do not compare.
func machine(r Report) string {
	e := r.Environment
	parts := join(", ", join("/", e.OS, e.Arch), e.CPU)
	if e.Cores > 0 {
		parts = join(", ", parts, Amount(e.Cores, "core", "cores"))
	}
	if parts == "" {
		return ""
	}
	return "; measured from " + parts
}

// filledColumn is a column with its cells, the title first.
type filledColumn struct {
	figure
	cells []string
	room  int
}

// tabled fills the columns, as many as have something to say and find room.
func tabled(wanted []figure, rows []Performance, room int) []filledColumn {
	var table []filledColumn
	used := -2
	for _, c := range wanted {
		column := filledColumn{figure: c, cells: []string{c.title}, room: columns(c.title)}
		empty := true
		for _, r := range rows {
			cell := brief(c.cell(r), 24)
			empty = empty && (cell == "-" || cell == "0")
			column.cells = append(column.cells, cell)
			column.room = max(column.room, columns(cell))
		}
		if !c.rare || !empty {
			table = append(table, column)
			used += 2 + column.room
		}
	}
	for used > room {
		least := slices.MaxFunc(table, func(a, b filledColumn) int { return cmp.Compare(a.spare, b.spare) })
		if least.spare == 0 {
			break
		}
		used -= 2 + least.room
		table = slices.DeleteFunc(table, func(c filledColumn) bool { return c.spare == least.spare })
	}
	return table
}

// doubts writes the rows' warnings, each once, with the rows it is about. What
// the table's own cells say already is said once for all.
func (p *page) doubts(rows []Performance) {
	doubts, few := doubtsOf(rows)
	if !few && len(doubts.groups) == 0 {
		return
	}
	p.blank()
	if few {
		p.text(2, dim, fmt.Sprintf("A quantile is shown from so many calls on: p50 %d, p90 %d, p95 %d, p99 %d, p99.9 %s.", measure.Sampled.P50,
			measure.Sampled.P90, measure.Sampled.P95, measure.Sampled.P99, thousands(measure.Sampled.P999)))
	}
	for _, g := range doubts.groups {
		line := g.reason
		if g.total < len(rows) {
			line += " (items per call: " + g.rules() + ")"
		}
		p.text(2, dim, line)
	}
}

// doubtsOf gathers the rows' warnings; few tells that a quantile is missing somewhere,
// which is said once for all.
func doubtsOf(rows []Performance) (doubts byReason, few bool) {
	for _, r := range rows {
		for _, w := range r.Warnings {
			switch {
			case strings.HasPrefix(w, measure.TooFew):
				few = true
			case !strings.HasPrefix(w, measure.ShortSample):
				doubts.add(w, thousands(r.BatchSize), r.Operation, "", false)
			}
		}
	}
	return doubts, few
}

// decimal writes a figure in three significant digits, without an exponent.
func decimal(v *float64) string {
	if v == nil {
		return "-"
	}
	switch size := math.Abs(*v); {
	case size >= 1000:
		return thousands(int(math.Round(*v)))
	case size >= 100:
		return strconv.FormatFloat(*v, 'f', 0, 64)
	case size >= 10:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	case size >= 1:
		return strconv.FormatFloat(*v, 'f', 2, 64)
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}
