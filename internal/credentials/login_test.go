package credentials

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

func backend(t *testing.T, o fakebackend.Options) string {
	t.Helper()
	o.OAuth = true
	running, err := fakebackend.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	return running.URL
}

// visit opens an address, and gives the status and text of the page that it ends at.
func visit(t *testing.T, address string) (int, string) {
	t.Helper()
	page, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer page.Body.Close()
	text, _ := io.ReadAll(page.Body)
	return page.StatusCode, string(text)
}

// What comes to the redirect and is no answer to this login changes nothing.
func TestALoginTakesOnlyItsOwnAnswer(t *testing.T) {
	stored(t)
	at := backend(t, fakebackend.Options{})
	var done sync.WaitGroup
	made, err := LogIn(t.Context(), Asking{Server: Server{URL: at}, Browser: func(address string) {
		done.Go(func() {
			asked, err := url.Parse(address)
			if err != nil {
				t.Error(err)
				return
			}
			q := asked.Query()
			if q.Get("code_challenge_method") != "S256" || q.Get("resource") != at || len(q.Get("code_challenge")) != 43 {
				t.Errorf("asked %s", asked.RawQuery)
			}
			back := q.Get("redirect_uri")
			issuer := strings.TrimSuffix(at, "/mcp")
			for _, foreign := range []string{"?code=x&state=guessed&iss=" + issuer, "?code=x&iss=" + issuer, "?code=x&state=" + q.Get("state") + "&iss=https://other.example", "?code=x&state=" + q.Get("state")} {
				if status, _ := visit(t, back+foreign); status != http.StatusBadRequest {
					t.Errorf("%s was answered with %d", foreign, status)
				}
			}
			if status, _ := visit(t, strings.TrimSuffix(back, callback)+"/else"); status != http.StatusNotFound {
				t.Errorf("another path was answered with %d", status)
			}
			if status, text := visit(t, address); status != http.StatusOK || !strings.Contains(text, "close this window") {
				t.Errorf("status %d: %s", status, text)
			}
		})
	}})
	done.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if made.AccessToken == "" || made.RefreshToken == "" || !strings.HasPrefix(made.ClientID, "registered-") {
		t.Errorf("%+v", made)
	}
}

func TestLoginsThatCannotBe(t *testing.T) {
	stored(t)
	const whole = `{"issuer":"%s","token_endpoint":"%s/token","authorization_endpoint":"%s/authorize","code_challenge_methods_supported":["S256"]}`
	for name, c := range map[string]struct {
		metadata string
		login    Login
		device   bool
		wrong    string
	}{
		"without PKCE":       {metadata: strings.Replace(whole, "S256", "plain", 1), wrong: "PKCE with S256"},
		"no registration":    {metadata: whole, wrong: "registers no clients"},
		"no documents":       {metadata: whole, login: Login{DocumentURL: "https://me.example/client"}, wrong: "client ID metadata documents"},
		"no devices":         {metadata: whole, device: true, wrong: "lets no devices log in"},
		"registration fails": {metadata: strings.Replace(whole, "{", `{"registration_endpoint":"%s/register",`, 1), wrong: "registering a client at"},
	} {
		s := open(t, "", map[string]string{wellKnownServer: c.metadata})
		_, err := LogIn(t.Context(), Asking{Server: Server{URL: s.URL + "/mcp"}, Login: c.login, Device: c.device,
			Browser: func(string) { t.Errorf("%s: a browser was asked for", name) }, Code: func(string, string) { t.Errorf("%s: a device was asked for", name) }})
		if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two processes that hold one login renew it once: the refresh token is good for once.
func TestOneOfTwoHoldersRenewsALogin(t *testing.T) {
	store := stored(t)
	at := backend(t, fakebackend.Options{})
	var visited sync.WaitGroup
	if _, err := LogIn(t.Context(), Asking{Server: Server{URL: at}, Browser: func(address string) { visited.Go(func() { visit(t, address) }) }}); err != nil {
		t.Fatal(err)
	}
	visited.Wait()
	before, err := store.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	holders := make([]*Holder, 4)
	for i := range holders {
		if holders[i], err = New(Config{Login: &Login{}}, Server{URL: at}, nil); err != nil {
			t.Fatal(err)
		}
		if got := value(t, holders[i]); got != "Bearer "+before.AccessToken {
			t.Fatalf("%q", got)
		}
	}
	got := make([]string, len(holders))
	var all sync.WaitGroup
	for i, h := range holders {
		all.Go(func() {
			var err error
			if got[i], err = h.Renew(t.Context(), "Bearer "+before.AccessToken); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	after, err := store.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range got {
		if one != "Bearer "+after.AccessToken {
			t.Errorf("%q is not what is kept", one)
		}
	}
	if after.RefreshToken == before.RefreshToken || after.AccessToken == before.AccessToken {
		t.Error("nothing was renewed")
	}
	if about, err := os.Stat(store.path(at)); err != nil || about.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	found, told, err := LogOut(t.Context(), Server{URL: at})
	if !found || told != "" || err != nil {
		t.Errorf("%t, %q, %v", found, told, err)
	}
	// What was revoked renews nothing any more.
	if err := store.Put(*after); err != nil {
		t.Fatal(err)
	}
	holders[0].Accepted("Bearer " + after.AccessToken)
	if _, err := holders[0].Renew(t.Context(), "Bearer "+after.AccessToken); err == nil || !strings.Contains(err.Error(), "log in again") || strings.Contains(err.Error(), after.RefreshToken) {
		t.Errorf("%v", err)
	}
}

func TestNobodyLogsIn(t *testing.T) {
	stored(t)
	at := backend(t, fakebackend.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := LogIn(ctx, Asking{Server: Server{URL: at}, Browser: func(string) { cancel(errors.New("gone")) }})
	if err == nil {
		t.Error("there is a login")
	}
}

// Who asks may be a document that describes it.
func TestAClientByItsDocument(t *testing.T) {
	stored(t)
	s := open(t, "", map[string]string{wellKnownServer: `{"issuer":"%s","token_endpoint":"%s/token","authorization_endpoint":"%s/authorize","code_challenge_methods_supported":["S256"],"client_id_metadata_document_supported":true}`})
	ctx, cancel := context.WithCancel(t.Context())
	asked := ""
	_, err := LogIn(ctx, Asking{Server: Server{URL: s.URL + "/mcp"}, Login: Login{DocumentURL: "https://me.example/client"}, Browser: func(address string) { asked = address; cancel() }})
	if at, _ := url.Parse(asked); err == nil || at.Query().Get("client_id") != "https://me.example/client" {
		t.Errorf("asked %q: %v", asked, err)
	}
}

// A server that is away is told apart from one that refuses.
func TestAServerThatIsAway(t *testing.T) {
	s := open(t, "", nil)
	at := s.URL + "/mcp"
	s.Close()
	h, err := New(Config{Client: &Client{Party: Party{ID: "me", Secret: "secret-of-mine"}}}, Server{URL: at}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Authorization(t.Context())
	var away interface{ Unreachable() bool }
	if !errors.As(err, &away) || !away.Unreachable() {
		t.Errorf("%v", err)
	}
}
