package wire

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// stdout is one line of standard output while it is read.
type stdout struct {
	body      []byte
	firstByte time.Duration
	begun     bool
	over      bool // longer than our bound: the rest is read over
}

// readLines reads standard output to its end, or until another reader takes it
// over, and records every line: of messages, of banners, of nothing at all.
func (k *child) readLines() {
	var current stdout
	stray := k.bounds.MaxStray
	buffer := make([]byte, 64<<10)
	for {
		n, err := k.stdout.Read(buffer)
		now := k.recorder.Now()
		for piece := buffer[:n]; len(piece) > 0; {
			end := bytes.IndexByte(piece, '\n')
			part, rest := piece, []byte(nil)
			if end >= 0 {
				part, rest = piece[:end], piece[end+1:]
			}
			if !current.begun {
				current.begun, current.firstByte = true, now
			}
			if room := k.bounds.MaxLine - len(current.body); len(part) > room {
				current.over, part = true, part[:room]
			}
			current.body = append(current.body, part...)
			if end >= 0 {
				k.arrived(&current, now, true, &stray)
				current = stdout{}
			}
			piece = rest
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			k.hands.over <- current.body
			<-k.hands.released
			return
		}
		if err != nil {
			if current.begun {
				k.half = len(current.body)
				k.arrived(&current, now, false, &stray)
			}
			return
		}
	}
}

// arrived records a line under the call it answers, and hands it to the one who
// waits for it.
func (k *child) arrived(in *stdout, now time.Duration, ended bool, stray *int) {
	received := conform.Received{Channel: conform.ChannelStdout, Body: in.body, FirstByte: in.firstByte, End: conform.Complete}
	switch {
	case in.over:
		received.End, received.Problem = conform.TooLarge, fmt.Sprintf("the line is longer than our bound of %d bytes: the rest was read over", k.bounds.MaxLine)
	case !ended:
		received.End, received.Problem = conform.Cut, "standard output ended before the line did"
	}
	record := func(call string) {
		one := received
		k.recorder.Record(conform.Observation{At: now, Kind: conform.KindReceived, Call: call, Session: k.session, Received: &one})
	}
	if in.over {
		// What it answers cannot be read; if only one call waits, it is that one.
		key, call := k.book.only()
		record(call)
		if _, w := k.book.take(key); w != nil {
			w.got <- arrival{firstByte: in.firstByte, done: now, how: received.End, problem: received.Problem}
		}
		return
	}
	messages := frame.ReadMessages(in.body)
	told := map[string]bool{}
	for i := range messages {
		m := &messages[i]
		if key := progressOf(m); key != "" {
			if call := k.book.stir(key); call != "" && !told[call] {
				told[call] = true
				record(call)
			}
		}
		if m.Kind != frame.Response {
			continue
		}
		call, w := k.book.take(frame.Key(m.ID))
		if call != "" && !told[call] {
			told[call] = true
			record(call)
		}
		if w != nil {
			w.got <- arrival{m, in.firstByte, now, received.End, received.Problem}
		}
	}
	if len(told) == 0 {
		k.unclaimed(messages, record, len(in.body), stray)
	}
	_, asker := k.book.only()
	asked := k.book.asked()
	for i := range messages {
		if m := &messages[i]; m.Kind == frame.Request {
			select {
			case k.asks <- newLine(asker, composeAnswer(*m, asked)):
			default: // more than MaxAnswers wait: it asks faster than it reads
			}
		}
	}
}

// unclaimed records a line that answers no call. A request of the server's is
// put under the one call in flight, if it is one: it is that call's tool which
// asks back. Lines of no call are recorded up to a bound.
func (k *child) unclaimed(messages []frame.Message, record func(string), size int, stray *int) {
	if messages[0].Kind == frame.Request {
		if _, call := k.book.only(); call != "" {
			record(call)
			return
		}
	}
	if *stray < 0 {
		return
	}
	if *stray -= size + 1; *stray < 0 {
		k.recorder.Record(conform.Observation{At: k.recorder.Now(), Kind: conform.KindReceived, Session: k.session, Received: &conform.Received{
			Channel: conform.ChannelStdout, End: conform.TooLarge,
			Problem: fmt.Sprintf("more than our bound of %d bytes on standard output belong to no call: such lines are no longer recorded", k.bounds.MaxStray),
		}})
		return
	}
	record("")
}

// readStderr records standard error in the pieces that it comes in, up to a
// bound, and reads on after that so that the child is not held up.
func (k *child) readStderr() {
	room := k.bounds.MaxStderr
	buffer := make([]byte, 8<<10)
	for {
		n, err := k.stderr.Read(buffer)
		if n > 0 {
			k.said.Add(buffer[:n])
			piece := bytes.Clone(buffer[:min(n, max(room, 0))])
			received := conform.Received{Channel: conform.ChannelStderr, Body: piece, End: conform.Complete}
			if n > room && room >= 0 {
				received.End = conform.TooLarge
				received.Problem = fmt.Sprintf("more than our bound of %d bytes on standard error: no more is recorded", k.bounds.MaxStderr)
			}
			if room >= 0 {
				now := k.recorder.Now()
				k.recorder.Record(conform.Observation{At: now, Kind: conform.KindReceived, Session: k.session, Received: &received})
			}
			if room -= n; room < 0 {
				room = -1
			}
		}
		if err != nil {
			return
		}
	}
}
