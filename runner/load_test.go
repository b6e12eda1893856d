package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// briefly is a load that takes no time to speak of.
func briefly(operations ...string) LoadOptions {
	return LoadOptions{
		Options: Options{Seed: 7, Operations: operations, Builtin: false},
		Batches: []int{1, 10}, Concurrency: []int{2}, Rounds: 2, Duration: 300 * time.Millisecond, Warm: 20 * time.Millisecond, Unguarded: true,
	}
}

// served serves a backend, and gives the built-in target file for it.
func served(t *testing.T, o fakebackend.Options) (*fakebackend.Backend, *target.File) {
	t.Helper()
	running, err := fakebackend.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	return running.Backend, at(t, running.URL, "builtin:fakebackend")
}

func at(t *testing.T, url, name string) *target.File {
	t.Helper()
	file, err := target.Load(name, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	server, err := target.ServerAt(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file.WithServer(server)
}

func loaded(t *testing.T, file *target.File, o LoadOptions) reports.Report {
	t.Helper()
	r, err := Load(context.Background(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := reports.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := reports.Text(&b, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func pageOf(t *testing.T, r reports.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := reports.Text(&b, r); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// The good backend is loaded without a wrong answer, every cell has its row, and what
// was cancelled is put back.
func TestLoadMeasuresAGoodServer(t *testing.T) {
	for _, options := range []fakebackend.Options{{}, {JSONAnswers: true}, {Sessions: fakebackend.Stateless}} {
		backend, file := served(t, options)
		r := loaded(t, file, briefly("cancel-products", "cancel-subscriptions", "query-orders"))
		if r.Verdict != reports.Conformant || len(r.Findings) > 0 || len(r.LeftBehind) > 0 {
			t.Errorf("%s; %d findings; %v", r.VerdictLine, len(r.Findings), r.LeftBehind)
		}
		var cells []string
		for _, row := range r.Performance {
			cells = append(cells, fmt.Sprintf("%s %d %d", row.Operation, row.Concurrency, row.BatchSize))
			if row.OK == 0 || row.OK != row.Calls || row.Loaded.Rounds != 2 || row.CallsPerSecond == nil || *row.CallsPerSecond <= 0 || row.Items != row.OK*row.BatchSize {
				t.Errorf("%+v", row)
			}
			form := measure.FormSSE
			if options.JSONAnswers {
				form = measure.FormJSON
			}
			if row.AnswerForm != form || row.Protocol == "" || row.Generator == nil || row.Histogram == "" {
				t.Errorf("form %q, revision %q, generator %v", row.AnswerForm, row.Protocol, row.Generator)
			}
			if strings.HasPrefix(row.Operation, unitOf) {
				continue // of it only the envelope can be looked at
			}
			if v := row.Loaded.Verified; v.Envelope > 0 || v.Pass+v.Memory+v.Strict != row.OK {
				t.Errorf("%d calls, verified %+v", row.OK, v)
			}
		}
		want := []string{"cancel-products 2 1", "cancel-products 2 10", "cancel-subscriptions 2 1", "cancel-subscriptions 2 10", "query-orders 2 1", "query-orders 2 10", "unit:cancel-products 2 1"}
		if !slices.Equal(cells, want) {
			t.Errorf("cells %q", cells)
		}
		cancelled := 0
		for _, e := range backend.Effects() {
			if e.Kind == "store-reset" {
				cancelled = 0
			} else {
				cancelled++
			}
		}
		if cancelled > 0 {
			t.Errorf("%d items are cancelled still", cancelled)
		}
	}
}

// No item of a write is asked for twice between two resets, by whatever user, and so
// none is refused.
func TestUniqueItemsAreAskedForOnce(t *testing.T) {
	backend, file := served(t, fakebackend.Options{JSONAnswers: true})
	o := briefly("cancel-products")
	o.Concurrency = []int{8}
	if r := loaded(t, file, o); r.Verdict != reports.Conformant || r.Performance[0].Loaded.Choice != ChooseUnique {
		t.Fatal(r.VerdictLine)
	}
	times := map[string]int{}
	for _, e := range backend.Effects() {
		if e.Kind == "store-reset" {
			clear(times)
		} else if times[e.Item]++; times[e.Item] > 1 {
			t.Fatalf("%s was cancelled twice", e.Item)
		}
	}
}

// Operations that the same reset serves may be about the same things: what one has
// used up is put back before another is asked, and nothing is found wrong with it.
func TestOperationsOfOneStoreAreNotInEachOthersWay(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true})
	r := loaded(t, file, briefly("cancel-products", "cancel-products-workflow"))
	if r.Verdict != reports.Conformant || len(r.Findings) > 0 {
		t.Errorf("%s: %+v", r.VerdictLine, r.Findings)
	}
}

// Items that the operation must refuse stand among the good ones, and are refused.
func TestAMixHasItsBadItems(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true})
	o := briefly("cancel-products")
	o.Batches, o.BadShare = []int{10}, 0.3
	r := loaded(t, file, o)
	if r.Verdict != reports.Conformant || r.Performance[0].OK == 0 || r.Performance[0].Loaded.BadShare != 0.3 {
		t.Error(pageOf(t, r))
	}
	o.BadShare = 0.9
	if r := loaded(t, file, o); len(r.Load.Skipped) != 1 || !strings.Contains(r.Load.Skipped[0].Reason, "needs 9 bad items") {
		t.Errorf("%+v", r.Load.Skipped)
	}
}

// One wrong answer in ten is told as about one in ten, with the rule, some of the
// bytes, and exit 1; and it is in no latency.
func TestWrongAnswersUnderLoadAreTold(t *testing.T) {
	fault, err := fakebackend.ParseFault("RES-02/drops-failed@0.1")
	if err != nil {
		t.Skip(err)
	}
	_, file := served(t, fakebackend.Options{JSONAnswers: true, Faults: []fakebackend.Fault{fault}, Seed: 3})
	o := briefly("query-orders")
	o.Batches, o.BadShare, o.Duration, o.MaxCalls = []int{10}, 0.2, 20*time.Second, 600
	r := loaded(t, file, o)
	if r.ExitCode() != reports.ExitNonconformant {
		t.Fatal(pageOf(t, r))
	}
	row := r.Performance[0]
	f := r.Findings[slices.IndexFunc(r.Findings, func(f conform.Finding) bool { return f.ID == "RES-02" })]
	if f.Count == 0 || f.Of < row.OK+row.Wrong || len(f.Evidence) == 0 || f.Evidence[0].Excerpt == "" || f.Scenario != "load" {
		t.Errorf("%+v", f)
	}
	if low, high := f.Interval[0], f.Interval[1]; low > 0.1 || high < 0.1 {
		t.Errorf("%d of %d: %v to %v", f.Count, f.Of, low, high)
	}
	if row.Wrong == 0 || row.FailedMS == nil || row.OK+row.Wrong != row.Calls {
		t.Errorf("%+v", row)
	}
	if text := pageOf(t, r); !strings.Contains(text, "nonconformant under load") || !strings.Contains(text, "RES-02") {
		t.Error(text)
	}
}

// Where nothing puts items back, a cell ends when they are used up, and says so.
func TestItemsThatAreUsedUpEndTheCell(t *testing.T) {
	const few = `version: 1
server: {url: "URL"}
operations:
  cancel:
    tool: cancel_products
    effect: write
    input: {argument: items}
    semantics: once
    items: {good: [{name: Product A, id: "1001"}, {name: Product B, id: "1002"}, {name: Product C, id: "1003"}, {name: Product D, id: "1004"}]}
`
	running, err := fakebackend.Start(fakebackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	file, err := target.Parse("few.yaml", []byte(strings.Replace(few, "URL", running.URL, 1)), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := briefly()
	o.Batches, o.Warm = []int{1, 3}, -1
	r := loaded(t, file, o)
	text := pageOf(t, r)
	for _, want := range []string{"used up", "not items enough for two calls of 3", "the target file has no reset"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told: %s", want, text)
		}
	}
	if len(r.LeftBehind) != 1 {
		t.Errorf("%+v", r.LeftBehind)
	}
}

// What the file or the schema sets as the largest batch is the largest, and is told.
func TestSizesAreCutAtTheirBounds(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, MaxItems: 25})
	o := briefly("query-orders")
	o.Batches = []int{10, 100, 1000}
	r := loaded(t, file, o)
	if len(r.Performance) != 2 || r.Performance[1].BatchSize != 25 || !strings.Contains(pageOf(t, r), "25 items are the most: maxItems of the tool's input schema") {
		t.Error(pageOf(t, r))
	}
}

// The limits of the target file hold under load: a closed loop is held back, and an open
// one that would be too fast is not played.
func TestLoadKeepsToTheLimits(t *testing.T) {
	running, err := fakebackend.Start(fakebackend.Options{JSONAnswers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	const limited = `version: 1
server: {url: "URL"}
limits: {rate: 50/s, in_flight: 4}
operations:
  query-orders: {tool: query_orders, effect: read, input: {argument: order_ids}, items: {good: {template: "OB{n}", count: 5000}}}
`
	file, err := target.Parse("limited.yaml", []byte(strings.Replace(limited, "URL", running.URL, 1)), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := briefly()
	o.Batches, o.Concurrency, o.Rounds, o.Duration, o.Warm = []int{1}, []int{2, 8}, 1, time.Second, -1
	r := loaded(t, file, o)
	// Fifty a second, and one more at each end.
	if row := r.Performance[0]; len(r.Performance) != 1 || row.Calls > 53 || row.Calls == 0 {
		t.Errorf("%d rows, %d calls in a second", len(r.Performance), row.Calls)
	}
	text := pageOf(t, r)
	for _, want := range []string{"8 calls in flight are more than limits.in_flight of the target file, 4", "calls were held back to limits.rate"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told: %s", want, text)
		}
	}
	o.Concurrency, o.Arrivals = []int{2}, Arrivals{Stages: []Stage{{From: 10, To: 80}}}
	if r := loaded(t, file, o); len(r.Performance) != 0 || !strings.Contains(pageOf(t, r), "80 calls a second are more than limits.rate of the target file, 50") {
		t.Error(pageOf(t, r))
	}
}

// Nothing is written without consent, and the reason is told.
func TestLoadWritesOnlyWithConsent(t *testing.T) {
	backend, file := served(t, fakebackend.Options{JSONAnswers: true})
	o := briefly()
	o.ReadOnly = true
	r := loaded(t, file, o)
	if len(backend.Effects()) > 0 || len(r.Performance) != 2 || !strings.Contains(pageOf(t, r), "--read-only") {
		t.Errorf("%d effects; %s", len(backend.Effects()), pageOf(t, r))
	}
	if _, err := Load(context.Background(), file, briefly("nonesuch")); err == nil || !strings.Contains(err.Error(), "matches nothing") {
		t.Error(err)
	}
}

// In an open loop the calls are made at the plan's rate, whatever the server does, and
// latency counts from the plan.
func TestAnOpenLoopKeepsItsRate(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, PerCallDelay: 30 * time.Millisecond, Workers: 1})
	o := briefly("query-orders")
	o.Batches, o.Concurrency, o.Rounds, o.Duration = []int{1}, []int{64}, 1, time.Second
	o.Arrivals = Arrivals{Stages: []Stage{{From: 100, To: 100}}}
	r := loaded(t, file, o)
	row := r.Performance[0]
	if row.Mode != measure.ModeOpen || *row.Loaded.Offered != 100 || row.Calls+row.Dropped < 99 || row.Calls+row.Dropped > 101 {
		t.Errorf("%d calls and %d dropped of 100 a second: %+v", row.Calls, row.Dropped, row)
	}
	// One worker at 30 ms serves 33 a second: the others queue, and their wait is counted.
	if *row.Latency.Max < 600 {
		t.Errorf("the slowest call took %v ms from when it was due", *row.Latency.Max)
	}
	for _, how := range []string{campaign.ArrivePoisson, campaign.ArriveInBursts} {
		o.Arrivals.How, o.Arrivals.Burst = how, 5
		if row := loaded(t, file, o).Performance[0]; row.Calls+row.Dropped < 60 || row.Calls+row.Dropped > 140 {
			t.Errorf("%s: %d calls and %d dropped", how, row.Calls, row.Dropped)
		}
	}
}

// findingAt serves a handler that answers as breaking does, and gives the target file
// for it.
func findingAt(t *testing.T, handler http.Handler) (*httptest.Server, *target.File) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	const find = `version: 1
server: {url: "URL"}
timeouts: {call: 200ms}
operations:
  find:
    tool: find
    effect: read
    input: {argument: ids}
    items: {good: {template: "S-{n}", count: 5000}}
`
	file, err := target.Parse("find.yaml", []byte(strings.Replace(find, "URL", server.URL, 1)), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return server, file
}

// Neither the contract's shape nor a mapped one: unjudged, with its latency apart.
func TestAnUnknownShapeIsUnjudged(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		small(w, r, "odd", `[{"name":"find","inputSchema":{"type":"object"}}]`, func(string, json.RawMessage) string { return `{"answer":"forty-two"}` })
	}))
	defer server.Close()
	file, err := target.Parse("odd.yaml", []byte(`version: 1
server: {url: "`+server.URL+`"}
operations: {find: {tool: find, effect: read, input: {argument: ids}, items: {good: {template: "S-{n}", count: 500}}}}
`), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := briefly()
	r := loaded(t, file, o)
	row := r.Performance[0]
	if row.OK > 0 || row.Wrong > 0 || row.Loaded.Unjudged == 0 || row.Latency.P50 != nil || row.Loaded.UnjudgedMS == nil || r.ExitCode() != reports.ExitIncomplete {
		t.Errorf("%s: %+v", pageOf(t, r), row)
	}
	if !strings.Contains(r.VerdictLine, "a shape that nobody knows") {
		t.Error(r.VerdictLine)
	}
}

