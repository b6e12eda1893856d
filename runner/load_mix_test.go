package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// A workload's calls are made in one window together, by their weights; each kind has
// a row in the mix and one alone, and no call is counted twice.
func TestAWorkloadIsAMix(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true})
	o := briefly()
	o.Batches, o.Duration = nil, time.Second
	o.Workload = &target.Workload{Name: "evening", Parts: []target.Part{
		{Operation: "query-orders", Batches: []int{1, 10}, Weight: 8},
		{Operation: "cancel-products", Batches: []int{5}, Bad: 0.4, Weight: 2},
	}}
	r := loaded(t, file, o)
	rows := map[string]measure.Performance{}
	inMix := 0
	for _, row := range r.Performance {
		name := fmt.Sprintf("%s %d %s", row.Operation, row.BatchSize, row.Loaded.Mix)
		rows[name] = row
		if row.Loaded.Mix != "" {
			inMix += row.Calls
		}
		if row.OK == 0 || row.Wrong+row.Failed > 0 {
			t.Errorf("%s: %+v", name, row)
		}
	}
	if len(rows) != 7 || r.Verdict != reports.Conformant {
		t.Fatalf("%d rows: %s", len(rows), r.VerdictLine)
	}
	whole := rows["evening 0 "]
	if whole.Calls != inMix || whole.Items != rows["query-orders 1 evening"].Items+rows["query-orders 10 evening"].Items+rows["cancel-products 5 evening"].Items {
		t.Errorf("%d calls as a whole, %d by kind", whole.Calls, inMix)
	}
	if share := float64(rows["cancel-products 5 evening"].Calls) / float64(inMix); share < 0.1 || share > 0.35 {
		t.Errorf("%v of the calls are of a kind that has 0.2 of the weight", share)
	}
	if !strings.Contains(pageOf(t, r), "evening 2 mix") {
		t.Error(pageOf(t, r))
	}
	o.Workload.Parts[0].Operation = "query-order"
	if _, err := Load(context.Background(), file, o); err == nil || !strings.Contains(err.Error(), "did you mean query-orders?") {
		t.Error(err)
	}
}

// A journey validates and then executes the same items, as one unit.
func TestAJourneyIsTwoCallsForTheSameItems(t *testing.T) {
	for _, shape := range []fakebackend.Options{{JSONAnswers: true}, {}} {
		backend, file := served(t, shape)
		o := briefly()
		o.Batches = nil
		o.Workload = &target.Workload{Name: "mixed", Parts: []target.Part{
			{Operation: "cancel-products", Journey: true, Think: time.Millisecond, Batches: []int{3}, Weight: 1}, {Operation: "query-orders", Batches: []int{2}, Weight: 1},
		}}
		r := loaded(t, file, o)
		var names []string
		for _, row := range r.Performance {
			names = append(names, strings.TrimSpace(fmt.Sprintf("%s %d %s", row.Operation, row.BatchSize, row.Loaded.Mix)))
			if row.OK == 0 || row.Wrong+row.Failed > 0 {
				t.Errorf("%+v", row)
			}
		}
		if want := []string{"journey:cancel-products 3", "journey:cancel-products 3 mixed", "mixed 0", "query-orders 2", "query-orders 2 mixed"}; !slices.Equal(names, want) || r.Verdict != reports.Conformant {
			t.Errorf("%q: %s", names, pageOf(t, r))
		}
		if len(backend.Effects()) == 0 {
			t.Error("nothing was cancelled")
		}
	}
	_, file := served(t, fakebackend.Options{JSONAnswers: true})
	o := briefly()
	o.Batches, o.Workload = nil, &target.Workload{Name: "mixed", Parts: []target.Part{{Operation: "query-orders", Journey: true, Batches: []int{2}, Weight: 1}}}
	if r := loaded(t, file, o); !strings.Contains(pageOf(t, r), "query-orders has no validator, so there is no journey") {
		t.Error(pageOf(t, r))
	}
}

// What of a workload cannot be played is left out of it, and told.
func TestAWorkloadIsPlayedAsFarAsItCanBe(t *testing.T) {
	_, file := served(t, fakebackend.Options{JSONAnswers: true, MaxItems: 20})
	o := briefly()
	o.ReadOnly, o.Batches = true, nil
	o.Workload = &target.Workload{Name: "mixed", Parts: []target.Part{
		{Operation: "query-orders", Batches: []int{1, 50}, Weight: 1}, {Operation: "cancel-products", Batches: []int{5}, Weight: 1},
	}}
	r := loaded(t, file, o)
	text := pageOf(t, r)
	for _, want := range []string{"50 items are more than 20", "cancel-products, 5 items a call: cancel-products is left out of this load"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told: %s", want, text)
		}
	}
	if len(r.Performance) != 3 {
		t.Errorf("%d rows", len(r.Performance))
	}
}
