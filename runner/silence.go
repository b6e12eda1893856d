package runner

import (
	"fmt"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// mostSilence is how many calls in a row may go unanswered to their deadline
// before no more are made: a hundred calls to a server that hangs would be an
// hour of waiting that tells nothing new.
const mostSilence = 6

// silence counts the calls that nothing answered in time, in a row: of the whole
// server, and of each tool. Calls that were in flight together count once, for
// one lock can hold up all of them.
type silence struct {
	mu    sync.Mutex
	all   hush
	tools map[string]*hush
}

type hush struct {
	calls int
	until time.Duration // when the last of them was given up
}

func (h *hush) note(reply *wire.Reply) {
	switch {
	case reply.End == conform.Withdrawn: // silence is what was asked for
	case reply.End != conform.TimedOut:
		h.calls = 0
	case reply.Sent >= h.until:
		h.calls++
		h.until = reply.Done
	}
}

// note takes in what became of a call to a tool, and says why no further call
// should be made; empty: nothing speaks against it.
func (s *silence) note(tool string, reply *wire.Reply) string {
	if reply.Sent == 0 {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tools == nil {
		s.tools = map[string]*hush{}
	}
	if s.tools[tool] == nil {
		s.tools[tool] = &hush{}
	}
	s.tools[tool].note(reply)
	s.all.note(reply)
	if s.all.calls < mostSilence {
		return ""
	}
	return fmt.Sprintf("the target no longer answers: %d calls in a row were not answered in time, the last one: %s", s.all.calls, reply.Problem)
}

// of says why a tool is not called any more; empty: it may be.
func (s *silence) of(tool string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.tools[tool]; h != nil && h.calls >= mostSilence {
		return fmt.Sprintf("the tool %s left %d calls in a row unanswered to their deadline, and was not called again", tool, h.calls)
	}
	return ""
}
