package credentials

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// FolderVariable names the variable of the environment that says where logins are kept,
// in the place of the user's folder of configurations.
const FolderVariable = "MCPCONFORM_CONFIG"

// Store keeps logins, each in a file that its user alone may read.
type Store struct{ folder string }

// Record is a login that is kept.
type Record struct {
	Server        string    `json:"server"` // its URL
	Resource      string    `json:"resource"`
	Issuer        string    `json:"issuer"`
	TokenURL      string    `json:"token_endpoint"`
	RevocationURL string    `json:"revocation_endpoint,omitempty"`
	ClientID      string    `json:"client_id"`
	ClientSecret  string    `json:"client_secret,omitempty"`
	Method        string    `json:"client_secret_method,omitempty"`
	Scopes        []string  `json:"scopes,omitempty"`
	AccessToken   string    `json:"access_token"`
	RefreshToken  string    `json:"refresh_token,omitempty"`
	Until         time.Time `json:"expires,omitzero"` // of the access token
	Made          time.Time `json:"made"`
}

// OpenStore gives the user's store. Nothing is made before something is kept.
func OpenStore() (*Store, error) {
	folder := os.Getenv(FolderVariable)
	if folder == "" {
		users, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("there is no folder for logins: %w; set %s", err, FolderVariable)
		}
		folder = filepath.Join(users, "mcpconform")
	}
	return &Store{filepath.Join(folder, "logins")}, nil
}

func (s *Store) path(server string) string {
	sum := sha256.Sum256([]byte(server))
	return filepath.Join(s.folder, hex.EncodeToString(sum[:12])+".json")
}

// Get gives the login for a server's URL; nil: there is none.
func (s *Store) Get(server string) (*Record, error) {
	text, err := os.ReadFile(s.path(server))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the login for %s: %w", server, err)
	}
	var r Record
	// What does not read is not quoted: it holds secrets.
	if json.Unmarshal(text, &r) != nil || r.Server != server {
		return nil, fmt.Errorf("the login for %s in %s cannot be read; log in again", server, s.path(server))
	}
	return &r, nil
}

// Put keeps a login, whole or not at all.
func (s *Store) Put(r Record) error {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return fmt.Errorf("making the folder for logins: %w", err)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	out, err := os.CreateTemp(s.folder, ".login-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keeping the login: %w", err)
	}
	_, err = out.Write(append(text, '\n'))
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), s.path(r.Server))
	}
	if err != nil {
		_ = os.Remove(out.Name())
		return fmt.Errorf("keeping the login: %w", err)
	}
	return nil
}

// Delete forgets the login for a server; none is no error.
func (s *Store) Delete(server string) error {
	if err := os.Remove(s.path(server)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting the login: %w", err)
	}
	return nil
}

// Lock keeps other processes from changing the login for a server until unlock is called.
func (s *Store) Lock(ctx context.Context, server string) (unlock func(), err error) {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for logins: %w", err)
	}
	lock := flock.New(s.path(server)+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another process that renews the login: %w", err)
	}
	return func() { _ = lock.Close() }, nil // the system unlocks it at the latest when the process ends
}

// Kept gives the login for a server's URL, as a person would write it; nil: there is none.
func Kept(server string) (*Record, error) {
	b, err := newBroker(Server{URL: server}, &secrets{})
	if err != nil {
		return nil, err
	}
	s, err := OpenStore()
	if err != nil {
		return nil, err
	}
	return s.Get(b.name)
}

// All gives the URLs of the servers for which there are logins that read.
func (s *Store) All() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(s.folder, "*.json"))
	if err != nil {
		return nil, err
	}
	var servers []string
	for _, path := range files {
		var r Record
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &r) == nil && s.path(r.Server) == path {
			servers = append(servers, r.Server)
		}
	}
	return servers, nil
}
