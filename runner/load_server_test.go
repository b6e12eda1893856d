package runner

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
)

// A server that tells its own time of a call has it in the report, beside the rest; the
// calls that were made before it told any are not among them.
func TestTheServersOwnTimeIsTold(t *testing.T) {
	_, file := breakable(t, func(w http.ResponseWriter) bool {
		w.Header().Add("Server-Timing", "db;dur=0.25")
		w.Header().Add("Server-Timing", `total;desc="all, of it";dur=0.5`)
		return false
	})
	o := briefly()
	o.Batches, o.Rounds, o.Duration, o.Warm, o.MaxCalls = []int{2}, 1, 20*time.Second, -1, 200
	r := loaded(t, file, o)
	row := r.Performance[0]
	s := row.Loaded.Server
	if s == nil || s.TimingMS == nil || s.ApartMS == nil {
		t.Fatalf("%+v", row.Loaded)
	}
	if *s.TimingMS.Min != 0.5 || *s.TimingMS.Max != 0.5 || *s.TimingMS.P50 != 0.5 || *s.ApartMS.Max > *row.Service.Max {
		t.Errorf("own time from %v to %v ms, the rest up to %v", *s.TimingMS.Min, *s.TimingMS.Max, *s.ApartMS.Max)
	}
	if s.TimingMS.P95 == nil || s.TimingMS.P99 != nil {
		t.Error("a quantile of too few calls is told, or one of enough is not")
	}
	if text := pageOf(t, r); !strings.Contains(text, "own p50") || !strings.Contains(text, "Server-Timing") {
		t.Error(text)
	}
}

// metered is a server that counts its calls, and tells them beside.
type metered struct {
	breaking
	asked, pages atomic.Int64
	page         func(calls, page int64) (status int, text string)
}

func (m *metered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/metrics" {
		status, text := m.page(m.asked.Load(), m.pages.Add(1))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
		return
	}
	body, _ := io.ReadAll(r.Body)
	if bytes.Contains(body, []byte("tools/call")) {
		m.asked.Add(1)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	m.breaking.ServeHTTP(w, r)
}

// pageOfMetrics is a page of one counter and two gauges.
func pageOfMetrics(calls, page int64) (int, string) {
	return 200, fmt.Sprintf("# TYPE calls_total counter\ncalls_total{tool=\"find\"} %d\n# TYPE depth gauge\ndepth %d\nother 1\n", 1000+calls, page)
}

// withMetrics loads a metered server for a few calls.
func withMetrics(t *testing.T, page func(calls, page int64) (int, string), change func(*LoadOptions)) reports.Report {
	t.Helper()
	server, file := findingAt(t, &metered{page: page})
	o := briefly()
	o.Batches, o.Duration, o.MaxCalls, o.Metrics, o.Series = []int{2}, 20*time.Second, 300, server.URL+"/metrics", []string{"calls_*", "depth"}
	o.Rounds, o.Warm = 1, -1
	if change != nil {
		change(&o)
	}
	return loaded(t, file, o)
}

// A server's own count of its calls is that of ours: what was counted around the window
// is shared out among exactly the calls that were made in it.
func TestTheServersMetricsAreReadAroundEachWindow(t *testing.T) {
	r := withMetrics(t, pageOfMetrics, nil)
	s := r.Performance[0].Loaded.Server
	if s == nil || len(s.Series) != 2 {
		t.Fatalf("%+v; %s", s, pageOf(t, r))
	}
	if c := s.Series[0]; c.Name != `calls_total{tool="find"}` || c.Kind != measure.KindCounter || c.Value != 300 || c.PerCall == nil || *c.PerCall != 1 {
		t.Errorf("%+v", c)
	}
	if g := s.Series[1]; g.Name != "depth" || g.Kind != measure.KindGauge || g.Value != 2 || g.PerCall != nil {
		t.Errorf("%+v", g)
	}
	if text := pageOf(t, r); !strings.Contains(text, `find, 2 users, 2 items a call: calls_total{tool="find"} +300, 1 a call; depth 2`) {
		t.Error(text)
	}
	of := withMetrics(t, pageOfMetrics, func(o *LoadOptions) {
		o.Rounds, o.Duration, o.Warm, o.MaxCalls = 3, 300*time.Millisecond, 20*time.Millisecond, 0
	}).Performance[0]
	if c := of.Loaded.Server.Series[0]; c.PerCall == nil || *c.PerCall != 1 || c.Value < float64(of.Calls) {
		t.Errorf("of three rounds: %+v, %d calls", c, of.Calls)
	}
}

