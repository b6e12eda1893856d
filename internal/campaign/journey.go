package campaign

import (
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// journey has one user call the validator, pause, and call the tool for the same items.
// It ends with the validator where that fails.
func (w *window) journey(k *kind, i int, intended time.Duration) (measure.Sample, bool) {
	ahead, then := k.ahead[i], k.users[i]
	at := k.turns[i]
	k.turns[i] = (at + 1) % len(ahead.Templates)
	first, sent := w.made(i, ahead.Do(ahead.Templates[at], intended))
	if !sent || first.Outcome == measure.Failed {
		return first, sent
	}
	begun := w.bench.now()
	if k.cell.Pause > 0 && !w.over.Load() {
		time.Sleep(k.cell.Pause)
	}
	paused := w.bench.now() - begun
	second, sent := w.made(i, then.Do(then.Templates[at], w.bench.now()))
	if !sent {
		return second, false
	}
	return measure.Joined(first, second, paused), true
}