// Objectives hold, are broken, or cannot be told, and the exit status says which.
func TestObjectivesAreJudged(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, PerCallDelay: 20 * time.Millisecond})
	o := briefly("query-orders")
	o.Duration, o.Rounds = time.Second, 3
	for _, c := range []struct {
		aim  string
		exit int
		says string
	}{
		{"query-orders p50<=10s wrong=0 errors=0", 0, "all 6 objectives hold"},
		{"query-orders batch=10 p50<=5ms", 1, "1 of 1 objective is broken: p50<=5ms on query-orders with 10 items"},
		{"query-orders batch=1 p99.9<=10s", 3, "1 of 1 objective cannot be told"},
		{"query-orders batch=10 items/s>=100000", 1, "items/s>=100000"},
	} {
		one := o
		if err := one.Aim(c.aim); err != nil {
			t.Fatal(err)
		}
		r := loaded(t, file, one)
		if r.ExitCode() != c.exit || !strings.Contains(r.VerdictLine, c.says) || !strings.Contains(pageOf(t, r), "OBJECTIVES") {
			t.Errorf("%s: exit %d, %s", c.aim, r.ExitCode(), r.VerdictLine)
		}
	}
	if err := o.Aim("query-orders batch=7 wrong=0"); err != nil {
		t.Fatal(err)
	}
	var wrong *UsageError
	if _, err := Load(context.Background(), file, o); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "about no cell") || !strings.Contains(wrong.Hint, "batch=10 concurrency=2") {
		t.Error(err)
	}
	if err := o.Aim("query-orders"); err == nil {
		t.Error("an objective without a bound")
	}
}

