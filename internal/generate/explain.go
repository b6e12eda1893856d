package generate

import (
	"slices"
	"strings"
)

// Explains tells whether a smallest batch that fails says why a larger one may: the larger
// has all that it has. A batch of nothing but ordinary items fails for their number.
func (c Case) Explains(larger Case, ordinary string) bool {
	if len(c.Places) > 0 && len(larger.Places) == 0 {
		return false
	}
	if !slices.ContainsFunc(c.Items, func(word string) bool { return word != ordinary }) {
		return len(larger.Items) >= len(c.Items)
	}
	has := map[string]int{}
	for _, word := range larger.Items {
		has[sort(word)]++
	}
	for _, word := range c.Items {
		if has[sort(word)]--; has[sort(word)] < 0 {
			return false
		}
	}
	return true
}

// sort is what a word asks for, whichever place of the batch it names.
func sort(word string) string {
	if !plain(word) {
		_, how, _ := strings.Cut(word, " ")
		return how
	}
	return word
}
