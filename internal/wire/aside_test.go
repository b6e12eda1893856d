package wire_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

func TestARequestBesideTheServer(t *testing.T) {
	reached := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // else nothing tells a handler that its client is gone
		switch r.URL.Path {
		case "/echo":
			fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.URL.RawQuery, r.Header.Get("X-Key"), r.Header.Get("Content-Type"), body)
		case "/moved":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/broken":
			http.Error(w, "no\n  such\ttable", http.StatusInternalServerError)
		case "/endless":
			for range 40 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		case "/slow":
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	aside := wire.NewAside(wire.Timeouts{}, "", wire.Trust{})
	defer aside.Close()
	ask := func(path string, timeout time.Duration) (string, error) {
		text, err := aside.Request(context.Background(), "POST", server.URL+path, []conform.HeaderField{{Name: "X-Key", Value: "k"}}, []byte(`[1]`), timeout)
		return string(text), err
	}
	if got, err := ask("/echo?ids=1", time.Minute); err != nil || got != "POST ids=1 k application/json [1]" {
		t.Errorf("%q %v", got, err)
	}
	for path, says := range map[string]string{"/moved?secret": "redirects are not followed", "/broken?secret": "status 500: no such table", "/endless": "longer than"} {
		if _, err := ask(path, time.Minute); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ask("/slow?secret", 20*time.Millisecond); err == nil || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Errorf("/slow: %v", err)
	}
	if reached > 0 {
		t.Error("a redirect was followed")
	}
	server.Close()
	if _, err := ask("/echo?secret", time.Minute); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a closed server: %v", err)
	}
}

// asProgram makes this test's own binary a small program.
const asProgram = "MCPCONFORM_ASIDE_PROGRAM"

func init() {
	switch os.Getenv(asProgram) {
	case "":
		return
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
		fmt.Fprint(os.Stdout, strings.Join(os.Args[1:], "|"))
	case "fail":
		fmt.Fprintln(os.Stderr, "no\n such table")
		os.Exit(3)
	case "endless":
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				os.Exit(1)
			}
		}
	case "slow":
		time.Sleep(time.Hour)
	}
	os.Exit(0)
}

func TestACommandBesideTheServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	aside := wire.NewAside(wire.Timeouts{}, "", wire.Trust{})
	defer aside.Close()
	for program, c := range map[string]struct {
		says    string
		timeout time.Duration
	}{
		"echo":    {"", time.Minute},
		"fail":    {"exit status 3: no such table", time.Minute},
		"endless": {"wrote more than", time.Minute},
		"slow":    {"had not ended after 50ms", 50 * time.Millisecond},
	} {
		t.Setenv(asProgram, program)
		got, err := aside.Command(context.Background(), []string{self, "a b", "$HOME"}, []byte(`["1"]`), c.timeout)
		switch {
		case c.says == "" && (err != nil || string(got) != `["1"]a b|$HOME`):
			t.Errorf("%s: %q %v", program, got, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v", program, err)
		}
	}
	if _, err := aside.Command(context.Background(), []string{"./no-such-program"}, nil, time.Minute); err == nil {
		t.Error("a program that is not there was run")
	}
}