// The highest rate of a server whose capacity is known is not above it, and the report
// says what broke there.
func TestTheHighestRateIsSearched(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, PerCallDelay: 20 * time.Millisecond, Workers: 2})
	o := briefly("query-orders")
	o.Batches, o.Concurrency, o.Rounds, o.Duration = []int{1}, []int{64}, 1, 400*time.Millisecond
	if err := o.Seek("p50<=10s wrong=0"); err != nil {
		t.Fatal(err)
	}
	r := loaded(t, file, o)
	s := r.Load.Searches[0]
	// A hundred a second, and what two calls of forty make.
	if s.Rate <= 0 || s.Rate > 120 || s.Limit != campaign.ByServer || r.Load.Mode != reports.LoadSearch || len(r.Load.Curves) > 0 {
		t.Errorf("%+v", s)
	}
	if row := r.Performance[0]; row.Mode != measure.ModeOpen || *row.Loaded.Offered > 120 || row.Loaded.Rounds != 3 {
		t.Errorf("%+v", row)
	}
	if text := pageOf(t, r); !strings.Contains(text, "HIGHEST RATES") || !strings.Contains(text, "the rest queued") {
		t.Error(text)
	}
}

// What the harness takes by itself stands beside every row, and a server that is no
// slower than that is not judged by it.
func TestTheFloorStandsBesideTheRows(t *testing.T) {
	// So slow that it is far from the floor of a machine that is busy with other things.
	_, file := served(t, fakebackend.Options{JSONAnswers: true, PerCallDelay: 50 * time.Millisecond})
	o := briefly("query-orders")
	o.Batches, o.Duration = []int{1}, time.Second
	o.Floor = func() (*target.File, func(), error) {
		_, floor := served(t, fakebackend.Options{JSONAnswers: true, Fast: true})
		return floor, func() {}, nil
	}
	for _, row := range loaded(t, file, o).Performance {
		if f := row.Loaded.Floor; f == nil || f.CallsPerSecond <= *row.CallsPerSecond || strings.Contains(strings.Join(row.Warnings, " "), "are the limit") {
			t.Errorf("%d items: %v a second, floor %+v, %v", row.BatchSize, *row.CallsPerSecond, f, row.Warnings)
		}
	}
	o.Floor = func() (*target.File, func(), error) { return nil, nil, errors.New("no port is free") }
	if r := loaded(t, file, o); !strings.Contains(strings.Join(r.Notes, " "), "the floor was not measured: no port is free") || r.ExitCode() != 0 {
		t.Error(r.Notes)
	}
}

