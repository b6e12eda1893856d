package wire

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/frame"
)

// Pipes are the pipes of a child whose session was taken over: from then on only
// their holder writes its input and reads its output. Its standard error and its
// end are recorded as ever, and Session.Close ends it.
type Pipes struct {
	In   *os.File
	Out  *os.File
	Rest []byte // of its output: what was read before, of a line that has not ended
	PID  int
	kid  *child
}

// TakeOver gives a stdio session's pipes to a sender that keeps its own buffers,
// as load does. The session makes no more calls; those in flight are waited for.
func (s *Session) TakeOver(ctx context.Context) (*Pipes, error) {
	kid, ok := s.link.(gated).link.(*child)
	if !ok {
		return nil, errors.New("only a session over stdio has pipes to take over")
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil, errors.New("session " + s.Name + " is closed")
	}
	s.closing = true
	s.mu.Unlock()
	s.telling.Wait()
	s.busy.Wait()
	rest, err := kid.handOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("taking over the pipes of session %s: %w", s.Name, err)
	}
	return &Pipes{In: kid.stdin, Out: kid.stdout, Rest: rest, PID: kid.command.Process.Pid, kid: kid}, nil
}

// Release says that nothing more will be read: the output has ended, or nobody
// waits for it any more.
func (p *Pipes) Release() { p.kid.hands.release() }

// Ended gives how the process ended, once it has; it waits for that no longer
// than a drained pipe takes.
func (p *Pipes) Ended() (how string, ended bool) {
	p.Release()
	patience := time.NewTimer(2 * drain)
	defer patience.Stop()
	select {
	case <-p.kid.ended:
		how = p.kid.how.text
		if said := p.kid.said.String(); said != "" {
			how += "; on stderr: " + said
		}
		return how, true
	case <-patience.C:
		return "", false
	}
}

// PID gives the process id of a stdio session's child; 0 over HTTP.
func (s *Session) PID() int {
	if kid, ok := s.link.(gated).link.(*child); ok {
		return kid.command.Process.Pid
	}
	return 0
}

// hands is the passing of a child's output from our reader to another.
type hands struct {
	over     chan []byte   // holds one: what our reader had of a line
	released chan struct{} // closed when the other reader has ended
	once     sync.Once
}

func newHands() *hands {
	return &hands{over: make(chan []byte, 1), released: make(chan struct{})}
}

func (h *hands) release() { h.once.Do(func() { close(h.released) }) }

// handOver has our reader stop, and gives what it had read of a line. The reader
// is waked by a deadline, which nothing else sets.
func (k *child) handOver(ctx context.Context) ([]byte, error) {
	if err := k.stdout.SetReadDeadline(time.Unix(1, 0)); err != nil {
		return nil, err
	}
	select {
	case rest := <-k.hands.over:
		return rest, k.stdout.SetReadDeadline(time.Time{})
	case <-k.ended:
		return nil, fmt.Errorf("the server process ended (%s)", k.how.text)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Answer gives what a client without capabilities answers to a server's request:
// a ping is answered, everything else refused.
func Answer(m frame.Message) []byte { return composeAnswer(m, nil) }
