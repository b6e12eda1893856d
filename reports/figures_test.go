package reports

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
)

// loadSample is a load run with a row of two rounds, one of an open loop whose name a
// spreadsheet would run, and one in which no call was right.
func loadSample() Report {
	r := Begin(conform.Header{
		Run: conform.Run{ID: "r9", Seed: 7, Command: "mcpconform load"}, Environment: conform.Environment{OS: "linux", Arch: "amd64", CPU: "a processor"},
		Target: conform.Target{Name: "Acme accounts", Transport: "streamable-http"},
	})
	r.Target.Protocol = "2025-11-25"
	row := func(operation, mode string, users int, rounds ...int) Performance {
		var all measure.Rounds
		for n, calls := range rounds {
			t := &measure.Tally{Window: measure.Window{To: time.Second}}
			for i := range calls {
				at := time.Duration(i) * time.Millisecond
				s := measure.Sample{Intended: at, Sent: at + 1, First: at + 2, Done: at + time.Duration(1000+i*(n+1))*time.Microsecond, Items: 10, Outcome: measure.OK, Form: measure.FormJSON}
				if i%100 == 99 {
					s.Outcome = measure.Wrong
				}
				t.Add(&s)
			}
			all.Add(t)
		}
		p := all.Row(10)
		p.Operation, p.Concurrency, p.Mode, p.Protocol, p.Loaded.Choice = operation, users, mode, "2025-11-25", "cycle"
		return p
	}
	mix := row("cancel products/all", measure.ModeClosed, 8, 60)
	mix.Loaded.Mix = "evening"
	r.Performance = []Performance{
		row("query-orders", measure.ModeClosed, 8, 400, 300), row(`=HYPERLINK("http://evil.example")`, measure.ModeOpen, 64, 20), mix,
		row("none", measure.ModeClosed, 1, 0),
	}
	r.Load = &Load{Mode: measure.ModeClosed, Rounds: 2}
	return judgedReport(r, Nonconformant)
}

func TestFiguresForOtherTools(t *testing.T) {
	for name, write := range map[string]Writer{"csv": CSV, "hgrm": Hgrm, "bench": Benchstat} {
		golden(t, "load."+name, written(t, write, loadSample()))
		golden(t, "full."+name, written(t, write, sample()))
	}
}

// Every line of a benchmark has a name without white space, a number of calls, and
// pairs of figure and unit; there are as many as rounds with right answers.
func TestBenchmarkLinesAreWellFormed(t *testing.T) {
	for name, c := range map[string]struct {
		r    Report
		want int
	}{"load": {loadSample(), 4}, "run": {sample(), 2}, "hostile": {hostile(), 0}} {
		lines := 0
		for line := range strings.Lines(string(written(t, Benchstat, c.r))) {
			words := strings.Fields(line)
			if len(words) == 0 || !strings.HasPrefix(words[0], "Benchmark") {
				continue
			}
			if lines++; len(words) < 4 || len(words)%2 != 0 {
				t.Errorf("%s: %q", name, line)
			}
		}
		if lines != c.want {
			t.Errorf("%s: %d lines, want %d", name, lines, c.want)
		}
	}
}

// A table has one width, and no cell that a spreadsheet would run.
func TestNoCellIsAFormula(t *testing.T) {
	for _, evil := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "|calc", "%0a", nasty} {
		lines, err := csv.NewReader(bytes.NewReader(written(t, CSV, saying(evil)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != 2 || !slices.Contains(lines[0], "latency_ms.p99") {
			t.Errorf("%q", lines)
		}
		for i, cell := range lines[1] {
			if cell != "" && strings.ContainsRune("=+-@|%\t\r", rune(cell[0])) {
				t.Errorf("%s: %q", lines[0][i], cell)
			}
		}
	}
}

// The percentile text says the same as the row: its last step has all right calls, and
// the slowest of them.
func TestPercentilesHoldEveryCall(t *testing.T) {
	text := string(written(t, Hgrm, loadSample()))
	for _, want := range []string{"# query-orders items=10 users=8 closed\n", "1.000000000000        693\n", "Total count    =          693]", "# there is no latency"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
