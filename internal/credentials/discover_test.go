package credentials

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// site is a server and its authorization server in one, each document of which a test may
// take away or bend.
type site struct {
	*httptest.Server
	challenge string            // of the 401; %s is the site
	documents map[string]string // by path; %s is the site
	tokens    int               // how often a token was asked for
}

func open(t *testing.T, challenge string, documents map[string]string) *site {
	t.Helper()
	s := &site{challenge: challenge, documents: documents}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, there := s.documents[r.URL.Path]
		switch {
		case r.URL.Path == "/mcp":
			if s.challenge != "" {
				w.Header().Set("WWW-Authenticate", strings.ReplaceAll(s.challenge, "%s", s.URL))
			}
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/token":
			s.tokens++
			id, secret, basic := r.BasicAuth()
			w.Header().Set("Content-Type", "application/json")
			if id == "" {
				id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
			}
			if r.PostFormValue("resource") == "" || id != "me" || secret != "secret-of-mine" {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprintf(w, `{"error":"invalid_client","error_description":"secret %s is wrong"}`, secret)
				return
			}
			fmt.Fprintf(w, `{"access_token":"basic-%t-scope-%s","token_type":"bearer"}`, basic, strings.ReplaceAll(r.PostFormValue("scope"), " ", "+"))
		case there:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(strings.ReplaceAll(text, "%s", s.URL)))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

const (
	metadata = `{"issuer":"%s","token_endpoint":"%s/token"}`
	resource = `{"resource":"%s/mcp","authorization_servers":["%s"],"scopes_supported":["all"]}`
)

func TestDiscovery(t *testing.T) {
	for name, c := range map[string]struct {
		challenge string
		documents map[string]string
		party     Party
		want      string // of the token
		wrong     string // in the error
	}{
		"by the challenge":     {challenge: `Bearer resource_metadata="%s/here", scope="a b"`, documents: map[string]string{"/here": resource, wellKnownServer: metadata}, want: "Bearer basic-true-scope-a+b"},
		"at the path":          {challenge: "Bearer", documents: map[string]string{wellKnownResource + "/mcp": resource, wellKnownServer: metadata}, want: "Bearer basic-true-scope-all"},
		"at the root":          {documents: map[string]string{wellKnownResource: `{"resource":"%s","authorization_servers":["%s/"]}`, wellKnownServer: metadata}, want: "Bearer basic-true-scope-"},
		"as of 2025-03-26":     {documents: map[string]string{wellKnownServer: metadata}, want: "Bearer basic-true-scope-"},
		"OpenID Connect":       {documents: map[string]string{wellKnownOpenID: metadata}, want: "Bearer basic-true-scope-"},
		"an issuer's path":     {documents: map[string]string{wellKnownServer + "/tenant": `{"issuer":"%s/tenant","token_endpoint":"%s/token"}`}, party: Party{Issuer: "%s/tenant", Scopes: []string{"own"}}, want: "Bearer basic-true-scope-own"},
		"OpenID behind a path": {documents: map[string]string{"/tenant" + wellKnownOpenID: `{"issuer":"%s/tenant","token_endpoint":"%s/token"}`}, party: Party{Issuer: "%s/tenant"}, want: "Bearer basic-true-scope-"},
		"post, as it says":     {documents: map[string]string{wellKnownServer: `{"issuer":"%s","token_endpoint":"%s/token","token_endpoint_auth_methods_supported":["client_secret_post"]}`}, want: "Bearer basic-false-scope-"},
		"post, as we say":      {documents: map[string]string{wellKnownServer: metadata}, party: Party{Method: MethodPost}, want: "Bearer basic-false-scope-"},

		"nothing":                 {wrong: "does not say who gives tokens"},
		"another resource":        {documents: map[string]string{wellKnownResource: `{"resource":"https://other.example/mcp","authorization_servers":["%s"]}`}, wrong: "of another resource"},
		"another issuer":          {documents: map[string]string{wellKnownServer: `{"issuer":"https://other.example","token_endpoint":"%s/token"}`}, wrong: "of another issuer"},
		"named, and not there":    {challenge: `Bearer resource_metadata="%s/nowhere"`, documents: map[string]string{wellKnownServer: metadata}, wrong: "is not there"},
		"not the issuer given":    {documents: map[string]string{wellKnownResource: resource, wellKnownServer: metadata}, party: Party{Issuer: "https://login.example"}, wrong: "and not the issuer"},
		"a foreign host":          {documents: map[string]string{wellKnownResource: `{"resource":"%s/mcp","authorization_servers":["https://login.example"]}`}, wrong: "say so with `issuer: https://login.example`"},
		"metadata without TLS":    {challenge: `Bearer resource_metadata="http://other.example/x"`, wrong: "everybody on the way can read"},
		"an endpoint without TLS": {documents: map[string]string{wellKnownServer: `{"issuer":"%s","token_endpoint":"http://other.example/token"}`}, wrong: "everybody on the way can read"},
		"no token endpoint":       {documents: map[string]string{wellKnownServer: `{"issuer":"%s"}`}, wrong: "names no token endpoint"},
		"no JSON":                 {documents: map[string]string{wellKnownServer: `<html>`}, wrong: "does not read as JSON"},
		"a wrong client":          {documents: map[string]string{wellKnownServer: metadata}, party: Party{ID: "you"}, wrong: "HTTP 401: invalid_client, secret [redacted S] is wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, c.challenge, c.documents)
			p := c.party
			p.Issuer = strings.ReplaceAll(p.Issuer, "%s", s.URL)
			if p.ID == "" {
				p.ID = "me"
			}
			p.Secret, p.SecretName = "secret-of-mine", "S"
			var told []string
			h, err := New(Config{Client: &Client{Party: p}}, Server{URL: s.URL + "/mcp"}, func(name, value string) { told = append(told, value) })
			if err != nil {
				t.Fatal(err)
			}
			got, err := h.Authorization(t.Context())
			if got != c.want || (err == nil) != (c.wrong == "") {
				t.Fatalf("%q: %v", got, err)
			}
			if len(told) == 0 || told[0] != "secret-of-mine" {
				t.Errorf("told of %q", told)
			}
			if err == nil {
				return
			}
			if !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "secret-of-mine") {
				t.Errorf("%v", err)
			}
			if s.tokens > 0 && c.party.ID == "" {
				t.Error("the secret was sent")
			}
		})
	}
}

// With the token's URL nothing has to be found.
func TestATokenURLNeedsNoDiscovery(t *testing.T) {
	s := open(t, "", nil)
	h, err := New(Config{Client: &Client{Party: Party{ID: "me", Secret: "secret-of-mine"}, TokenURL: s.URL + "/token"}}, Server{URL: "http://127.0.0.1:9/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, h); got != "Bearer basic-true-scope-" {
		t.Errorf("%q", got)
	}
}
