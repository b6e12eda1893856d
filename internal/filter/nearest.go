package filter

// Nearest gives the known word that was probably meant; empty if none is near.
func Nearest(word string, known []string) string {
	best, least := "", len(word)/2+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters to put in, take out or change to get from a to b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 64 || len(t) > 64 {
		return 64
	}
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range s {
		corner := row[0]
		row[0] = i + 1
		for j, y := range t {
			cost := corner
			if x != y {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}
