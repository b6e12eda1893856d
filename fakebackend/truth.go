package fakebackend

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// ServiceTime is how long the calls of one tool for one number of items really took,
// from the moment the tool had the call until it had the answer: the waiting for a
// worker, the delays and the frozen times are in it, reading and writing are not.
type ServiceTime struct {
	Tool string
	// Items is how many items were asked for; OtherItems: some other number.
	Items int
	// Times are in microseconds, to three digits.
	Times *hdrhistogram.Histogram
}

// OtherItems stands for all numbers of items that have no histogram of their own.
const OtherItems = -1

// mostSeries bounds the histograms: a client chooses how many items it sends.
const mostSeries = 128

// longest is the longest time that is told; longer ones are told as this.
const longest time.Duration = time.Hour

// truth is what the backend knows of its own times.
type truth struct {
	mu     sync.Mutex
	series map[series]*hdrhistogram.Histogram
}

type series struct {
	tool  string
	items int
}

func newTruth() *truth { return &truth{series: map[series]*hdrhistogram.Histogram{}} }

func (t *truth) add(tool string, items int, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := series{tool, items}
	h := t.series[at]
	if h == nil && len(t.series) >= mostSeries {
		at.items = OtherItems
		h = t.series[at]
	}
	if h == nil {
		h = hdrhistogram.New(1, longest.Microseconds(), 3)
		t.series[at] = h
	}
	_ = h.RecordValue(min(took, longest).Microseconds()) // it is in range
}

// ServiceTimes gives how long the calls of tools took since the start, or since
// ForgetServiceTimes, by tool and number of items. There are none without
// Options.ServerTiming.
func (b *Backend) ServiceTimes() []ServiceTime {
	b.truth.mu.Lock()
	defer b.truth.mu.Unlock()
	var all []ServiceTime
	for at, h := range b.truth.series {
		all = append(all, ServiceTime{at.tool, at.items, hdrhistogram.Import(h.Export())})
	}
	slices.SortFunc(all, func(a, b ServiceTime) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Items, b.Items))
	})
	return all
}

// ForgetServiceTimes begins anew, say after a warm-up.
func (b *Backend) ForgetServiceTimes() {
	b.truth.mu.Lock()
	defer b.truth.mu.Unlock()
	clear(b.truth.series)
}

// serveTimes tells the service times; DELETE forgets them.
func (b *Backend) serveTimes(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		b.ForgetServiceTimes()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	list := []any{}
	for _, one := range b.ServiceTimes() {
		h := one.Times
		whole, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		told := of("tool", one.Tool, "items", one.Items, "calls", int(h.TotalCount()), "min_us", int(h.Min()), "mean_us", int(h.Mean()))
		for _, q := range []struct {
			name string
			at   float64
		}{{"p50_us", 50}, {"p90_us", 90}, {"p95_us", 95}, {"p99_us", 99}, {"p99_9_us", 99.9}} {
			told.add(q.name, int(h.ValueAtPercentile(q.at)))
		}
		list = append(list, told.add("max_us", int(h.Max())).add("hdr", string(whole)))
	}
	front := 0
	if b.fast != nil {
		front = int(b.fast.answered.Load())
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(of("answered_by_the_front", front, "service_times", list))) // a client that is gone needs none
}

// serverTiming is the header that tells how long a request took in the server.
const serverTiming = "Server-Timing"

// appendTiming writes the header's value: whole microseconds, in milliseconds.
func appendTiming(b []byte, took time.Duration) []byte {
	return strconv.AppendFloat(append(b, "total;dur="...), float64(took.Microseconds())/1000, 'f', 3, 64)
}

// timed tells with each answer to a POST how long it took.
func (b *Backend) timed(next http.Handler) http.Handler {
	if !b.options.ServerTiming {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w = &timedReply{ResponseWriter: w, begun: time.Now()}
		}
		next.ServeHTTP(w, r)
	})
}

// timedReply puts the time into the head when it is written.
type timedReply struct {
	http.ResponseWriter
	begun time.Time
	told  bool
}

// Unwrap and Flush make it as good as what it stands before.
func (w *timedReply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what was written.
func (w *timedReply) Flush() {
	w.tell()
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// WriteHeader writes the head.
func (w *timedReply) WriteHeader(status int) {
	w.tell()
	w.ResponseWriter.WriteHeader(status)
}

// Write writes the head first.
func (w *timedReply) Write(b []byte) (int, error) {
	w.tell()
	return w.ResponseWriter.Write(b)
}

func (w *timedReply) tell() {
	if !w.told {
		w.told = true
		w.Header().Set(serverTiming, string(appendTiming(nil, time.Since(w.begun))))
	}
}
