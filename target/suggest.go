package target

import (
	"slices"
	"strings"
	"unicode"

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
		far := distance(wrong, word)
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

// distance counts the letters to add, leave out, change or swap with their
// neighbour (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(last[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
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
