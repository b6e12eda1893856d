package lean

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// idleLimit is how long an unused connection is trusted. Many servers close
// theirs after 5 s, and a request that meets the closing is lost without the
// server's fault.
const idleLimit = 1500 * time.Millisecond

// The buffer that answers are read into: its first size, and what is kept free
// for a read.
const (
	firstBuffer = 64 << 10
	leastRoom   = 16 << 10
)

// http1 is one virtual user's connection over HTTP/1.1.
type http1 struct {
	way    *Way
	conn   net.Conn // nil: none is open
	used   time.Duration
	buffer []byte
	n      int // bytes of the answer in buffer
	events events
	unzip  unzip

	stopped atomic.Bool
	current atomic.Pointer[net.Conn] // of conn, for Interrupt
}

func newHTTP1(w *Way) *http1 { return &http1{way: w, buffer: make([]byte, firstBuffer)} }

// Do sends a request and reads its answer.
func (c *http1) Do(r *Request, a *Answer) {
	now := c.way.now
	*a = Answer{Begun: now()}
	if c.conn != nil && (c.way.anew || a.Begun-c.used > idleLimit) {
		c.drop()
	}
	if c.conn == nil && !c.open(a) {
		return
	}
	c.n = 0
	a.Sent = now()
	if c.deadline(r.Timeout, a) {
		c.call(r, a)
		a.In = c.n
	}
	c.used = now()
	if a.Done == 0 {
		a.Done = c.used
	}
}

// deadline bounds the call; false: the connection was interrupted.
func (c *http1) deadline(timeout time.Duration, a *Answer) bool {
	err := c.conn.SetDeadline(time.Now().Add(timeout))
	if err == nil && !c.stopped.Load() {
		return true
	}
	c.drop()
	c.lost(a, err)
	return false
}

func (c *http1) call(r *Request, a *Answer) {
	written, err := c.conn.Write(r.Bytes)
	a.Out = written
	if err != nil && !c.answersAnyway(err) {
		c.drop()
		c.lost(a, err)
		return
	}
	h, from, ok := c.readHead(a)
	if !ok {
		c.drop()
		return
	}
	a.Status = h.status
	a.Served, a.Timed = h.timing.served()
	keep := c.readBody(r, a, &h, from)
	if a.Class == "" {
		a.Class, a.Problem = settle(&h, r, a)
		if a.Class != Answered && a.Class != Refused {
			a.Message = nil
		}
	}
	if !keep || h.close || c.way.anew || err != nil {
		c.drop()
	}
}

// answersAnyway tells a write that failed because the server would not take the
// whole request, which it may have answered first.
func (c *http1) answersAnyway(err error) bool {
	return !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, net.ErrClosed)
}

// open makes a connection.
func (c *http1) open(a *Answer) bool {
	if c.stopped.Load() {
		a.fail(Stopped, "the call was stopped before it was sent", c.way.now())
		return false
	}
	conn, err := c.way.connect(context.Background())
	a.Opened = true
	if err != nil {
		a.fail(Unconnected, "no connection could be made: "+err.Error(), c.way.now())
		return false
	}
	c.conn = conn
	c.current.Store(&conn)
	return true
}

func (c *http1) drop() {
	if c.conn != nil {
		c.current.Store(nil)
		_ = c.conn.Close() // nothing more is wanted of it
		c.conn = nil
	}
}

