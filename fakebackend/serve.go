package fakebackend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxRequest bounds the bytes of one request: a call for 100,000 items fits.
const MaxRequest = 32 << 20

// sessionless is the first protocol revision without sessions. Revisions are
// dates, and compare as text.
const sessionless = "2026-07-28"

// Handler serves MCP over streamable HTTP, at any path. With Sessions Auto,
// requests that say they are of revision 2026-07-28 or later are served without
// a session, all others with one.
//
// Token, limit and weather of the options stand in front of it.
//
// Requests to a loopback address with a foreign Host header, and requests of web
// pages of another origin, are refused with 403.
//
// With Options.Fast the hand-written front stands behind these, before the SDK.
// Every call gives the same handler.
func (b *Backend) Handler() http.Handler { return b.handler() }

func (b *Backend) newHandler() http.Handler {
	ordinary := b.ordinary()
	if !b.options.Fast {
		return b.timed(b.front(b.lawful(ordinary)))
	}
	b.fast = newFast(b, ordinary)
	return b.timed(b.front(b.fast))
}

// ordinary is the handler of the SDK, with what faults do around it.
func (b *Backend) ordinary() http.Handler {
	handler := func(stateless bool) http.Handler {
		var kept mcp.EventStore
		if b.options.EventIDs && !stateless {
			kept = mcp.NewMemoryEventStore(nil)
		}
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return b.server }, &mcp.StreamableHTTPOptions{
			Stateless:                    stateless,
			JSONResponse:                 b.options.JSONAnswers,
			SessionTimeout:               b.options.IdleSessions,
			MaxRequestBodyBytes:          MaxRequest,
			EventStore:                   kept,
			PropagateRequestCancellation: true,
		})
	}
	var served http.Handler
	switch b.options.Sessions {
	case Stateful:
		served = handler(false)
	case Stateless:
		served = handler(true)
	default:
		with, without := handler(false), handler(true)
		served = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("MCP-Protocol-Version") >= sessionless || r.Context().Value(bareCall{}) != nil {
				without.ServeHTTP(w, r)
				return
			}
			with.ServeHTTP(w, r)
		})
	}
	return http.NewCrossOriginProtection().Handler(b.faults.inFront(b.liftHTTP(served)))
}

// ServeStdio serves one client over a pair of pipes, one message a line, until
// in ends or ctx is done. It closes neither pipe; a Read that waits when ctx is
// done is left waiting.
func (b *Backend) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if b.options.Fast {
		in, out = newFast(b, nil).overPipes(ctx, in, out)
	}
	in, out, gone := b.faults.around(in, out)
	stop := context.AfterFunc(gone, func() { cancel(context.Cause(gone)) })
	defer stop()
	err := b.server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(b.liftLines(in)), Writer: openWriter{out}, MaxLineLength: MaxRequest})
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("serving over stdio: %w", err)
	}
	return context.Cause(gone)
}

type openWriter struct{ io.Writer }

func (openWriter) Close() error { return nil }

// Running is a backend that serves HTTP.
type Running struct {
	URL     string
	Backend *Backend
	server  *http.Server
	done    chan struct{} // closed when serving has ended, for the reason err
	err     error
}

// Start serves a new backend on a free port of the loopback address.
func Start(options Options) (*Running, error) { return Listen("127.0.0.1:0", options) }

// Listen serves a new backend on an address, as Backend.Listen has them, at the paths
// of Mux.
func Listen(address string, options Options) (*Running, error) {
	b, err := New(options)
	if err != nil {
		return nil, err
	}
	listener, url, err := b.Listen(address)
	if err != nil {
		b.Close()
		return nil, err
	}
	r := &Running{
		URL:     url,
		Backend: b,
		server:  &http.Server{Handler: b.Mux(), ReadHeaderTimeout: 30 * time.Second},
		done:    make(chan struct{}),
	}
	go func() {
		defer close(r.done)
		r.err = r.server.Serve(listener)
	}()
	return r, nil
}

// Close stops serving, cuts what is in flight and ends every session. It may be
// called more than once.
func (r *Running) Close() error {
	err := r.server.Close()
	<-r.done
	r.Backend.Close()
	for session := range r.Backend.server.Sessions() {
		err = errors.Join(err, session.Close())
	}
	return err
}

// Wait waits until serving ends. The error is nil if Close ended it.
func (r *Running) Wait() error {
	<-r.done
	if errors.Is(r.err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving the fake backend: %w", r.err)
}
