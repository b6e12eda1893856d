package reports

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// CSV writes the rows of figures, a line each, and first the names of the columns,
// which are those of the JSON. What is not known is empty. A text that a spreadsheet
// would take for a formula has an apostrophe before it.
func CSV(w io.Writer, r Report) error {
	out := csv.NewWriter(w)
	var names []string
	for _, c := range csvColumns {
		names = append(names, c.name)
	}
	_ = out.Write(names) // Flush keeps the first error
	for _, row := range r.Performance {
		if row.Loaded == nil {
			row.Loaded = &measure.LoadRow{}
		}
		cells := make([]string, len(csvColumns))
		for i, c := range csvColumns {
			cells[i] = c.cell(r, row)
		}
		_ = out.Write(cells)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// csvColumn is one column; a row's Loaded is never nil here.
type csvColumn struct {
	name string
	cell func(Report, Performance) string
}

var csvColumns = columnsOf(
	csvText("operation", func(_ Report, p Performance) string { return p.Operation }),
	csvInt("batch_size", func(p Performance) int { return p.BatchSize }),
	csvInt("concurrency", func(p Performance) int { return p.Concurrency }),
	csvText("mode", func(_ Report, p Performance) string { return p.Mode }),
	csvText("load.mix", func(_ Report, p Performance) string { return p.Loaded.Mix }),
	csvText("load.choice", func(_ Report, p Performance) string { return p.Loaded.Choice }),
	csvNumber("load.bad_share", func(p Performance) *float64 { return &p.Loaded.BadShare }),
	csvText("protocol", func(_ Report, p Performance) string { return p.Protocol }),
	csvText("answer_form", func(_ Report, p Performance) string { return p.AnswerForm }),
	csvInt("load.rounds", func(p Performance) int { return p.Loaded.Rounds }),
	csvNumber("seconds", func(p Performance) *float64 { return &p.Seconds }),
	csvInt("calls", func(p Performance) int { return p.Calls }),
	csvInt("ok", func(p Performance) int { return p.OK }),
	csvInt("failed", func(p Performance) int { return p.Failed }),
	csvInt("wrong", func(p Performance) int { return p.Wrong }),
	csvInt("load.unjudged", func(p Performance) int { return p.Loaded.Unjudged }),
	csvInt("dropped", func(p Performance) int { return p.Dropped }),
	csvInt("items", func(p Performance) int { return p.Items }),
	csvNumber("load.offered_per_second", func(p Performance) *float64 { return p.Loaded.Offered }),
	csvNumber("calls_per_second", func(p Performance) *float64 { return p.CallsPerSecond }),
	csvBounds("load.intervals.calls_per_second", func(i measure.Intervals) *[2]float64 { return i.CallsPerSecond }),
	csvNumber("items_per_second", func(p Performance) *float64 { return p.ItemsPerSecond }),
	csvBounds("load.intervals.items_per_second", func(i measure.Intervals) *[2]float64 { return i.ItemsPerSecond }),
	csvQuantiles("latency_ms", func(p Performance) *measure.Quantiles { return &p.Latency }),
	csvBounds("load.intervals.p50_ms", func(i measure.Intervals) *[2]float64 { return i.P50 }),
	csvBounds("load.intervals.p95_ms", func(i measure.Intervals) *[2]float64 { return i.P95 }),
	csvBounds("load.intervals.p99_ms", func(i measure.Intervals) *[2]float64 { return i.P99 }),
	csvQuantiles("service_ms", func(p Performance) *measure.Quantiles { return p.Service }),
	csvQuantiles("failed_ms", func(p Performance) *measure.Quantiles { return p.FailedMS }),
	csvQuantiles("load.unjudged_ms", func(p Performance) *measure.Quantiles { return p.Loaded.UnjudgedMS }),
	csvQuantiles("load.first_byte_ms", func(p Performance) *measure.Quantiles { return p.Loaded.FirstByteMS }),
	csvQuantiles("load.lag_ms", func(p Performance) *measure.Quantiles { return p.Loaded.LagMS }),
	csvNumber("load.per_item_us", func(p Performance) *float64 { return p.Loaded.PerItemUS }),
	csvNumber("load.bytes_out", func(p Performance) *float64 { return p.Loaded.BytesOut }),
	csvNumber("load.bytes_in", func(p Performance) *float64 { return p.Loaded.BytesIn }),
	csvNumber("load.tokens_estimate", func(p Performance) *float64 { return p.Loaded.Tokens }),
	csvNumber("load.floor.p50_ms", func(p Performance) *float64 {
		if p.Loaded.Floor == nil {
			return nil
		}
		return p.Loaded.Floor.P50MS
	}),
	csvNumber("load.floor.calls_per_second", func(p Performance) *float64 {
		if p.Loaded.Floor == nil {
			return nil
		}
		return &p.Loaded.Floor.CallsPerSecond
	}),
	csvInt("load.verified.memory", func(p Performance) int { return p.Loaded.Verified.Memory }),
	csvInt("load.verified.pass", func(p Performance) int { return p.Loaded.Verified.Pass }),
	csvInt("load.verified.strict", func(p Performance) int { return p.Loaded.Verified.Strict }),
	csvInt("load.verified.envelope", func(p Performance) int { return p.Loaded.Verified.Envelope }),
	csvProcess("cpu_seconds", func(s measure.Process) *float64 { return &s.CPUSeconds }),
	csvProcess("cpu_share", func(s measure.Process) *float64 { return &s.CPUShare }),
	csvProcess("cpu_per_call_us", func(s measure.Process) *float64 { return s.CPUPerCallUS }),
	csvProcess("cpu_per_item_us", func(s measure.Process) *float64 { return s.CPUPerItemUS }),
	csvProcess("own_part", func(s measure.Process) *float64 { return s.OwnPart }),
	csvProcess("resident_peak", func(s measure.Process) *float64 { peak := float64(s.ResidentPeak); return &peak }),
	csvGenerator("cpu_share", func(g measure.Generator) float64 { return g.CPUShare }),
	csvGenerator("lag_p99_ms", func(g measure.Generator) float64 { return g.LagP99MS }),
	csvText("generator.valid", func(_ Report, p Performance) string {
		if p.Generator == nil {
			return ""
		}
		return strconv.FormatBool(p.Generator.Valid)
	}),
	csvText("warnings", func(_ Report, p Performance) string { return strings.Join(p.Warnings, "; ") }),
	csvText("run.id", func(r Report, _ Performance) string { return r.Run.ID }),
	csvText("target.name", func(r Report, _ Performance) string { return r.Target.Name }),
)

func columnsOf(groups ...[]csvColumn) (all []csvColumn) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func csvText(name string, of func(Report, Performance) string) []csvColumn {
	return []csvColumn{{name, func(r Report, p Performance) string { return noFormula(Safe(of(r, p))) }}}
}

// noFormula has a spreadsheet take a text for a text.
// See https://owasp.org/www-community/attacks/CSV_Injection.
func noFormula(text string) string {
	if text != "" && strings.ContainsRune("=+-@|%", rune(text[0])) {
		return "'" + text
	}
	return text
}

func csvInt(name string, of func(Performance) int) []csvColumn {
	return []csvColumn{{name, func(_ Report, p Performance) string { return strconv.Itoa(of(p)) }}}
}

func csvNumber(name string, of func(Performance) *float64) []csvColumn {
	return []csvColumn{{name, func(_ Report, p Performance) string {
		v := of(p)
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}}}
}

func csvBounds(name string, of func(measure.Intervals) *[2]float64) (all []csvColumn) {
	for i, end := range []string{".low", ".high"} {
		all = append(all, csvNumber(name+end, func(p Performance) *float64 {
			both := of(p.Loaded.Intervals)
			if both == nil {
				return nil
			}
			return &both[i]
		})...)
	}
	return all
}

func csvQuantiles(name string, of func(Performance) *measure.Quantiles) (all []csvColumn) {
	for _, q := range []struct {
		name string
		of   func(*measure.Quantiles) *float64
	}{
		{"min", func(q *measure.Quantiles) *float64 { return q.Min }}, {"p50", func(q *measure.Quantiles) *float64 { return q.P50 }},
		{"p90", func(q *measure.Quantiles) *float64 { return q.P90 }}, {"p95", func(q *measure.Quantiles) *float64 { return q.P95 }},
		{"p99", func(q *measure.Quantiles) *float64 { return q.P99 }}, {"p999", func(q *measure.Quantiles) *float64 { return q.P999 }},
		{"max", func(q *measure.Quantiles) *float64 { return q.Max }}, {"mean", func(q *measure.Quantiles) *float64 { return q.Mean }},
	} {
		all = append(all, csvNumber(name+"."+q.name, func(p Performance) *float64 {
			if times := of(p); times != nil {
				return q.of(times)
			}
			return nil
		})...)
	}
	return all
}

func csvProcess(name string, of func(measure.Process) *float64) []csvColumn {
	return csvNumber("load.server.process."+name, func(p Performance) *float64 {
		if p.Loaded.Server == nil || p.Loaded.Server.Process == nil {
			return nil
		}
		return of(*p.Loaded.Server.Process)
	})
}

func csvGenerator(name string, of func(measure.Generator) float64) []csvColumn {
	return csvNumber("generator."+name, func(p Performance) *float64 {
		if p.Generator == nil {
			return nil
		}
		v := of(*p.Generator)
		return &v
	})
}
