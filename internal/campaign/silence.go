package campaign

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Bounds by which a server is taken for gone.
const (
	goneAfter = 2 * time.Second
	goneCalls = 10
)

// silence is how long the server has given no answer. It lasts from window to window.
type silence struct {
	heard time.Duration   // when it answered last, in the windows before
	lost  [3]atomic.Int64 // calls without an answer since, by how they were lost
}

// losing are the ways in which a call is lost when its server is gone.
var losing = [3]lean.Class{lean.Unconnected, lean.Cut, lean.TimedOut}

// begin begins a window: where nothing was lost, the time between two windows is no
// silence.
func (s *silence) begin(now time.Duration) {
	if _, lost := s.mostly(); lost == 0 {
		s.heard = now
	}
}

// end takes over when the server answered last in a window that is over.
func (s *silence) end(heard time.Duration) { s.heard = max(s.heard, heard) }

// lost tells a call that nothing answered. Whatever answers over HTTP is there.
func lost(class lean.Class) bool { return slices.Contains(losing[:], class) }

// broken takes in an answer.
func (s *silence) broken() {
	for i := range s.lost {
		if s.lost[i].Load() != 0 { // else every call would write what all users read
			s.lost[i].Store(0)
		}
	}
}

// another takes in a call that was lost, and when the window's users heard of the
// server last, and says that it is gone; empty: it is not known to be.
func (s *silence) another(class lean.Class, done, heard time.Duration) string {
	s.lost[slices.Index(losing[:], class)].Add(1)
	how, lost := s.mostly()
	if lost < goneCalls || done-max(heard, s.heard) < goneAfter {
		return ""
	}
	return fmt.Sprintf("the server is gone: %s, %d calls in a row without an answer", failure(&load.Call{Class: how}), lost)
}

// mostly gives how most of the calls since the last answer were lost, and how many
// there are in all.
func (s *silence) mostly() (how lean.Class, all int64) {
	most := int64(0)
	for i := range s.lost {
		n := s.lost[i].Load()
		if all += n; n > most {
			how, most = losing[i], n
		}
	}
	return how, all
}
