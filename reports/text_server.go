package reports

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// serverColumns are those of what was seen of the server itself. All but the first
// three are left out where nothing is known.
var serverColumns = []figure{
	{title: "operation", cell: func(p Performance) string { return p.Operation }},
	{title: "users", cell: func(p Performance) string { return thousands(p.Concurrency) }},
	{title: "items", cell: batchOf},
	{title: "cores", rare: true, cell: ofProcess(func(s *measure.Process) string { return decimal(&s.CPUShare) })},
	{title: "µs/call", rare: true, cell: ofProcess(func(s *measure.Process) string { return decimal(s.CPUPerCallUS) })},
	{title: "µs/item", rare: true, spare: 2, cell: ofProcess(func(s *measure.Process) string { return decimal(s.CPUPerItemUS) })},
	{title: "ours", rare: true, cell: ofProcess(func(s *measure.Process) string {
		if s.OwnPart == nil {
			return "-"
		}
		return share(*s.OwnPart)
	})},
	{title: "MB", rare: true, spare: 1, cell: ofProcess(func(s *measure.Process) string { return megabytes(s.ResidentStart) })},
	{title: "to", rare: true, spare: 1, cell: ofProcess(func(s *measure.Process) string { return megabytes(s.ResidentEnd) })},
	{title: "peak", rare: true, cell: ofProcess(func(s *measure.Process) string { return megabytes(s.ResidentPeak) })},
	{title: "threads", rare: true, spare: 3, cell: ofProcess(func(s *measure.Process) string { return thousands(s.Threads) })},
	{title: "own p50", rare: true, cell: ofTiming(func(s *measure.ServerSide) *float64 { return s.TimingMS.P50 })},
	{title: "p99", rare: true, spare: 2, cell: ofTiming(func(s *measure.ServerSide) *float64 { return s.TimingMS.P99 })},
	{title: "apart p50", rare: true, cell: ofTiming(func(s *measure.ServerSide) *float64 { return s.ApartMS.P50 })},
}

// ofProcess writes a figure of the server's processes.
func ofProcess(cell func(*measure.Process) string) func(Performance) string {
	return func(p Performance) string {
		if s := p.Loaded.Server; s != nil && s.Process != nil {
			return cell(s.Process)
		}
		return "-"
	}
}

// ofTiming writes a figure of what the server's Server-Timing says.
func ofTiming(cell func(*measure.ServerSide) *float64) func(Performance) string {
	return func(p Performance) string {
		if s := p.Loaded.Server; s != nil && s.TimingMS != nil && s.ApartMS != nil {
			return decimal(cell(s))
		}
		return "-"
	}
}

func megabytes(bytes int64) string {
	mb := float64(bytes) / 1e6
	return decimal(&mb)
}

// serverSide tells what was seen of the server itself, where anything was.
func (p *page) serverSide(r Report) {
	var rows []Performance
	processes, timing := false, false
	for _, row := range loadRows(r) {
		if s := row.Loaded.Server; s != nil {
			rows = append(rows, row)
			processes, timing = processes || s.Process != nil, timing || s.TimingMS != nil
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(bold, "THE SERVER'S SIDE")
	var legend []string
	if processes {
		legend = append(legend, "Processor time of the server's processes: cores in use, a call, an item; ours is mcpconform's part of what both used. Memory is what is resident: at the beginning, at the end, at its peak.")
	}
	if timing {
		legend = append(legend, "Own: the server's own time of a call by its Server-Timing, in ms; apart: the rest of the call, from when it was sent.")
	}
	if len(legend) > 0 {
		p.text(2, dim, strings.Join(legend, " "))
		p.blank()
		p.table(tabled(serverColumns, rows, p.width-2), len(rows))
	}
	for _, row := range rows {
		var told []string
		for _, s := range row.Loaded.Server.Series {
			told = append(told, s.String())
		}
		if len(told) > 0 {
			p.item(bold, "•", fmt.Sprintf("%s, %s, %s: %s", row.Operation, Amount(row.Concurrency, "user", "users"), whatCall(row), strings.Join(told, "; ")))
		}
	}
}

// whatCall says what the calls of a row are.
func whatCall(p Performance) string {
	if p.BatchSize == 0 {
		return "a mix of calls"
	}
	return Amount(p.BatchSize, "item", "items") + " a call"
}
