package measure

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/mcpconform/mcpconform/conform"
)

// exchange is one call of a recording that a test makes.
type exchange struct {
	operation string
	size      int
	took      time.Duration
	answer    string // the HTTP body, "%s" standing for the id; empty: nothing came
	media     string // of an HTTP answer; empty: stdout
	status    int
	end       conform.End
	unsent    bool
	role      conform.Role
	unswept   bool
}

func good(operation string, size int, took time.Duration) exchange {
	return exchange{operation: operation, size: size, took: took, media: "application/json", status: 200, answer: `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`}
}

func with(e exchange, change func(*exchange)) exchange {
	change(&e)
	return e
}

func recorded(exchanges ...exchange) *conform.Recording {
	var observations []conform.Observation
	now := time.Second
	add := func(o conform.Observation) {
		o.Seq = int64(len(observations) + 1)
		observations = append(observations, o)
	}
	for i, e := range exchanges {
		id, number := fmt.Sprintf("c%d", i+1), fmt.Sprint(i+1)
		role := e.role
		if role == "" {
			role = conform.RolePrimary
		}
		add(conform.Observation{Kind: conform.KindPlanned, Call: id, At: now, Planned: &conform.Planned{
			Operation: e.operation, Role: role, Method: "tools/call", Items: make([]conform.Item, e.size), Sweep: !e.unswept,
		}})
		if e.unsent {
			continue
		}
		add(conform.Observation{Kind: conform.KindSent, Call: id, At: now, Sent: &conform.Sent{
			Channel: conform.ChannelHTTP, Body: conform.Bytes(`{"jsonrpc":"2.0","id":` + number + `,"method":"tools/call"}`),
		}})
		now += e.took
		if e.answer == "" && e.end == "" {
			continue
		}
		in := &conform.Received{Channel: conform.ChannelStdout, Body: conform.Bytes(strings.ReplaceAll(e.answer, "%s", number)), End: e.end}
		if e.end == "" {
			in.End = conform.Complete
		}
		if e.media != "" {
			in.Channel, in.Status = conform.ChannelHTTP, e.status
			in.Header = []conform.HeaderField{{Name: "Content-Type", Value: e.media}}
		}
		add(conform.Observation{Kind: conform.KindReceived, Call: id, At: now, Received: in})
		now += time.Millisecond
	}
	return conform.NewRecording(conform.Header{}, observations)
}

