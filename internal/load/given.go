package load

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
)

// given remembers which call of an operation was given which protocol id of late, so
// that one that is given for other items too is seen, also where another user was
// given it. It is read and written by all users at once, without a lock: a place holds
// the upper bits of an id's hash and the number of the template whose call had it, and
// who comes later writes over it.
type given struct {
	places [givenPlaces]atomic.Uint64
	idle   atomic.Bool // the server tells items that come again what they were told once
	lawful atomic.Int32

	mu        sync.Mutex
	templates []*Template // by number, from 1
}

const (
	givenPlaces  = 1 << 14
	numberBits   = 16
	mostNumbered = 1<<numberBits - 1
	// mostLawful is how many ids may come again for the items that had them before
	// nobody looks for others any more: each look costs a judgement by the checks.
	mostLawful = 64
)

// enter gives a template its number; 0: there are too many.
func (g *given) enter(t *Template) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.templates) == mostNumbered {
		return 0
	}
	g.templates = append(g.templates, t)
	return uint64(len(g.templates))
}

// template gives the one that has a number.
func (g *given) template(number uint64) *Template {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.templates[number-1]
}

// note notes the ids of an answer, and gives the first of them that another call was
// given, and the number of that call's template; 0: none was. What a template's
// own calls are given again is not looked at.
func (g *given) note(hashes []uint64, own uint64) (hash, giver uint64) {
	if own == 0 || g.idle.Load() {
		return 0, 0
	}
	for _, h := range hashes {
		place := &g.places[h%givenPlaces]
		was, is := place.Load(), h&^mostNumbered|own
		if was == is {
			continue
		}
		if number := was & mostNumbered; giver == 0 && number != 0 && was&^mostNumbered == h&^mostNumbered {
			hash, giver = h, number
		}
		place.Store(is)
	}
	return hash, giver
}

// passed notes that an id came again and broke nothing.
func (g *given) passed() {
	if g.lawful.Add(1) >= mostLawful {
		g.idle.Store(true)
	}
}

// last is the last answer of a template that gave protocol ids. Its own user writes it,
// and others read it where they were given one of its ids.
type last struct {
	mu     sync.Mutex
	answer exchange
	era    int64    // in which it came: see Judge.Restocked
	first  uint64   // number of the call
	hashes []uint64 // of the ids, in the order of the answer
}

// having gives a copy of the answer, if it has an id of that hash: a later one of the
// same template may have taken its place.
func (t *Template) having(hash uint64) *exchange {
	l := &t.memory.last
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.hashes, hash) {
		return nil
	}
	return t.copied()
}

// before gives a copy of the template's last answer; nil: it had none with ids.
func (t *Template) before() *exchange {
	l := &t.memory.last
	l.mu.Lock()
	defer l.mu.Unlock()
	return t.copied()
}

// copied copies the last answer of this era. The caller holds the lock.
func (t *Template) copied() *exchange {
	if l := &t.memory.last; l.answer.body == nil || l.era != t.judge.era.Load() {
		return nil
	}
	x := t.memory.last.answer.clone()
	if t.source.Digits > 0 {
		x.planned = t.source.Make(t.memory.last.first)
	}
	return &x
}

// Restocked says that items were put back: a server may count its protocol ids from the
// beginning then, so that none is held against those from before. No call is in flight.
func (j *Judge) Restocked() { j.era.Add(1) }

// givenIn gives what is remembered of an operation's protocol ids.
func (j *Judge) givenIn(op *conform.Operation) *given {
	j.mu.Lock()
	defer j.mu.Unlock()
	g := j.given[op.Name]
	if g == nil {
		g = &given{}
		j.given[op.Name] = g
	}
	return g
}

// beside gives what an answer breaks because of another call's, and not by itself.
func (j *Judge) beside(t *Template, x, other *exchange, alone *Verdict) []conform.Finding {
	both := j.strict(t.op, x, other)
	return slices.DeleteFunc(slices.Clone(both.Findings), func(f conform.Finding) bool {
		return slices.ContainsFunc(alone.Findings, func(own conform.Finding) bool { return own.ID == f.ID })
	})
}
