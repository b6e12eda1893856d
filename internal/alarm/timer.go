package alarm

import "time"

// plainTimer is the runtime's own.
type plainTimer struct{ t *time.Timer }

func newPlainTimer() timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return plainTimer{t}
}

func (p plainTimer) set(d time.Duration) { p.t.Reset(d) }
func (p plainTimer) wait()               { <-p.t.C }
