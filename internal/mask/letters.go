package mask

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// letterClass is what letters have in common that may stand for one another: a
// text keeps its script, its length in bytes and its case variants.
type letterClass struct {
	script string
	width  int // bytes in UTF-8
	cased  bool
}

// mostSiblings bounds how many letters of a large script (Han) are drawn from.
const mostSiblings = 1024

var siblings sync.Map // letterClass → []rune

// siblingsOf gives the lower-case letters that may stand for one; nil for a
// character that stays as it is.
func siblingsOf(r rune) []rune {
	if r >= 'a' && r <= 'z' {
		return ascii
	}
	if !regular(r) {
		return nil
	}
	script := scriptOf(r)
	if script == "" || script == "Common" || script == "Inherited" {
		return nil
	}
	class := letterClass{script, utf8.RuneLen(r), unicode.ToUpper(r) != r}
	if known, ok := siblings.Load(class); ok {
		return known.([]rune)
	}
	var all []rune
	each(unicode.Scripts[script], func(c rune) bool {
		if regular(c) && utf8.RuneLen(c) == class.width && (unicode.ToUpper(c) != c) == class.cased {
			all = append(all, c)
		}
		return len(all) < mostSiblings
	})
	siblings.Store(class, all)
	return all
}

var ascii = []rune("abcdefghijklmnopqrstuvwxyz")

func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

func each(table *unicode.RangeTable, visit func(rune) bool) {
	for _, span := range table.R16 {
		for c := rune(span.Lo); c <= rune(span.Hi); c += rune(span.Stride) {
			if !visit(c) {
				return
			}
		}
	}
	for _, span := range table.R32 {
		for c := rune(span.Lo); c <= rune(span.Hi); c += rune(span.Stride) {
			if !visit(c) {
				return
			}
		}
	}
}

// regular tells a lower-case letter whose case and normal forms are one character
// each and lead back to it, so that canonically equal texts, and texts equal but
// for case, stay so when it stands in another's place.
func regular(r rune) bool {
	if !unicode.IsLetter(r) || unicode.IsUpper(r) || unicode.IsTitle(r) || unicode.ToLower(r) != r {
		return false
	}
	text, upper := string(r), unicode.ToUpper(r)
	return norm.NFD.String(text) == text && norm.NFC.String(text) == text && fold(text) == text &&
		unicode.ToLower(upper) == r && utf8.RuneLen(upper) == len(text) && fold(string(upper)) == text && norm.NFD.String(string(upper)) == string(upper)
}

func fold(text string) string { return cases.Fold().String(text) }

// segments cuts a word into its letters, each with the marks that follow it.
func segments(word string) [][]rune {
	var all [][]rune
	for _, r := range word {
		if n := len(all); n > 0 && joins(r) {
			all[n-1] = append(all[n-1], r)
		} else {
			all = append(all, []rune{r})
		}
	}
	return all
}

// joins tells what belongs to the letter before it: marks, and the vowels and
// finals of a Hangul syllable that is written in parts.
func joins(r rune) bool {
	return unicode.IsMark(r) || r >= 0x1160 && r <= 0x11FF
}

// apart gives the canonical decomposition of a letter with its marks, character
// by character, so that none changes its place.
func apart(segment []rune) []rune {
	var all []rune
	for _, r := range segment {
		all = append(all, []rune(norm.NFD.String(string(r)))...)
	}
	return all
}

// mostMarks is how many marks a letter may have that another takes the place of:
// more than any language writes can be spelled in too many ways.
const mostMarks = 2

// fits tells whether a letter can stand for another before the same marks, in
// whichever order they are written: what was one character composed is so again,
// and as long, in either case.
func fits(one, instead rune, marks []rune) bool {
	if len(marks) > mostMarks {
		return false
	}
	orders := [][]rune{marks}
	if len(marks) == mostMarks {
		orders = append(orders, []rune{marks[1], marks[0]})
	}
	for _, order := range orders {
		for n := 1; n <= len(order); n++ {
			for _, turn := range []func(rune) rune{same, unicode.ToUpper} {
				was := norm.NFC.String(string(turn(one)) + string(order[:n]))
				is := norm.NFC.String(string(turn(instead)) + string(order[:n]))
				if len(was) != len(is) || utf8.RuneCountInString(was) != utf8.RuneCountInString(is) {
					return false
				}
			}
		}
	}
	return true
}

func same(r rune) rune { return r }

// wordly tells what words are made of.
func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// keyOf is the same for words that differ in case and normal form only.
func keyOf(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	return norm.NFC.String(strings.Map(unicode.ToLower, norm.NFD.String(word)))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