// The unit tool is loaded beside the batch, and what as many single calls take stands
// beside it. A unit tool that fails is told as failed, and judged no further.
func TestABatchStandsBesideSingleCalls(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, PerCallDelay: 5 * time.Millisecond})
	o := briefly("cancel-products")
	r := loaded(t, file, o)
	if len(r.Performance) != 3 || r.Performance[2].Operation != "unit:cancel-products" || r.Performance[2].OK == 0 || r.Performance[2].Loaded.Verified.Envelope != r.Performance[2].OK {
		t.Fatal(pageOf(t, r))
	}
	if len(r.Load.Units) != 2 || r.Load.Units[1].BatchSize != 10 || r.Load.Units[1].Ratio < 2 || r.Verdict != reports.Conformant {
		t.Errorf("%+v: %s", r.Load.Units, r.VerdictLine)
	}
	if !strings.Contains(pageOf(t, r), "10 calls of the unit tool one after the other") {
		t.Error(pageOf(t, r))
	}
	const wrong = `version: 1
server: {url: "URL"}
operations:
  cancel: {tool: cancel_products, effect: write, input: {argument: items}, reset: {tool: reset}, unit: {tool: cancel_products_not, argument: id}, items: {good: {template: {id: "B{n}"}, count: 5000}}}
`
	broken, err := target.Parse("wrong.yaml", []byte(strings.Replace(wrong, "URL", file.Server.URL, 1)), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o.Operations = nil
	if r := loaded(t, broken, o); r.Performance[2].OK > 0 || r.Performance[2].Failed == 0 || len(r.Load.Units) > 0 {
		t.Errorf("%+v", r.Performance[2])
	}
}

