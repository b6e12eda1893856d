package export

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
)

// outcomes names the outcomes, as reports do.
var outcomes = [...]struct {
	of   measure.Outcome
	name string
}{{measure.OK, "ok"}, {measure.Wrong, "wrong"}, {measure.Failed, "failed"}, {measure.Unjudged, "unjudged"}}

// phases are what calls were made for.
var phases = [...]struct {
	name string
	of   func(*measure.Pulses) [4]int64
}{
	{"measured", func(p *measure.Pulses) [4]int64 { return p.Calls }},
	{"warm-up", func(p *measure.Pulses) [4]int64 { return p.Warm }},
}

// What the metrics are, in both forms.
const (
	callsHelp    = "Calls that came to an end, by what came of them."
	itemsHelp    = "Requested items of the measured calls that were right."
	durationHelp = "Latency of the measured calls that were right, from when they were due."
	inFlightHelp = "Calls that are out."
	droppedHelp  = "Calls that were planned and never sent, once their window is over."
)

// Prometheus writes a sight in the text format, version 0.0.4:
// https://prometheus.io/docs/instrumenting/exposition_formats.
func Prometheus(w io.Writer, version string, s campaign.Sight) error {
	var b bytes.Buffer
	cells := series(s)
	family := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	family("mcpconform_build_info", "gauge", "The version of mcpconform that loads.")
	fmt.Fprintf(&b, "mcpconform_build_info{version=%s} 1\n", quoted(version))
	family("mcpconform_calls_total", "counter", callsHelp)
	for i := range cells {
		c := &cells[i]
		for _, phase := range phases {
			counts := phase.of(&c.Pulses)
			for _, o := range outcomes {
				fmt.Fprintf(&b, "mcpconform_calls_total{%s,phase=%q,outcome=%q} %d\n", labels(c.Cell), phase.name, o.name, counts[o.of])
			}
		}
	}
	for _, f := range []struct {
		name, kind, help string
		of               func(*campaign.CellSight) int64
	}{
		{"mcpconform_items_total", "counter", itemsHelp, func(c *campaign.CellSight) int64 { return c.Items }},
		{"mcpconform_calls_dropped_total", "counter", droppedHelp, func(c *campaign.CellSight) int64 { return int64(c.Dropped) }},
		{"mcpconform_calls_in_flight", "gauge", inFlightHelp, func(c *campaign.CellSight) int64 { return int64(c.InFlight) }},
	} {
		family(f.name, f.kind, f.help)
		for i := range cells {
			fmt.Fprintf(&b, "%s{%s} %d\n", f.name, labels(cells[i].Cell), f.of(&cells[i]))
		}
	}
	family("mcpconform_call_duration_seconds", "histogram", durationHelp)
	for i := range cells {
		histogram(&b, &cells[i])
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	return nil
}

// The classic buckets are two an octave, from 61 µs to 64 s: what is beyond stands in
// +Inf.
const (
	leastBucket = -14 * 4
	mostBucket  = 6 * 4
	step        = 2
)

func histogram(w io.Writer, c *campaign.CellSight) {
	own := labels(c.Cell)
	sum, next := int64(0), leastBucket
	for i, n := range c.Buckets {
		sum += n
		if end := i + measure.PulseFirst + 1; end == next && end <= mostBucket {
			fmt.Fprintf(w, "mcpconform_call_duration_seconds_bucket{%s,le=\"%s\"} %d\n", own, strconv.FormatFloat(measure.UpTo(i), 'g', 6, 64), sum)
			next += step
		}
	}
	fmt.Fprintf(w, "mcpconform_call_duration_seconds_bucket{%s,le=\"+Inf\"} %d\n", own, sum)
	fmt.Fprintf(w, "mcpconform_call_duration_seconds_sum{%s} %s\n", own, strconv.FormatFloat(c.Sum.Seconds(), 'f', -1, 64))
	fmt.Fprintf(w, "mcpconform_call_duration_seconds_count{%s} %d\n", own, sum)
}

// labels name the cell of a sample.
func labels(c *campaign.Cell) string {
	text := fmt.Sprintf(`operation=%s,batch="%d",concurrency="%d"`, quoted(c.Operation), c.Batch, c.Concurrency)
	if c.In != "" {
		text += ",mix=" + quoted(c.In)
	}
	return text
}

// quoted writes a label's value: UTF-8, with the three escapes that the format has.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\ufffd")) + `"`
}
