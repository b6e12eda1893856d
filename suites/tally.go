package suites

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// tallied sorts the looks of one check.
type tallied struct {
	passed  int
	failed  []conform.Look
	unclear []conform.Look
	blind   []conform.Look // this call gives nothing to judge by
	keyless []conform.Look // of these, those that a key of the target file would show
	all     []conform.Look
}

func tally(looks []conform.Look) tallied {
	t := tallied{all: looks}
	for _, look := range looks {
		switch look.Verdict {
		case conform.Pass:
			t.passed++
		case conform.Fail:
			t.failed = append(t.failed, look)
		case conform.NotRun:
			t.blind = append(t.blind, look)
			if look.Key != "" {
				t.keyless = append(t.keyless, look)
			}
		default:
			t.unclear = append(t.unclear, look)
		}
	}
	return t
}

// fewExamples bounds how many failing calls a finding quotes.
const fewExamples = 3

func (j *judged) fail(check conform.Check, t tallied) {
	j.looks = t.failed
	j.Verdict, j.Count, j.Of = conform.Fail, len(t.failed), t.passed+len(t.failed)
	first := t.failed[mostTelling(t.failed)]
	j.Want, j.Got, j.Scenario = first.Want, first.Got, scenario(first)
	j.Hint, j.Paste, j.History = check.Mend, first.Paste, first.History
	j.Scenarios = shownBy(t.failed)
	if first.Hint != "" {
		j.Hint = first.Hint
	}
	for _, look := range telling(first, t.failed) {
		for i, e := range look.Evidence {
			if i == 0 && look.Got != j.Got {
				e.Note = look.Got
			}
			j.Evidence = append(j.Evidence, e)
		}
	}
	if j.Count < j.Of {
		j.Interval = Wilson(j.Count, j.Of)
		j.Common = common(t)
	}
	var lowered conform.Level
	for _, look := range t.failed {
		as := look.As
		if as == conform.None {
			as = j.Level
		}
		lowered = max(lowered, as)
	}
	j.Level = min(j.Level, lowered)
}

// shownBy gives the scenarios that show a failure, sorted, where there are several.
func shownBy(failed []conform.Look) []string {
	var all []string
	for _, look := range failed {
		if name := scenario(look); name != "" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) < 2 {
		return nil
	}
	return all
}

// telling picks a few failing looks to quote: those that say something new come
// before those that say the same of other items.
func telling(first conform.Look, failed []conform.Look) []conform.Look {
	var chosen, same []conform.Look
	seen := map[string]bool{}
	failed = append([]conform.Look{first}, failed...)
	for _, look := range failed {
		// Scripts that ask differently fail differently; names and numbers aside,
		// one script says the same every time.
		kind, _, _ := strings.Cut(scenario(look), "/")
		if seen[kind] {
			same = append(same, look)
			continue
		}
		seen[kind] = true
		chosen = append(chosen, look)
	}
	for _, look := range same {
		if look.Call != first.Call || look.Got != first.Got { // the first stands there already
			chosen = append(chosen, look)
		}
	}
	return chosen[:min(len(chosen), fewExamples)]
}

// mostTelling gives the failing look to begin with: the first on a call that
// asked for good and bad items together, where most harm shows; else the first. Of
// batches that were generated it is the smallest.
func mostTelling(failed []conform.Look) int {
	made := func(look conform.Look) bool {
		return look.Call != nil && look.Call.Planned.Scenario == conform.Generated
	}
	if scripted := slices.IndexFunc(failed, func(look conform.Look) bool { return !made(look) }); scripted < 0 {
		small := 0
		for i, look := range failed {
			if size(look) < size(failed[small]) {
				small = i
			}
		}
		return small
	}
	for i, look := range failed {
		if look.Call == nil || made(look) {
			continue
		}
		good, bad := false, false
		for _, item := range look.Call.Planned.Items {
			good = good || item.Truth == conform.Good
			bad = bad || item.Truth == conform.Bad
		}
		if good && bad {
			return i
		}
	}
	return 0
}

// size is how much a call of a generated batch asks for: its items, and whether in other
// company than before.
func size(look conform.Look) int {
	n := 4 * len(look.Call.Planned.Items)
	if look.Call.Planned.Regroups != "" {
		n++
	}
	return n
}
