package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// idleLimit is how long an unused connection is kept. It is shorter than the
// 5 s after which many servers (Node, uvicorn, Apache) close theirs: a request
// that meets such a closing is lost without the server's fault, and we repeat
// nothing.
const idleLimit = 1500 * time.Millisecond

// pool holds the connections of one session, or of all.
type pool struct {
	transport *http.Transport
}

// newPool makes a transport that adds nothing and repeats nothing: no
// compression, no redirects (there is no http.Client above it). Over TLS it speaks
// HTTP/2 where the server prefers that. Proxies of the environment are used, for
// loopback addresses and unix sockets never.
func (c *Client) newPool() *pool {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	t, b := c.config.Timeouts, c.config.Bounds
	p := &pool{transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return c.dial(ctx, network, address)
		},
		OnProxyConnectResponse: tunnelled,
		TLSClientConfig:        c.tls.Clone(),
		TLSHandshakeTimeout:    t.Connect,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    1 << 14,
		IdleConnTimeout:        idleLimit,
		MaxResponseHeaderBytes: int64(b.MaxHeader),
		WriteBufferSize:        32 << 10,
		ReadBufferSize:         32 << 10,
		Protocols:              protocols,
	}}
	if c.at.Socket != "" {
		p.transport.Proxy = nil
	}
	return p
}

// dial opens a connection to the address that the client is pinned to, and counts
// it among the client's connections. Behind a unix socket nothing else is dialled.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.at.Socket != "" {
		network, address = c.at.Dial()
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeouts.Connect)
	defer cancel()
	conn, err := c.pins.connect(ctx, network, address)
	if err == nil {
		c.opened.Add(1)
	}
	return conn, err
}

// tunnelled says what a proxy that makes no tunnel answered.
func tunnelled(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode/100 == 2 {
		return nil
	}
	return proxyRefused(proxy, answer.StatusCode)
}

// proxyRefused words the answer of a proxy that stands for its own, not the server's.
func proxyRefused(proxy *url.URL, status int) error {
	mend := "does it let this host through?"
	if status == http.StatusProxyAuthRequired {
		mend = "write user and password into the proxy's URL, in HTTPS_PROXY or HTTP_PROXY"
	}
	return fmt.Errorf("the proxy %s answered with status %d: %s", proxy.Host, status, mend)
}

// httpLink is a session's way to a streamable HTTP server.
type httpLink struct {
	client   *Client
	pool     *pool
	own      bool // the pool is this session's alone
	url      *url.URL
	giver    atomic.Pointer[url.URL] // of the session's id; nil: none was given
	proxy    *url.URL                // that plain HTTP goes through; nil: none
	shown    string                  // the URL as sent, without its secrets
	header   []conform.HeaderField
	session  string // the harness's name
	recorder Recorder
	timeouts Timeouts
	bounds   Bounds

	life    context.Context // of everything in flight
	end     context.CancelFunc
	flights sync.WaitGroup
	mu      sync.Mutex
	closed  bool
}

func newHTTPLink(c *Client, session string) *httpLink {
	l := &httpLink{
		client: c, pool: c.pool, header: c.header, session: session,
		recorder: c.config.Recorder, timeouts: c.config.Timeouts, bounds: c.config.Bounds,
	}
	if c.config.SeparateConnections {
		l.pool, l.own = c.newPool(), true
	}
	bare := *c.at.URL
	bare.User = nil
	l.url, l.shown = &bare, c.shown()
	if bare.Scheme == "http" && c.at.Socket == "" {
		l.proxy, _ = http.ProxyFromEnvironment(&http.Request{URL: l.url}) // net/http tells of a wrong one
	}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// begin counts an exchange in, unless the link is closed.
func (l *httpLink) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.flights.Add(1)
	return true
}

func (l *httpLink) exchange(ctx context.Context, out outgoing) *Reply {
	if ctx.Err() != nil {
		return notSent(Interrupted, conform.Stopped, stoppedBy(ctx, out.awaited()))
	}
	authorization, err := l.authorize(ctx)
	if err != nil {
		return shutOut(ctx, &out, err)
	}
	if !l.begin() {
		return notSent(Unreachable, conform.Refused, "session "+l.session+" is closed: "+out.what+" was not sent")
	}
	flying, cancel := context.WithCancel(l.life)
	waits := newPatience(&out)
	defer waits.stop()
	x := &exchange{link: l, out: out, authorization: authorization, waits: waits, cancel: cancel, done: make(chan struct{})}
	if out.key == "" {
		x.answered = true
	}
	go func() {
		defer l.flights.Done()
		defer cancel()
		x.run(flying)
	}()
	for {
		select {
		case <-waits.stirred:
			waits.extend()
			continue
		case <-x.done:
		case <-waits.over:
			x.giveUp(conform.TimedOut, waits.noAnswer())
		case why := <-out.enough():
			x.giveUp(conform.Withdrawn, why)
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				x.giveUp(conform.TimedOut, "no answer to "+out.what+" before the caller's deadline")
			} else {
				x.giveUp(conform.Stopped, stoppedBy(ctx, out.awaited()))
			}
		}
		return x.result()
	}
}

// close cancels what is in flight and waits until it is recorded.
func (l *httpLink) close(context.Context) error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.end()
	l.flights.Wait()
	if l.own {
		l.pool.transport.CloseIdleConnections()
	}
	return nil
}
