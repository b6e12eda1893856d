package suites

import "math"

// Wilson is the 95 % score interval of a proportion (E. B. Wilson, 1927): of the
// simple intervals the one that stays honest for few trials and rare failures.
func Wilson(count, of int) []float64 {
	const z = 1.959963984540054
	n, p := float64(of), float64(count)/float64(of)
	middle := p + z*z/(2*n)
	spread := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	round := func(x float64) float64 { return math.Round(max(0, min(1, x))*1e4) / 1e4 }
	return []float64{round((middle - spread) / scale), round((middle + spread) / scale)}
}
