package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Safe makes foreign text harmless to print: what a terminal, a bidirectional
// layout or a CI log would act on, and what the eye cannot see, is written as an
// escape (\n, \u001b, \xff for a byte that is no UTF-8). Letters of every script
// stay. It is for reading, not for parsing back: a backslash stays a backslash,
// so that Safe of a safe text is that text.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	marks := maxMarks // none may stand first, where it would fall on our own text
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		mark := unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '#' && command(s[i:]):
			b.WriteString(`\u0023`)
		case hidden(r) || mark && marks >= maxMarks:
			b.WriteString(escape(r))
			mark, marks = false, maxMarks // an escape is no base for a mark
			i += size
			continue
		default:
			b.WriteRune(r)
		}
		if mark {
			marks++
		} else {
			marks = 0
		}
		i += size
	}
	return b.String()
}

// maxMarks is how many combining marks may sit on one letter: enough for every
// script in use, too few to paint over other lines.
const maxMarks = 4

// plain tells text that needs no look: printable ASCII without a number sign.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' || s[i] == '#' {
			return false
		}
	}
	return true
}

// hidden tells what is not seen, or acts, when printed: controls, bidirectional
// and other format characters, spaces but the ASCII one, fillers, selectors.
func hidden(r rune) bool {
	if r <= '~' {
		return r < ' '
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		r == '\u2800' // braille blank
}

func escape(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// commands begin a command of a CI log anywhere in a line.
var commands = []string{"##[", "##vso[", "##teamcity["}

func command(s string) bool {
	for _, c := range commands {
		if strings.HasPrefix(s, c) {
			return true
		}
	}
	return false
}

// mute keeps a line from beginning a command of a CI log: "::" first, even
// after spaces.
func mute(line string) string {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, "::") {
		return line
	}
	return line[:len(line)-len(rest)] + `\u003a` + rest[1:]
}

// middle shortens s to about most bytes by leaving out its middle, and says how
// much that was. What it keeps is whole characters.
func middle(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := most*2/3, len(s)-most/3
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + " [… " + Amount(tail-head, "byte", "bytes") + " left out …] " + s[tail:]
}

const (
	// mostShown bounds, in bytes, a text of a server's that is shown in a sentence of
	// ours, mostName a name of its, and mostText whatever is shown as one text.
	mostShown = 1000
	mostName  = 120
	mostText  = 16 << 10
)

// Shown makes foreign text ready to be shown within a sentence: safe, and not so long
// that it hides the rest. What is left out is told with its length.
func Shown(s string) string { return Safe(middle(s, mostShown)) }

// name is a server's name for something, as it is shown.
func name(s string) string { return middle(s, mostName) }

// Amount writes a number with its unit: "1 call", "12,000 calls".
func Amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
