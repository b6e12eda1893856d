package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mcpconform/mcpconform/target"
)

// pace holds a run back to what its server takes: to the limits of the target
// file, and to the pauses that the server itself asks for. It is the gate that
// every message of every session goes through.
//
// Once the server has refused a message for being too many, messages go out one
// at a time until none waits any more: those that were refused together would
// only be refused together again.
type pace struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	rate *rate.Limiter // nil: no limit
	most int           // in flight together; 0: no limit

	mu      sync.Mutex
	flying  int
	waiting int
	until   time.Time // no message goes out before
	careful bool      // one at a time
	freed   chan struct{}

	held time.Duration // for the limits of the target file
}

func newPace(l target.Limits) *pace {
	p := &pace{now: time.Now, sleep: sleep, most: l.InFlight, freed: make(chan struct{})}
	if l.Rate > 0 {
		p.rate = rate.NewLimiter(rate.Limit(l.Rate), 1)
	}
	return p
}

// Enter waits until a message may go out.
func (p *pace) Enter(ctx context.Context) (leave func(), err error) {
	if err := p.place(ctx); err != nil {
		return nil, err
	}
	if p.rate != nil {
		now := p.now()
		if wait := p.rate.ReserveN(now, 1).DelayFrom(now); wait > 0 {
			if err := p.sleep(ctx, wait); err != nil {
				p.leave()
				return nil, err
			}
			p.mu.Lock()
			p.held += wait
			p.mu.Unlock()
		}
	}
	return p.leave, nil
}

// place waits for a place among those in flight, and for the end of a pause.
func (p *pace) place(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting++
	defer func() { p.waiting-- }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if pause := p.until.Sub(p.now()); pause > 0 {
			p.mu.Unlock()
			err := p.sleep(ctx, pause)
			p.mu.Lock()
			if err != nil {
				return err
			}
			continue
		}
		most := p.most
		if p.careful {
			most = 1
		}
		if most == 0 || p.flying < most {
			p.flying++
			return nil
		}
		freed := p.freed
		p.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		p.mu.Lock()
	}
}

func (p *pace) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flying--
	if p.careful && p.waiting == 0 && p.flying == 0 && !p.until.After(p.now()) {
		p.careful = false
	}
	close(p.freed)
	p.freed = make(chan struct{})
}

// pause lets no message out for a time, and gives by how much that is longer
// than was known.
func (p *pace) pause(wait time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.careful = true
	now := p.now()
	known := p.until
	if known.Before(now) {
		known = now
	}
	end := now.Add(wait)
	if !end.After(known) {
		return 0
	}
	p.until = end
	return end.Sub(known)
}

// note says for how long the limits held calls back; empty: for no time. key is
// the rate's place in the target file.
func (p *pace) note(key string, l target.Limits) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held < time.Millisecond {
		return ""
	}
	return fmt.Sprintf("calls were held back to %s (%g a second) for %s in all", key, l.Rate, p.held.Round(time.Millisecond))
}

// sleep waits, or gives the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
