package measure

import (
	"math"
	"strconv"
	"time"
)

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return strconv.Itoa(n) + " calls"
}

func milliseconds(d time.Duration) *float64 {
	return significant(float64(d) / float64(time.Millisecond))
}

// significant rounds to three significant digits.
func significant(v float64) *float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		zero := 0.0
		return &zero
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		rounded = v
	}
	return &rounded
}
