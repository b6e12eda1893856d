package credentials

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func stored(t *testing.T) *Store {
	t.Helper()
	t.Setenv(FolderVariable, t.TempDir())
	s, err := OpenStore()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoginsAreTheirUsersAlone(t *testing.T) {
	s := stored(t)
	const server = "https://a.example/mcp"
	if r, err := s.Get(server); r != nil || err != nil {
		t.Fatalf("%v, %v", r, err)
	}
	if err := s.Put(Record{Server: server, AccessToken: "a-token"}); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{s.folder: 0o700, s.path(server): 0o600} {
		about, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && about.Mode().Perm() != mode {
			t.Errorf("%s has the mode %o", path, about.Mode().Perm())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.folder, ".login-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if r, err := s.Get(server); err != nil || r.AccessToken != "a-token" {
		t.Errorf("%+v, %v", r, err)
	}
	if all, err := s.All(); err != nil || len(all) != 1 || all[0] != server {
		t.Errorf("%q, %v", all, err)
	}
	// What does not read is not quoted.
	if err := os.WriteFile(s.path(server), []byte(`{"access_token": "a-token`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(server); err == nil || strings.Contains(err.Error(), "a-token") {
		t.Errorf("%v", err)
	}
	for range 2 {
		if err := s.Delete(server); err != nil {
			t.Error(err)
		}
	}
}

func TestOneHolderOfALoginAtATime(t *testing.T) {
	s := stored(t)
	unlock, err := s.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lock(ctx, "a"); err == nil {
		t.Error("two hold it")
	}
	unlock()
	again, err := s.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// A login is of one URL or one socket, whatever is asked there.
func TestWhoseALoginIs(t *testing.T) {
	for url, want := range map[string]string{
		"HTTPS://user:pw@A.example/mcp?key=x#y": "https://a.example/mcp",
		"unix:/run/a.sock:/mcp":                 "unix:/run/a.sock:/mcp",
	} {
		b, err := newBroker(Server{URL: url}, &secrets{})
		if err != nil || b.name != want {
			t.Errorf("%s is kept as %q: %v", url, b.name, err)
		}
	}
}
