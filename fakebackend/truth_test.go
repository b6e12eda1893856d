package fakebackend

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// TestTheServerTellsItsOwnTimes holds on both roads that what is told is never below
// what the options say, and that the header tells no less than the tool took.
func TestTheServerTellsItsOwnTimes(t *testing.T) {
	for _, o := range []Options{{}, {Fast: true}, {Fast: true, JSONAnswers: true}} {
		o.Sessions, o.ServerTiming, o.PerCallDelay, o.PerItemDelay = Stateless, true, 4*time.Millisecond, time.Millisecond
		running := started(t, o)
		client := dial(t, running.URL)
		for call := range 5 {
			got := client.post(toolCall(call, queryOrders, `{"order_ids":["O-1001","O-1002"]}`))
			text, ok := strings.CutPrefix(got.head.Get("Server-Timing"), "total;dur=")
			if ms, err := strconv.ParseFloat(text, 64); !ok || err != nil || ms < 6 {
				t.Errorf("call %d says %q", call, got.head.Get("Server-Timing"))
			}
		}
		client.post(toolCall(9, getProducts, `{"ids":["1001"]}`))
		all := running.Backend.ServiceTimes()
		if len(all) != 2 || all[0].Tool != getProducts || all[1].Tool != queryOrders || all[1].Items != 2 ||
			all[1].Times.TotalCount() != 5 || all[1].Times.Min() < 6000 {
			t.Errorf("the service times are %+v", all)
		}

		at := strings.TrimSuffix(running.URL, "/mcp") + "/timing"
		_, _, body := get(t, at)
		var told struct {
			Front int64 `json:"answered_by_the_front"`
			Times []struct {
				Tool  string
				Calls int64
				P99   int64 `json:"p99_us"`
				HDR   string
			} `json:"service_times"`
		}
		if err := json.Unmarshal([]byte(body), &told); err != nil || len(told.Times) != 2 {
			t.Fatalf("%v in %s", err, body)
		}
		h, err := hdrhistogram.Decode([]byte(told.Times[1].HDR))
		if err != nil || h.TotalCount() != 5 || h.ValueAtPercentile(99) != told.Times[1].P99 {
			t.Errorf("the histogram is %v, %v beside %+v", h, err, told.Times[1])
		}
		if want := map[bool]int64{true: 4, false: 0}[o.Fast]; told.Front != want {
			t.Errorf("the front answered %d calls, want %d", told.Front, want)
		}

		request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if all := running.Backend.ServiceTimes(); len(all) != 0 || answer.StatusCode != http.StatusNoContent {
			t.Errorf("after DELETE, %d: %+v", answer.StatusCode, all)
		}
	}
}

func TestWithoutTheOptionNoTimesAreKept(t *testing.T) {
	running := started(t, Options{Sessions: Stateless})
	got := dial(t, running.URL).post(toolCall(1, queryOrders, `{"order_ids":["O-1001"]}`))
	if got.head.Get("Server-Timing") != "" || len(running.Backend.ServiceTimes()) != 0 {
		t.Errorf("%+v, %+v", got.head, running.Backend.ServiceTimes())
	}
	if status, _, _ := get(t, strings.TrimSuffix(running.URL, "/mcp")+"/timing"); status != http.StatusNotFound {
		t.Errorf("/timing gives %d", status)
	}
}

func TestTimesAreBounded(t *testing.T) {
	told := newTruth()
	for items := range 10 * mostSeries {
		told.add("t", items, 48*time.Hour)
	}
	if len(told.series) != mostSeries+1 || told.series[series{"t", OtherItems}].TotalCount() != 9*mostSeries {
		t.Errorf("%d histograms, %v", len(told.series), told.series[series{"t", OtherItems}])
	}
}
