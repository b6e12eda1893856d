package measure

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Times collects durations: exact extremes and mean, and their Counts for the
// quantiles. The zero value is ready. Not for use by several goroutines at once.
type Times struct {
	counts   Counts
	count    int
	sum      time.Duration
	min, max time.Duration
	beyond   int // longer than longest
}

// longest is the longest time that the counts keep; longer ones are kept as it.
const longest = highest * time.Microsecond

// Add takes one duration; a negative one counts as 0.
func (t *Times) Add(d time.Duration) {
	d = max(d, 0)
	if t.count == 0 {
		t.min = d
	}
	t.count++
	t.sum += d
	t.min, t.max = min(t.min, d), max(t.max, d)
	if d > longest {
		t.beyond++
	}
	t.counts.add(min(max(d.Microseconds(), 1), highest), 1)
}

// Merge adds what another collected.
func (t *Times) Merge(other *Times) {
	if other.count == 0 {
		return
	}
	if t.count == 0 {
		t.min = other.min
	}
	t.count += other.count
	t.sum += other.sum
	t.min, t.max = min(t.min, other.min), max(t.max, other.max)
	t.beyond += other.beyond
	t.counts.merge(&other.counts)
}

// Count gives how many durations there are.
func (t *Times) Count() int { return t.count }

// Quantile gives the duration that a share of all does not exceed, exact to three
// significant digits; 0 where there is none.
func (t *Times) Quantile(share float64) time.Duration {
	if t.count == 0 {
		return 0
	}
	rank := max(1, int64(math.Ceil(share*float64(t.count)-1e-9)))
	at := time.Duration(t.counts.at(rank)) * time.Microsecond
	// A bucket's upper edge may lie beyond the slowest.
	return min(max(at, t.min), t.max)
}

// Above counts the durations that are longer than another, to three significant digits.
func (t *Times) Above(d time.Duration) int { return int(t.counts.above(d.Microseconds())) }

// Support says how many calls each quantile needs before it is shown.
type Support struct{ P50, P90, P95, P99, P999 int }

// Sampled are the least numbers that leave about one call beyond a quantile: what
// a short sample can give. Loaded are those with which the slowest call lies beyond
// it in 95 samples of 100 (ln 0.05 / ln q), so that it has an upper bound at all.
var (
	Sampled = Support{P50: 2, P90: 10, P95: 20, P99: 100, P999: 1000}
	Loaded  = Support{P50: 5, P90: 29, P95: 59, P99: 299, P999: 2995}
)

// needed is one quantile, and what it needs.
type needed struct {
	name  string
	share float64
	calls int
	field func(*Quantiles) **float64
}

func (s Support) each() []needed {
	return []needed{
		{"p50", 0.5, s.P50, func(q *Quantiles) **float64 { return &q.P50 }},
		{"p90", 0.9, s.P90, func(q *Quantiles) **float64 { return &q.P90 }},
		{"p95", 0.95, s.P95, func(q *Quantiles) **float64 { return &q.P95 }},
		{"p99", 0.99, s.P99, func(q *Quantiles) **float64 { return &q.P99 }},
		{"p99.9", 0.999, s.P999, func(q *Quantiles) **float64 { return &q.P999 }},
	}
}

// Quantiles sums up what was added, leaving out what too few calls support.
func (t *Times) Quantiles(s Support) Quantiles {
	var q Quantiles
	if t.count == 0 {
		return q
	}
	q.Min, q.Max = milliseconds(t.min), milliseconds(t.max)
	q.Mean = milliseconds(t.sum / time.Duration(t.count))
	for _, n := range s.each() {
		if t.count >= n.calls {
			*n.field(&q) = milliseconds(t.Quantile(n.share))
		}
	}
	return q
}

// How the warnings begin that most rows of a short sweep have, so that a writer can
// say them once for all rows.
const (
	ShortSample = "short sample"
	TooFew      = "too few calls"
)

// NoneBegan is the warning of a row whose answers were all to calls of the warm-up: they
// make its rate, and tell no latency.
const NoneBegan = "every answer was to a call that began in the warm-up: no latency; calls take longer than the window (--duration)"

// warnings says what the figures do not support.
func (t *Times) warnings(s Support) []string {
	warnings := []string{}
	if t.count == 0 {
		return append(warnings, "no call succeeded: no latency")
	}
	if t.count < s.P99 {
		warnings = append(warnings, ShortSample+": "+calls(t.count))
	}
	var out []string
	for _, n := range s.each() {
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

// Encoded is the histogram in the V2 compressed encoding, base64; empty where there
// is none.
func (t *Times) Encoded() string {
	if t.count == 0 {
		return ""
	}
	text, err := t.counts.histogram().Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "" // only an unknown version or a failing memory buffer: neither happens
	}
	return string(text)
}

// Percentile is one step of a distribution: so many of all, Count, took no longer than
// Time. Share is the part of all at which the step stands.
type Percentile struct {
	Time  time.Duration
	Share float64
	Count int64
}

// Percentiles reads a histogram as Encoded writes it, and gives its distribution in
// steps that halve what is left of the way to 1 with every five, as HdrHistogram's own
// writers have it, with its mean and standard deviation.
func Percentiles(encoded string) (steps []Percentile, mean, deviation time.Duration, err error) {
	h, err := hdrhistogram.Decode([]byte(encoded))
	if err != nil {
		return nil, 0, 0, fmt.Errorf("reading a histogram: %w", err)
	}
	micros := func(v float64) time.Duration { return time.Duration(v * float64(time.Microsecond)) }
	for _, b := range h.CumulativeDistributionWithTicks(5) {
		steps = append(steps, Percentile{micros(float64(b.ValueAt)), b.Quantile / 100, b.Count})
	}
	return steps, micros(h.Mean()), micros(h.StdDev()), nil
}
