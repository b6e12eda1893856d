package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the servers and clients too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childWord {
		if err := child(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// tiny is a bench that takes moments, and has no peer but the go-sdk's client.
func tiny(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	none := &peers{dir: dir, each: map[string]*peer{}}
	for _, name := range []string{wrk, bombardier, hey, vegeta, inspector} {
		none.each[name] = &peer{name: name, missing: "not in a test"}
	}
	none.each[sdk] = theSDK()
	return &bench{results: newResults(t.Output()), peers: none, scale: scale{
		rounds: 1, for_: 40 * time.Millisecond, warm: 10 * time.Millisecond, samples: 1000, sdk: []int{1}, share: []int{1},
		cells: []cell{{1, 8, false}, {10, 8, true}},
	}}
}

// Everything but what takes seconds by its nature is played once, and every figure that
// a goal asks for is there.
func TestTheWholeGoesThrough(t *testing.T) {
	b := tiny(t)
	if err := b.all(t.Context(), []string{"bare", "sdk-server", "inside"}); err != nil {
		t.Fatal(err)
	}
	for name, err := range b.failed {
		t.Errorf("%s: %v", name, err)
	}
	var page bytes.Buffer
	if err := b.page(&page, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| mcpconform load, batch 10, 8 connections, differing |", "| mcpconform load, stdio, batch 1 |", "| go-sdk client, stdio, batch 1 |", "wrk: ", "not measured"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	for _, g := range b.goals() {
		own := strings.Contains(g.what, "allocations") || strings.Contains(g.what, "tally") || strings.Contains(g.what, "go-sdk")
		if own && len(g.values) == 0 {
			t.Errorf("%s: not measured", g.what)
		}
	}
	if t.Failed() {
		t.Log(page.String())
	}
}

// What is measured of latencies is what the server says too, and users without a tally
// call as the others do.
func TestTheTruthIsAsked(t *testing.T) {
	s, err := serve("bare", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	ctx := t.Context()
	if f, err := ask(ctx, "load", plan{URL: s.url + "/slow", Batch: 1, Users: 8, Rate: 200, For: 400 * time.Millisecond, Warm: time.Millisecond}); err != nil || f.Calls == 0 || quantile(f.Latency, "p50") < 10 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := truth(ctx, s.url); err != nil || !(quantile(f.Latency, "p50") >= 10) {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := ask(ctx, "direct", plan{URL: s.url, Batch: 3, Users: 2, For: 20 * time.Millisecond, Warm: time.Millisecond}); err != nil || f.Calls == 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestGoalsAreMetByTheirMedian(t *testing.T) {
	for _, c := range []struct {
		g         goal
		met, sure bool
	}{
		{goal{bound: 1, least: true, values: []float64{1, 1, 1}}, true, true},
		{goal{bound: 1, least: true, strict: true, values: []float64{1, 1, 1}}, false, true},
		{goal{bound: 1, least: true, values: []float64{0.5, 2, 3}}, true, false},
		{goal{bound: 1, values: []float64{0.5, 0.9, 3}}, true, false},
		{goal{bound: 1, values: []float64{2, 2, 3}}, false, true},
		{goal{bound: 1, values: nil}, false, false},
	} {
		if met, sure := c.g.met(), c.g.sure(); met != c.met || sure != c.sure {
			t.Errorf("%+v: met %t, sure %t", c.g, met, sure)
		}
	}
}

func TestTheTruthOfStallsIsArithmetic(t *testing.T) {
	for share, want := range map[float64]time.Duration{0.5: 10 * time.Millisecond, 0.9: 220 * time.Millisecond, 0.95: 320 * time.Millisecond, 0.99: 400 * time.Millisecond} {
		if got := stallTruth(share); (got - want).Abs() > time.Millisecond {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

func TestWhatPeersPrintIsRead(t *testing.T) {
	second := func(text string) (figures, error) {
		return rateOf(measured{out: []byte(text), cpu: time.Second / 2}, time.Second)
	}
	if f, err := second("Requests/sec:  2000.0\nTransfer/sec: 1MB\n"); err != nil || f.Rate != 2000 || f.CPU != 250 {
		t.Errorf("%+v, %v", f, err)
	}
	for _, bad := range []string{"", "Requests/sec:  0.00\n", "  Non-2xx or 3xx responses: 12\nRequests/sec:  2000.0\n", "  Socket errors: connect 3\nRequests/sec: 1\n"} {
		if f, err := second(bad); err == nil {
			t.Errorf("%q: %+v", bad, f)
		}
	}
}

// What cannot be is said.
func TestWhatCannotBeAskedFor(t *testing.T) {
	var out bytes.Buffer
	for _, args := range [][]string{{"-only", "nothing"}, {childWord}, {childWord, "bird"}, {childWord, "load", "{"}, {"-x"}} {
		if err := run(context.Background(), args, strings.NewReader(""), &out, &out); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// What the Inspector prints of a load is read, and one whose calls failed is no figure.
func TestTheInspectorsSummaryIsRead(t *testing.T) {
	for text, rate := range map[string]float64{
		`{"result":{"ok":419,"toolErrors":0,"errors":0,"throughput":196.4}}`: 196.4,
		`{"result":{"ok":418,"toolErrors":1,"errors":0,"throughput":196.4}}`: 0,
		`{"result":{"ok":418,"toolErrors":0,"errors":1,"throughput":196.4}}`: 0,
		`{"result":{"ok":0,"toolErrors":0,"errors":0,"throughput":0}}`:       0,
		`{"ok":419,"throughput":196.4}`:                                      0,
		`Calling query`:                                                      0,
	} {
		f, err := summarised(measured{out: []byte(text)})
		if f.Rate != rate || (err == nil) != (rate > 0) {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
}
