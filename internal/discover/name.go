package discover

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mostName bounds how much of a name is looked at.
const mostName = 200

// plain gives a word as words are compared: small letters, no accents.
func plain(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.ReplaceAll(norm.NFD.String(word), "ß", "ss"))
}

// wordsOf gives the words of a name: cancelProducts, cancel_products and
// cancel-products have the same two.
func wordsOf(name string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, plain(string(word)))
		}
		word = nil
	}
	runes := []rune(norm.NFC.String(name[:min(len(name), mostName)]))
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return all
}

// naming is a tool's name, taken apart.
type naming struct {
	words []string
	verb  string // empty: it has none
	class class  // of the verb; empty: of no class that is known
	nouns []string
	bulk  bool // a word says that it takes many
}

// nameOf takes a name apart. The verb is its first word, or its last (German), or
// any word that is known as one; else the first of several.
func nameOf(tool string) naming {
	n := naming{words: wordsOf(tool)}
	at := -1
	take := func(i int) {
		if at >= 0 || i < 0 || i >= len(n.words) {
			return
		}
		for _, c := range verbs {
			if among(c, n.words[i]) {
				at, n.class = i, c
				return
			}
		}
	}
	first := slices.IndexFunc(n.words, func(w string) bool { return !among(bulk, w) })
	take(first)
	take(len(n.words) - 1)
	for i := range n.words {
		take(i)
	}
	if at < 0 && len(n.words) > 1 {
		at = first
	}
	for i, w := range n.words {
		switch {
		case i == at:
			n.verb = w
		case among(bulk, w):
			n.bulk = true
		case !among(small, w):
			n.nouns = append(n.nouns, w)
		}
	}
	return n
}

// checking tells whether the name says that the tool checks what another does.
func (n naming) checking() bool {
	return n.class == checks || edgeAmong(checks, n.words)
}

// sameNoun tells whether two words are one noun, in singular or plural: they begin
// alike, and what is left of each is an ending.
func sameNoun(a, b string) bool {
	if a == b {
		return a != ""
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if same < 3 || len(a)-same > 3 || len(b)-same > 3 {
		return false
	}
	ending := func(s string) bool { return s == "" || among(plural, s) || among(singular, s) }
	return ending(a[same:]) && ending(b[same:])
}

// shared counts the nouns of one list that are in the other.
func shared(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.ContainsFunc(b, func(y string) bool { return sameNoun(x, y) }) {
			n++
		}
	}
	return n
}

// akin tells whether two words have one stem, as cancelar and cancelamento have.
func akin(a, b string) bool {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same >= 4 && same*2 >= min(len(a), len(b))
}

// plurals tells whether a word ends as plurals do. Alone it says little.
func plurals(word string) bool {
	for _, ending := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(word, ending) {
			return false
		}
	}
	return len(word) > 3 && strings.HasSuffix(word, "s")
}
