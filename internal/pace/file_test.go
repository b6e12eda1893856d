package pace

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestArrivalsAreReadFromALog(t *testing.T) {
	ms := time.Millisecond
	for text, want := range map[string][]time.Duration{
		"5\n5.25\n7\n": {0, 250 * ms, 2000 * ms},
		"time,tool\n\n# a night\n100.5,a\n100.5,b\n":             {0, 0},
		"2026-12-01T10:00:00Z,x\n2026-12-01T10:00:01.5Z,y\n":     {0, 1500 * ms},
		"\"2026-12-01 10:00:00\"\n\"2026-12-01 10:00:00.125\"\n": {0, 125 * ms},
		"2026-12-01T10:00:00+01:00\n2026-12-01T09:00:02Z\n":      {0, 2000 * ms},
	} {
		got, err := ReadArrivals(strings.NewReader(text))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                          "there is no arrival",
		"a\nb\n":                    "line 2: \"b\" is neither seconds nor a time",
		"2\n1\n":                    "line 2: \"1\" is earlier",
		"1\n2026-12-01T10:00:00Z\n": "line 2: \"2026-12-01T10:00:00Z\" is no time of the sort",
		"1\n-1\n":                   "line 2: \"-1\" is no number of seconds",
		"1\nx\n":                    "line 2",
	} {
		if _, err := ReadArrivals(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
