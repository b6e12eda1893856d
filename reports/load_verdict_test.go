package reports

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// A cell whose calls all began in the warm-up was answered: that its window is too short
// is another thing than that no answer came.
func TestWhatACellWithoutACallLacks(t *testing.T) {
	for warning, says := range map[string]string{
		measure.NoneBegan:               "1 of 2 cells is shorter than its calls (--duration)",
		"no call succeeded: no latency": "1 of 2 cells has no answer that is no failure",
	} {
		r := &Report{Load: &Load{}, Performance: []measure.Performance{{Calls: 9, OK: 9}, {Warnings: []string{warning}}}}
		DecideLoad(r)
		if r.Verdict != Incomplete || !strings.Contains(r.VerdictLine, says) {
			t.Errorf("%s: %s, %s", warning, r.Verdict, r.VerdictLine)
		}
	}
}
