package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
)

// Client is one server under test, and the sessions opened on it. Its methods
// are safe for concurrent use.
type Client struct {
	config Config
	at     address.Address       // of HTTP, userinfo included
	tls    *tls.Config           // of HTTP
	header []conform.HeaderField // configured, userinfo turned into Authorization
	pool   *pool
	pins   *pins // nil for stdio
	opened atomic.Int64
	// certificateAsked: the server asked for a certificate of ours; answered: a response head came.
	certificateAsked, answered atomic.Bool
	tools                      toolbox

	life    context.Context // of every Open that is under way
	end     context.CancelFunc
	opening sync.WaitGroup

	mu         sync.Mutex
	redirected []Redirected
	finalURL   *url.URL // where messages to the configured URL end up; nil: there
	first      *child   // the child that Dial started, until a session takes it
	sessions   []*Session
	names      map[string]int
	closed     bool
}

// Dial prepares a client. Over HTTP nothing is sent yet; a stdio server's first
// child is started. The error is an *Error: Misconfigured, or Unreachable when
// the program could not be started.
func Dial(ctx context.Context, c Config) (*Client, error) {
	at, err := c.complete()
	if err != nil {
		return nil, &Error{Class: Misconfigured, Doing: "preparing to connect", Err: err}
	}
	client := &Client{config: c, names: map[string]int{}}
	client.life, client.end = context.WithCancel(context.Background())
	if at.URL == nil {
		if err := ctx.Err(); err != nil {
			return nil, &Error{Class: Interrupted, Doing: client.doing(), Err: err}
		}
		client.first, err = start(&client.config)
		if err != nil {
			return nil, &Error{Class: Unreachable, Doing: client.doing(), Err: err}
		}
		return client, nil
	}
	client.at = at
	client.header = withUserinfo(c.Header, at.URL)
	if client.tls, err = client.overTLS(); err != nil {
		return nil, &Error{Class: Misconfigured, Doing: client.doing(), Err: err}
	}
	client.pins = newPins(c.LookUp, &net.Dialer{Timeout: c.Timeouts.Connect, KeepAlive: 15 * time.Second})
	client.pool = client.newPool()
	return client, nil
}

// Transport gives the transport in use: StreamableHTTP or Stdio.
func (c *Client) Transport() string { return c.config.Transport }

// Connections gives the number of TCP connections opened so far.
func (c *Client) Connections() int64 { return c.opened.Load() }

// doing words what the client is about, for errors.
func (c *Client) doing() string {
	if c.config.Transport == Stdio {
		return "starting " + strings.Join(c.config.Command, " ")
	}
	return "connecting to " + c.shown()
}

// shown is the address without its secrets.
func (c *Client) shown() string {
	at := c.at.URL
	bare := *at
	bare.User = nil
	return conform.WithoutSecrets(address.Address{URL: &bare, Socket: c.at.Socket}.String())
}

// Open opens a session under the harness's own name for it, and agrees on a
// revision. Over stdio the first session is that of the child which Dial
// started; each further one starts a child of its own. The error is an *Error.
//
// How a revision is found when none is pinned differs by transport. Over HTTP
// server/discover is asked first, and initialize follows where it is refused in
// any way or not answered within Timeouts.Discover: a request too many does no
// harm there. On stdio initialize with 2025-11-25 comes first, because servers
// exist that end when the first message is another one (rmcp), or swallow it;
// only a server that refuses it as unsupported is asked for server/discover. So
// a stdio server that speaks both is spoken to at 2025-11-25 unless 2026-07-28
// is pinned. A server that answers with another revision than asked for is
// followed if the revision is a known one; Session.Asked keeps the pinned one.
func (c *Client) Open(ctx context.Context, name string) (*Session, error) {
	s, err := c.admit(name)
	if err != nil {
		return nil, &Error{Class: Misconfigured, Doing: "opening session " + name, Err: err}
	}
	defer c.opening.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	if c.config.Transport == Stdio {
		if err := c.attach(s); err != nil {
			return nil, &Error{Class: Unreachable, Doing: c.doing(), Err: err}
		}
	} else {
		s.link = newHTTPLink(c, name)
	}
	s.link = gated{s.link, c.config.Gate}
	if err := s.connect(ctx); err != nil {
		// The handshake's error is the one to tell.
		_ = s.link.close(context.WithoutCancel(ctx))
		return nil, err
	}
	c.mu.Lock()
	c.sessions = append(c.sessions, s)
	c.mu.Unlock()
	return s, nil
}

// admit makes a session, and counts its opening in.
func (c *Client) admit(name string) (*Session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errors.New("the client is closed")
	}
	c.opening.Add(1)
	c.names[name]++
	alias := name
	if n := c.names[name]; n > 1 {
		alias = fmt.Sprintf("%s#%d", name, n)
	}
	return &Session{Name: name, Asked: c.config.Protocol, client: c, alias: alias}, nil
}

// attach gives a session its child.
func (c *Client) attach(s *Session) error {
	c.mu.Lock()
	kid := c.first
	c.first = nil
	c.mu.Unlock()
	if kid == nil {
		var err error
		if kid, err = start(&c.config); err != nil {
			return err
		}
	}
	kid.run(s.Name)
	s.link = kid
	return nil
}

// closers is how many sessions are closed at a time.
const closers = 8

// Close ends what is being opened, closes every session that is still open, ends the children, and gives
// all errors. After it nothing is recorded any more.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end()
	c.opening.Wait()
	return c.Hangup(ctx)
}

// Hangup closes every session that is open and ends the children, and gives all
// errors. The client stays: further sessions may be opened.
func (c *Client) Hangup(ctx context.Context) error {
	c.mu.Lock()
	open := c.sessions
	kid := c.first
	c.sessions, c.first = nil, nil
	c.mu.Unlock()

	failed := make([]error, len(open)+1)
	slots := make(chan struct{}, closers)
	var all sync.WaitGroup
	for i, s := range open {
		slots <- struct{}{}
		all.Go(func() {
			failed[i] = s.Close(ctx)
			<-slots
		})
	}
	all.Wait()
	if kid != nil {
		kid.run("")
		failed[len(open)] = kid.close(ctx)
	}
	if c.pool != nil {
		c.pool.transport.CloseIdleConnections()
	}
	return errors.Join(failed...)
}
