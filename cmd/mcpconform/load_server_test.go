package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// shortLoad are the words of a load that takes no time to speak of.
func shortLoad(more ...string) []string {
	return append([]string{"load", "--duration", "300ms", "--rounds", "2", "--batch", "5", "--concurrency", "2", "--operation", "query-orders", "--format", "json", "-q"}, more...)
}

// What a server uses is told where its process is known, however it came to run: and
// with all that it started.
func TestWhatTheServersProcessesUseIsTold(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked at on Linux alone")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdio := []string{"--target", "builtin:fakebackend", "--", self, "fakebackend", "--stdio"}
	for name, c := range map[string]struct {
		words     []string
		processes int
	}{
		"the demonstration":   {nil, 1},
		"one pipe":            {stdio, 1},
		"a process each":      {append([]string{"--processes"}, stdio...), 3}, // and that of the first session
		"a shell that starts": {[]string{"--target", "builtin:fakebackend", "--", "/bin/sh", "-c", self + " fakebackend --stdio; exit"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := report(t, mcpconform(t, shortLoad(c.words...)...).out)
			if len(r.Performance) != 1 || r.Performance[0].Loaded.Server == nil || r.Performance[0].Loaded.Server.Process == nil {
				t.Fatalf("%+v; %s", r.Performance, r.VerdictLine)
			}
			p := r.Performance[0].Loaded.Server.Process
			if p.CPUSeconds <= 0 || p.CPUShare <= 0 || p.CPUPerCallUS == nil || *p.CPUPerCallUS <= *p.CPUPerItemUS || *p.CPUPerItemUS <= 0 || p.OwnPart == nil || *p.OwnPart >= 1 {
				t.Errorf("%+v", p)
			}
			if p.ResidentStart <= 1<<20 || p.ResidentPeak < p.ResidentEnd || p.Threads < 2 || p.Processes != c.processes {
				t.Errorf("%+v", p)
			}
		})
	}
}

// Of a server that somebody else started, nothing is known but by --server-pid.
func TestAServerThatWasThere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked at on Linux alone")
	}
	at, pid := startedAside(t)
	words := []string{"--target", "builtin:fakebackend", "--url", at}
	if r := report(t, mcpconform(t, shortLoad(words...)...).out); r.Performance[0].Loaded.Server != nil {
		t.Errorf("%+v", r.Performance[0].Loaded.Server)
	}
	r := report(t, mcpconform(t, shortLoad(append(words, "--server-pid", fmt.Sprint(pid))...)...).out)
	if s := r.Performance[0].Loaded.Server; s == nil || s.Process == nil || s.Process.CPUSeconds <= 0 {
		t.Errorf("%+v", s)
	}
	var text strings.Builder
	if err := reports.Text(&text, r); err != nil {
		t.Fatal(err)
	}
	says(t, "the page", text.String(), "THE SERVER'S SIDE", "µs/call", "peak")
	gone := exec.Command(os.Args[0], "version")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"-1":                                "is no process",
		fmt.Sprint(os.Getpid()):             "is mcpconform itself",
		fmt.Sprint(gone.ProcessState.Pid()): "there is none with this id",
	} {
		got := mcpconform(t, shortLoad(append(words, "--server-pid", flag)...)...).exits(t, 2)
		says(t, flag, got.err, want)
	}
}

// startedAside starts a fake backend that is nobody's child but the test's, and gives
// its URL and its process.
func startedAside(t *testing.T, flags ...string) (at string, pid int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, append([]string{"fakebackend", "--http", "127.0.0.1:0"}, flags...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), c.Process.Pid
}

// A secret in the URL of the metrics is sent, and is in nothing that is written; typed as
// it is, it is warned of.
func TestSecretsOfTheMetricsURL(t *testing.T) {
	t.Parallel()
	var asked safeBuffer
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		_, _ = io.WriteString(&asked, user+" "+password+" "+r.URL.RawQuery+"\n")
		_, _ = io.WriteString(w, "process_open_fds{of=\"opensesame1\"} 12\n")
	}))
	defer server.Close()
	at := strings.Replace(server.URL, "http://", "http://prom:opensesame1@", 1) + "/metrics?token="
	for name, c := range map[string]struct {
		url    string
		getenv map[string]string
		warns  bool
	}{
		"typed":    {at + "opensesame2", nil, true},
		"by names": {strings.Replace(at, "opensesame1", "${ONE}", 1) + "${TWO}", map[string]string{"ONE": "opensesame1", "TWO": "opensesame2"}, false},
	} {
		w := quiet()
		w.getenv = variables(c.getenv)
		got := mcpconformIn(t, w, shortLoad("--server-metrics", c.url)...)
		r := report(t, got.out)
		if s := r.Performance[0].Loaded.Server; s == nil || len(s.Series) != 1 || s.Series[0].Value != 12 {
			t.Errorf("%s: %+v", name, s)
		}
		if said := got.out + got.err; strings.Contains(said, "opensesame") {
			t.Errorf("%s: a secret is told: %s", name, shortened(said))
		}
		if strings.Contains(got.err, "--server-metrics was typed with a secret") != c.warns {
			t.Errorf("%s: %s", name, got.err)
		}
	}
	if want := "prom opensesame1 token=opensesame2\n"; asked.String() == "" || strings.ReplaceAll(asked.String(), want, "") != "" {
		t.Errorf("asked %q", asked.String())
	}
}

// The words of --on-cell are split as a shell would, and nothing in them is expanded.
func TestWordsAreSplit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"perf":                       {"perf"},
		" perf  record\t-g\n":        {"perf", "record", "-g"},
		`a 'b c' "d e"f`:             {"a", "b c", "d ef"},
		`a '' ""`:                    {"a", "", ""},
		`a b\ c \"d 'e\f' "g\"h"`:    {"a", "b c", `"d`, `e\f`, `g"h`},
		"a $HOME *.go `id` >x; rm y": {"a", "$HOME", "*.go", "`id`", ">x;", "rm", "y"},
	} {
		if got, err := splitWords(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", strconv.Quote(text), got, err)
		}
	}
	for text, want := range map[string]string{"": "names no program", " ": "names no program", `'' a`: "names no program", `a "b`: "not ended", `a\`: "not ended"} {
		if got, err := splitWords(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// The server's own time is what the server took: at least what it was told to take, and
// no more than the call.
func TestTheServersOwnTimeIsTheTruth(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{"JSON": {"--json"}, "an event stream": nil, "the fast front": {"--fast"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, _ := startedAside(t, append(flags, "--server-timing", "--delay", "4ms")...)
			r := report(t, mcpconform(t, shortLoad("--target", "builtin:fakebackend", "--url", at)...).out)
			row := r.Performance[0]
			s := row.Loaded.Server
			if s == nil || s.TimingMS == nil || s.ApartMS == nil {
				t.Fatalf("%+v", s)
			}
			if *s.TimingMS.Min < 4 || *s.TimingMS.Min > *row.Service.Min || *s.TimingMS.Max > *row.Service.Max || *s.ApartMS.Max > *row.Service.Max {
				t.Errorf("own %v to %v ms, the rest up to %v; the call %v to %v", *s.TimingMS.Min, *s.TimingMS.Max, *s.ApartMS.Max, *row.Service.Min, *row.Service.Max)
			}
		})
	}
}
