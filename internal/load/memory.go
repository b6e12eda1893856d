package load

import (
	"bytes"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/internal/pattern"
)

// memory is what a template remembers of its answers.
type memory struct {
	message   []byte // one that may come again; nil: none
	id        int    // where its id stands
	verdict   *Verdict
	misses    int                // answers since that were all right, and others
	patterns  []*pattern.Pattern // the one that matched last comes first
	last      last
	given     *given   // where ids are noted; nil: no answer had any
	number    uint64   // the template's, there
	rows      bool     // some answer could be judged
	shapeless *Verdict // Unjudged, as every answer so far
}

// Bounds on what one template remembers.
const (
	mostPatterns = 4
	// smallAnswer is the size up to which a template keeps several patterns.
	smallAnswer = 64 << 10
)

// recall tells whether a message is the remembered one, its id aside.
func (m *memory) recall(message, id []byte) *Verdict {
	if len(message) != len(m.message) || m.message == nil {
		return nil
	}
	end := m.id + len(id)
	if string(message[m.id:end]) != string(id) || string(message[:m.id]) != string(m.message[:m.id]) || string(message[end:]) != string(m.message[end:]) {
		return nil
	}
	return m.verdict
}

// allRight is the verdict on an answer that the forward pass let through.
var allRight = &Verdict{Outcome: OK}

// note remembers an answer that the forward pass let through, in case the next is
// the same. Where answers differ every time it does so ever more seldom.
func (m *memory) note(message, id []byte, r *room) {
	if m.misses++; m.misses&(m.misses-1) != 0 {
		return
	}
	if at := bytes.Index(message, id); at >= 0 {
		m.hold(message, at, allRight, r)
	}
}

// hold keeps a message and the verdict on it, where there is room for it.
func (m *memory) hold(message []byte, id int, v *Verdict, r *room) {
	if more := len(message) - cap(m.message); more > 0 && !r.take(more) {
		r.used.Add(-int64(cap(m.message)))
		m.message = nil
		return
	}
	m.message, m.id, m.verdict = append(m.message[:0], message...), id, v
}

// room bounds how many bytes of answers all templates of a run remember together;
// beyond it answers are read, and not remembered.
type room struct{ used atomic.Int64 }

const mostRemembered = 128 << 20

func (r *room) take(n int) bool {
	if r.used.Add(int64(n)) <= mostRemembered {
		return true
	}
	r.used.Add(int64(-n))
	return false
}

// match tells whether a pattern holds the message, and whether a protocol id of it
// stood in its place in the answer before.
func (m *memory) match(message, id []byte, names *pattern.Names, s *pattern.Scratch) (matched, repeated bool) {
	for i, p := range m.patterns {
		if !p.Match(message, id, names, s) {
			continue
		}
		if i > 0 {
			m.patterns[0], m.patterns[i] = p, m.patterns[0]
		}
		if !p.Protocols() {
			return true, false
		}
		hashes, before := s.Hashes(), m.last.hashes
		for k := range min(len(hashes), len(before)) {
			if hashes[k] == before[k] {
				return true, true
			}
		}
		return true, false
	}
	return false, false
}

// learn takes a pattern over, in the place of the one that matched longest ago
// where there is no room.
func (m *memory) learn(p *pattern.Pattern) {
	room := mostPatterns
	if p.Len() > smallAnswer {
		room = 1
	}
	if len(m.patterns) >= room {
		m.patterns = m.patterns[:room-1]
	}
	m.patterns = append([]*pattern.Pattern{p}, m.patterns...)
}
