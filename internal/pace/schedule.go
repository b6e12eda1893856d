package pace

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"
)

// Schedule gives the instant of the n-th call, counted from 0, from the beginning
// of the load. ok is false behind the last call. Instants never decrease. It is for
// one goroutine, and asked in order: n grows by any step.
type Schedule interface {
	At(n int) (at time.Duration, ok bool)
}

// Stage is a time in which the rate goes from one value to another, in calls a
// second, along a straight line.
type Stage struct {
	From, To float64
	For      time.Duration
}

// Staged gives calls spread evenly through stages that follow one another: a ramp
// is a stage whose rate changes, a plateau one whose rate does not, a spike a short
// high one, a pause one of rate 0.
func Staged(stages ...Stage) (Schedule, error) {
	s := &staged{}
	for _, stage := range stages {
		if !(stage.From >= 0) || !(stage.To >= 0) || stage.For <= 0 || math.IsInf(stage.From+stage.To, 0) {
			return nil, errors.New("a stage has rates of 0 or more, and takes time")
		}
		s.stages = append(s.stages, stage)
	}
	if len(s.stages) == 0 {
		return nil, errors.New("there is no stage")
	}
	return s, nil
}

// Constant gives calls spread evenly, without end.
func Constant(rate float64) (Schedule, error) {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return nil, errRate
	}
	return constant(rate), nil
}

var errRate = errors.New("a rate is more than 0 calls a second")

type constant float64

func (c constant) At(n int) (time.Duration, bool) {
	return seconds(float64(n) / float64(c)), true
}

// seconds makes a duration of seconds; what is too long becomes the longest.
func seconds(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(math.Round(s * float64(time.Second)))
}

// staged finds calls by how many of them a stage's beginning has seen: in a stage
// the number of calls after t is from·t + (to-from)·t²/2d.
type staged struct {
	stages []Stage
	at     int           // the stage that the last call was in
	begun  time.Duration // when it began
	before float64       // calls before it
}

func (s *staged) At(n int) (time.Duration, bool) {
	for s.at < len(s.stages) {
		stage := s.stages[s.at]
		d := stage.For.Seconds()
		in := (stage.From + stage.To) / 2 * d
		// The n-th call is sent when n calls are due: the first at once.
		if left := float64(n) - s.before; left < in {
			return s.begun + seconds(solve(stage.From, (stage.To-stage.From)/d, left)), true
		}
		s.at, s.begun, s.before = s.at+1, s.begun+stage.For, s.before+in
	}
	return 0, false
}

// solve gives the t at which rate·t + growth·t²/2 = calls.
func solve(rate, growth, calls float64) float64 {
	if calls <= 0 {
		return 0
	}
	if math.Abs(growth) < 1e-12 {
		return calls / rate
	}
	// The form of the root that loses no digits where growth is small.
	return 2 * calls / (rate + math.Sqrt(max(0, rate*rate+2*growth*calls)))
}

// Poisson makes of a schedule's even spacing one in which calls are independent of
// one another, as those of many users are: the schedule's rate at every time, and
// exponential gaps, by a seed.
func Poisson(even Schedule, seed uint64) Schedule {
	return &poisson{even: even, random: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// poisson walks along the schedule's count of calls in exponential steps of mean 1,
// which makes a process of any rate out of one of rate 1.
type poisson struct {
	even   Schedule
	random *rand.Rand
	next   int     // the number of the call whose place is reached
	place  float64 // on the schedule's count
	whole  int     // the schedule's call before place
	from   time.Duration
	to     time.Duration
	begun  bool
	over   bool
}

func (p *poisson) At(n int) (time.Duration, bool) {
	for ; p.next <= n; p.next++ {
		p.place += p.random.ExpFloat64()
	}
	whole := int(p.place)
	if !p.begun || whole != p.whole {
		var ok bool
		if p.from, ok = p.even.At(whole); !ok {
			return 0, false
		}
		if p.to, ok = p.even.At(whole + 1); !ok {
			p.over = true
		}
		p.begun, p.whole = true, whole
	}
	if p.over {
		return p.from, true
	}
	return p.from + time.Duration(float64(p.to-p.from)*(p.place-float64(whole))), true
}

// Bursts makes of a schedule one in which each call is a burst: so many calls at one
// instant, as an agent makes them that fans out.
func Bursts(of Schedule, size int) (Schedule, error) {
	if size < 1 {
		return nil, errors.New("a burst is of one call or more")
	}
	return &bursts{of: of, size: size}, nil
}

type bursts struct {
	of    Schedule
	size  int
	burst int
	at    time.Duration
	ok    bool
	begun bool
}

func (b *bursts) At(n int) (time.Duration, bool) {
	if burst := n / b.size; !b.begun || burst != b.burst {
		b.begun, b.burst = true, burst
		b.at, b.ok = b.of.At(burst)
	}
	return b.at, b.ok
}

// Recorded replays instants, as of a log; they must not decrease.
func Recorded(instants []time.Duration) (Schedule, error) {
	for i := 1; i < len(instants); i++ {
		if instants[i] < instants[i-1] {
			return nil, errors.New("an arrival is earlier than the one before it")
		}
	}
	return recorded(instants), nil
}

type recorded []time.Duration

func (r recorded) At(n int) (time.Duration, bool) {
	if n >= len(r) {
		return 0, false
	}
	return r[n], true
}
