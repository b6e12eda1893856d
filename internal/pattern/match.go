package pattern

import "hash/maphash"

// Pattern is an answer that was all right, with the places where another may
// differ. It is not changed once it is made, and may be used by many goroutines.
type Pattern struct {
	bytes   []byte // the literal ones, each piece once
	ops     []op
	names   *Names // the ones it was made with; only Fit looks at them
	places  int    // numbered places
	uniques int
	// structures are hashes of what rows with words say besides those, and words what
	// rows of each structure were seen to say.
	structures []uint64
	words      *words
}

// Fits tells whether the pattern serves calls whose items have these names.
func (p *Pattern) Fits(names *Names) bool { return names == p.names || p.names.Fit(names) }

// Protocols tells whether the pattern has protocol ids that must differ.
func (p *Pattern) Protocols() bool { return p.uniques > 0 }

// Len gives how many bytes the pattern holds on to.
func (p *Pattern) Len() int { return len(p.bytes) + opSize*len(p.ops) }

// Match tells whether a message says for these names what the pattern's own
// message said for its own. id is the JSON-RPC id of the call in digits.
func (p *Pattern) Match(message, id []byte, names *Names, s *Scratch) bool {
	s.begin(p)
	said := p.words.load()
	at := 0
	for i := range p.ops {
		o := &p.ops[i]
		literal := p.bytes[o.from:o.to]
		if len(message)-at < len(literal) || string(message[at:at+len(literal)]) != string(literal) {
			return false
		}
		at += len(literal)
		n := 0
		switch rest := message[at:]; o.kind {
		case end:
			return len(rest) == 0
		case aName:
			if names.plain[o.arg] {
				n = prefix(rest, names.values[o.arg])
			}
		case aNumberName:
			if names.numbers[o.arg] {
				n = prefix(rest, names.values[o.arg])
			}
		case aText:
			n = textRun(rest)
			s.places[o.arg] = [2]int32{int32(at), int32(at + n)}
		case aUnique:
			n = textRun(rest)
			s.places[o.arg] = [2]int32{int32(at), int32(at + n)}
			if n > 0 && !s.fresh(rest[:n]) {
				return false
			}
		case anEcho:
			held := s.places[o.arg]
			n = prefix(rest, message[held[0]:held[1]])
		case aWhole:
			n = wholeRun(rest)
			s.places[o.arg] = [2]int32{int32(at), int32(at + n)}
		case aNumber:
			n = numberRun(rest)
			s.places[o.arg] = [2]int32{int32(at), int32(at + n)}
		case aProse:
			n = proseRun(rest)
		case aWord:
			n = wordRun(rest)
			s.places[o.arg] = [2]int32{int32(at), int32(at + n)}
			s.row = together(s.row, maphash.Bytes(seed, rest[:n]))
		case aRow:
			if _, seen := said[together(s.row, p.structures[o.arg])]; !seen {
				return false
			}
			s.row = 0
			continue
		case anID:
			n = prefix(rest, id)
		}
		if n == 0 {
			return false
		}
		at += n
	}
	return false // a pattern has an end
}

// prefix gives the length of a prefix; 0 where it is none.
func prefix(b, want []byte) int {
	if len(b) < len(want) || string(b[:len(want)]) != string(want) {
		return 0
	}
	return len(want)
}
