package runner

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
)

// checksOf gives a set of the catalogue by its name (empty: the default), and
// what the filters leave of its checks. The error is a *UsageError.
func checksOf(catalogue string, keep, drop []string, levels []conform.Level) (suites.Set, []conform.Check, error) {
	set, err := suites.FindSet(catalogue)
	if err != nil {
		return set, nil, &UsageError{Err: err, Hint: "`mcpconform catalogue list` shows them"}
	}
	checks, err := suites.Select(set.Of(suites.All()), keep, drop)
	if err == nil {
		checks, err = suites.OfLevels(checks, levels)
	}
	if err != nil {
		return set, nil, &UsageError{Err: err, Hint: "`mcpconform list` shows all checks with their levels"}
	}
	return set, checks, nil
}
