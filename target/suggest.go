package target

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpconform/mcpconform/internal/near"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// nearest gives the known word that a wrong one was probably meant to be; empty
// if none is near.
func nearest(wrong string, known []string) string {
	wrong = strings.ToLower(strings.ReplaceAll(wrong, "-", "_"))
	if len(wrong) > 64 {
		return ""
	}
	best, least := "", max(2, len(wrong)/3)+1
	known = slices.Sorted(slices.Values(known))
	for _, word := range known {
		far := near.Distance(wrong, word)
		// "write_host" and "hosts" are meant, too, by a part of the word.
		if far > 1 && len(wrong) > 3 && (strings.HasPrefix(word, wrong) || strings.HasSuffix(word, wrong)) {
			far = 1
		}
		if far < least {
			best, least = word, far
		}
	}
	return best
}

// printable shortens a foreign text and takes what a terminal would obey out of it.
func printable(text string) string {
	return rawjson.Cut(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text), 80)
}

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "`" + w + "`"
	}
	return strings.Join(out, ", ")
}
