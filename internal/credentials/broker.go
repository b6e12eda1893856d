package credentials

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpconform/mcpconform/internal/address"
)

// askTime bounds one question to an authorization server.
const askTime = 30 * time.Second

// mostAnswer bounds an answer of one, in bytes.
const mostAnswer = 1 << 20

// broker asks a server and its authorization server.
type broker struct {
	server  address.Address
	asked   string // the URL that the server is asked at
	url     string // of the server, as an authorization server is told it: without a query, which may hold secrets
	name    string // by which a login is kept: the URL, or the socket
	client  *http.Client
	secrets *secrets
}

func newBroker(at Server, s *secrets) (*broker, error) {
	server, err := address.Parse(at.URL)
	if err != nil {
		return nil, fmt.Errorf("the url cannot be used: %w", err)
	}
	bare := *server.URL
	bare.User, bare.Fragment = nil, ""
	bare.Scheme, bare.Host = strings.ToLower(bare.Scheme), strings.ToLower(bare.Host)
	b := &broker{server: server, asked: bare.String(), secrets: s}
	bare.RawQuery, bare.ForceQuery = "", false
	b.url = bare.String()
	b.name = address.Address{URL: &bare, Socket: server.Socket}.String()
	own, err := at.Trust.Config()
	if err != nil {
		return nil, err
	}
	// An authorization server is another host: it is shown no certificate of ours, and its
	// own is always looked at.
	others := &tls.Config{MinVersion: tls.VersionTLS12}
	if at.Trust.CAFile != "" {
		text, err := os.ReadFile(at.Trust.CAFile)
		if err != nil {
			return nil, fmt.Errorf("reading the file of CA certificates: %w", err)
		}
		if others.RootCAs, err = x509.SystemCertPool(); err != nil {
			others.RootCAs = x509.NewCertPool()
		}
		others.RootCAs.AppendCertsFromPEM(text)
	}
	way := byHost{server: server, own: transport(own), others: transport(others)}
	if server.Socket != "" {
		way.own.Proxy = nil
		way.own.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			network, path := server.Dial()
			return new(net.Dialer).DialContext(ctx, network, path)
		}
	}
	b.client = &http.Client{Transport: way, Timeout: askTime, CheckRedirect: sameHost}
	return b, nil
}

// transport makes connections of one question each.
func transport(config *tls.Config) *http.Transport {
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true,
		DialContext:     (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSClientConfig: config, TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: mostAnswer,
	}
}

// byHost asks the server under test as its Trust says, and others as anybody.
type byHost struct {
	server      address.Address
	own, others *http.Transport
}

func (t byHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("User-Agent") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", "mcpconform")
	}
	if strings.EqualFold(r.URL.Host, t.server.URL.Host) && r.URL.Scheme == t.server.URL.Scheme {
		return t.own.RoundTrip(r)
	}
	return t.others.RoundTrip(r)
}

// sameHost follows redirects of a question that only reads, on one host.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0]
	if first.Method != http.MethodGet || len(before) > 3 || next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// with has golang.org/x/oauth2 ask by the broker's client.
func (b *broker) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, b.client)
}

// errAbsent is the error of a document that is not there.
var errAbsent = errors.New("is not there")

// read gets a JSON document.
func (b *broker) read(ctx context.Context, from string, into any) error {
	if err := safe(from); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return errors.New("its URL does not read as one")
	}
	request.Header.Set("Accept", "application/json")
	answer, err := b.client.Do(request)
	if err != nil {
		return bare(err)
	}
	defer answer.Body.Close()
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode/100 == 4:
		return errAbsent
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("was answered with status %d", answer.StatusCode)
	case media == "text/html":
		return errAbsent // a page that is served for any path
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, mostAnswer)).Decode(into); err != nil {
		return fmt.Errorf("does not read as JSON of its kind: %w", err)
	}
	return nil
}

// safe tells whether secrets may travel to a URL: over TLS, or on this machine.
func safe(text string) error {
	at, err := url.Parse(text)
	switch {
	case err != nil, at.Hostname() == "":
		return fmt.Errorf("%q is no URL", text)
	case at.Scheme == "https":
		return nil
	case at.Scheme != "http":
		return fmt.Errorf("%q begins neither with https:// nor with http://", text)
	case at.Hostname() == "localhost":
		return nil
	}
	if ip := net.ParseIP(at.Hostname()); ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("%s is reached over http, where everybody on the way can read: only on this machine is that borne", at.Redacted())
}

// bare is an error without the URL, which net/http puts before it.
func bare(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// refusal words an error of a token endpoint, without the body of its answer.
func (b *broker) refusal(doing, endpoint string, err error) error {
	var said *oauth2.RetrieveError
	if !errors.As(err, &said) {
		return fmt.Errorf("%s at %s: %s", doing, endpoint, b.secrets.mask(bare(err).Error()))
	}
	words := ""
	if said.ErrorCode != "" {
		words = ": " + said.ErrorCode
	}
	if said.ErrorDescription != "" {
		words += ", " + excerpt(said.ErrorDescription)
	}
	status := 0
	if said.Response != nil {
		status = said.Response.StatusCode
	}
	return fmt.Errorf("%s at %s was refused (HTTP %d%s)", doing, endpoint, status, b.secrets.mask(words))
}

// excerpt is a foreign text in one short line.
func excerpt(text string) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "…"
	}
	return line
}

// newForm makes a request with parameters.
func newForm(ctx context.Context, to string, form url.Values) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, errors.New("its URL does not read as one")
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return request, nil
}
