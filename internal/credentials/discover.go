package credentials

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// resourceMetadata is what a server says of who lets clients in (RFC 9728, section 2).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
}

// serverMetadata is what an authorization server says of itself (RFC 8414, section 2, RFC
// 8628, section 4, and client ID metadata documents).
type serverMetadata struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Registration  string   `json:"registration_endpoint"`
	Revocation    string   `json:"revocation_endpoint"`
	Device        string   `json:"device_authorization_endpoint"`
	Methods       []string `json:"token_endpoint_auth_methods_supported"`
	Challenges    []string `json:"code_challenge_methods_supported"`
	Scopes        []string `json:"scopes_supported"`
	Documents     bool     `json:"client_id_metadata_document_supported"`
	SaysIssuer    bool     `json:"authorization_response_iss_parameter_supported"`
}

// found is what is known of the way to a token.
type found struct {
	resource string // to be sent; see Party.Resource
	scopes   []string
	meta     serverMetadata
}

const (
	wellKnownResource = "/.well-known/oauth-protected-resource"
	wellKnownServer   = "/.well-known/oauth-authorization-server"
	wellKnownOpenID   = "/.well-known/openid-configuration"
)

// find asks the server who lets clients in, and that authorization server for its
// endpoints.
func (b *broker) find(ctx context.Context, p Party) (found, error) {
	f := found{resource: p.Resource, scopes: p.Scopes}
	says, asked, err := b.resource(ctx)
	if err != nil && p.Issuer == "" {
		return f, err
	}
	if f.resource == "" {
		f.resource = b.url
		if says.Resource != "" {
			f.resource = says.Resource
		}
	}
	if len(f.scopes) == 0 {
		if f.scopes = asked; len(f.scopes) == 0 {
			f.scopes = says.Scopes
		}
	}
	issuer := p.Issuer
	switch {
	case issuer != "" && len(says.AuthorizationServers) > 0 && !slices.ContainsFunc(says.AuthorizationServers, func(s string) bool { return sameIssuer(s, issuer) }):
		return f, fmt.Errorf("the server names the authorization server %s, and not the issuer %s that was given", strings.Join(says.AuthorizationServers, ", "), issuer)
	case issuer != "":
	case len(says.AuthorizationServers) > 0:
		issuer = says.AuthorizationServers[0]
	default:
		issuer = b.origin() // as servers of 2025-03-26 have it
	}
	if p.Issuer == "" && p.Secret != "" {
		if at, err := url.Parse(issuer); err != nil || !strings.EqualFold(at.Hostname(), b.server.URL.Hostname()) {
			return f, fmt.Errorf("the server names the authorization server %s, which is another host: if the client's secret may be shown to it, say so with `issuer: %s`", excerpt(issuer), excerpt(issuer))
		}
	}
	f.meta, err = b.issuer(ctx, issuer)
	if errors.Is(err, errAbsent) && p.Issuer == "" && len(says.AuthorizationServers) == 0 {
		err = fmt.Errorf("the server at %s does not say who gives tokens for it: it has neither %s nor %s; name the `issuer`", b.url, wellKnownResource, wellKnownServer)
	}
	return f, err
}

// origin is scheme and host of the server.
func (b *broker) origin() string {
	return b.server.URL.Scheme + "://" + strings.ToLower(b.server.URL.Host)
}

