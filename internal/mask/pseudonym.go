package mask

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Pseudonyms gives each word a stand-in that is the same wherever the word
// stands, and tells nothing of it to whoever has not the key. It keeps what
// answers are judged by: the number of characters and of bytes, letters letters
// and digits digits of the same script, case, normal form, what two words have in
// common (all or nothing), and of numbers their zeros at both ends, so that 007,
// 7.0 and 7 are still one number. Different words have different stand-ins.
//
// It is not safe for concurrent use.
type Pseudonyms struct {
	key   []byte
	stays func(key string) bool
	given map[string]string // by word: its stand-in in lower case
	taken map[string]bool   // stand-ins
	spelt map[string]string // by word as it is written: its stand-in, written so
}

// NewPseudonyms makes pseudonyms from a secret key. stays names the words, in
// lower case, that are their own stand-ins.
func NewPseudonyms(key []byte, stays func(word string) bool) *Pseudonyms {
	return &Pseudonyms{key: key, stays: stays, given: map[string]string{}, taken: map[string]bool{}, spelt: map[string]string{}}
}

// Text replaces every word of a text. What stands between words stays, and the
// result has as many characters and bytes as the text.
func (p *Pseudonyms) Text(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	begin := -1
	for at, r := range text {
		switch {
		case wordly(r) && (begin >= 0 || !unicode.IsMark(r)): // a mark on something else is a part of that
			if begin < 0 {
				begin = at
			}
			continue
		case begin >= 0:
			out.WriteString(p.word(text[begin:at]))
			begin = -1
		}
		if r == utf8.RuneError {
			_, n := utf8.DecodeRuneInString(text[at:])
			out.WriteString(text[at : at+n])
			continue
		}
		out.WriteRune(r)
	}
	if begin >= 0 {
		out.WriteString(p.word(text[begin:]))
	}
	return out.String()
}

// Number replaces the digits of a JSON number as those of a text: sign, point and
// exponent stay.
func (p *Pseudonyms) Number(literal string) string {
	at := strings.IndexAny(literal, "eE")
	if at < 0 {
		at = len(literal)
	}
	return p.Text(literal[:at]) + literal[at:]
}

func (p *Pseudonyms) word(word string) string {
	is, known := p.spelt[word]
	if !known {
		is = p.spell(word)
		p.spelt[word] = is
	}
	return is
}

func (p *Pseudonyms) spell(word string) string {
	if strings.Trim(word, "0123456789") == "" {
		return p.digits(word)
	}
	key := keyOf(word)
	if p.stays(key) {
		return word
	}
	stand, known := p.given[key]
	if !known {
		stand = p.draw(key, func(r *rand.Rand) string { return drawLetters(r, key) })
	}
	// The stand-in, spelled as the word is: letter by letter.
	letters, own := segments(stand), segments(key)
	var out strings.Builder
	for at, segment := range segments(word) { // all three are cut alike
		base := apart(letters[at])[0]
		if base == apart(own[at])[0] {
			out.WriteString(string(segment))
			continue
		}
		whole := apart(segment[:1])
		if unicode.IsUpper(whole[0]) {
			base = unicode.ToUpper(base)
		}
		whole[0] = base
		first := norm.NFC.String(string(whole))
		if utf8.RuneCountInString(first) != 1 {
			first = string(segment[0]) // a character that no normal form has
		}
		out.WriteString(first)
		out.WriteString(string(segment[1:]))
	}
	return out.String()
}

// digits replaces a row of digits. Zeros at both ends stay.
func (p *Pseudonyms) digits(row string) string {
	significant := strings.Trim(row, "0")
	if significant == "" {
		return row
	}
	stand, known := p.given[significant]
	if !known {
		stand = p.draw(significant, func(r *rand.Rand) string { return drawDigits(r, significant) })
	}
	lead := len(row) - len(strings.TrimLeft(row, "0"))
	return row[:lead] + stand + row[lead+len(significant):]
}

const (
	// most tries are made for a letter that fits marks, and for a stand-in that is
	// not the word itself: the last of the nine digits may have only itself left.
	most = 400
	// mostForFree are made for a stand-in that no other word has. All numbers of
	// five digits find theirs.
	mostForFree = 1 << 20
)

// draw gives a word its stand-in.
func (p *Pseudonyms) draw(key string, one func(*rand.Rand) string) string {
	stand := ""
	for n := range uint32(mostForFree) {
		mac := hmac.New(sha256.New, p.key)
		mac.Write(binary.BigEndian.AppendUint32(nil, n))
		mac.Write([]byte(key)) // a hash never fails
		stand = one(rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))))
		if !p.taken[stand] && !p.stays(stand) && (n >= most || stand != key) {
			break
		}
	}
	p.given[key], p.taken[stand] = stand, true
	return stand
}

func drawLetters(draw *rand.Rand, key string) string {
	hex := looksHex(key)
	var out strings.Builder
	digit := false // the character before was one
	for _, segment := range segments(key) {
		whole := apart(segment)
		base, marks := whole[0], whole[1:]
		switch {
		case base >= '0' && base <= '9':
			from := rune('0')
			if !digit {
				from = '1'
			}
			if base != '0' || digit {
				whole[0] = from + draw.Int32N('9'-from+1)
			}
		case hex && base >= 'a' && base <= 'f':
			whole[0] = 'a' + draw.Int32N(6)
		default:
			whole[0] = drawLetter(draw, base, marks)
		}
		digit = base >= '0' && base <= '9'
		out.WriteString(string(whole))
	}
	return norm.NFC.String(out.String())
}

func drawLetter(draw *rand.Rand, base rune, marks []rune) rune {
	instead := siblingsOf(base)
	for range most {
		if len(instead) == 0 {
			break
		}
		if r := instead[draw.IntN(len(instead))]; !joins(r) && fits(base, r, marks) {
			return r
		}
	}
	return base
}

// looksHex tells a part of a hexadecimal id, as a UUID has them.
func looksHex(word string) bool {
	return len(word) >= 4 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789")
}

// lastExact is 2^53-1, the largest integer that readers with doubles take exactly.
const lastExact = "9007199254740991"

// drawDigits draws the digits of a number, first and last not 0. A number of 16
// digits stays on its side of 2^53.
func drawDigits(draw *rand.Rand, row string) string {
	for {
		out := make([]byte, len(row))
		for i := range out {
			from := byte('0')
			if i == 0 || i == len(row)-1 {
				from = '1'
			}
			out[i] = from + byte(draw.IntN(int('9'-from)+1))
		}
		if len(row) < len(lastExact)-3 || string(out) > lastExact == (row > lastExact) {
			return string(out)
		}
	}
}
