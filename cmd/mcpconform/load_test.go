package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// Without a target the built-in backend is loaded, in a process of its own.
func TestTheFirstLoadOfANewcomer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report.json")
	got := mcpconform(t, "load", "--duration", "300ms", "--rounds", "3", "--batch", "1,100", "--output", "json="+file)
	r := report(t, read(t, file))
	// On a machine that is busy with other tests the harness may be the limit, and says so.
	if got.code != 0 && got.code != 3 || got.code == 3 && !strings.Contains(r.VerdictLine, "mcpconform's own limit") {
		t.Fatalf("exit %d: %s", got.code, got.out)
	}
	says(t, "the table", got.out, "cancel-products", "query-orders", "calls/s", "items/s", "p50", "WHAT A CALL AND AN ITEM COST")
	says(t, "the last line", lastLine(got.out), "Yours: mcpconform load --target FILE")
	if len(r.Performance) != 5 || !r.Target.Builtin || len(r.Findings) > 0 || len(r.LeftBehind) > 0 || r.Load == nil {
		t.Errorf("%d rows, %+v", len(r.Performance), r.Load)
	}
	for _, row := range r.Performance {
		if row.OK == 0 || row.Wrong+row.Failed > 0 || row.Mode != measure.ModeClosed || row.Loaded == nil || row.Loaded.Rounds != 3 {
			t.Errorf("%+v", row)
		}
	}
}

// A server that is wrong now and then ends in exit 1, over HTTP and over stdio, and the
// rule is named.
func TestAServerThatIsWrongUnderLoad(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, flags string }{
		{"one pipe", ""},
		{"a process each", "--processes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := []string{"load", "--target", "builtin:fakebackend", "--operation", "query-orders", "--batch", "5", "--duration", "20s", "--rounds", "1", "--warm-up", "1ms",
				"--max-calls", "400", "--concurrency", "2"}
			if c.flags != "" {
				args = append(args, c.flags)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			got := mcpconform(t, append(args, "--", self, "fakebackend", "--stdio", "--fault", "RES-02/drops-last@0.1", "--fault", "RES-05/status-word@0.1")...).exits(t, 1)
			says(t, "the report", got.out, "nonconformant under load", "RES-05", "RES-02", "95 % interval", "stdio, own pipes")
		})
	}
}

// What cannot be is said before anything is sent.
func TestLoadFlagsThatCannotBe(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--batch 0":                     "--batch 0 is not a number between 1 and",
		"--batch auto,1":                "--batch auto is not a number",
		"--concurrency 100000":          "--concurrency 100000 is not between 1 and",
		"--rounds -1":                   "--rounds -1",
		"--duration -1s":                "--duration -1s is negative",
		"--mix good=0.5":                "must make 1",
		"--mix bad=2":                   "no shares of good and bad items",
		"--items random":                "none of unique, cycle, same, zipf",
		"--verify none":                 "none of memo, full, sample:K",
		"--verify sample:1":             "does not say which calls",
		"--rate x":                      "no number of calls a second",
		"--rate 0":                      "no call is ever made",
		"--rate 10,20":                  "each of several stages says how long it takes",
		"--rate 5s@10 --duration 3s":    "says itself how long it takes",
		"--arrivals poisson":            "without --rate",
		"--rate 5 --arrivals bursts":    "how large a burst is",
		"--rate 5 --arrivals sometimes": "none of constant, poisson, bursts:N, FILE.csv",
		"--rate 5 --think 1s":           "--think is given beside --rate",
		"--arrivals none.csv":           "no such file",
		"--arrivals none.csv --rate 5":  "says itself when calls are made",
		"--max-errors 0":                "no share above 0",
		"--soak -1s":                    "is not between 0 and",
		"--soak 1m --rounds 2":          "leave out --duration, --rounds and --slo",
		"--soak 1m --rate 1..9":         "the rate does not",
		"--server-series a":             "without --server-metrics",
		"--server-metrics ftp://127.0.0.1/ --server-series a":   "no http or https URL",
		"--server-metrics http://127.0.0.1/ --server-series [a": "no pattern",
		"--server-metrics http://u:pass@metrics.acme.example/":  "metrics.acme.example is not this machine, and is asked before and after each window",
		"--server-metrics http://127.0.0.1/?token=${NONE}":      "the environment variable NONE is not set",
		"--on-cell 'unended":              "is not ended",
		"--on-cell /nonexistent/profiler": "no such file",
		"--max-calls -1":                  "--max-calls -1 is negative",
		"--url https://accounts.acme.example/mcp --target builtin:fakebackend": "give --confirm accounts.acme.example",
	} {
		got := mcpconform(t, append([]string{"load"}, strings.Fields(args)...)...).exits(t, 2)
		says(t, args, got.err, want)
	}
}

func TestRatesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"200":                         "200/s, constant",
		"200/s":                       "200/s, constant",
		"100..1000":                   "100/s to 1000/s, constant",
		"10s@100,5s@1000..0,1m@0..50": "100/s in 10s, 1000/s to 0/s in 5s, 0/s to 50/s in 1m0s, constant",
	} {
		stages, err := stagesOf(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := (runner.Arrivals{Stages: stages}).String(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The order of cells, and so the report, holds all that was asked for.
func TestEveryCellIsInTheReport(t *testing.T) {
	t.Parallel()
	got := mcpconform(t, "load", "--format", "json", "--duration", "60ms", "--rounds", "1", "--batch", "1,3", "--concurrency", "1,4", "--operation", "query-*", "-q")
	r := report(t, got.out)
	var cells [][2]int
	for _, row := range r.Performance {
		cells = append(cells, [2]int{row.Concurrency, row.BatchSize})
	}
	if want := [][2]int{{1, 1}, {1, 3}, {4, 1}, {4, 3}}; !slices.Equal(cells, want) {
		t.Errorf("%v", cells)
	}
	if r.Verdict == reports.Nonconformant {
		t.Error(r.VerdictLine)
	}
}

// The calls of a log are made when it says.
func TestALogIsReplayed(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "night.csv")
	if err := os.WriteFile(log, []byte("time,tool\n10,a\n10.1,b\n10.1,c\n10.4,d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mcpconform(t, "load", "--operation", "query-orders", "--batch", "2", "--arrivals", log, "--format", "json", "-q")
	row := report(t, got.out).Performance[0]
	if row.Calls != 4 || row.Mode != measure.ModeOpen || got.code != 0 && got.code != 3 {
		t.Errorf("exit %d, %d calls: %+v", got.code, row.Calls, row)
	}
}
