package reports

import "github.com/mcpconform/mcpconform/conform"

// alone is the root of a finding that follows from no other.
const alone = -1

// roots tells of each finding which one it is shown beneath: the place in the
// list of the failed root it follows from, through any number of steps, or
// alone. The root is of the same operation, else of the server as a whole. A
// consequence whose root did not fail, or that follows from itself in a circle,
// stands for itself.
func roots(findings []conform.Finding) []int {
	type place struct{ id, operation string }
	failures := map[place]int{}
	for i, f := range findings {
		if _, held := failures[place{f.ID, f.Operation}]; f.Verdict == conform.Fail && !f.Pending && !held {
			failures[place{f.ID, f.Operation}] = i
		}
	}
	parent := func(i int) int {
		f := findings[i]
		if f.Verdict != conform.Fail || f.Pending || f.ConsequenceOf == "" {
			return alone
		}
		for _, operation := range []string{f.Operation, ""} {
			if at, ok := failures[place{f.ConsequenceOf, operation}]; ok && at != i {
				return at
			}
		}
		return alone
	}
	out := make([]int, len(findings))
	for i := range findings {
		out[i] = alone
		for at, steps := parent(i), 0; at != alone; at, steps = parent(at), steps+1 {
			if steps > len(findings) {
				out[i] = alone
				break
			}
			out[i] = at
		}
	}
	return out
}
