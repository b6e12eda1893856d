package scenarios

import "github.com/mcpconform/mcpconform/internal/near"

// suggestion says which known word was probably meant; empty if none is near.
func suggestion(word string, known []string) string {
	meant := near.Word(word, known)
	if meant == "" {
		return ""
	}
	return "did you mean " + printable(meant) + "?"
}
