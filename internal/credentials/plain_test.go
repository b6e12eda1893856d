package credentials

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func held(t *testing.T, c Config) *Holder {
	t.Helper()
	h, err := New(c, Server{URL: "http://127.0.0.1:9/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestNoCredentialsHaveNoHolder(t *testing.T) {
	if h, err := New(Config{}, Server{}, nil); h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
}

// A file is read again once what it held is refused.
func TestATokenFileIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first-token\n")
	h := held(t, Config{File: path})
	first := value(t, h)
	if first != "Bearer first-token" {
		t.Fatalf("%q", first)
	}
	write("second-token\n")
	second, err := h.Renew(t.Context(), first)
	if err != nil || second != "Bearer second-token" {
		t.Fatalf("%q: %v", second, err)
	}
	if _, err := h.Renew(t.Context(), second); err == nil || !strings.Contains(err.Error(), "the same token") {
		t.Errorf("%v", err)
	}
	write("two words")
	if _, err := held(t, Config{File: path}).Authorization(t.Context()); err == nil || strings.Contains(err.Error(), "words") && strings.Contains(err.Error(), "two") {
		t.Errorf("%v", err)
	}
}

func TestTokenCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: needs sh")
	}
	t.Setenv("THE_PASSWORD", "hunter2hunter2")
	for name, c := range map[string]struct {
		script string
		want   string
		wrong  []string // in the error
		never  []string
	}{
		"a token":           {script: "echo the-token", want: "Bearer the-token"},
		"JSON":              {script: `echo '{"access_token":"json-token","expires_in":60}'`, want: "Bearer json-token"},
		"JSON without":      {script: `echo '{"token":"hidden-token"}'`, wrong: []string{"without an access_token"}, never: []string{"hidden-token"}},
		"nothing":           {script: "true", wrong: []string{"no token"}},
		"two words":         {script: "echo hidden-a hidden-b", wrong: []string{"more than one word"}, never: []string{"hidden"}},
		"it fails":          {script: "echo 'no session; password=hunter2hunter2 and eyJhbGciOiJub25lIn0.eyJzdWIi.sig' >&2; exit 4", wrong: []string{"exit status 4", "no session"}, never: []string{"hunter2", "eyJ"}},
		"it tells a secret": {script: "echo \"cannot use $THE_PASSWORD\" >&2; exit 1", wrong: []string{"cannot use [redacted THE_PASSWORD]"}, never: []string{"hunter2"}},
		"it hangs":          {script: "sleep 60", wrong: []string{"had not ended after"}},
	} {
		t.Run(name, func(t *testing.T) {
			limit := 30 * time.Second
			if name == "it hangs" {
				limit = 50 * time.Millisecond
			}
			got, err := held(t, Config{Command: &Command{Shell: c.script, Timeout: limit}}).Authorization(t.Context())
			if (err == nil) != (c.want != "") || got != c.want {
				t.Fatalf("%q: %v", got, err)
			}
			for _, word := range c.wrong {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in: %v", word, err)
				}
			}
			for _, word := range c.never {
				if strings.Contains(err.Error(), word) {
					t.Errorf("%q is in: %v", word, err)
				}
			}
		})
	}
	// Without being asked to, nothing goes through a shell.
	got, err := held(t, Config{Command: &Command{Words: []string{"echo", "$HOME;x"}, Timeout: time.Minute}}).Authorization(t.Context())
	if err != nil || got != "Bearer $HOME;x" {
		t.Errorf("%q: %v", got, err)
	}
}
