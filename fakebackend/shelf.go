package fakebackend

import (
	"sort"
	"sync"
	"time"
)

// shelf holds the things of one kind, finds them by id and by name, and keeps
// what was done to them. It is safe for concurrent use; its lock is held for a
// look-up and a change, never while anything waits.
type shelf struct {
	kind   string // "product", "subscription"
	bulk   bulk
	byID   map[string]*entry
	byName map[string]*entry   // canon of names
	means  map[string][]*entry // canon of aliases, loose forms of names and aliases
	order  []*entry

	now func() time.Time
	lag time.Duration // how long seen lags behind; Never: for ever

	adding sync.Mutex // one at a time looks whether an id is free
	mu     sync.RWMutex
	state  map[string]*record // only of things that something was done to
	added  addition           // besides the catalogue's
}

// record is the states of a thing, the newest last; with a lag, back to the one
// that is still seen.
type record []dated

type dated struct {
	state
	since time.Time
}

// state is what was done to a thing.
type state struct {
	status        string
	cancellations int
	protocol      string // of the first cancellation
}

func newShelf(kind string, b bulk, entries []entry) *shelf {
	s := &shelf{
		kind: kind, bulk: b,
		byID: map[string]*entry{}, byName: map[string]*entry{}, means: map[string][]*entry{},
		state: map[string]*record{}, added: nothingAdded(), now: time.Now,
	}
	for i := range entries {
		e := &entries[i]
		if e.status == "" {
			e.status = active
		}
		s.order = append(s.order, e)
		s.byID[e.id] = e
		s.byName[canon(e.name)] = e
		s.mean(loose(e.name), e)
		for _, alias := range e.aliases {
			s.mean(canon(alias), e)
			s.mean(loose(alias), e)
		}
	}
	return s
}

func (s *shelf) mean(form string, e *entry) {
	for _, known := range s.means[form] {
		if known == e {
			return
		}
	}
	s.means[form] = append(s.means[form], e)
}

// withID finds a thing by its exact id.
func (s *shelf) withID(id string) (entry, bool) {
	if e := s.byID[id]; e != nil {
		return *e, true
	}
	if e, ok := s.addedWithID(id); ok {
		return e, true
	}
	e, ok := s.bulk.byID(id)
	e.status = active
	return e, ok
}

// named finds a thing by its name in canonical form.
func (s *shelf) named(name string) (entry, bool) {
	name = canon(name)
	if e := s.byName[name]; e != nil {
		return *e, true
	}
	if e, ok := s.addedNamed(name); ok {
		return e, true
	}
	e, ok := s.bulk.byName(name)
	e.status = active
	return e, ok
}

// meant finds what an informal name means; several things if it is not clear.
func (s *shelf) meant(name string) []*entry {
	if found := s.means[canon(name)]; len(found) > 0 {
		return found
	}
	return s.means[loose(name)]
}

// look gives the state of a thing.
func (s *shelf) look(e entry) state {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.stateOf(e)
}

func (s *shelf) stateOf(e entry) state {
	if held := s.state[e.id]; held != nil {
		return (*held)[len(*held)-1].state
	}
	return state{status: e.status}
}

// seen gives the state of a thing as a reader sees it, who lags behind.
func (s *shelf) seen(e entry) state {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.lag == 0 {
		return s.stateOf(e)
	}
	if held := s.state[e.id]; held != nil && s.lag > 0 {
		if i := held.at(s.now().Add(-s.lag)); i >= 0 {
			return (*held)[i].state
		}
	}
	return state{status: e.status}
}

// at gives the place of the state that was there at a time; -1 if it is the
// catalogue's.
func (r record) at(when time.Time) int {
	i := len(r) - 1
	for i >= 0 && r[i].since.After(when) {
		i--
	}
	return i
}

// refusal says why a thing in a state cannot be cancelled; empty: it can.
func refusal(e entry, st state) string {
	switch {
	case e.refusal != "":
		return e.refusal
	case st.status == cancelled:
		return "already_cancelled"
	}
	return ""
}

// change looks at a thing and, if decide says so, replaces its state, in one
// step that nothing else can come between. decide must not wait.
func (s *shelf) change(e entry, decide func(state) (next state, ok bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, ok := decide(s.stateOf(e))
	if !ok {
		return
	}
	held := s.state[e.id]
	if held == nil || s.lag == 0 {
		held = &record{}
		s.state[e.id] = held
	}
	now := s.now()
	if i := held.at(now.Add(-s.lag)); i > 0 {
		*held = append(record{}, (*held)[i:]...)
	}
	*held = append(*held, dated{next, now})
}

// list gives every stored thing and every bulk thing that something was done to,
// in a stable order.
func (s *shelf) list() []entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	entries := make([]entry, 0, len(s.order))
	for _, e := range s.order {
		entries = append(entries, *e)
	}
	for _, id := range s.added.order {
		entries = append(entries, s.added.byID[id])
	}
	touched := []entry{}
	for id := range s.state {
		if e, ok := s.bulk.byID(id); ok {
			e.status = active
			touched = append(touched, e)
		}
	}
	sort.Slice(touched, func(i, j int) bool {
		a, b := touched[i].id, touched[j].id
		return len(a) < len(b) || len(a) == len(b) && a < b
	})
	return append(entries, touched...)
}

// restore forgets everything that was done, and what was added. Readers see it at
// once.
func (s *shelf) restore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.added = map[string]*record{}, nothingAdded()
}
