package lean

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// Conn is one virtual user's way to the server. Do is called by one goroutine,
// Interrupt by any.
type Conn interface {
	// Do sends a request and waits until it is answered or given up.
	Do(*Request, *Answer)
	// Interrupt ends the call in flight, and every later one, as Stopped.
	Interrupt()
	// Close ends the connection; no call may be in flight.
	Close()
}

// The names of the ways, for reports.
const (
	WayHTTP1 = "HTTP/1.1, own connections"
	WayTLS   = "HTTP/1.1 over TLS, own connections"
	WayHTTP2 = "HTTP/2, net/http"
	WayProxy = "through a proxy, net/http"
	WayUnix  = "HTTP/1.1 over a unix socket, own connections"
	WayStdio = "stdio, own pipes"
)

// Options say how calls are sent.
type Options struct {
	Now  func() time.Duration // the run's clock; it must be monotonic
	Anew bool                 // a connection for each call
	// HTTP1 keeps to HTTP/1.1 also where the server prefers HTTP/2.
	HTTP1 bool
	// TLS is how certificates are checked; nil: as the session does.
	TLS *tls.Config
}

// Way is how a server is reached over HTTP.
type Way struct {
	Name string // one of the names above
	Lean bool   // by connections of our own, not by net/http

	frozen  wire.Frozen
	now     func() time.Duration
	anew    bool
	network string      // that address is in: tcp or unix
	address string      // host and port, or the socket's path
	tls     *tls.Config // nil: plain
	grace   time.Duration
	maxBody int
	maxHead int
	client  *http.Transport // of the compatible way
}

// Plan chooses the way to a server over HTTP. Where the URL is https it opens one
// connection, to learn which protocol the server prefers.
func Plan(ctx context.Context, frozen wire.Frozen, o Options) (*Way, error) {
	if frozen.URL == nil {
		return nil, errors.New("a stdio server is reached by its pipes")
	}
	w := &Way{
		Name: WayHTTP1, Lean: true, frozen: frozen, now: o.Now, anew: o.Anew,
		network: "tcp", address: net.JoinHostPort(frozen.URL.Hostname(), cmp.Or(frozen.URL.Port(), map[string]string{"http": "80", "https": "443"}[frozen.URL.Scheme])),
		grace: frozen.Timeouts.StreamGrace, maxBody: frozen.Bounds.MaxBody, maxHead: frozen.Bounds.MaxHeader,
	}
	if frozen.Socket != "" {
		w.Name, w.network, w.address = WayUnix, "unix", frozen.Socket
	}
	if frozen.URL.Scheme == "https" {
		w.Name, w.tls = WayTLS, cmp.Or(o.TLS, frozen.TLS).Clone()
		if w.tls == nil {
			w.tls = &tls.Config{}
		}
		w.tls.ServerName = cmp.Or(w.tls.ServerName, frozen.URL.Hostname())
		w.tls.NextProtos = []string{"http/1.1"}
	}
	if frozen.Proxy != nil {
		w.Name = WayProxy
		return w.compatible(o), nil
	}
	if w.tls != nil && !o.HTTP1 {
		second, err := w.prefersHTTP2(ctx)
		if err != nil {
			return nil, fmt.Errorf("connecting to %s: %w", w.address, err)
		}
		if second {
			w.Name = WayHTTP2
			return w.compatible(o), nil
		}
	}
	return w, nil
}

// prefersHTTP2 asks the server, by the protocols of TLS, which it would speak.
func (w *Way) prefersHTTP2(ctx context.Context) (bool, error) {
	asking := *w
	asking.tls = w.tls.Clone()
	asking.tls.NextProtos = []string{"h2", "http/1.1"}
	conn, err := asking.connect(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().NegotiatedProtocol == "h2", nil
}

// Open gives a virtual user its way. Nothing is sent before the first call.
func (w *Way) Open() Conn {
	if w.client != nil {
		return newCompat(w)
	}
	return newHTTP1(w)
}

// Close closes what the users of a way share.
func (w *Way) Close() {
	if w.client != nil {
		w.client.CloseIdleConnections()
	}
}

// Request makes a message ready to be sent this way.
func (w *Way) Request(fields []conform.HeaderField, message []byte) Request {
	return NewPost(w.frozen.URL, fields, message, w.anew)
}
