package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// doored is the good fake backend behind a door that knows credentials.
type doored struct {
	*httptest.Server
	backend *fakebackend.Backend
	mu      sync.Mutex
	calls   map[string]int // that came to the door, by tool
}

// door serves it. refuse gives the status by which a request is refused; 0: it is
// let in. nth counts the calls of the tool, all those of all tools; of other methods
// the tool is empty.
func door(t *testing.T, refuse func(tool string, nth, all int) int) *doored {
	t.Helper()
	backend, err := fakebackend.New(fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateless})
	if err != nil {
		t.Fatal(err)
	}
	d := &doored{backend: backend, calls: map[string]int{}}
	handler := backend.Handler()
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m struct{ Params struct{ Name string } }
		_ = json.Unmarshal(body, &m) // what is no JSON is the backend's to refuse
		d.mu.Lock()
		if m.Params.Name != "" {
			d.calls[m.Params.Name]++
		}
		all := 0
		for _, n := range d.calls {
			all += n
		}
		status := refuse(m.Params.Name, d.calls[m.Params.Name], all)
		d.mu.Unlock()
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(d.Close)
	return d
}

// A scope that the credentials lack for one tool ends neither the session nor the
// run, and leaves nothing behind: nothing was written through it.
func TestOneToolIsRefusedAndTheOthersAnswer(t *testing.T) {
	t.Parallel()
	server := door(t, func(tool string, _, _ int) int {
		if tool == "cancel_subscriptions" {
			return http.StatusForbidden
		}
		return 0
	})
	r, got := run(t, "--target", "builtin:fakebackend", "--url", server.URL, "--seed", "5", "--scenario", "partial,all-fail,all-succeed,read-only-bulk")
	got.exits(t, reports.ExitIncomplete)
	if r.Run.Cause != "" || r.Run.Ended != conform.EndDone {
		t.Errorf("the run ended by %q (%s)", r.Run.Cause, r.Run.Ended)
	}
	if n := server.calls["cancel_subscriptions"]; n != 3 {
		t.Errorf("the tool was called %d times", n)
	}
	if len(r.LeftBehind) > 0 {
		t.Errorf("left behind: %+v", r.LeftBehind)
	}
	told, passed := false, false
	for _, f := range r.Findings {
		switch {
		case f.Verdict == conform.Fail && f.Level == conform.Must:
			t.Errorf("%s on %s: %s", f.ID, f.Operation, f.Got)
		case f.Operation == "cancel-products" && f.ID == "EFF-01":
			passed = f.Verdict == conform.Pass
		case f.Operation == "cancel-subscriptions":
			told = told || strings.HasPrefix(f.Reason, "the server refused 3 calls of the tool cancel_subscriptions in a row (HTTP 403) and answered other requests")
		}
	}
	if !told || !passed {
		t.Errorf("the refusal is told: %t; the other operation passes EFF-01: %t", told, passed)
	}
}

// Credentials that end within the run end it, once; what is then left behind is
// what was really done, and nothing that was refused.
func TestCredentialsThatEndAreOneCause(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		ended := false
		server := door(t, func(tool string, nth, _ int) int {
			switch ended = ended || tool == "cancel_products" && nth == 2; {
			case ended:
				return status
			case tool == "reset" && nth == 2:
				return http.StatusInternalServerError
			}
			return 0
		})
		// Without eyes nothing but answers tells what was done: by the first call, since
		// the second reset fails, and the second call is refused.
		r, got := run(t, "--target", write(t, "t.yaml", blindCancelling), "--url", server.URL, "--seed", "5", "--scenario", "partial")
		got.exits(t, reports.ExitIncomplete)
		if cause := map[int]string{http.StatusUnauthorized: "credentials expired after ", http.StatusForbidden: "the server stopped accepting the credentials: "}[status]; !strings.HasPrefix(r.Run.Cause, cause) {
			t.Errorf("%d: the cause is %q", status, r.Run.Cause)
		}
		var done, named []string
		for _, e := range server.backend.Effects() {
			if e.Kind == "product-cancelled" {
				done = append(done, e.Item)
			}
		}
		for _, l := range r.LeftBehind {
			named = append(named, l.Item)
		}
		slices.Sort(done)
		slices.Sort(named)
		if len(done) == 0 || !slices.Equal(slices.Compact(done), named) {
			t.Errorf("%d: left behind is %q, and done was %q", status, named, done)
		}
		if strings.Contains(got.out, "Nothing was asked") {
			t.Errorf("%d: %s", status, got.out)
		}
	}
}

// A server that lists its tools to anybody, and lets nobody call them.
func TestEveryCallIsRefusedAndTheListsAreNot(t *testing.T) {
	t.Parallel()
	server := door(t, func(tool string, _, _ int) int {
		if tool != "" {
			return http.StatusUnauthorized
		}
		return 0
	})
	r, got := run(t, "--target", "builtin:fakebackend", "--url", server.URL, "--seed", "5", "--scenario", "partial,all-fail,all-succeed,read-only-bulk")
	got.exits(t, reports.ExitUnreachable)
	if want := "the server lists its tools and refused the credentials of every call (HTTP 401)"; r.Run.Cause != want {
		t.Errorf("the cause is %q", r.Run.Cause)
	}
	if len(r.LeftBehind) > 0 {
		t.Errorf("left behind: %+v", r.LeftBehind)
	}
}

const blindCancelling = `version: 1
operations:
  cancel-products:
    tool: cancel_products
    effect: write
    input: {argument: items}
    validator: none
    workflow: none
    idempotency: none
    probe: none
    reset: {tool: reset}
    items:
      good: {template: {name: "Bulk {n}", id: "B{n}"}, count: 30}
      bad: [{id: X-1}, {id: X-2}, {id: X-3}]
`
