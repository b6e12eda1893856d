package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/process"
)

// What stands aside of the server's tools (a probe by HTTP, a command that
// resets) is asked here: it is not MCP, and nothing of it is judged as such.

// MaxAside bounds what is read of an answer, in bytes.
const MaxAside = 16 << 20

// maxSaid bounds how much of a complaint is passed on, in bytes.
const maxSaid = 300

// Aside asks things beside the server under test. The zero value is not usable.
type Aside struct {
	elsewhere *http.Client
	// server is for the server's own host, whom it is known to and believed by as its
	// Trust says, or behind its socket; nil: the same as elsewhere.
	server *http.Client
	at     address.Address // of the server; without a URL where it has none
	wrong  error           // why the server itself cannot be asked; nil: it can
}

// NewAside makes one for a server at a URL; empty: it has none. Connections keep to
// the addresses that a name stood for first, as a Client's do; redirects are not
// followed. Trust holds for the server's own host alone.
func NewAside(t Timeouts, server string, trust Trust) *Aside {
	t.fill()
	pins := newPins(nil, &net.Dialer{Timeout: t.Connect})
	a := &Aside{elsewhere: asideClient(t, pins, address.Address{}, nil)}
	if server == "" {
		return a
	}
	var config *tls.Config
	if a.at, a.wrong = address.Parse(server); a.wrong != nil {
		return a
	}
	config, a.wrong = trust.Config()
	a.server = asideClient(t, pins, a.at, config)
	return a
}

// asideClient makes a client; one for a server behind a unix socket dials nothing else.
func asideClient(t Timeouts, pins *pins, at address.Address, trust *tls.Config) *http.Client {
	proxy := http.ProxyFromEnvironment
	if at.Socket != "" {
		proxy = nil
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: proxy,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if at.Socket != "" {
					network, address = at.Dial()
				}
				ctx, cancel := context.WithTimeout(ctx, t.Connect)
				defer cancel()
				return pins.connect(ctx, network, address)
			},
			TLSClientConfig:     trust,
			TLSHandshakeTimeout: t.Connect, IdleConnTimeout: idleLimit, MaxResponseHeaderBytes: 1 << 20,
		},
	}
}

// of gives the client for an address: the server's own where it is on its host and
// port, or behind its socket.
func (a *Aside) of(to address.Address) (*http.Client, error) {
	network, dialled := to.Dial()
	if a.server != nil {
		if ours, own := a.at.Dial(); network == ours && dialled == own {
			return a.server, a.wrong
		}
	}
	if to.Socket != "" {
		return nil, errors.New("of unix sockets only the server's own is asked")
	}
	return a.elsewhere, nil
}

// Close drops idle connections.
func (a *Aside) Close() {
	a.elsewhere.CloseIdleConnections()
	if a.server != nil {
		a.server.CloseIdleConnections()
	}
}

// Request makes a request and gives the body of its answer. Any status but 2xx is
// an error. No error tells the URL's query, which may hold customers' ids.
func (a *Aside) Request(ctx context.Context, method, url string, header []conform.HeaderField, body []byte, timeout time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	at, err := address.Parse(url)
	if err != nil {
		return nil, err
	}
	client, err := a.of(at)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, at.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the URL does not read as one")
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Accept", "application/json")
	for _, f := range header {
		if strings.EqualFold(f.Name, "Host") {
			request.Host = f.Value
			continue
		}
		request.Header.Set(f.Name, f.Value)
	}
	response, err := client.Do(request)
	if err != nil {
		var outer interface{ Unwrap() error }
		if errors.As(err, &outer) && outer.Unwrap() != nil {
			err = outer.Unwrap() // without the URL
		}
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("no answer within %s", timeout)
		}
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, MaxAside+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case len(text) > MaxAside:
		return nil, fmt.Errorf("the answer is longer than %d bytes", MaxAside)
	case response.StatusCode/100 == 3:
		return nil, fmt.Errorf("status %d: redirects are not followed", response.StatusCode)
	case response.StatusCode/100 != 2:
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, said(text))
	}
	return text, nil
}

// Command runs a program with in on its standard input, and gives what it writes
// to standard output. It and what it started are ended when the time is over. A
// status other than 0 is an error with the end of what it wrote to standard error.
func (a *Aside) Command(ctx context.Context, command []string, in []byte, timeout time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdin = bytes.NewReader(in)
	out, errs := &bounded{most: MaxAside, tooMuch: cancel}, &bounded{most: 1 << 20}
	c.Stdout, c.Stderr = out, errs
	c.Env = os.Environ()
	process.OwnGroup(c)
	c.Cancel = func() error {
		process.EndGroup(c, true)
		return nil
	}
	c.WaitDelay = time.Second
	err := c.Run()
	if c.Process != nil {
		process.EndGroup(c, true) // what it left running
	}
	switch {
	case out.over:
		return nil, fmt.Errorf("it wrote more than %d bytes", MaxAside)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("it had not ended after %s", timeout)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && errs.kept.Len() > 0:
		return nil, fmt.Errorf("%w: %s", err, said(errs.kept.Bytes()))
	case err != nil:
		return nil, err
	}
	return out.kept.Bytes(), nil
}

// bounded keeps no more than most bytes. The buffer is no embedded one: its
// ReadFrom would take everything.
type bounded struct {
	kept    bytes.Buffer
	most    int
	over    bool
	tooMuch func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if left := b.most - b.kept.Len(); len(p) > left {
		b.over = true
		b.kept.Write(p[:left])
		if b.tooMuch != nil {
			b.tooMuch()
		}
		return len(p), nil
	}
	return b.kept.Write(p)
}

// said is a complaint in one line.
func said(text []byte) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "\uFFFD")), " ")
	if len(line) > maxSaid {
		line = strings.ToValidUTF8(line[:maxSaid], "") + "…"
	}
	return line
}
