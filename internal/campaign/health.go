package campaign

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Health is how the harness itself kept up, over the windows of a cell.
type Health struct {
	Seconds     float64
	CPU         float64 // processor seconds of this process
	Pauses      float64 // seconds in which the garbage collector stopped the process
	Connections int     // opened
	Users       float64 // user seconds of closed loops
	Own         float64 // of those, what passed from an answer to its verdict
	Late        measure.Times
}

// pulse is what the process has used so far.
type pulse struct {
	at     time.Duration
	cpu    time.Duration
	pauses float64
}

var pauses = []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}

func (b *Bench) pulse() pulse {
	samples := []metrics.Sample{{Name: pauses[0].Name}}
	metrics.Read(samples)
	p := pulse{at: b.now(), cpu: processorTime()}
	if samples[0].Value.Kind() == metrics.KindFloat64Histogram {
		h := samples[0].Value.Float64Histogram()
		for i, n := range h.Counts {
			p.pauses += float64(n) * finite(h.Buckets[i], h.Buckets[i+1])
		}
	}
	return p
}

// finite gives the middle of a bucket, or its finite end.
func finite(low, high float64) float64 {
	switch {
	case low < -1e300 || low != low:
		return high
	case high > 1e300:
		return low
	}
	return (low + high) / 2
}

// add takes what was used between two pulses.
func (h *Health) add(from, to pulse, w *window) {
	h.Seconds += (to.at - from.at).Seconds()
	h.CPU += (to.cpu - from.cpu).Seconds()
	h.Pauses += to.pauses - from.pauses
	h.Connections += int(w.opened.Load())
	if !w.cell.Arrivals.Open() {
		h.Users += (to.at - from.at).Seconds() * float64(len(w.tabs))
		for i := range w.tabs {
			h.Own += w.tabs[i].own.Seconds()
		}
	}
	for i := range w.late {
		h.Late.Merge(&w.late[i])
	}
}

// Share is the part of one core that the harness used.
func (h *Health) Share() float64 {
	if h.Seconds == 0 {
		return 0
	}
	return h.CPU / h.Seconds
}

// Bounds beyond which a figure is that of the harness, and not the server's.
const (
	mostShare = 0.8  // of all cores
	mostPause = 0.05 // of the time
	mostLate  = 0.1  // of the median latency
	leastLate = time.Millisecond
	mostOwn   = 0.25 // of a closed loop's time, for judging
	atWork    = 0.5  // the part of that time in which the process was at work
)

// limit says why the harness was the limit; empty: it was not. median is the
// latency that lateness is compared with.
func (h *Health) limit(median time.Duration) string {
	cores := float64(runtime.GOMAXPROCS(0))
	switch late := h.Late.Quantile(0.99); {
	case h.Share() > mostShare*cores:
		return fmt.Sprintf("mcpconform itself used %.2f of %g cores: it was the limit, not the server", h.Share(), cores)
	case late > max(leastLate, time.Duration(mostLate*float64(median))):
		return fmt.Sprintf("calls were due %s before mcpconform woke up for them (99th percentile): this machine is too busy to keep the plan", late.Round(10*time.Microsecond))
	case h.Users > 0 && h.Own > mostOwn*h.Users && h.CPU > atWork*h.Own: // else it waited for a processor
		return fmt.Sprintf("between an answer and the next call mcpconform judged for %.0f %% of the time: the server does more than these figures say (--verify sample:10 judges less)", 100*h.Own/h.Users)
	case h.Seconds > 0 && h.Pauses > mostPause*h.Seconds:
		return fmt.Sprintf("mcpconform's own garbage collector stopped it for %.1f %% of the time", 100*h.Pauses/h.Seconds)
	}
	return ""
}
