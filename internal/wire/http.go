package wire

import (
	"context"
	"errors"
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
// compression, no redirects (there is no http.Client above it), no HTTP/2.
// Proxies of the environment are used, for loopback addresses never.
func newPool(t Timeouts, b Bounds, opened *atomic.Int64, pins *pins) *pool {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &pool{transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, t.Connect)
			defer cancel()
			conn, err := pins.connect(ctx, network, address)
			if err == nil {
				opened.Add(1)
			}
			return conn, err
		},
		TLSHandshakeTimeout:    t.Connect,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    1 << 14,
		IdleConnTimeout:        idleLimit,
		MaxResponseHeaderBytes: int64(b.MaxHeader),
		WriteBufferSize:        32 << 10,
		ReadBufferSize:         32 << 10,
		Protocols:              protocols,
	}}
}

// httpLink is a session's way to a streamable HTTP server.
type httpLink struct {
	pool     *pool
	own      bool // the pool is this session's alone
	url      *url.URL
	shown    string // the URL as sent, without its secrets
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
		pool: c.pool, url: c.url, header: c.header, session: session,
		recorder: c.config.Recorder, timeouts: c.config.Timeouts, bounds: c.config.Bounds,
	}
	if c.config.SeparateConnections {
		l.pool, l.own = newPool(l.timeouts, l.bounds, &c.opened, c.pins), true
	}
	shown := *c.url
	shown.User = nil
	l.url, l.shown = &shown, conform.WithoutSecrets(shown.String())
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
	if !l.begin() {
		return notSent(Unreachable, conform.Refused, "session "+l.session+" is closed: "+out.what+" was not sent")
	}
	flying, cancel := context.WithCancel(l.life)
	waits := newPatience(&out)
	defer waits.stop()
	x := &exchange{link: l, out: out, waits: waits, cancel: cancel, done: make(chan struct{})}
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
