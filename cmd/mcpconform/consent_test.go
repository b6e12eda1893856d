package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/fixtures/targets"
	"github.com/mcpconform/mcpconform/reports"
)

// ownTarget writes the fake backend's target file with a server of its own, and
// with further keys at the top.
func ownTarget(t *testing.T, url, further string) string {
	t.Helper()
	text, err := targets.Read("fakebackend")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "target.yaml")
	text = []byte(strings.Replace(string(text), "version: 1\n", "version: 1\nserver: {url: \""+url+"\"}\n"+further, 1))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// elsewhere gives a URL of the same server by another name of this machine.
func elsewhere(url string) string { return strings.Replace(url, "127.0.0.1", "localhost", 1) }

// cancelled counts what a backend cancelled.
func cancelled(b *fakebackend.Backend) int {
	n := 0
	for _, e := range b.Effects() {
		if strings.HasSuffix(e.Kind, "-cancelled") {
			n++
		}
	}
	return n
}

// small narrows a run to a few calls of every kind.
var small = []string{"--scenario", "all-succeed,partial,one-item,read-only-bulk", "--effort", "quick", "--seed", "4"}

func TestConsentDoesNotFollowToAnotherName(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	file := ownTarget(t, elsewhere(running.URL), "")
	r, _ := run(t, append([]string{"--target", file, "--url", running.URL}, small...)...)
	if effects := running.Backend.Effects(); len(effects) > 0 {
		t.Fatalf("%d effects without consent, the first %+v", len(effects), effects[0])
	}
	said := 0
	for _, f := range r.Findings {
		if strings.Contains(f.Reason, "--allow-write 127.0.0.1") && strings.Contains(f.Reason, "localhost") && f.Verdict == conform.NotRun {
			said++
		}
	}
	if said == 0 || r.Verdict != reports.Incomplete || len(failing(r)) > 0 {
		t.Errorf("verdict %s, failing %v, %d findings say why", r.Verdict, failing(r), said)
	}
	run(t, append([]string{"--target", file, "--url", running.URL, "--allow-write", "127.0.0.1"}, small...)...)
	if len(running.Backend.Effects()) == 0 {
		t.Error("nothing was written although the host is allowed")
	}
}

func TestConsentOfTheFile(t *testing.T) {
	t.Parallel()
	for name, further := range map[string]string{"its own server": "", "a listed host": "safety: {write_hosts: [127.0.0.1]}\n"} {
		t.Run(name, func(t *testing.T) {
			running := backend(t, fakebackend.Options{})
			file, more := ownTarget(t, running.URL, further), []string(nil)
			if further != "" {
				file, more = ownTarget(t, elsewhere(running.URL), further), []string{"--url", running.URL}
			}
			_, got := run(t, append(append([]string{"--target", file}, more...), small...)...)
			if len(running.Backend.Effects()) == 0 {
				t.Error("nothing was written")
			}
			silent(t, "stderr", got.err, "writing to")
		})
	}
}

// A host that is not this machine by name: 0.0.0.0 leads here and is no loopback
// address.
func TestTheFirstWriteElsewhereIsAnnounced(t *testing.T) {
	t.Parallel()
	store, err := fakebackend.New(fakebackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	handler := store.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "127.0.0.1"
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	url := strings.Replace(server.URL, "127.0.0.1", "0.0.0.0", 1) + "/mcp"
	_, got := run(t, append([]string{"--target", ownTarget(t, url, "safety: {max_write_items: 12}\n")}, small...)...)
	lines := 0
	for _, line := range strings.Split(got.err, "\n") {
		if strings.HasPrefix(line, "writing to ") {
			lines++
			says(t, "stderr", line, "0.0.0.0", "cancel-products", "calls", "at most", "12 items")
		}
	}
	if lines != 1 {
		t.Errorf("%d lines announce the writes:\n%s", lines, got.err)
	}
	items := cancelled(store)
	if items == 0 || items > 12 {
		t.Errorf("%d effects with a bound of 12 items", items)
	}
	r, got := run(t, append([]string{"--target", ownTarget(t, url, ""), "--read-only"}, small...)...)
	silent(t, "stderr", got.err, "writing to")
	if cancelled(store) != items {
		t.Errorf("--read-only wrote; the verdict is %s", r.Verdict)
	}
}

func TestTheBoundOfWrittenItemsIsToldWhereItHolds(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	r, _ := run(t, append([]string{"--target", ownTarget(t, running.URL, "safety: {max_write_items: 3}\n")}, small...)...)
	if n := cancelled(running.Backend); n == 0 || n > 3 {
		t.Errorf("%d effects with a bound of 3 items", n)
	}
	told := false
	for _, f := range r.Findings {
		told = told || f.Verdict == conform.NotRun && strings.Contains(f.Reason, "the 3 that a run may write") && strings.Contains(f.Hint, "safety.max_write_items")
	}
	if !told || len(failing(r)) > 0 {
		t.Errorf("failing %v; nothing is told of the bound", failing(r))
	}
}

// Messages are sent on where there is consent to writes, and to no other host.
func TestAWriteDoesNotFollowARedirectElsewhere(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect, http.StatusSeeOther} {
		there := backend(t, fakebackend.Options{})
		here, err := fakebackend.New(fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateless})
		if err != nil {
			t.Fatal(err)
		}
		sent := 0
		server := turning(t, here.Handler(), func(tool string) (string, int) {
			if tool == "cancel_products" {
				sent++
				return strings.Replace(there.URL, "127.0.0.1", "0.0.0.0", 1), status
			}
			return "", 0
		})
		r, _ := run(t, append([]string{"--target", ownTarget(t, server+"/mcp", ""), "--operation", "cancel-products"}, small...)...)
		if len(there.Backend.Effects()) > 0 || sent == 0 {
			t.Errorf("%d: %d writes were redirected, and had %d effects at the other host", status, sent, len(there.Backend.Effects()))
		}
		if r.Verdict == reports.Conformant {
			t.Errorf("%d: verdict %s", status, r.VerdictLine)
		}
	}
}

func TestWordsThatAreNoHostAreRefused(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "http://127.0.0.1", "127.0.0.1:80", "*"} {
		got := mcpconform(t, "run", "--target", "builtin:fakebackend", "--url", "http://127.0.0.1:1/mcp", "--allow-write", host).exits(t, 2)
		says(t, "stderr", got.err, "--allow-write")
	}
	got := mcpconform(t, "run", "--allow-write", "127.0.0.1").exits(t, 2)
	says(t, "stderr", got.err, "--allow-write", "without a target")
}
