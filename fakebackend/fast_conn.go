package fakebackend

import (
	"net"
	"net/http"
	"time"
)

const (
	firstBuffer = 16 << 10 // of what comes in; a longer head is net/http's
	keptBuffer  = 1 << 20  // a larger buffer is not kept for the next request
)

// fastConn is one connection that the front serves without net/http, or that it
// has handed to net/http: then Read gives first what the front has read already.
type fastConn struct {
	net.Conn
	listener *fastListener
	buffer   []byte
	from, to int // what of the buffer is read and not used up
	request  fastHTTP
	key, out []byte // of the last request and answer, to be used again
	drawn    drawn  // for the call with which it was handed to net/http
}

// Read makes it a connection for net/http.
func (c *fastConn) Read(p []byte) (int, error) {
	if c.from < c.to {
		n := copy(p, c.buffer[c.from:c.to])
		c.from += n
		return n, nil
	}
	c.buffer, c.from, c.to = nil, 0, 0
	return c.Conn.Read(p)
}

// LocalAddr tells a handler, by way of net/http, which connection it serves.
func (c *fastConn) LocalAddr() net.Addr { return fastAddr{c.Conn.LocalAddr(), c} }

type fastAddr struct {
	net.Addr
	conn *fastConn
}

// serve answers requests until one comes that is not for the front, or the client
// goes.
func (c *fastConn) serve() {
	if !c.listener.keep(c) {
		_ = c.Conn.Close()
		return
	}
	defer c.listener.drop(c)
	for {
		understood, err := c.next()
		if err != nil {
			_ = c.Conn.Close() // the client has gone
			return
		}
		if !understood || !c.answer() {
			c.key, c.out = nil, nil
			c.listener.hand(c)
			return
		}
		c.from += c.request.size
		if len(c.buffer) > keptBuffer && c.from == c.to {
			c.buffer, c.out, c.from, c.to = nil, nil, 0, 0
		}
	}
}

// next waits for a whole request. Not understood: it is none for the front, and
// nothing is used up.
func (c *fastConn) next() (understood bool, err error) {
	for {
		need := 1
		if c.from < c.to {
			if need = c.request.read(c.buffer[c.from:c.to]); need == 0 {
				return false, nil
			}
			if need <= c.to-c.from {
				return true, nil
			}
		}
		if err := c.more(need); err != nil {
			return false, err
		}
	}
}

// more reads until so many bytes are there.
func (c *fastConn) more(need int) error {
	if c.from+need > len(c.buffer) || c.from == c.to {
		held := c.buffer[c.from:c.to]
		if need > len(c.buffer) {
			c.buffer = make([]byte, max(need, firstBuffer))
		}
		c.from, c.to = 0, copy(c.buffer, held)
	}
	for c.to-c.from < need {
		n, err := c.Conn.Read(c.buffer[c.to:])
		c.to += n
		if err != nil && c.to-c.from < need {
			return err
		}
	}
	return nil
}

// answer answers the request; false: it is the ordinary handler's.
func (c *fastConn) answer() bool {
	begun := time.Now()
	f := c.listener.front
	call, ok := f.read(c.request.body)
	if !ok {
		return false
	}
	c.key = c.request.head.key(c.key[:0], call)
	if !f.vetted.has(c.request.head.session, c.key) {
		return false
	}
	if d := f.b.faults.draw(call.tool.name); len(d) > 0 {
		c.drawn = d
		return false
	}
	c.write(f.answer(c.listener.ctx, f.beginReply(c.out), call), begun)
	return true
}

// write ends a reply and sends it. A client that is gone is noticed at the next
// read.
func (c *fastConn) write(out []byte, begun time.Time) {
	out, from := c.listener.front.endReply(out, begun)
	c.out = out
	_, _ = c.Conn.Write(out[from:])
}

// takeOver takes a connection of the front's back from net/http, in the middle of
// a request whose answer is out, and serves it from then on; false: it is none, or
// cannot be had.
func takeOver(w http.ResponseWriter, r *http.Request, out []byte, begun time.Time) bool {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(fastAddr)
	if !ok || r.Close || !r.ProtoAtLeast(1, 1) || len(r.TransferEncoding) > 0 || r.Header.Get("Expect") != "" {
		return false
	}
	_, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	c := address.conn
	ahead, _ := buffered.Reader.Peek(buffered.Reader.Buffered()) // all of it is there
	left := append(append(make([]byte, 0, firstBuffer), ahead...), c.buffer[c.from:c.to]...)
	c.buffer, c.from, c.to = left[:cap(left)], 0, len(left)
	c.write(out, begun)
	c.serve()
	return true
}
