package suites

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestTheHintOfWhatWasNotPlayed(t *testing.T) {
	for name, c := range map[string]struct {
		skip conform.Skipped
		want string
	}{
		"a key that is not there": {conform.Skipped{Key: "operations.x.probe"}, "add `operations.x.probe` to the target file"},
		"a key that is wrong":     {conform.Skipped{Key: "operations.x.tool", Wrong: true}, "correct `operations.x.tool` in the target file"},
		"no key would help":       {conform.Skipped{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.skip.Reason, c.skip.Checks = "why", []string{"RES-01"}
			s := &conform.Subject{Recording: &conform.Recording{Skips: []conform.Skipped{c.skip}}}
			j, absent := unasked(judged{}, conform.Check{Requirement: conform.Requirement{ID: "RES-01"}}, s)
			if absent != nil || j.Verdict != conform.NotRun || j.Reason != "why" || j.Hint != c.want {
				t.Errorf("%+v, %v: want the hint %q", j, absent, c.want)
			}
		})
	}
}
