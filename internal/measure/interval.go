package measure

import (
	"math"
	"slices"
)

// Median gives the middle of some values, the mean of the two middle ones where
// their number is even; NaN of none. The values stay as they are.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// wanted is the confidence of intervals, where there are values enough for it.
const wanted = 0.95

// MedianInterval gives an interval for the median of what the values were drawn
// from, by their order alone, whatever its distribution: the narrowest of the
// confidence 0.95, and all that the values span where they are too few for that.
// confidence is what it has: with n values from the least to the greatest, 1 - 2^(1-n).
// ok is false below three values, which say nothing.
func MedianInterval(values []float64) (low, high, confidence float64, ok bool) {
	n := len(values)
	if n < 3 {
		return 0, 0, 0, false
	}
	sorted := slices.Sorted(slices.Values(values))
	from, tail := 0, math.Pow(0.5, float64(n)) // P(at most from values lie below the median)
	term := tail
	for {
		term *= float64(n-from) / float64(from+1)
		if 1-2*(tail+term) < wanted || from+1 > (n-1)/2 {
			break
		}
		tail += term
		from++
	}
	return sorted[from], sorted[n-1-from], 1 - 2*tail, true
}

// ShareInterval gives the exact (Clopper-Pearson) interval of confidence 0.95 for a
// probability of which hits in n trials were seen.
func ShareInterval(hits, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const tail = (1 - wanted) / 2
	low, high = 0, 1
	if hits > 0 {
		low = solveShare(func(p float64) bool { return 1-binomial(hits-1, n, p) < tail })
	}
	if hits < n {
		high = solveShare(func(p float64) bool { return binomial(hits, n, p) > tail })
	}
	return low, high
}

// solveShare finds where a condition that holds for small probabilities ends.
func solveShare(below func(float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// binomial is the probability of at most k hits in n trials of probability p.
func binomial(k, n int, p float64) float64 {
	if k < 0 {
		return 0
	}
	if k >= n {
		return 1
	}
	return betaRegularized(float64(n-k), float64(k+1), 1-p)
}

// betaRegularized is the regularized incomplete beta function I_x(a, b), by its
// continued fraction (Numerical recipes call it betai; here by Lentz's method).
func betaRegularized(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - betaRegularized(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(a*math.Log(x)+b*math.Log1p(-x)+lab-la-lb) / a
	const tiny = 1e-300
	c, d := 1.0, 0.0
	f := 1.0
	for i := range 2000 {
		m := float64(i / 2)
		var numerator float64
		switch {
		case i == 0:
			numerator = 1
		case i%2 == 0:
			numerator = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			numerator = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + numerator*d; math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		if c = 1 + numerator/c; math.Abs(c) < tiny {
			c = tiny
		}
		f *= c * d
		if math.Abs(1-c*d) < 1e-14 {
			break
		}
	}
	return front * (f - 1)
}
