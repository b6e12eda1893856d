package credentials

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// LoginTime is how long a person may take to log in where nothing is said.
const LoginTime = 5 * time.Minute

// Asking says how a person is asked to log in.
type Asking struct {
	Login  Login
	Server Server
	// Device has the person log in by a code that is typed in elsewhere, in the place of a
	// browser on this machine.
	Device bool
	// Browser is given the address that a browser on this machine has to open.
	Browser func(address string)
	// Code is given the address that any browser has to open, and the code to type there.
	Code func(address, code string)
}

// LogIn has a person log in, and keeps the login. The context bounds it.
func LogIn(ctx context.Context, a Asking) (Record, error) {
	known := &secrets{}
	r, err := a.login(ctx, known)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return r, errors.New("nobody logged in in time")
	case err != nil:
		return r, errors.New(known.mask(err.Error()))
	}
	return r, nil
}

func (a Asking) login(ctx context.Context, known *secrets) (Record, error) {
	b, err := newBroker(a.Server, known)
	if err != nil {
		return Record{}, err
	}
	p := a.Login.Party
	known.add(p.SecretName, p.Secret)
	f, err := b.find(ctx, p)
	if err != nil {
		return Record{}, err
	}
	if f.meta.Token == "" {
		return Record{}, fmt.Errorf("the authorization server %s names no token endpoint", f.meta.Issuer)
	}
	scopes := slices.Clone(f.scopes)
	if offline := "offline_access"; len(p.Scopes) == 0 && slices.Contains(f.meta.Scopes, offline) && !slices.Contains(scopes, offline) {
		scopes = append(scopes, offline) // else there is no refresh token
	}
	r := Record{
		Server: b.name, Resource: f.resource, Issuer: f.meta.Issuer, TokenURL: f.meta.Token, RevocationURL: f.meta.Revocation,
		ClientID: p.ID, ClientSecret: p.Secret, Method: p.Method, Scopes: scopes,
	}
	if r.Method == "" && style("", f.meta.Methods) == oauth2.AuthStyleInParams {
		r.Method = MethodPost
	}
	ask := b.byBrowser
	if a.Device || f.meta.Authorization == "" {
		ask = b.byDevice
	}
	got, err := ask(ctx, a, f.meta, &r)
	if err != nil {
		return r, err
	}
	if _, err := r.take(b, got); err != nil {
		return r, err
	}
	store, err := OpenStore()
	if err != nil {
		return r, err
	}
	unlock, err := store.Lock(ctx, b.name)
	if err != nil {
		return r, err
	}
	defer unlock()
	return r, store.Put(r)
}

// identify finds as which client is asked, for a redirect; empty: there is none.
func (b *broker) identify(ctx context.Context, a Asking, meta serverMetadata, r *Record, redirect string) error {
	switch {
	case r.ClientID != "":
		return nil
	case a.Login.DocumentURL != "":
		if !meta.Documents {
			return fmt.Errorf("the authorization server %s does not say that it takes client ID metadata documents; name a `client_id` that it knows", meta.Issuer)
		}
		r.ClientID = a.Login.DocumentURL
		return nil
	case meta.Registration == "":
		return fmt.Errorf("the authorization server %s registers no clients by itself; register one there with the redirect http://127.0.0.1/callback, and name it with `client_id` or --client-id", meta.Issuer)
	}
	asked := &oauthex.ClientRegistrationMetadata{
		ClientName: "mcpconform", ApplicationType: "native", TokenEndpointAuthMethod: "none",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, RedirectURIs: []string{redirect},
	}
	if a.Device {
		asked.GrantTypes = append(asked.GrantTypes, "urn:ietf:params:oauth:grant-type:device_code")
	}
	client, err := oauthex.RegisterClient(ctx, meta.Registration, asked, b.client)
	if err != nil {
		return fmt.Errorf("registering a client at %s: %s", meta.Registration, excerpt(bare(err).Error()))
	}
	r.ClientID, r.ClientSecret = client.ClientID, client.ClientSecret
	b.secrets.add("client secret", client.ClientSecret)
	if client.TokenEndpointAuthMethod == "client_secret_post" {
		r.Method = MethodPost
	}
	return nil
}

// callback is the path of the redirect.
const callback = "/callback"

// byBrowser is the authorization code grant with PKCE, on a loopback redirect (OAuth 2.1,
// section 4.1, and RFC 8252).
func (b *broker) byBrowser(ctx context.Context, a Asking, meta serverMetadata, r *Record) (*oauth2.Token, error) {
	if !slices.Contains(meta.Challenges, "S256") {
		return nil, fmt.Errorf("the authorization server %s does not say that it does PKCE with S256, without which MCP forbids the login (code_challenge_methods_supported)", meta.Issuer)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Login.Port)))
	if err != nil {
		return nil, fmt.Errorf("waiting for the redirect: %w", err)
	}
	redirect := "http://" + listener.Addr().String() + callback
	if err := b.identify(ctx, a, meta, r, redirect); err != nil {
		_ = listener.Close() // it is not needed
		return nil, err
	}
	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	b.secrets.add("code verifier", verifier)
	b.secrets.add("state", state)
	ask := r.oauth(meta, redirect)
	back := &redirected{state: state, meta: meta, came: make(chan url.Values, 1)}
	server := &http.Server{Handler: back, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	served := make(chan struct{})
	go func() { defer close(served); _ = server.Serve(listener) }() // it ends with its listener
	defer func() { _ = server.Close(); <-served }()

	a.Browser(ask.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", r.Resource)))
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case answer := <-back.came:
		// The browser is answered before the server is closed.
		code := answer.Get("code")
		b.secrets.add("code", code)
		if refused := answer.Get("error"); refused != "" {
			return nil, fmt.Errorf("the authorization server %s refused the login: %s", meta.Issuer, excerpt(refused+" "+answer.Get("error_description")))
		}
		if code == "" {
			return nil, fmt.Errorf("the authorization server %s redirected without a code", meta.Issuer)
		}
		got, err := ask.Exchange(b.with(ctx), code, oauth2.VerifierOption(verifier), oauth2.SetAuthURLParam("resource", r.Resource))
		if err != nil {
			return nil, b.refusal("asking for a token", r.TokenURL, err)
		}
		return got, nil
	}
}

