package pace

import (
	"runtime"
	"sync/atomic"
	"time"
)

// step bounds one sleep, so that a pacer can be stopped.
const step = 50 * time.Millisecond

// Pacer wakes its goroutine at given instants. The runtime's own timers are late by
// up to a millisecond where a process is idle; a thread of its own that sleeps in
// the system's clock is late by tens of microseconds.
type Pacer struct {
	now     func() time.Duration
	sleep   func(time.Duration)
	free    func()
	stopped atomic.Bool
}

// NewPacer makes a pacer on a clock, and locks the calling goroutine to its thread
// until Release.
func NewPacer(now func() time.Duration) *Pacer {
	runtime.LockOSThread()
	restore := sharpen()
	return &Pacer{now: now, sleep: nap, free: func() {
		restore()
		runtime.UnlockOSThread()
	}}
}

// Until waits for an instant, and gives how late it is by then; at once where it is
// past. ok is false where the pacer was stopped first.
func (p *Pacer) Until(at time.Duration) (late time.Duration, ok bool) {
	for !p.stopped.Load() {
		now := p.now()
		if now >= at {
			return now - at, true
		}
		p.sleep(min(at-now, step))
	}
	return 0, false
}

// Stop ends the wait, and every later one; any goroutine may call it.
func (p *Pacer) Stop() { p.stopped.Store(true) }

// Release gives the thread back; the goroutine that made the pacer calls it.
func (p *Pacer) Release() { p.free() }

// Ticket is a call that is due.
type Ticket struct {
	N    int
	At   time.Duration // when it was to be sent: latency counts from here
	Late time.Duration // how late it was handed out
}

// Feed hands out a ticket for every call of a schedule that begins at start. Who
// takes them may be behind by as many as the channel holds; a ticket that finds it
// full is dropped, and counted. The channel is closed at the end.
func Feed(s Schedule, start time.Duration, p *Pacer, to chan<- Ticket) (fed, dropped int) {
	defer close(to)
	for n := 0; ; n++ {
		at, ok := s.At(n)
		if !ok {
			return fed, dropped
		}
		late, ok := p.Until(start + at)
		if !ok {
			return fed, dropped
		}
		select {
		case to <- Ticket{N: n, At: start + at, Late: late}:
			fed++
		default:
			dropped++
		}
	}
}
