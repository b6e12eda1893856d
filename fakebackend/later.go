package fakebackend

import (
	"context"
	"fmt"
)

// deferred is work that a call has begun and that is done after the call was
// answered: of a task or a job.
type deferred struct {
	cancel context.CancelFunc
	stop   func() bool
	done   chan struct{} // closed when answer and err are there

	answer *answer
	err    error
}

// deferWork does the work of a call once its time has come, and then tells
// finished. The call's own end does not end it.
func (b *Backend) deferWork(c *call, work func() *answer, finished func()) *deferred {
	d := &deferred{done: make(chan struct{})}
	c.ctx, d.cancel = context.WithCancel(context.WithoutCancel(c.ctx))
	for _, bent := range c.bends {
		if bent.endless {
			d.stop = func() bool { return true }
			return d
		}
	}
	d.stop = b.later(b.options.Takes, func() {
		a, err := b.attempt(c, work)
		d.end(a, err)
		finished()
	})
	return d
}

// attempt does work, turns a panic into an error, and saves the state.
func (b *Backend) attempt(c *call, work func() *answer) (a *answer, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			a, err = nil, fmt.Errorf("%s: %v", c.tool, broken)
		}
	}()
	a = work()
	return a, b.save()
}

func (d *deferred) end(a *answer, err error) {
	d.answer, d.err = a, err
	d.cancel()
	close(d.done)
}
