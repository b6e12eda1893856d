package credentials

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// client gets tokens in its own name.
type client struct {
	config Client
	broker *broker
	found  *found // nil: not looked for yet
}

func (c *client) get(ctx context.Context, _ string) (token, error) {
	b, p := c.broker, c.config.Party
	b.secrets.add(p.SecretName, p.Secret)
	if c.found == nil {
		f := found{resource: p.Resource, scopes: p.Scopes, meta: serverMetadata{Token: c.config.TokenURL}}
		if f.resource == "" {
			f.resource = b.url
		}
		if c.config.TokenURL == "" {
			var err error
			if f, err = b.find(ctx, p); err != nil {
				return token{}, err
			}
		}
		if f.meta.Token == "" {
			return token{}, errors.New("the authorization server " + f.meta.Issuer + " names no token endpoint")
		}
		c.found = &f
	}
	ask := clientcredentials.Config{
		ClientID: p.ID, ClientSecret: p.Secret, TokenURL: c.found.meta.Token, Scopes: c.found.scopes,
		EndpointParams: url.Values{"resource": {c.found.resource}}, AuthStyle: style(p.Method, c.found.meta.Methods),
	}
	began := time.Now()
	got, err := ask.Token(b.with(ctx))
	if err != nil {
		return token{}, b.refusal("asking for a token", ask.TokenURL, err)
	}
	return b.usable(got, began, ask.TokenURL)
}

// usable looks at a token that was given.
func (b *broker) usable(got *oauth2.Token, began time.Time, endpoint string) (token, error) {
	b.secrets.add("access token", got.AccessToken)
	b.secrets.add("refresh token", got.RefreshToken)
	value, err := bearer(got.AccessToken)
	switch {
	case err != nil:
		return token{}, errors.New("what " + endpoint + " gave as a token " + err.Error())
	case got.Type() != "Bearer":
		return token{}, errors.New(endpoint + " gave a token of the type " + excerpt(got.Type()) + ", which is not served: bearer tokens are")
	}
	life := time.Duration(0)
	if !got.Expiry.IsZero() {
		life = max(got.Expiry.Sub(began).Round(time.Second), time.Second)
	}
	return newToken(value, life, began), nil
}

// style is how a client shows its secret: as it is told, else as the authorization server
// takes it, else as every one has to (RFC 6749, section 2.3.1).
func style(method string, takes []string) oauth2.AuthStyle {
	switch {
	case method == MethodPost, method == "" && slices.Contains(takes, "client_secret_post") && !slices.Contains(takes, "client_secret_basic"):
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}