func (r *Record) oauth(meta serverMetadata, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: r.ClientID, ClientSecret: r.ClientSecret, RedirectURL: redirect, Scopes: r.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: meta.Authorization, TokenURL: meta.Token, DeviceAuthURL: meta.Device, AuthStyle: r.style()},
	}
}

// redirected takes what the authorization server sends the browser back with. What does
// not hold our state, or is another server's (RFC 9207), is none of it.
type redirected struct {
	state string
	meta  serverMetadata
	came  chan url.Values
}

func (b *redirected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Connection", "close")
	answer := r.URL.Query()
	issuer := answer.Get("iss")
	switch {
	case r.Method != http.MethodGet || r.URL.Path != callback:
		http.NotFound(w, r)
		return
	case subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(b.state)) != 1,
		issuer != "" && !sameIssuer(issuer, b.meta.Issuer), issuer == "" && b.meta.SaysIssuer:
		http.Error(w, "This is no answer to a login that mcpconform waits for.", http.StatusBadRequest)
		return
	}
	_, _ = w.Write([]byte("mcpconform has its answer. You can close this window.\n")) // a browser that is gone needs no more
	_ = http.NewResponseController(w).Flush()
	select {
	case b.came <- answer:
	default: // it has come already
	}
}

// byDevice is the device authorization grant (RFC 8628).
func (b *broker) byDevice(ctx context.Context, a Asking, meta serverMetadata, r *Record) (*oauth2.Token, error) {
	if meta.Device == "" {
		return nil, fmt.Errorf("the authorization server %s lets no devices log in (device_authorization_endpoint)", meta.Issuer)
	}
	if err := b.identify(ctx, a, meta, r, "http://127.0.0.1"+callback); err != nil {
		return nil, err
	}
	ask := r.oauth(meta, "")
	resource := oauth2.SetAuthURLParam("resource", r.Resource)
	begun := []oauth2.AuthCodeOption{resource}
	if r.ClientSecret != "" {
		begun = append(begun, oauth2.SetAuthURLParam("client_secret", r.ClientSecret))
	}
	device, err := ask.DeviceAuth(b.with(ctx), begun...)
	if err != nil {
		return nil, b.refusal("beginning the login of a device", meta.Device, err)
	}
	b.secrets.add("device code", device.DeviceCode)
	at := device.VerificationURI
	if device.VerificationURIComplete != "" {
		at = device.VerificationURIComplete
	}
	if err := safe(at); err != nil {
		return nil, fmt.Errorf("the page to log in: %w", err)
	}
	a.Code(at, device.UserCode)
	got, err := ask.DeviceAccessToken(b.with(ctx), device, resource)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, b.refusal("asking for a token", meta.Token, err)
	}
	return got, nil
}

// LogOut forgets the login for a server, and has its tokens revoked where that is
// offered. told says what could not be revoked; found is false where there was no login.
func LogOut(ctx context.Context, at Server) (found bool, told string, err error) {
	known := &secrets{}
	b, err := newBroker(at, known)
	if err != nil {
		return false, "", err
	}
	store, err := OpenStore()
	if err != nil {
		return false, "", err
	}
	r, err := store.Get(b.name)
	if r == nil && err == nil {
		return false, "", nil
	}
	unlock, lockErr := store.Lock(ctx, b.name)
	if lockErr != nil {
		return true, "", lockErr
	}
	defer unlock()
	if err == nil { // else it does not read, and is only deleted
		b.know(r)
		if err := b.revoke(ctx, r); err != nil {
			told = known.mask(err.Error())
		}
	}
	return true, told, store.Delete(b.name)
}

// revoke asks that what was given be forgotten (RFC 7009): with a refresh token its
// access tokens go too.
func (b *broker) revoke(ctx context.Context, r *Record) error {
	if r.RevocationURL == "" {
		return fmt.Errorf("the authorization server %s revokes no tokens: they last until they end by themselves", r.Issuer)
	}
	token, sort := r.RefreshToken, "refresh_token"
	if token == "" {
		token, sort = r.AccessToken, "access_token"
	}
	form := url.Values{"token": {token}, "token_type_hint": {sort}}
	if r.style() == oauth2.AuthStyleInParams {
		form.Set("client_id", r.ClientID)
		if r.ClientSecret != "" {
			form.Set("client_secret", r.ClientSecret)
		}
	}
	request, err := newForm(ctx, r.RevocationURL, form)
	if err != nil {
		return err
	}
	if r.style() == oauth2.AuthStyleInHeader {
		request.SetBasicAuth(url.QueryEscape(r.ClientID), url.QueryEscape(r.ClientSecret))
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return fmt.Errorf("revoking the tokens at %s: %w", r.RevocationURL, bare(err))
	}
	_ = answer.Body.Close() // nothing of it is read
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("revoking the tokens at %s was refused (HTTP %d)", r.RevocationURL, answer.StatusCode)
	}
	return nil
}
