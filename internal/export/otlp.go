package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
)

// OTLP sends what is seen of a load to a collector, as OpenTelemetry metrics over HTTP
// in JSON: https://opentelemetry.io/docs/specs/otlp.
type OTLP struct {
	URL     string // as OTLPURL gives it
	Version string
	Began   time.Time // when counting began
	Every   time.Duration
	Live    *campaign.Live
	// Now is the wall clock.
	Now func() time.Time

	sent, failed int
	first        error
}

// sending is how long one push may take: a collector that hangs holds nobody up.
const sending = 5 * time.Second

// OTLPURL reads the URL of a collector; without a path it is that of metrics.
func OTLPURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", errors.New("it is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", errors.New("it is no URL of http or https")
	case u.User != nil:
		return "", errors.New("it has credentials in it")
	case u.Path == "" || u.Path == "/":
		u.Path = "/v1/metrics"
	}
	return u.String(), nil
}

// Start sends every now and then. What it returns sends a last time, and says what
// could not be sent; empty: all was.
func (o *OTLP) Start() (stop func() string) {
	ctx, cancel := context.WithCancel(context.Background())
	var pushing sync.WaitGroup
	pushing.Go(func() {
		tick := time.NewTicker(o.Every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				o.push(ctx)
			}
		}
	})
	return func() string {
		cancel()
		pushing.Wait()
		o.push(context.Background())
		if o.failed == 0 {
			return ""
		}
		to := o.URL
		if u, err := url.Parse(o.URL); err == nil {
			to = u.Host // what follows may hold a key
		}
		return fmt.Sprintf("%d of %d pushes of metrics to %s failed: %v", o.failed, o.sent, to, o.first)
	}
}

var client = &http.Client{
	Timeout:       sending,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // what is sent goes where the user said
}

func (o *OTLP) push(ctx context.Context) {
	err := o.post(ctx)
	if err != nil && ctx.Err() != nil {
		return // the last push says it all
	}
	if o.sent++; err != nil {
		if o.failed++; o.first == nil {
			o.first = err
		}
	}
}

func (o *OTLP) post(ctx context.Context) error {
	body, err := json.Marshal(o.metrics(o.Live.Look()))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, o.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) {
			return at.Err
		}
		return err
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answered %d", response.StatusCode)
	}
	var partial struct {
		PartialSuccess struct {
			Rejected any    `json:"rejectedDataPoints"`
			Message  string `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &partial) == nil {
		if n := strings.Trim(fmt.Sprint(partial.PartialSuccess.Rejected), `"`); n != "0" && n != "<nil>" {
			return fmt.Errorf("the collector refused %s points", strconv.Quote(n))
		}
	}
	return nil
}

// The JSON of the protocol; integers of 64 bits are strings there.
type (
	otlpAttribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
	otlpPoint struct {
		Attributes []otlpAttribute `json:"attributes"`
		Start      string          `json:"startTimeUnixNano"`
		Time       string          `json:"timeUnixNano"`
		AsInt      string          `json:"asInt,omitempty"`
		// Of a histogram:
		Count     string       `json:"count,omitempty"`
		Sum       *float64     `json:"sum,omitempty"`
		Scale     *int         `json:"scale,omitempty"`
		ZeroCount string       `json:"zeroCount,omitempty"`
		Positive  *otlpBuckets `json:"positive,omitempty"`
	}
	otlpBuckets struct {
		Offset int      `json:"offset"`
		Counts []string `json:"bucketCounts"`
	}
	otlpData struct {
		Points      []otlpPoint `json:"dataPoints"`
		Temporality int         `json:"aggregationTemporality,omitempty"`
		Monotonic   bool        `json:"isMonotonic,omitempty"`
	}
	otlpMetric struct {
		Name        string    `json:"name"`
		Description string    `json:"description"`
		Unit        string    `json:"unit"`
		Sum         *otlpData `json:"sum,omitempty"`
		Gauge       *otlpData `json:"gauge,omitempty"`
		Histogram   *otlpData `json:"exponentialHistogram,omitempty"`
	}
)

