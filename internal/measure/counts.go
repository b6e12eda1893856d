package measure

import (
	"math"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Counts are how often each time came, in the buckets of an HdrHistogram of three
// significant digits from one microsecond to one hour. Unlike one, they take room
// only for the octaves in which something came: some tens of kilobytes, whatever
// the number of calls. So every worker can have its own for each of its figures,
// and they are put together bucket for bucket. The zero value is ready.
type Counts struct {
	low  *[subBuckets]uint32 // below 2,048 µs, one a microsecond
	rows [octaves]*[subBuckets / 2]uint32
	// over is what a bucket had when it was full, by its least value: hardly ever used.
	over map[int64]int64
}

const (
	subBuckets = 2048 // what an HdrHistogram of three digits has
	subBits    = 11
	highest    = 3_600_000_000 // an hour, in microseconds
	octaves    = 21            // from subBuckets to highest
)

// add counts a time in microseconds, from 0 to highest.
func (c *Counts) add(v, n int64) {
	if v < subBuckets {
		if c.low == nil {
			c.low = new([subBuckets]uint32)
		}
		c.raise(&c.low[v], v, n)
		return
	}
	octave := bits.Len64(uint64(v)) - subBits - 1
	row := c.rows[octave]
	if row == nil {
		row = new([subBuckets / 2]uint32)
		c.rows[octave] = row
	}
	c.raise(&row[v>>(octave+1)-subBuckets/2], v>>(octave+1)<<(octave+1), n)
}

// raise adds to a bucket whose least value is given.
func (c *Counts) raise(bucket *uint32, least, n int64) {
	if sum := int64(*bucket) + n; sum <= math.MaxUint32 {
		*bucket = uint32(sum)
		return
	}
	if c.over == nil {
		c.over = map[int64]int64{}
	}
	c.over[least] += int64(*bucket) + n
	*bucket = 0
}

// each gives every bucket in which something came, from the lowest: its least value,
// how many values it holds, and how often.
func (c *Counts) each(do func(least, wide, n int64)) {
	bucket := func(least, wide int64, n uint32) {
		if all := int64(n) + c.over[least]; all > 0 {
			do(least, wide, all)
		}
	}
	if c.low != nil {
		for v, n := range c.low {
			bucket(int64(v), 1, n)
		}
	}
	for octave, row := range c.rows {
		if row == nil {
			continue
		}
		for i, n := range row {
			bucket(int64(i+subBuckets/2)<<(octave+1), 1<<(octave+1), n)
		}
	}
}

// merge adds other counts, bucket for bucket.
func (c *Counts) merge(other *Counts) {
	other.each(func(least, _, n int64) { c.add(least, n) })
}

// at gives the highest value of the bucket in which the rank-th time from below
// stands, counted from 1; 0 where there are fewer.
func (c *Counts) at(rank int64) int64 {
	found := int64(0)
	c.each(func(least, wide, n int64) {
		if rank > 0 {
			if rank -= n; rank <= 0 {
				found = least + wide - 1
			}
		}
	})
	return found
}

// above counts the times that are longer than a value, as far as buckets tell: one
// whose bucket holds the value is not counted.
func (c *Counts) above(value int64) (n int64) {
	c.each(func(least, _, of int64) {
		if least > value {
			n += of
		}
	})
	return n
}

// histogram gives the counts as an HdrHistogram.
func (c *Counts) histogram() *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, highest, 3)
	c.each(func(least, _, n int64) {
		_ = h.RecordValues(least, n) // in range, so it cannot be refused
	})
	return h
}
