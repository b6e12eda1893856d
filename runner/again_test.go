package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// moody is a server of sessions whose answers to requests begin with a list of
// statuses.
type moody struct {
	mu       sync.Mutex
	opened   int
	statuses []int
}

func (m *moody) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&q) // a DELETE has no body
	m.mu.Lock()
	defer m.mu.Unlock()
	result := `{}`
	switch q.Method {
	case "initialize":
		m.opened++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-of-moody-%d", m.opened))
		result = `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"moody","version":"1"}}`
	case "tools/call", "tools/list":
		if len(m.statuses) > 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(m.statuses[0])
			m.statuses = m.statuses[1:]
			return
		}
		result = `{"content":[]}`
	default:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

func TestCallsThatAreRefusedAreMadeAgain(t *testing.T) {
	for name, c := range map[string]struct {
		statuses []int
		answered bool
		opened   int
		waited   int
	}{
		"at once":                  {nil, true, 1, 0},
		"busy once":                {[]int{429}, true, 1, 1},
		"busy in two ways":         {[]int{429, 503}, true, 1, 2},
		"the session was lost":     {[]int{404}, true, 2, 0},
		"lost, then busy":          {[]int{404, 503}, true, 2, 1},
		"busy for good":            {[]int{429, 429, 429, 429, 429}, false, 1, 3},
		"another status":           {[]int{500}, false, 1, 0},
		"the credentials ran out":  {[]int{401, 401}, false, 1, 0},
		"they lack a scope":        {[]int{403}, false, 1, 0},
		"a gateway in its place":   {[]int{502}, false, 1, 0},
		"every session is unknown": {[]int{404, 404, 404, 404, 404}, false, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := &moody{statuses: c.statuses}
			web := httptest.NewServer(server)
			defer web.Close()
			file, err := target.FromURL(web.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := newRun(file, Options{}, suites.Default())
			config := file.Wire(r.record)
			config.Protocol = "2025-11-25"
			ctx := context.Background()
			if r.client, err = wire.Dial(ctx, config); err != nil {
				t.Fatal(err)
			}
			defer r.close(ctx)
			session, err := r.open(ctx, main)
			if err != nil {
				t.Fatal(err)
			}
			session, reply := r.exchange(ctx, session, wire.Request{Call: "c", Method: "tools/call", ID: wire.FirstGivenID})
			r.departed(ctx, session, "t", reply)
			if answered := reply.Result != nil; answered != c.answered {
				t.Errorf("answered %t: %s", answered, reply.Problem)
			}
			if server.opened != c.opened {
				t.Errorf("%d sessions were opened, wanted %d", server.opened, c.opened)
			}
			if r.waited.times != c.waited {
				t.Errorf("waited %d times, wanted %d", r.waited.times, c.waited)
			}
			r.gone("over")
			class := conform.EndGone
			if len(c.statuses) > 0 && c.statuses[0] == 401 {
				class = conform.EndExpired
			}
			if r.stop.class != class {
				t.Errorf("the run ended as %q, wanted %q", r.stop.class, class)
			}
		})
	}
}

func TestRunWaitsOnlySoLongForBusyServers(t *testing.T) {
	clock := &clock{}
	r := &run{pace: clock.pace(target.Limits{})}
	for after, long := range map[string]string{
		"86400": "24 hours", "1000000": "12 days", "99999999999": "more than a year", "99999999999999999999999": "more than a year",
		"Fri, 01 Dec 9999 12:01:00 GMT": "more than a year", "121": "2 minutes",
	} {
		away := &run{pace: clock.pace(target.Limits{})}
		want := "a busy server (HTTP 429) asked to be left alone for " + long + " (Retry-After), and a run waits at most 2 minutes at once"
		if away.patience(&wire.Reply{Status: 429, RetryAfter: after}, 1) || away.waited.times != 0 || away.shut() != want {
			t.Errorf("after Retry-After %s: waited %d times; %q, want %q", after, away.waited.times, away.shut(), want)
		}
	}
	n := 0
	for ; n < 1000 && r.patience(&wire.Reply{RetryAfter: "100"}, 1); n++ {
		clock.advance(100 * time.Second) // the pause is over when the next refusal comes
	}
	if n == 1000 || n < 10 || r.waited.sum > mostWaiting || !strings.Contains(r.shut(), "a run waits at most 30 minutes in all") {
		t.Errorf("%d waits, %s in all", n, r.waited.sum)
	}
}

