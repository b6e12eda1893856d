package scenarios

import "github.com/mcpconform/mcpconform/conform"

const (
	// wantedCanaries is how many items are watched and never asked for.
	wantedCanaries = 2
	// spare is how many good items must be left beside them.
	spare = 10
)

// canaries chooses items that are watched and that no play asks for: where one
// changes, somebody else writes to the target. They come from the list of good
// items, where that is long enough: items that others use as well are written
// down, those of a template are mostly the run's own. An item that an informal
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
		good := c.plan.rules[o].good
		if !o.Write || o.Probe != conform.Present || len(good) < wantedCanaries+spare {
			continue
		}
		for _, item := range good {
			if len(chosen[o]) == wantedCanaries {
				break
			}
			if !anyOf(informal, item.known) && len(item.known) > 0 {
				chosen[o] = append(chosen[o], item)
			}
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
