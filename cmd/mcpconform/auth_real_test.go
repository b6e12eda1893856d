package main

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/credentials"
)

// provider is an authorization server that is none of ours: the OpenID provider of
// zitadel/oidc, with the storage of its example. It knows the person, the client that asks
// in its own name, and the clients of logins.
type provider struct {
	*storage.Storage
	server *httptest.Server
	crypto op.Crypto

	mu     sync.Mutex
	good   map[string]bool // ids of access tokens
	issued []string        // whatever was given and must not be seen
}

const (
	providerUser     = "test-user@127.0.0.1"
	providerPassword = "verysecure"
	providerClient   = "sid1"
	providerSecret   = "verysecret"
)

func provide(t *testing.T) *provider {
	t.Helper()
	p := &provider{server: httptest.NewUnstartedServer(nil), good: map[string]bool{}}
	issuer := "http://" + p.server.Listener.Addr().String()
	key := sha256.Sum256([]byte("of the test"))
	p.crypto = op.NewAES256GCMCrypto(key, "k1")
	native := storage.NativeClient("tester", "http://127.0.0.1/callback")
	p.Storage = storage.NewStorageWithClients(storage.NewUserStore(issuer), map[string]*storage.Client{
		"tester": native, "gadget": storage.DeviceClient("gadget", "secret-of-the-gadget"),
	})
	made, err := op.NewProvider(&op.Config{
		CodeMethodS256: true, AuthMethodPost: true, GrantTypeRefreshToken: true,
		DeviceAuthorization: op.DeviceAuthorizationConfig{Lifetime: time.Minute, PollInterval: time.Second, UserFormPath: "/device", UserCode: op.UserCodeBase20},
	}, p, op.StaticIssuer(issuer), op.WithAllowInsecure(), op.WithCrypto(p.crypto))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", made)
	back := op.AuthCallbackURL(made)
	mux.HandleFunc("/login/username", func(w http.ResponseWriter, r *http.Request) {
		id := r.FormValue("authRequestID")
		if err := p.CheckUsernamePassword(r.FormValue("username"), r.FormValue("password"), id); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		http.Redirect(w, r, back(r.Context(), id), http.StatusFound)
	})
	p.server.Config.Handler = op.NewIssuerInterceptor(op.IssuerFromRequest(func(*http.Request) string { return issuer })).Handler(mux)
	p.server.Start()
	t.Cleanup(p.server.Close)
	return p
}

// CreateAccessToken keeps in mind what was given.
func (p *provider) CreateAccessToken(ctx context.Context, request op.TokenRequest) (string, time.Time, error) {
	id, until, err := p.Storage.CreateAccessToken(ctx, request)
	p.keep(id, "")
	return id, until, err
}

// CreateAccessAndRefreshTokens does so, too.
func (p *provider) CreateAccessAndRefreshTokens(ctx context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	id, refresh, until, err := p.Storage.CreateAccessAndRefreshTokens(ctx, request, current)
	p.keep(id, refresh)
	return id, refresh, until, err
}

func (p *provider) keep(id, refresh string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.good[id] = true
	p.issued = append(p.issued, id)
	if refresh != "" {
		p.issued = append(p.issued, refresh)
	}
}

// verify tells a server that a token is good.
func (p *provider) verify(token string) bool {
	plain, err := p.crypto.Decrypt(token)
	if err != nil {
		return false
	}
	id, _, _ := strings.Cut(plain, ":")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.issued, token) {
		p.issued = append(p.issued, token)
	}
	return p.good[id]
}

// end has every token refused that was given so far.
func (p *provider) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.good)
}

// given is all that was given and must not be seen.
func (p *provider) given() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.issued)
}

// resource is a backend that believes the provider.
func (p *provider) resource(t *testing.T) *fakebackend.Running {
	return serving(t, "127.0.0.1:0", fakebackend.Options{AuthorizationServer: p.server.URL, Verify: p.verify})
}

// browser is a person's browser: it opens what is printed, and logs in. It returns the
// page that the login ends with.
func (p *provider) browser(t *testing.T, address string) (code string, page *http.Response) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		if id := next.URL.Query().Get("authRequestID"); id != "" {
			next.URL.RawQuery = url.Values{"authRequestID": {id}, "username": {providerUser}, "password": {providerPassword}}.Encode()
		}
		if got := next.URL.Query().Get("code"); got != "" {
			code = got
		}
		return nil
	}}
	page, err := client.Get(address)
	if err != nil {
		t.Error(err)
		return "", nil
	}
	_ = page.Body.Close()
	return code, page
}

// logging is where login writes what a person has to do; it calls back with each address.
type logging struct {
	safeBuffer
	once sync.Once
	open func(text string)
}

var printed = regexp.MustCompile(`(?m)^(?:Open )?(https?://\S+).*\n`)

func (l *logging) Write(b []byte) (int, error) {
	n, err := l.safeBuffer.Write(b)
	if text := l.String(); printed.MatchString(text) {
		l.once.Do(func() { go l.open(text) })
	}
	return n, err
}

