package measure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// How many calls a quantile needs before it is shown. They are the least that
// leave about one call beyond it; with fewer, the figure would be the slowest
// call under another name.
const (
	CallsForP50  = 2
	CallsForP90  = 10
	CallsForP95  = 20
	CallsForP99  = 100
	CallsForP999 = 1000
)

var needed = []struct {
	name  string
	rank  float64 // percent
	calls int
	field func(*Quantiles) **float64
}{
	{"p50", 50, CallsForP50, func(q *Quantiles) **float64 { return &q.P50 }},
	{"p90", 90, CallsForP90, func(q *Quantiles) **float64 { return &q.P90 }},
	{"p95", 95, CallsForP95, func(q *Quantiles) **float64 { return &q.P95 }},
	{"p99", 99, CallsForP99, func(q *Quantiles) **float64 { return &q.P99 }},
	{"p99.9", 99.9, CallsForP999, func(q *Quantiles) **float64 { return &q.P999 }},
}

// How the two warnings begin that most rows of a short sweep have, so that a
// writer can say them once for all rows.
const (
	ShortSample = "short sample"
	TooFew      = "too few calls"
)

// longest is the longest time a histogram keeps; longer ones are kept as it.
const longest = time.Hour

// times collects durations: exact extremes and mean, and a histogram of
// microseconds at three significant digits for the quantiles.
type times struct {
	histogram *hdrhistogram.Histogram
	count     int
	sum       time.Duration
	min, max  time.Duration
	beyond    int // longer than longest
}

func (t *times) add(d time.Duration) {
	if t.histogram == nil {
		t.histogram = hdrhistogram.New(1, longest.Microseconds(), 3)
		t.min = d
	}
	t.count++
	t.sum += d
	t.min, t.max = min(t.min, d), max(t.max, d)
	if d > longest {
		t.beyond++
	}
	// In range by the clamp, so it cannot be refused.
	_ = t.histogram.RecordValue(min(max(d.Microseconds(), 1), longest.Microseconds()))
}

// quantiles sums up what was added, leaving out what too few calls support.
func (t *times) quantiles() Quantiles {
	var q Quantiles
	if t.count == 0 {
		return q
	}
	q.Min, q.Max = milliseconds(t.min), milliseconds(t.max)
	q.Mean = milliseconds(t.sum / time.Duration(t.count))
	for _, n := range needed {
		if t.count < n.calls {
			continue
		}
		// A bucket's upper edge may lie beyond the slowest call.
		at := time.Duration(t.histogram.ValueAtPercentile(n.rank)) * time.Microsecond
		*n.field(&q) = milliseconds(min(max(at, t.min), t.max))
	}
	return q
}

// warnings says what the figures do not support.
func (t *times) warnings() []string {
	warnings := []string{}
	if t.count == 0 {
		return append(warnings, "no call succeeded: no latency")
	}
	if t.count < CallsForP99 {
		warnings = append(warnings, ShortSample+": "+calls(t.count))
	}
	var out []string
	for _, n := range needed {
		if t.count < n.calls {
			out = append(out, fmt.Sprintf("%s needs %d", n.name, n.calls))
		}
	}
	if len(out) > 0 {
		warnings = append(warnings, TooFew+": "+strings.Join(out, ", "))
	}
	if t.beyond > 0 {
		warnings = append(warnings, fmt.Sprintf("%s took longer than an hour, quantiles show them as one hour", calls(t.beyond)))
	}
	return warnings
}

// encoded is the histogram in the V2 compressed encoding, base64.
func (t *times) encoded() string {
	if t.histogram == nil {
		return ""
	}
	text, err := t.histogram.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "" // only an unknown version or a failing memory buffer: neither happens
	}
	return string(text)
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return strconv.Itoa(n) + " calls"
}

func milliseconds(d time.Duration) *float64 {
	return significant(float64(d) / float64(time.Millisecond))
}

// significant rounds to three significant digits.
func significant(v float64) *float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		zero := 0.0
		return &zero
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		rounded = v
	}
	return &rounded
}
