package lean

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// lines reads a child's output line by line, through a buffer that grows within
// a bound.
type lines struct {
	from   *os.File
	buffer []byte
	begin  int // what was not given out yet is buffer[begin:end]
	end    int
	looked int // no line feed before it
	most   int // bytes of a line
}

func newLines(p *wire.Pipes, most int) lines {
	l := lines{from: p.Out, buffer: make([]byte, max(firstBuffer, 2*len(p.Rest))), most: most}
	l.end = copy(l.buffer, p.Rest)
	return l
}

// have gives the next line without its line feed, if it has come whole.
func (l *lines) have() (line []byte, ok bool) {
	length := bytes.IndexByte(l.buffer[l.looked:l.end], '\n')
	if length < 0 {
		l.looked = l.end
		return nil, false
	}
	line = l.buffer[l.begin : l.looked+length]
	l.begin = l.looked + length + 1
	l.looked = l.begin
	return line, true
}

// more reads on. keep is where the bytes begin that must stay where they are to
// one another; what is before it is given up.
func (l *lines) more(keep int) (moved int, err error) {
	if len(l.buffer)-l.end < leastRoom {
		if l.end-l.begin > l.most {
			return 0, errTooLarge
		}
		moved = keep
		to := l.buffer
		if keep < len(l.buffer)/2 {
			to = make([]byte, 2*len(l.buffer))
		}
		copy(to, l.buffer[keep:l.end])
		l.buffer = to
		l.begin, l.end, l.looked = l.begin-keep, l.end-keep, l.looked-keep
	}
	n, err := l.from.Read(l.buffer[l.end:])
	l.end += n
	if n > 0 {
		return moved, nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return moved, err
}

// stdio is one virtual user's process.
type stdio struct {
	pipes   *wire.Pipes
	now     func() time.Duration
	lines   lines
	stopped atomic.Bool
	broken  string // why no further call can be made
	late    int    // answers that were given up, and may still come
	replies *replies
}

// OpenStdio gives a virtual user the pipes of a process of its own. maxLine
// bounds one line of the process's output.
func OpenStdio(p *wire.Pipes, maxLine int, now func() time.Duration) Conn {
	c := &stdio{pipes: p, now: now, lines: newLines(p, maxLine)}
	// One write of a file is never cut by another, and whether it can be written shows at
	// the next call.
	c.replies = newReplies(func(line []byte, _ time.Time) { _, _ = p.In.Write(line) })
	return c
}

// Do writes a line and waits for the one that answers it.
func (c *stdio) Do(r *Request, a *Answer) {
	*a = Answer{Begun: c.now()}
	if c.broken != "" || c.stopped.Load() {
		c.over(a)
		return
	}
	by := time.Now().Add(r.Timeout)
	// An error of these shows at the write or the read that follows.
	_ = c.pipes.In.SetWriteDeadline(by)
	_ = c.pipes.Out.SetReadDeadline(by)
	if c.stopped.Load() {
		c.over(a)
		return
	}
	a.Sent = c.now()
	n, err := c.pipes.In.Write(r.Bytes)
	a.Out = n
	if err != nil {
		// A line that was cut short would swallow the next one.
		c.lost(a, err)
		c.broken = cmp.Or(c.broken, "the server does not read its input")
		return
	}
	c.await(r, a)
}

// await reads lines up to the one that answers.
func (c *stdio) await(r *Request, a *Answer) {
	first := c.lines.begin // of what comes for this call
	for {
		line, ok := c.lines.have()
		if ok {
			if a.FirstByte == 0 {
				a.FirstByte = c.now()
			}
			if c.line(line, r, a) {
				a.Done = c.now()
				a.Class, a.Form, a.Message = Answered, Stdio, trimJSON(line)
				a.Body = c.lines.buffer[first:c.lines.begin]
				a.In = len(a.Body)
				return
			}
			continue
		}
		if c.lines.begin-first > c.lines.most {
			first = c.lines.begin // it says much, and answers nothing
		}
		moved, err := c.lines.more(first)
		first -= moved
		if a.FirstByte == 0 && err == nil {
			a.FirstByte = c.now()
		}
		if err != nil {
			c.lost(a, err)
			a.Body = c.lines.buffer[first:c.lines.end]
			a.In = len(a.Body)
			return
		}
	}
}

// line looks at one line; true: it answers the call.
func (c *stdio) line(line []byte, r *Request, a *Answer) bool {
	switch sortOf(line, r.ID) {
	case isResponse:
		return true
	case isForeign:
		if c.late > 0 {
			c.late--
			return false
		}
		a.Odd = "a response to another call"
	case isBroken:
		a.Odd = "a line that is no message"
	case isRequest:
		a.Asked++
		if !c.answer(line) {
			a.Odd = "more questions than are answered"
		}
	}
	return false
}

// answer has what the server asks answered; false: it asks too much.
func (c *stdio) answer(line []byte) bool {
	all := true
	for _, m := range frame.ReadMessages(line) {
		if m.Kind == frame.Request {
			all = c.replies.to(m) && all
		}
	}
	return all
}

// lost settles a call whose pipe gave an error.
func (c *stdio) lost(a *Answer, err error) {
	switch {
	case c.stopped.Load():
		c.over(a)
	case errors.Is(err, errTooLarge):
		c.broken = fmt.Sprintf("a line of the server was longer than our bound of %d bytes", c.lines.most)
		a.fail(TooLarge, c.broken, c.now())
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.late++
		a.fail(TimedOut, "no answer came in time", c.now())
	default:
		c.broken = "the server closed its output, or its input"
		if how, ended := c.pipes.Ended(); ended {
			c.broken = "the server process ended (" + how + ")"
		}
		a.fail(Cut, c.broken, c.now())
	}
}

// over settles a call that is not made any more.
func (c *stdio) over(a *Answer) {
	if c.stopped.Load() {
		a.fail(Stopped, "the call was stopped", c.now())
		return
	}
	a.fail(Unconnected, c.broken, c.now())
}

// Interrupt ends the call in flight, and every later one, as Stopped.
func (c *stdio) Interrupt() {
	c.stopped.Store(true)
	past := time.Unix(1, 0)
	_ = c.pipes.In.SetWriteDeadline(past) // a closed pipe needs none
	_ = c.pipes.Out.SetReadDeadline(past)
}

// Close stops reading; the session ends the process.
func (c *stdio) Close() {
	c.stopped.Store(true)
	c.replies.end()
	c.pipes.Release()
}
