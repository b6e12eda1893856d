package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"

	"github.com/mcpconform/mcpconform/conform"
)

// Frozen is what of a session stays the same from call to call: all that a
// sender needs that keeps connections and encodes requests itself, as load does.
// What it sends is not recorded, and does not go through the session's gates.
type Frozen struct {
	Transport string
	Protocol  string      // the revision in force
	URL       *url.URL    // of HTTP, without userinfo
	Socket    string      // the unix socket that URL is behind; empty: none
	TLS       *tls.Config // of https
	// Proxy is the proxy of the environment that requests to URL go through; nil:
	// there is none.
	Proxy    *url.URL
	Timeouts Timeouts
	Bounds   Bounds

	client *Client
}

// Freeze gives what of the session stays the same. The session must stay open
// for as long as it is used.
func (s *Session) Freeze() (Frozen, error) {
	c := s.client
	f := Frozen{Transport: c.config.Transport, Protocol: s.Protocol, Timeouts: c.config.Timeouts, Bounds: c.config.Bounds, client: c}
	if c.at.URL == nil {
		return f, nil
	}
	bare := *c.finally()
	bare.User = nil
	f.URL, f.Socket, f.TLS = &bare, c.at.Socket, c.tls
	if f.Socket != "" {
		return f, nil
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: f.URL})
	if err != nil {
		return Frozen{}, &Error{Class: Misconfigured, Doing: c.doing(), Err: err}
	}
	f.Proxy = proxy
	return f, nil
}

// Dial opens a connection to the address that the client is pinned to, and counts
// it among the client's connections.
func (f Frozen) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return f.client.dial(ctx, network, address)
}

// Encode gives the bytes that Do would send for a request: the body, which over
// stdio is a line without its line feed, and over HTTP the header fields, the
// configured ones among them. Nothing is sent.
func (s *Session) Encode(r Request) (body []byte, header []conform.HeaderField) {
	out := s.outgoing(s.Protocol, r)
	if s.client.config.Transport == Stdio {
		return oneLine(out.body), nil
	}
	if sameOrigin(s.client.at.URL, s.client.finally()) {
		value := ""
		if c := s.client.config.Credentials; c != nil {
			value, _ = c.Authorization(context.Background()) // without any the server refuses it
		}
		return out.body, authorized(merge(out.header, s.client.header), value)
	}
	return out.body, merge(out.header, nil)
}

// finally is where messages end up: the configured URL, or where it redirects to.
func (c *Client) finally() *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finalURL != nil {
		return c.finalURL
	}
	return c.at.URL
}
