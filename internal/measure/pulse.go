package measure

import (
	"math"
	"sync/atomic"
	"time"
)

// Pulse counts one virtual user's calls while a window lasts, for whoever looks on
// from outside. Only its user adds, so that no other core has its lines: an addition
// costs some nanoseconds and waits for nobody. What is reported is counted by a Tally,
// exactly. The zero value is ready.
type Pulse struct {
	warm, measured [4]atomic.Int64 // calls by Outcome
	items          atomic.Int64    // of the OK ones, measured
	sum            atomic.Int64    // of their latencies, in nanoseconds
	buckets        [pulseBuckets]atomic.Int64
	busy           atomic.Bool
}

// A pulse has four buckets an octave, from a microsecond to more than an hour, so that
// a quantile is known to a tenth. Bucket i holds the times above 2^(i/4) seconds, and
// not above 2^((i+1)/4): those of an exponential histogram of OpenTelemetry at
// PulseScale, and of a native one of Prometheus.
const (
	PulseScale   = 2
	PulseFirst   = -80 // the index of the first bucket
	perOctave    = 1 << PulseScale
	pulseBuckets = 128
)

// edges are the upper ends of an octave's buckets, as parts of its lower end.
var edges = [perOctave]float64{math.Pow(2, 0.25), math.Sqrt2, math.Pow(2, 0.75), 2}

// bucket is where a time counts.
func bucket(d time.Duration) int {
	if d <= 0 {
		return 0
	}
	part, octave := math.Frexp(d.Seconds())
	part *= 2
	i := (octave - 1) * perOctave
	if part == 1 { // it is the upper end of the bucket below
		i--
	} else {
		for k := 0; part > edges[k]; k++ {
			i++
		}
	}
	return min(max(i-PulseFirst, 0), pulseBuckets-1)
}

// UpTo gives the upper end of a bucket, in seconds.
func UpTo(bucket int) float64 { return math.Pow(2, float64(bucket+PulseFirst+1)/perOctave) }

// Begin says that a call is out.
func (p *Pulse) Begin() { p.busy.Store(true) }

// End says that it is no longer; not sent: it was not made.
func (p *Pulse) End(s *Sample, sent, measured bool) {
	p.busy.Store(false)
	switch {
	case !sent:
		return
	case !measured:
		p.warm[s.Outcome].Add(1)
		return
	}
	p.measured[s.Outcome].Add(1)
	if s.Outcome == OK {
		took := s.Done - s.Intended
		p.items.Add(int64(s.Items))
		p.sum.Add(int64(took))
		p.buckets[bucket(took)].Add(1)
	}
}

// Pulses is what pulses say, put together.
type Pulses struct {
	Warm     [4]int64 // calls of warm-ups, by Outcome
	Calls    [4]int64 // measured ones
	Items    int64    // of the OK ones among them
	Sum      time.Duration
	Buckets  [pulseBuckets]int64 // their latencies; see UpTo
	InFlight int
}

// Take adds what a pulse says now.
func (r *Pulses) Take(p *Pulse) {
	for i := range r.Calls {
		r.Warm[i] += p.warm[i].Load()
		r.Calls[i] += p.measured[i].Load()
	}
	r.Items += p.items.Load()
	r.Sum += time.Duration(p.sum.Load())
	for i := range r.Buckets {
		r.Buckets[i] += p.buckets[i].Load()
	}
	if p.busy.Load() {
		r.InFlight++
	}
}

// Merge adds another reading.
func (r *Pulses) Merge(other *Pulses) {
	for i := range r.Calls {
		r.Warm[i] += other.Warm[i]
		r.Calls[i] += other.Calls[i]
	}
	r.Items += other.Items
	r.Sum += other.Sum
	for i := range r.Buckets {
		r.Buckets[i] += other.Buckets[i]
	}
	r.InFlight += other.InFlight
}

// Right gives how many calls were right, of warm-ups and measured.
func (r *Pulses) Right() (warm, measured int64) { return r.Warm[OK], r.Calls[OK] }

// Amiss gives how many measured calls were wrong, and how many failed.
func (r *Pulses) Amiss() (wrong, failed int64) { return r.Calls[Wrong], r.Calls[Failed] }

// All gives how many measured calls there are.
func (r *Pulses) All() (n int64) {
	for _, of := range r.Calls {
		n += of
	}
	return n
}

// Latencies gives how many latencies there are.
func (r *Pulses) Latencies() (n int64) {
	for _, of := range r.Buckets {
		n += of
	}
	return n
}

// P99 gives the 99th percentile of the OK calls so far, to a tenth; false where there
// are too few for it.
func (r *Pulses) P99() (time.Duration, bool) {
	all := r.Latencies()
	if all < int64(Loaded.P99) {
		return 0, false
	}
	rank := int64(math.Ceil(0.99 * float64(all)))
	for i, n := range r.Buckets {
		if rank -= n; rank <= 0 {
			middle := UpTo(i) / math.Sqrt(edges[0])
			return time.Duration(middle * float64(time.Second)), true
		}
	}
	return 0, false
}
