package runner

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// spelling finds a value in text, however it was escaped on the way: as it is,
// in JSON (also in JSON that stands in a string of JSON), or in a URL, each
// character in its own way.
type spelling struct {
	runes  []rune
	begins [256]bool // the bytes that an occurrence may begin with
}

func spellingOf(value string) *spelling {
	s := &spelling{runes: []rune(value)}
	first, _ := utf8.DecodeRuneInString(value)
	s.begins[value[0]], s.begins['\\'], s.begins['%'] = true, true, true
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
	var plain [utf8.UTFMax]byte
	n := utf8.EncodeRune(plain[:], r)
	if i+n <= len(b) && string(b[i:i+n]) == string(plain[:n]) {
		return i + n
	}
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '+':
		if r == ' ' {
			return i + 1
		}
	case '%':
		for _, c := range plain[:n] {
			if i+3 > len(b) || b[i] != '%' || number(b[i+1:i+3]) != int64(c) {
				return -1
			}
			i += 3
		}
		return i
	case '\\':
		k := i
		for k < len(b) && b[k] == '\\' {
			k++
		}
		switch {
		case k < len(b) && b[k] == 'u' && k+5 <= len(b) && number(b[k+1:k+5]) == int64(r):
			return k + 5
		case k+n <= len(b) && string(b[k:k+n]) == string(plain[:n]):
			return k + n
		}
	}
	return -1
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
