// Package near finds the word that a misspelt one was probably meant to be. How near is
// near enough is the caller's to say, where Word is too generous.
package near

// Word gives the known word that was probably meant; empty if none is near: if more
// than half of the letters are others.
func Word(word string, known []string) string {
	best, least := "", len(word)/2+1
	for _, k := range known {
		if d := Distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// mostLetters bounds the work on words that are none.
const mostLetters = 64

// Distance counts the letters to add, leave out, change or swap with their neighbour
// (optimal string alignment) to get from a to b. Longer words than anybody writes are
// far from any.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > mostLetters || len(y) > mostLetters {
		return max(len(x), len(y))
	}
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
