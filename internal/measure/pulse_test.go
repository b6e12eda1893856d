package measure

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A time stands above the lower end of its bucket, and not above the upper one; what is
// outside all of them is in the first or the last.
func TestATimeIsInItsBucket(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	times := []time.Duration{time.Microsecond, time.Millisecond, time.Second, 2 * time.Second, time.Second / 2, time.Second / 1024, time.Hour}
	for range 10_000 {
		times = append(times, time.Duration(math.Exp(random.Float64()*math.Log(float64(time.Hour)/1000))*1000))
	}
	for _, d := range times {
		i := bucket(d)
		if low, high := UpTo(i-1), UpTo(i); d.Seconds() <= low*(1-1e-12) || d.Seconds() > high*(1+1e-12) {
			t.Fatalf("%s is in bucket %d, from %g to %g", d, i, low, high)
		}
	}
	if i := bucket(time.Second); UpTo(i) != 1 {
		t.Errorf("a second is in a bucket up to %g: its upper end counts", UpTo(i))
	}
	if bucket(0) != 0 || bucket(-time.Second) != 0 || bucket(math.MaxInt64) != pulseBuckets-1 {
		t.Error("times outside are lost")
	}
}

// What a pulse says of a load is what its tally says, warm-ups apart.
func TestAPulseSaysWhatATallySays(t *testing.T) {
	tally := &Tally{Window: Window{From: time.Second, To: time.Minute}}
	var pulses [3]Pulse
	for i := range 3000 {
		p := &pulses[i%3]
		s := Sample{Intended: time.Duration(i) * 10 * time.Millisecond, Outcome: OK, Items: 4}
		s.Done = s.Intended + time.Duration(i+1)*10*time.Microsecond
		if i%50 == 0 {
			s.Outcome = Wrong
		}
		tally.Add(&s)
		p.Begin()
		p.End(&s, true, s.Intended >= tally.Window.From)
	}
	pulses[0].Begin()
	pulses[1].Begin()
	pulses[1].End(nil, false, true)
	var r, other Pulses
	r.Take(&pulses[0])
	r.Take(&pulses[1])
	other.Take(&pulses[2])
	r.Merge(&other)
	ok, _, wrong, _ := tally.Calls()
	if int(r.Calls[OK]) != ok || int(r.Calls[Wrong]) != wrong || int(r.All()) != ok+wrong || int(r.Items) != tally.items || r.Sum != tally.latency.sum || r.Warm[OK] != 98 || r.InFlight != 1 {
		t.Errorf("%+v, and the tally has %d right and %d wrong", r, ok, wrong)
	}
	exact := tally.Latency().Quantile(0.99)
	if got, known := r.P99(); !known || math.Abs(got.Seconds()/exact.Seconds()-1) > 0.1 {
		t.Errorf("p99 %s, and it is %s", got, exact)
	}
	few := Pulses{}
	few.Buckets[5] = 298
	if _, known := few.P99(); known {
		t.Error("298 calls give a p99")
	}
}

// BenchmarkPulse is what being looked at costs each call; beside it what a tally costs.
func BenchmarkPulse(b *testing.B) {
	s := Sample{Intended: 1, Sent: 2, First: 3, Done: 1234567, Outcome: OK, Items: 10}
	b.Run("pulse", func(b *testing.B) {
		b.ReportAllocs()
		var p Pulse
		for b.Loop() {
			p.Begin()
			p.End(&s, true, true)
		}
	})
	b.Run("tally", func(b *testing.B) {
		b.ReportAllocs()
		t := &Tally{Window: Window{To: time.Hour}}
		for b.Loop() {
			t.Add(&s)
		}
	})
}
