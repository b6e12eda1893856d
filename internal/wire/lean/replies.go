package lean

import (
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// replies answers what a server over stdio asks, as a client without capabilities does.
// It writes apart from the reading: a server that reads nothing before its own output is
// read would wait for us, and we for it.
type replies struct {
	write func(line []byte, by time.Time)
	lines chan []byte
	ended chan struct{}
	once  sync.Once
}

const (
	// mostReplies bounds the questions that wait for their answer to be written; a server
	// that asks more before it reads goes without.
	mostReplies = 256
	// replyPatience is how long a server may take to read an answer to its question.
	replyPatience = 30 * time.Second
)

func newReplies(write func(line []byte, by time.Time)) *replies {
	return &replies{write: write, lines: make(chan []byte, mostReplies), ended: make(chan struct{})}
}

// to takes a question; false: there are too many.
func (r *replies) to(m frame.Message) bool {
	r.once.Do(func() { go r.run() })
	select {
	case r.lines <- append(wire.Answer(m), '\n'):
		return true
	default:
		return false
	}
}

func (r *replies) run() {
	for {
		select {
		case line := <-r.lines:
			r.write(line, time.Now().Add(replyPatience))
		case <-r.ended:
			return
		}
	}
}

// end ends the writing. It is called once.
func (r *replies) end() { close(r.ended) }
