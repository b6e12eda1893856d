package reports

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// What drifts is told with its interval; what does not, and what cannot be told, as such.
func TestWhatMovedIsTold(t *testing.T) {
	growing := &measure.Trend{From: 10, To: 15, Growth: 0.5, Interval: [2]float64{0.4, 0.62}, Drifts: true}
	steady := &measure.Trend{From: 30, To: 29.4, Growth: -0.02, Interval: [2]float64{-0.1, 0.05}}
	leak := &measure.Trend{From: 50e6, To: 75e6, Growth: 0.5, Interval: [2]float64{0.49, 0.51}, Drifts: true}
	four := 4
	for name, c := range map[string]struct {
		row  measure.LoadRow
		want string
	}{
		"a leak": {measure.LoadRow{Soak: &measure.Soak{P50MS: growing, P99MS: steady, Resident: leak, ResidentPer1000: number(12500)}},
			"p50 drifts from 10.0 ms to 15.0 ms (+50.0 %; 99 % interval +40.0 % to +62.0 %); memory drifts from 50.0 MB to 75.0 MB (+50.0 %; 99 % interval +49.0 % to +51.0 %), 12.5 kB for each thousand calls; no drift is seen of p99 -2.00 % (-10.0 % to +5.00 %)"},
		"nothing":       {measure.LoadRow{Soak: &measure.Soak{P99MS: steady}}, "10 items a call: no drift is seen of p99 -2.00 % (-10.0 % to +5.00 %)"},
		"too few calls": {measure.LoadRow{Soak: &measure.Soak{}}, "too few calls, or too short a time, to tell what drifts"},
		"it came back":  {measure.LoadRow{Recovery: &measure.Recovery{From: 10, To: 15.5, BeforeMS: 3.2, WorstMS: 250, Seconds: &four, Watched: 9}}, "the spike from 10.0 s to 15.5 s took latency from 3.20 ms to 250 ms in its slowest second; it was as before within 4 seconds of its end"},
		"it did not":    {measure.LoadRow{Recovery: &measure.Recovery{From: 10, To: 15, BeforeMS: 3.2, WorstMS: 250, Watched: 9}}, "9 seconds later, when the window ended, it was not as before"},
	} {
		if text := loadPage(t, Performance{Operation: "find", BatchSize: 10, Concurrency: 8, Loaded: &c.row}); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := loadPage(t, Performance{Operation: "find", Loaded: &measure.LoadRow{}}); strings.Contains(text, "OVER TIME") {
		t.Error(text)
	}
}