// resource gets the server's metadata, from where it says that they are, or from where
// they have to be, and the scopes that it asks for. Absent metadata are no error.
func (b *broker) resource(ctx context.Context) (says resourceMetadata, scopes []string, err error) {
	challenge, err := b.challenge(ctx)
	if err != nil {
		return says, nil, err
	}
	scopes = strings.Fields(challenge["scope"])
	places := []string{b.origin() + wellKnownResource + strings.TrimSuffix(b.server.URL.EscapedPath(), "/"), b.origin() + wellKnownResource}
	if named := challenge["resource_metadata"]; named != "" {
		places = []string{named}
	}
	for _, from := range slices.Compact(places) {
		says = resourceMetadata{}
		err := b.read(ctx, from, &says)
		switch {
		case errors.Is(err, errAbsent) && challenge["resource_metadata"] == "":
			continue
		case err != nil:
			return says, scopes, fmt.Errorf("the server's metadata at %s %s", from, b.secrets.mask(err.Error()))
		case !b.covers(says.Resource):
			return says, scopes, fmt.Errorf("the server's metadata at %s are of another resource, %q: a token for that must not be sent to %s (RFC 9728, section 3.3)", from, excerpt(says.Resource), b.url)
		}
		return says, scopes, nil
	}
	return resourceMetadata{}, scopes, nil
}

// covers tells whether a resource is the server's URL, or the beginning of its path on
// the same host.
func (b *broker) covers(resource string) bool {
	at, err := url.Parse(resource)
	if err != nil || at.Scheme != b.server.URL.Scheme || !strings.EqualFold(at.Host, b.server.URL.Host) {
		return false
	}
	path, whole := strings.TrimSuffix(at.Path, "/"), strings.TrimSuffix(b.server.URL.Path, "/")
	return whole == path || strings.HasPrefix(whole, path+"/")
}

// challenge asks the server something without credentials, and gives the parameters of
// the challenge that it answers with, empty where it has none.
func (b *broker) challenge(ctx context.Context) (map[string]string, error) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcpconform","version":"0"}}}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.asked, strings.NewReader(hello))
	if err != nil {
		return nil, errors.New("the url does not read as one")
	}
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Content-Type", "application/json")
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, &unreachable{fmt.Errorf("asking %s who gives tokens for it: %w", b.url, bare(err))}
	}
	_ = answer.Body.Close() // nothing of it is read
	challenges, err := oauthex.ParseWWWAuthenticate(answer.Header.Values("WWW-Authenticate"))
	if err != nil {
		return nil, nil // the well-known places remain
	}
	for _, c := range challenges {
		if c.Scheme == "bearer" {
			return c.Params, nil
		}
	}
	return nil, nil
}

// issuer gets an authorization server's metadata, from the places of RFC 8414 and of
// OpenID Connect.
func (b *broker) issuer(ctx context.Context, issuer string) (serverMetadata, error) {
	var meta serverMetadata
	if err := safe(issuer); err != nil {
		return meta, fmt.Errorf("the authorization server %w", err)
	}
	at, err := url.Parse(issuer)
	if err != nil {
		return meta, fmt.Errorf("the authorization server %q is no URL", issuer)
	}
	origin, path := at.Scheme+"://"+at.Host, strings.TrimSuffix(at.EscapedPath(), "/")
	places := []string{origin + wellKnownServer + path, origin + wellKnownOpenID + path, origin + path + wellKnownOpenID}
	for _, from := range slices.Compact(places) {
		meta = serverMetadata{}
		err = b.read(ctx, from, &meta)
		if errors.Is(err, errAbsent) {
			continue
		}
		switch {
		case err != nil:
			return meta, fmt.Errorf("the metadata of the authorization server at %s %s", from, b.secrets.mask(err.Error()))
		case !sameIssuer(meta.Issuer, issuer):
			return meta, fmt.Errorf("the metadata at %s are of another issuer, %q (RFC 8414, section 3.3)", from, excerpt(meta.Issuer))
		}
		for _, endpoint := range []string{meta.Authorization, meta.Token, meta.Registration, meta.Revocation, meta.Device} {
			if endpoint != "" {
				if err := safe(endpoint); err != nil {
					return meta, fmt.Errorf("the metadata of the authorization server at %s: %w", from, err)
				}
			}
		}
		return meta, nil
	}
	return meta, fmt.Errorf("the metadata of the authorization server %s: %w", issuer, err)
}

// sameIssuer compares issuers; a slash at the end makes none of its own.
func sameIssuer(a, b string) bool { return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/") }
