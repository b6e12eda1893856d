package measure

import (
	"math"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want)+1e-12 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestTheilSenPassesOverOutliers(t *testing.T) {
	var points []Point
	for _, n := range []float64{1, 10, 100, 1000} {
		for range 3 {
			points = append(points, Point{n, 0.35 + 0.022*n})
		}
	}
	points[4].Y *= 40
	line, ok := TheilSen(points)
	if !ok {
		t.Fatal("no line")
	}
	near(t, "A", line.A, 0.35, 0.01)
	near(t, "B", line.B, 0.022, 0.001)
	near(t, "break-even", line.BreakEven(), 0.35/0.022, 0.01)
	if line.Error > 0.001 {
		t.Errorf("error %v: most points lie on the line", line.Error)
	}
	if _, ok := TheilSen([]Point{{5, 1}, {5, 2}}); ok {
		t.Error("a line through one place")
	}
	for _, none := range []Line{{A: -1, B: 1}, {A: 1, B: 0}, {A: 1, B: -1}} {
		if none.BreakEven() != 0 {
			t.Errorf("%+v breaks even at %v", none, none.BreakEven())
		}
	}
}

func TestGrowthBeyondProportionIsSeen(t *testing.T) {
	for _, c := range []struct {
		power float64
		more  bool
	}{{0.5, false}, {1, false}, {1.05, false}, {1.2, true}, {2, true}} {
		var points []Point
		for _, n := range []float64{1, 10, 100, 300, 1000} {
			points = append(points, Point{n, 0.01 * math.Pow(n, c.power)})
		}
		slope, more, ok := LastDecade(points)
		if !ok || more != c.more {
			t.Errorf("power %v: %v, %v, %v", c.power, slope, more, ok)
		}
		near(t, "slope", slope, c.power, 1e-9)
	}
	if _, more, ok := LastDecade([]Point{{1, 1}, {1000, 1e9}}); ok || more {
		t.Error("one size in the last decade says nothing")
	}
	if _, _, ok := LastDecade(nil); ok {
		t.Error("of nothing")
	}
}

func TestScalingIsFittedWhereItFits(t *testing.T) {
	law := Scaling{Lambda: 1000, Sigma: 0.05, Kappa: 0.001}
	var points []Point
	for _, n := range []float64{1, 2, 4, 8, 16, 32} {
		points = append(points, Point{n, law.At(n) * 1.01}, Point{n, law.At(n) * 0.99})
	}
	s, ok := FitScaling(points)
	if !ok {
		t.Fatalf("no fit: %+v", s)
	}
	near(t, "lambda", s.Lambda, 1000, 0.02)
	near(t, "sigma", s.Sigma, 0.05, 0.1)
	near(t, "kappa", s.Kappa, 0.001, 0.1)
	near(t, "peak", s.Peak, math.Sqrt(0.95/0.001), 0.05)

	// A peak beyond twice what was measured is a guess.
	var few []Point
	for _, n := range []float64{1, 2, 4, 8} {
		few = append(few, Point{n, law.At(n)})
	}
	if s, ok := FitScaling(few); !ok || s.Peak != 0 {
		t.Errorf("%+v, %v", s, ok)
	}
	for name, points := range map[string][]Point{
		"three places": {{1, 1}, {2, 2}, {4, 4}, {4, 4}},
		"no law":       {{1, 100}, {2, 5}, {4, 300}, {8, 10}, {16, 200}},
		"no answers":   {{1, 100}, {2, 0}, {4, 300}, {8, 400}},
	} {
		if s, ok := FitScaling(points); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestMedianIntervalsAreThoseOfOrder(t *testing.T) {
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	low, high, confidence, ok := MedianInterval(ten)
	// The second and the ninth of ten: 1 - 2·(1+10)/1024.
	if !ok || low != 2 || high != 9 {
		t.Errorf("%v to %v", low, high)
	}
	near(t, "confidence", confidence, 1-2*11.0/1024, 1e-9)
	low, high, confidence, ok = MedianInterval([]float64{5, 1, 3})
	if !ok || low != 1 || high != 5 || confidence != 0.75 {
		t.Errorf("%v to %v, %v", low, high, confidence)
	}
	if _, _, _, ok := MedianInterval([]float64{1, 2}); ok {
		t.Error("two values have an interval")
	}
	if Median([]float64{4, 1, 3, 2}) != 2.5 || !math.IsNaN(Median(nil)) {
		t.Error("medians")
	}
	if !slices.Equal(ten, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
		t.Error("the values were moved")
	}
}

// The figures are those of published tables of exact binomial limits.
func TestShareIntervalsAreExact(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{0, 10, 0, 0.3085}, {1, 10, 0.0025, 0.4450}, {5, 10, 0.1871, 0.8129}, {10, 10, 0.6915, 1},
		{2, 20, 0.0123, 0.3170}, {10, 1000, 0.00480, 0.01831}, {500, 1000, 0.46855, 0.53145},
	} {
		low, high := ShareInterval(c.hits, c.n)
		if math.Abs(low-c.low) > 6e-5 || math.Abs(high-c.high) > 6e-5 {
			t.Errorf("%d of %d: %.5f to %.5f, want %.5f to %.5f", c.hits, c.n, low, high, c.low, c.high)
		}
	}
	if low, high := ShareInterval(0, 0); low != 0 || high != 1 {
		t.Errorf("of nothing: %v to %v", low, high)
	}
	// Of very many the normal approximation is as good.
	low, high := ShareInterval(10_000, 1_000_000)
	near(t, "low", low, 0.01-1.96*math.Sqrt(0.01*0.99/1e6), 0.002)
	near(t, "high", high, 0.01+1.96*math.Sqrt(0.01*0.99/1e6), 0.002)
}
