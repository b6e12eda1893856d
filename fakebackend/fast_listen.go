package fakebackend

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Front gives a listener for an http.Server that serves the backend's handlers.
// With Options.Fast it serves connections by itself as long as it understands
// what comes in, and gives the others, and what they have sent, to the server. It
// closes the listener, and its connections, when it is closed. Token, limit and
// weather are the server's: with them, and without Options.Fast, it is the
// listener itself.
func (b *Backend) Front(l net.Listener) net.Listener {
	b.Handler() // makes the front
	o := b.options
	if b.fast == nil || o.asks() || o.Limit.Calls > 0 || o.Weather != (Weather{}) {
		return l
	}
	f := &fastListener{Listener: l, front: b.fast, handed: make(chan net.Conn), failed: make(chan error), done: make(chan struct{}), open: map[*fastConn]bool{}}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	go f.accept()
	return f
}

// fastListener accepts connections for the fast front, and gives those that are
// not for it to who accepts from it.
type fastListener struct {
	net.Listener
	front  *fast
	handed chan net.Conn
	failed chan error
	done   chan struct{} // closed when nothing more is accepted, for the reason err
	err    error

	ctx    context.Context // of the calls; done when the listener is closed
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	open   map[*fastConn]bool // that the front serves
}

func (l *fastListener) accept() {
	defer close(l.done)
	for {
		conn, err := l.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			l.err = err
			return
		}
		if err != nil { // the server knows how long to wait, and this waits with it
			l.failed <- err
			continue
		}
		go (&fastConn{Conn: conn, listener: l}).serve()
	}
}

// Accept gives the next connection that the front hands on.
func (l *fastListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.handed:
		return conn, nil
	case err := <-l.failed:
		return nil, err
	case <-l.done:
		return nil, l.err
	}
}

// Close stops accepting and cuts the connections that the front serves.
func (l *fastListener) Close() error {
	err := l.Listener.Close()
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for c := range l.open {
		_ = c.Conn.Close() // whoever serves it sees that
	}
	return err
}

// keep takes note of a connection; false: the listener is closed.
func (l *fastListener) keep(c *fastConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.open[c] = true
	}
	return !l.closed
}

func (l *fastListener) drop(c *fastConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
}

// hand gives a connection to the server.
func (l *fastListener) hand(c *fastConn) {
	select {
	case l.handed <- c:
	case <-l.done:
		_ = c.Conn.Close() // nobody is left to serve it
	}
}
