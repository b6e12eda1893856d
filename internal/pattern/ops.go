package pattern

import (
	"hash/maphash"
)

// kind is what follows a piece of literal bytes.
type kind uint8

const (
	end         kind = iota // the message's end
	anID                    // the JSON-RPC id
	aName                   // a name of a requested item: Names.values[arg]
	aNumberName             // the same, as a number
	aText                   // a plain text that says something
	aUnique                 // the same, unlike every other one of the answer
	aWhole                  // a whole number
	aNumber                 // a number with or without a fraction
	aProse                  // a plain text that begins with a letter
	anEcho                  // what stood at the place numbered arg
	aWord                   // a word by which a row tells how it is meant
	aRow                    // nothing: the end of a row, whose words must go together; structures[arg]
)

// op is a piece of literal bytes and what follows it.
type op struct {
	from, to int32 // of the pattern's bytes
	kind     kind
	arg      int32
}

// opSize is what an op takes, in bytes.
const opSize = 16

// longest bounds a text that no rule looks at.
const longest = 4096

// plain are the bytes that a JSON string holds as they are: printable ASCII
// without quote and backslash.
var plain = func() (table [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// plainRun gives how many plain bytes there are.
func plainRun(b []byte) int {
	for i, c := range b {
		if !plain[c] {
			return i
		}
	}
	return len(b)
}

// textRun gives the length of a plain text that says something: it neither begins
// nor ends with a blank. 0: there is none, or it is too long.
func textRun(b []byte) int {
	n := plainRun(b[:min(len(b), longest+1)])
	if n == 0 || n > longest || b[0] == ' ' || b[n-1] == ' ' {
		return 0
	}
	return n
}

// proseRun is textRun for a text that cannot begin like a JSON object or list.
func proseRun(b []byte) int {
	if len(b) == 0 || (b[0]|0x20) < 'a' || (b[0]|0x20) > 'z' {
		return 0
	}
	return textRun(b)
}

// longestWord bounds a word by which a row tells how it is meant.
const longestWord = 32

// wordRun gives the length of a word of letters, with _ or - inside; 0: there is none,
// or it is too long.
func wordRun(b []byte) int {
	n := 0
	for n < len(b) && (b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z' || n > 0 && (b[n] == '_' || b[n] == '-')) {
		n++
	}
	if n > longestWord {
		return 0
	}
	return n
}

// mostDigits keeps numbers exact in a double.
const mostDigits = 15

// wholeRun gives the length of a whole number as JSON has it; 0: there is none.
func wholeRun(b []byte) int {
	sign := 0
	if len(b) > 0 && b[0] == '-' {
		sign = 1
	}
	n := digitRun(b[sign:])
	if n == 0 || n > mostDigits || n > 1 && b[sign] == '0' {
		return 0
	}
	return sign + n
}

// numberRun is wholeRun with a fraction, if there is one.
func numberRun(b []byte) int {
	n := wholeRun(b)
	if n == 0 || n == len(b) || b[n] != '.' {
		return n
	}
	fraction := digitRun(b[n+1:])
	if fraction == 0 || n+fraction > mostDigits {
		return 0
	}
	return n + 1 + fraction
}

func digitRun(b []byte) int {
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	return n
}

// Scratch is what matching writes on. It belongs to one goroutine; the zero value
// is ready.
type Scratch struct {
	places [][2]int32 // what stood at the numbered places
	unique []uint64   // hashes of the protocol ids, in order
	table  []slot
	round  uint32
	row    uint64 // hash of the words of the row that is read
}

type slot struct {
	hash  uint64
	round uint32
}

var seed = maphash.MakeSeed()

// Hashes gives the hashes of the protocol ids of the last match, in the order of
// the answer; until the next match.
func (s *Scratch) Hashes() []uint64 { return s.unique }

func (s *Scratch) begin(p *Pattern) {
	if cap(s.places) < p.places {
		s.places = make([][2]int32, p.places)
	}
	s.places = s.places[:p.places]
	s.unique = s.unique[:0]
	s.row = 0
	if want := 4 * p.uniques; len(s.table) < want {
		size := 64
		for size < want {
			size *= 2
		}
		s.table = make([]slot, size)
	}
	if s.round++; s.round == 0 {
		clear(s.table)
		s.round = 1
	}
}

// fresh notes a protocol id; false if the answer had one of the same hash.
func (s *Scratch) fresh(id []byte) bool {
	hash := maphash.Bytes(seed, id)
	s.unique = append(s.unique, hash)
	mask := uint64(len(s.table) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		if s.table[at].round != s.round {
			s.table[at] = slot{hash, s.round}
			return true
		}
		if s.table[at].hash == hash {
			return false
		}
	}
}
