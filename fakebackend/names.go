package fakebackend

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// canon is the form in which names are compared: NFC, outer white space gone,
// letter case folded. Accents stay: "Resume" and "Résumé" are two names. NFKC is
// not used: it would make names equal that people tell apart.
func canon(name string) string {
	if lower, ok := plainCanon(name); ok {
		return lower
	}
	return anyCanon(name)
}

// plainCanon is canon for names in ASCII without control characters: there is
// nothing to normalize, and to fold a letter is to lower it.
func plainCanon(name string) (string, bool) {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return "", false
		}
	}
	return strings.ToLower(strings.Trim(name, " ")), true
}

func anyCanon(name string) string {
	trimmed := strings.TrimFunc(norm.NFC.String(name), unicode.IsSpace)
	// Folding can leave a string that is not in NFC (U+0130 does).
	return norm.NFC.String(cases.Fold().String(trimmed))
}

// loose is the form in which a validator guesses what a person meant: canon,
// without accents, inner white space single.
func loose(name string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFD.String(canon(name)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r):
			space = true
		default:
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}
