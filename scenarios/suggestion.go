package scenarios

import "github.com/mcpconform/mcpconform/internal/filter"

// suggestion says which known word was probably meant; empty if none is near.
func suggestion(word string, known []string) string {
	near := filter.Nearest(word, known)
	if near == "" {
		return ""
	}
	return "did you mean " + printable(near) + "?"
}
