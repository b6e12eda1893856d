package measure

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The counts are an HdrHistogram's, bucket for bucket, and merging is adding.
func TestCountsAreThoseOfAnHdrHistogram(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	whole := hdrhistogram.New(1, highest, 3)
	var a, b Counts
	values := []int64{1, 2047, 2048, 2049, 4095, 4096, highest}
	for range 20_000 {
		values = append(values, 1+random.Int64N(1<<random.IntN(31)))
	}
	for i, v := range values {
		v = min(v, highest)
		if err := whole.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			a.add(v, 1)
		} else {
			b.add(v, 1)
		}
	}
	a.merge(&b)
	if !a.histogram().Equals(whole) {
		t.Error("the merged counts are not the histogram of all values")
	}
	slices.Sort(values)
	for _, rank := range []int{1, 100, 10_000, len(values)} {
		want := min(values[rank-1], highest)
		if got := a.at(int64(rank)); float64(got) < float64(want) || float64(got) > float64(want)*1.001+1 {
			t.Errorf("rank %d: %d, want %d", rank, got, want)
		}
	}
	if got := a.above(highest); got != 0 {
		t.Errorf("%d values above the highest", got)
	}
	if got := a.above(0); got != int64(len(values)) {
		t.Errorf("%d of %d values above 0", got, len(values))
	}
	if got := a.at(int64(len(values)) + 1); got != 0 {
		t.Errorf("a rank beyond all: %d", got)
	}
}

func TestTimesMergeExactly(t *testing.T) {
	var whole, a, b, empty Times
	for i := range 1000 {
		d := time.Duration(i*i) * time.Microsecond
		whole.Add(d)
		if i%3 == 0 {
			a.Add(d)
		} else {
			b.Add(d)
		}
	}
	b.Merge(&empty)
	empty.Merge(&a)
	empty.Merge(&b)
	if empty.Encoded() != whole.Encoded() || empty.Count() != whole.Count() || empty.Quantile(0.99) != whole.Quantile(0.99) || *empty.Quantiles(Loaded).Mean != *whole.Quantiles(Loaded).Mean {
		t.Errorf("merged %v, whole %v", empty.Quantiles(Loaded), whole.Quantiles(Loaded))
	}
	var before Times
	before.Add(-time.Second)
	if before.Quantile(0.5) != 0 {
		t.Error("a time that runs backwards is 0")
	}
}

// A histogram takes room for the octaves it met, and no more for more calls.
func BenchmarkTimesAdd(b *testing.B) {
	var t Times
	b.ReportAllocs()
	for i := range b.N {
		t.Add(time.Duration(100+i%10_000) * time.Microsecond)
	}
}

// A bucket that is full goes on counting.
func TestCountsBeyondABucket(t *testing.T) {
	const many = 1 << 32
	var a, b Counts
	for _, v := range []int64{5, 5000} {
		for _, n := range []int64{many - 1, 3, many, 1} {
			a.add(v, n)
		}
	}
	b.add(5000, 7)
	b.merge(&a)
	if got := b.above(5); got != 2*many+10 {
		t.Errorf("%d beyond the first bucket", got)
	}
	if got := b.above(0); got != 4*many+13 {
		t.Errorf("%d in all", got)
	}
	if first, second := b.at(2*many+3), b.at(2*many+4); first != 5 || second < 5000 || second > 5005 {
		t.Errorf("%d, %d", first, second)
	}
}
