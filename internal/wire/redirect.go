package wire

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// maxRedirects is how often one message is sent on.
const maxRedirects = 5

// Redirected is a place from which a server sent messages on, and where to.
type Redirected struct {
	From, To string // without secrets
	Status   int
	Bare     bool // the configured header fields, and the credentials, did not go along
}

func (r Redirected) String() string {
	words := fmt.Sprintf("%s redirects to %s (HTTP %d): messages were sent on", r.From, r.To, r.Status)
	if r.Bare {
		words += ", without the header fields of the target and the command line, for it is another host or port"
	}
	return words
}

// Redirected tells where messages were sent on to, in the order met.
func (c *Client) Redirected() []Redirected {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.redirected)
}

// sentOn keeps a redirect that was followed. Load, which follows none, goes to its end
// at once.
func (c *Client) sentOn(r Redirected, from, to *url.URL) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.redirected, r) && len(c.redirected) < maxRedirects*4 {
		c.redirected = append(c.redirected, r)
	}
	if sameURL(from, c.at.URL) || c.finalURL != nil && sameURL(from, c.finalURL) {
		c.finalURL = to
	}
}

func sameURL(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && a.Host == b.Host && a.RequestURI() == b.RequestURI()
}

// onwards gives where a message is sent on to after an answer; nil, and why not, where
// it is not sent on. Only 307 and 308 have a message sent again as it is: after another
// status a POST would become a GET, which asks something else.
func (x *exchange) onwards(in *reception, from *url.URL, hops int) (to *url.URL, why string) {
	location := conform.Field(in.header, "Location")
	if location == "" || in.status/100 != 3 {
		return nil, ""
	}
	refuse := func(reason string) (*url.URL, string) {
		return nil, fmt.Sprintf("redirected (%d) to %q, which was not followed: %s", in.status, conform.WithoutSecrets(location), reason)
	}
	if in.status != http.StatusTemporaryRedirect && in.status != http.StatusPermanentRedirect {
		return refuse("only 307 and 308 have the message sent again as it is")
	}
	at, err := url.Parse(location)
	if err != nil {
		return refuse("it does not read as a URL")
	}
	at = from.ResolveReference(at)
	at.User, at.Fragment, at.RawFragment = nil, "", ""
	c := x.link.client
	switch {
	case hops >= maxRedirects:
		return refuse(fmt.Sprintf("the message was sent on %d times already", hops))
	case at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "":
		return refuse("it is no address over HTTP")
	case from.Scheme == "https" && at.Scheme == "http":
		return refuse("it leads from https to http, where everybody on the way can read")
	case c.at.Socket != "" && !strings.EqualFold(at.Host, from.Host):
		return refuse("it leads away from a unix socket")
	case !strings.EqualFold(at.Hostname(), from.Hostname()) && (c.config.Follow == nil || !c.config.Follow(at.Host)):
		return refuse("it is another host, and nobody has consented to writes there: give its address with --url, or --allow-write " + at.Hostname())
	}
	return at, ""
}

// sameOrigin tells whether header fields that may hold credentials go along from one
// place to another: host and port are the same, or the same server is asked over TLS.
func sameOrigin(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if port(from) == port(to) {
		return from.Scheme == to.Scheme || to.Scheme == "https"
	}
	return from.Scheme == "http" && port(from) == "80" && to.Scheme == "https" && port(to) == "443"
}

func port(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// fieldsFor gives the header fields of one request to a place: the configured ones
// where they may go, and a session's id only to who gave it.
func (l *httpLink) fieldsFor(to *url.URL, header []conform.HeaderField, authorization string) []conform.HeaderField {
	if giver := l.giver.Load(); giver != nil && !sameOrigin(giver, to) {
		header = slices.DeleteFunc(slices.Clone(header), func(f conform.HeaderField) bool { return f.Name == fieldSession })
	}
	if sameOrigin(l.url, to) {
		return authorized(merge(header, l.header), authorization)
	}
	return merge(header, nil)
}

// current is where the link's messages go now: to the configured URL, or where it was
// seen to redirect to.
func (l *httpLink) current() *url.URL {
	l.client.mu.Lock()
	defer l.client.mu.Unlock()
	if l.client.finalURL != nil {
		return l.client.finalURL
	}
	return l.url
}