func TestCallsRefusedTogetherWaitOnce(t *testing.T) {
	clock := &clock{}
	r := &run{pace: clock.pace(target.Limits{})}
	for range 8 {
		r.patience(&wire.Reply{RetryAfter: "10"}, 1)
	}
	if r.waited.times != 8 || r.waited.sum != 10*time.Second {
		t.Errorf("%d refusals, %s", r.waited.times, r.waited.sum)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		text, date string
		wait, off  time.Duration
		ok         bool
	}{
		"at once":                      {"0", "", 0, 0, true},
		"seconds":                      {"17", "Tue, 01 Dec 2026 15:00:00 GMT", 17 * time.Second, 0, true},
		"very many seconds":            {"99999999999", "", math.MaxInt64 / 1_000_000_000 * time.Second, 0, true},
		"more seconds than numbers":    {"99999999999999999999999", "", math.MaxInt64 / 1_000_000_000 * time.Second, 0, true},
		"a date":                       {"Tue, 01 Dec 2026 12:01:00 GMT", "Tue, 01 Dec 2026 12:00:00 GMT", time.Minute, 0, true},
		"a date, and no Date":          {"Tue, 01 Dec 2026 12:01:00 GMT", "", time.Minute, 0, true},
		"a clock that is ahead":        {"Tue, 01 Dec 2026 15:00:03 GMT", "Tue, 01 Dec 2026 15:00:00 GMT", 3 * time.Second, 3 * time.Hour, true},
		"a clock that is behind":       {"Tue, 01 Dec 2026 11:00:03 GMT", "Tue, 01 Dec 2026 11:00:00 GMT", 3 * time.Second, -time.Hour, true},
		"a date that is over":          {"Tue, 01 Dec 2026 11:59:00 GMT", "Tue, 01 Dec 2026 12:00:00 GMT", 0, 0, false},
		"a date that is over for us":   {"Tue, 01 Dec 2026 11:59:00 GMT", "", 0, 0, false},
		"nothing":                      {"", "", 0, 0, false},
		"no number":                    {"soon", "", 0, 0, false},
		"a time before":                {"-3", "", 0, 0, false},
		"a number that is not whole":   {"1.5", "", 0, 0, false},
		"a Date that is none":          {"Tue, 01 Dec 2026 12:01:00 GMT", "today", time.Minute, 0, true},
		"a date in thousands of years": {"Fri, 01 Dec 9999 12:01:00 GMT", "", 1<<63 - 1, 0, true},
	} {
		wait, off, ok := retryAfter(c.text, c.date, now)
		if wait != c.wait || off != c.off || ok != c.ok {
			t.Errorf("%s: %s, %s, %t", name, wait, off, ok)
		}
	}
}