// loggedIn runs login, and does what it asks a person for.
func loggedIn(t *testing.T, w world, do func(text string), args ...string) told {
	t.Helper()
	var out safeBuffer
	errs := &logging{}
	done := make(chan struct{})
	errs.open = func(text string) { defer close(done); do(text) }
	w.out, w.err = &out, errs
	code := execute(append([]string{"login"}, args...), w)
	errs.once.Do(func() { close(done) })
	<-done
	return told{code, out.String(), errs.String()}
}

// with is a world with an environment.
func with(names ...string) world {
	w := quiet()
	w.getenv = func(name string) (string, bool) {
		for i := 0; i < len(names); i += 2 {
			if names[i] == name {
				return names[i+1], true
			}
		}
		return "", false
	}
	return w
}

// everything is all that runs may have written, and what is kept of logins.
func everything(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all.WriteString(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// everyForm are flags by which a run writes all that it can write.
func everyForm(folder string) []string {
	args := []string{"--transcript", filepath.Join(folder, "run.jsonl"), "-v"}
	for _, form := range []string{"json", "junit"} {
		args = append(args, "--output", form+"="+filepath.Join(folder, "report."+form))
	}
	return args
}

func TestARealAuthorizationServer(t *testing.T) {
	p := provide(t)
	t.Setenv(credentials.FolderVariable, t.TempDir())
	backend := p.resource(t)
	play := []string{"run", "--target", "builtin:fakebackend", "--url", backend.URL, "--effort", "quick", "--scenario", "partial", "--operation", "cancel-products"}
	secret := with("S", providerSecret, "WRONG", "no-secret-of-anybody", "G", "secret-of-the-gadget")

	t.Run("client credentials", func(t *testing.T) {
		folder := t.TempDir()
		args := slices.Concat(play, everyForm(folder), []string{"--client-id", providerClient, "--client-secret-env"})
		got := mcpconformIn(t, secret, append(args, "S", "--scope", "openid")...)
		got.exits(t, 0)
		if len(p.given()) == 0 {
			t.Fatal("no token was given")
		}
		silent(t, "the run", got.out+got.err+everything(t, folder), append(p.given(), providerSecret)...)

		got = mcpconformIn(t, secret, append(args, "WRONG", "--scope", "openid")...)
		got.exits(t, 4)
		says(t, "the run", got.err, "asking for a token at "+p.server.URL+"/oauth/token was refused")
		silent(t, "the run", got.out+got.err+everything(t, folder), "no-secret-of-anybody")
	})

	// The provider lists no client of its own accord, so that one is named.
	login := []string{"--url", backend.URL, "--client-id", "tester", "--scope", "openid,offline_access"}
	var code string
	open := func(text string) {
		code, _ = p.browser(t, printed.FindStringSubmatch(text)[1])
	}
	t.Run("a login", func(t *testing.T) {
		got := loggedIn(t, secret, open, login...).exits(t, 0)
		says(t, "login", got.out, "logged in to "+backend.URL+" by "+p.server.URL, "renewed by itself")
		if code == "" {
			t.Fatal("there was no code")
		}
		folder := t.TempDir()
		args := slices.Concat(play, everyForm(folder))
		run := mcpconformIn(t, secret, args...).exits(t, 0)
		says(t, "the run", run.err, "with the login of")

		before := len(p.given())
		p.end() // as if it had expired
		again := mcpconformIn(t, secret, args...).exits(t, 0)
		if len(p.given()) == before {
			t.Error("nothing was renewed")
		}
		// What was written back is the new refresh token, which is good for once.
		p.end()
		third := mcpconformIn(t, secret, args...).exits(t, 0)
		silent(t, "what was said", got.out+got.err+run.out+run.err+again.out+again.err+third.out+third.err+everything(t, folder), append(p.given(), code)...)

		out := mcpconformIn(t, secret, "logout", "--url", backend.URL).exits(t, 0)
		says(t, "logout", out.out, "is forgotten")
		silent(t, "logout", out.out+out.err, p.given()...)
		mcpconformIn(t, secret, args...).exits(t, 4)
	})

	t.Run("a login that is refused", func(t *testing.T) {
		got := loggedIn(t, secret, open, "--url", backend.URL, "--client-id", "nobody-knows-me", "--scope", "openid", "--timeout", "300ms")
		got.exits(t, 4)
		got = loggedIn(t, secret, open, "--url", backend.URL)
		got.exits(t, 4)
		says(t, "login", got.err, "registers no clients by itself", "--client-id")
	})

	t.Run("a device", func(t *testing.T) {
		got := loggedIn(t, secret, func(text string) {
			fields := strings.Fields(text)
			if err := p.CompleteDeviceAuthorization(t.Context(), fields[len(fields)-1], "id1"); err != nil {
				t.Error(err)
			}
		}, "--url", backend.URL, "--client-id", "gadget", "--client-secret-env", "G", "--scope", "openid", "--device")
		got.exits(t, 0)
		run := mcpconformIn(t, secret, play...).exits(t, 0)
		silent(t, "what was said", got.out+got.err+run.out+run.err, append(p.given(), "secret-of-the-gadget")...)
	})
}

// passing serves a handler for as long as the test takes.
func passing(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}
