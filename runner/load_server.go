package runner

import (
	"errors"
	"fmt"

	"github.com/mcpconform/mcpconform/internal/proctree"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// processes are the server's, where they are known: that of Options.ServerPID, else
// what the load has started itself. Nil: they are not known, which is told where
// somebody wants to know.
func (l *loading) processes(s *wire.Session) (*proctree.Tree, error) {
	pid := l.o.ServerPID
	switch {
	case pid > 0:
	case l.started != nil:
		pid = l.started.PID()
	default:
		pid = s.PID()
	}
	if pid == 0 {
		return nil, nil
	}
	l.serverPID = pid
	tree, err := proctree.Follow(pid)
	switch {
	case err == nil:
		return tree, nil
	case l.o.ServerPID > 0 && !errors.Is(err, proctree.ErrUnknown):
		return nil, &UsageError{Err: fmt.Errorf("the server's process is not there: %w", err), Hint: "`pgrep -f NAME` finds the id of a server"}
	}
	l.notes = append(l.notes, "what the server's processes use is not told: "+err.Error())
	return nil, nil
}

// takeIn follows a further process of the server's.
func (l *loading) takeIn(pid int) {
	if tree := l.bench.Processes; tree != nil && l.o.ServerPID == 0 {
		_ = tree.Add(pid) // one that has ended is told by its user
	}
}
