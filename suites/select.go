package suites

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/filter"
	"github.com/mcpconform/mcpconform/internal/near"
)

// Select narrows checks to those that a keep glob matches (none: all) and no
// drop glob matches. A glob that matches nothing is an error: a typing mistake
// must not turn into a green run.
func Select(checks []conform.Check, keep, drop []string) ([]conform.Check, error) {
	ids, groups := names(checks)
	for _, list := range []struct {
		flag  string
		globs []string
	}{{"--checks", keep}, {"--skip", drop}} {
		for _, glob := range list.globs {
			if stone, ok := tombstone(withdrawn, glob); ok {
				return nil, &filter.Error{Flag: list.flag, Glob: glob, Problem: fmt.Sprintf("%s was %s", stone.ID, stone)}
			}
			err := filter.Check(list.flag, []string{strings.ToUpper(glob)}, ids, nil)
			var wrong *filter.Error
			if errors.As(err, &wrong) {
				wrong.Glob = glob // as it is written
				if strings.ContainsAny(glob, "*?[") {
					wrong.Near = near.Word(strings.ToUpper(glob), groups)
				}
				if wrong.Near == "" && wrong.Problem == "" {
					wrong.Known = groups
				}
				return nil, err
			}
		}
	}
	var chosen []conform.Check
	for _, c := range checks {
		if (len(keep) == 0 || anyMatch(keep, c.ID)) && !anyMatch(drop, c.ID) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--checks and --skip leave no check over")
	}
	return chosen, nil
}

// OfLevels narrows checks to those of some levels (none: all), by the level that their
// source gives them, whatever --basis makes of it. It is an error if none is left.
func OfLevels(checks []conform.Check, levels []conform.Level) ([]conform.Check, error) {
	if len(levels) == 0 {
		return checks, nil
	}
	var chosen []conform.Check
	for _, c := range checks {
		if slices.Contains(levels, c.Level) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--level leaves no check over: all that are chosen are of other levels")
	}
	return chosen, nil
}

// names gives the ids of checks, and a glob for each family of them.
func names(checks []conform.Check) (ids, families []string) {
	for _, c := range checks {
		ids = append(ids, c.ID)
		if family, _, ok := strings.Cut(c.ID, "-"); ok && !slices.Contains(families, family+"-*") {
			families = append(families, family+"-*")
		}
	}
	return ids, families
}

func anyMatch(globs []string, id string) bool {
	for _, glob := range globs {
		if ok, _ := path.Match(strings.ToUpper(glob), strings.ToUpper(id)); ok {
			return true
		}
	}
	return false
}
