package fakebackend

import (
	"regexp"
	"strings"
)

// separator splits a text that names several things: comma, semicolon, line
// break, and the word "and" in English, Portuguese and Italian, Spanish, French
// and German. A name that holds one of them is written in double quotes, or is
// known and therefore recognised as a whole.
var separator = regexp.MustCompile(`\s*[,;\n]\s*(?:(?i:and|e|y|et|und)\s+)?|\s+(?i:and|e|y|et|und)\s+`)

var quotePairs = map[string]string{`"`: `"`, "“": "”", "„": "“", "«": "»"}

// widest is how many pieces a known name may fall into.
const widest = 6

// expand reads the names out of a text, in order. Between separators the longest
// stretch that known recognises is one name; a piece that nothing recognises is
// a name of its own.
func expand(text string, known func(string) bool) []string {
	pieces := split(text)
	var names []string
	for i := 0; i < len(pieces); {
		n := 1
		if !pieces[i].quoted {
			for j := min(widest, len(pieces)-i); j > 1; j-- {
				if known(text[pieces[i].from:pieces[i+j-1].to]) {
					n = j
					break
				}
			}
		}
		name := text[pieces[i].from:pieces[i+n-1].to]
		if strings.TrimSpace(name) != "" {
			names = append(names, name)
		}
		i += n
	}
	return names
}

// piece is a stretch of the text between two separators.
type piece struct {
	from, to int
	quoted   bool // from and to stand inside the quotes
}

func split(text string) []piece {
	var pieces []piece
	for at := 0; at <= len(text); {
		if p, next, ok := quotedAt(text, at); ok {
			pieces = append(pieces, p)
			at = next
			continue
		}
		cut := separator.FindStringIndex(text[at:])
		if cut == nil {
			return append(pieces, piece{from: at, to: len(text)})
		}
		pieces = append(pieces, piece{from: at, to: at + cut[0]})
		at += cut[1]
	}
	return pieces
}

// quotedAt reads a quoted name at a position. Quotes count only where a name
// begins and where, after the closing one, a separator or the end follows.
func quotedAt(text string, at int) (piece, int, bool) {
	rest := text[at:]
	from := at + len(rest) - len(strings.TrimLeft(rest, " \t"))
	for open, end := range quotePairs {
		inside, ok := strings.CutPrefix(text[from:], open)
		if !ok {
			continue
		}
		n := strings.Index(inside, end)
		if n < 0 {
			continue
		}
		p := piece{from: from + len(open), to: from + len(open) + n, quoted: true}
		after := p.to + len(end)
		if strings.TrimSpace(text[after:]) == "" {
			return p, len(text) + 1, true
		}
		if cut := separator.FindStringIndex(text[after:]); cut != nil && cut[0] == 0 {
			return p, after + cut[1], true
		}
	}
	return piece{}, 0, false
}

// spell writes names as a text that expand reads back. A name is quoted where it
// would be read as something else among others.
func spell(names []string) string {
	written := make([]string, len(names))
	for i, name := range names {
		written[i] = name
		if !survives(name) && !strings.Contains(name, `"`) {
			written[i] = `"` + name + `"`
		}
	}
	return strings.Join(written, ", ")
}

// survives tells whether a name is read back as it is among others.
func survives(name string) bool {
	text := "-, " + name + ", -"
	pieces := split(text)
	return len(pieces) == 3 && strings.TrimSpace(text[pieces[1].from:pieces[1].to]) == strings.TrimSpace(name)
}
