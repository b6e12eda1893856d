package suites

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// trait is something that calls may have in common.
type trait struct {
	say func(*conform.Call) string
}

// traits are told in this order. Each gives the empty string for a call that
// does not have it.
var traits = []trait{
	{func(c *conform.Call) string {
		if n := len(c.Planned.Items); n > 0 {
			return fmt.Sprintf("%d %s asked for", n, plural(n, "item"))
		}
		return ""
	}},
	{func(c *conform.Call) string {
		if c.Planned.InFlight > 1 {
			return fmt.Sprintf("%d calls in flight", c.Planned.InFlight)
		}
		return ""
	}},
	{func(c *conform.Call) string {
		if c.Planned.DryRun {
			return "a dry run"
		}
		return ""
	}},
	{func(c *conform.Call) string {
		if c.Planned.Variant == "" {
			return ""
		}
		return "scenario " + c.Planned.Scenario + "/" + c.Planned.Variant
	}},
	{func(c *conform.Call) string {
		if c.Session == "" {
			return ""
		}
		return "session " + c.Session
	}},
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// common says what all failing calls share and not every passing call has.
func common(t tallied) string {
	var said []string
	for _, tr := range traits {
		value, shared := "", true
		for _, look := range t.failed {
			if look.Call == nil {
				return ""
			}
			v := tr.say(look.Call)
			if value == "" {
				value = v
			}
			shared = shared && v != "" && v == value
		}
		if !shared {
			continue
		}
		everywhere := true
		for _, look := range t.all {
			if look.Verdict == conform.Pass && look.Call != nil && tr.say(look.Call) != value {
				everywhere = false
			}
		}
		if !everywhere {
			said = append(said, value)
		}
	}
	return strings.Join(said, "; ")
}
