package wire_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// keys are credentials that are given in turn.
type keys struct {
	mu       sync.Mutex
	left     []string
	renewed  []string // what was refused
	accepted []string
	none     error // in the place of the first
}

func (k *keys) Authorization(context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.left[0], k.none
}

func (k *keys) Renew(_ context.Context, refused string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.renewed = append(k.renewed, refused)
	if refused == k.left[0] {
		if len(k.left) == 1 {
			return "", errors.New("that was the last")
		}
		k.left = k.left[1:]
	}
	return k.left[0], nil
}

func (k *keys) Accepted(value string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.accepted = append(k.accepted, value)
}

// lockedServer answers each request whose Authorization is good, and records all.
func lockedServer(t *testing.T, good func(string) bool) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all = append(all, r.Header.Get("Mcp-Method")+" "+r.Header.Get("Authorization"))
		mu.Unlock()
		if !good(r.Header.Get("Authorization")) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + idOf(r) + `,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`))
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(all) }
}

func idOf(r *http.Request) string {
	body := make([]byte, 4096)
	n, _ := r.Body.Read(body)
	_, rest, _ := strings.Cut(string(body[:n]), `"id":`)
	return rest[:strings.IndexAny(rest, ",}")]
}

// A refused message is sent once more with other credentials, and is one call.
func TestRefusedCredentialsAreRenewed(t *testing.T) {
	k := &keys{left: []string{"Bearer one", "Bearer two"}}
	url, asked := lockedServer(t, func(a string) bool { return a == "Bearer two" })
	tape := newTape()
	client, err := wire.Dial(t.Context(), wire.Config{URL: url, Credentials: k, Header: []conform.HeaderField{{Name: "Authorization", Value: "Basic old"}}, Recorder: tape})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close(t.Context())
	s, err := client.Open(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	if reply := s.Do(t.Context(), wire.Request{Call: "c1", Method: "tools/list", Params: []byte(`{}`)}); reply.Result == nil || reply.Lapsed != "" {
		t.Fatalf("%+v", reply)
	}
	want := []string{"server/discover Bearer one", "server/discover Bearer two", "tools/list Bearer two"}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, wanted %q", got, want)
	}
	if !slices.Equal(k.renewed, []string{"Bearer one"}) || !slices.Equal(k.accepted, []string{"Bearer two", "Bearer two"}) {
		t.Errorf("renewed %q, accepted %q", k.renewed, k.accepted)
	}
	var received []int
	onwards := 0
	for _, o := range tape.all() {
		if o.Received != nil {
			received = append(received, o.Received.Status)
			if o.Received.Onwards {
				onwards++
			}
		}
	}
	if !slices.Equal(received, []int{401, 200, 200}) || onwards != 1 {
		t.Errorf("received %v, %d of them not judged", received, onwards)
	}
}

// Where there are no others, the reply says why, and nothing is sent a third time.
func TestCredentialsThatCannotBeRenewed(t *testing.T) {
	for name, c := range map[string]struct {
		left   []string
		none   error
		asked  int
		lapsed string
	}{
		"the last one":     {left: []string{"Bearer one"}, asked: 1, lapsed: "that was the last"},
		"the next one too": {left: []string{"Bearer one", "Bearer two", "Bearer three"}, asked: 2, lapsed: "were refused, too"},
		"none at all":      {left: []string{""}, none: errors.New("nobody gives any"), lapsed: "nobody gives any"},
	} {
		t.Run(name, func(t *testing.T) {
			url, asked := lockedServer(t, func(string) bool { return false })
			client, err := wire.Dial(t.Context(), wire.Config{URL: url, Credentials: &keys{left: c.left, none: c.none}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close(t.Context())
			_, err = client.Open(t.Context(), "s1")
			var failed *wire.Error
			if !errors.As(err, &failed) || failed.Class != wire.Unauthorized || !strings.Contains(failed.Reply.Lapsed, c.lapsed) || !strings.Contains(err.Error(), c.lapsed) {
				t.Errorf("%v", err)
			}
			if got := asked(); len(got) != c.asked {
				t.Errorf("asked %q", got)
			}
		})
	}
}

// Credentials stay with the host and port that they are for: another that messages are
// redirected to is shown none, and its 401 renews nothing.
func TestCredentialsDoNotFollowToAnotherHost(t *testing.T) {
	k := &keys{left: []string{"Bearer one", "Bearer two"}}
	url, asked := lockedServer(t, func(string) bool { return false })
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", url)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	defer door.Close()
	client, err := wire.Dial(t.Context(), wire.Config{URL: door.URL, Credentials: k})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close(t.Context())
	if _, err := client.Open(t.Context(), "s1"); err == nil {
		t.Error("it was let in")
	}
	if got := asked(); !slices.Equal(got, []string{"server/discover "}) || len(k.renewed) > 0 {
		t.Errorf("asked %q, renewed %q", got, k.renewed)
	}
}

// A scope that is missing is named.
func TestAMissingScopeIsNamed(t *testing.T) {
	for challenge, want := range map[string]string{
		`Bearer error="insufficient_scope", scope="a b"`: "asks for the scope a b",
		`Bearer scope="c", error="insufficient_scope"`:   "asks for the scope c",
		`Bearer error="invalid_token", scope="a b"`:      "status 403 (text/plain)",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", challenge)
			http.Error(w, "no", http.StatusForbidden)
		}))
		client, err := wire.Dial(t.Context(), wire.Config{URL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Open(t.Context(), "s1"); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v does not end with %q", err, want)
		}
		_ = client.Close(t.Context())
		server.Close()
	}
}
