package reports

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Benchstat writes the figures as lines of a Go benchmark, one for each round of a
// row, so that benchstat has samples to compare: the median latency of a call, the
// quantiles that the round has calls enough for, and the rates. A row without rounds,
// of the short sample of a run, has one line.
// The format is https://go.dev/design/14313-benchmark-format.
func Benchstat(w io.Writer, r Report) error {
	var b bytes.Buffer
	for _, line := range [][2]string{
		{"goos", r.Environment.OS}, {"goarch", r.Environment.Arch}, {"cpu", r.Environment.CPU},
		{"target", r.Target.Name}, {"transport", r.Target.Transport}, {"protocol", r.Target.Protocol},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], Safe(line[1]))
		}
	}
	b.WriteString("Unit p95-ns better=lower\nUnit p99-ns better=lower\nUnit calls/s better=higher\nUnit items/s better=higher\n\n")
	for _, row := range r.Performance {
		rounds := []measure.Round{{
			Calls: row.Calls, OK: row.OK, CallsPerSecond: row.CallsPerSecond, ItemsPerSecond: row.ItemsPerSecond,
			P50: row.Latency.P50, P95: row.Latency.P95, P99: row.Latency.P99,
		}}
		if row.Loaded != nil {
			rounds = row.Loaded.ByRound
		}
		for _, round := range rounds {
			benchLine(&b, benchName(row), round)
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing benchmark lines: %w", err)
	}
	return nil
}

// benchLine writes one sample; one without a figure is none.
func benchLine(b *bytes.Buffer, name string, r measure.Round) {
	var figures strings.Builder
	add := func(v *float64, unit string) {
		if v != nil {
			figures.WriteString("  " + strconv.FormatFloat(*v, 'f', -1, 64) + " " + unit)
		}
	}
	nanoseconds := func(ms *float64, unit string) {
		if ms != nil {
			ns := math.Round(*ms * 1e6)
			add(&ns, unit)
		}
	}
	nanoseconds(r.P50, "ns/op")
	nanoseconds(r.P95, "p95-ns")
	nanoseconds(r.P99, "p99-ns")
	add(r.CallsPerSecond, "calls/s")
	add(r.ItemsPerSecond, "items/s")
	if r.OK > 0 && figures.Len() > 0 {
		fmt.Fprintf(b, "%s  %d%s\n", name, r.OK, figures.String())
	}
}

// benchName is a row's name; a benchmark's has no white space, and a slash begins its
// next part.
func benchName(p Performance) string {
	what := "Load"
	if p.Mode == measure.ModeSweep {
		what = "Sweep"
	}
	name := fmt.Sprintf("Benchmark%s/op=%s/items=%d/users=%d", what, benchWord(p.Operation), p.BatchSize, p.Concurrency)
	if p.Mode == measure.ModeOpen {
		name += "/loop=open"
	}
	if p.Loaded != nil && p.Loaded.Mix != "" {
		name += "/in=" + benchWord(p.Loaded.Mix)
	}
	return name
}

func benchWord(s string) string {
	return strings.Map(func(r rune) rune {
		if !hidden(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r)) {
			return r
		}
		return '_'
	}, s)
}
