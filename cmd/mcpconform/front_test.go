package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// fronted is the good fake backend behind a front that sees every call to a
// tool, and may answer in its place.
type fronted struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string
}

// front serves it. answer gives the JSON of a result; empty: the backend answers.
func front(t *testing.T, answer func(tool string, nth int) string) *fronted {
	t.Helper()
	backend, err := fakebackend.New(fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateless})
	if err != nil {
		t.Fatal(err)
	}
	handler := backend.Handler()
	f := &fronted{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal(body, &m) // what is no JSON is the backend's to refuse
		if m.Method == "tools/call" {
			f.mu.Lock()
			f.calls = append(f.calls, m.Params.Name)
			nth := 0
			for _, name := range f.calls {
				if name == m.Params.Name {
					nth++
				}
			}
			f.mu.Unlock()
			if result := answer(m.Params.Name, nth); result != "" {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

// count tells how often a tool was called; empty: all of them.
func (f *fronted) count(tool string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, name := range f.calls {
		if name == tool || tool == "" {
			n++
		}
	}
	return n
}

// last is the tool that was called last.
func (f *fronted) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) == 0 {
		return ""
	}
	return f.calls[len(f.calls)-1]
}

// turning serves a handler behind a front that sends calls of a tool elsewhere:
// where tells to what address, and with what status; none: the handler answers.
func turning(t *testing.T, handler http.Handler, where func(tool string) (string, int)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m struct{ Params struct{ Name string } }
		_ = json.Unmarshal(body, &m) // what is no JSON is the backend's to refuse
		if at, status := where(m.Params.Name); status > 0 {
			http.Redirect(w, r, at, status)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