// read reads what comes next.
func (c *http1) read(a *Answer) error {
	if len(c.buffer)-c.n < leastRoom {
		if c.n >= c.way.maxBody {
			return errTooLarge
		}
		larger := make([]byte, min(2*len(c.buffer), c.way.maxBody+leastRoom))
		copy(larger, c.buffer[:c.n])
		c.buffer = larger
	}
	n, err := c.conn.Read(c.buffer[c.n:])
	if n > 0 {
		if a.FirstByte == 0 {
			a.FirstByte = c.way.now()
		}
		c.n += n
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

var errTooLarge = errors.New("larger than our bound")

// lost settles a call whose connection gave an error.
func (c *http1) lost(a *Answer, err error) {
	now := c.way.now()
	var timeout net.Error
	switch {
	case c.stopped.Load():
		a.fail(Stopped, "the call was stopped while it waited for its answer", now)
	case errors.Is(err, errTooLarge):
		a.fail(TooLarge, fmt.Sprintf("the answer is larger than our bound of %d bytes", c.way.maxBody), now)
	case errors.As(err, &timeout) && timeout.Timeout():
		a.fail(TimedOut, "no whole answer came in time", now)
	case errors.Is(err, io.EOF) && c.n == 0:
		a.fail(Cut, "the connection was closed before a byte of the answer came", now)
	case errors.Is(err, io.EOF):
		a.fail(Cut, "the connection was closed within the answer", now)
	default:
		a.fail(Cut, "the connection was lost: "+err.Error(), now)
	}
}

// readHead reads to the end of the head, and past heads of the 1xx kind.
func (c *http1) readHead(a *Answer) (h head, from int, ok bool) {
	begin, looked := 0, 0
	for {
		at := indexHead(c.buffer[:c.n], max(begin, looked-len(endOfHead)+1))
		if at < 0 {
			looked = c.n
			if c.n-begin > c.way.maxHead {
				a.fail(Malformed, "the head of the answer does not end", c.way.now())
				return h, 0, false
			}
			if err := c.read(a); err != nil {
				c.lost(a, err)
				return h, 0, false
			}
			continue
		}
		from = at + len(endOfHead)
		h = readHead(c.buffer[begin:from])
		switch {
		case h.wrong != "":
			a.fail(Malformed, h.wrong, c.way.now())
			return h, 0, false
		case h.status >= 200:
			a.Head = c.buffer[begin:from]
			return h, from, true
		case h.status == 101:
			a.fail(Malformed, "the server switched protocols", c.way.now())
			return h, 0, false
		}
		begin, looked = from, from
	}
}

// readBody reads the body, and finds the message in it. keep tells whether the
// connection can be used again.
func (c *http1) readBody(r *Request, a *Answer, h *head, from int) (keep bool) {
	headAt := from - len(a.Head)
	b := newBody(h, from)
	stream := h.media == mediaStream && h.status < 300 && !h.zipped
	if stream {
		c.events = newEvents(from)
	}
	for {
		b.take(c.buffer, c.n)
		if stream && b.end > c.events.next {
			c.stream(r, a, &b)
		}
		if b.whole || b.wrong != "" {
			break
		}
		err := c.read(a)
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) && b.ended() {
			break
		}
		if a.Message == nil {
			c.lost(a, err)
		}
		break
	}
	// The buffer may have moved meanwhile.
	a.Head, a.Body = c.buffer[headAt:from], c.buffer[b.from:b.end]
	switch {
	case b.wrong != "" && !(stream && a.Message != nil):
		a.fail(Malformed, b.wrong, c.way.now())
	case stream:
		c.fromStream(a, h)
	case a.Class == "" && h.zipped && b.whole:
		c.unzip.decode(h, r, a, c.way.maxBody)
	case a.Class == "" && len(a.Body) > 0 && h.media == mediaJSON && !h.coded:
		a.Message, a.Form = trimJSON(a.Body), JSON
	}
	if b.whole && b.next < c.n {
		a.Odd = "bytes follow the answer"
		return false
	}
	return b.whole && (b.chunked || b.length >= 0)
}

// stream looks for the response in what has come of an event stream. From when it
// is there only a while is left for the stream to end.
func (c *http1) stream(r *Request, a *Answer, b *body) {
	c.events.take(c.buffer, b.end, r.ID)
	if c.events.found && a.Message == nil {
		a.Done = c.way.now()
		a.Message = c.buffer[:0] // there is one; where it is, is said at the end
		if !b.whole {
			_ = c.conn.SetReadDeadline(time.Now().Add(c.way.grace)) // an error shows at the next read
		}
	}
}

func (c *http1) fromStream(a *Answer, h *head) {
	a.Odd, a.Asked = c.events.odd, c.events.asked
	switch {
	case !c.events.found:
		a.Message = nil
	case h.coded:
		a.Message = nil
	default:
		a.Message, a.Form = c.events.response(c.buffer), SSE
	}
}

// settle says what an HTTP answer that came whole is.
func settle(h *head, r *Request, a *Answer) (Class, string) {
	switch {
	case h.status == 401 || h.status == 403:
		return Unauthorized, fmt.Sprintf("the server refused the credentials (HTTP %d)", h.status)
	case h.status == 429 || h.status == 503:
		return Busy, fmt.Sprintf("the server was busy (HTTP %d)", h.status)
	case h.status == 502 || h.status == 504 || h.media == mediaHTML:
		return Intermediary, fmt.Sprintf("an intermediary answered in the server's place (HTTP %d)", h.status)
	case h.status == 404 && r.inSession():
		return SessionLost, "the server does not know the session any more (HTTP 404)"
	case h.status/100 == 3:
		return Redirected, fmt.Sprintf("redirected (HTTP %d): redirects are not followed", h.status)
	case h.status >= 400:
		return Refused, fmt.Sprintf("HTTP status %d", h.status)
	case a.Message == nil && h.media == mediaStream:
		return Silent, "the event stream ended without the response"
	case a.Message == nil:
		return Silent, fmt.Sprintf("HTTP status %d without a JSON-RPC message", h.status)
	}
	return Answered, ""
}

// Interrupt ends the call in flight, and every later one, as Stopped.
func (c *http1) Interrupt() {
	c.stopped.Store(true)
	if conn := c.current.Load(); conn != nil {
		_ = (*conn).SetDeadline(time.Unix(1, 0)) // a closed one needs none
	}
}

// Close closes the connection; no call may be in flight.
func (c *http1) Close() {
	c.stopped.Store(true)
	c.drop()
}

func indexHead(b []byte, from int) int {
	for i := from; i+3 < len(b); i++ {
		if b[i] == '\r' && b[i+1] == '\n' && b[i+2] == '\r' && b[i+3] == '\n' {
			return i
		}
	}
	return -1
}

// connect opens a connection, through TLS where the URL says so.
func (w *Way) connect(ctx context.Context) (net.Conn, error) {
	conn, err := w.frozen.Dial(ctx, w.network, w.address)
	if err != nil || w.tls == nil {
		return conn, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.frozen.Timeouts.Connect)
	defer cancel()
	secure := tls.Client(conn, w.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}
