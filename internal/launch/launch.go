// Package launch starts a server that speaks HTTP, waits until it is ready, and
// ends it.
package launch

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/process"
)

// Spec says what to start and by what it is known to be ready.
type Spec struct {
	Command []string // the program and its arguments, no shell
	Dir     string   // working directory; empty: our own
	Base    []string // NAME=value, its environment before Env; nil: our own
	Env     []string // NAME=value, added to that
	// URL is where the server will be. With Log nil it is ready when it answers
	// there: any HTTP answer to a GET will do, and with Port a connection.
	URL  string
	Port bool
	Log  *regexp.Regexp // a line of its output that says that it is ready
	// TLS is by what the server knows us; whom we believe is not asked here.
	TLS *tls.Config
	// Timeout bounds the wait for it.
	Timeout time.Duration
}

// Server is a server that was started.
type Server struct {
	command *exec.Cmd
	ended   chan struct{}
	output  sync.WaitGroup

	words process.Said // on both of its outputs
	ready chan struct{}
	once  sync.Once
}

const (
	betweenLooks = 50 * time.Millisecond
	oneLook      = 2 * time.Second
	longestLine  = 64 << 10
	drain        = time.Second
	// gentle is how long it may take to end after SIGTERM.
	gentle = 3 * time.Second
)

// Start starts a server in a process group of its own, and waits until it is
// ready. An error says what it wrote.
func Start(ctx context.Context, spec Spec) (*Server, error) {
	s := &Server{command: exec.Command(spec.Command[0], spec.Command[1:]...), ended: make(chan struct{}), ready: make(chan struct{})}
	base := spec.Base
	if base == nil {
		base = os.Environ()
	}
	s.command.Dir, s.command.Env = spec.Dir, append(base[:len(base):len(base)], spec.Env...)
	process.OwnGroup(s.command)
	// Pipes of our own: Wait would close those of exec.Cmd with lines still in them.
	var ours []*os.File
	var theirs []*os.File
	for _, to := range []*io.Writer{&s.command.Stdout, &s.command.Stderr} {
		read, write, err := os.Pipe()
		if err != nil {
			closeAll(append(ours, theirs...))
			return nil, fmt.Errorf("making a pipe for the server's output: %w", err)
		}
		*to = write
		ours, theirs = append(ours, read), append(theirs, write)
	}
	err := s.command.Start()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	for _, from := range ours {
		s.output.Go(func() { s.listen(from, spec.Log) })
	}
	go func() {
		_ = s.command.Wait()              // how it ended is in its state
		process.EndGroup(s.command, true) // and with it what it started
		close(s.ended)
	}()
	if err := s.await(ctx, spec); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing was written to it
	}
}

// listen reads what the server writes, keeps what tells most, and sees the one
// that says that it is ready.
func (s *Server) listen(from *os.File, sign *regexp.Regexp) {
	defer from.Close()
	lines := bufio.NewReaderSize(from, longestLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			s.words.Add(line)
			if sign != nil && sign.Match(line) {
				s.once.Do(func() { close(s.ready) })
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// await waits until the server is ready, ended, or late.
func (s *Server) await(ctx context.Context, spec Spec) error {
	until, cancel := context.WithTimeout(ctx, spec.Timeout)
	defer cancel()
	look := time.NewTicker(betweenLooks)
	defer look.Stop()
	for {
		if spec.Log == nil && s.there(until, spec) {
			return s.stays(spec.URL)
		}
		select {
		case <-s.ready:
			return nil
		case <-s.ended:
			s.drained()
			return fmt.Errorf("the server ended before it was ready (%s)%s", s.command.ProcessState, s.said())
		case <-until.Done():
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("the server was not ready within %s%s", spec.Timeout, s.said())
		case <-look.C:
		}
	}
}

// stays gives a server that seems ready the time to say that somebody else has its
// port: what answers there is not it then.
func (s *Server) stays(at string) error {
	select {
	case <-s.ended:
		s.drained()
		return fmt.Errorf("the server ended before it was ready (%s), and something else answers at %s%s", s.command.ProcessState, at, s.said())
	case <-time.After(betweenLooks):
		return nil
	}
}

// there tells whether the server answers at its URL.
func (s *Server) there(ctx context.Context, spec Spec) bool {
	ctx, cancel := context.WithTimeout(ctx, oneLook)
	defer cancel()
	if spec.Port {
		return Connects(ctx, spec.URL)
	}
	at, err := address.Parse(spec.URL)
	if err != nil {
		return false
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.URL.String(), nil)
	if err != nil {
		return false
	}
	// A transport of its own: the run's connections are not to be warm. No
	// redirect is followed, for any answer will do.
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dial(ctx, at)
	}}
	if spec.TLS != nil {
		transport.TLSClientConfig = spec.TLS.Clone()
		transport.TLSClientConfig.InsecureSkipVerify = true // the run itself looks at the certificate
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close() // an event stream would go on for ever
	return true
}

// Connects tells whether something takes connections where a server's address says.
// Nothing is sent.
func Connects(ctx context.Context, server string) bool {
	at, err := address.Parse(server)
	if err != nil {
		return false
	}
	conn, err := dial(ctx, at)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent on it
	return true
}

func dial(ctx context.Context, at address.Address) (net.Conn, error) {
	network, there := at.Dial()
	return new(net.Dialer).DialContext(ctx, network, there)
}

// drained waits until all that the server wrote was read, and no longer than a
// moment: what it started may hold its output open.
func (s *Server) drained() {
	read := make(chan struct{})
	go func() { s.output.Wait(); close(read) }()
	select {
	case <-read:
	case <-time.After(drain):
	}
}

func (s *Server) said() string {
	if words := s.words.String(); words != "" {
		return "; it wrote: " + words
	}
	return "; it wrote nothing"
}

// PID gives the process id of what was started.
func (s *Server) PID() int { return s.command.Process.Pid }

// Ended tells whether the server has ended by itself, and how. It is waited for, for
// so long: the end of a process is seen later than that of its connections.
func (s *Server) Ended(wait time.Duration) (how string, ended bool) {
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case <-s.ended:
	case <-patience.C:
		select {
		case <-s.ended:
		default:
			return "", false
		}
	}
	s.drained()
	return s.command.ProcessState.String() + s.said(), true
}

// Stop ends the server and all that it started: with SIGTERM, and what has not
// ended by then with SIGKILL.
func (s *Server) Stop() {
	process.EndGroup(s.command, false)
	patience := time.NewTimer(gentle)
	defer patience.Stop()
	select {
	case <-s.ended:
	case <-patience.C:
		process.EndGroup(s.command, true)
		<-s.ended
	}
	s.output.Wait()
}
