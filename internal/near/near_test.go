package near

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "ac", 1}, {"abc", "abxc", 1}, {"abc", "axc", 1},
		{"RSE", "RES", 1}, {"kitten", "sitting", 3}, {"é", "e", 1}, {strings.Repeat("a", 65), "a", 65},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q to %q is %d, and back %d; want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestWord(t *testing.T) {
	known := []string{"partial", "sweep", "empty"}
	for word, want := range map[string]string{"partail": "partial", "sweeps": "sweep", "concurrent": "", "": "", strings.Repeat("partial", 20): ""} {
		if got := Word(word, known); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
}
