package wire_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/wire"
)

func TestTrustTellsWhichFileIsWrong(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.pem")
	if err := os.WriteFile(text, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		trust wire.Trust
		want  string
	}{
		"no CA file":       {wire.Trust{CAFile: filepath.Join(folder, "none.pem")}, "none.pem"},
		"no CA in it":      {wire.Trust{CAFile: text}, "holds none in PEM form"},
		"a key is missing": {wire.Trust{CertFile: text}, "has no key beside it"},
		"a key alone":      {wire.Trust{KeyFile: text}, "has no certificate beside it"},
		"no certificate":   {wire.Trust{CertFile: text, KeyFile: text}, "text.pem"},
	} {
		if _, err := c.trust.Config(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := wire.Dial(context.Background(), wire.Config{URL: "https://127.0.0.1:1/mcp", Trust: c.trust}); err == nil {
			t.Errorf("%s: dialled", name)
		}
	}
	if !(wire.Trust{}).IsZero() || (wire.Trust{Insecure: true}).IsZero() {
		t.Error("zero is not told from something")
	}
}

// TestAsideIsTrustedOnTheServersHostAlone has what stands beside a server behind a unix
// socket, or over TLS, asked as the server is, and nobody else.
func TestAsideIsTrustedOnTheServersHostAlone(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.Host + r.URL.Path)) })
	ask := func(a *wire.Aside, url string) string {
		t.Helper()
		defer a.Close()
		text, err := a.Request(context.Background(), "GET", url, nil, nil, wire.Timeouts{Call: 1e10}.Call)
		if err != nil {
			return "error: " + err.Error()
		}
		return string(text)
	}
	secure, other := httptest.NewTLSServer(hello), httptest.NewTLSServer(hello)
	defer secure.Close()
	defer other.Close()
	trust := wire.Trust{Insecure: true}
	if got := ask(wire.NewAside(wire.Timeouts{}, secure.URL+"/mcp", trust), secure.URL+"/state"); !strings.HasSuffix(got, "/state") || strings.HasPrefix(got, "error") {
		t.Errorf("the server's own host: %s", got)
	}
	if got := ask(wire.NewAside(wire.Timeouts{}, secure.URL+"/mcp", trust), other.URL+"/state"); !strings.Contains(got, "certificate") {
		t.Errorf("another host is believed: %s", got)
	}
	folder, err := os.MkdirTemp("", "mcp") // a short path, as sockets want it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: hello}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if got := ask(wire.NewAside(wire.Timeouts{}, "unix:"+socket+":/mcp", wire.Trust{}), "unix:"+socket+":/state"); got != "localhost/state" {
		t.Errorf("the server's own socket: %s", got)
	}
	if got := ask(wire.NewAside(wire.Timeouts{}, secure.URL, trust), "unix:"+socket+":/state"); !strings.Contains(got, "only the server's own") {
		t.Errorf("another socket: %s", got)
	}
}
