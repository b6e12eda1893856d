package reports

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// mostGlobs is how many globs of a filter are told.
const mostGlobs = 8

// Narrowing says of what a run's verdict speaks where it was narrowed: one
// entry a filter, in the words of the flags. Nil for a run of everything.
func Narrowing(run conform.Run) []string {
	var narrowed []string
	filter := func(word string, globs []string) {
		switch rest := len(globs) - mostGlobs; {
		case len(globs) == 0:
		case rest > 0: // of a list in a file
			narrowed = append(narrowed, fmt.Sprintf("%s %s and %d more", word, strings.Join(globs[:mostGlobs], ", "), rest))
		default:
			narrowed = append(narrowed, word+" "+strings.Join(globs, ", "))
		}
	}
	filter("checks", run.Checks)
	filter("all but checks", run.Skip)
	filter("scenarios", run.Scenarios)
	filter("operations", run.Operations)
	filter("replay of", run.Replay)
	levels := make([]string, len(run.Levels))
	for i, l := range run.Levels {
		levels[i] = l.String()
	}
	filter("level", levels)
	if run.Rerun != nil {
		narrowed = append(narrowed, fmt.Sprintf("what run %s left open", run.Rerun.Run))
	}
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
