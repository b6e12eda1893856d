package measure

import (
	"cmp"
	"math"
	"slices"
)

// Point is one measured value at a size.
type Point struct{ X, Y float64 }

// Line is y = A + B·x, fitted.
type Line struct {
	A, B float64
	// Error is the median of how far the points lie from the line, as a share of
	// their own value.
	Error float64
}

// TheilSen fits a line through points by the median of the slopes of all pairs and
// the median of what then remains: a few points that are far off do not move it. ok
// is false where the points have fewer than two places.
func TheilSen(points []Point) (line Line, ok bool) {
	slopes := pairSlopes(points)
	if len(slopes) == 0 {
		return Line{}, false
	}
	line.B = Median(slopes)
	var rests, errors []float64
	for _, p := range points {
		rests = append(rests, p.Y-line.B*p.X)
	}
	line.A = Median(rests)
	for _, p := range points {
		if p.Y != 0 {
			errors = append(errors, math.Abs(line.A+line.B*p.X-p.Y)/math.Abs(p.Y))
		}
	}
	if len(errors) > 0 {
		line.Error = Median(errors)
	}
	return line, true
}

// pairSlopes gives the slopes of all pairs, in their order.
func pairSlopes(points []Point) []float64 {
	var slopes []float64
	for i, a := range points {
		for _, b := range points[i+1:] {
			if a.X != b.X {
				slopes = append(slopes, (b.Y-a.Y)/(b.X-a.X))
			}
		}
	}
	slices.Sort(slopes)
	return slopes
}

// BreakEven is the size at which the cost of the items is that of the call, A/B; 0:
// there is none.
func (l Line) BreakEven() float64 {
	if l.A <= 0 || l.B <= 0 {
		return 0
	}
	return l.A / l.B
}

// superLinear is the slope of the logarithms from which growth is told as more than
// proportional; 1 is proportional.
const superLinear = 1.1

// LastDecade gives the slope of log y over log x among the points at the largest size
// and down to a tenth of it, by the median of pairs. more tells growth that is more
// than proportional. ok is false where there are fewer than two sizes.
func LastDecade(points []Point) (slope float64, more, ok bool) {
	if len(points) == 0 {
		return 0, false, false
	}
	largest := slices.MaxFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) }).X
	var logs []Point
	for _, p := range points {
		if p.X >= largest/10 && p.X > 0 && p.Y > 0 {
			logs = append(logs, Point{math.Log(p.X), math.Log(p.Y)})
		}
	}
	line, ok := TheilSen(logs)
	return line.B, ok && line.B > superLinear, ok
}
