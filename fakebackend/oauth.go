package fakebackend

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The client that the backend's own authorization server knows from the beginning. It may
// ask for tokens in its own name.
const (
	DemoClient = "demo"
	DemoSecret = "secret-of-the-demonstration"
)

// Paths of the authorization server.
const (
	pathResource  = "/.well-known/oauth-protected-resource"
	pathServer    = "/.well-known/oauth-authorization-server"
	pathToken     = "/oauth/token"
	pathAuthorize = "/oauth/authorize"
	pathRegister  = "/oauth/register"
	pathDevice    = "/oauth/device"
	pathRevoke    = "/oauth/revoke"
)

// deviceAnswers is at which question of a device its user has consented.
const deviceAnswers = 2

// guard decides who is let in: by one token, by tokens of the backend's own authorization
// server, or by somebody else's word.
type guard struct {
	options *Options

	mu      sync.Mutex
	tokens  map[[sha256.Size]byte]*given // access tokens, by digest, so that the time of looking tells nothing
	refresh map[string]*given            // refresh tokens that were not used yet
	codes   map[string]*given            // codes of logins, of browsers and devices
	clients map[string]*oauthClient
}

// given is what was given to a client.
type given struct {
	client, resource, scope string
	challenge, redirect     string // of a code
	requests                int    // of an access token: those that it let in
	asked                   int    // of a device's code
}

type oauthClient struct {
	secret    string // empty: it is public
	redirects []string
}

func newGuard(o *Options) *guard {
	g := &guard{options: o, tokens: map[[sha256.Size]byte]*given{}, refresh: map[string]*given{}, codes: map[string]*given{}, clients: map[string]*oauthClient{
		DemoClient: {secret: DemoSecret},
	}}
	if o.Token != "" {
		g.tokens[digest(o.Token)] = &given{}
	}
	return g
}

func digest(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// asks tells whether anybody is asked for a token.
func (o *Options) asks() bool { return o.Token != "" || o.OAuth || o.Verify != nil }

// lets tells whether a token lets a request in.
func (g *guard) lets(token string) bool {
	g.mu.Lock()
	t := g.tokens[digest(token)]
	if t != nil {
		t.requests++
	}
	good := t != nil && (g.options.TokenRequests == 0 || t.requests <= g.options.TokenRequests)
	g.mu.Unlock()
	return good || g.options.Verify != nil && g.options.Verify(token)
}

// issuer is the URL of the server at which a request arrived.
func issuer(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// challenge is what a request without a good token gets.
func (g *guard) challenge(r *http.Request, given bool) string {
	challenge := `Bearer realm="fakebackend"`
	if g.options.OAuth || g.options.AuthorizationServer != "" {
		challenge += `, resource_metadata="` + issuer(r) + pathResource + `/mcp"`
	}
	if given {
		challenge += `, error="invalid_token", error_description="this token is not known"`
	}
	return challenge
}

// describe serves the metadata of the resource, and the authorization server.
func (g *guard) describe(mux *http.ServeMux) {
	o := g.options
	if !o.OAuth && o.AuthorizationServer == "" {
		return
	}
	mux.HandleFunc("GET "+pathResource+"/mcp", func(w http.ResponseWriter, r *http.Request) {
		server := o.AuthorizationServer
		if server == "" {
			server = issuer(r)
		}
		sayJSON(w, http.StatusOK, map[string]any{"resource": issuer(r) + "/mcp", "authorization_servers": []string{server}, "scopes_supported": []string{"products"}})
	})
	if !o.OAuth {
		return
	}
	mux.HandleFunc("GET "+pathServer, func(w http.ResponseWriter, r *http.Request) {
		at := issuer(r)
		sayJSON(w, http.StatusOK, map[string]any{
			"issuer": at, "authorization_endpoint": at + pathAuthorize, "token_endpoint": at + pathToken, "registration_endpoint": at + pathRegister,
			"device_authorization_endpoint": at + pathDevice, "revocation_endpoint": at + pathRevoke,
			"grant_types_supported":    []string{"authorization_code", "refresh_token", "client_credentials", grantDevice},
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			"token_endpoint_auth_methods_supported":          []string{"client_secret_basic", "client_secret_post", "none"},
			"authorization_response_iss_parameter_supported": true,
		})
	})
	mux.HandleFunc("GET "+pathAuthorize, g.authorize)
	mux.HandleFunc("POST "+pathToken, g.token)
	mux.HandleFunc("POST "+pathRegister, g.register)
	mux.HandleFunc("POST "+pathDevice, g.device)
	mux.HandleFunc("POST "+pathRevoke, g.revoke)
}

const grantDevice = "urn:ietf:params:oauth:grant-type:device_code"

func sayJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that is gone needs no more
}

func refuse(w http.ResponseWriter, status int, code, why string) {
	sayJSON(w, status, map[string]string{"error": code, "error_description": why})
}

// authorize consents for the user at once, and sends the browser back with a code.
func (g *guard) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	g.mu.Lock()
	defer g.mu.Unlock()
	client, back := g.clients[q.Get("client_id")], q.Get("redirect_uri")
	if client == nil || !g.mayReturn(client, back) {
		refuse(w, http.StatusBadRequest, "invalid_request", "the client or its redirect is not known")
		return
	}
	parameters := url.Values{"state": {q.Get("state")}, "iss": {issuer(r)}}
	switch {
	case q.Get("response_type") != "code", q.Get("code_challenge_method") != "S256", q.Get("code_challenge") == "":
		parameters.Set("error", "invalid_request")
	case q.Get("resource") != issuer(r)+"/mcp":
		parameters.Set("error", "invalid_target")
	default:
		code := rand.Text()
		g.codes[code] = &given{client: q.Get("client_id"), resource: q.Get("resource"), scope: q.Get("scope"), challenge: q.Get("code_challenge"), redirect: back}
		parameters.Set("code", code)
	}
	http.Redirect(w, r, back+"?"+parameters.Encode(), http.StatusFound)
}

