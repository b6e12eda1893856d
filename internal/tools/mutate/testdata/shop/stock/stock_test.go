package stock

import "testing"

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		have, wanted int
		enough       bool
	}{{3, 2, true}, {2, 2, true}, {1, 2, false}, {1, 0, false}, {0, 1, false}} {
		if Enough(c.have, c.wanted) != c.enough {
			t.Errorf("%+v", c)
		}
	}
}

func TestSum(t *testing.T) {
	if got := Sum([]int{1, 2, -1, 4}); got != 3 {
		t.Error(got)
	}
	if got := Sum([]int{0, 5}); got != 5 {
		t.Error(got)
	}
}

func TestKindOf(t *testing.T) {
	for name, want := range map[string]Kind{"book": Book, "mug": Mug, "tea": Unknown} {
		if got, err := KindOf(name); got != want || (err == nil) != (want != Unknown) {
			t.Error(name, got, err)
		}
	}
}

func TestRate(t *testing.T) {
	if Rate(Book) != 7 || Rate(Mug) != 19 || Rate(Unknown) != 0 {
		t.Error("rates")
	}
}

func TestPositive(t *testing.T) {
	for n, want := range map[int]int{-1: 0, 0: 0, 2: 2} {
		if Positive(n) != want {
			t.Error(n)
		}
	}
}

func TestForever(t *testing.T) {
	if Forever(3) != 3 {
		t.Error("steps")
	}
}
