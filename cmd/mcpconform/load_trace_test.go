package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The traces that a report names are those that the server was told of.
func TestTheTraceOfAWrongCallIsFoundAtTheServer(t *testing.T) {
	t.Parallel()
	at, _ := startedAside(t, "--fault", "RES-05/status-word@0.2")
	to, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[string]int{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: to.Scheme, Host: to.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if value := r.Header.Get("Traceparent"); value != "" {
			mu.Lock()
			seen[value]++
			mu.Unlock()
		}
		proxy.ServeHTTP(w, r)
	}))
	defer server.Close()
	got := mcpconform(t, shortLoad("--target", "builtin:fakebackend", "--url", server.URL+to.Path, "--traceparent", "--seed", "7", "--duration", "20s", "--max-calls", "300")...)
	r := report(t, got.out)
	mu.Lock()
	defer mu.Unlock()
	if len(seen) < 50 {
		t.Fatalf("%d calls had a trace", len(seen))
	}
	ids := map[string]bool{}
	for value, times := range seen {
		if times > 1 {
			t.Errorf("%s came %d times", value, times)
		}
		ids[strings.Split(value, "-")[1]] = true
	}
	named := 0
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			m := regexp.MustCompile(`trace ([0-9a-f]{32})`).FindStringSubmatch(e.Note)
			if m == nil || !ids[m[1]] {
				t.Errorf("the trace of %q is not among the server's", e.Note)
			}
			named++
		}
	}
	if notes := strings.Join(r.Notes, "\n"); named == 0 || !strings.Contains(notes, "trace ids of this run begin with ") {
		t.Errorf("%d calls are named; %s", named, notes)
	}
}
