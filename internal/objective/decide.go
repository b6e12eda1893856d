package objective

import (
	"fmt"
	"math"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Verdict is what was found.
type Verdict string

// The verdicts.
const (
	Holds      Verdict = "holds"
	Broken     Verdict = "broken"
	CannotTell Verdict = "cannot-tell"
)

// Decision is one condition on one cell.
type Decision struct {
	Verdict Verdict
	Got     string // the figure, with its bound of confidence
	Need    string // of CannotTell: what would tell
}

// Decide decides a condition by what the rounds of a cell measured.
func (c Condition) Decide(r *measure.Rounds) Decision {
	t := r.Whole()
	ok, failed, wrong, _ := t.Calls()
	switch {
	case quantiles[c.Figure] > 0:
		return c.quantile(t.Latency())
	case c.Figure == Errors:
		return c.share(failed, ok+failed+wrong)
	case c.Figure == Wrong:
		return c.share(wrong, ok+wrong)
	case c.Figure == Calls:
		return c.rate(r.Rates())
	}
	return c.rate(r.ItemRates())
}

// Broken says how one window breaks a condition by its figures alone, without a bound
// of confidence, as a search does at each step; empty: it does not.
func (c Condition) Broken(t *measure.Tally) string {
	ok, failed, wrong, _ := t.Calls()
	says := func(got string) string { return fmt.Sprintf("%s: %s", c, got) }
	switch q := quantiles[c.Figure]; {
	case q > 0:
		at := t.Latency().Quantile(q)
		if at > time.Duration(c.Bound*float64(time.Second)) {
			return says(fmt.Sprintf("%s is %s", c.Figure, round(at)))
		}
		if ok == 0 {
			return says("no call succeeded")
		}
	case c.Figure == Errors && float64(failed) > c.Bound*float64(ok+failed+wrong):
		return says(fmt.Sprintf("%d of %d calls failed", failed, ok+failed+wrong))
	case c.Figure == Wrong && float64(wrong) > c.Bound*float64(ok+wrong):
		return says(fmt.Sprintf("%d of %d answers were wrong", wrong, ok+wrong))
	case c.Figure == Calls && t.Rate() < c.Bound:
		return says(fmt.Sprintf("%.4g", t.Rate()))
	case c.Figure == Items && t.ItemRate() < c.Bound:
		return says(fmt.Sprintf("%.4g", t.ItemRate()))
	}
	return ""
}

// quantile asks how many calls took longer than the bound: a q-quantile is within it
// where no more than 1-q of all calls do.
func (c Condition) quantile(t *measure.Times) Decision {
	q := quantiles[c.Figure]
	n := t.Count()
	if n == 0 {
		return Decision{CannotTell, "no call succeeded", "calls that succeed"}
	}
	bound := time.Duration(c.Bound * float64(time.Second))
	over := t.Above(bound)
	low, high := measure.ShareInterval(over, n)
	d := Decision{Verdict: CannotTell, Got: fmt.Sprintf("%d of %d calls took longer than %s (%s is %s)", over, n, bound, c.Figure, round(t.Quantile(q)))}
	switch allowed := 1 - q; {
	case high <= allowed:
		d.Verdict = Holds
	case low > allowed:
		d.Verdict = Broken
	default:
		d.Need = needed(float64(over)/float64(n), allowed, n)
	}
	return d
}

// share decides a share of calls. That none may be is decided by the calls that were
// made: of a share that is 0 no number of calls is a proof.
func (c Condition) share(hits, n int) Decision {
	if n == 0 {
		return Decision{CannotTell, "no call was answered", "calls that are answered"}
	}
	low, high := measure.ShareInterval(hits, n)
	d := Decision{Verdict: CannotTell, Got: fmt.Sprintf("%d of %d calls (at most %.3g %%, with 97.5 %% confidence)", hits, n, 100*high)}
	switch {
	case c.Bound == 0 && hits == 0, high <= c.Bound:
		d.Verdict = Holds
	case c.Bound == 0, low > c.Bound:
		d.Verdict = Broken
	default:
		d.Need = needed(float64(hits)/float64(n), c.Bound, n)
	}
	return d
}

// rate decides by the interval of the median of the rounds.
func (c Condition) rate(rates []float64) Decision {
	low, high, confidence, ok := measure.MedianInterval(rates)
	if !ok {
		return Decision{CannotTell, fmt.Sprintf("%d rounds", len(rates)), "three rounds at least, six for a confidence of 95 %"}
	}
	d := Decision{Verdict: CannotTell, Got: fmt.Sprintf("%.4g, from %.4g to %.4g (%.3g %% confidence)", measure.Median(rates), low, high, 100*confidence)}
	switch {
	case low >= c.Bound:
		d.Verdict = Holds
	case high < c.Bound:
		d.Verdict = Broken
	default:
		d.Need = "more rounds, or longer ones"
	}
	return d
}

// mostCalls is beyond what anybody would make to tell two shares apart.
const mostCalls = 1_000_000_000

// needed says how many calls would tell a share from what is allowed, if it stays what
// it was seen to be.
func needed(seen, allowed float64, n int) string {
	for calls := max(n, 1); calls <= mostCalls; calls = calls + calls/4 + 1 {
		low, high := measure.ShareInterval(int(math.Round(seen*float64(calls))), calls)
		if high <= allowed || low > allowed {
			return fmt.Sprintf("about %d calls", calls)
		}
	}
	return "more calls than anybody would make: the figure lies at the bound"
}

func round(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}