// Metrics that cannot be read, or begin anew, are told, and are nothing that the server
// under test does wrong.
func TestMetricsThatCannotBeReadAreANote(t *testing.T) {
	for name, c := range map[string]struct {
		page func(calls, page int64) (int, string)
		want string
	}{
		"not there":    {func(int64, int64) (int, string) { return 404, "no such page" }, "the server's metrics could not be read: status 404: no such page"},
		"HTML":         {func(int64, int64) (int, string) { return 200, "<html>" }, "they are not in the text format of Prometheus: line 1"},
		"nothing":      {func(int64, int64) (int, string) { return 200, "" }, "the page is empty"},
		"too long":     {func(int64, int64) (int, string) { return 200, strings.Repeat("a 1\n", mostMetrics/4+1) }, "the page is longer than 1048576 bytes"},
		"none of them": {func(int64, int64) (int, string) { return 200, "other 1\n" }, "have no series of those that are asked for, among 1"},
		"gone at the end": {func(calls, page int64) (int, string) {
			return map[bool]int{true: 200, false: 500}[page == 1], "depth 1"
		}, "could not be read: status 500"},
		"too many": {func(calls, _ int64) (int, string) {
			var b strings.Builder
			for i := range mostSeries + 7 {
				fmt.Fprintf(&b, "calls_%d 1\n", i)
			}
			return 200, b.String()
		}, "7 further series"},
		"counts anew": {func(_, page int64) (int, string) { return 200, fmt.Sprintf("calls_total %d\n", 5-page) }, "calls_total became less within a round: the server began to count anew"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := withMetrics(t, c.page, nil)
			if text := pageOf(t, r); strings.Count(text, c.want) != 1 || r.ExitCode() != 0 || len(r.Findings) > 0 {
				t.Errorf("exit %d, %q: %s", r.ExitCode(), c.want, text)
			}
		})
	}
}

// A program is told of each window's begin and end, and of the cell that is played; one
// that fails is a note.
func TestAProgramIsRunAroundEachWindow(t *testing.T) {
	_, file := findingAt(t, &breaking{})
	told := filepath.Join(t.TempDir(), "told")
	o := briefly()
	o.Batches, o.Duration, o.ServerPID = []int{1, 2}, 60*time.Millisecond, os.Getpid()
	o.OnCell = []string{"/bin/sh", "-c",
		`echo "$MCPCONFORM_EVENT $MCPCONFORM_CELL $MCPCONFORM_BATCH $MCPCONFORM_CONCURRENCY $MCPCONFORM_ROUND $MCPCONFORM_SERVER_PID" >> "$0"; test $MCPCONFORM_EVENT = begin`, told}
	r := loaded(t, file, o)
	text, err := os.ReadFile(told)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		if rest, ok := strings.CutPrefix(lines[i], "begin "); !ok || lines[i+1] != "end "+rest {
			t.Errorf("%q, then %q", lines[i], lines[i+1])
		}
	}
	slices.Sort(lines)
	pid := fmt.Sprint(os.Getpid())
	if want := []string{"begin find 1 2 1 " + pid, "begin find 1 2 2 " + pid, "begin find 2 2 1 " + pid, "begin find 2 2 2 " + pid}; !slices.Equal(lines[:len(lines)/2], want) {
		t.Errorf("%q", lines)
	}
	if page := pageOf(t, r); strings.Count(page, "--on-cell /bin/sh at end: exit status 1") != 1 || r.ExitCode() != 0 {
		t.Errorf("exit %d: %s", r.ExitCode(), page)
	}
}
