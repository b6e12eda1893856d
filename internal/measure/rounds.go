package measure

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Rounds are the windows in which one cell of a load run was measured, one after the
// other with the other cells between. The unit of replication is the round: calls of
// one window hang together, so an interval is that of the rounds' own figures.
type Rounds struct {
	each []*Tally
	// Offered is how many calls a second the plan wanted; 0: a closed loop.
	Offered float64
	Dropped int // planned, and never sent
}

// Add takes a window that has ended.
func (r *Rounds) Add(t *Tally) { r.each = append(r.each, t) }

// Len gives how many windows there are.
func (r *Rounds) Len() int { return len(r.each) }

// Whole puts all windows together.
func (r *Rounds) Whole() *Tally {
	whole := &Tally{}
	for _, t := range r.each {
		whole.Window.To += t.Window.To - t.Window.From
		own := *t
		own.seconds = nil
		whole.Merge(&own)
		whole.seconds = append(whole.seconds, t.seconds...)
	}
	return whole
}

// Medians gives the median latency of each round that has calls enough for one, in
// milliseconds.
func (r *Rounds) Medians() []float64 {
	return r.quantiles(0.5, Loaded.P50)
}

func (r *Rounds) quantiles(share float64, least int) []float64 {
	var all []float64
	for _, t := range r.each {
		if t.latency.count >= least {
			all = append(all, t.latency.Quantile(share).Seconds()*1000)
		}
	}
	return all
}

// Rates gives each round's OK answers a second.
func (r *Rounds) Rates() []float64 { return r.rates((*Tally).Rate) }

// ItemRates gives each round's items a second.
func (r *Rounds) ItemRates() []float64 { return r.rates((*Tally).ItemRate) }

// ItemRate is the median of the rounds' items a second; 0 where there is none.
func (r *Rounds) ItemRate() float64 {
	rates := r.rates((*Tally).ItemRate)
	if len(rates) == 0 {
		return 0
	}
	return Median(rates)
}

func (r *Rounds) rates(of func(*Tally) float64) []float64 {
	var all []float64
	for _, t := range r.each {
		if t.Window.To > t.Window.From {
			all = append(all, of(t))
		}
	}
	return all
}

// Row sums the rounds up. What only the caller knows of the cell (its operation,
// size, concurrency, mode, protocol, form and choice) is the caller's to fill in.
func (r *Rounds) Row(items int) Performance {
	t := r.Whole()
	ok, failed, wrong, unjudged := t.Calls()
	p := Performance{
		BatchSize: items, AnswerForm: t.form, Seconds: *significant((t.Window.To - t.Window.From).Seconds()),
		Calls: ok + failed + wrong + unjudged, OK: ok, Failed: failed, Wrong: wrong, Dropped: r.Dropped, Items: t.items,
		Latency: t.latency.Quantiles(Loaded), Histogram: t.latency.Encoded(), Warnings: t.latency.warnings(Loaded),
		Loaded: &LoadRow{Rounds: len(r.each), Unjudged: unjudged, Intervals: r.intervals(), Verified: Verified{
			Memory: t.verified[Memory], Pass: t.verified[Pass], Strict: t.verified[Strict], Envelope: t.verified[Envelope],
		}},
	}
	if p.Calls == 0 && t.Came() > 0 {
		p.Warnings = []string{NoneBegan}
	}
	if rates := r.rates((*Tally).Rate); len(rates) > 0 {
		p.CallsPerSecond = significant(Median(rates))
		p.ItemsPerSecond = significant(Median(r.rates((*Tally).ItemRate)))
	}
	p.Service = some(&t.service)
	p.FailedMS = some(&t.bad)
	l := p.Loaded
	l.FirstByteMS, l.UnjudgedMS, l.LagMS = some(&t.first), some(&t.unjudged), some(&t.lag)
	if t.served.count > 0 {
		l.Seen().TimingMS, l.Seen().ApartMS = some(&t.served), some(&t.apart)
	}
	if r.Offered > 0 {
		l.Offered = significant(r.Offered)
	}
	if p.Latency.P50 != nil && items > 0 {
		l.PerItemUS = significant(t.latency.Quantile(0.5).Seconds() * 1e6 / float64(items))
	}
	if n := t.lag.count; n > 0 {
		l.BytesOut = significant(float64(t.out) / float64(n))
	}
	if t.answered > 0 {
		l.BytesIn = significant(float64(t.in) / float64(t.answered))
		l.Tokens = significant(float64(t.message) / float64(t.answered) / bytesOfToken)
	}
	l.Failures = t.failuresByCount()
	l.ByRound = r.own()
	l.Timeline = t.timeline()
	return p
}

// own gives each round's own figures.
func (r *Rounds) own() []Round {
	var all []Round
	for _, t := range r.each {
		ok, failed, wrong, unjudged := t.Calls()
		q := t.latency.Quantiles(Loaded)
		one := Round{Calls: ok + failed + wrong + unjudged, OK: ok, P50: q.P50, P95: q.P95, P99: q.P99}
		if length := t.Window.To - t.Window.From; length > 0 {
			one.Seconds = *significant(length.Seconds())
			one.CallsPerSecond, one.ItemsPerSecond = significant(t.Rate()), significant(t.ItemRate())
		}
		all = append(all, one)
	}
	return all
}

// bytesOfToken is what a language model's token is taken to have, roughly.
const bytesOfToken = 4

func some(t *Times) *Quantiles {
	if t.count == 0 {
		return nil
	}
	q := t.Quantiles(Loaded)
	return &q
}

func (r *Rounds) intervals() Intervals {
	i := Intervals{Confidence: 1}
	of := func(values []float64) *[2]float64 {
		low, high, confidence, ok := MedianInterval(values)
		if !ok {
			return nil
		}
		i.Confidence = min(i.Confidence, confidence)
		return &[2]float64{*significant(low), *significant(high)}
	}
	i.CallsPerSecond = of(r.rates((*Tally).Rate))
	i.ItemsPerSecond = of(r.rates((*Tally).ItemRate))
	i.P50, i.P95, i.P99 = of(r.Medians()), of(r.quantiles(0.95, Loaded.P95)), of(r.quantiles(0.99, Loaded.P99))
	if i.CallsPerSecond == nil {
		i.Confidence = 0
	}
	return i
}

func (t *Tally) failuresByCount() []Failure {
	var all []Failure
	for what, n := range t.failures {
		all = append(all, Failure{what, n})
	}
	slices.SortFunc(all, func(a, b Failure) int { return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.What, b.What)) })
	return all
}

// mostSeconds bounds a row's time line; of a longer run several seconds make one entry.
const mostSeconds = 3600

func (t *Tally) timeline() []Second {
	every := 1 + (len(t.seconds)-1)/mostSeconds
	var line []Second
	for from := 0; from < len(t.seconds); from += every {
		var sum second
		for _, s := range t.seconds[from:min(from+every, len(t.seconds))] {
			for k := range sum.came {
				sum.came[k] += s.came[k]
			}
			sum.items += s.items
			sum.sum += s.sum
			sum.max = max(sum.max, s.max)
		}
		at := Second{OK: sum.came[OK], Failed: sum.came[Failed], Wrong: sum.came[Wrong], Items: sum.items, MaxMS: *milliseconds(sum.max)}
		if at.OK > 0 {
			at.MeanMS = *milliseconds(sum.sum / time.Duration(at.OK))
		}
		line = append(line, at)
	}
	return line
}

// Doubt adds a warning to a row.
func (p *Performance) Doubt(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}