// A server that is as fast as one that does nothing is not judged; one that is faster
// shows that there was no floor.
func TestAtTheFloorNothingIsSaidOfTheServer(t *testing.T) {
	for rate, valid := range map[float64]bool{500: true, 790: true, 810: false, 1190: false, 1210: true} {
		l := &loading{floor: map[[2]int]*measure.Floor{{10, 8}: {CallsPerSecond: 1000}}}
		row := measure.Performance{BatchSize: 10, Concurrency: 8, Mode: measure.ModeClosed, CallsPerSecond: &rate, Loaded: &measure.LoadRow{}, Generator: &measure.Generator{Valid: true}}
		l.above(&row)
		if row.Generator.Valid != valid || (len(row.Warnings) == 0) != valid || (row.Loaded.Floor == nil) != (rate > 1200) {
			t.Errorf("%v a second: %+v", rate, row)
		}
	}
}

// A connection for each call is opened where that is asked for, and the session that
// calls go in is told.
func TestConnectionsAndSessionsAreTold(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateful, Revisions: []string{"2025-11-25"}})
	o := briefly("query-orders")
	o.Batches, o.Anew = []int{1}, true
	r := loaded(t, file, o)
	row := r.Performance[0]
	if row.Generator.Connections < row.OK || r.Load.Session != "one, which all users share" || !strings.Contains(r.Load.Way, "one for each call") {
		t.Errorf("%d connections for %d calls; %+v", row.Generator.Connections, row.OK, r.Load)
	}
	_, file = served(t, fakebackend.Options{JSONAnswers: true})
	o.Anew = false
	if r := loaded(t, file, o); r.Performance[0].Generator.Connections > 2*o.Concurrency[0] || r.Load.Session != "none" {
		t.Errorf("%d connections; %+v", r.Performance[0].Generator.Connections, r.Load)
	}
}
