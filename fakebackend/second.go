package fakebackend

import (
	"slices"
	"sync"
	"time"
)

// SecondWriter is another user, who changes one product and one subscription at a
// time, the next of the catalogue that can be cancelled: what is there is
// cancelled, what is cancelled is restored. The zero value is nobody.
type SecondWriter struct {
	// EveryCalls: the other user comes in before every Nth call of a tool. 0: not
	// by calls.
	EveryCalls int
	// Every: the other user comes in at this interval, from the start. 0: not by
	// time.
	Every time.Duration
	// Follows: the other user changes what calls have cancelled last, in place of
	// the next of the catalogue: at what others are at work on. Nothing is changed
	// before a call has cancelled something.
	Follows bool
}

// anotherUser is the tool that the effect log names for the second writer.
const anotherUser = "another_user"

type secondWriter struct {
	mu    sync.Mutex
	calls int
	turns int
}

// called counts a call and lets the second writer in, if it is the turn.
func (b *Backend) called() error {
	every := b.options.SecondWriter.EveryCalls
	if every == 0 {
		return nil
	}
	b.second.mu.Lock()
	b.second.calls++
	turn := b.second.calls%every == 0
	b.second.mu.Unlock()
	if !turn {
		return nil
	}
	return b.interfere()
}

// interfereAtTimes lets the second writer in again and again.
func (b *Backend) interfereAtTimes() {
	if every := b.options.SecondWriter.Every; every > 0 {
		b.later(every, func() {
			_ = b.interfere() // nobody asked who could be told
			b.interfereAtTimes()
		})
	}
}

// interfere is one turn of the second writer.
func (b *Backend) interfere() error {
	b.second.mu.Lock()
	turn := b.second.turns
	b.second.turns++
	b.second.mu.Unlock()
	if b.options.SecondWriter.Follows {
		b.follow()
		return b.save()
	}
	for _, s := range []*shelf{b.products, b.subscriptions} {
		var open []entry
		for _, e := range s.order {
			if e.refusal == "" {
				open = append(open, *e)
			}
		}
		b.toggle(s, open[turn%len(open)])
	}
	return b.save()
}

// follow is a turn of the second writer at what calls have cancelled last.
func (b *Backend) follow() {
	all := b.effects.all()
	for _, s := range []*shelf{b.products, b.subscriptions} {
		for _, effect := range slices.Backward(all) {
			if effect.Tool == anotherUser || effect.Kind != s.kind+"-cancelled" {
				continue
			}
			if e, ok := s.withID(effect.Item); ok {
				b.toggle(s, e)
			}
			break
		}
	}
}

func (b *Backend) toggle(s *shelf, e entry) {
	protocol := b.protocol()
	s.change(e, func(now state) (state, bool) {
		if now.status == cancelled {
			b.effects.add(Effect{Tool: anotherUser, Item: e.id, Kind: s.kind + "-restored"})
			return state{status: e.status}, true
		}
		b.effects.add(Effect{Tool: anotherUser, Item: e.id, Kind: s.kind + "-cancelled"})
		return state{status: cancelled, cancellations: now.cancellations + 1, protocol: protocol}, true
	})
}
