package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

const (
	// wantedCanaries is how many items are watched and never asked for.
	wantedCanaries = 2
	// spare is how many good items must be left beside them.
	spare = 10
)

// canaries chooses items that are watched and that no play asks for: where one
// changes, somebody else writes to the target. They come from the list of good
// items, where that is long enough: items that others use as well are written
// down, those of items.many are mostly the run's own. Where they cannot be had, the
// plan says so. An item that an informal
// name stands for is none, and what one operation watches no other one asks for.
func (c *compiler) canaries(ops []*Operation) {
	informal := map[string]bool{}
	for _, o := range ops {
		for _, item := range c.plan.rules[o].informal {
			for _, name := range item.known {
				informal[name] = true
			}
		}
	}
	c.plan.watched = map[string]bool{}
	chosen := map[*Operation][]held{}
	for _, o := range ops {
		if !o.Write || o.Probe != conform.Present || o.listed() < wantedCanaries+spare {
			continue
		}
		good, why := c.plan.rules[o].watchable(o)
		for _, item := range good {
			if len(chosen[o]) == wantedCanaries {
				break
			}
			if !anyOf(informal, item.known) {
				chosen[o] = append(chosen[o], item)
			}
		}
		if why == "" && len(chosen[o]) == 0 {
			why = "the informal names stand for all of them"
		}
		if why != "" && c.plan.options.Chosen(o.Name) {
			c.plan.Unwatched = append(c.plan.Unwatched, fmt.Sprintf(
				"no item of %s is held back to show whether others write to the target: of %d good items, %s", o.Name, o.listed(), why))
		}
		for _, item := range chosen[o] {
			for _, name := range item.known {
				c.plan.watched[name] = true
			}
		}
	}
	for _, o := range ops {
		c.plan.rules[o].watched = c.plan.watched
		for _, item := range chosen[o] {
			c.plan.rules[o].canaries = append(c.plan.rules[o].canaries, item.Item)
		}
	}
}

// watchable gives good items that can be watched, and where these are too few to
// hold any back, why.
func (r *rules) watchable(o *Operation) (items []held, why string) {
	items = r.good
	if o.inOrder {
		for n := range min(o.Many.Len, maxListed) {
			if r.many == "" {
				items = append(items, r.number(o, n))
			}
		}
	}
	if n := len(items); n < wantedCanaries+spare {
		return nil, fmt.Sprintf("the tool's own input schema allows %d (%s), and %d are needed", n, r.goodWhy, wantedCanaries+spare)
	}
	items = slices.DeleteFunc(slices.Clone(items), func(item held) bool { return len(item.known) == 0 })
	if len(items) == 0 {
		return nil, fmt.Sprintf("none has a member that names it (%s): say which does, as %s",
			strings.Join(slices.Concat(o.Members, idMembers), ", "), o.key("probe.id"))
	}
	return items, ""
}

func anyOf(names map[string]bool, of []string) bool {
	for _, name := range of {
		if names[name] {
			return true
		}
	}
	return false
}

// Canaries gives the items of an operation that are watched and that no play
// asks for; nil where it has too few items to spare any.
func (p *Plan) Canaries(o *Operation) []conform.Item {
	if r := p.rules[o]; r != nil {
		return r.canaries
	}
	return nil
}