// cumulative is the temporality of counters since the beginning.
const cumulative = 2

func attribute(key, value string) otlpAttribute {
	return otlpAttribute{key, map[string]any{"stringValue": strings.ToValidUTF8(value, "\ufffd")}}
}

func whole(key string, value int) otlpAttribute {
	return otlpAttribute{key, map[string]any{"intValue": strconv.Itoa(value)}}
}

// metrics is one message.
func (o *OTLP) metrics(s campaign.Sight) any {
	start, now := strconv.FormatInt(o.Began.UnixNano(), 10), strconv.FormatInt(o.Now().UnixNano(), 10)
	point := func(c *campaign.Cell, more ...otlpAttribute) otlpPoint {
		all := []otlpAttribute{attribute("mcpconform.operation", c.Operation), whole("mcpconform.batch", c.Batch), whole("mcpconform.concurrency", c.Concurrency)}
		if c.In != "" {
			all = append(all, attribute("mcpconform.mix", c.In))
		}
		return otlpPoint{Attributes: append(all, more...), Start: start, Time: now}
	}
	calls, items, dropped := otlpData{Temporality: cumulative, Monotonic: true}, otlpData{Temporality: cumulative, Monotonic: true}, otlpData{Temporality: cumulative, Monotonic: true}
	flight, took := otlpData{}, otlpData{Temporality: cumulative}
	add := func(to *otlpData, p otlpPoint, n int64) {
		p.AsInt = strconv.FormatInt(n, 10)
		to.Points = append(to.Points, p)
	}
	cells := series(s)
	for i := range cells {
		c := &cells[i]
		for _, phase := range phases {
			counts := phase.of(&c.Pulses)
			for _, out := range outcomes {
				add(&calls, point(c.Cell, attribute("mcpconform.phase", phase.name), attribute("mcpconform.outcome", out.name)), counts[out.of])
			}
		}
		add(&items, point(c.Cell), c.Items)
		add(&dropped, point(c.Cell), int64(c.Dropped))
		add(&flight, point(c.Cell), int64(c.InFlight))
		took.Points = append(took.Points, exponential(point(c.Cell), &c.Pulses))
	}
	var metrics []otlpMetric
	if len(cells) > 0 {
		metrics = []otlpMetric{
			{Name: "mcpconform.calls", Description: callsHelp, Unit: "{call}", Sum: &calls},
			{Name: "mcpconform.items", Description: itemsHelp, Unit: "{item}", Sum: &items},
			{Name: "mcpconform.calls.dropped", Description: droppedHelp, Unit: "{call}", Sum: &dropped},
			{Name: "mcpconform.calls.in_flight", Description: inFlightHelp, Unit: "{call}", Gauge: &flight},
			{Name: "mcpconform.call.duration", Description: durationHelp, Unit: "s", Histogram: &took},
		}
	}
	return map[string]any{"resourceMetrics": []any{map[string]any{
		"resource":     map[string]any{"attributes": []otlpAttribute{attribute("service.name", "mcpconform"), attribute("service.version", o.Version)}},
		"scopeMetrics": []any{map[string]any{"scope": map[string]any{"name": "mcpconform", "version": o.Version}, "metrics": append([]otlpMetric{}, metrics...)}},
	}}}
}

// exponential fills in a histogram of base 2^(1/4), without the empty buckets at its
// ends.
func exponential(p otlpPoint, of *measure.Pulses) otlpPoint {
	sum, scale := of.Sum.Seconds(), measure.PulseScale
	p.Count, p.Sum, p.Scale, p.ZeroCount = strconv.FormatInt(of.Latencies(), 10), &sum, &scale, "0"
	first, last := -1, -1
	for i, n := range of.Buckets {
		if n > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	p.Positive = &otlpBuckets{Counts: []string{}}
	if first < 0 {
		return p
	}
	p.Positive.Offset = first + measure.PulseFirst
	for _, n := range of.Buckets[first : last+1] {
		p.Positive.Counts = append(p.Positive.Counts, strconv.FormatInt(n, 10))
	}
	return p
}
