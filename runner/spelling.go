package runner

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// spelling finds a value in text, however it was escaped on the way: as it is,
// in JSON (also in JSON that stands in a string of JSON), in a URL, or in HTML and
// XML, each character in its own way.
type spelling struct {
	runes  []rune
	begins [256]bool // the bytes that an occurrence may begin with
}

func spellingOf(value string) *spelling {
	s := &spelling{runes: []rune(value)}
	first, _ := utf8.DecodeRuneInString(value)
	s.begins[value[0]], s.begins['\\'], s.begins['%'], s.begins['&'] = true, true, true, true
	if first == ' ' {
		s.begins['+'] = true
	}
	return s
}

// replace gives the text with every occurrence replaced; the text itself if it
// has none.
func (s *spelling) replace(b, by []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(b); i++ {
		if !s.begins[b[i]] {
			continue
		}
		end := s.at(b, i)
		if end < 0 {
			// A row of backslashes belongs to one character: none begins within it.
			for b[i] == '\\' && i+1 < len(b) && b[i+1] == '\\' {
				i++
			}
			continue
		}
		out = append(append(out, b[done:i]...), by...)
		done, i = end, end-1
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// at gives where the occurrence that begins at i ends; -1: none begins there.
func (s *spelling) at(b []byte, i int) int {
	for _, r := range s.runes {
		if i = character(b, i, r); i < 0 {
			return -1
		}
	}
	return i
}

// character gives where the character that begins at i ends, if it is r in one
// of its spellings; else -1.
func character(b []byte, i int, r rune) int {
	if i < len(b) && (b[i] == '&' || b[i] == '\\' || b[i] == '%') {
		if end := reference(b, escaped(b, i, '&'), r); end >= 0 {
			return end
		}
	}
	return escaped(b, i, r)
}

// reference gives where a character reference ends whose & ends at i, if it stands
// for r (HTML, section 13.5; XML, section 4.1). Its own characters may be escaped.
func reference(b []byte, i int, r rune) int {
	const longest = len("#x0010ffff;")
	name := []byte{'&'}
	for i >= 0 && i < len(b) && len(name) <= longest {
		c := b[i]
		for _, mark := range "#;" {
			if end := escaped(b, i, mark); end >= 0 {
				c, i = byte(mark), end-1
				break
			}
		}
		name = append(name, c)
		i++
		if c == ';' {
			if html.UnescapeString(string(name)) == string(r) {
				return i
			}
			return -1
		}
	}
	return -1
}

// escaped is character for what is not written as a reference.
func escaped(b []byte, i int, r rune) int {
	if end := bare(b, i, r); end >= 0 {
		return end
	}
	after := backslashes(b, i)
	if after == i {
		return -1
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		if end := unit(b, after, high); end >= 0 {
			return unit(b, backslashes(b, end), low)
		}
	} else if end := unit(b, after, r); end >= 0 {
		return end
	}
	return bare(b, after, r)
}

// mostBackslashes are before a character of JSON that stands eight deep in strings of
// JSON.
const mostBackslashes = 255

// backslashes gives where a row of backslashes ends, that may be escaped for a URL.
func backslashes(b []byte, i int) int {
	for n := 0; i < len(b) && n < mostBackslashes; n++ {
		end := bare(b, i, '\\')
		if end < 0 {
			break
		}
		i = end
	}
	return i
}

// unit gives where u and the four digits of a code unit end.
func unit(b []byte, i int, r rune) int {
	if i+5 <= len(b) && b[i] == 'u' && number(b[i+1:i+5]) == int64(r) {
		return i + 5
	}
	return -1
}

// bare gives where r ends that is written as it is, or as in a URL, however often
// it was escaped for one.
func bare(b []byte, i int, r rune) int {
	var plain [utf8.UTFMax]byte
	n := utf8.EncodeRune(plain[:], r)
	if i+n <= len(b) && string(b[i:i+n]) == string(plain[:n]) {
		return i + n
	}
	if r == ' ' {
		if end := bare(b, i, '+'); end >= 0 {
			return end
		}
	}
	for _, c := range plain[:n] {
		if i >= len(b) || b[i] != '%' {
			return -1
		}
		i++
		for i+2 <= len(b) && number(b[i:i+2]) != int64(c) {
			if string(b[i:i+2]) != "25" {
				return -1
			}
			i += 2
		}
		if i+2 > len(b) {
			return -1
		}
		i += 2
	}
	return i
}

func number(hex []byte) int64 {
	n, err := strconv.ParseInt(string(hex), 16, 32)
	if err != nil {
		return -1
	}
	return n
}

// inBase64 gives what stands in base64 wherever the value is encoded: by itself
// first, then as a part of a longer text, which has three places for it.
func inBase64(value string) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		whole := enc.EncodeToString([]byte(value))
		forms = append(forms, whole, strings.TrimRight(whole, "="))
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := enc.EncodeToString([]byte(strings.Repeat("\x00", before) + value))
			// Characters at the edges hold bits of the neighbours too.
			begin, end := (before*8+5)/6, (before+len(value))*8/6
			forms = append(forms, text[begin:end])
		}
	}
	return forms
}

// inHex gives the value's bytes in hexadecimal.
func inHex(value string) []string {
	lower := hex.EncodeToString([]byte(value))
	return []string{lower, strings.ToUpper(lower)}
}
