package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// gate stands in front of a backend. From the first cancellation on it holds back every
// answer, so that a run that is killed is killed in the middle of a call that did
// something, however busy the machine is; then it lets all pass.
type gate struct {
	URL  string
	held chan struct{} // closed when an answer is held back
	open chan struct{} // closed when all may pass
}

var errHeld = errors.New("the answer is held back")

// gated gives a gate in front of a backend.
func gated(t *testing.T, running *fakebackend.Running) *gate {
	t.Helper()
	to, err := url.Parse(running.URL)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{held: make(chan struct{}), open: make(chan struct{})}
	var once sync.Once
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: to.Scheme, Host: to.Host})
	proxy.ModifyResponse = func(answer *http.Response) error {
		if cancelled(running.Backend) == 0 {
			return nil
		}
		once.Do(func() { close(g.held) })
		select {
		case <-g.open:
			return nil
		case <-answer.Request.Context().Done():
			return errHeld
		}
	}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	g.URL = server.URL + strings.TrimPrefix(running.URL, to.Scheme+"://"+to.Host)
	return g
}

// killed kills a run that goes through the gate, and opens it.
func (g *gate) killed(t *testing.T, args ...string) {
	t.Helper()
	killed(t, g.held, args...)
	close(g.open)
}