func TestCallsAreCountedByWhatCameOfThem(t *testing.T) {
	one := good("cancel", 5, 2*time.Millisecond)
	for name, c := range map[string]struct {
		call  exchange
		wrong bool
		want  Performance // counts and form only
	}{
		"a result":                     {one, false, Performance{Calls: 1, OK: 1, Items: 5, AnswerForm: FormJSON}},
		"a result a failed MUST names": {one, true, Performance{Calls: 1, Wrong: 1, AnswerForm: FormJSON}},
		"isError":                      {with(one, func(e *exchange) { e.answer = `{"jsonrpc":"2.0","id":%s,"result":{"isError":true}}` }), false, Performance{Calls: 1, Failed: 1, AnswerForm: FormJSON}},
		"a JSON-RPC error":             {with(one, func(e *exchange) { e.answer = `{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"no"}}` }), false, Performance{Calls: 1, Failed: 1, AnswerForm: FormJSON}},
		"an HTTP error":                {with(one, func(e *exchange) { e.status = 500 }), false, Performance{Calls: 1, Failed: 1, AnswerForm: FormJSON}},
		"an answer to another call":    {with(one, func(e *exchange) { e.answer = `{"jsonrpc":"2.0","id":99,"result":{}}` }), false, Performance{Calls: 1, Failed: 1}},
		"an answer cut off":            {with(one, func(e *exchange) { e.end = conform.Cut }), false, Performance{Calls: 1, Failed: 1, AnswerForm: FormJSON}},
		"a timeout":                    {with(one, func(e *exchange) { e.answer, e.end = "", conform.TimedOut }), false, Performance{Calls: 1, Failed: 1}},
		"a timeout is not wrong":       {with(one, func(e *exchange) { e.answer, e.end = "", conform.TimedOut }), true, Performance{Calls: 1, Failed: 1}},
		"nothing at all":               {with(one, func(e *exchange) { e.answer = "" }), false, Performance{Calls: 1, Failed: 1}},
		"never sent":                   {with(one, func(e *exchange) { e.unsent = true }), false, Performance{Dropped: 1}},
		"times that run backwards":     {with(one, func(e *exchange) { e.took = -time.Millisecond }), false, Performance{Calls: 1, Failed: 1, AnswerForm: FormJSON}},
		"an event stream": {with(one, func(e *exchange) {
			e.media, e.answer = "text/event-stream", "data: "+e.answer+"\n\n"
		}), false, Performance{Calls: 1, OK: 1, Items: 5, AnswerForm: FormSSE}},
		"a line of stdout": {with(one, func(e *exchange) { e.media, e.status = "", 0 }), false, Performance{Calls: 1, OK: 1, Items: 5, AnswerForm: FormStdio}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := Sweep(recorded(c.call), "2025-11-25", func(call string) bool { return c.wrong && call == "c1" })
			if len(rows) != 1 {
				t.Fatalf("%d rows", len(rows))
			}
			r := rows[0]
			got := Performance{Calls: r.Calls, OK: r.OK, Failed: r.Failed, Wrong: r.Wrong, Dropped: r.Dropped, Items: r.Items, AnswerForm: r.AnswerForm}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if r.OK+r.Failed+r.Wrong != r.Calls {
				t.Error("the counts do not sum to the calls")
			}
			if r.OK == 0 && (r.Latency.Min != nil || r.Latency.P50 != nil || r.Histogram != "") {
				t.Error("a latency of nothing")
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRatesAreOverTheTimeOfAllCalls(t *testing.T) {
	failing := with(good("cancel", 10, 60*time.Millisecond), func(e *exchange) { e.status = 500 })
	rows := Sweep(recorded(good("cancel", 10, 20*time.Millisecond), good("cancel", 10, 20*time.Millisecond), failing), "", nil)
	r := rows[0]
	if r.Seconds != 0.1 || *r.CallsPerSecond != 20 || *r.ItemsPerSecond != 200 {
		t.Errorf("%v s, %v calls/s, %v items/s; want 0.1, 20, 200", r.Seconds, *r.CallsPerSecond, *r.ItemsPerSecond)
	}
	if *r.Latency.Max != 20 || *r.FailedMS.Max != 60 {
		t.Errorf("the slowest success took %v ms, the failure %v ms; want 20 and 60", *r.Latency.Max, *r.FailedMS.Max)
	}
}

func TestRowsAreOfOneOperationAndBatchSize(t *testing.T) {
	ms := time.Millisecond
	rows := Sweep(recorded(
		good("query", 10, ms), good("cancel", 100, ms), good("cancel", 1, ms), good("cancel", 1, ms),
		with(good("cancel", 1, ms), func(e *exchange) { e.unswept = true }),
		with(good("cancel", 1, ms), func(e *exchange) { e.role = conform.RoleReset }),
	), "2025-11-25", nil)
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s %d: %d, %s, %s, at once %d", r.Operation, r.BatchSize, r.Calls, r.Mode, r.Protocol, r.Concurrency))
	}
	want := []string{"cancel 1: 2, sweep, 2025-11-25, at once 1", "cancel 100: 1, sweep, 2025-11-25, at once 1", "query 10: 1, sweep, 2025-11-25, at once 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if rows := Sweep(recorded(), "", nil); rows == nil || len(rows) != 0 {
		t.Errorf("of nothing: %v", rows)
	}
}

func TestAnswersOfTwoFormsAreMixed(t *testing.T) {
	stdio := with(good("cancel", 1, time.Millisecond), func(e *exchange) { e.media = "" })
	if rows := Sweep(recorded(good("cancel", 1, time.Millisecond), stdio, stdio), "", nil); rows[0].AnswerForm != FormMixed {
		t.Errorf("form %q", rows[0].AnswerForm)
	}
}

// TestQuantilesAreThoseOfTheSortedTimes compares with sorting, and checks that
// no quantile is shown before its number of calls.
func TestQuantilesAreThoseOfTheSortedTimes(t *testing.T) {
	for _, n := range []int{1, 2, 9, 10, 19, 20, 99, 100, 999, 1000, 1500} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var all []exchange
			for i := range n {
				// 41 is prime to every n: the times come in no order.
				all = append(all, good("cancel", 1, time.Duration(100+(i*41)%n*13)*time.Microsecond))
			}
			var sorted []float64
			for i := range n {
				sorted = append(sorted, float64(100+i*13)/1000)
			}
			r := Sweep(recorded(all...), "", nil)[0]
			for _, q := range []struct {
				name  string
				share float64
				calls int
				got   *float64
			}{
				{"p50", 0.5, Sampled.P50, r.Latency.P50}, {"p90", 0.9, Sampled.P90, r.Latency.P90}, {"p95", 0.95, Sampled.P95, r.Latency.P95},
				{"p99", 0.99, Sampled.P99, r.Latency.P99}, {"p99.9", 0.999, Sampled.P999, r.Latency.P999},
			} {
				warned := slices.ContainsFunc(r.Warnings, func(w string) bool {
					return strings.HasPrefix(w, TooFew) && strings.Contains(w+",", fmt.Sprintf("%s needs %d,", q.name, q.calls))
				})
				if n < q.calls {
					if q.got != nil || !warned {
						t.Errorf("%s of %d calls: %v, warnings %q; want none and a warning", q.name, n, q.got, r.Warnings)
					}
					continue
				}
				want := sorted[int(math.Ceil(q.share*float64(n)-1e-9))-1] // the least that so many do not exceed
				if q.got == nil || warned {
					t.Errorf("%s of %d calls is missing, or warned of: %q", q.name, n, r.Warnings)
				} else if math.Abs(*q.got-want) > want*0.01 {
					t.Errorf("%s of %d calls: %v, want about %v", q.name, n, *q.got, want)
				}
			}
			if *r.Latency.Min != 0.1 || math.Abs(*r.Latency.Max-sorted[n-1]) > 0.01*sorted[n-1] || r.Latency.P50 != nil && *r.Latency.P50 > *r.Latency.Max {
				t.Errorf("min %v, p50 %v, max %v", *r.Latency.Min, r.Latency.P50, *r.Latency.Max)
			}
			short := slices.Contains(r.Warnings, fmt.Sprintf("%s: %s", ShortSample, calls(n)))
			if short != (n < 100) {
				t.Errorf("warnings %q", r.Warnings)
			}
			h, err := hdrhistogram.Decode([]byte(r.Histogram))
			if err != nil || h.TotalCount() != int64(n) {
				t.Errorf("the histogram holds %v calls: %v", h, err)
			}
		})
	}
}

func TestTimesBeyondTheHistogramAreSaid(t *testing.T) {
	r := Sweep(recorded(good("cancel", 1, 2*time.Hour), good("cancel", 1, 100*time.Nanosecond)), "", nil)[0]
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "1 call took longer than an hour") }) {
		t.Errorf("warnings %q", r.Warnings)
	}
	if *r.Latency.Max != 7.2e6 || *r.Latency.Min != 0.0001 {
		t.Errorf("min %v, max %v ms", *r.Latency.Min, *r.Latency.Max)
	}
}

func TestInstantCallsGiveNoRate(t *testing.T) {
	if r := Sweep(recorded(good("cancel", 1, 0)), "", nil)[0]; r.CallsPerSecond != nil || r.ItemsPerSecond != nil || *r.Latency.Max != 0 {
		t.Errorf("%+v", r)
	}
}
