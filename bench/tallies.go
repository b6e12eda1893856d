package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// tallies counts calls whose latencies lie anywhere from 50 µs to 10 s, in 100 s of
// window, and tells what one tally holds after as many as the plan's batch says, and how
// much more after ten times as many.
func tallies(p plan) (figures, error) {
	const window = 100 * time.Second
	random := rand.New(rand.NewPCG(1, 2))
	tally := &measure.Tally{Window: measure.Window{To: window}}
	before := heap()
	count := func(n int) {
		for range n {
			took := time.Duration(float64(50*time.Microsecond) * math.Pow(200_000, random.Float64()))
			at := time.Duration(random.Int64N(int64(window-10*time.Second))) + 1
			tally.Add(&measure.Sample{Intended: at, Sent: at + took/100, First: at + took/2, Done: at + took, Outcome: measure.OK, Items: 10, Out: 600, In: 1300, Verified: measure.Pass, Form: measure.FormJSON})
		}
	}
	count(p.Batch)
	first := heap()
	count(9 * p.Batch)
	f := figures{Calls: 10 * float64(p.Batch), Held: first - before, Growth: heap() - first}
	runtime.KeepAlive(tally)
	return f, nil
}

// heap is how many bytes live on it.
func heap() float64 {
	runtime.GC()
	runtime.GC() // what the first one only took out of the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
