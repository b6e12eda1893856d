package fakebackend

import (
	"sync"
	"time"
)

// vetted is what the ordinary handler has taken: in a session, or without one, a
// head of a request that says the same in all that matters.
type vetted struct {
	lasts    time.Duration // how long a session's word counts; the SDK ends sessions that it does not hear of
	mu       sync.RWMutex
	sessions map[string]*passes
}

// passes are the heads taken in one session.
type passes struct {
	heads map[string]struct{}
	since time.Time
}

const (
	mostSessions = 1 << 14
	mostHeads    = 1 << 8
)

func newVetted(idle time.Duration) *vetted {
	return &vetted{lasts: idle / 2, sessions: map[string]*passes{}}
}

// has tells whether such a request was taken lately.
func (v *vetted) has(session, head []byte) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	p := v.sessions[string(session)]
	if p == nil {
		return false
	}
	if _, taken := p.heads[string(head)]; !taken {
		return false
	}
	return len(session) == 0 || time.Since(p.since) < v.lasts
}

// open gives the passes of a session before the ordinary handler is asked. They
// stay the session's only until it ends, so that a late answer revives nothing.
func (v *vetted) open(session string) *passes {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.sessions[session]
	if p == nil {
		if len(v.sessions) >= mostSessions {
			clear(v.sessions) // the ordinary handler knows them
		}
		p = &passes{heads: map[string]struct{}{}}
		v.sessions[session] = p
	}
	return p
}

// pass keeps that a request was taken.
func (v *vetted) pass(p *passes, head string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(p.heads) >= mostHeads {
		clear(p.heads)
	}
	p.heads[head], p.since = struct{}{}, time.Now()
}

// end forgets a session.
func (v *vetted) end(session string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.sessions, session)
}
