package credentials

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"
)

// login gives the tokens of a login that is kept, and renews them.
type login struct {
	config Login
	broker *broker
	store  *Store
}

// know tells of a login's secrets.
func (b *broker) know(r *Record) {
	b.secrets.add("client secret", r.ClientSecret)
	b.secrets.add("refresh token", r.RefreshToken)
	b.secrets.add("access token", r.AccessToken)
}

// get gives what is kept, unless that is old: then the token is renewed, by one process at
// a time, since a refresh token is often good for once.
func (l *login) get(ctx context.Context, old string) (token, error) {
	b := l.broker
	kept, err := l.read()
	if err != nil {
		return token{}, err
	}
	if t, ok := kept.usable(old); ok {
		return t, nil
	}
	unlock, err := l.store.Lock(ctx, b.name)
	if err != nil {
		return token{}, err
	}
	defer unlock()
	if kept, err = l.read(); err != nil {
		return token{}, err
	}
	if t, ok := kept.usable(old); ok {
		return t, nil // another process has renewed it meanwhile
	}
	if kept.RefreshToken == "" {
		return token{}, fmt.Errorf("the login for %s of %s has ended, and has no refresh token; log in again: mcpconform login --url %s", b.name, kept.Made.Format(time.DateTime), b.name)
	}
	if l.config.Issuer != "" && !sameIssuer(l.config.Issuer, kept.Issuer) {
		return token{}, fmt.Errorf("the login for %s is of the issuer %s, and not of %s, which the target file names; log in again", b.name, kept.Issuer, l.config.Issuer)
	}
	got, err := b.exchange(ctx, kept, "renewing the login", "grant_type", "refresh_token", "refresh_token", kept.RefreshToken)
	if err != nil {
		return token{}, fmt.Errorf("%w; log in again: mcpconform login --url %s", err, b.name)
	}
	t, err := kept.take(b, got)
	if err != nil {
		return token{}, err
	}
	return t, l.store.Put(*kept)
}

func (l *login) read() (*Record, error) {
	kept, err := l.store.Get(l.broker.name)
	switch {
	case err != nil:
		return nil, err
	case kept == nil:
		return nil, fmt.Errorf("there is no login for %s; make one: mcpconform login --url %s", l.broker.name, l.broker.name)
	}
	l.broker.know(kept)
	return kept, nil
}

// usable gives the token that is kept, if it is another one than the old one, and not at
// its end.
func (r *Record) usable(old string) (token, bool) {
	now := time.Now()
	t := token{value: r.AccessToken, until: r.Until, kept: true}
	if !r.Until.IsZero() {
		t.life = r.Until.Sub(r.Made)
	}
	return t, r.AccessToken != "" && r.AccessToken != old && !t.ends(now)
}

// take takes in what a token endpoint gave. A refresh token that is not given anew stays.
func (r *Record) take(b *broker, got *oauth2.Token) (token, error) {
	began := time.Now()
	t, err := b.usable(got, began, r.TokenURL)
	if err != nil {
		return t, err
	}
	r.AccessToken, r.Until, r.Made = t.value, t.until, began
	if got.RefreshToken != "" {
		r.RefreshToken = got.RefreshToken
	}
	return t, nil
}

// exchange asks a token endpoint, with parameters as name and value in turn.
func (b *broker) exchange(ctx context.Context, r *Record, doing string, parameters ...string) (*oauth2.Token, error) {
	if len(parameters)%2 != 0 {
		return nil, errors.New("a parameter without a value")
	}
	ask := oauth2.Config{ClientID: r.ClientID, ClientSecret: r.ClientSecret, Scopes: r.Scopes, Endpoint: oauth2.Endpoint{TokenURL: r.TokenURL, AuthStyle: r.style()}}
	options := []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("resource", r.Resource)}
	for i := 0; i < len(parameters); i += 2 {
		options = append(options, oauth2.SetAuthURLParam(parameters[i], parameters[i+1]))
	}
	// The code that is asked for is a parameter as well; without a value it counts as left
	// out (RFC 6749, section 3.2).
	got, err := ask.Exchange(b.with(ctx), "", options...)
	if err != nil {
		return nil, b.refusal(doing, r.TokenURL, err)
	}
	return got, nil
}

// style is how the client shows its secret; without one it says its id among the
// parameters (RFC 6749, section 3.2.1).
func (r *Record) style() oauth2.AuthStyle {
	if r.ClientSecret == "" || r.Method == MethodPost {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}
