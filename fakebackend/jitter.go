package fakebackend

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// Jitter is what is added to the delay of each call, drawn by Options.Seed in the
// order in which calls come in. The zero value is none.
type Jitter struct {
	Shape JitterShape
	Scale time.Duration // what the shape says
}

// JitterShape is a distribution.
type JitterShape string

// The distributions of jitter.
const (
	Uniform     JitterShape = "uniform"     // even between 0 and the scale
	Exponential JitterShape = "exponential" // with the scale as its mean
	Normal      JitterShape = "normal"      // around 0, with the scale as its standard deviation; a delay is never below 0
)

func (j Jitter) check() error {
	switch {
	case j == Jitter{}:
		return nil
	case j.Scale <= 0:
		return errors.New("a jitter has a scale")
	case j.Shape != Uniform && j.Shape != Exponential && j.Shape != Normal:
		return fmt.Errorf("jitter %q is none of %s, %s and %s", j.Shape, Uniform, Exponential, Normal)
	}
	return nil
}

// Quantile gives the jitter that a part p of all calls does not exceed; p is above
// 0 and below 1.
func (j Jitter) Quantile(p float64) time.Duration {
	unit := 0.0
	switch j.Shape {
	case Uniform:
		unit = p
	case Exponential:
		unit = -math.Log1p(-p)
	case Normal:
		unit = math.Sqrt2 * math.Erfinv(2*p-1)
	}
	return time.Duration(unit * float64(j.Scale))
}

// jitters draws one for each call.
type jitters struct {
	Jitter
	mu     sync.Mutex
	random *rand.Rand
}

// jitterStream keeps what is drawn for jitter apart from what is drawn for faults.
const jitterStream = 1 << 32

func newJitters(j Jitter, seed uint64) *jitters {
	if j == (Jitter{}) {
		return nil
	}
	return &jitters{Jitter: j, random: rand.New(rand.NewPCG(seed, jitterStream))}
}

// next draws; no jitter is 0.
func (j *jitters) next() time.Duration {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	p := 0.0
	for p == 0 {
		p = j.random.Float64()
	}
	return j.Quantile(p)
}
