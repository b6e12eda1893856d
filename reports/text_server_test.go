package reports

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/measure"
)

func number(v float64) *float64 { return &v }

// loadPage is the page of a load run with some rows, its lines in one.
func loadPage(t *testing.T, rows ...Performance) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, Report{Load: &Load{}, Performance: rows}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// What was seen of the server has a table of its own, without the columns of what
// nobody knows; where nothing was seen there is none.
func TestTheServersSideHasWhatIsKnown(t *testing.T) {
	bare := Performance{Operation: "find", BatchSize: 10, Concurrency: 8, Loaded: &measure.LoadRow{}}
	if text := loadPage(t, bare); strings.Contains(text, "SERVER'S SIDE") {
		t.Error(text)
	}
	known := bare
	known.Loaded = &measure.LoadRow{Server: &measure.ServerSide{Process: &measure.Process{
		CPUSeconds: 2, CPUShare: 1.5, CPUPerCallUS: number(320), CPUPerItemUS: number(32), OwnPart: number(0.08),
		ResidentStart: 50e6, ResidentEnd: 61e6, ResidentPeak: 72e6, Threads: 11, Processes: 2,
	}}}
	text := loadPage(t, bare, known)
	for _, want := range []string{
		"THE SERVER'S SIDE", "operation users items cores µs/call µs/item ours MB to peak threads", "find 8 10 1.50 320 32.0 8.00 % 50.0 61.0 72.0 11",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told: %s", want, text)
		}
	}
	if strings.Contains(text, "own p50") {
		t.Error("Server-Timing has a column, and nobody sent it")
	}
}
