package lean

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// pipe is one process that several virtual users share, with a call of each in
// flight.
type pipe struct {
	pipes *wire.Pipes
	now   func() time.Duration
	users []*sharer
	most  int

	writing sync.Mutex
	cut     bool // a line was cut short: nothing more can be written

	replies *replies

	late   atomic.Int64 // answers that were given up, and may still come
	odd    atomic.Pointer[string]
	asked  atomic.Int64
	ended  chan struct{} // nothing more will be read
	why    string        // why, once ended is closed
	closed atomic.Int64
}

// sharer is one virtual user of a shared process.
type sharer struct {
	pipe    *pipe
	stopped chan struct{}
	once    sync.Once
	timer   *time.Timer
	got     chan struct{} // holds one

	mu      sync.Mutex
	waits   bool
	id      uint64
	line    []byte
	first   time.Duration // when the first byte came
	arrived time.Duration
}

// OpenShared gives so many virtual users the pipes of one process.
func OpenShared(p *wire.Pipes, maxLine int, now func() time.Duration, users int) []Conn {
	s := &pipe{pipes: p, now: now, most: maxLine, ended: make(chan struct{})}
	s.replies = newReplies(s.reply)
	conns := make([]Conn, users)
	for i := range conns {
		user := &sharer{pipe: s, stopped: make(chan struct{}), got: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
		user.timer.Stop()
		s.users = append(s.users, user)
		conns[i] = user
	}
	go s.read()
	return conns
}

func (p *pipe) reply(line []byte, by time.Time) {
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.cut {
		return
	}
	_ = p.pipes.In.SetWriteDeadline(by) // an error shows at the write
	_, err := p.pipes.In.Write(line)
	p.cut = err != nil
}

// Do writes a line and waits for the one that answers it.
func (u *sharer) Do(r *Request, a *Answer) {
	*a = Answer{Begun: u.pipe.now()}
	select {
	case <-u.stopped:
		a.fail(Stopped, "the call was stopped", u.pipe.now())
		return
	case <-u.pipe.ended:
		a.fail(Unconnected, u.pipe.why, u.pipe.now())
		return
	default:
	}
	u.mu.Lock()
	u.waits, u.id = true, r.ID
	u.mu.Unlock()
	u.timer.Reset(r.Timeout)
	defer u.timer.Stop()
	if err := u.pipe.write(r, a); err != nil {
		u.leave()
		select {
		case <-u.pipe.ended:
			a.fail(Cut, u.pipe.why, u.pipe.now())
		default:
			a.fail(Cut, "the call could not be written: "+err.Error(), u.pipe.now())
		}
		return
	}
	select {
	case <-u.got:
		u.take(a)
		return
	case <-u.timer.C:
		a.fail(TimedOut, "no answer came in time", u.pipe.now())
	case <-u.stopped:
		a.fail(Stopped, "the call was stopped while it waited for its answer", u.pipe.now())
	case <-u.pipe.ended:
		a.fail(Cut, u.pipe.why, u.pipe.now())
	}
	if u.leave() {
		u.pipe.late.Add(1)
		return
	}
	<-u.got // it came at the last moment
	u.take(a)
}

// leave stops waiting; false: the answer is there.
func (u *sharer) leave() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	waited := u.waits
	u.waits = false
	return waited
}

func (u *sharer) take(a *Answer) {
	a.Class, a.Problem, a.Form = Answered, "", Stdio
	a.FirstByte, a.Done = u.first, u.arrived
	a.Body, a.In = u.line, len(u.line)
	a.Message = trimJSON(u.line)
	if odd := u.pipe.odd.Swap(nil); odd != nil {
		a.Odd = *odd
	}
	a.Asked = int(u.pipe.asked.Swap(0))
}

func (p *pipe) write(r *Request, a *Answer) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.cut {
		return errors.New("the server does not read its input")
	}
	a.Sent = p.now()
	_ = p.pipes.In.SetWriteDeadline(time.Now().Add(r.Timeout)) // an error shows at the write
	n, err := p.pipes.In.Write(r.Bytes)
	a.Out = n
	p.cut = err != nil
	return err
}

// read deals the lines out until the output ends.
func (p *pipe) read() {
	l := newLines(p.pipes, p.most)
	first := time.Duration(0)
	for {
		line, ok := l.have()
		if ok {
			p.deal(line, first)
			if l.begin == l.end {
				first = 0
			}
			continue
		}
		_, err := l.more(l.begin)
		if now := p.now(); first == 0 {
			first = now
		}
		if err == nil {
			continue
		}
		p.why = p.whyEnded(err)
		p.replies.end()
		close(p.ended)
		return
	}
}

func (p *pipe) whyEnded(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "the pipe was closed"
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("a line of the server was longer than our bound of %d bytes", p.most)
	}
	if how, ended := p.pipes.Ended(); ended {
		return "the server process ended (" + how + ")"
	}
	return "the server closed its output"
}

// deal gives a line to the user who waits for it.
func (p *pipe) deal(line []byte, first time.Duration) {
	if id, ok := quickID(line); ok && p.give(id, line, first) {
		return
	}
	for _, m := range frame.ReadMessages(line) {
		switch m.Kind {
		case frame.Broken:
			p.strange("a line that is no message")
		case frame.Request:
			p.asked.Add(1)
			if !p.replies.to(m) {
				p.strange("more questions than are answered")
			}
		case frame.Response:
			id, err := strconv.ParseUint(frame.Key(m.ID), 10, 64)
			switch {
			case err == nil && p.give(id, line, first):
				return
			case p.late.Load() > 0:
				p.late.Add(-1)
			default:
				p.strange("a response to no call in flight")
			}
		}
	}
}

func (p *pipe) strange(what string) { p.odd.Store(&what) }

// give hands a line to the user whose call has the id; false: nobody waits for it.
func (p *pipe) give(id uint64, line []byte, first time.Duration) bool {
	for _, u := range p.users {
		u.mu.Lock()
		if !u.waits || u.id != id {
			u.mu.Unlock()
			continue
		}
		u.waits = false
		u.line = append(append(u.line[:0], line...), '\n')
		u.first, u.arrived = first, p.now()
		u.mu.Unlock()
		u.got <- struct{}{}
		return true
	}
	return false
}

// Interrupt ends the call in flight, and every later one, as Stopped.
func (u *sharer) Interrupt() { u.once.Do(func() { close(u.stopped) }) }

// Close takes the user off the pipe; the last one ends the reading.
func (u *sharer) Close() {
	u.Interrupt()
	if u.pipe.closed.Add(1) == int64(len(u.pipe.users)) {
		_ = u.pipe.pipes.Out.SetReadDeadline(time.Unix(1, 0)) // a closed pipe needs none
		<-u.pipe.ended
		u.pipe.pipes.Release()
	}
}
