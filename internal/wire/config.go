package wire

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
)

// Recorder takes observations; safe for concurrent use. It assigns Seq; At is
// set by the caller from Now, the run's clock. It must not change the bytes it
// is given, and is not called after Client.Close has returned.
type Recorder interface {
	Record(conform.Observation)
	Now() time.Duration
}

// The transports.
const (
	StreamableHTTP = "streamable-http"
	Stdio          = "stdio"
)

// Config says which server, and how to speak with it.
type Config struct {
	// Transport is streamable-http or stdio; empty: guessed from URL or Command.
	Transport string
	// URL is where the server is; see package address for how a unix socket is written.
	URL string
	// Header is sent with every HTTP request. A field of the same name as one of
	// ours takes its place, except the ones that MCP gives a meaning to.
	Header []conform.HeaderField
	Trust  Trust // of https
	// Credentials take the place of a field Authorization, and of user and password in
	// the URL; nil: there are none.
	Credentials Credentials
	// Follow tells whether messages may be sent on to another host, with or without a
	// port, where the server redirects them; nil: to none. On its own host they are.
	Follow  func(host string) bool
	Command []string // of a stdio server: the program and its arguments, no shell
	Dir     string
	Env     []string // NAME=value, added to the process's own environment; the later one wins
	// Protocol pins a revision; empty: the newest both speak, found by asking
	// (see Client.Open).
	Protocol      string
	ClientName    string // default "mcpconform"
	ClientVersion string // default "0"
	Timeouts      Timeouts
	Bounds        Bounds
	// Elicits declares that the client can put forms to its user (2025-06-18 on).
	// What a call's tool then asks is answered by Request.Asked.
	Elicits bool
	// Tasks declares that the client polls what runs as a task (2026-07-28, the
	// extension io.modelcontextprotocol/tasks; older revisions ask for a task with
	// the call).
	Tasks bool
	// ProbeDeleted asks for one ping on a session after its DELETE was accepted:
	// the id must then be unknown to the server.
	ProbeDeleted bool
	// SeparateConnections gives every session its own connections. Else all
	// sessions of a client share one pool, as an HTTP client would.
	SeparateConnections bool
	// LookUp gives the addresses of a host's name; nil: as the system does. A
	// client keeps to what it gave the first time.
	LookUp func(ctx context.Context, host string) ([]netip.Addr, error)
	// Gate holds messages back before they are sent; nil: none is.
	Gate Gate
	// Recorder may be nil: nothing is recorded then.
	Recorder Recorder
}

// Timeouts bound every wait. A field left at zero gets its default.
type Timeouts struct {
	Connect time.Duration // one TCP connection, one TLS handshake; 10s
	Start   time.Duration // a fresh child's first answer; 90s, for it may have to be downloaded first
	Call    time.Duration // one call, where Request has no timeout of its own; 30s
	// Discover is how long an answer to server/discover is waited for before
	// initialize is tried; 3s.
	Discover time.Duration
	// StreamGrace is how long an event stream is read on after the response; 100ms.
	StreamGrace time.Duration
	// Late is how long an HTTP request that was given up is left open, so that a
	// late answer is seen; 10s. Not at 2026-07-28, where closing is how a request
	// is cancelled.
	Late   time.Duration
	Answer time.Duration // answering what a server asks, and telling it of a cancelled call; 2s
	Delete time.Duration // the DELETE at the end of a session, and the ping after it; 5s each
	// Exit is how long a child may take to end after its standard input was
	// closed, and again after SIGTERM; 2s.
	Exit time.Duration
}

