package lean

import (
	"testing"
	"time"
)

func TestServerTimingIsRead(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for value, want := range map[string]time.Duration{
		"total;dur=12":                         12 * ms,
		"total;dur=12.345678":                  12345678,
		"Total;Dur=1.5":                        1500 * us,
		"db;dur=3, total;dur=5, cache;dur=1":   5 * ms,
		"total;dur=5, total;dur=6":             5 * ms,
		"app;dur=.25":                          250 * us,
		"app;dur=7.":                           7 * ms,
		`app;desc="a, b; dur=9";dur=2`:         2 * ms,
		`app;desc="a \" dur=9, x;dur=8";dur=2`: 2 * ms,
		`app;dur="4"`:                          4 * ms,
		"miss, app ; dur = 2":                  2 * ms,
		"app;dur=1;dur=2":                      1 * ms,
		"total;dur=0":                          0,
		"app;dur=0.0000004":                    0,
		"miss, total;dur=x, app;dur=3":         3 * ms,
		"total;dur=999999999.999999":           999999999999999,
		",,app;dur=1,":                         1 * ms,
		"db;dur=3, app;dur=5":                  -1,
		"":                                     -1,
		"miss":                                 -1,
		"app;desc=x":                           -1,
		"app;dur=":                             -1,
		"app;dur":                              -1,
		"app;dur=-1":                           -1,
		"app;dur=1e3":                          -1,
		"app;dur=1.2.3":                        -1,
		"app;dur=1000000000":                   -1,
		`app;desc="never closed, total;dur=5`:  -1,
		"app;duration=5":                       -1,
	} {
		var h timing
		h.field([]byte(value))
		took, told := h.served()
		if want < 0 && told || want >= 0 && (!told || took != want) {
			t.Errorf("%s: %s, %t; want %s", value, took, told, want)
		}
	}
}

// Several fields are one list; and reading them takes no memory.
func TestServerTimingInAHead(t *testing.T) {
	head := []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer-Timing: db;dur=3\r\nserver-timing: total;dur=5.5, x;dur=1\r\nContent-Length: 2\r\n\r\n")
	h := readHead(head)
	if took, told := h.timing.served(); !told || took != 5500*time.Microsecond || h.length != 2 {
		t.Errorf("%s, %t; %+v", took, told, h)
	}
	if n := testing.AllocsPerRun(100, func() { h = readHead(head) }); n != 0 {
		t.Errorf("%v allocations a head", n)
	}
}

func FuzzServerTiming(f *testing.F) {
	f.Add([]byte(`db;dur=3;desc="a\\"b", total;dur=5`))
	f.Fuzz(func(t *testing.T, value []byte) {
		var h timing
		h.field(value)
		if took, told := h.served(); took < 0 || told && h.times == 0 {
			t.Errorf("%q: %s of %d times", value, took, h.times)
		}
	})
}
