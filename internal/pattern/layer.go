package pattern

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// layer finds the bytes of a JSON text in the message that holds it: as they are,
// or written as a string.
type layer struct {
	base int    // of text in the message
	text []byte // as it stands in the message
	// raw gives, for each byte of the decoded text, where in text it begins; nil:
	// the text is not a string.
	raw []int32
}

// newLayer is the layer of a string's content.
func newLayer(node *rawjson.Node, decoded string) layer {
	l := layer{base: node.Offset + 1, text: node.Raw[1 : len(node.Raw)-1]}
	l.raw = make([]int32, 0, len(decoded)+1)
	for at := 0; at < len(l.text); {
		from, width := at, 1
		switch c := l.text[at]; {
		case c != '\\':
			at++
		case l.text[at+1] != 'u':
			at += 2
		default:
			r := hex4(l.text[at+2:])
			at += 6
			if utf16.IsSurrogate(r) && at+6 <= len(l.text) && l.text[at] == '\\' && l.text[at+1] == 'u' {
				if pair := utf16.DecodeRune(r, hex4(l.text[at+2:])); pair != utf8.RuneError {
					r = pair
					at += 6
				}
			}
			if width = utf8.RuneLen(r); width < 0 {
				width = utf8.RuneLen(utf8.RuneError)
			}
		}
		for range width {
			l.raw = append(l.raw, int32(from))
		}
	}
	l.raw = append(l.raw, int32(len(l.text)))
	return l
}

func hex4(b []byte) rune {
	var r rune
	for i := 0; i < 4 && i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		default:
			r = r<<4 | rune((c|0x20)-'a'+10)
		}
	}
	return r
}

// find gives where the bytes [from, to) of the text stand in the message; ok is
// false where they are not written there as they read.
func (l *layer) find(from, to int, reads string) (int, int, bool) {
	if l.raw != nil {
		if to >= len(l.raw) {
			return 0, 0, false
		}
		from, to = int(l.raw[from]), int(l.raw[to])
	}
	if to > len(l.text) || string(l.text[from:to]) != reads {
		return 0, 0, false
	}
	return l.base + from, l.base + to, true
}