// Bounds keep a hostile server from using up our memory or disk. A field left at
// zero gets its default.
type Bounds struct {
	MaxBody   int // bytes of one HTTP body or event stream; 16 MiB and 64 KiB for the envelope
	MaxLine   int // bytes of one line of standard output; the same
	MaxHeader int // bytes of one HTTP response head; 1 MiB
	// MaxMessages is how many messages one call's event streams may hold; 10,000.
	MaxMessages int
	// MaxAnswers is how many requests of the server are answered during one
	// call (stdio: wait to be written at once); the rest stays unanswered; 64.
	MaxAnswers int
	MaxResumes int // times a broken event stream is taken up again, one call; 5
	MaxStderr  int // bytes of a child's standard error that are recorded; 1 MiB
	// MaxStray is how many bytes of standard output that belong to no call are
	// recorded; 16 MiB.
	MaxStray int
	// MaxRemembered is how many answered or given-up ids a stdio session
	// remembers, to know a late or second answer's call; 65,536.
	MaxRemembered int
}

const defaultMaxBody = 16<<20 + 64<<10

func orDuration(field *time.Duration, value time.Duration) {
	if *field <= 0 {
		*field = value
	}
}

func orInt(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}

func (t *Timeouts) fill() {
	orDuration(&t.Connect, 10*time.Second)
	orDuration(&t.Start, 90*time.Second)
	orDuration(&t.Call, 30*time.Second)
	orDuration(&t.Discover, 3*time.Second)
	orDuration(&t.StreamGrace, 100*time.Millisecond)
	orDuration(&t.Late, 10*time.Second)
	orDuration(&t.Answer, 2*time.Second)
	orDuration(&t.Delete, 5*time.Second)
	orDuration(&t.Exit, 2*time.Second)
}

func (b *Bounds) fill() {
	orInt(&b.MaxBody, defaultMaxBody)
	orInt(&b.MaxLine, defaultMaxBody)
	orInt(&b.MaxHeader, 1<<20)
	orInt(&b.MaxMessages, 10_000)
	orInt(&b.MaxAnswers, 64)
	orInt(&b.MaxResumes, 5)
	orInt(&b.MaxStderr, 1<<20)
	orInt(&b.MaxStray, 16<<20)
	orInt(&b.MaxRemembered, 1<<16)
}

// complete checks a configuration and fills in what was left out. The address has
// no URL for stdio.
func (c *Config) complete() (at address.Address, err error) {
	c.Timeouts.fill()
	c.Bounds.fill()
	if c.ClientName == "" {
		c.ClientName = "mcpconform"
	}
	if c.ClientVersion == "" {
		c.ClientVersion = "0"
	}
	if c.Recorder == nil {
		c.Recorder = discard{time.Now()}
	}
	if c.Transport == "" {
		switch {
		case c.URL != "" && len(c.Command) > 0:
			return at, fmt.Errorf("both a url and a command are given: say which by the transport")
		case c.URL != "":
			c.Transport = StreamableHTTP
		case len(c.Command) > 0:
			c.Transport = Stdio
		default:
			return at, fmt.Errorf("neither a url nor a command is given")
		}
	}
	if c.Protocol != "" && !known(c.Protocol) {
		return at, fmt.Errorf("protocol revision %q is none of %s", c.Protocol, strings.Join(Revisions, ", "))
	}
	switch c.Transport {
	case Stdio:
		if len(c.Command) == 0 || c.Command[0] == "" {
			return at, fmt.Errorf("transport stdio needs a command")
		}
		return at, nil
	case StreamableHTTP:
		if err := checkHeader(c.Header); err != nil {
			return at, err
		}
		return c.address()
	case "sse", "rest":
		return at, fmt.Errorf("transport %s is not served yet: %s and %s are", c.Transport, StreamableHTTP, Stdio)
	default:
		return at, fmt.Errorf("transport %q is none of %s, %s", c.Transport, StreamableHTTP, Stdio)
	}
}

func (c *Config) address() (address.Address, error) {
	at, err := address.Parse(c.URL)
	if err != nil {
		return at, fmt.Errorf("the url cannot be used: %w", err)
	}
	return at, nil
}

// discard is the recorder of a client that was given none.
type discard struct{ began time.Time }

func (discard) Record(conform.Observation) {}
func (d discard) Now() time.Duration       { return time.Since(d.began) }
