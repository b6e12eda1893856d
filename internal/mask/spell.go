package mask

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// char is one character of a text in which characters may be escaped: as in JSON,
// also in JSON that stands in a string, or as in a URL.
type char struct {
	r      rune
	raw    string
	number int // where in raw the digits of \u begin; 0: it is not written so
}

// read gives the character that a text begins with.
func read(text string) char {
	switch text[0] {
	case '\\':
		n := 1
		for n < len(text) && text[n] == '\\' {
			n++
		}
		return escaped(text, n)
	case '%':
		if c, ok := percent(text); ok {
			return c
		}
	}
	r, n := utf8.DecodeRuneInString(text)
	return char{r: r, raw: text[:n]}
}

// escaped reads what follows a row of n backslashes.
func escaped(text string, n int) char {
	if n == len(text) {
		return char{r: '\\', raw: text}
	}
	switch c := text[n]; c {
	case 'u':
		high, ok := hex4(text[n+1:])
		if !ok {
			break
		}
		end := n + 5
		if !utf16.IsSurrogate(high) {
			return char{r: high, raw: text[:end], number: n + 1}
		}
		if end+n+5 <= len(text) && text[end:end+n+1] == text[:n+1] {
			if low, ok := hex4(text[end+n+1:]); ok {
				if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
					return char{r: r, raw: text[:end+n+5], number: n + 1}
				}
			}
		}
		return char{r: utf8.RuneError, raw: text[:end]}
	case 'n', 'r', 't', 'b', 'f':
		return char{r: ' ', raw: text[:n+1]}
	}
	return char{r: '\\', raw: text[:n]}
}

func hex4(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:4], 16, 16)
	return rune(n), err == nil
}

// percent reads a character written as %XX, byte by byte.
func percent(text string) (char, bool) {
	var bytes []byte
	for at := 0; at+3 <= len(text) && text[at] == '%' && len(bytes) < utf8.UTFMax; at += 3 {
		n, err := strconv.ParseUint(text[at+1:at+3], 16, 8)
		if err != nil {
			break
		}
		bytes = append(bytes, byte(n))
		if utf8.FullRune(bytes) {
			r, size := utf8.DecodeRune(bytes)
			return char{r: r, raw: text[:at+3]}, r != utf8.RuneError && size == len(bytes)
		}
	}
	return char{}, false
}

// write spells another character in the same way.
func (c char) write(out *strings.Builder, r rune) {
	switch {
	case r == c.r:
		out.WriteString(c.raw)
	case c.number > 0:
		digits := "%04x"
		if c.raw[c.number:] != strings.ToLower(c.raw[c.number:]) {
			digits = "%04X"
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(out, c.raw[:c.number]+digits, unit)
		}
	case len(c.raw) > 1 && c.raw[0] == '%':
		digits := "%%%02X"
		if c.raw != strings.ToUpper(c.raw) {
			digits = "%%%02x"
		}
		for _, b := range []byte(string(r)) {
			fmt.Fprintf(out, digits, b)
		}
	default:
		out.WriteRune(r)
	}
}

// literal reads one character of a JSON string, that is escaped once or not at
// all.
func literal(text string) char {
	if text[0] != '\\' || len(text) < 2 {
		r, n := utf8.DecodeRuneInString(text)
		return char{r: r, raw: text[:n]}
	}
	switch text[1] {
	case 'u':
		return escaped(text, 1)
	case 'n':
		return char{r: '\n', raw: text[:2]}
	case 'r':
		return char{r: '\r', raw: text[:2]}
	case 't':
		return char{r: '\t', raw: text[:2]}
	case 'b':
		return char{r: '\b', raw: text[:2]}
	case 'f':
		return char{r: '\f', raw: text[:2]}
	}
	r, n := utf8.DecodeRuneInString(text[1:])
	return char{r: r, raw: text[:1+n]}
}

// unquoted gives what a JSON string says, with a character for each that it is
// written with.
func unquoted(raw string) string {
	if !strings.ContainsRune(raw, '\\') {
		return raw
	}
	var out strings.Builder
	out.Grow(len(raw))
	for len(raw) > 0 {
		c := literal(raw)
		if c.r == utf8.RuneError && c.raw[0] != '\\' {
			out.WriteString(c.raw) // a byte that is no UTF-8
		} else {
			out.WriteRune(c.r)
		}
		raw = raw[len(c.raw):]
	}
	return out.String()
}

// respelled writes a text as a JSON string was written that said another one of
// as many characters.
func respelled(raw, text string) string {
	var out strings.Builder
	out.Grow(len(raw))
	for len(raw) > 0 && len(text) > 0 {
		c := literal(raw)
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError {
			out.WriteString(c.raw)
		} else {
			c.write(&out, r)
		}
		raw, text = raw[len(c.raw):], text[n:]
	}
	return out.String()
}