// mayReturn compares redirects; on the loopback address the port may be any (RFC 8252,
// section 7.3).
func (g *guard) mayReturn(c *oauthClient, back string) bool {
	at, err := url.Parse(back)
	if err != nil || at.Scheme != "http" {
		return false
	}
	if ip := net.ParseIP(at.Hostname()); ip == nil || !ip.IsLoopback() {
		return false
	}
	at.Host = at.Hostname()
	return slices.ContainsFunc(c.redirects, func(one string) bool {
		known, err := url.Parse(one)
		return err == nil && known.Scheme == at.Scheme && known.Hostname() == at.Host && known.Path == at.Path
	})
}

// known gives the client that asks; false: it was refused.
func (g *guard) known(w http.ResponseWriter, r *http.Request) (id string, ok bool) {
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if c := g.clients[id]; c == nil || c.secret != secret {
		refuse(w, http.StatusUnauthorized, "invalid_client", "the client "+id+" with the secret "+secret+" is not known")
		return "", false
	}
	return id, true
}

// token gives tokens.
func (g *guard) token(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id, ok := g.known(w, r)
	if !ok {
		return
	}
	deny := func(code, why string) { refuse(w, http.StatusBadRequest, code, why) }
	grant, renewable := &given{client: id, resource: r.PostFormValue("resource"), scope: r.PostFormValue("scope")}, true
	switch r.PostFormValue("grant_type") {
	case "client_credentials":
		renewable = false
		if g.clients[id].secret == "" {
			deny("unauthorized_client", "a public client asks for a person")
			return
		}
	case "refresh_token":
		old := g.refresh[r.PostFormValue("refresh_token")]
		if old == nil || old.client != id {
			deny("invalid_grant", "the refresh token "+r.PostFormValue("refresh_token")+" is not known, or was used before")
			return
		}
		delete(g.refresh, r.PostFormValue("refresh_token"))
		grant.scope = old.scope
	case "authorization_code":
		code := g.codes[r.PostFormValue("code")]
		delete(g.codes, r.PostFormValue("code"))
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		if code == nil || code.client != id || code.redirect != r.PostFormValue("redirect_uri") || code.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			deny("invalid_grant", "the code "+r.PostFormValue("code")+" is not good")
			return
		}
		grant.scope = code.scope
	case grantDevice:
		code := g.codes[r.PostFormValue("device_code")]
		if code == nil || code.client != id {
			deny("expired_token", "the device code is not known")
			return
		}
		if code.asked++; code.asked < deviceAnswers {
			deny("authorization_pending", "the user has not answered yet")
			return
		}
		delete(g.codes, r.PostFormValue("device_code"))
		grant.scope, grant.resource = code.scope, code.resource
	default:
		deny("unsupported_grant_type", "")
		return
	}
	if grant.resource != issuer(r)+"/mcp" {
		deny("invalid_target", "no such resource: "+grant.resource)
		return
	}
	token := rand.Text()
	g.tokens[digest(token)] = grant
	body := map[string]any{"access_token": token, "token_type": "Bearer", "scope": grant.scope}
	if g.options.TokenLife > 0 {
		body["expires_in"] = int(g.options.TokenLife / time.Second)
	}
	if renewable {
		fresh := rand.Text()
		g.refresh[fresh] = &given{client: id, scope: grant.scope}
		body["refresh_token"] = fresh
	}
	sayJSON(w, http.StatusOK, body)
}

// register takes in a client (RFC 7591).
func (g *guard) register(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Redirects []string `json:"redirect_uris"`
		Name      string   `json:"client_name"`
	}
	text, err := body(r)
	if err == nil {
		err = json.Unmarshal(text, &asked)
	}
	if err != nil || len(asked.Redirects) == 0 {
		refuse(w, http.StatusBadRequest, "invalid_redirect_uri", "a client has to say its redirects")
		return
	}
	id := "registered-" + strings.ToLower(rand.Text()[:8])
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clients[id] = &oauthClient{redirects: asked.Redirects}
	sayJSON(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": asked.Redirects, "client_name": asked.Name, "token_endpoint_auth_method": "none"})
}

// device begins the login of a device (RFC 8628), whose user consents a little later.
func (g *guard) device(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id, ok := g.known(w, r)
	if !ok {
		return
	}
	code := rand.Text()
	g.codes[code] = &given{client: id, resource: r.PostFormValue("resource"), scope: r.PostFormValue("scope")}
	sayJSON(w, http.StatusOK, map[string]any{"device_code": code, "user_code": rand.Text()[:8], "verification_uri": issuer(r) + pathDevice, "expires_in": 600, "interval": 1})
}

// revoke forgets a token (RFC 7009).
func (g *guard) revoke(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.known(w, r); !ok {
		return
	}
	delete(g.tokens, digest(r.PostFormValue("token")))
	delete(g.refresh, r.PostFormValue("token"))
	w.WriteHeader(http.StatusOK)
}
