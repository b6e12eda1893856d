package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// line is one line on its way to the child.
type line struct {
	call    string
	body    []byte
	sent    chan time.Duration // holds one: the time before the first byte
	written chan error         // holds one: all was written, or why not
}

func newLine(call string, body []byte) *line {
	return &line{call, oneLine(body), make(chan time.Duration, 1), make(chan error, 1)}
}

// oneLine keeps a message on one line. Line breaks can only stand between the
// values of JSON, where a blank means the same.
func oneLine(body []byte) []byte {
	if !bytes.ContainsAny(body, "\r\n") {
		return body
	}
	flat := bytes.Clone(body)
	for i, c := range flat {
		if c == '\r' || c == '\n' {
			flat[i] = ' '
		}
	}
	return flat
}

// writeLines is the only writer of standard input, so lines never mix. A child
// that does not read blocks it, and only it.
func (k *child) writeLines() {
	for {
		select {
		case l := <-k.queue:
			at := k.recorder.Now()
			k.recorder.Record(conform.Observation{At: at, Kind: conform.KindSent, Call: l.call, Session: k.session, Sent: &conform.Sent{
				Channel: conform.ChannelStdin, Body: l.body,
			}})
			l.sent <- at
			_, err := k.stdin.Write(append(l.body[:len(l.body):len(l.body)], '\n'))
			l.written <- err
		case <-k.ended:
			return
		}
	}
}

// answerAsked writes the answers to what the server asks. It is not the reader
// that writes them: a child that writes while it does not read would hold both.
func (k *child) answerAsked() {
	for {
		select {
		case l := <-k.asks:
			select {
			case k.queue <- l:
			case <-k.ended:
				return
			}
		case <-k.ended:
			return
		}
	}
}

// exchange writes one message and waits for the line that answers it.
func (k *child) exchange(ctx context.Context, out outgoing) *Reply {
	if ctx.Err() != nil {
		return notSent(Interrupted, conform.Stopped, stoppedBy(ctx, out.awaited()))
	}
	waits := newPatience(&out)
	defer waits.stop()
	w := &waiter{}
	if out.key != "" {
		var ok bool
		if w, ok = k.book.enter(out.key, out.call, out.asked, waits); !ok {
			return notSent(Misconfigured, conform.Refused, "id "+out.key+" is in flight already: "+out.what+" was not sent")
		}
	}
	r := &Reply{}
	l := newLine(out.call, out.body)
	select {
	case k.queue <- l:
		r.Sent = <-l.sent
	case <-waits.over:
		return k.giveUp(r, out, w, conform.TimedOut, out.what+" could not be written within "+out.timeout.String()+": the server does not read its input")
	case <-ctx.Done():
		return k.giveUp(r, out, w, conform.Stopped, stoppedBy(ctx, out.awaited()))
	case <-k.ended:
		return k.giveUp(r, out, w, conform.Refused, k.died(out.what))
	}
	written := l.written
	for {
		select {
		case a := <-w.got:
			return r.take(a)
		case err := <-written:
			written = nil
			switch {
			case err != nil:
				return k.unwritten(r, out, w, err)
			case out.key == "":
				r.End, r.Done = conform.Complete, k.recorder.Now()
				return r
			case out.withdrawal != nil:
				out.withdrawal.wrote()
			}
		case <-waits.stirred:
			waits.extend()
		case <-waits.over:
			return k.giveUp(r, out, w, conform.TimedOut, waits.noAnswer())
		case why := <-out.enough():
			return k.giveUp(r, out, w, conform.Withdrawn, why)
		case <-ctx.Done():
			cause := context.Cause(ctx)
			if errors.Is(cause, context.DeadlineExceeded) {
				return k.giveUp(r, out, w, conform.TimedOut, "no answer to "+out.what+" before the caller's deadline")
			}
			if cause == errSwallowed || cause == errAnswered {
				return k.giveUp(r, out, w, conform.TimedOut, cause.Error())
			}
			return k.giveUp(r, out, w, conform.Stopped, stoppedBy(ctx, out.awaited()))
		case <-k.ended:
			return k.giveUp(r, out, w, conform.Cut, k.died(out.awaited()))
		}
	}
}

// unwritten settles a call whose line could not be written: the process is
// ending, or has closed its input and may still answer nothing more.
func (k *child) unwritten(r *Reply, out outgoing, w *waiter, err error) *Reply {
	select {
	case <-k.ended:
		return k.giveUp(r, out, w, conform.Cut, k.died(out.awaited()))
	case <-time.After(drain):
		return k.giveUp(r, out, w, conform.Cut, fmt.Sprintf("writing %s: %v", out.what, err))
	}
}

// giveUp settles and records a call without an answer; if the answer has come
// meanwhile, that counts.
func (k *child) giveUp(r *Reply, out outgoing, w *waiter, how conform.End, problem string) *Reply {
	if out.key != "" && !k.book.leave(out.key) {
		return r.take(<-w.got)
	}
	k.mu.Lock()
	if k.asked != "" && how == conform.Cut {
		how, problem = conform.Stopped, "the session was closed while waiting for "+out.awaited()
	}
	k.mu.Unlock()
	r.End, r.Problem, r.Class, r.Done = how, problem, classOf(how), k.recorder.Now()
	k.recorder.Record(conform.Observation{At: r.Done, Kind: conform.KindReceived, Call: out.call, Session: k.session, Received: &conform.Received{
		Channel: conform.ChannelStdout, End: how, Problem: problem,
	}})
	return r
}

// take settles a reply with an answer.
func (r *Reply) take(a arrival) *Reply {
	r.answered(a.message)
	r.End, r.Problem, r.FirstByte, r.Done = a.how, a.problem, a.firstByte, a.done
	if a.message == nil {
		r.Class = classOf(a.how)
	}
	return r
}
