package mask

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is what values are compared by: letters, digits, or one other character.
type piece struct {
	key        string
	word       bool
	begin, end int // characters
}

// parted is a text in pieces.
type parted struct {
	chars  []char
	pieces []piece
}

func part(text string) parted {
	p := parted{chars: make([]char, 0, len(text))}
	for len(text) > 0 {
		c := read(text)
		if c.r == utf8.RuneError && len(c.raw) == 1 {
			c.r = 0 // a byte that is no UTF-8
		}
		p.chars = append(p.chars, c)
		text = text[len(c.raw):]
	}
	for at := 0; at < len(p.chars); {
		kind := kindOf(p.chars[at].r)
		if unicode.IsMark(p.chars[at].r) {
			kind = other // on something that is no letter
		}
		end := at + 1
		for kind != other && end < len(p.chars) && kindOf(p.chars[end].r) == kind {
			end++
		}
		one := piece{word: kind != other, begin: at, end: end}
		if one.word {
			one.key = keyOf(p.said(at, end))
		} else {
			one.key = string(p.chars[at].r)
			if one.key == "+" {
				one.key = " " // in a query it stands for one
			}
		}
		p.pieces = append(p.pieces, one)
		at = end
	}
	return p
}

type kind uint8

const (
	other kind = iota
	letters
	digits
)

func kindOf(r rune) kind {
	switch {
	case unicode.IsDigit(r):
		return digits
	case wordly(r):
		return letters
	}
	return other
}

func (p parted) said(begin, end int) string {
	var out strings.Builder
	for _, c := range p.chars[begin:end] {
		out.WriteRune(c.r)
	}
	return out.String()
}

// core is the text from its first word to its last: the pieces there.
func (p parted) core() []piece {
	begin, end := 0, len(p.pieces)
	for begin < end && !p.pieces[begin].word {
		begin++
	}
	for end > begin && !p.pieces[end-1].word {
		end--
	}
	return p.pieces[begin:end]
}

// value is a text that is looked for.
type value struct {
	pieces int
	// stays is set for words that are left as they are, and for which nothing
	// within them is looked for.
	stays bool
	// short values are replaced where they stand alone, not within other text.
	short bool
}

// values finds texts: by all of their pieces, and to begin with by their first word.
type values struct {
	whole   map[string]*value
	lengths map[string][]int // by first word: how many pieces those that are looked for within text have, most first
}

func newValues() values {
	return values{whole: map[string]*value{}, lengths: map[string][]int{}}
}

// nameOf writes pieces as one text.
func nameOf(pieces []piece) string {
	var out strings.Builder
	for _, p := range pieces {
		out.WriteString(p.key)
		out.WriteByte(0)
	}
	return out.String()
}

// leastWithin is how many bytes a single word must have to be looked for within
// other text: a shorter one would be found in totals and in words of the language.
const leastWithin = 4

// add takes a text to be looked for; false: that changes nothing.
func (v *values) add(text string, stays bool) bool {
	p := part(text)
	core := p.core()
	if len(core) == 0 {
		return false
	}
	name := nameOf(core)
	if known := v.whole[name]; known != nil {
		changed := stays && !known.stays
		known.stays = known.stays || stays
		return changed
	}
	one := &value{stays: stays, pieces: len(core)}
	one.short = !slices.ContainsFunc(core, func(p piece) bool { return !p.word }) && len(name)-len(core) < leastWithin
	v.whole[name] = one
	if !one.short {
		first := core[0].key
		if at, known := slices.BinarySearchFunc(v.lengths[first], len(core), func(a, b int) int { return b - a }); !known {
			v.lengths[first] = slices.Insert(v.lengths[first], at, len(core))
		}
	}
	return true
}

// alone gives the value that a whole text is.
func (v *values) alone(p parted) *value { return v.whole[nameOf(p.core())] }

// at gives the longest value that begins at a piece.
func (v *values) at(p parted, i int) *value {
	for _, n := range v.lengths[p.pieces[i].key] {
		if i+n > len(p.pieces) {
			continue
		}
		if one := v.whole[nameOf(p.pieces[i:i+n])]; one != nil && !one.short {
			return one
		}
	}
	return nil
}

// replaced writes the characters of some pieces with other words.
func (p parted) replaced(out *strings.Builder, begin, end int, by func(string) string) {
	instead := []rune(by(p.said(begin, end))) // as many characters, as Pseudonyms has it
	for i, c := range p.chars[begin:end] {
		if c.r == 0 {
			out.WriteString(c.raw)
		} else {
			c.write(out, instead[i])
		}
	}
}
