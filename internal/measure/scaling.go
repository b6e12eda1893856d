package measure

import (
	"math"
)

// Scaling is the Universal Scalability Law (N. J. Gunther) fitted to throughputs at
// several concurrencies: X(N) = λN / (1 + σ(N-1) + κN(N-1)).
type Scaling struct {
	Lambda float64 `json:"lambda"` // calls a second of one user alone
	Sigma  float64 `json:"sigma"`  // what waits for one another: contention
	Kappa  float64 `json:"kappa"`  // what grows with every pair: coherence
	// Peak is the concurrency beyond which throughput falls; 0: there is none up to
	// twice the largest that was measured, beyond which nothing is said.
	Peak  float64 `json:"peak,omitempty"`
	Error float64 `json:"error"` // the largest distance of a point, as a share of its value
}

// fits is the largest error with which a law is shown.
const fits = 0.15

// FitScaling fits the law to calls a second over concurrency, by least squares of
// N/X, which is a parabola in N. ok is false where there are fewer than four
// concurrencies, or the law does not fit (a point more than 15 % off), or a
// parameter would be negative.
func FitScaling(points []Point) (s Scaling, ok bool) {
	places := map[float64]bool{}
	largest := 0.0
	for _, p := range points {
		if p.X < 1 || p.Y <= 0 {
			return Scaling{}, false
		}
		places[p.X] = true
		largest = max(largest, p.X)
	}
	if len(places) < 4 {
		return Scaling{}, false
	}
	// N/X = (1 + σ(N-1) + κN(N-1)) / λ is linear in 1/λ, σ/λ and κ/λ. Weights 1/(N/X)²
	// make it the relative error that is least.
	var m [3][4]float64
	for _, p := range points {
		y := p.X / p.Y
		row := [4]float64{1 / y, (p.X - 1) / y, p.X * (p.X - 1) / y, 1}
		for i := range 3 {
			for j := range 4 {
				m[i][j] += row[i] * row[j]
			}
		}
	}
	x, solved := solve3(m)
	if !solved || x[0] <= 0 {
		return Scaling{}, false
	}
	s = Scaling{Lambda: 1 / x[0], Sigma: x[1] / x[0], Kappa: x[2] / x[0]}
	if s.Sigma < -0.01 || s.Kappa < -1e-4 {
		return Scaling{}, false
	}
	s.Sigma, s.Kappa = max(0, s.Sigma), max(0, s.Kappa)
	for _, p := range points {
		s.Error = max(s.Error, math.Abs(s.At(p.X)-p.Y)/p.Y)
	}
	if s.Kappa > 0 && s.Sigma < 1 {
		if peak := math.Sqrt((1 - s.Sigma) / s.Kappa); peak <= 2*largest {
			s.Peak = max(1, peak)
		}
	}
	return s, s.Error <= fits
}

// At gives the law's calls a second at a concurrency.
func (s Scaling) At(n float64) float64 {
	return s.Lambda * n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1))
}

// solve3 solves three equations, given with their right sides, by elimination.
func solve3(m [3][4]float64) (x [3]float64, ok bool) {
	for i := range 3 {
		pivot := i
		for j := i + 1; j < 3; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[pivot][i]) {
				pivot = j
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		if m[i][i] == 0 {
			return x, false
		}
		for j := i + 1; j < 3; j++ {
			f := m[j][i] / m[i][i]
			for k := i; k < 4; k++ {
				m[j][k] -= f * m[i][k]
			}
		}
	}
	for i := 2; i >= 0; i-- {
		x[i] = m[i][3]
		for j := i + 1; j < 3; j++ {
			x[i] -= m[i][j] * x[j]
		}
		x[i] /= m[i][i]
	}
	return x, true
}
