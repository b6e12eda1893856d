package runner

import (
	"fmt"

	"github.com/mcpconform/mcpconform/internal/wire"
)

// leftOver notes what a soak opened over HTTP, and may have left with the server: it
// does not say what it keeps.
func (l *loading) leftOver(s *wire.Session) {
	if !l.o.Soak || l.client.Transport() == wire.Stdio {
		return
	}
	connections := 0
	for _, c := range l.cells {
		connections += c.Health.Connections
	}
	where := "without a session"
	if s.ID() != "" {
		where = "in one session, which all users shared"
	}
	l.notes = append(l.notes, fmt.Sprintf("the load opened %d connections while it was measured, and called %s; what the server keeps of them it does not say", connections, where))
}
