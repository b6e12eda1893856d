package reports

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Narrowing says of what a run's verdict speaks where it was narrowed: one
// entry a filter, in the words of the flags. Nil for a run of everything.
func Narrowing(run conform.Run) []string {
	var narrowed []string
	filter := func(word string, globs []string) {
		if len(globs) > 0 {
			narrowed = append(narrowed, word+" "+strings.Join(globs, ", "))
		}
	}
	filter("checks", run.Checks)
	filter("all but checks", run.Skip)
	filter("scenarios", run.Scenarios)
	filter("operations", run.Operations)
	filter("replay of", run.Replay)
	if run.Effort == "quick" {
		narrowed = append(narrowed, "effort quick")
	}
	if run.ReadOnly {
		narrowed = append(narrowed, "read-only")
	}
	if len(run.Bases) > 0 {
		words := make([]string, len(run.Bases))
		for i, b := range run.Bases {
			words[i] = string(b)
		}
		narrowed = append(narrowed, "basis "+strings.Join(words, ", "))
	}
	return narrowed
}
