package pattern

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Rows tell by words how they are meant: the state of an order, say. Rules look at
// them, each row by itself, so that a row may say what another one of the same
// structure said in an answer that was all right: all its words together, and nothing
// else of it differing but what may differ anyway. Only rows that say success or ok
// true of an item that is good take part, so that no total hangs on their words.

// words are what rows were seen to say, by hashes of their structure and words. They
// may grow while others read them.
type words struct {
	mu   sync.Mutex
	seen atomic.Pointer[map[uint64]struct{}]
}

// mostRows bounds what is kept; rows beyond it are the checks' to judge.
const mostRows = 4096

func newWords(seen []uint64) *words {
	w := &words{}
	w.add(seen)
	return w
}

func (w *words) load() map[uint64]struct{} { return *w.seen.Load() }

func (w *words) add(seen []uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[uint64]struct{}{}
	if before := w.seen.Load(); before != nil {
		all = maps.Clone(*before)
	}
	for _, hash := range seen {
		if len(all) < mostRows {
			all[hash] = struct{}{}
		}
	}
	w.seen.Store(&all)
}

// together puts a hash to another one; their order counts.
func together(before, hash uint64) uint64 {
	return (bits.RotateLeft64(before, 23) ^ hash) * 0x9e3779b97f4a7c15
}

// Absorb has a pattern hold what another one holds, if they differ by nothing but what
// their rows say. Both may be used by many goroutines.
func (p *Pattern) Absorb(other *Pattern) bool {
	if len(p.structures) == 0 || len(p.ops) != len(other.ops) || !p.names.Fit(other.names) {
		return false
	}
	for i := range p.ops {
		a, b := &p.ops[i], &other.ops[i]
		if a.kind != b.kind || a.arg != b.arg || string(p.bytes[a.from:a.to]) != string(other.bytes[b.from:b.to]) {
			return false
		}
	}
	var seen []uint64
	for hash := range other.words.load() {
		seen = append(seen, hash)
	}
	p.words.add(seen)
	return true
}

// close notes the lists of which a schema says what is not understood: there it may
// hang on all entries together whether one is valid. They are as fixed where a text
// repeats them.
func (m *maker) close(n *rawjson.Node, path string, at place) {
	switch {
	case n == nil:
	case n.Kind == rawjson.Object:
		for i := range n.Members {
			m.close(n.Members[i].Value, path+"/"+rawjson.EscapeToken(n.Members[i].Name), at.member(n.Members[i].Name))
		}
	case n.Kind == rawjson.Array:
		m.shut[path] = m.shut[path] || at.closed
		entry := at.entry()
		for i, item := range n.Items {
			m.close(item, path+"/"+strconv.Itoa(i), entry)
		}
	}
}

// entry reads an entry of a list, which may be a row; shut says that it cannot be one
// whose words may differ.
func (m *maker) entry(l layer, n *rawjson.Node, path, name string, shut bool, at place) {
	if m.row || shut || !m.tells(n) {
		m.value(l, n, path, name, at)
		return
	}
	begin, first := m.end(l, n, 0), len(m.ops)
	m.row, m.told = true, m.told[:0]
	m.value(l, n, path, name, at)
	m.row = false
	if len(m.told) == 0 {
		return
	}
	// What the row says besides its words: its bytes up to each place, and what may
	// stand there.
	var h maphash.Hash
	h.SetSeed(seed)
	for _, o := range m.ops[first:] {
		_, _ = h.Write(m.bytes[max(int(o.from), begin):o.to])
		_ = h.WriteByte(byte(o.kind))
	}
	to := m.end(l, n, len(n.Raw))
	_, _ = h.Write(m.bytes[m.last:to])
	structure := h.Sum64()
	m.add(aRow, to, to, int32(len(m.structures)))
	m.structures = append(m.structures, structure)
	row := uint64(0)
	for _, word := range m.told {
		row = together(row, word)
	}
	m.rows = append(m.rows, together(row, structure))
}

// end gives where a byte of a value, counted from its first, stands in the message.
func (m *maker) end(l layer, n *rawjson.Node, at int) int {
	at += n.Offset
	if l.raw != nil {
		at = int(l.raw[at])
	}
	return l.base + at
}

// tells tells whether an entry of a list is a row that says that it did what was asked
// with a good item.
func (m *maker) tells(n *rawjson.Node) bool {
	if !m.free || !n.Is(rawjson.Object) {
		return false
	}
	success, item := false, -1
	for i := range n.Members {
		member := &n.Members[i]
		if name := strings.ToLower(member.Name); name == "success" || name == "ok" {
			if yes, is := member.Value.Bool(); !is || !yes {
				return false
			}
			success = true
		}
		text, ok := member.Value.Str()
		if !ok {
			text, _ = member.Value.Literal()
		}
		at, named := m.item(text, member.Name)
		if !named {
			continue
		}
		of := m.asked.Names.of[at]
		if item >= 0 && item != of {
			return false
		}
		item = of
	}
	return success && item >= 0 && m.asked.Items[item].Truth == conform.Good
}

// word reads a text of a row at which rules look, or that an output schema binds.
func (m *maker) word(from, to int, text, path, member string) {
	name := strings.ToLower(member)
	if _, named := m.asked.Names.at[text]; !m.row || named || identities[name] || m.own[name] || m.named(member) || wordRun([]byte(text)) != len(text) {
		return
	}
	m.numbered(aWord, from, to, text, path)
}
