package campaign

import "testing"

// Whatever the capacity, the climb ends within 5 % below it, having confirmed.
func TestTheClimbEndsAtTheCapacity(t *testing.T) {
	for _, c := range []struct{ first, capacity, want float64 }{
		{50, 200, 200}, {1, 200, 200}, {5000, 200, 200}, {100, 1.3, 1.3}, {1, 1, 1}, {3, 0.5, 0}, {1000, 5e6, mostRate},
	} {
		confirmed, tries := map[float64]int{}, 0
		low, high := climb(c.first, func(rate float64, sure bool) bool {
			tries++
			if sure {
				confirmed[rate]++
			}
			return rate <= c.capacity
		}, func() bool { return tries < 100 })
		if low > c.want || low < c.want/precision-1e-9 {
			t.Errorf("from %v to a capacity of %v: %v", c.first, c.capacity, low)
		}
		if low > 0 && confirmed[low] != confirming {
			t.Errorf("%v was confirmed %d times", low, confirmed[low])
		}
		if (high == 0) != (c.capacity > mostRate) || high != 0 && high <= c.capacity {
			t.Errorf("capacity %v: %v broke", c.capacity, high)
		}
		if tries > mostSteps {
			t.Errorf("from %v to %v took %d steps", c.first, c.capacity, tries)
		}
	}
}

// A rate that held once and breaks when confirmed is not what is found.
func TestTheClimbGoesDownWhereConfirmingBreaks(t *testing.T) {
	low, _ := climb(50, func(rate float64, sure bool) bool { return rate <= 200 && (!sure || rate <= 150) }, func() bool { return true })
	if low > 150 || low < 150/precision {
		t.Errorf("%v", low)
	}
	// Interrupted while it confirms, nothing is found.
	going := true
	if low, _ := climb(50, func(rate float64, sure bool) bool { going = going && !sure; return rate <= 200 }, func() bool { return going }); low != 0 {
		t.Errorf("%v was not confirmed", low)
	}
}