// A date that two clocks read differently makes nobody wait for ever, nor hammer,
// and the report tells of it.
func TestABusyServerWithAnotherClock(t *testing.T) {
	for name, c := range map[string]struct {
		after, date string
		waited      time.Duration // by the first refusal
		again       bool
		notes       []string
	}{
		"ahead":   {"Tue, 01 Dec 2026 15:00:03 GMT", "Tue, 01 Dec 2026 15:00:00 GMT", 3 * time.Second, true, []string{"was busy", "3 hours ahead of this machine's"}},
		"behind":  {"Tue, 01 Dec 2026 11:00:03 GMT", "Tue, 01 Dec 2026 11:00:00 GMT", 3 * time.Second, true, []string{"was busy", "60 minutes behind this machine's"}},
		"over":    {"Tue, 01 Dec 2026 11:00:00 GMT", "Tue, 01 Dec 2026 12:00:00 GMT", 500 * time.Millisecond, true, []string{"was busy (HTTP 429 or 503) 1 time: the run waited 500ms in all"}},
		"at once": {"0", "", 0, true, []string{"was busy (HTTP 429 or 503) 1 time: the run repeated the calls that were refused, without a wait"}},
		"far":     {"Wed, 02 Dec 2026 12:00:00 GMT", "", 0, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &clock{}
			r := &run{pace: clock.pace(target.Limits{})}
			again := r.patience(&wire.Reply{RetryAfter: c.after, Date: c.date}, 1)
			if again != c.again || r.waited.sum != c.waited {
				t.Errorf("again %t, after %s", again, r.waited.sum)
			}
			notes := r.waited.notes()
			if len(notes) != len(c.notes) {
				t.Fatalf("%q", notes)
			}
			for i, want := range c.notes {
				if !strings.Contains(notes[i], want) {
					t.Errorf("%q does not say %q", notes[i], want)
				}
			}
		})
	}
}

// A server that is busy for several calls in a row, and never says for how long,
// is not asked for every further one.
func TestAServerThatIsBusyForGoodIsNotAskedForEver(t *testing.T) {
	clock := &clock{}
	r := &run{pace: clock.pace(target.Limits{})}
	tries := 0
	for call := 0; r.shut() == "" && call < 10; call++ {
		for try := 1; ; try++ {
			tries++
			at := clock.time().Sub(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)) + time.Duration(tries)
			if !r.patience(&wire.Reply{Status: 503, RetryAfter: "soon", Sent: at, Done: at}, try) {
				break
			}
			clock.advance(5 * time.Second)
		}
	}
	if want := "the server was busy (HTTP 503) for 3 calls in a row, each of which was made at least 4 times"; r.shut() != want || tries != mostTries+2*mostBlindly {
		t.Errorf("%d tries; %q, want %q", tries, r.shut(), want)
	}
	r = &run{pace: clock.pace(target.Limits{})}
	for call := range 10 {
		at := time.Duration(call + 1)
		r.patience(&wire.Reply{Status: 503, Sent: at, Done: at}, mostBlindly)
		r.taken(&wire.Reply{Response: &frame.Message{}})
	}
	if r.shut() != "" {
		t.Errorf("it answered in between: %q", r.shut())
	}
}

// sentAway answers so many calls, and sends the client away for years then.
type sentAway struct {
	turning sync.Mutex
	takes   int
	called  int
	turned  int
	warehouse
}

func (s *sentAway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.turning.Lock()
	defer s.turning.Unlock()
	body, _ := io.ReadAll(r.Body) // what does not read is no call
	if strings.Contains(string(body), `"tools/call"`) {
		if s.called++; s.called > s.takes {
			s.turned++
			w.Header().Set("Retry-After", "99999999999")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	s.warehouse.ServeHTTP(w, r)
}

func TestWhoIsSentAwayForYearsDoesNotComeBack(t *testing.T) {
	away := &sentAway{takes: 9, warehouse: warehouse{shipped: map[string]bool{}, asked: map[string]bool{}}}
	server := httptest.NewServer(away)
	defer server.Close()
	file := shipping(t, server.URL+"/mcp", stocked)
	file.Server.Protocol = "2025-06-18"
	report, err := Run(context.Background(), file, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const cause = "a busy server (HTTP 429) asked to be left alone for more than a year (Retry-After), and a run waits at most 2 minutes at once"
	if away.turned != 1 || report.Run.Cause != cause || report.ExitCode() != 3 {
		t.Errorf("%d calls were refused; exit %d, because %q", away.turned, report.ExitCode(), report.Run.Cause)
	}
	for _, f := range report.Findings {
		if f.Verdict == conform.NotRun && f.ID == "LD-02" && f.Reason != cause {
			t.Errorf("%s was not run: %s", f.ID, f.Reason)
		}
	}
}
